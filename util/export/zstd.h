/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_ZSTD_H
#define EXPORT_ZSTD_H
/*
 * Packing of what is written at once. Any thread.
 */
#include "util/base/str.h"

/* The packed bytes are added to out; false, and nothing is added: not built in (libzstd). */
bool zstd_pack(const void *bytes, size_t n, struct str *out);

#endif
