// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/symtab-priv.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/elf/demangle.h"

enum { STARTS_A_RANGE = 2 };

/* These marks have addresses that functions have, too: by their names they would not be found. */
static void note_mark(struct symtab *t, u64 rva, const char *name)
{
	static const char *const marks[] = { "__sched_text_", "__lock_text_" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const size_t n = strlen(marks[i]);

		if (strncmp(name, marks[i], n))
			continue;
		if (!strcmp(name + n, "start"))
			t->lock_code[i].from = rva;
		else if (!strcmp(name + n, "end"))
			t->lock_code[i].to = rva;
	}
}

static void make_room(struct symtab *t, size_t cap)
{
	t->sym = xreallocarray(t->sym, cap, sizeof(*t->sym));
	t->cap = cap;
}

void symtab_reserve(struct symtab *t, size_t n)
{
	if (n > t->cap - t->n)
		make_room(t, t->n + n);
}

void symtab_add(struct symtab *t, u64 start_rva, u64 end_rva, const char *name, u8 binding,
		u8 type)
{
	if (name[0] == '_' && name[1] == '_')
		note_mark(t, start_rva, name);
	if (t->n == t->cap)
		make_room(t, t->cap ? t->cap * 2 : 256);
	t->sym[t->n] = (struct symbol){
		.start_rva = start_rva,
		.end_rva = end_rva > start_rva ? end_rva : 0,
		.mangled = name,
		.binding = binding,
		.type = type,
		.table_nr = t->n,
	};
	t->n++;
}

void symtab_add_upto(struct symtab *t, u64 start_rva, u64 limit_rva, const char *name, u8 binding,
		     u8 type)
{
	symtab_add(t, start_rva, 0, name, binding, type);
	t->sym[t->n - 1].name = (const char *)(uintptr_t)limit_rva;	/* until finish */
}

static int underscores(const char *s)
{
	int n = 0;

	while (s[n] == '_')
		n++;
	return n;
}

static int binding_rank(u8 binding)
{
	return binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
}

/* > 0: a is the better name of the same address. */
static int better_name(const char *a, const char *b)
{
	int lines = underscores(b) - underscores(a);
	size_t na = strlen(a), nb = strlen(b);

	/* the same: the earlier one of the table */
	return lines ? lines : na == nb ? 0 : na > nb ? 1 : -1;
}

/* "...C1Ev" and "...C2Ev": the kinds of a constructor or destructor, which read the same for
 * people. */
static bool same_but_one(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a >= '0' && *a <= '4' && *b >= '0' && *b <= '4' && !strcmp(a + 1, b + 1);
}

int symtab_better(const struct symbol *a, const struct symbol *b)
{
	bool a_sized = a->end_rva, b_sized = b->end_rva;

	if (a_sized != b_sized)
		return a_sized - b_sized;
	int weak = (b->binding == STB_WEAK) - (a->binding == STB_WEAK);

	if (weak)
		return weak;
	int rank = binding_rank(a->binding) - binding_rank(b->binding);

	if (rank)
		return rank;
	if (!demangle_candidate(a->mangled) || !demangle_candidate(b->mangled))
		return better_name(a->mangled, b->mangled);
	if (same_but_one(a->mangled, b->mangled))
		return 0;
	char *pa = demangle(a->mangled), *pb = demangle(b->mangled);
	int ret = better_name(pa ? pa : a->mangled, pb ? pb : b->mangled);

	free(pa);
	free(pb);
	return ret;
}

static int by_start(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->start_rva != b->start_rva)
		return a->start_rva < b->start_rva ? -1 : 1;
	int best = symtab_better(b, a);

	/* until finish the name holds no name but a limit, and nothing else tells the order of
	 * the table */
	return best ? best : (a->table_nr > b->table_nr) - (a->table_nr < b->table_nr);
}

static bool is_sorted(const struct symtab *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->sym[i - 1].start_rva > t->sym[i].start_rva)
			return false;
	return true;
}

/* Aliases in kallsyms: of those with the same binding the later one counts. */
static bool later_wins(const struct symbol *a, const struct symbol *b)
{
	int rank = binding_rank(a->binding) - binding_rank(b->binding);

	return rank ? rank > 0 : a->table_nr > b->table_nr;
}

/* Kept: the best of each address. Input nearly sorted by address (kallsyms) is not sorted again. */
static void keep_best(struct symtab *t)
{
	size_t n = 0;

	if (!is_sorted(t))
		qsort(t->sym, t->n, sizeof(*t->sym), by_start);
	for (size_t i = 0; i < t->n; i++) {
		if (n && t->sym[n - 1].start_rva == t->sym[i].start_rva) {
			if (t->last_wins ? later_wins(&t->sym[i], &t->sym[n - 1]) :
			    symtab_better(&t->sym[i], &t->sym[n - 1]) > 0)
				t->sym[n - 1] = t->sym[i];
			continue;
		}
		t->sym[n++] = t->sym[i];
	}
	t->n = n;
}

static void fill_ends(struct symtab *t)
{
	u64 sized_up_to = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symbol *s = &t->sym[i];
		u64 limit = (uintptr_t)s->name;

		if (s->end_rva) {
			sized_up_to = MAX(sized_up_to, s->end_rva);
		} else {
			s->inner = s->start_rva < sized_up_to && !t->labels_count;
			s->end_rva = i + 1 < t->n ? t->sym[i + 1].start_rva :
				(s->start_rva | 4095) + 1;
			if (limit > s->start_rva && s->end_rva > limit)
				s->end_rva = limit;
			if (s->end_rva <= s->start_rva)
				/* at the end of the address space */
				s->end_rva = s->start_rva + 1;
		}
		s->name = s->mangled;
	}
}

static void copy_names(struct symtab *t)
{
	size_t bytes = 0;

	for (size_t i = 0; i < t->n; i++)
		bytes += strlen(t->sym[i].mangled) + 1;
	char *p = t->names = xmalloc(bytes + 1);

	for (size_t i = 0; i < t->n; i++) {
		size_t n = strlen(t->sym[i].mangled) + 1;

		memcpy(p, t->sym[i].mangled, n);
		t->sym[i].name = t->sym[i].mangled = p;
		p += n;
	}
}

static void add_range(struct symtab *t, u64 start, u32 which)
{
	if (t->n_starts && t->starts[t->n_starts - 1] == start)
		t->n_starts--;
	t->starts[t->n_starts] = start;
	t->which[t->n_starts++] = which;
}

/* Nested ranges become disjoint ones; of overlapping ones the later start wins from its start
 * on. Debuggers, too, take a label without size within a function for a mark in its code, not for
 * another function. */
static void flatten(struct symtab *t)
{
	u32 *open = xcalloc(t->n + 1, sizeof(*open));
	size_t n_open = 0;

	t->starts = xcalloc(2 * t->n + 1, sizeof(*t->starts));
	t->which = xcalloc(2 * t->n + 1, sizeof(*t->which));
	for (size_t i = 0; i <= t->n; i++) {
		u64 upto = i < t->n ? t->sym[i].start_rva : UINT64_MAX;
		bool begins = i < t->n && !t->sym[i].inner;

		while (n_open && t->sym[open[n_open - 1]].end_rva <= upto) {
			u64 end = t->sym[open[--n_open]].end_rva;

			while (n_open && t->sym[open[n_open - 1]].end_rva <= end)
				n_open--;
			if (end < upto || !begins)
				add_range(t, end, n_open ? open[n_open - 1] : SYMTAB_NONE);
		}
		if (begins) {
			add_range(t, upto, i);
			open[n_open++] = i;
		}
	}
	free(open);
	t->starts = xreallocarray(t->starts, t->n_starts + 1, sizeof(*t->starts));
	t->which = xreallocarray(t->which, t->n_starts + 1, sizeof(*t->which));
}

static bool is_disjoint(const struct symtab *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->sym[i].inner || (i && t->sym[i - 1].end_rva > t->sym[i].start_rva))
			return false;
	return true;
}

static u64 range_start(const struct symtab *t, size_t i)
{
	return t->starts ? t->starts[i] : t->sym[i].start_rva;
}

/* Where the ranges of each of many equal parts begin, so that a lookup looks at few of them. */
static void index_ranges(struct symtab *t)
{
	const size_t n = t->starts ? t->n_starts : t->n;
	size_t at = 0;
	u64 bytes;

	if (!n)
		return;
	t->first_rva = range_start(t, 0);
	bytes = range_start(t, n - 1) - t->first_rva;
	while (bytes >> t->first_shift > n / STARTS_A_RANGE)
		t->first_shift++;
	t->n_ranges = (size_t)(bytes >> t->first_shift) + 1;
	t->first = xmalloc((t->n_ranges + 1) * sizeof(*t->first));
	for (size_t i = 0; i < t->n_ranges; i++) {
		while (at + 1 < n && range_start(t, at + 1) - t->first_rva <=
		       (u64)i << t->first_shift)
			at++;
		t->first[i] = (u32)at;
	}
	t->first[t->n_ranges] = (u32)(n - 1);
}

void symtab_finish(struct symtab *t)
{
	keep_best(t);
	fill_ends(t);
	if (!t->names)
		copy_names(t);
	free(t->spare_names);
	t->spare_names = NULL;
	t->sym = xreallocarray(t->sym, t->n + 1, sizeof(*t->sym));
	t->cap = t->n + 1;
	if (!is_disjoint(t))
		flatten(t);
	index_ranges(t);
}

/* Both: the last of n ranges whose start is not above rva; the loops compile to conditional
 * moves. */

static struct symbol *find_symbol(struct symbol *s, size_t n, u64 rva)
{
	while (n > 1) {
		size_t half = n / 2;

		s = s[half].start_rva <= rva ? s + half : s;
		n -= half;
	}
	return rva < s->end_rva ? s : NULL;
}

static struct symbol *find_range(const struct symtab *t, const u64 *base, size_t n, u64 rva)
{
	while (n > 1) {
		size_t half = n / 2;

		base = base[half] <= rva ? base + half : base;
		n -= half;
	}
	u32 i = t->which[base - t->starts];

	return i == SYMTAB_NONE ? NULL : &t->sym[i];
}

struct symbol *symtab_lookup(const struct symtab *t, u64 rva)
{
	size_t at, from, n;

	if (!t->n_ranges || rva < t->first_rva)
		return NULL;
	at = MIN((rva - t->first_rva) >> t->first_shift, (u64)t->n_ranges - 1);
	from = t->first[at];
	n = t->first[at + 1] - from + 1;
	return t->starts ? find_range(t, t->starts + from, n, rva) :
		find_symbol(t->sym + from, n, rva);
}

void symtab_release(struct symtab *t)
{
	free(t->sym);
	free(t->starts);
	free(t->which);
	free(t->first);
	free(t->names);
	free(t->spare_names);
	strmap_release(&t->by_name);
	*t = (struct symtab){ 0 };
}
