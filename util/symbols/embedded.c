// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a recording itself tells of its binaries. Nothing in it is trusted: counts are checked
 * against what is left, texts end within their table, symbols and addresses ascend, and places are
 * places in their tables; else nothing of the section is used.
 */
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-format-priv.h"
#include "util/symbols/embedded-priv.h"

struct addr {
	u64 rva;
	u32 sym;		/* one more than its place; 0: none */
	u32 first_inline, n_inlines;	/* with a symbol */
	u32 before, after;		/* without: of its function; after 0: not known */
	struct srcline at;
};

struct seg { u64 off, va, bytes; };

struct embedded_dso {
	struct dso_key key;
	const char *reason;
	unsigned troubles;
	bool is_named;
	struct seg *segs;
	struct symtab tab;
	struct addr *addrs;
	struct inline_frame *inlines, *mangled;	/* the same by their mangled names */
	const struct inline_frame *shown;	/* one of them */
	size_t n_segs, n_addrs, n_inlines;
	struct embedded_dso *next;	/* of the same path */
};

struct embedded {
	char *strings;
	size_t strings_bytes;
	struct embedded_dso *dsos;
	size_t n;
	struct strmap by_path;		/* struct embedded_dso * */
};

void embedded_free(struct embedded *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n; i++) {
		symtab_release(&e->dsos[i].tab);
		free(e->dsos[i].segs);
		free(e->dsos[i].addrs);
		free(e->dsos[i].inlines);
		free(e->dsos[i].mangled);
	}
	free(e->dsos);
	free(e->strings);
	strmap_release(&e->by_path);
	free(e);
}

/* --- reading --- */

/* NULL: none, or (failed) outside of the table. */
static const char *get_text(const struct embedded *e, struct rd *r)
{
	const u32 at = rd_u32(r);

	if (at >= e->strings_bytes && at)
		r->failed = true;
	return at && !r->failed ? e->strings + at : NULL;
}

static struct srcline get_line(const struct embedded *e, struct rd *r)
{
	struct srcline at = { .file = get_text(e, r) };

	at.line = rd_u32(r);
	at.column = rd_u32(r);
	return at;
}

static u32 get_count(struct rd *r, u32 each_bytes)
{
	const u32 n = rd_u32(r);

	if (n > rd_left(r) / each_bytes)
		r->failed = true;
	return r->failed ? 0 : n;
}

static void get_segs(struct embedded_dso *d, struct rd *r)
{
	d->segs = xcalloc(d->n_segs + 1, sizeof(*d->segs));
	for (size_t i = 0; i < d->n_segs; i++) {
		d->segs[i].off = rd_u64(r);
		d->segs[i].va = rd_u64(r);
		d->segs[i].bytes = rd_u64(r);
	}
}

/* The table is finished by their mangled names; those that are shown come after. */
static void get_symbols(const struct embedded *e, struct embedded_dso *d, size_t n, bool plain,
			struct rd *r)
{
	const char **shown = xcalloc(n + 1, sizeof(*shown));
	u64 last = 0;

	for (size_t i = 0; i < n && !r->failed; i++) {
		const u64 start = rd_u64(r), end = rd_u64(r);
		const char *name = get_text(e, r), *mangled = get_text(e, r);
		const u16 binding = rd_u16(r), type = rd_u16(r);

		rd_skip(r, 4);
		if (!name || !mangled || start >= end || (i && start <= last)) {
			r->failed = true;
			break;
		}
		last = start;
		shown[i] = plain ? mangled : name;
		symtab_add(&d->tab, start, end, mangled, (u8)binding, (u8)type);
	}
	if (!r->failed && n)
		symtab_finish(&d->tab);
	for (size_t i = 0; i < d->tab.n && !r->failed; i++) {
		d->tab.sym[i].name = shown[i];
		d->tab.sym[i].demangled = 1;
	}
	free(shown);
}

static void get_addrs(const struct embedded *e, struct embedded_dso *d, struct rd *r)
{
	d->addrs = xcalloc(d->n_addrs + 1, sizeof(*d->addrs));
	for (size_t i = 0; i < d->n_addrs && !r->failed; i++) {
		struct addr *a = &d->addrs[i];

		a->rva = rd_u64(r);
		a->sym = rd_u32(r);
		a->at = get_line(e, r);
		*(a->sym ? &a->first_inline : &a->before) = rd_u32(r);
		*(a->sym ? &a->n_inlines : &a->after) = rd_u32(r);
		if (a->sym > d->tab.n || a->first_inline > d->n_inlines ||
		    a->n_inlines > d->n_inlines - a->first_inline ||
		    (i && a->rva <= d->addrs[i - 1].rva))
			r->failed = true;
	}
}

static void get_inlines(const struct embedded *e, struct embedded_dso *d, struct rd *r)
{
	d->inlines = xcalloc(d->n_inlines + 1, sizeof(*d->inlines));
	d->mangled = xcalloc(d->n_inlines + 1, sizeof(*d->mangled));
	for (size_t i = 0; i < d->n_inlines && !r->failed; i++) {
		d->inlines[i].name = get_text(e, r);
		d->mangled[i].name = get_text(e, r);
		d->mangled[i].at = d->inlines[i].at = get_line(e, r);
		rd_skip(r, 4);
		if (!d->inlines[i].name || !d->mangled[i].name)
			r->failed = true;
	}
}

static void get_identity(const struct embedded *e, struct embedded_dso *d, struct rd *r)
{
	struct dso_key *k = &d->key;
	const void *id;
	u32 id_bytes;

	k->kind = rd_u32(r);
	k->path = get_text(e, r);
	k->maj = rd_u32(r);
	k->min = rd_u32(r);
	k->ino = rd_u64(r);
	k->ino_generation = rd_u64(r);
	k->pid = (pid_t)rd_u32(r);
	id_bytes = rd_u32(r);
	id = rd_bytes(r, sizeof(k->id.bytes));
	d->reason = get_text(e, r);
	d->troubles = rd_u32(r);
	d->is_named = rd_u32(r) & EMBED_NAMED;
	if (!k->path || !id || id_bytes > sizeof(k->id.bytes)) {
		r->failed = true;
		return;
	}
	k->id.n = (u8)id_bytes;
	memcpy(k->id.bytes, id, sizeof(k->id.bytes));
}

static void get_dso(const struct embedded *e, struct embedded_dso *d, bool plain, struct rd *r)
{
	size_t n_symbols;

	get_identity(e, d, r);
	d->n_segs = get_count(r, EMBED_SEG_BYTES);
	n_symbols = get_count(r, EMBED_SYMBOL_BYTES);
	d->n_addrs = get_count(r, EMBED_ADDR_BYTES);
	d->n_inlines = get_count(r, EMBED_INLINE_BYTES);
	if (r->failed) {
		d->n_segs = d->n_addrs = d->n_inlines = 0;
		return;
	}
	get_segs(d, r);
	get_symbols(e, d, n_symbols, plain, r);
	get_addrs(e, d, r);
	get_inlines(e, d, r);
	d->shown = plain ? d->mangled : d->inlines;
}

static void index_paths(struct embedded *e)
{
	for (size_t i = e->n; i-- > 0;) {
		struct embedded_dso *d = &e->dsos[i];

		d->next = strmap_get(&e->by_path, d->key.path);
		strmap_put(&e->by_path, d->key.path, d);
	}
}

/* NULL: damaged. */
static struct embedded *read_section(struct rd *r, bool plain)
{
	struct embedded *e = xnew(struct embedded);
	u32 n;
	u64 bytes;
	const char *text;

	rd_skip(r, 4);
	n = rd_u32(r);
	bytes = rd_u64(r);
	text = bytes > rd_left(r) ? NULL : rd_bytes(r, bytes);
	if (!text || (bytes && text[bytes - 1]) || n > rd_left(r) / EMBED_DSO_BYTES) {
		embedded_free(e);
		return NULL;
	}
	e->strings = xmemdup(text, bytes);
	e->strings_bytes = bytes;
	e->dsos = xcalloc(n + 1, sizeof(*e->dsos));
	for (; e->n < n && !r->failed; e->n++)
		get_dso(e, &e->dsos[e->n], plain, r);
	if (r->failed) {
		embedded_free(e);
		return NULL;
	}
	index_paths(e);
	return e;
}

int dso_store_set_embedded(struct dso_store *s, struct span bytes, bool swap, struct err *err)
{
	struct embedded *e;
	struct rd r;
	u32 version;

	rd_init(&r, bytes.ptr, bytes.len, swap);
	version = rd_u32(&r);
	if (!rd_failed(&r) && version != EMBED_VERSION)
		return err_set(err, EINVAL, "its names (the EMBEDDED section) are in version %u "
					    "of the format, this perf knows %d: they are not used",
			       version, EMBED_VERSION);
	rd_init(&r, bytes.ptr, bytes.len, swap);
	e = read_section(&r, s->opts->no_demangle);
	if (!e)
		return err_set(err, EINVAL, "its names (the EMBEDDED section) are damaged: they "
					    "are not used");
	embedded_free(s->embedded);
	s->embedded = e;
	return 0;
}

/* --- questions --- */

static bool is_of(const struct dso_key *a, const struct dso_key *k)
{
	const bool by_pid = k->kind == DSO_PERF_MAP;

	if (a->kind != k->kind || (by_pid && a->pid != k->pid))
		return false;
	if (a->id.n && k->id.n)
		return build_id_equal(&a->id, &k->id);
	return !a->ino || !k->ino || (a->ino == k->ino && a->maj == k->maj && a->min == k->min &&
				      a->ino_generation == k->ino_generation);
}

struct embedded_dso *embedded_of(const struct embedded *e, const struct dso_key *k)
{
	struct embedded_dso *d = e ? strmap_get(&e->by_path, k->path) : NULL;

	while (d && !is_of(&d->key, k))
		d = d->next;
	return d;
}

static const struct addr *find_addr(const struct embedded_dso *e, u64 rva)
{
	size_t from = 0, to = e->n_addrs;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (e->addrs[mid].rva < rva)
			from = mid + 1;
		else
			to = mid;
	}
	return from < e->n_addrs && e->addrs[from].rva == rva ? &e->addrs[from] : NULL;
}

bool embedded_symbol(const struct embedded_dso *e, u64 rva, struct symbol **sym)
{
	const struct addr *a = find_addr(e, rva);

	*sym = a && a->sym ? &e->tab.sym[a->sym - 1] : a ? NULL : symtab_lookup(&e->tab, rva);
	return a || *sym;
}

const struct symbol *embedded_at(const struct embedded_dso *e, u64 start_rva)
{
	const struct symbol *s = symtab_lookup(&e->tab, start_rva);

	return s && s->start_rva == start_rva ? s : NULL;
}

const struct symtab *embedded_symbols(const struct embedded_dso *e)
{
	return &e->tab;
}

bool embedded_line(const struct embedded_dso *e, u64 rva, struct srcline *out)
{
	const struct addr *a = find_addr(e, rva);

	if (a)
		*out = a->at;
	return a != NULL;
}

static bool find_inlines(const struct embedded_dso *e, const struct inline_frame *in, u64 rva,
			 const struct inline_frame **out, size_t *n)
{
	const struct addr *a = find_addr(e, rva);

	if (!a)
		return false;
	*n = a->n_inlines;
	*out = *n ? in + a->first_inline : NULL;
	return true;
}

bool embedded_inlines(const struct embedded_dso *e, u64 rva, const struct inline_frame **out,
		      size_t *n)
{
	return find_inlines(e, e->shown, rva, out, n);
}

bool embedded_inlines_mangled(const struct embedded_dso *e, u64 rva,
			      const struct inline_frame **out, size_t *n)
{
	return find_inlines(e, e->mangled, rva, out, n);
}

bool embedded_range(const struct embedded_dso *e, u64 rva, u64 *start, u64 *end)
{
	const struct addr *a = find_addr(e, rva);

	if (!a || !a->after)
		return false;
	*start = rva - a->before;
	*end = rva + a->after;
	return true;
}

u64 embedded_off_to_rva(const struct embedded_dso *e, u64 off)
{
	for (size_t i = 0; i < e->n_segs; i++)
		if (off >= e->segs[i].off && off - e->segs[i].off < e->segs[i].bytes)
			return off - e->segs[i].off + e->segs[i].va;
	return UINT64_MAX;
}

u64 embedded_rva_to_off(const struct embedded_dso *e, u64 rva)
{
	for (size_t i = 0; i < e->n_segs; i++)
		if (rva >= e->segs[i].va && rva - e->segs[i].va < e->segs[i].bytes)
			return rva - e->segs[i].va + e->segs[i].off;
	return UINT64_MAX;
}

bool embedded_is_named(const struct embedded_dso *e) { return e->is_named; }

const char *embedded_reason(const struct embedded_dso *e) { return e->reason; }

unsigned embedded_troubles(const struct embedded_dso *e) { return e->troubles; }
