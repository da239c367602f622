/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PART_H
#define EXPORT_PART_H
/*
 * A file in the directory of an exporter that writes several ones: there when it is complete, or
 * not at all. One owner.
 */
#include <stdio.h>

#include "util/base/outfile.h"

struct export_part { struct outfile out; FILE *fp; };	/* zero: none is open */

/* Directories above it are made. -EEXIST when it exists, unless forced. */
int export_part_open(struct export_part *p, const char *path, bool force, struct err *err);
/* What was written to fp is the file. */
int export_part_commit(struct export_part *p, struct err *err);
/* What is not committed goes. Safe on zero. */
void export_part_release(struct export_part *p);

#endif
