/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_KCORE_DIR_H
#define RECORD_KCORE_DIR_H
/*
 * A recording as a directory: PATH/data, and PATH/kcore_dir with the code of the running kernel,
 * kallsyms and modules. One thread.
 */
#include "util/base/err.h"

/* Makes the directory (what is there becomes PATH.old) with kcore_dir in it. *data: where the
 * recording goes; the caller frees. */
int kcore_dir_begin(const char *path, const char *kcore, char **data, struct err *err);
void kcore_dir_undo(const char *path);

#endif
