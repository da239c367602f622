/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H
/*
 * What exporters of text have in common. One owner of each text.
 */
#include <stdio.h>

#include "util/base/str.h"

/* What text holds is written, and text emptied, when it is longer than above. What fp says of it is
 * for who opened it to ask. */
void export_flush(FILE *fp, struct str *text, size_t above);

#endif
