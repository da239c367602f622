// SPDX-License-Identifier: GPL-2.0-or-later
// What the readers of a file have in common: its units' ranges, and the strings that answers are
// made of.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/dwarf/lines-priv.h"
#include "util/elf/demangle.h"

static int by_low(const void *pa, const void *pb)
{
	const struct line_range *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high != b->high ? (a->high < b->high ? -1 : 1) :
		(a->what > b->what) - (a->what < b->what);
}

void lines_sort(line_ranges *v)
{
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_low);
}

const struct line_range *lines_find(const line_ranges *v, u64 at)
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

bool lines_has_code_at(const struct lines *l, u64 rva)
{
	return rva || l->has_zero;
}

struct dwarf_file *lines_file(struct lines *l)
{
	return &l->file;
}

const char *lines_string(struct line_reader *l, Dwarf_Attribute *attr)
{
	const char *s = dwarf_formstring(attr);

	return s ? s : dwarf_alt_string(l->of->file.alt, attr);
}

const char *lines_dir(struct line_reader *l, Dwarf_Die *top)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(top, DW_AT_comp_dir, &attr) ? lines_string(l, &attr) : NULL;
}

const char *lines_path(struct line_unit *u, const char *dir, const char *name)
{
	struct lines *l = u->reader->of;
	char *path;

	if (!name || name[0] == '/' || !dir)
		return name;
	pthread_mutex_lock(&l->lock);
	path = hmap_get(&u->paths, (uintptr_t)name);
	if (!path) {
		char *both = xasprintf("%s/%s", dir, name);

		path = arena_strdup(&l->arena, both);
		free(both);
		hmap_put(&u->paths, (uintptr_t)name, path);
	}
	pthread_mutex_unlock(&l->lock);
	return path;
}

const char *lines_kept(struct lines *l, const char *text)
{
	const char *kept;

	pthread_mutex_lock(&l->lock);
	kept = arena_strdup(&l->arena, text);
	pthread_mutex_unlock(&l->lock);
	return kept;
}

bool lines_no_demangle(const struct lines *l)
{
	return l->no_demangle;
}

/* name lives as long as the Dwarf. */
const char *lines_demangled(struct lines *l, const char *name)
{
	const char *known;
	char *plain;

	if (l->no_demangle)
		return name;
	pthread_mutex_lock(&l->lock);
	known = hmap_get(&l->names, (uintptr_t)name);
	pthread_mutex_unlock(&l->lock);
	if (known)
		return known;
	plain = demangle(name);
	pthread_mutex_lock(&l->lock);
	known = hmap_get(&l->names, (uintptr_t)name);
	if (!known) {
		known = plain ? arena_strdup(&l->arena, plain) : name;
		hmap_put(&l->names, (uintptr_t)name, (void *)known);
	}
	pthread_mutex_unlock(&l->lock);
	free(plain);
	return known;
}
