/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_C2C_PRIV_H
#define VIEW_C2C_PRIV_H
/*
 * What both halves of the text of shared cache lines need: c2c-text.c has the sums, c2c-rows.c the
 * lines and what is in them.
 */
#include "util/base/str.h"
#include "util/base/types.h"

void c2c_add_title(struct str *out, const char *title);
static inline double c2c_percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

#endif
