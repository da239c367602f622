// SPDX-License-Identifier: GPL-2.0-or-later
// Which units define functions of a name, for large files: one pass over .debug_info (fnscan.c)
// at the first question, kept in a
// file by build-id, so that later questions read a megabyte instead of 160. In C only entries
// outside of types and
// function bodies are looked at where the producer tells the way around them (DW_AT_sibling).
// What the index does not know is
// searched for in the raw bytes (index.c), so a function nested in another one is found, too.
// Names are kept as hashes: a
// collision is one more unit to read.
#include "util/dwarf/fnindex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/dwarf/fnscan.h"

#define MIN_INFO_BYTES (1u << 20)	/* below, a search of the bytes is as fast */
#define MAX_INDEX_BYTES (64u << 20)

struct head {
	char magic[8];
	u32 order, version;
	u8 id[24];
	u64 info_bytes, n_units, n_names, n_refs, linked, sum;
};
_Static_assert(sizeof(struct head) == 88, "index file");

static const char magic[8] = "perfFNX";

/* its units: refs[first] up to the first of the next entry */
struct entry { u32 hash, first; };

struct fnindex {
	void *map;
	size_t bytes;
	const struct head *head;
	const struct fnunit *units;
	const struct entry *names;	/* by hash */
	const u32 *refs;		/* numbers of units */
};

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

/* Head, units, names by hash, units of each name. */
static void lay_out(const struct fnscan *x, struct head *h, struct str *out)
{
	u32 *refs = xcalloc(x->uses.n + 1, sizeof(*refs));
	VEC(struct entry) names = { 0 };

	for (size_t i = 0; i < x->uses.n; i++) {
		u32 hash = (u32)(x->uses.v[i] >> 32);

		if (!names.n || vec_last(&names)->hash != hash)
			vec_push(&names, ((struct entry){ hash, (u32)i }));
		refs[i] = (u32)x->uses.v[i];
	}
	h->n_units = x->units.n;
	h->n_names = names.n;
	h->n_refs = x->uses.n;
	h->linked = x->linked;
	str_addn(out, (const char *)h, sizeof(*h));
	str_addn(out, (const char *)x->units.v, x->units.n * sizeof(*x->units.v));
	if (names.n)
		str_addn(out, (const char *)names.v, names.n * sizeof(*names.v));
	str_addn(out, (const char *)refs, x->uses.n * sizeof(*refs));
	vec_free(&names);
	free(refs);
}

static bool build_index(const struct dwarf_file *f, struct head *h, struct str *out)
{
	s64 info_off;
	struct span info = dwarf_file_section(f, ".debug_info", &info_off),
		str = dwarf_file_section(f, ".debug_str", NULL),
		    abbrev = dwarf_file_section(f, ".debug_abbrev", NULL),
		    offsets = dwarf_file_section(f, ".debug_str_offsets", NULL);
	struct fnscan x = { .linked = false };
	bool ok = info.len && str.len && abbrev.len;

	if (ok) {
		struct fnscan_src src = {
			.fd = info_off >= 0 ? f->fd : -1, .info_off = (u64)info_off,
				.info = info.ptr, .info_bytes = info.len,
			.abbrevs = abbrev.ptr, .abbrev_bytes = abbrev.len, .strings = str.ptr,
			.string_bytes = str.len,
			.str_offsets = offsets.ptr, .str_offset_bytes = offsets.len,
		};

		ok = fnscan_run(&src, &x);
	}
	if (ok)
		lay_out(&x, h, out);
	else
		log_printf(LOG_PROBE, 1, "this debug information cannot be indexed");
	fnscan_release(&x);
	return ok && out->len <= MAX_INDEX_BYTES;
}

/* Sets pointers when everything is as it must be. */
static bool check_index(struct fnindex *x, const struct head *want)
{
	const struct head *h = x->map;
	u64 room = x->bytes - sizeof(*h);

	if (x->bytes < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) ||
	    h->order != want->order || h->version != want->version ||
	    memcmp(h->id, want->id, sizeof(h->id)) || h->info_bytes != want->info_bytes)
		return false;
	if (h->n_units > room / 8 || h->n_names > room / 8 || h->n_refs > room / 4 ||
	    h->n_units * 8 + h->n_names * 8 + h->n_refs * 4 != room ||
	    h->sum != checksum(h + 1, room))
		return false;
	x->head = h;
	x->units = (const struct fnunit *)(h + 1);
	x->names = (const struct entry *)(x->units + h->n_units);
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
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(struct head) &&
	    st.st_size <= MAX_INDEX_BYTES) {
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
		log_printf(LOG_PROBE, 1, "'%s' is not an index of this file: made anew", path);
	return ok;
}

/* A cache that cannot be written is no error. */
static bool save(const char *dir, const char *path, const struct str *s)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0600 };
	const bool ok = !io_mkdirs(dir, NULL) && !outfile_write(path, &o, s->buf, s->len, NULL);

	log_printf(LOG_PROBE, 1, "index of functions: '%s' %s, %zu bytes", path, ok ? "written" :
		   "cannot be written", s->len);
	return ok;
}

static bool wanted(const struct dwarf_file *f, const struct build_id *id, u64 *info_bytes)
{
	const u16 one = 1;

	*info_bytes = dwarf_file_section(f, ".debug_info", NULL).len;
	return *info_bytes >= MIN_INFO_BYTES && *info_bytes <= UINT32_MAX &&
		dwarf_file_is_little(f) && *(const u8 *)&one &&
	       id->n > 1 && id->n <= sizeof(id->bytes);
}

struct fnindex *fnindex_open(const struct dwarf_file *f, const struct build_id *id,
			     const char *index_dir)
{
	struct head want = { .order = 0x01020304, .version = 2 };
	struct str hex = STR_INIT, text = STR_INIT;
	char *dir, *path;
	bool ok;

	if (!wanted(f, id, &want.info_bytes))
		return NULL;
	struct fnindex *x = xnew(struct fnindex);

	memcpy(want.magic, magic, sizeof(magic));
	memcpy(want.id, id->bytes, id->n);
	build_id_add(&hex, id);
	dir = xasprintf("%s/%.2s", index_dir, str_cstr(&hex));
	path = xasprintf("%s/%s", dir, str_cstr(&hex) + 2);
	ok = load(path, &want, x);
	if (!ok && build_index(f, &want, &text)) {
		struct head *h = (struct head *)text.buf;

		h->sum = checksum(h + 1, text.len - sizeof(*h));
		ok = save(dir, path, &text) && load(path, &want, x);
	}
	str_release(&hex);
	str_release(&text);
	free(dir);
	free(path);
	if (ok)
		return x;
	free(x);
	return NULL;
}

void fnindex_free(struct fnindex *x)
{
	if (x && x->map)
		munmap(x->map, x->bytes);
	free(x);
}

bool fnindex_units(const struct fnindex *x, const char *name, fnindex_numbers *out)
{
	u32 hash = fnscan_hash(name), to;
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
		if (x->refs[i] < x->head->n_units)
			vec_push(out, x->refs[i]);
	return out->n > 0;
}

size_t fnindex_table(const struct fnindex *x, const struct fnunit **units, bool *linked)
{
	*units = x->units;
	*linked = x->head->linked;
	return x->head->n_units;
}
