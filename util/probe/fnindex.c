// SPDX-License-Identifier: GPL-2.0-or-later
// Which units define functions of a name, for large files: one pass over .debug_info (fnscan.c) at the first question, kept in a
// file by build-id, so that later questions read a megabyte instead of 160. In C only entries outside of types and
// function bodies are looked at where the producer tells the way around them (DW_AT_sibling). What the index does not know is
// searched for in the raw bytes (index.c), so a function nested in another one is found, too. Names are kept as hashes: a
// collision is one more unit to read.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/probe/fnscan.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"

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

struct entry { u32 hash, first; };	/* its units: refs[first] up to the first of the next entry */

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

/* Where the section's bytes stand in the file; false: they have been decompressed into memory. */
static bool in_file(Elf *elf, const Elf_Data *d, const GElf_Shdr *sh)
{
	size_t bytes;
	const char *base = elf_rawfile(elf, &bytes);

	return base && (const char *)d->d_buf == base + sh->sh_offset && sh->sh_offset <= bytes && d->d_size <= bytes - sh->sh_offset;
}

static bool build_index(struct probe_obj *p, struct head *h, struct str *out)
{
	Elf *elf = p->debug_elf ? p->debug_elf : p->elf;
	GElf_Shdr sh, other;
	Elf_Data *info = pobj_section(elf, ".debug_info", &sh), *str = pobj_section(elf, ".debug_str", &other),
		 *abbrev = pobj_section(elf, ".debug_abbrev", &other), *offsets = pobj_section(elf, ".debug_str_offsets", &other);
	struct fnscan x = { .linked = false };
	bool ok = info && str && abbrev;

	if (ok) {
		struct fnscan_src src = {
			.fd = in_file(elf, info, &sh) ? p->debug_elf ? p->dwarf.fd : p->fd : -1, .info_off = sh.sh_offset,
			.info = info->d_buf, .info_bytes = info->d_size, .abbrevs = abbrev->d_buf, .abbrev_bytes = abbrev->d_size,
			.strings = str->d_buf, .string_bytes = str->d_size,
			.str_offsets = offsets ? offsets->d_buf : NULL, .str_offset_bytes = offsets ? offsets->d_size : 0,
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

	if (x->bytes < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) || h->order != want->order || h->version != want->version ||
	    memcmp(h->id, want->id, sizeof(h->id)) || h->info_bytes != want->info_bytes)
		return false;
	if (h->n_units > room / 8 || h->n_names > room / 8 || h->n_refs > room / 4 ||
	    h->n_units * 8 + h->n_names * 8 + h->n_refs * 4 != room || h->sum != checksum(h + 1, room))
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
		log_printf(LOG_PROBE, 1, "'%s' is not an index of this file: made anew", path);
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
	    eh.e_ident[EI_DATA] != ELFDATA2LSB || !*(const u8 *)&one)
		return false;
	*info_bytes = info->d_size;
	return !build_id_of_file(p->file, id, NULL) && id->n > 1 && id->n <= 20;
}

const struct fnindex *pobj_index(struct probe_obj *p)
{
	struct build_id id;
	struct head want = { .order = 0x01020304, .version = 2 };
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
