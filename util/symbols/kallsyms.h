/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_KALLSYMS_H
#define SYMBOLS_KALLSYMS_H
/*
 * The text of /proc/kallsyms: "ADDRESS TYPE NAME[\t[MODULE]]". Any thread.
 */
#include "util/base/str.h"

struct kallsym {
	u64 va;
	char type;		/* as nm(1): t T w W d D b B r R ... */
	const char *name;	/* NUL-terminated in the text */
	const char *module;	/* without brackets; NULL: the kernel itself */
};

/* Calls fn for each line, in order; fn's non-zero return stops and is returned. Lines that do
 * not parse are skipped and counted. The text is changed: NULs are put after names. text[len] must
 * be readable and 0. */
int kallsyms_parse(char *text, size_t len, int (*fn)(void *ctx, const struct kallsym *s), void *ctx,
		   u64 *n_bad);

#endif
