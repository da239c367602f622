// SPDX-License-Identifier: GPL-2.0-or-later
// The pass over .debug_info. Abbreviations are translated once per unit into steps ("7 bytes",
// "a LEB128", "the name") and most
// into a plain number of bytes; an entry whose children cannot matter is left by its
// DW_AT_sibling. Units are read in blocks
// of half a megabyte into a buffer that stays in the cache: mapping 160 MB costs more than
// copying them.
#include "util/dwarf/fnscan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/io.h"
#include "util/base/pool.h"
#include "util/dwarf/form-priv.h"

enum { BLOCK_BYTES = 512 << 10, MAX_WORKERS = 8, MAX_ABBREVS = 1 << 16, KNOWN = 1 << 14 };

/* SKIP: nothing of interest; NAME: with "link" a linkage name */
enum what { SKIP, SIBLING, SPEC, LANG, STR_BASE, NAME };

/* bytes: as form_bytes() has them; of SKIP, of several values */
struct step { u8 what; bool link; u16 form; s16 bytes; };
struct abbrev {
	u8 kind;		/* enum kind */
	bool children, decl, fixed;
	u16 sib_at;		/* where the sibling's offset stands + 1, when fixed */
	u32 bytes;		/* when fixed */
	u32 first, n;		/* steps */
	u16 lang;		/* when the abbreviation holds it */
};
enum kind { PLAIN, SCOPE, FUNCTION, UNIT, PARTIAL };

struct decl { u32 die; const char *name, *link; };
struct entry { const char *name, *link; u32 sibling, spec; u64 lang; };

struct unit_block { size_t first, n; VEC(u64) uses; bool bad, linked; };

struct info_unit { u32 head, bytes, abbrev_off; u8 header_bytes, version, addr_bytes; };

/* Hashes of a name in .debug_str that was met already: headers bring the same ones to each unit. */
/* off: + 1; bare: without arguments of a template, 0: there are none */
struct known { u32 off, hash, bare; };

/* What one worker has. */
struct reader {
	const struct fnscan_src *src;
	u8 *buf;
	u64 buf_bytes;
	VEC(struct abbrev) table;
	VEC(struct step) steps;
	bool have_table, table_linked;
	u32 table_off;
	struct form_unit unit;		/* that the table is for */
	struct form_strings strings;
	VEC(struct decl) decls;
	VEC(u32) completed;
	bool c;
	struct known *known;		/* KNOWN of them, by their offsets */
};

struct scan {
	const struct fnscan_src *src;
	VEC(struct info_unit) units;
	VEC(struct unit_block) blocks;
	struct reader *readers;
};

u32 fnscan_hash(const char *name) { return (u32)hash_str(name); }

/* --- abbreviations */

static inline u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, 4);
	return v;
}

static int bytes_of(const struct reader *r, unsigned form)
{
	return form_is_elsewhere(form) ? FORM_UNKNOWN : form_bytes(&r->unit, form);
}

static bool is_name(unsigned form)
{
	return form == DW_FORM_strp || form == DW_FORM_string || form == DW_FORM_strx ||
		form == DW_FORM_strx1 ||
	       form == DW_FORM_strx2 || form == DW_FORM_strx3 || form == DW_FORM_strx4;
}

/* The step for an attribute that matters; SKIP: it does not; false: it cannot be read. */
static bool special_step(const struct abbrev *a, unsigned at, unsigned form, enum what *what,
			 bool *link)
{
	bool named = a->kind == FUNCTION && (at == DW_AT_name || at == DW_AT_linkage_name ||
					     at == DW_AT_MIPS_linkage_name);

	*what = named ? NAME : SKIP;
	*link = at != DW_AT_name;
	if (named)
		return is_name(form);
	if (at == DW_AT_sibling && form == DW_FORM_ref4)
		*what = SIBLING;
	else if (a->kind == FUNCTION && at == DW_AT_specification) {
		*what = SPEC;
		return form == DW_FORM_ref4;
	} else if (a->kind == UNIT && at == DW_AT_language) {
		*what = LANG;
		return form == DW_FORM_data1 || form == DW_FORM_data2 ||
			form == DW_FORM_implicit_const;
	} else if (a->kind == UNIT && at == DW_AT_str_offsets_base) {
		*what = STR_BASE;
		return form == DW_FORM_sec_offset;
	} else if (a->kind == UNIT && (at == DW_AT_dwo_name || at == DW_AT_GNU_dwo_name)) {
		return false;
	}
	return true;
}

static bool add_attr(struct reader *r, struct abbrev *a, unsigned at, unsigned form)
{
	int bytes = bytes_of(r, form);
	enum what what;
	struct step *last = a->n ? vec_last(&r->steps) : NULL;
	bool link;

	if (bytes == FORM_UNKNOWN || !special_step(a, at, form, &what, &link))
		return false;
	a->decl = a->decl || at == DW_AT_declaration;
	r->table_linked = r->table_linked || form == DW_FORM_ref_addr;
	if (what == SIBLING && a->fixed)
		a->sib_at = (u16)(a->bytes + 1);
	a->fixed = a->fixed && bytes >= 0 && a->bytes < 1000 && (what == SKIP || what == SIBLING);
	a->bytes += bytes > 0 ? (u32)bytes : 0;
	if (form == DW_FORM_implicit_const && what != SKIP)
		return true;
	if (what == SKIP && bytes >= 0 && last && last->what == SKIP && last->bytes >= 0 &&
	    last->bytes < 1000) {
		last->bytes = (s16)(last->bytes + bytes);
		return true;
	}
	vec_push(&r->steps, ((struct step){ (u8)what, link, (u16)form, (s16)bytes }));
	a->n++;
	return true;
}

static enum kind kind_of(u64 tag)
{
	switch (tag) {
	case DW_TAG_subprogram: return FUNCTION;
	case DW_TAG_namespace: case DW_TAG_class_type: case DW_TAG_structure_type:
	case DW_TAG_union_type: case DW_TAG_module:
	case DW_TAG_interface_type: return SCOPE;
	case DW_TAG_compile_unit: return UNIT;
	case DW_TAG_partial_unit: return PARTIAL;
	default: return PLAIN;
	}
}

/* Most are of no interest and of fixed size: these take a short way. False: nothing is done. */
static bool plain_abbrev(struct reader *r, struct abbrev *a, const u8 **p, const u8 *end)
{
	const u8 *q = *p;
	u32 bytes = 0;
	u16 sib_at = 0;

	while (end - q >= 3 && bytes < 1000) {
		/* 128 and more, and those of vendors, have two bytes */
		bool wide = q[0] & 128;
		unsigned at = wide ? 0 : q[0], form = q[wide ? 2 : 1];
		int n;

		if ((wide && (q[1] & 128)) || (form & 128) || form == DW_FORM_ref_addr)
			return false;
		q += wide ? 3 : 2;
		if (!at && !form && !wide) {
			*p = q;
			a->bytes = bytes;
			a->sib_at = sib_at;
			return true;
		}
		n = bytes_of(r, form);
		if (n < 0)
			return false;
		if (form == DW_FORM_implicit_const)
			while (q < end && *q++ & 128)
				;
		if (at == DW_AT_sibling && form == DW_FORM_ref4)
			sib_at = (u16)(bytes + 1);
		bytes += (u32)n;
	}
	return false;
}

static bool one_abbrev(struct reader *r, const u8 **p, const u8 *end)
{
	struct abbrev *a = vec_add(&r->table);
	u64 tag, at, form;

	*p = form_uleb(*p, end, &tag);
	if (!*p || *p == end)
		return false;
	a->kind = (u8)kind_of(tag);
	a->children = *(*p)++ != 0;
	a->fixed = a->kind != UNIT;
	a->first = (u32)r->steps.n;
	if (a->kind == PLAIN && plain_abbrev(r, a, p, end))
		return true;
	for (;;) {
		u64 v = 0;

		*p = form_uleb(*p, end, &at);
		*p = *p ? form_uleb(*p, end, &form) : NULL;
		if (*p && form == DW_FORM_implicit_const)
			*p = form_uleb(*p, end, &v);
		if (!*p)
			return false;
		if (!at && !form)
			return true;
		if (at > 0xffff || form > 0xffff || !add_attr(r, a, (unsigned)at, (unsigned)form))
			return false;
		if (a->kind == UNIT && at == DW_AT_language && form == DW_FORM_implicit_const)
			a->lang = (u16)v;
	}
}

static bool read_abbrevs(struct reader *r, const struct info_unit *u)
{
	const u8 *p = r->src->abbrevs, *end = p + r->src->abbrev_bytes;
	u64 code;

	if (r->have_table && r->table_off == u->abbrev_off && r->unit.version == u->version &&
	    r->unit.addr_bytes == u->addr_bytes)
		return true;
	r->have_table = r->table_linked = false;
	r->table_off = u->abbrev_off;
	r->unit = (struct form_unit){ .version = u->version, .addr_bytes = u->addr_bytes,
				      .off_bytes = 4 };
	vec_clear(&r->table);
	vec_clear(&r->steps);
	if (u->abbrev_off >= r->src->abbrev_bytes)
		return false;
	for (p += u->abbrev_off;;) {
		p = form_uleb(p, end, &code);
		if (!p)
			return false;
		if (!code)
			break;
		/* all producers count from 1 */
		if (code != r->table.n + 1 || code > MAX_ABBREVS || !one_abbrev(r, &p, end))
			return false;
	}
	r->have_table = true;
	return true;
}

/* --- entries */

/* A step that holds something, which lies within the unit. False: it leads nowhere. */
static bool read_step(struct reader *r, const struct step *s, const u8 *at, const u8 *end,
		      struct entry *e)
{
	u64 v = 0;

	if (s->what == NAME) {
		const char *str = form_string(&r->unit, &r->strings, s->form, at, end);

		*(s->link ? &e->link : &e->name) = str;
		return str != NULL;
	}
	form_number(&r->unit, s->form, at, end, &v);
	switch (s->what) {
	case SIBLING: e->sibling = (u32)v; break;
	case SPEC: e->spec = (u32)v; break;
	case LANG: e->lang = v; break;
	default: r->strings.base = v; break;
	}
	return true;
}

static bool read_entry(struct reader *r, const struct abbrev *a, const u8 **at, const u8 *end,
		       struct entry *e)
{
	const struct step *s = r->steps.v + a->first;

	for (u32 i = 0; i < a->n; i++, s++) {
		const u8 *next = form_pass(&r->unit, s->bytes, *at, end);

		if (!next || (s->what != SKIP && !read_step(r, s, *at, end, e)))
			return false;
		*at = next;
	}
	return true;
}

/* --- a unit */

/* "larger<int>" is found as "larger", "operator()<int>" as "operator()". */
static u32 bare_hash(const char *name)
{
	const char *lt = strchr(name, '<');
	char *bare;
	u32 hash;

	if (lt && lt - name < 10 && !strncmp(name, "operator", 8))
		lt = strlen(name) > 10 ? strchr(name + 10, '<') : NULL;
	if (!lt || lt == name)
		return 0;
	bare = xstrndup(name, (size_t)(lt - name));
	hash = fnscan_hash(bare);
	free(bare);
	return hash;
}

static void add_use(struct reader *r, struct unit_block *st, const char *name, u32 unit)
{
	const char *strings = (const char *)r->src->strings;
	bool shared = name >= strings && name < strings + r->src->string_bytes;
	u32 off = shared ? (u32)(name - strings) + 1 : 0;
	struct known here, *k = shared ? &r->known[off % KNOWN] : &here;

	if (!shared || k->off != off)
		*k = (struct known){ off, fnscan_hash(name), bare_hash(name) };
	vec_push(&st->uses, (u64)k->hash << 32 | unit);
	if (!r->c && k->bare)
		vec_push(&st->uses, (u64)k->bare << 32 | unit);
}

static void add_function(struct reader *r, struct unit_block *st, const struct abbrev *a,
			 const struct entry *e, u32 die, u32 unit)
{
	if (e->spec)
		vec_push(&r->completed, e->spec);
	if (!e->name && !e->link)
		return;
	if (a->decl) {
		vec_push(&r->decls, ((struct decl){ die, e->name, e->link }));
		return;
	}
	if (e->name)
		add_use(r, st, e->name, unit);
	if (e->link)
		add_use(r, st, e->link, unit);
}

/* Declarations that some other entry completes. They are in the order of their offsets. */
static void complete_decls(struct reader *r, struct unit_block *st, u32 unit)
{
	for vec_each(c, &r->completed) {
		size_t lo = 0, hi = r->decls.n;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (r->decls.v[mid].die < *c)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo == r->decls.n || r->decls.v[lo].die != *c)
			continue;
		if (r->decls.v[lo].name)
			add_use(r, st, r->decls.v[lo].name, unit);
		if (r->decls.v[lo].link)
			add_use(r, st, r->decls.v[lo].link, unit);
	}
	vec_clear(&r->completed);
	vec_clear(&r->decls);
}

static bool is_c(u64 lang)
{
	return lang == DW_LANG_C89 || lang == DW_LANG_C || lang == DW_LANG_C99 ||
		lang == DW_LANG_C11 || lang == 0x2c /* C17 */ ||
	       lang == DW_LANG_Mips_Assembler;
}

static bool read_root(struct reader *r, const struct abbrev *a, const u8 **at, const u8 *end)
{
	struct entry e = { .lang = a->lang };

	r->strings.base = 8;
	if (a->kind != UNIT || !read_entry(r, a, at, end, &e))
		return false;
	r->c = is_c(e.lang);
	return true;
}

static bool read_unit(struct reader *r, struct unit_block *st, const struct info_unit *u,
		      const u8 *base, u32 number)
{
	const u8 *at = base + u->header_bytes, *end = base + u->bytes;
	int depth = 0;

	while (at < end) {
		u32 die = (u32)(at - base), sibling = 0;
		const struct abbrev *a;
		u64 code = *at;

		at = code < 128 ? at + 1 : form_uleb(at, end, &code);
		if (!at)
			return false;
		if (!code) {
			if (--depth <= 0)
				break;
			continue;
		}
		if (code > r->table.n)
			return false;
		a = &r->table.v[code - 1];
		if (!depth) {
			if (!read_root(r, a, &at, end))
				return false;
		} else if (a->fixed) {
			if ((u64)(end - at) < a->bytes)
				return false;
			if (a->sib_at)
				sibling = get32(at + a->sib_at - 1);
			at += a->bytes;
		} else {
			struct entry e = { .name = NULL };

			if (!read_entry(r, a, &at, end, &e))
				return false;
			sibling = e.sibling;
			if (a->kind == FUNCTION)
				add_function(r, st, a, &e, die, number);
		}
		if (!a->children) {
			if (!depth)
				break;
		} else if (depth && sibling && (r->c || a->kind == PLAIN)) {
			if (sibling <= die || sibling > u->bytes)
				return false;
			at = base + sibling;
		} else {
			depth++;
		}
	}
	complete_decls(r, st, number);
	return true;
}

/* --- all units */

static bool get_bytes(const struct fnscan_src *src, u64 off, u64 n, void *to)
{
	if (off > src->info_bytes || n > src->info_bytes - off)
		return false;
	if (src->fd >= 0)
		return io_pread(src->fd, to, n, src->info_off + off) == (ssize_t)n;
	memcpy(to, src->info + off, n);
	return true;
}

static bool read_header(const struct fnscan_src *src, u64 off, struct info_unit *u)
{
	u8 b[12] = { 0 };
	u32 len;
	u16 version;

	if (!get_bytes(src, off, src->info_bytes - off < 12 ? src->info_bytes - off : 12, b))
		return false;
	len = get32(b);
	memcpy(&version, b + 4, 2);
	*u = (struct info_unit){ .head = (u32)off, .bytes = len + 4, .version = (u8)version };
	if (len < 8 || len > src->info_bytes - off - 4 || version < 2 || version > 5)
		return false;
	if (version == 5) {
		u->header_bytes = 12;
		u->addr_bytes = b[7];
		u->abbrev_off = get32(b + 8);
		return b[6] == DW_UT_compile;
	}
	u->header_bytes = 11;
	u->abbrev_off = get32(b + 6);
	u->addr_bytes = b[10];
	return true;
}

/* The headers, and blocks of units. */
static bool list_units(struct scan *s)
{
	struct info_unit u;
	u64 in_block = 0;

	for (u64 off = 0; off < s->src->info_bytes; off += u.bytes) {
		if (!read_header(s->src, off, &u))
			return false;
		if (!s->blocks.n || in_block + u.bytes > BLOCK_BYTES) {
			vec_add(&s->blocks)->first = s->units.n;
			in_block = 0;
		}
		in_block += u.bytes;
		vec_last(&s->blocks)->n++;
		vec_push(&s->units, u);
	}
	return s->units.n > 0;
}

static void read_block(void *ctx, size_t item, unsigned worker)
{
	struct scan *s = ctx;
	struct reader *r = &s->readers[worker];
	struct unit_block *st = &s->blocks.v[item];
	const struct info_unit *first = &s->units.v[st->first], *last = first + st->n - 1;
	u64 bytes = last->head - first->head + (u64)last->bytes;
	const u8 *base = s->src->fd >= 0 ? NULL : s->src->info + first->head;

	r->src = s->src;
	r->strings.str = (struct span){ s->src->strings, s->src->string_bytes };
	r->strings.offsets = (struct span){ s->src->str_offsets, s->src->str_offset_bytes };
	if (!base) {
		if (r->buf_bytes < bytes) {
			free(r->buf);
			r->buf_bytes = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
			r->buf = xmalloc(r->buf_bytes);
		}
		st->bad = !get_bytes(s->src, first->head, bytes, r->buf);
		base = r->buf;
	}
	for (size_t i = 0; i < st->n && !st->bad; i++) {
		st->bad = !read_abbrevs(r, &first[i]) ||
			  !read_unit(r, st, &first[i], base + (first[i].head - first->head),
				     (u32)(st->first + i));
		st->linked = st->linked || r->table_linked;
	}
}

/* By the hash alone: the numbers of units are in order already. */
static void sort_uses(u64 *v, size_t n)
{
	u64 *other = xcalloc(n + 1, sizeof(*other)), *from = v, *to = other;

	for (int shift = 32; shift < 64; shift += 8) {
		size_t at[257] = { 0 };
		u64 *t;

		for (size_t i = 0; i < n; i++)
			at[(from[i] >> shift & 255) + 1]++;
		for (int k = 0; k < 256; k++)
			at[k + 1] += at[k];
		for (size_t i = 0; i < n; i++)
			to[at[from[i] >> shift & 255]++] = from[i];
		t = from;
		from = to;
		to = t;
	}
	free(other);
}

static bool collect(struct scan *s, struct fnscan *out)
{
	size_t n = 0;

	for vec_each(st, &s->blocks) {
		if (st->bad)
			return false;
		out->linked = out->linked || st->linked;
		n += st->uses.n;
	}
	vec_reserve(&out->uses, n + 1);
	for vec_each(st, &s->blocks)
		for vec_each(u, &st->uses)
			out->uses.v[out->uses.n++] = *u;
	sort_uses(out->uses.v, out->uses.n);
	n = 0;
	for vec_each(u, &out->uses)
		if (!n || out->uses.v[n - 1] != *u)
			out->uses.v[n++] = *u;
	out->uses.n = n;
	vec_reserve(&out->units, s->units.n);
	for vec_each(u, &s->units)
		vec_push(&out->units, ((struct fnunit){ u->head, u->head + u->header_bytes }));
	return true;
}

static unsigned workers_for(const struct scan *s)
{
	const size_t n = MIN(MIN((size_t)pool_default_threads(), (size_t)MAX_WORKERS), s->blocks.n);

	return n ? (unsigned)n : 1;
}

bool fnscan_run(const struct fnscan_src *src, struct fnscan *out)
{
	struct scan s = { .src = src };
	bool ok = src->info_bytes <= UINT32_MAX && src->string_bytes &&
		!src->strings[src->string_bytes - 1] && list_units(&s);

	if (ok) {
		struct pool *pool = pool_new(workers_for(&s));
		unsigned n = pool_threads(pool);

		s.readers = xcalloc(n, sizeof(*s.readers));
		for (unsigned i = 0; i < n; i++)
			s.readers[i].known = xcalloc(KNOWN, sizeof(struct known));
		pool_run(pool, s.blocks.n, read_block, &s);
		pool_free(pool);
		for (unsigned i = 0; i < n; i++) {
			free(s.readers[i].buf);
			free(s.readers[i].known);
			vec_free(&s.readers[i].table);
			vec_free(&s.readers[i].steps);
			vec_free(&s.readers[i].decls);
			vec_free(&s.readers[i].completed);
		}
		ok = collect(&s, out);
	}
	for vec_each(st, &s.blocks)
		vec_free(&st->uses);
	vec_free(&s.blocks);
	vec_free(&s.units);
	free(s.readers);
	return ok;
}

void fnscan_release(struct fnscan *s)
{
	vec_free(&s->units);
	vec_free(&s->uses);
}
