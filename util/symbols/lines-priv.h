/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_LINES_PRIV_H
#define SYMBOLS_LINES_PRIV_H
#include "util/symbols/dso.h"

struct lines;
void lines_free(struct lines *l);	/* NULL is fine */

#endif
