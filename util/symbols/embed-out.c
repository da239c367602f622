// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of the addresses that were hit, as a section of the recording.
#include <stdlib.h>

#include "util/symbols/cfi.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-format-priv.h"
#include "util/symbols/embedded.h"

static void add_u16(struct str *o, u16 v) { str_addn(o, &v, 2); }
static void add_u32(struct str *o, u32 v) { str_addn(o, &v, 4); }
static void add_u64(struct str *o, u64 v) { str_addn(o, &v, 8); }

/* Where a text stands; 0: none. */
static u32 put_text(struct embed_out *o, const char *text)
{
	if (!text)
		return 0;

	uintptr_t at = (uintptr_t)strmap_get(&o->known, text);

	if (at)
		return (u32)at;
	if (!o->strings.len)
		str_addch(&o->strings, 0);
	if (o->strings.len > EMBEDDED_MAX)	/* embed_finish() says so */
		return 0;
	at = o->strings.len;
	str_addn(&o->strings, text, strlen(text) + 1);
	strmap_put(&o->known, text, (void *)at);
	return (u32)at;
}

static void put_line(struct embed_out *o, struct str *to, const struct srcline *at)
{
	add_u32(to, put_text(o, at->file));
	add_u32(to, at->line);
	add_u32(to, at->column);
	o->n_lines += at->file != NULL;
}

/* The tables of one dso. */
struct tables {
	struct str addrs, symbols, inlines, segs;
	u32 n_addrs, n_symbols, n_inlines, n_segs;
	VEC(const struct symbol *) used;	/* by start, each once, when sorted */
};

static int by_start(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;

	return x->start_rva < y->start_rva ? -1 : x->start_rva > y->start_rva;
}

static void note_symbols(struct dso *d, const u64 *rva, size_t n, struct tables *t)
{
	const struct symbol *s;

	for (size_t i = 0; i < n; i++) {
		s = dso_find(d, rva[i]);
		if (s && (!t->used.n || vec_last(&t->used)[0] != s))
			vec_push(&t->used, s);
	}
}

static void sort_symbols(struct tables *t)
{
	size_t n = 0;

	if (t->used.n)
		qsort(t->used.v, t->used.n, sizeof(*t->used.v), by_start);
	for (size_t i = 0; i < t->used.n; i++)
		if (!n || t->used.v[n - 1] != t->used.v[i])
			t->used.v[n++] = t->used.v[i];
	t->used.n = n;
}

/* One more than its place in the table; 0: none. */
static u32 place_of(const struct tables *t, const struct symbol *s)
{
	const struct symbol **at = s && t->used.n ? bsearch(&s, t->used.v, t->used.n,
							    sizeof(*t->used.v), by_start) : NULL;

	return at ? (u32)(at - t->used.v) + 1 : 0;
}

static void put_symbols(struct embed_out *o, struct tables *t)
{
	for vec_each(it, &t->used) {
		const struct symbol *s = *it;

		add_u64(&t->symbols, s->start_rva);
		add_u64(&t->symbols, s->end_rva);
		add_u32(&t->symbols, put_text(o, s->name));
		add_u32(&t->symbols, put_text(o, s->mangled));
		add_u16(&t->symbols, s->binding);
		add_u16(&t->symbols, s->type);
		add_u32(&t->symbols, 0);
	}
	t->n_symbols = (u32)t->used.n;
}

/* Nameless code: how far its function, as unwind tables have it, goes before and after. */
static void put_range(struct dso *d, u64 rva, struct tables *t)
{
	u64 start = rva, end = rva;
	const bool known = dso_function_range(d, rva, &start, &end) &&
		rva - start <= UINT32_MAX && end - rva <= UINT32_MAX;

	add_u32(&t->addrs, known ? (u32)(rva - start) : 0);
	add_u32(&t->addrs, known ? (u32)(end - rva) : 0);
}

static void put_addr(struct embed_out *o, struct dso *d, u64 rva, struct tables *t)
{
	const struct symbol *s = dso_find(d, rva);
	const struct inline_frame *inl = NULL, *raw = NULL;
	const size_t n = s ? dso_inlines(d, rva, &inl) : 0;
	const size_t n_raw = n ? dso_inlines_mangled(d, rva, &raw) : 0;
	struct srcline at;

	dso_srcline(d, rva, &at);
	add_u64(&t->addrs, rva);
	add_u32(&t->addrs, place_of(t, s));
	put_line(o, &t->addrs, &at);
	if (s) {
		add_u32(&t->addrs, t->n_inlines);
		add_u32(&t->addrs, (u32)n);
	} else {
		put_range(d, rva, t);
	}
	for (size_t i = 0; i < n; i++) {
		add_u32(&t->inlines, put_text(o, inl[i].name));
		add_u32(&t->inlines, put_text(o, n_raw == n ? raw[i].name : inl[i].name));
		put_line(o, &t->inlines, &inl[i].at);
		add_u32(&t->inlines, 0);
	}
	t->n_inlines += (u32)n;
	t->n_addrs++;
}

/* And those beside them that have no symbol, so that nobody looks for it in files. */
static void put_addrs(struct embed_out *o, struct dso *d, const struct embed_addrs *a,
		      struct tables *t)
{
	size_t k = 0;

	for (size_t i = 0; i <= a->n_hit; i++) {
		for (; k < a->n_near && (i == a->n_hit || a->near[k] < a->hit[i]); k++)
			if (!dso_find(d, a->near[k]))
				put_addr(o, d, a->near[k], t);
		if (i == a->n_hit)
			break;
		k += k < a->n_near && a->near[k] == a->hit[i];
		put_addr(o, d, a->hit[i], t);
	}
}

static void put_segs(struct dso *d, struct tables *t)
{
	struct elf *e = d->kind == DSO_FILE || d->kind == DSO_VDSO ? dso_main(d) : NULL;

	for (u32 i = 0; e && i < e->n_segs; i++) {
		if (e->segs[i].type != PT_LOAD)
			continue;
		add_u64(&t->segs, e->segs[i].off);
		add_u64(&t->segs, e->segs[i].va);
		add_u64(&t->segs, e->segs[i].file_bytes);
		t->n_segs++;
	}
}

static void put_identity(struct embed_out *o, struct dso *d)
{
	const bool nameless = !dso_has_symbols(d);
	struct str *to = &o->dsos;

	add_u32(to, d->kind);
	add_u32(to, put_text(o, d->path));
	add_u32(to, d->maj);
	add_u32(to, d->min);
	add_u64(to, d->ino);
	add_u64(to, d->ino_generation);
	add_u32(to, (u32)d->pid);
	add_u32(to, d->id.n);
	str_addn(to, d->id.bytes, sizeof(d->id.bytes));
	add_u32(to, nameless ? put_text(o, dso_reason(d)) : 0);
	add_u32(to, nameless ? dso_troubles(d) : 0);
	add_u32(to, nameless ? 0 : EMBED_NAMED);
}

static void put_tables(struct embed_out *o, const struct tables *t)
{
	const struct { u32 n; const struct str *bytes; } all[] = {
		{ t->n_segs, &t->segs }, { t->n_symbols, &t->symbols },
		{ t->n_addrs, &t->addrs }, { t->n_inlines, &t->inlines },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		add_u32(&o->dsos, all[i].n);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		str_addn(&o->dsos, str_cstr(all[i].bytes), all[i].bytes->len);
}

void embed_add(struct embed_out *o, struct dso *d, const struct embed_addrs *a)
{
	struct tables t = { 0 };

	/* their names are records */
	if (d->kind == DSO_BPF || d->kind == DSO_JIT || d->kind == DSO_ANON || !a->n_hit)
		return;
	note_symbols(d, a->hit, a->n_hit, &t);
	note_symbols(d, a->near, a->n_near, &t);
	sort_symbols(&t);
	put_symbols(o, &t);
	put_addrs(o, d, a, &t);
	put_segs(d, &t);
	put_identity(o, d);
	put_tables(o, &t);
	o->n_dsos++;
	o->n_addrs += t.n_addrs;
	o->n_symbols += t.n_symbols;
	o->n_inlines += t.n_inlines;
	str_release(&t.addrs);
	str_release(&t.symbols);
	str_release(&t.inlines);
	str_release(&t.segs);
	vec_free(&t.used);
}

int embed_finish(struct embed_out *o, struct str *out, struct err *err)
{
	const u64 bytes = EMBED_HEAD_BYTES + ALIGN_UP(o->strings.len, 8) + o->dsos.len;

	if (bytes > EMBEDDED_MAX) {
		err_set(err, EFBIG, "the names of all addresses would be %llu MB, more than a "
				    "section may have (%u MB)",
			(unsigned long long)(bytes >> 20), EMBEDDED_MAX >> 20);
		return -EFBIG;
	}
	add_u32(out, EMBED_VERSION);
	add_u32(out, o->n_dsos);
	add_u64(out, ALIGN_UP(o->strings.len, 8));
	str_addn(out, str_cstr(&o->strings), o->strings.len);
	str_addchn(out, 0, ALIGN_UP(o->strings.len, 8) - o->strings.len);
	str_addn(out, str_cstr(&o->dsos), o->dsos.len);
	return 0;
}

void embed_out_release(struct embed_out *o)
{
	str_release(&o->dsos);
	str_release(&o->strings);
	strmap_release(&o->known);
	*o = (struct embed_out){ 0 };
}
