/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_SYMTAB_PRIV_H
#define SYMBOLS_SYMTAB_PRIV_H
/*
 * A table of address ranges with names. Filled by a loader, then finished: sorted, one symbol per
 * address (the best of its aliases), ends filled in, nested ranges flattened (labels without size
 * within a function that has one have no range of their own), so that a lookup is a search in the
 * few ranges of a part of the addresses. Names are copied.
 */
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/symbols/dso.h"

struct symtab {
	struct symbol *sym;	/* sorted by start_rva, starts unique */
	size_t n, cap;
	/* n_starts ranges, each up to the next one ... NULL: no symbols overlap, each is its
	 * range */
	u64 *starts;
	u32 *which;		/* ... belonging to sym[which], or SYMTAB_NONE */
	size_t n_starts;
	/* by (rva - first_rva) >> first_shift: the range that the part begins in; one more at
	 * the end */
	u32 *first;
	u64 first_rva;
	size_t n_ranges;
	unsigned first_shift;
	/* all mangled names; of a loader that sets it before finish they stay where they are */
	char *names;
	char *spare_names;	/* memory of a loader's names, freed by finish */
	struct strmap by_name;	/* filled at the first question */
	bool has_by_name;
	/* of the aliases of an address with equal binding the later one counts (kallsyms, as in
	 * upstream perf) */
	bool last_wins;
	/* labels without size within a function are names of their own: kernels', whose kallsyms
	 * have no sizes */
	bool labels_count;
	/* the kernel's code of the scheduler and of locks, by the marks of its linker script */
	struct { u64 from, to; } lock_code[2];
};
#define SYMTAB_NONE UINT32_MAX

void symtab_reserve(struct symtab *t, size_t n);	/* for n more without moving */
/* end_rva 0: unknown, up to the next symbol. The name is borrowed until symtab_finish(). */
void symtab_add(struct symtab *t, u64 start_rva, u64 end_rva, const char *name, u8 binding,
		u8 type);
/* The same where the end is unknown: up to the next symbol but at most to limit_rva. */
void symtab_add_upto(struct symtab *t, u64 start_rva, u64 limit_rva, const char *name, u8 binding,
		     u8 type);
/* > 0: a is the better name of their common address. What the newest upstream perf prefers:
 * sized, not weak, global, few leading underscores, long. Before finish. */
int symtab_better(const struct symbol *a, const struct symbol *b);
void symtab_finish(struct symtab *t);
struct symbol *symtab_lookup(const struct symtab *t, u64 rva);	/* NULL: none; only after finish */
void symtab_release(struct symtab *t);

#endif
