// SPDX-License-Identifier: GPL-2.0-or-later
// The FDEs of .eh_frame and .debug_frame by address. Sections are scanned as a whole once: that
// needs no trust in
// .eh_frame_hdr, and costs some 30 ns an FDE. Source: DWARF 5 section 6.4.1, LSB 10.6.1.
#include "util/dwarf/cfi.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/cfi-priv.h"
#include "util/elf/elf.h"

/* One entry's header: r is left behind it; body covers the rest. */
struct entry {
	size_t off;
	/* position of the id, which CIE pointers of .eh_frame count back from */
	u64 id_pos, id;
	bool is_cie;
	struct rd body;
};

/* false at the end, or on damage. */
static bool next_entry(const struct cfi_sec *s, struct rd *r, struct entry *e)
{
	u64 len;
	bool dwarf64;

	do {
		if (rd_left(r) < 4)
			return false;
		e->off = r->pos;
		len = rd_u32(r);
		dwarf64 = len == 0xffffffff;
		if (dwarf64)
			len = rd_u64(r);
	/* a terminator, which crtend puts; more may follow */
	} while (!len && s->eh && !rd_failed(r));
	if (rd_failed(r) || len > rd_left(r) || len < 4)
		return false;
	e->body = *r;
	e->body.len = r->pos + len;
	rd_skip(r, len);
	e->id_pos = e->body.pos;
	e->id = dwarf64 && !s->eh ? rd_u64(&e->body) : rd_u32(&e->body);
	e->is_cie = s->eh ? e->id == 0 : e->id == (dwarf64 ? UINT64_MAX : 0xffffffffu);
	return !rd_failed(&e->body);
}

static void parse_augmentation(const struct cfi_sec *s, struct rd *r, const char *aug,
			       struct cfi_cie *c)
{
	for (; *aug && !rd_failed(r); aug++) {
		switch (*aug) {
		case 'R': c->fde_encoding = rd_u8(r); break;
		case 'L': rd_u8(r); break;
		case 'P': {
			u8 enc = rd_u8(r);

			cfi_read_pointer(s, r, enc & 0x7f, c->addr_bytes);
			break;
		}
		case 'S': c->signal_frame = true; break;
		case 'B': break;	/* return addresses are signed with key B */
		default: return;	/* the rest is skipped by its size */
		}
	}
}

static int parse_cie(const struct cfi_sec *s, size_t off, struct cfi_cie *c)
{
	struct entry e;
	struct rd all;

	rd_init(&all, s->data.ptr, s->data.len, s->swap);
	rd_seek(&all, off);
	if (!next_entry(s, &all, &e) || e.off != off || !e.is_cie)
		return -EINVAL;
	struct rd *r = &e.body;
	u8 version = rd_u8(r);
	const char *aug = rd_cstr(r);

	*c = (struct cfi_cie){ .addr_bytes = s->is64 ? 8 : 4, .fde_encoding = DW_EH_PE_absptr };
	if (!aug || (version != 1 && version != 3 && version != 4))
		return -EINVAL;
	if (version == 4) {
		c->addr_bytes = rd_u8(r);
		if (rd_u8(r) || (c->addr_bytes != 4 && c->addr_bytes != 8))	/* segments */
			return -EINVAL;
	}
	if (!strcmp(aug, "eh"))
		rd_skip(r, c->addr_bytes);
	c->code_align = rd_uleb(r);
	c->data_align = rd_sleb(r);
	c->ra_reg = version == 1 ? rd_u8(r) : MIN(rd_uleb(r), (u64)255);
	if (aug[0] == 'z') {
		u64 n = rd_uleb(r);
		/* positions stay those of the section, which pointers are relative to */
		struct rd in = *r;

		rd_skip(r, n);
		if (rd_failed(r))
			return -EINVAL;
		in.len = r->pos;
		c->sized_augmentation = true;
		parse_augmentation(s, &in, aug + 1, c);
	} else if (aug[0] && strcmp(aug, "eh")) {
		return -EINVAL;		/* unknown, and of unknown size */
	}
	c->init = *r;
	return rd_failed(r) || !c->code_align ? -EINVAL : 0;
}

static bool cie_offset(const struct cfi_sec *s, const struct entry *e, u64 *off)
{
	if (s->eh && e->id > e->id_pos)
		return false;
	*off = s->eh ? e->id_pos - e->id : e->id;
	return *off < s->data.len;
}

/* Start and length of an FDE; the cursor is left behind them. */
static bool parse_range(const struct cfi_sec *s, const struct cfi_cie *c, struct rd *r, u64 *start,
			u64 *end)
{
	*start = cfi_read_pointer(s, r, c->fde_encoding & 0x7f, c->addr_bytes);
	u64 n = cfi_read_pointer(s, r, c->fde_encoding & 0x0f, c->addr_bytes);

	*end = *start + n;
	return !rd_failed(r) && *end > *start && *start;
}

static int by_start(const void *pa, const void *pb)
{
	const struct cfi_fde *a = pa, *b = pb;

	return a->start_rva != b->start_rva ? (a->start_rva < b->start_rva ? -1 : 1) :
		(a->off > b->off) - (a->off < b->off);
}

static void cfi_sec_index(struct cfi_sec *s)
{
	struct cfi_cie cie;
	u64 cie_off = UINT64_MAX, off;
	bool sorted = true, cie_ok = false;
	struct entry e;
	struct rd r;

	if (s->data.len >> CFI_EXPR_SEC_SHIFT)
		return;
	rd_init(&r, s->data.ptr, s->data.len, s->swap);
	while (next_entry(s, &r, &e)) {
		struct cfi_fde f = { .off = e.off };

		if (e.is_cie || !cie_offset(s, &e, &off))
			continue;
		if (off != cie_off) {
			cie_ok = parse_cie(s, off, &cie) == 0;
			cie_off = off;
		}
		if (!cie_ok || !parse_range(s, &cie, &e.body, &f.start_rva, &f.end_rva))
			continue;
		if (s->n_fdes == s->cap_fdes) {
			s->cap_fdes = s->cap_fdes ? 2 * s->cap_fdes : 128;
			s->fdes = xreallocarray(s->fdes, s->cap_fdes, sizeof(*s->fdes));
		}
		sorted &= !s->n_fdes || s->fdes[s->n_fdes - 1].start_rva <= f.start_rva;
		s->fdes[s->n_fdes++] = f;
	}
	if (!sorted)
		qsort(s->fdes, s->n_fdes, sizeof(*s->fdes), by_start);
}

static void cfi_sec_release(struct cfi_sec *s)
{
	free(s->fdes);
	*s = (struct cfi_sec){ 0 };
}

static const struct cfi_fde *find_fde(const struct cfi_sec *s, u64 rva)
{
	size_t lo = 0, hi = s->n_fdes;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->fdes[mid].start_rva <= rva)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* of overlapping ones (linkers leave stale FDEs of dropped functions) the nearest that
	 * covers it */
	for (int back = 0; lo && back < 4; back++)
		if (rva < s->fdes[--lo].end_rva)
			return &s->fdes[lo];
	return NULL;
}

/* 0, -ENOENT, -EINVAL. sec_nr goes into the expression numbers. */
static int cfi_sec_rule(const struct cfi_sec *s, unsigned sec_nr, u64 rva, struct cfi_rule *out)
{
	const struct cfi_fde *f = find_fde(s, rva);
	struct cfi_cie cie;
	struct entry e;
	struct rd r;
	u64 off, start, end;

	if (!f)
		return -ENOENT;
	rd_init(&r, s->data.ptr, s->data.len, s->swap);
	rd_seek(&r, f->off);
	if (!next_entry(s, &r, &e) || !cie_offset(s, &e, &off) || parse_cie(s, off, &cie) ||
	    !parse_range(s, &cie, &e.body, &start, &end))
		return -EINVAL;
	if (cie.sized_augmentation)
		rd_skip(&e.body, rd_uleb(&e.body));
	if (rd_failed(&e.body))
		return -EINVAL;
	struct cfi_exec x = { .sec = s, .cie = &cie, .sec_nr = sec_nr, .fde_start = start };

	return cfi_run(&x, e.body, end, rva, out);
}

static struct span cfi_sec_expr(const struct cfi_sec *s, u32 off)
{
	struct rd r;

	rd_init(&r, s->data.ptr, s->data.len, s->swap);
	rd_seek(&r, off);
	u64 n = rd_uleb(&r);
	const u8 *p = rd_bytes(&r, n);

	return (struct span){ p, p ? n : 0 };
}

struct cfi_table *cfi_table_new(void)
{
	return xnew(struct cfi_table);
}

void cfi_table_free(struct cfi_table *t)
{
	if (!t)
		return;
	for (int i = 0; i < t->n_secs; i++)
		cfi_sec_release(&t->sec[i]);
	free(t);
}

void cfi_table_add(struct cfi_table *t, struct elf *e, const char *name)
{
	struct elf_sec *s = elf_find(e, name), *text = elf_find(e, ".text"),
		*got = elf_find(e, ".got");
	struct span d = elf_data(e, s);

	if (!d.len || t->n_secs == CFI_MAX_SECS)
		return;
	struct cfi_sec *c = &t->sec[t->n_secs];

	*c = (struct cfi_sec){ .data = d, .rva = s->addr, .eh = !strcmp(name, ".eh_frame"),
			       .is64 = e->is64, .swap = e->swap,
			       .text_rva = text ? text->addr : 0, .got_rva = got ? got->addr : 0 };
	cfi_sec_index(c);
	/* the count is what readers without the lock look at */
	__atomic_store_n(&t->n_secs, t->n_secs + 1, __ATOMIC_RELEASE);
}

unsigned cfi_table_sections(const struct cfi_table *t)
{
	return (unsigned)__atomic_load_n(&t->n_secs, __ATOMIC_ACQUIRE);
}

int cfi_table_rule(const struct cfi_table *t, unsigned from, u64 rva, struct cfi_rule *out)
{
	unsigned n = cfi_table_sections(t);
	int ret = -ENOENT;

	for (unsigned i = from; i < n && ret; i++)
		ret = cfi_sec_rule(&t->sec[i], i, rva, out);
	return ret;
}

bool cfi_table_range(const struct cfi_table *t, u64 rva, u64 *start, u64 *end)
{
	unsigned n = cfi_table_sections(t);

	for (unsigned i = 0; i < n; i++) {
		const struct cfi_fde *f = find_fde(&t->sec[i], rva);

		if (f) {
			*start = f->start_rva;
			*end = f->end_rva;
			return true;
		}
	}
	return false;
}

struct span cfi_table_expr(const struct cfi_table *t, u32 expr)
{
	u32 nr = expr >> CFI_EXPR_SEC_SHIFT;

	if (nr >= cfi_table_sections(t))
		return (struct span){ NULL, 0 };
	return cfi_sec_expr(&t->sec[nr], expr & ((1u << CFI_EXPR_SEC_SHIFT) - 1));
}

int cfi_eval(struct span section, u64 section_rva, bool eh, bool is64, u64 rva,
	     struct cfi_rule *out)
{
	struct cfi_sec s = { .data = section, .rva = section_rva, .eh = eh, .is64 = is64 };

	cfi_sec_index(&s);
	int ret = cfi_sec_rule(&s, 0, rva, out);

	cfi_sec_release(&s);
	return ret;
}
