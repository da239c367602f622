/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_GZIP_H
#define EXPORT_GZIP_H
/*
 * A gzip file written piece by piece. One owner. What fp says of its writes is for the caller.
 */
#include <stdio.h>

#include "util/base/str.h"

struct gzip;
struct gzip *gzip_new(FILE *fp);
/* The text is empty afterwards. */
void gzip_add(struct gzip *g, struct str *text);
void gzip_end(struct gzip *g);		/* the rest */
void gzip_free(struct gzip *g);		/* NULL is fine */

#endif
