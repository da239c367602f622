// SPDX-License-Identifier: GPL-2.0-or-later
// Which units of DWARF matter. A name stands once in .debug_str; a unit that mentions it holds
// that offset as four bytes (or, with
// string indexes, its table of offsets does). So one search of raw bytes tells the candidates,
// and only these are decoded: on
// 160 MB of .debug_info that is 20 times faster than walking all entries. False candidates cost
// time only.
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

/* Offsets of n bytes in a string section: of a name, and tails of longer strings, where linkers
 * may have put it, too. */
static void find_name(const struct span *d, const char *name, size_t n, u32_vec *out)
{
	const u8 *base = d->ptr, *p = base, *end = base + d->len, *at;

	while ((size_t)(end - p) >= n && (at = memmem(p, end - p, name, n))) {
		vec_push(out, (u32)(at - base));
		p = at + 1;
	}
}

char *pobj_missing_part(struct probe_obj *p)
{
	struct span alt = p->is_rel ? elf_data(&p->elf, elf_find(&p->elf, ".gnu_debugaltlink")) :
			  dwarf_file_section(&p->debug.file, ".gnu_debugaltlink", NULL);

	if (!p->debug.dw)
		return NULL;
	if (alt.len && !dwarf_getalt(p->debug.dw))
		return xstrndup((const char *)alt.ptr, alt.len);
	pobj_list_units(p);
	if (p->units.by_index)		/* such a file has no parts */
		return NULL;
	for vec_each(u, &p->units.all) {
		char *path = !u->split && u->skeleton ?
			dwarf_file_split_path(&p->debug.file, &u->die) : NULL;

		if (path)
			return path;
	}
	return NULL;
}

/* A declaration of C is completed by an entry without a name of its own, that refers to it first
 * of all. */
static bool completed(struct probe_obj *p, struct punit *u, const struct span *info,
		      Dwarf_Die *decl)
{
	u32 rel = dwarf_cuoffset(decl);
	const u8 *base = info->ptr, *at = base + dwarf_dieoffset(decl),
		 *end = u->end < info->len ? base + u->end : base + info->len;
	Dwarf_Attribute a;
	Dwarf_Die d;

	for (; (at = memmem(at, end - at, &rel, sizeof(rel))); at++)
		for (u64 back = 1; back <= 3; back++)
			if (dwarf_offdie(p->debug.dw, at - base - back, &d) &&
			    dwarf_attr(&d, DW_AT_specification, &a) && a.valp == at)
				return true;
	return false;
}

/* The entry whose name stands at "hit" is one or two bytes before it, mostly: tells whether it
 * is of the kind that is wanted. Anything that is not clear counts as wanted. */
static bool hit_matters(struct probe_obj *p, struct punit *u, u64 hit, const char *name,
			enum find_kind kind, const struct span *info)
{
	bool other = false;	/* the bytes can be read as entries of another kind only */

	for (u64 back = 1; back <= 3 && back <= hit; back++) {
		Dwarf_Die d;
		Dwarf_Attribute a;
		const char *n;
		int tag;

		if (hit - back < u->start || !dwarf_offdie(p->debug.dw, hit - back, &d) ||
		    !dwarf_attr(&d, DW_AT_name, &a))
			continue;
		if ((const u8 *)a.valp - (const u8 *)d.addr != (ptrdiff_t)back)
			continue;
		n = dwarf_formstring(&a);
		if (!n || strcmp(n, name))
			continue;
		tag = dwarf_tag(&d);
		other = true;
		if (kind == FIND_TYPE) {
			if (type_is_struct(&d) && !dwarf_hasattr(&d, DW_AT_declaration))
				return true;
		} else if (tag == (kind == FIND_FUNC ? DW_TAG_subprogram : DW_TAG_variable) &&
			   (!dwarf_hasattr(&d, DW_AT_declaration) || !punit_open(p, u) ||
			    !punit_is_c(u) || completed(p, u, info, &d))) {
			return true;
		}
	}
	return !other;
}

/* Marks units that hold the bytes; jumps to the end of a unit once it is marked. */
static void mark_bytes(struct probe_obj *p, const struct span *info, struct span bytes,
		       const char *name, enum find_kind kind, u8 *marks)
{
	const u8 *base = info->ptr, *end = base + info->len, *at = base;

	while ((at = memmem(at, end - at, bytes.ptr, bytes.len))) {
		struct punit *u = pobj_unit_of_offset(p, at - base);

		if (!u || marks[u - p->units.all.v]) {
			if (u && u->end >= info->len)
				break;
			at = u ? base + u->end : at + 1;
		} else {
			marks[u - p->units.all.v] = hit_matters(p, u, at - base, name, kind, info);
			at++;
		}
	}
}

static bool has_offset(const u32_vec *offs, u32 v)
{
	for vec_each(o, offs)
		if (*o == v)
			return true;
	return false;
}

/* The same for many offsets at once. Each place is looked up by its lower 16 bits in a table
 * that stays in the nearest cache. */
static void mark_offsets(struct probe_obj *p, const struct span *info, const u32_vec *offs,
			 const char *name,
			 enum find_kind kind, u8 *marks)
{
	const u8 *base = info->ptr;
	u64 *low = xcalloc(1024, sizeof(*low));

	for vec_each(o, offs)
		low[(*o & 0xffff) >> 6] |= 1ull << (*o & 63);
	for (size_t i = 0; i + 4 <= info->len; i++) {
		struct punit *u;
		u16 lo;
		u32 v;

		memcpy(&lo, base + i, 2);
		if (!(low[lo >> 6] >> (lo & 63) & 1))
			continue;
		memcpy(&v, base + i, 4);
		if (!has_offset(offs, v))
			continue;
		u = pobj_unit_of_offset(p, i);
		if (u && !marks[u - p->units.all.v])
			marks[u - p->units.all.v] = hit_matters(p, u, i, name, kind, info);
	}
	free(low);
}

static bool by_index(struct probe_obj *p, const char *name, u8 *marks)
{
	const struct fnindex *x = p->units.by_index ? pobj_index(p) : NULL;
	fnindex_numbers units = { 0 };
	bool ok = x && fnindex_units(x, name, &units);

	for vec_each(u, &units)
		if (ok && *u < p->units.all.n)
			marks[*u] = 1;
	if (ok)
		log_printf(LOG_PROBE, 1, "'%s' is in %zu of %zu units, says the index", name,
			   units.n, p->units.all.n);
	vec_free(&units);
	return ok;
}

static struct span bytes_of(const void *p, size_t n)
{
	return (struct span){ p, n };
}

u8 *pobj_candidates(struct probe_obj *p, const char *name, enum find_kind kind)
{
	const struct span info = dwarf_file_section(&p->debug.file, ".debug_info", NULL);
	const struct span str = dwarf_file_section(&p->debug.file, ".debug_str", NULL);
	/* units whose strings are reached by indexes cannot be compared by their bytes */
	const bool indexed = dwarf_file_section(&p->debug.file, ".debug_str_offsets", NULL).ptr !=
		NULL;
	char *instance = NULL;
	u8 *marks;
	u32_vec offs = { 0 };
	size_t n = 0;

	pobj_list_units(p);
	marks = xzalloc(p->units.all.n + 1);
	if (kind == FIND_FUNC && name && name[0] && by_index(p, name, marks))
		return marks;
	if (!name || !name[0] || !info.ptr || !str.ptr || indexed || p->is_rel ||
	    dwarf_getalt(p->debug.dw) || p->units.all.n < 16) {
		memset(marks, 1, p->units.all.n);
		return marks;
	}
	find_name(&str, name, strlen(name) + 1, &offs);
	if (kind == FIND_FUNC) {
		instance = xasprintf("%s<", name);	/* of a template */
		find_name(&str, instance, strlen(instance), &offs);
	}
	if (offs.n == 1)
		mark_bytes(p, &info, bytes_of(offs.v, sizeof(*offs.v)), name, kind, marks);
	else if (offs.n)
		mark_offsets(p, &info, &offs, name, kind, marks);
	/* short names stand in the entry itself; Go has all of them there */
	if (strlen(name) < 4 || info.len < 32 << 20)
		mark_bytes(p, &info, bytes_of(name, strlen(name) + 1), name, kind, marks);
	if (instance && info.len < 32 << 20)
		mark_bytes(p, &info, bytes_of(instance, strlen(instance)), name, kind, marks);
	for (size_t i = 0; i < p->units.all.n; i++) {
		if (p->units.all.v[i].split)
			marks[i] = 1;
		n += marks[i];
	}
	free(instance);
	vec_free(&offs);
	log_printf(LOG_PROBE, 1, "'%s' may be in %zu of %zu units", name, n, p->units.all.n);
	return marks;
}

/* Only declared here: the definition of the same name elsewhere. */
bool type_complete(struct probe_obj *p, Dwarf_Die *t)
{
	const char *name = dwarf_diename(t);
	int tag = dwarf_tag(t);
	u8 *marks;
	bool found = false;

	if (!dwarf_hasattr(t, DW_AT_declaration) || !name)
		return true;
	marks = pobj_candidates(p, name, FIND_TYPE);
	for (size_t i = 0; i < p->units.all.n && !found; i++) {
		Dwarf_Die d;

		if (!marks[i] || !punit_open(p, &p->units.all.v[i]) ||
		    dwarf_child(&p->units.all.v[i].die, &d))
			continue;
		do {
			const char *n = dwarf_tag(&d) == tag ? dwarf_diename(&d) : NULL;

			if (n && !strcmp(n, name) && !dwarf_hasattr(&d, DW_AT_declaration)) {
				*t = d;
				found = true;
				break;
			}
		} while (!dwarf_siblingof(&d, &d));
	}
	free(marks);
	return found;
}
