/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_KALLSYMS_SEARCH_H
#define SYMBOLS_KALLSYMS_SEARCH_H
/*
 * Names of the running kernel and its modules, looked up in /proc/kallsyms.
 */
#include "util/os/os.h"

struct kallsym_place {
	const char *name;
	const char *module;		/* without brackets; NULL: the kernel */
	u64 start_va, end_va;		/* end: where the next symbol of the same module begins */
};

/* n names; found[i], if not NULL, is set to how many symbols names[i] has: static functions of one
 * name are several. */
struct kallsyms_names {
	const char *const *names;
	size_t n;
	u64 *found;
};

/* Calls fn for each symbol of one of the names, once per symbol, by name in the order given,
 * then by address. -EACCES: the kernel hides its addresses from this user. Any thread. */
int kallsyms_search(const struct os *os, const struct kallsyms_names *wanted,
		    void (*fn)(void *ctx, const struct kallsym_place *p), void *ctx,
		    struct err *err);

#endif
