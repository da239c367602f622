// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source lines through libdw. Units are found by .debug_aranges, or, where a compiler wrote none,
 * by the ranges of all units' top entries; only units that addresses fall into are read, and each
 * address is answered once.
 *
 * libdw is not thread-safe within one Dwarf. So the units of a file are dealt out to readers: each
 * has a lock and a Dwarf over the same bytes. The lock is held where something is read of the file
 * for the first time: a unit's table of lines, its list of functions, one function's tree of
 * inlined calls. What was read does not change, and is looked at without a lock. An answer does not
 * depend on readers.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/dwarf/lines-priv.h"
#include "util/elf/demangle.h"

/* a file has one more reader for each; two threads seldom meet in a small one */
#define READER_BYTES (4u << 20)

/* What is asked of an address. */
enum { LINE = 1, NAMES = 2, PLACES = 4, INLINES = LINE | NAMES | PLACES };

struct answer {
	unsigned has;
	struct srcline line;
	const struct inline_frame *frames;	/* with PLACES their at is there, too */
	size_t n_frames;
};

static void unit_free(struct line_unit *u)
{
	inlines_release(u);
	hmap_release(&u->paths);
	free(u);
}

static void reader_release(struct line_reader *l)
{
	dwarf_names_release(l);
	if (l->dw != l->of->file.dw)
		dwarf_end(l->dw);
	pthread_mutex_destroy(&l->lock);
}

static void shard_release(struct shard *s)
{
	hmap_release(&s->by_rva);
	arena_release(&s->arena);
	pthread_mutex_destroy(&s->lock);
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	vec_free(&l->units);
	for hmap_each(i, &l->by_unit)
		unit_free(l->by_unit.vals[i]);
	hmap_release(&l->by_unit);
	hmap_release(&l->names);
	for (unsigned i = 0; i < l->n_readers; i++)
		reader_release(&l->readers[i]);
	for (unsigned i = 0; i < N_SHARDS; i++)
		shard_release(&l->shards[i]);
	arena_release(&l->arena);
	pthread_mutex_destroy(&l->lock);
	dwarf_file_close(&l->file);
	free(l);
}

static void add_reader(struct lines *l, Dwarf *dw)
{
	struct line_reader *a = &l->readers[l->n_readers++];

	pthread_mutex_init(&a->lock, NULL);
	a->dw = dw;
	a->of = l;
}

/* All at once: a new reader changes the Elf that they have in common. */
static void add_readers(struct lines *l, struct elf *from)
{
	struct elf_sec *info = elf_find(from, ".debug_info");
	u64 n = info ? info->size / READER_BYTES : 0;
	Dwarf *dw;

	add_reader(l, l->file.dw);
	while (l->n_readers < MAX_READERS && l->n_readers <= n && (dw = dwarf_file_begin(&l->file)))
		add_reader(l, dw);
}

struct lines *lines_open(struct elf *from, const struct dwarf_where *w, bool no_demangle)
{
	struct lines *l = xnew(struct lines);

	if (dwarf_file_open(&l->file, from, w)) {
		free(l);
		return NULL;
	}
	/* all are held for a few hundred ns */
	l->lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
	for (unsigned i = 0; i < N_SHARDS; i++)
		l->shards[i].lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
	add_readers(l, from);
	if (dwarf_getaranges(l->file.dw, &l->aranges, NULL))
		l->aranges = NULL;
	l->has_zero = from->type == ET_REL;
	l->no_demangle = no_demangle;
	return l;
}

static void add_ranges(const struct lines *l, line_ranges *v, Dwarf_Die *die, Dwarf_Off off)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (high > low && lines_has_code_at(l, low))
			vec_push(v, ((struct line_range){ low, high, off }));
}

static void scan_units(struct lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	u8 type;

	pthread_mutex_lock(&l->readers[0].lock);
	if (!atomic_load_explicit(&l->units_scanned, memory_order_relaxed)) {
		while (dwarf_get_units(l->readers[0].dw, cu, &cu, NULL, &type, &die, NULL) == 0)
			if (type == DW_UT_compile || type == DW_UT_skeleton)
				add_ranges(l, &l->units, &die, dwarf_dieoffset(&die));
		lines_sort(&l->units);
		atomic_store_explicit(&l->units_scanned, true, memory_order_release);
	}
	pthread_mutex_unlock(&l->readers[0].lock);
}

/* Where the entry of the unit that holds rva is; for split DWARF the skeleton. aranges: by them
 * alone. */
static bool find_unit(struct lines *l, u64 rva, bool aranges, Dwarf_Off *off)
{
	Dwarf_Arange *ar = aranges && l->aranges ? dwarf_getarange_addr(l->aranges, rva) : NULL;

	if (aranges)
		return ar && dwarf_getarangeinfo(ar, NULL, NULL, off) == 0;
	if (!atomic_load_explicit(&l->units_scanned, memory_order_acquire))
		scan_units(l);
	const struct line_range *r = lines_find(&l->units, rva);

	if (r)
		*off = r->what;
	return r != NULL;
}

static struct line_unit *known_unit(struct lines *l, Dwarf_Off off)
{
	struct line_unit *u;

	pthread_mutex_lock(&l->lock);
	u = hmap_get(&l->by_unit, off);
	pthread_mutex_unlock(&l->lock);
	return u;
}

/* Under the reader's lock. NULL: there is no such entry. */
static struct line_unit *make_unit(struct lines *l, struct line_reader *reader, Dwarf_Off off)
{
	struct line_unit *u;
	Dwarf_Die cu;

	if (!dwarf_offdie(reader->dw, off, &cu))
		return NULL;
	u = xnew(struct line_unit);
	u->reader = reader;
	u->cu = cu;
	inlines_init(u);
	u->dir = lines_dir(reader, &cu);
	pthread_mutex_lock(&l->lock);
	hmap_put(&l->by_unit, off, u);
	pthread_mutex_unlock(&l->lock);
	return u;
}

static struct line_unit *unit_at(struct lines *l, Dwarf_Off off)
{
	struct line_unit *u = known_unit(l, off);
	struct line_reader *reader = &l->readers[hash_u64(off) % l->n_readers];

	if (u)
		return u;
	pthread_mutex_lock(&reader->lock);
	u = known_unit(l, off);
	if (!u)
		u = make_unit(l, reader, off);
	pthread_mutex_unlock(&reader->lock);
	return u;
}

static void need_rows(struct line_unit *u)
{
	if (atomic_load_explicit(&u->has_rows, memory_order_acquire))
		return;
	pthread_mutex_lock(&u->reader->lock);
	if (!atomic_load_explicit(&u->has_rows, memory_order_relaxed)) {
		if (dwarf_getsrclines(&u->cu, &u->rows, &u->n_rows))
			u->n_rows = 0;
		atomic_store_explicit(&u->has_rows, true, memory_order_release);
	}
	pthread_mutex_unlock(&u->reader->lock);
}

/* The last row that does not begin after rva. libdw has put them in order; a sequence's end is a
 * row, too. */
static Dwarf_Line *row_at(const struct line_unit *u, u64 rva)
{
	size_t lo = 0, hi = u->n_rows;
	Dwarf_Addr addr;
	bool ends;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(u->rows, mid), &addr) == 0 && addr <= rva)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	Dwarf_Line *row = dwarf_onesrcline(u->rows, lo - 1);

	return dwarf_lineendsequence(row, &ends) || ends ? NULL : row;
}

static struct srcline line_at(struct line_unit *u, u64 rva)
{
	struct srcline s = { 0 };
	int nr = 0, column = 0;
	Dwarf_Line *line;

	need_rows(u);
	line = row_at(u, rva);
	if (!line || dwarf_lineno(line, &nr))
		return s;
	s.file = lines_path(u, u->dir, dwarf_linesrc(line, NULL, NULL));
	dwarf_linecol(line, &column);
	s.line = nr;
	s.column = column;
	return s;
}

/* Asked and kept by several threads at once: what the first of them keeps is what all show. */
static struct answer keep(struct shard *s, u64 rva, const struct answer *found)
{
	struct answer *a, out;

	pthread_mutex_lock(&s->lock);
	a = hmap_get(&s->by_rva, rva);
	if (!a) {
		a = arena_alloc(&s->arena, sizeof(*a));
		hmap_put(&s->by_rva, rva, a);
	}
	if (found->has & ~a->has & LINE)
		a->line = found->line;
	if (found->has & ~a->has & (NAMES | PLACES) && !(a->has & PLACES)) {
		a->n_frames = found->n_frames;
		a->frames = a->n_frames ? arena_dup(&s->arena, found->frames,
						    a->n_frames * sizeof(*a->frames)) : NULL;
	}
	a->has |= found->has;
	out = *a;
	pthread_mutex_unlock(&s->lock);
	return out;
}

static struct answer look(struct line_unit *u, struct shard *s, u64 rva, unsigned asked)
{
	struct inline_frame frames[INLINES_MAX];
	struct answer a = { .has = asked, .frames = frames };

	if (asked & LINE)
		a.line = line_at(u, rva);
	if (asked & NAMES)
		a.n_frames = inlines_at(u, rva, asked & PLACES ? &a.line : NULL, frames);
	return keep(s, rva, &a);
}

static struct answer ask(struct lines *l, u64 rva, unsigned asked)
{
	struct shard *s = &l->shards[hash_u64(rva) % N_SHARDS];
	struct answer out = { 0 };
	const struct answer *known;
	Dwarf_Off off;

	pthread_mutex_lock(&s->lock);
	known = hmap_get(&s->by_rva, rva);
	if (known)
		out = *known;
	pthread_mutex_unlock(&s->lock);
	if (known && !(asked & ~out.has))
		return out;
	for (int aranges = 1; aranges >= 0; aranges--) {
		struct line_unit *u = find_unit(l, rva, aranges, &off) ? unit_at(l, off) : NULL;

		if (u)
			return look(u, s, rva, asked);
	}
	return out;
}

struct srcline lines_at(struct lines *l, u64 rva)
{
	return ask(l, rva, LINE).line;
}

size_t lines_inlines(struct lines *l, u64 rva, const struct inline_frame **out)
{
	struct answer a = ask(l, rva, INLINES);

	*out = a.frames;
	return a.n_frames;
}

size_t lines_inline_names(struct lines *l, u64 rva, const struct inline_frame **out)
{
	struct answer a = ask(l, rva, NAMES);

	*out = a.frames;
	return a.n_frames;
}
