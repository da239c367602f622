// SPDX-License-Identifier: GPL-2.0-or-later
// The units of .debug_info. Of a file with an index they are known without a look at the file,
// and each is opened when it
// is needed, by a reader of its own (dwarf_file_window()).
#include <string.h>

#include "util/base/log.h"
#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

/* each has a Dwarf of its own; from here on one for all is cheaper */
enum { MAX_WINDOWS = 24 };

static void list_by_libdw(struct probe_obj *p)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	u8 type;
	Dwarf_Die die, full;

	while (!dwarf_get_units(p->debug.dw, cu, &cu, &version, &type, &die, NULL)) {
		struct punit *u;

		if (type == DW_UT_type || type == DW_UT_split_type || dwarf_tag(&die) ==
		    DW_TAG_partial_unit)
			continue;
		u = vec_add(&p->units.all);
		u->open = true;
		u->skeleton = type == DW_UT_skeleton;
		u->split = dwarf_file_full_unit(&p->debug.file, &die, &full);
		u->die = full;
		u->start = dwarf_dieoffset(&die);
		if (p->units.all.n > 1)
			u[-1].end = u->start;
		u->end = UINT64_MAX;
	}
}

static bool has_skeletons(Dwarf *dw)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	u8 type = 0;

	return !dwarf_get_units(dw, cu, &cu, &version, &type, NULL, NULL) && type == DW_UT_skeleton;
}

const struct fnindex *pobj_index(struct probe_obj *p)
{
	struct build_id id = { .n = 0 };

	if (!p->units.index_tried && p->opts->index_dir && !build_id_of_file(p->file, &id, NULL))
		p->units.index = fnindex_open(&p->debug.file, &id, p->opts->index_dir);
	p->units.index_tried = true;
	return p->units.index;
}

static bool list_by_index(struct probe_obj *p)
{
	const struct fnindex *x = pobj_index(p);
	const struct fnunit *table;
	size_t n = x ? fnindex_table(x, &table, &p->units.linked) : 0;

	for (size_t i = 0; i < n; i++)
		if (table[i].start <= table[i].head || (i && table[i].head <= table[i - 1].start))
			return false;
	vec_reserve(&p->units.all, n);
	for (size_t i = 0; i < n; i++) {
		struct punit *u = vec_add(&p->units.all);

		u->head = table[i].head;
		u->start = table[i].start;
		u->end = i + 1 < n ? table[i + 1].start : UINT64_MAX;
	}
	p->units.by_index = n > 0;
	return p->units.by_index;
}

void pobj_list_units(struct probe_obj *p)
{
	if (p->units.listed || !p->debug.dw)
		return;
	p->units.listed = true;
	if (p->is_rel || p->debug.file.shares || has_skeletons(p->debug.dw) || !list_by_index(p))
		list_by_libdw(p);
}

void pobj_units(struct probe_obj *p)
{
	if (p->units.loaded || !p->debug.dw)
		return;
	p->units.loaded = true;
	if (!p->units.listed)
		list_by_libdw(p);
	p->units.listed = true;
	for vec_each(u, &p->units.all)
		if (!u->open)
			u->open = dwarf_offdie(p->debug.dw, u->start, &u->die) != NULL;
}

bool punit_open(struct probe_obj *p, struct punit *u)
{
	if (u->open)
		return true;
	if (!p->units.linked && p->debug.file.windows.n < MAX_WINDOWS)
		u->open = dwarf_file_window(&p->debug.file, u->head, u->start, &u->die);
	if (!u->open)
		u->open = dwarf_offdie(p->debug.dw, u->start, &u->die) != NULL;
	return u->open;
}

bool pobj_die(struct probe_obj *p, u64 off, Dwarf_Die *out)
{
	struct punit *u = p->units.by_index ? pobj_unit_of_offset(p, off) : NULL;

	if (!u || !punit_open(p, u))
		return dwarf_offdie(p->debug.dw, off, out) != NULL;
	return dwarf_offdie(dwarf_cu_getdwarf(u->die.cu), off, out) != NULL;
}

struct punit *pobj_unit_of_offset(struct probe_obj *p, u64 off)
{
	size_t lo = 0, hi = p->units.all.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->units.all.v[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && off < p->units.all.v[lo - 1].end ? &p->units.all.v[lo - 1] : NULL;
}

/* --- by address */

/* One set: the addresses of a unit. */
static bool set_has(struct rd *r, unsigned addr_bytes, u64 addr)
{
	rd_align(r, 2 * addr_bytes);
	while (rd_left(r) >= 2 * addr_bytes) {
		u64 from = addr_bytes == 8 ? rd_u64(r) : rd_u32(r), n = addr_bytes == 8 ?
			rd_u64(r) : rd_u32(r);

		if (addr - from < n)
			return true;
	}
	return false;
}

/* Offset of the header of the unit with the address, by .debug_aranges; -1: it does not tell. */
static s64 unit_by_aranges(const struct dwarf_file *f, u64 addr)
{
	struct span d = dwarf_file_section(f, ".debug_aranges", NULL);
	struct rd r;

	rd_init(&r, d.ptr, d.len, false);
	while (rd_left(&r)) {
		u32 bytes = rd_u32(&r), head;
		struct rd set;
		unsigned addr_bytes;

		rd_seek(&r, r.pos - 4);
		set = rd_sub(&r, bytes + 4ull);	/* that of 64-bit DWARF would be past the end */
		rd_skip(&set, 6);
		head = rd_u32(&set);
		addr_bytes = rd_u8(&set);
		if (rd_u8(&set) || rd_failed(&set) || (addr_bytes != 4 && addr_bytes != 8))
			return -1;
		if (set_has(&set, addr_bytes, addr))
			return head;
	}
	return -1;
}

struct punit *pobj_unit_at(struct probe_obj *p, u64 addr)
{
	Dwarf_Die cu;

	if (!p->debug.dw)
		return NULL;
	pobj_list_units(p);
	if (p->units.by_index) {
		s64 head = unit_by_aranges(&p->debug.file, addr);
		struct punit *u = head < 0 ? NULL : pobj_unit_of_offset(p, (u64)head + 12);

		if (u && u->head == (u64)head && punit_open(p, u))
			return u;
	}
	pobj_units(p);
	if (dwarf_addrdie(p->debug.dw, addr, &cu)) {
		struct punit *u = pobj_unit_of_offset(p, dwarf_dieoffset(&cu));

		if (u)
			return u;
	}
	for vec_each(u, &p->units.all)
		if (u->open && dwarf_haspc(&u->die, addr) > 0)
			return u;
	return NULL;
}

/* --- what a unit tells of itself */

bool punit_is_c(struct punit *u)
{
	switch (dwarf_srclang(&u->die)) {
	case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11: case 0x2c /* C17 */:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* gcc tells its options; where nothing is reported, prologues must be expected. */
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

void unit_scopes(struct punit *u, u64 addr, die_vec *out)
{
	die_scopes_below(&u->die, addr, out);
}
