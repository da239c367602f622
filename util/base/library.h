/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared libraries that are loaded when they are first needed: what few commands use costs the
 * others nothing at their start (the relocations of libcapstone alone take 5 ms).
 *
 *	struct foo { __typeof__(foo_open) *open; };
 *	static const struct library_function functions[] = {
 *		LIBRARY_ENTRY(foo_open, offsetof(struct foo, open)),
 *	};
 *
 * A static perf (make static) loads none: there the entries are linked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct library_function {
	const char *name;
	size_t offset;		/* of the pointer in the table */
	const void *linked;	/* its address, in a static perf */
};

#ifdef PERF_STATIC
#define LIBRARY_ENTRY(symbol, off) { #symbol, off, (const void *)&symbol }
#else
#define LIBRARY_ENTRY(symbol, off) { #symbol, off, NULL }
#endif

/*
 * Load the library of this soname, as the linker would find it (NULL: what the program itself
 * has), and put the addresses of the n functions or variables into table. False: it or one of them
 * is not there; why (of size bytes) is given the dynamic linker's reason, and nothing is loaded. It
 * stays loaded until the program ends. Called by any thread, but not by two for one table.
 */
bool library_load(const char *soname, const struct library_function *functions, size_t n,
		  void *table, char *why, size_t size);
