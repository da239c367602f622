// SPDX-License-Identifier: GPL-2.0-or-later
// Which units define functions of a name, for large files of C: one pass over .debug_info at the first question, kept in a file by
// build-id, so that later questions read some pages of it instead of 160 MB. Only entries outside of types and function
// bodies are looked at where the producer tells the way around them (DW_AT_sibling). What the index does not know is
// searched for in the raw bytes (index.c), so a function nested in another one is found, too. Names are kept as hashes: a
// collision is one more unit to read. Units of other languages are candidates always.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"

#define MIN_INFO_BYTES (2u << 20)	/* below, a search of the bytes is as fast */
#define MAX_INDEX_BYTES (64u << 20)

struct head {
	char magic[8];
	u32 order, version;
	u8 id[24];
	u64 info_bytes, n_names, n_refs, n_always, sum;
};
_Static_assert(sizeof(struct head) == 80, "index file");

static const char magic[8] = "perfFNX";

struct entry { u32 hash, first; };	/* its units: refs[first] up to the first of the next entry */

struct fnindex {
	void *map;
	size_t bytes;
	const struct head *head;
	const struct entry *names;	/* by hash */
	const u32 *refs;		/* offsets of units in .debug_info; those behind the last name's are the ones "always" read */
};

/* --- reading .debug_info */

enum { MAX_FORMS = 48 };

struct abbrev {
	u16 tag, n;
	bool children, fixed, bad;
	u32 bytes;		/* of all attributes, when fixed */
	u16 name_at, sib_at;	/* offsets of these among them, + 1; when fixed */
	bool decl, spec;
	u16 at[MAX_FORMS], form[MAX_FORMS];
};
typedef VEC(struct abbrev) abbrev_vec;	/* by code */

/* Occurrences of names, in the order of units. */
struct use { u32 name, unit; };
struct decl { u32 die, name; };

struct build {
	struct rd info, abbrevs, strings;
	abbrev_vec table;
	struct hmap by_str;		/* offset in .debug_str + 1 -> number + 1 */
	struct hmap by_hash;
	VEC(u32) hashes;		/* by number */
	VEC(u32) last_unit;		/* by number: + 1 */
	VEC(struct use) uses;
	VEC(struct decl) decls;		/* of this unit: declarations, and what completes them */
	VEC(u32) completed;
	u32 unit;
	u16 version;
	u8 addr_bytes;
};

/* -1: depends on the data. */
static int form_bytes(const struct build *b, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1: case DW_FORM_ref1: case DW_FORM_flag: case DW_FORM_strx1: case DW_FORM_addrx1: return 1;
	case DW_FORM_data2: case DW_FORM_ref2: case DW_FORM_strx2: case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3: case DW_FORM_addrx3: return 3;
	case DW_FORM_data4: case DW_FORM_ref4: case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset:
	case DW_FORM_strx4: case DW_FORM_addrx4: return 4;
	case DW_FORM_ref_addr: return b->version > 2 ? 4 : b->addr_bytes;
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return b->addr_bytes;
	default: return -1;
	}
}

static bool skip_form(const struct build *b, struct rd *r, unsigned form)
{
	int n = form_bytes(b, form);

	if (n >= 0) {
		rd_skip(r, (u64)n);
		return true;
	}
	switch (form) {
	case DW_FORM_string: return rd_cstr(r) != NULL;
	case DW_FORM_udata: case DW_FORM_ref_udata: case DW_FORM_strx: case DW_FORM_addrx: case DW_FORM_loclistx:
	case DW_FORM_rnglistx: rd_uleb(r); return true;
	case DW_FORM_sdata: rd_sleb(r); return true;
	case DW_FORM_block: case DW_FORM_exprloc: rd_skip(r, rd_uleb(r)); return true;
	case DW_FORM_block1: rd_skip(r, rd_u8(r)); return true;
	case DW_FORM_block2: rd_skip(r, rd_u16(r)); return true;
	case DW_FORM_block4: rd_skip(r, rd_u32(r)); return true;
	default: return false;		/* of a later standard: no index */
	}
}

/* What is needed of one attribute of the abbreviation. */
static void note_attr(const struct build *b, struct abbrev *a, unsigned at, unsigned form)
{
	int n = form_bytes(b, form);

	a->at[a->n] = (u16)at;
	a->form[a->n++] = (u16)form;
	if (at == DW_AT_name && a->fixed && form == DW_FORM_strp)
		a->name_at = (u16)(a->bytes + 1);
	if (at == DW_AT_sibling && a->fixed && form == DW_FORM_ref4)
		a->sib_at = (u16)(a->bytes + 1);
	a->decl = a->decl || at == DW_AT_declaration;
	a->spec = a->spec || at == DW_AT_specification;
	if (n < 0)
		a->fixed = false;
	else
		a->bytes += (u32)n;
}

static bool read_abbrevs(struct build *b, u64 off)
{
	struct rd r = b->abbrevs;
	u64 code;

	vec_clear(&b->table);
	rd_seek(&r, off);
	while (!rd_failed(&r) && (code = rd_uleb(&r))) {
		struct abbrev *a;
		u64 at, form;

		if (code != b->table.n + 1)		/* all producers count from 1 */
			return false;
		a = vec_add(&b->table);
		memset(a, 0, sizeof(*a));
		a->tag = (u16)rd_uleb(&r);
		a->children = rd_u8(&r);
		a->fixed = true;
		for (;;) {
			at = rd_uleb(&r);
			form = rd_uleb(&r);
			if (form == DW_FORM_implicit_const)
				rd_sleb(&r);
			if (rd_failed(&r) || (!at && !form))
				break;
			if (a->n == MAX_FORMS || at > 0xffff || form > 0xffff)
				return false;
			note_attr(b, a, (unsigned)at, (unsigned)form);
		}
	}
	return !rd_failed(&r);
}

static u32 number_of(struct build *b, u32 hash)
{
	size_t k = (size_t)hmap_get(&b->by_hash, hash + 1ull);

	if (!k) {
		vec_push(&b->hashes, hash);
		vec_push(&b->last_unit, 0);
		k = b->hashes.n;
		hmap_put(&b->by_hash, hash + 1ull, (void *)k);
	}
	return (u32)(k - 1);
}

static bool number_of_str(struct build *b, u32 off, u32 *out)
{
	size_t k = (size_t)hmap_get(&b->by_str, off + 1ull);

	if (!k) {
		struct rd s = b->strings;
		const char *name;

		rd_seek(&s, off);
		name = rd_cstr(&s);
		if (!name)
			return false;
		k = number_of(b, (u32)hash_str(name)) + 1ull;
		hmap_put(&b->by_str, off + 1ull, (void *)k);
	}
	*out = (u32)(k - 1);
	return true;
}

static void add_use(struct build *b, u32 name)
{
	if (b->last_unit.v[name] == b->unit + 1)
		return;
	b->last_unit.v[name] = b->unit + 1;
	vec_push(&b->uses, ((struct use){ name, b->unit }));
}

/* A function: its name, if it has one here. */
static bool read_function(struct build *b, struct rd *r, const struct abbrev *a, u32 die, u64 *sibling)
{
	u32 name = 0;
	bool named = false;

	for (unsigned i = 0; i < a->n; i++) {
		if (a->at[i] == DW_AT_name && a->form[i] == DW_FORM_strp) {
			if (!number_of_str(b, rd_u32(r), &name))
				return false;
			named = true;
		} else if (a->at[i] == DW_AT_name && a->form[i] == DW_FORM_string) {
			const char *s = rd_cstr(r);

			if (!s)
				return false;
			name = number_of(b, (u32)hash_str(s));
			named = true;
		} else if (a->at[i] == DW_AT_name) {
			return false;
		} else if (a->at[i] == DW_AT_sibling && a->form[i] == DW_FORM_ref4) {
			*sibling = rd_u32(r);
		} else if (a->at[i] == DW_AT_specification && a->form[i] == DW_FORM_ref4) {
			vec_push(&b->completed, rd_u32(r));
		} else if (!skip_form(b, r, a->form[i])) {
			return false;
		}
	}
	if (named && a->decl)
		vec_push(&b->decls, ((struct decl){ die, name }));
	else if (named)
		add_use(b, name);
	return true;
}

static bool skip_entry(const struct build *b, struct rd *r, const struct abbrev *a, u64 *sibling)
{
	if (a->fixed) {
		struct rd s = *r;

		if (a->sib_at) {
			rd_skip(&s, a->sib_at - 1u);
			*sibling = rd_u32(&s);
		}
		rd_skip(r, a->bytes);
		return true;
	}
	for (unsigned i = 0; i < a->n; i++) {
		if (a->at[i] == DW_AT_sibling && a->form[i] == DW_FORM_ref4)
			*sibling = rd_u32(r);
		else if (!skip_form(b, r, a->form[i]))
			return false;
	}
	return true;
}

static void complete_decls(struct build *b)
{
	for vec_each(c, &b->completed)
		for vec_each(d, &b->decls)
			if (d->die == *c)
				add_use(b, d->name);
	vec_clear(&b->completed);
	vec_clear(&b->decls);
}

/* r: over the unit, from its header. */
static bool read_unit(struct build *b, struct rd *r)
{
	u64 abbrev_off;
	int depth = 0;

	rd_skip(r, 4);
	b->version = rd_u16(r);
	if (b->version < 2 || b->version > 5)
		return false;
	if (b->version == 5 && rd_u8(r) != DW_UT_compile)
		return false;
	if (b->version == 5)
		b->addr_bytes = rd_u8(r);
	abbrev_off = rd_u32(r);
	if (b->version < 5)
		b->addr_bytes = rd_u8(r);
	if (rd_failed(r) || !read_abbrevs(b, abbrev_off))
		return false;
	while (rd_left(r)) {
		u32 die = (u32)r->pos;
		u64 code = rd_uleb(r), sibling = 0;
		const struct abbrev *a;

		if (!code) {
			if (--depth <= 0)
				break;
			continue;
		}
		if (code > b->table.n)
			return false;
		a = &b->table.v[code - 1];
		if (!(a->tag == DW_TAG_subprogram ? read_function(b, r, a, die, &sibling) : skip_entry(b, r, a, &sibling)))
			return false;
		if (!a->children)
			continue;
		if (depth && sibling) {
			if (sibling <= die)
				return false;
			rd_seek(r, sibling);
		} else {
			depth++;
		}
	}
	complete_decls(b);
	return !rd_failed(r);
}

/* --- the file */

static u64 checksum(const void *p, size_t n)
{
	const u8 *at = p;
	u64 sum = n, v;

	for (; n >= 8; n -= 8, at += 8) {
		memcpy(&v, at, 8);
		sum = (sum << 5 | sum >> 59) ^ v;
	}
	for (; n; n--, at++)
		sum = (sum << 5 | sum >> 59) ^ *at;
	return sum;
}

struct order { u32 hash, number; };

static int by_hash(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Head, names by hash, units of each name, units that are read always. */
static void lay_out(const struct build *b, const u32_vec *always, struct head *h, struct str *out)
{
	size_t n = b->hashes.n;
	struct order *order = xcalloc(n + 1, sizeof(*order));
	u32 *place = xcalloc(n + 1, sizeof(*place)), *count = xcalloc(n + 1, sizeof(*count)), *refs;
	u32 at = 0;

	h->n_names = n;
	h->n_refs = b->uses.n;
	h->n_always = always->n;
	for (size_t i = 0; i < n; i++)
		order[i] = (struct order){ b->hashes.v[i], (u32)i };
	qsort(order, n, sizeof(*order), by_hash);
	for vec_each(u, &b->uses)
		count[u->name]++;
	str_addn(out, (const char *)h, sizeof(*h));
	for (size_t i = 0; i < n; i++) {
		struct entry e = { order[i].hash, at };

		place[order[i].number] = at;
		at += count[order[i].number];
		str_addn(out, (const char *)&e, sizeof(e));
	}
	refs = xcalloc(b->uses.n + 1, sizeof(*refs));
	for vec_each(u, &b->uses)
		refs[place[u->name]++] = u->unit;
	str_addn(out, (const char *)refs, b->uses.n * sizeof(*refs));
	if (always->n)
		str_addn(out, (const char *)always->v, always->n * sizeof(*always->v));
	free(order);
	free(place);
	free(count);
	free(refs);
}

static bool read_all(struct probe_obj *p, struct build *b, u32_vec *always)
{
	for vec_each(u, &p->units) {
		u64 head = u->start - dwarf_cuoffset(&u->die), bytes;
		struct rd r = b->info;

		if (u->split)
			return false;
		if (!punit_is_c(u)) {
			vec_push(always, (u32)u->start);
			continue;
		}
		rd_seek(&r, head);
		bytes = rd_u32(&r);
		rd_seek(&r, head);
		b->unit = (u32)u->start;
		r = rd_sub(&r, bytes + 4);	/* that of 64-bit DWARF would be behind the end */
		if (!read_unit(b, &r)) {
			log_printf(LOG_PROBE, 1, "the unit at 0x%llx cannot be indexed", (unsigned long long)u->start);
			return false;
		}
	}
	return always->n <= p->units.n / 4;
}

static bool build_index(struct probe_obj *p, struct head *h, struct str *out)
{
	Elf *elf = p->debug_elf ? p->debug_elf : p->elf;
	GElf_Shdr sh;
	Elf_Data *info = pobj_section(elf, ".debug_info", &sh), *str = pobj_section(elf, ".debug_str", &sh),
		 *abbrev = pobj_section(elf, ".debug_abbrev", &sh);
	struct build b = { .unit = 0 };
	u32_vec always = { 0 };
	bool ok = info && str && abbrev;

	if (ok) {
		rd_init(&b.info, info->d_buf, info->d_size, false);
		rd_init(&b.strings, str->d_buf, str->d_size, false);
		rd_init(&b.abbrevs, abbrev->d_buf, abbrev->d_size, false);
		ok = read_all(p, &b, &always);
	}
	if (ok)
		lay_out(&b, &always, h, out);
	vec_free(&b.table);
	hmap_release(&b.by_str);
	hmap_release(&b.by_hash);
	vec_free(&b.hashes);
	vec_free(&b.last_unit);
	vec_free(&b.uses);
	vec_free(&b.decls);
	vec_free(&b.completed);
	vec_free(&always);
	return ok && out->len <= MAX_INDEX_BYTES;
}

/* Sets pointers when everything is as it must be. */
static bool check_index(struct fnindex *x, const struct head *want)
{
	const struct head *h = x->map;
	u64 room = x->bytes - sizeof(*h);

	if (x->bytes < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) || h->order != want->order || h->version != want->version ||
	    memcmp(h->id, want->id, sizeof(h->id)) || h->info_bytes != want->info_bytes)
		return false;
	if (h->n_names > room / 8 || h->n_refs > room / 4 || h->n_always > room / 4 ||
	    h->n_names * 8 + h->n_refs * 4 + h->n_always * 4 != room || h->sum != checksum(h + 1, room))
		return false;
	x->head = h;
	x->names = (const struct entry *)(h + 1);
	x->refs = (const u32 *)(x->names + h->n_names);
	return true;
}

static bool load(const char *path, const struct head *want, struct fnindex *x)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok = false;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(struct head) && st.st_size <= MAX_INDEX_BYTES) {
		x->bytes = (size_t)st.st_size;
		x->map = mmap(NULL, x->bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
		if (x->map == MAP_FAILED)
			x->map = NULL;
		ok = x->map && check_index(x, want);
		if (x->map && !ok) {
			munmap(x->map, x->bytes);
			x->map = NULL;
		}
	}
	close(fd);
	if (!ok)
		log_printf(LOG_PROBE, 1, "'%s' is no index of this file: made anew", path);
	return ok;
}

/* Under another name first: a reader never sees half of it. A cache that cannot be written is no error. */
static bool save(const char *dir, const char *path, const struct str *s)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = io_mkdirs(dir, NULL) ? -1 : mkstemp(tmp);
	bool ok = fd >= 0 && !io_write(fd, s->buf, s->len);

	if (fd >= 0 && close(fd))
		ok = false;
	if (ok && rename(tmp, path))
		ok = false;
	if (!ok && fd >= 0)
		unlink(tmp);
	log_printf(LOG_PROBE, 1, "index of functions: '%s' %s, %zu bytes", path, ok ? "written" : "cannot be written", s->len);
	free(tmp);
	return ok;
}

static bool wanted(struct probe_obj *p, struct build_id *id, u64 *info_bytes)
{
	Elf *elf = p->debug_elf ? p->debug_elf : p->elf;
	const u16 one = 1;
	GElf_Ehdr eh;
	GElf_Shdr sh;
	Elf_Data *info = pobj_section(elf, ".debug_info", &sh);

	memset(id, 0, sizeof(*id));
	if (!p->opts->index_dir || !info || info->d_size < MIN_INFO_BYTES || info->d_size > UINT32_MAX || !gelf_getehdr(elf, &eh) ||
	    (eh.e_ident[EI_DATA] == ELFDATA2LSB) != *(const u8 *)&one)
		return false;
	*info_bytes = info->d_size;
	return !build_id_of_file(p->file, id, NULL) && id->n > 1 && id->n <= 20;
}

const struct fnindex *pobj_index(struct probe_obj *p)
{
	struct build_id id;
	struct head want = { .order = 0x01020304, .version = 1 };
	struct str hex = STR_INIT, text = STR_INIT;
	struct fnindex *x;
	char *dir, *path;

	if (p->index_tried)
		return p->index;
	p->index_tried = true;
	if (!wanted(p, &id, &want.info_bytes))
		return NULL;
	memcpy(want.magic, magic, sizeof(magic));
	memcpy(want.id, id.bytes, id.n);
	build_id_add(&hex, &id);
	dir = xasprintf("%s/%.2s", p->opts->index_dir, str_cstr(&hex));
	path = xasprintf("%s/%s", dir, str_cstr(&hex) + 2);
	x = xnew(struct fnindex);
	if (load(path, &want, x)) {
		p->index = x;
	} else if (build_index(p, &want, &text)) {
		struct head *h = (struct head *)text.buf;

		h->sum = checksum(h + 1, text.len - sizeof(*h));
		if (save(dir, path, &text) && load(path, &want, x))
			p->index = x;
	}
	if (!p->index)
		free(x);
	str_release(&hex);
	str_release(&text);
	free(dir);
	free(path);
	return p->index;
}

void fnindex_free(struct fnindex *x)
{
	if (x && x->map)
		munmap(x->map, x->bytes);
	free(x);
}

bool fnindex_units(const struct fnindex *x, const char *name, u32_vec *out)
{
	u32 hash = (u32)hash_str(name), to;
	size_t lo = 0, hi = x->head->n_names;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x->names[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == x->head->n_names || x->names[lo].hash != hash)
		return false;
	to = lo + 1 < x->head->n_names ? x->names[lo + 1].first : (u32)x->head->n_refs;
	for (u32 i = x->names[lo].first; i < to && i < x->head->n_refs; i++)
		vec_push(out, x->refs[i]);
	for (u64 i = 0; i < x->head->n_always; i++)
		vec_push(out, x->refs[x->head->n_refs + i]);
	return out->n > x->head->n_always;
}
