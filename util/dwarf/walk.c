// SPDX-License-Identifier: GPL-2.0-or-later
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/dwarf/walk-priv.h"

#define MAX_ABBREVS (1u << 20)	/* of one unit */
#define MAX_ATTRS 500		/* of one abbreviation */

/* --- abbreviations */

static enum walk_attr wanted(unsigned name)
{
	switch (name) {
	case DW_AT_low_pc: return W_LOW_PC;
	case DW_AT_high_pc: return W_HIGH_PC;
	case DW_AT_ranges: return W_RANGES;
	case DW_AT_abstract_origin: return W_ORIGIN;
	case DW_AT_call_file: return W_CALL_FILE;
	case DW_AT_call_line: return W_CALL_LINE;
	case DW_AT_call_column: return W_CALL_COLUMN;
	case DW_AT_sibling: return W_SIBLING;
	case DW_AT_specification: return W_SPECIFICATION;
	case DW_AT_name: return W_NAME;
	case DW_AT_linkage_name: return W_LINKAGE;
	case DW_AT_MIPS_linkage_name: return W_MIPS_LINKAGE;
	default: return N_WALK_ATTRS;
	}
}

/* dwarf_getattrcnt() takes constants of implicit_const for attributes. To ask for attribute n
 * takes n steps. */
static bool add_abbrev(struct walk *w, Dwarf_Abbrev *ab)
{
	struct walk_abbrev a = { .code = dwarf_getabbrevcode(ab), .tag = dwarf_getabbrevtag(ab),
				 .first = w->forms.n };
	Dwarf_Sword constant = 0;
	unsigned name, form;

	a.children = dwarf_abbrevhaschildren(ab) > 0;
	for (; dwarf_getabbrevattr_data(ab, a.n, &name, &form, &constant, NULL) == 0; a.n++) {
		int size = form_bytes(&w->unit, form);
		u8 attr = wanted(name);

		if (a.n >= MAX_ATTRS || form > 0xffff)
			return false;
		vec_push(&w->forms, ((struct walk_form){ (u16)form, attr, constant }));
		a.fixed = a.fixed < 0 || size < 0 ? -1 : a.fixed + size;
	}
	vec_push(&w->abbrevs, a);
	return true;
}

static int by_code(const void *pa, const void *pb)
{
	const struct walk_abbrev *a = pa, *b = pb;

	return a->code != b->code ? (a->code < b->code ? -1 : 1) : (a->first > b->first) -
		(a->first < b->first);
}

static bool read_abbrevs(struct walk *w, Dwarf_Die *top)
{
	bool in_order = true;
	Dwarf_Off off = 0;
	size_t len = 0;

	for (u32 n = 0; n < MAX_ABBREVS; n++, off += len) {
		Dwarf_Abbrev *ab = dwarf_getabbrev(top, off, &len);

		if (!ab || ab == (Dwarf_Abbrev *)-1 || !len)
			break;
		if (!add_abbrev(w, ab))
			return false;
		in_order &= w->abbrevs.n < 2 || w->abbrevs.v[w->abbrevs.n - 2].code <
			vec_last(&w->abbrevs)->code;
	}
	if (!in_order)
		qsort(w->abbrevs.v, w->abbrevs.n, sizeof(*w->abbrevs.v), by_code);
	return w->abbrevs.n > 0;
}

static inline const struct walk_abbrev *find_abbrev(const struct walk *w, u64 code)
{
	size_t lo = 0, hi = w->abbrevs.n;

	/* as all compilers number them */
	if (code - 1 < hi && w->abbrevs.v[code - 1].code == code)
		return &w->abbrevs.v[code - 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->abbrevs.v[mid].code < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < w->abbrevs.n && w->abbrevs.v[lo].code == code ? &w->abbrevs.v[lo] : NULL;
}

/* --- the unit */

/* The section of that name; where at is not NULL, one that it lies in. */
static struct span section(Elf *elf, const char *want, const void *at)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = dwarf_section_named(elf, want, scn, &sh))) {
		for (int raw = 0; raw < 2 && sh.sh_type != SHT_NOBITS; raw++) {
			Elf_Data *d = raw ? elf_rawdata(scn, NULL) : elf_getdata(scn, NULL);
			const u8 *p = d ? d->d_buf : NULL;

			if (p && (!at || ((const u8 *)at >= p && (const u8 *)at < p + d->d_size)))
				return (struct span){ p, d->d_size };
		}
	}
	return (struct span){ 0 };
}

static struct span strings(Elf *elf, const char *name)
{
	struct span s = section(elf, name, NULL);

	while (s.len && s.ptr[s.len - 1])
		s.len--;
	return s;
}

/* Of a unit that is not split: what its forms refer to is in the same file, and its range lists
 * have its own base. */
static void open_sections(struct walk *w, Elf *elf, Dwarf_Die *top)
{
	struct walk_entry e;
	Dwarf_Attribute attr;

	if (!walk_read_all(w, w->top, &e))
		return;
	w->strings.str = strings(elf, ".debug_str");
	w->strings.line_str = strings(elf, ".debug_line_str");
	w->has_base = walk_address(w, walk_get(&e, W_LOW_PC), &w->base) ||
		      (!walk_get(&e, W_LOW_PC) && !dwarf_attr(top, DW_AT_entry_pc, &attr));
	w->ranges = section(elf, ".debug_ranges", NULL);
	w->rnglists = section(elf, ".debug_rnglists", NULL);
}

static bool open_bytes(struct walk *w, Elf *elf, Dwarf_Die *top)
{
	struct span info = section(elf, ".debug_info", w->top);
	Dwarf_Off off = dwarf_cuoffset(top);
	u64 head = w->unit.off_bytes == 8 ? 12 : 4;

	if (!info.len)
		info = section(elf, ".debug_info.dwo", w->top);
	if (off > (u64)(w->top - info.ptr) || !info.len || off < head)
		return false;
	w->start = w->top - off;
	u64 left = (u64)(info.ptr + info.len - w->start),
		len = form_word(&w->unit, w->start + head - w->unit.off_bytes, w->unit.off_bytes);

	w->end = w->start + (len < left - head ? len + head : left);
	return w->top < w->end;
}

bool walk_open(struct walk *w, const Dwarf_Die *top)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(top->cu));
	Dwarf_Die die = *top;
	GElf_Ehdr ehdr;
	u8 type;

	*w = (struct walk){ .cu = top->cu, .top = top->addr };
	if (!elf || !gelf_getehdr(elf, &ehdr) ||
	    dwarf_cu_info(top->cu, &w->unit.version, &type, NULL, NULL, NULL, &w->unit.addr_bytes,
			  &w->unit.off_bytes) ||
	    w->unit.addr_bytes > 8 || (w->unit.off_bytes != 4 && w->unit.off_bytes != 8))
		return false;
	w->unit.swap = (ehdr.e_ident[EI_DATA] == ELFDATA2MSB) ==
		(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	if (!open_bytes(w, elf, &die) || !read_abbrevs(w, &die))
		return false;
	if (type == DW_UT_compile)
		open_sections(w, elf, &die);
	return true;
}

void walk_release(struct walk *w)
{
	vec_free(&w->abbrevs);
	vec_free(&w->forms);
}

/* --- entries */

static bool read_attrs(const struct walk *w, const struct walk_abbrev *a, struct walk_entry *e)
{
	const u8 *p = e->next;

	for (const struct walk_form *f = &w->forms.v[a->first], *end = f + a->n; f < end; f++) {
		u64 form = f->form;

		while (form == DW_FORM_indirect && p)
			p = form_uleb(p, w->end, &form);
		if (!p || form > 0xffff)
			return false;
		if (f->attr < N_WALK_ATTRS) {
			e->v[f->attr] = (struct walk_value){ (u16)form, p, f->constant };
			e->has |= 1u << f->attr;
		}
		p = form_pass(&w->unit, form_bytes(&w->unit, (unsigned)form), p, w->end);
		if (!p)
			return false;
	}
	e->next = p;
	return true;
}

static bool has_code(u16 tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static inline bool read_entry(const struct walk *w, const u8 *at, struct walk_entry *e, bool all)
{
	const struct walk_abbrev *a;
	u64 code;

	e->at = at;
	e->next = at < w->end ? form_uleb(at, w->end, &code) : NULL;
	if (!e->next)
		return false;
	e->tag = 0;
	e->has = 0;
	e->children = false;
	if (!code)
		return true;
	a = find_abbrev(w, code);
	if (!a)
		return false;
	e->tag = a->tag;
	e->children = a->children;
	if (all || a->fixed < 0 || a->children || has_code(a->tag))
		return read_attrs(w, a, e);
	if (a->fixed > w->end - e->next)
		return false;
	e->next += a->fixed;
	return true;
}

bool walk_read(const struct walk *w, const u8 *at, struct walk_entry *e)
{
	return read_entry(w, at, e, false);
}

bool walk_read_all(const struct walk *w, const u8 *at, struct walk_entry *e)
{
	return read_entry(w, at, e, true);
}

/* Where the entry's own attribute says that it ends; NULL: it does not say. */
static const u8 *sibling(const struct walk *w, const struct walk_entry *e)
{
	bool unit;
	u64 off;

	if (!walk_reference(w, walk_get(e, W_SIBLING), &off, &unit) || !unit ||
	    off >= (u64)(w->end - w->start))
		return NULL;
	return w->start + off > e->next ? w->start + off : NULL;
}

const u8 *walk_skip(const struct walk *w, const struct walk_entry *e)
{
	const u8 *next = e->children ? sibling(w, e) : e->next, *end;
	struct walk_entry below;

	if (next)
		return next;
	next = e->next;
	for (u64 depth = 1; depth;) {
		if (!walk_read(w, next, &below))
			return w->end;
		end = below.children ? sibling(w, &below) : below.next;
		next = end ? end : below.next;
		depth += !end;
		depth -= !below.tag;
	}
	return next;
}

bool walk_number(const struct walk *w, const struct walk_value *v, u64 *out)
{
	if (!v)
		return false;
	switch (v->form) {
	case DW_FORM_implicit_const:
		*out = (u64)v->constant;
		return true;
	case DW_FORM_udata: case DW_FORM_data1: case DW_FORM_data2: case DW_FORM_data4:
	case DW_FORM_data8:
		return form_number(&w->unit, v->form, v->at, w->end, out);
	default:
		return false;
	}
}

bool walk_address(const struct walk *w, const struct walk_value *v, u64 *out)
{
	return v && v->form == DW_FORM_addr && form_number(&w->unit, v->form, v->at, w->end, out);
}

bool walk_reference(const struct walk *w, const struct walk_value *v, u64 *off, bool *unit)
{
	*unit = true;
	if (!v)
		return false;
	switch (v->form) {
	case DW_FORM_ref_addr:
		*unit = false;
		return form_number(&w->unit, v->form, v->at, w->end, off);
	case DW_FORM_ref1: case DW_FORM_ref2: case DW_FORM_ref4: case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return form_number(&w->unit, v->form, v->at, w->end, off);
	default:
		return false;
	}
}

bool walk_string(const struct walk *w, const struct walk_value *v, const char **out)
{
	*out = v ? form_string(&w->unit, &w->strings, v->form, v->at, w->end) : NULL;
	return *out != NULL;
}

/* --- range lists */

static void add_range(walk_ranges *out, u64 low, u64 high)
{
	if (high > low)
		vec_push(out, ((struct walk_range){ low, high }));
}

static u64 rd_address(struct rd *r, const struct walk *w)
{
	return w->unit.addr_bytes == 8 ? rd_u64(r) : rd_u32(r);
}

/* Up to version 4: pairs. */
static bool read_pairs(const struct walk *w, struct rd *r, walk_ranges *out)
{
	u64 base = w->base, none = w->unit.addr_bytes == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		u64 low = rd_address(r, w), high = rd_address(r, w);

		if (rd_failed(r))
			return false;
		if (low == none)
			base = high;
		else if (!low && !high)
			return true;
		else
			add_range(out, base + low, base + high);
	}
}

static bool read_list(const struct walk *w, struct rd *r, walk_ranges *out)
{
	u64 base = w->base, low, n;

	for (;;) {
		u8 kind = rd_u8(r);

		if (rd_failed(r))
			return false;
		switch (kind) {
		case DW_RLE_end_of_list:
			return true;
		case DW_RLE_base_address:
			base = rd_address(r, w);
			break;
		case DW_RLE_offset_pair:
			low = rd_uleb(r);
			n = rd_uleb(r);
			add_range(out, base + low, base + n);
			break;
		case DW_RLE_start_end:
			low = rd_address(r, w);
			add_range(out, low, rd_address(r, w));
			break;
		case DW_RLE_start_length:
			low = rd_address(r, w);
			add_range(out, low, low + rd_uleb(r));
			break;
		default:		/* by .debug_addr */
			return false;
		}
	}
}

bool walk_range_list(const struct walk *w, const struct walk_value *v, walk_ranges *out)
{
	const struct span *s = w->unit.version >= 5 ? &w->rnglists : &w->ranges;
	size_t n = out->n;
	struct rd r;
	u64 off;

	if (!v || !w->has_base || (w->unit.addr_bytes != 8 && w->unit.addr_bytes != 4) ||
	    (v->form != DW_FORM_sec_offset && v->form != DW_FORM_data4 && v->form != DW_FORM_data8))
		return false;
	rd_init(&r, s->ptr, s->len, w->unit.swap);
	if (!form_number(&w->unit, v->form, v->at, w->end, &off))
		return false;
	rd_seek(&r, off);
	if (w->unit.version >= 5 ? read_list(w, &r, out) : read_pairs(w, &r, out))
		return true;
	out->n = n;
	return false;
}
