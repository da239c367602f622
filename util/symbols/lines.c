// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source lines and inlined functions through libdw. Units are found by .debug_aranges, or, where a compiler wrote none, by the
 * ranges of all units' top entries; only units that addresses fall into are read. Per unit its functions are indexed once, per
 * function its tree of inlined calls once, and each address is answered once.
 *
 * libdw is not thread-safe within one Dwarf. So the units of a file are dealt out to lanes: each has a lock, a Dwarf over the same
 * bytes, and what was found out about its units. Threads meet only in units of the same lane. An answer does not depend on lanes.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/lines-priv.h"

#define MAX_DEPTH 64
#define MAX_ENTRIES 8000000	/* looked at in one unit: a damaged one may have siblings that go round in circles */

struct range { u64 low, high; Dwarf_Off die; };
typedef VEC(struct range) range_vec;

/* An inlined call; of one with several ranges, one node each. Calls within it follow with a higher depth. */
struct node { u64 low, high; int depth; const char *name; struct srcline call; };

struct func { const char *name; VEC(struct node) nodes; };

struct unit {
	Dwarf_Die top;		/* its entry; of split DWARF that of the part with the functions */
	range_vec funcs;	/* concrete functions with code */
	struct hmap by_die;	/* entry -> struct func */
	u32 n_seen;		/* entries */
};

struct answer {
	bool has_line, has_inlines;
	struct srcline line;
	const struct inline_frame *frames;
	size_t n_frames;
};

struct lane {
	pthread_mutex_t lock;
	Dwarf *dw;
	struct lines *of;
	struct hmap by_unit, by_rva;
	struct hmap paths;	/* name as libdw has it -> full path */
	struct hmap names;	/* of functions, as libdw has it -> demangled */
	struct arena arena;
};

#define MAX_LANES 4
#define LANE_BYTES (4u << 20)	/* a file has one more lane for each; two threads seldom meet in a small one */

struct lines {
	struct dwarf_file file;
	Dwarf_Aranges *aranges;	/* of the first lane's Dwarf; only searched */
	range_vec units;	/* filled when the aranges do not cover an address, under the first lane's lock */
	atomic_bool units_scanned;
	bool no_demangle;
	bool has_zero;		/* code at address 0: in object files; else it is what the linker threw away */
	unsigned n_lanes;
	struct lane lanes[MAX_LANES];
};

static void unit_free(struct unit *u)
{
	for hmap_each(i, &u->by_die) {
		struct func *f = u->by_die.vals[i];

		vec_free(&f->nodes);
		free(f);
	}
	hmap_release(&u->by_die);
	vec_free(&u->funcs);
	free(u);
}

static void lane_release(struct lane *l)
{
	for hmap_each(i, &l->by_unit)
		unit_free(l->by_unit.vals[i]);
	hmap_release(&l->by_unit);
	hmap_release(&l->by_rva);
	hmap_release(&l->paths);
	hmap_release(&l->names);
	arena_release(&l->arena);
	if (l->dw != l->of->file.dw)
		dwarf_end(l->dw);
	pthread_mutex_destroy(&l->lock);
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	vec_free(&l->units);
	for (unsigned i = 0; i < l->n_lanes; i++)
		lane_release(&l->lanes[i]);
	dwarf_file_close(&l->file);
	free(l);
}

static void add_lane(struct lines *l, Dwarf *dw)
{
	struct lane *a = &l->lanes[l->n_lanes++];

	pthread_mutex_init(&a->lock, NULL);
	a->dw = dw;
	a->of = l;
}

/* All at once: a new reader changes the Elf that they have in common. */
static void add_lanes(struct lines *l, struct elf *from)
{
	struct elf_sec *info = elf_find(from, ".debug_info");
	u64 n = info ? info->size / LANE_BYTES : 0;
	Dwarf *dw;

	add_lane(l, l->file.dw);
	while (l->n_lanes < MAX_LANES && l->n_lanes <= n && (dw = dwarf_file_begin(&l->file)))
		add_lane(l, dw);
}

/* From the file that symbols come from; NULL when it has no DWARF. */
static struct lines *lines_open(struct dso *d, struct elf *from)
{
	struct lines *l = xnew(struct lines);

	if (dwarf_file_open(&l->file, d, from)) {
		free(l);
		return NULL;
	}
	add_lanes(l, from);
	if (dwarf_getaranges(l->file.dw, &l->aranges, NULL))
		l->aranges = NULL;
	l->has_zero = from->type == ET_REL;
	l->no_demangle = d->priv->store->opts->no_demangle;
	return l;
}

static struct lines *lines_of(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (atomic_load_explicit(&p->lines_tried, memory_order_acquire))
		return p->lines;
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_load(d);
	pthread_mutex_lock(&p->lock);
	if (!atomic_load_explicit(&p->lines_tried, memory_order_relaxed)) {
		struct elf *e = d->kind == DSO_FILE || d->kind == DSO_KERNEL || d->kind == DSO_MODULE ? dso_debug_locked(d) : NULL;

		if (e)
			p->lines = lines_open(d, e);
		atomic_store_explicit(&p->lines_tried, true, memory_order_release);
	}
	pthread_mutex_unlock(&p->lock);
	return p->lines;
}

static int by_low(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return a->low != b->low ? (a->low < b->low ? -1 : 1) : (a->high > b->high) - (a->high < b->high);
}

/* The innermost range that holds at; ranges may nest. */
static const struct range *find_range(const range_vec *v, u64 at)
{
	size_t lo = 0, hi = v->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v->v[mid].low <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (int back = 0; lo && back < 16; back++)
		if (at < v->v[--lo].high)
			return &v->v[lo];
	return NULL;
}

static void add_ranges(const struct lines *l, range_vec *v, Dwarf_Die *die, Dwarf_Off off)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (high > low && (low || l->has_zero))
			vec_push(v, ((struct range){ low, high, off }));
}

static void scan_units(struct lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	u8 type;

	pthread_mutex_lock(&l->lanes[0].lock);
	if (!atomic_load_explicit(&l->units_scanned, memory_order_relaxed)) {
		while (dwarf_get_units(l->lanes[0].dw, cu, &cu, NULL, &type, &die, NULL) == 0)
			if (type == DW_UT_compile || type == DW_UT_skeleton)
				add_ranges(l, &l->units, &die, dwarf_dieoffset(&die));
		if (l->units.n)
			qsort(l->units.v, l->units.n, sizeof(*l->units.v), by_low);
		atomic_store_explicit(&l->units_scanned, true, memory_order_release);
	}
	pthread_mutex_unlock(&l->lanes[0].lock);
}

/* Where the entry of the unit that holds rva is; for split DWARF the skeleton. aranges: by them alone. */
static bool find_unit(struct lines *l, u64 rva, bool aranges, Dwarf_Off *off)
{
	Dwarf_Arange *ar = aranges && l->aranges ? dwarf_getarange_addr(l->aranges, rva) : NULL;

	if (aranges)
		return ar && dwarf_getarangeinfo(ar, NULL, NULL, off) == 0;
	if (!atomic_load_explicit(&l->units_scanned, memory_order_acquire))
		scan_units(l);
	const struct range *r = find_range(&l->units, rva);

	if (r)
		*off = r->die;
	return r != NULL;
}

static const char *attr_string(struct lane *l, Dwarf_Attribute *attr)
{
	const char *s = dwarf_formstring(attr);

	return s ? s : dwarf_alt_string(l->of->file.alt, attr);
}

/* Full path of a file of the unit; name lives as long as the Dwarf. */
static const char *full_path(struct lane *l, Dwarf_Die *top, const char *name)
{
	Dwarf_Attribute attr;
	const char *dir = NULL;
	char *path;

	if (!name || name[0] == '/')
		return name;
	path = hmap_get(&l->paths, (uintptr_t)name);
	if (path)
		return path;
	if (dwarf_attr_integrate(top, DW_AT_comp_dir, &attr))
		dir = attr_string(l, &attr);
	if (!dir)
		return name;
	char *both = xasprintf("%s/%s", dir, name);

	path = arena_strdup(&l->arena, both);
	free(both);
	hmap_put(&l->paths, (uintptr_t)name, path);
	return path;
}

static struct srcline line_at(struct lane *l, Dwarf_Die *cu, u64 rva)
{
	Dwarf_Line *line = dwarf_getsrc_die(cu, rva);
	struct srcline s = { 0 };
	int nr = 0, column = 0;

	if (!line || dwarf_lineno(line, &nr))
		return s;
	s.file = full_path(l, cu, dwarf_linesrc(line, NULL, NULL));
	dwarf_linecol(line, &column);
	s.line = nr;
	s.column = column;
	return s;
}

/* name lives as long as the Dwarf. */
static const char *plain_name(struct lane *l, const char *name)
{
	const char *known = l->of->no_demangle ? name : hmap_get(&l->names, (uintptr_t)name);

	if (!known) {
		char *plain = demangle(name);

		known = plain ? arena_strdup(&l->arena, plain) : name;
		free(plain);
		hmap_put(&l->names, (uintptr_t)name, (void *)known);
	}
	return known;
}

static const char *die_name(struct lane *l, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) || dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr)) {
		name = attr_string(l, &attr);
		if (name)
			return plain_name(l, name);
	}
	if (!name && dwarf_attr_integrate(die, DW_AT_name, &attr))
		name = attr_string(l, &attr);
	return name ? name : "??";
}

/* Functions anywhere below: namespaces and classes hold some. Nested functions are concrete, too. */
static void index_functions(const struct lines *l, struct unit *u, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		if (u->n_seen++ > MAX_ENTRIES)
			return;
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(l, &u->funcs, &die, dwarf_dieoffset(&die));
			/* fall through */
		case DW_TAG_namespace: case DW_TAG_module: case DW_TAG_class_type: case DW_TAG_structure_type:
		case DW_TAG_lexical_block:
			index_functions(l, u, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static struct unit *unit_of(struct lane *l, Dwarf_Die *cu)
{
	u64 key = (uintptr_t)cu->cu;
	struct unit *u = hmap_get(&l->by_unit, key);

	if (u)
		return u;
	u = xnew(struct unit);
	dwarf_file_full_unit(&l->of->file, cu, &u->top);
	index_functions(l->of, u, &u->top, 0);
	if (u->funcs.n)
		qsort(u->funcs.v, u->funcs.n, sizeof(*u->funcs.v), by_low);
	hmap_put(&l->by_unit, key, u);
	return u;
}

static struct srcline call_site(struct lane *l, Dwarf_Die *top, Dwarf_Die *die)
{
	struct srcline s = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word file = 0, line = 0, column = 0;

	if (dwarf_attr(die, DW_AT_call_line, &attr))
		dwarf_formudata(&attr, &line);
	if (dwarf_attr(die, DW_AT_call_column, &attr))
		dwarf_formudata(&attr, &column);
	if (dwarf_attr(die, DW_AT_call_file, &attr) && dwarf_formudata(&attr, &file) == 0 &&
	    dwarf_getsrcfiles(top, &files, NULL) == 0)
		s.file = full_path(l, top, dwarf_filesrc(files, file, NULL, NULL));
	s.line = line;
	s.column = column;
	return s;
}

static void add_inlines(struct lane *l, struct unit *u, Dwarf_Die *top, Dwarf_Die *parent, int depth, int level,
			struct func *f)
{
	Dwarf_Die die;

	if (level > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (u->n_seen++ > 2 * MAX_ENTRIES)
			return;
		if (tag == DW_TAG_inlined_subroutine) {
			struct node n = { .depth = depth };
			Dwarf_Addr base, low, high;
			ptrdiff_t at = 0;
			bool any = false;

			while ((at = dwarf_ranges(&die, at, &base, &low, &high)) > 0) {
				if (high <= low)
					continue;
				if (!any) {
					n.name = die_name(l, &die);
					n.call = call_site(l, top, &die);
					any = true;
				}
				n.low = low;
				n.high = high;
				vec_push(&f->nodes, n);
			}
			if (any)
				add_inlines(l, u, top, &die, depth + 1, level + 1, f);
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block) {
			add_inlines(l, u, top, &die, depth, level + 1, f);
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static struct func *func_of(struct lane *l, struct unit *u, Dwarf_Die *top, Dwarf_Die *die)
{
	u64 key = (uintptr_t)die->addr;
	struct func *f = hmap_get(&u->by_die, key);

	if (!f) {
		f = xnew(struct func);
		f->name = die_name(l, die);
		add_inlines(l, u, top, die, 0, 0, f);
		hmap_put(&u->by_die, key, f);
	}
	return f;
}

static void fill_inlines(struct lane *l, Dwarf_Die *cu, u64 rva, struct answer *a)
{
	const struct node *path[MAX_DEPTH + 1];
	Dwarf_Die die;
	int n = 0;
	struct unit *u = unit_of(l, cu);
	const struct range *r = find_range(&u->funcs, rva);

	if (!r || !dwarf_offdie(dwarf_cu_getdwarf(u->top.cu), r->die, &die))
		return;
	struct func *f = func_of(l, u, &u->top, &die);

	for (size_t i = 0; i < f->nodes.n; i++) {
		const struct node *x = &f->nodes.v[i];

		if (rva < x->low || rva >= x->high || x->depth > n || x->depth >= MAX_DEPTH)
			continue;
		n = x->depth;		/* a later one at the same place replaces the earlier */
		path[n++] = x;
	}
	if (!n)
		return;
	struct inline_frame *out = arena_alloc(&l->arena, (n + 1) * sizeof(*out));
	struct srcline at = a->line;

	for (int i = 0; i < n; i++) {	/* innermost first */
		out[i] = (struct inline_frame){ path[n - 1 - i]->name, at };
		at = path[n - 1 - i]->call;
	}
	out[n] = (struct inline_frame){ f->name, at };
	a->frames = out;
	a->n_frames = n + 1;
}

/* Under the lane's lock. cu: the unit's entry. */
static struct answer *answer_of(struct lane *l, Dwarf_Die *cu, u64 rva, bool inlines)
{
	struct answer *a = hmap_get(&l->by_rva, rva);

	if (!a) {
		a = arena_alloc(&l->arena, sizeof(*a));
		hmap_put(&l->by_rva, rva, a);
	}
	if (!a->has_line)
		a->line = line_at(l, cu, rva);
	a->has_line = true;
	if (inlines && !a->has_inlines) {
		fill_inlines(l, cu, rva, a);
		a->has_inlines = true;
	}
	return a;
}

static struct answer ask(struct lines *l, u64 rva, bool inlines)
{
	struct answer out = { 0 };
	Dwarf_Off off;
	Dwarf_Die cu;
	bool found = false;

	for (int aranges = 1; aranges >= 0 && !found; aranges--) {
		if (!find_unit(l, rva, aranges, &off))
			continue;
		struct lane *lane = &l->lanes[hash_u64(off) % l->n_lanes];

		pthread_mutex_lock(&lane->lock);
		found = dwarf_offdie(lane->dw, off, &cu) != NULL;
		if (found)
			out = *answer_of(lane, &cu, rva, inlines);
		pthread_mutex_unlock(&lane->lock);
	}
	return out;
}

bool dso_srcline(struct dso *d, u64 rva, struct srcline *out)
{
	struct lines *l = lines_of(d);

	*out = (struct srcline){ 0 };
	if (l)
		*out = ask(l, rva - d->priv->debug_delta, false).line;
	return out->file != NULL;
}

size_t dso_inlines(struct dso *d, u64 rva, const struct inline_frame **out)
{
	struct lines *l = lines_of(d);
	struct answer a = { 0 };

	if (l)
		a = ask(l, rva - d->priv->debug_delta, true);
	*out = a.frames;
	return a.n_frames;
}
