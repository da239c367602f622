// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Full units of split DWARF, and their packages (.dwp: DWARF 5, 7.3.5, and the older form of GNU
 * with version 2). Not every libdw reads packages, but all read plain .dwo files. So the unit that
 * is asked for becomes one in memory: its parts of the package's sections, with the strings that it
 * refers to, and the type units that it may refer to. libdw opens it by the name in the skeleton:
 * each skeleton of the image names one descriptor of ours, which is that unit's file while libdw
 * looks. Units that no package has get their .dwo files the same way (dwo.c).
 *
 * Nothing in a package tells which program it belongs to: units are found by the ids in the
 * skeletons.
 */
#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/dwarf/form-priv.h"
#include "util/elf/symfs.h"

/* Parts of a unit. Columns of an index have numbers for them, which differ by version. */
enum part { INFO, TYPES, ABBREV, LINE, LOC, STR_OFFSETS, MACINFO, MACRO, LOCLISTS, RNGLISTS,
	    N_PARTS };

static const char *const section_names[N_PARTS] = {
	[INFO] = ".debug_info.dwo", [TYPES] = ".debug_types.dwo", [ABBREV] = ".debug_abbrev.dwo",
		[LINE] = ".debug_line.dwo",
	[LOC] = ".debug_loc.dwo", [STR_OFFSETS] = ".debug_str_offsets.dwo",
	[MACINFO] = ".debug_macinfo.dwo",
	[MACRO] = ".debug_macro.dwo", [LOCLISTS] = ".debug_loclists.dwo",
	[RNGLISTS] = ".debug_rnglists.dwo",
};
enum { MAX_COLUMNS = 16, COLUMN_NUMBERS = 9 };
static const u8 part_of_gnu[COLUMN_NUMBERS] =
	{ N_PARTS, INFO, TYPES, ABBREV, LINE, LOC, STR_OFFSETS, MACINFO, MACRO };
static const u8 part_of_five[COLUMN_NUMBERS] = { N_PARTS, INFO, N_PARTS, ABBREV, LINE, LOCLISTS,
						 STR_OFFSETS, MACRO, RNGLISTS };

struct index {
	struct span data;
	u32 version, n_columns, n_units, n_slots;	/* n_slots 0: there is no index */
	u64 ids, rows, offsets, sizes;			/* where its tables begin */
	u8 part[MAX_COLUMNS];
};

struct range { u64 off, size; };
struct row { struct range part[N_PARTS]; };		/* size 0: it has none */

struct dwo { const char *dir, *name; };	/* dir: NULL if unknown */

struct dwarf_pkg {
	struct elf file;			/* closed: there is no package */
	bool swap;				/* the binary's bytes */
	char *beside;				/* the binary's path */
	struct hmap dwos;			/* ids of units -> struct dwo */
	struct arena arena;
	struct index units, types;
	struct elf_sec *sections[N_PARTS];
	struct span strings;
	pthread_mutex_t lock;	/* of the descriptor, and of contents read from the file */
	int fd;			/* its number is what skeletons name */
	char link[32];
};

/* --- the index */

static u32 word_at(const struct dwarf_pkg *p, const struct index *x, u64 at)
{
	struct rd r;

	rd_init(&r, x->data.ptr, x->data.len, p->file.swap);
	rd_seek(&r, at);
	return rd_u32(&r);
}

static u64 id_at(const struct dwarf_pkg *p, const struct index *x, u32 slot)
{
	struct rd r;

	rd_init(&r, x->data.ptr, x->data.len, p->file.swap);
	rd_seek(&r, x->ids + 8ull * slot);
	return rd_u64(&r);
}

static void open_index(struct dwarf_pkg *p, const char *name, struct index *x)
{
	struct span data = elf_data(&p->file, elf_find(&p->file, name));
	struct rd r;

	rd_init(&r, data.ptr, data.len, p->file.swap);
	u32 version = rd_u32(&r), columns = rd_u32(&r), units = rd_u32(&r), slots = rd_u32(&r);

	if (p->file.swap && version == 5u << 16)	/* two bytes and two of padding */
		version = 5;
	if (rd_failed(&r) || (version != 2 && version != 5) || !columns || columns > MAX_COLUMNS ||
	    !slots || slots & (slots - 1) ||
	    units > slots)
		return;
	*x = (struct index){ data, version, columns, units, slots, .ids = 16 };
	x->rows = x->ids + 8ull * slots;
	x->offsets = x->rows + 4ull * slots + 4ull * columns;
	x->sizes = x->offsets + 4ull * columns * units;
	if (x->sizes + 4ull * columns * units > data.len)
		x->n_slots = 0;
	for (u32 i = 0; i < columns; i++) {
		u32 nr = word_at(p, x, x->offsets - 4ull * (columns - i));

		x->part[i] = nr >= COLUMN_NUMBERS ? N_PARTS : version == 2 ? part_of_gnu[nr] :
			part_of_five[nr];
	}
}

/* Open addressing, as both forms prescribe it. */
static bool find_row(const struct dwarf_pkg *p, const struct index *x, u64 id, struct row *out)
{
	u32 mask = x->n_slots - 1, at = id & mask, step = ((id >> 32) & mask) | 1, nr = 0;

	for (u32 n = 0; n < x->n_slots; n++, at = (at + step) & mask) {
		nr = word_at(p, x, x->rows + 4ull * at);
		if (!nr || id_at(p, x, at) == id)
			break;
	}
	if (!x->n_slots || !nr || nr > x->n_units || id_at(p, x, at) != id)
		return false;
	*out = (struct row){ 0 };
	for (u32 i = 0; i < x->n_columns; i++) {
		u64 cell = 4 * ((u64)(nr - 1) * x->n_columns + i);

		if (x->part[i] < N_PARTS)
			out->part[x->part[i]] = (struct range){ word_at(p, x, x->offsets + cell),
								word_at(p, x, x->sizes + cell) };
	}
	return true;
}

/* --- a unit as a file of its own */

struct unit_file {
	struct dwarf_pkg *p;
	struct str parts[N_PARTS], strings;
	/* offset in the package + 1 -> offset here + 1, of those for type units */
	struct hmap abbrevs;
	struct hmap types;	/* ids that are in it */
	u64 scanned[2];		/* of parts INFO and TYPES, for references */
};

static void cut(struct str *s, size_t len)
{
	if (s->len > len) {
		s->len = len;
		s->buf[len] = 0;
	}
}

/* Appends a part; what lies outside of its section is left out. */
static bool add_part(struct unit_file *f, enum part which, const struct range *r)
{
	struct elf_sec *s = f->p->sections[which];
	struct str *to = &f->parts[which];

	if (!s || !r->size || r->size > 1u << 30)
		return false;
	if (s->flags & SHF_COMPRESSED) {
		struct span all = elf_data(&f->p->file, s);

		if (r->off > all.len || r->size > all.len - r->off)
			return false;
		str_addn(to, all.ptr + r->off, r->size);
		return true;
	}
	if (r->off > s->size || r->size > s->size - r->off)
		return false;
	size_t from = to->len;

	str_addchn(to, '\0', r->size);
	if (elf_pread(&f->p->file, s->off + r->off, to->buf + from, r->size) == r->size)
		return true;
	cut(to, from);
	return false;
}

static void put_word(struct str *s, u64 at, u64 v, unsigned n, bool swap)
{
	const u16 one = 1;
	bool big = swap == (*(const u8 *)&one == 1);

	for (unsigned i = 0; i < n; i++)
		s->buf[at + (big ? n - 1 - i : i)] = (char)(v >> 8 * i);
}

/* A table of offsets of strings: these strings alone become the file's, in this order. Gives
 * where the entries begin. */
static u64 add_strings(struct unit_file *f, const struct range *r, bool headed)
{
	struct str *to = &f->parts[STR_OFFSETS];
	const struct dwarf_pkg *p = f->p;
	u64 from = to->len, at;
	unsigned n = 4;
	struct rd rd;

	if (!add_part(f, STR_OFFSETS, r))
		return from;
	rd_init(&rd, to->buf, to->len, p->file.swap);
	rd_seek(&rd, from);
	if (headed) {
		n = rd_u32(&rd) == 0xffffffff ? 8 : 4;
		rd_skip(&rd, n == 8 ? 12 : 4);
	}
	u64 first = rd.pos;

	while (rd_left(&rd) >= n) {
		at = rd.pos;
		u64 off = n == 8 ? rd_u64(&rd) : rd_u32(&rd);

		put_word(to, at, f->strings.len, n, p->file.swap);
		if (off < p->strings.len)
			str_add(&f->strings, (const char *)p->strings.ptr + off);
		str_addch(&f->strings, '\0');
	}
	return first;
}

/* The unit at from of this part: its abbreviations begin so much farther on. */
static void move_abbrevs(struct unit_file *f, enum part which, u64 from, u64 by)
{
	struct str *s = &f->parts[which];
	bool swap = f->p->file.swap;
	struct rd r;

	rd_init(&r, s->buf, s->len, swap);
	rd_seek(&r, from);
	unsigned n = rd_u32(&r) == 0xffffffff ? 8 : 4;

	if (n == 8)
		rd_u64(&r);
	rd_skip(&r, rd_u16(&r) >= 5 ? 2 : 0);
	u64 at = r.pos, old = n == 8 ? rd_u64(&r) : rd_u32(&r);

	if (!rd_failed(&r))
		put_word(s, at, old + by, n, swap);
}

static void add_leb(struct str *s, s64 v)
{
	for (bool more = true; more;) {
		u8 b = v & 0x7f;

		v >>= 7;
		more = !((v == 0 && !(b & 0x40)) || (v == -1 && b & 0x40));
		str_addch(s, (char)(more ? b | 0x80 : b));
	}
}

/* One abbreviation, with a constant for the strings' place if it is that of a type unit. False:
 * it was the last. */
static bool copy_abbrev(struct rd *r, u64 strings_at, struct str *to)
{
	u64 from = r->pos, end, attr, form;

	if (!rd_uleb(r))
		return false;
	u64 tag = rd_uleb(r);

	rd_u8(r);
	do {
		end = r->pos;
		attr = rd_uleb(r);
		form = rd_uleb(r);
		if (form == DW_FORM_implicit_const)
			rd_sleb(r);
	} while ((attr || form) && !rd_failed(r));
	if (rd_failed(r))
		return false;
	str_addn(to, r->base + from, end - from);
	if (tag == DW_TAG_type_unit) {
		add_leb(to, DW_AT_str_offsets_base);
		add_leb(to, DW_FORM_implicit_const);
		add_leb(to, (s64)strings_at);
	}
	str_addn(to, "\0", 2);
	return true;
}

/*
 * Abbreviations of another .dwo's type units, after those of the unit; gives where. libdw takes the
 * strings of all units of a .dwo file from one table, but where the unit's own entry tells another
 * place: so that entry's abbreviation gets the place as a constant, which takes no byte in the
 * unit.
 */
static u64 add_abbrevs(struct unit_file *f, const struct row *row)
{
	const struct range *from = &row->part[ABBREV];
	struct str *to = &f->parts[ABBREV], own = STR_INIT;
	u64 start = to->len, known = (uintptr_t)hmap_get(&f->abbrevs, from->off + 1);
	struct rd r;

	if (known)
		return known - 1;
	if (!add_part(f, ABBREV, from))
		return start;
	str_addn(&own, to->buf + start, to->len - start);
	cut(to, start);
	u64 strings_at = add_strings(f, &row->part[STR_OFFSETS], f->p->types.version >= 5);

	rd_init(&r, own.buf, own.len, false);
	while (copy_abbrev(&r, strings_at, to))
		;
	str_addch(to, '\0');
	hmap_put(&f->abbrevs, from->off + 1, (void *)(uintptr_t)(start + 1));
	str_release(&own);
	return start;
}

static void add_type(struct unit_file *f, const struct row *row)
{
	enum part which = row->part[TYPES].size ? TYPES : INFO;
	u64 at = f->parts[which].len;

	if (add_part(f, which, &row->part[which]))
		move_abbrevs(f, which, at, add_abbrevs(f, row));
}

/* Type units that are referred to: any eight bytes that are the id of one. A chance hit is a
 * type that nobody asks for. */
static void add_types(struct unit_file *f)
{
	const struct dwarf_pkg *p = f->p;
	bool more = p->types.n_slots > 0;

	while (more) {
		more = false;
		for (int i = 0; i < 2; i++) {
			const struct str *s = &f->parts[i ? TYPES : INFO];
			struct row row;

			for (; f->scanned[i] + 8 <= s->len; f->scanned[i]++) {
				u64 id;

				memcpy(&id, s->buf + f->scanned[i], 8);
				if (p->file.swap)
					id = __builtin_bswap64(id);
				if (!id || !find_row(p, &p->types, id, &row) ||
				    hmap_get(&f->types, id))
					continue;
				hmap_put(&f->types, id, f);
				add_type(f, &row);
				more = true;
			}
		}
	}
}

static void make_file(struct dwarf_pkg *p, const struct row *row, struct str *out)
{
	struct unit_file f = { .p = p };
	struct image_sec secs[N_PARTS + 1];
	u32 n = 0;

	for (enum part i = 0; i < N_PARTS; i++) {
		if (i == STR_OFFSETS)
			add_strings(&f, &row->part[i], p->units.version >= 5);
		else if (i != TYPES)
			add_part(&f, i, &row->part[i]);
	}
	add_types(&f);
	for (enum part i = 0; i < N_PARTS; i++)
		if (f.parts[i].len)
			secs[n++] = (struct image_sec){ section_names[i],
							{ (const u8 *)f.parts[i].buf,
							  f.parts[i].len } };
	secs[n++] = (struct image_sec){ ".debug_str.dwo",
					{ (const u8 *)f.strings.buf, f.strings.len } };
	dwarf_image_of(&p->file, secs, n, out);
	for (enum part i = 0; i < N_PARTS; i++)
		str_release(&f.parts[i]);
	str_release(&f.strings);
	hmap_release(&f.abbrevs);
	hmap_release(&f.types);
}

static void become(struct dwarf_pkg *p, int fd)		/* takes fd */
{
	if (fd >= 0) {
		dup3(fd, p->fd, O_CLOEXEC);
		close(fd);
	}
}

static bool id_of(Dwarf_CU *cu, u64 *id)
{
	Dwarf_Half version;
	u8 type;

	return !dwarf_cu_info(cu, &version, &type, NULL, NULL, id, NULL, NULL) &&
		type == DW_UT_skeleton;
}

void dwarf_pkg_attach(struct dwarf_pkg *p, Dwarf_CU *skeleton)
{
	struct str image = STR_INIT;
	struct row row;
	Dwarf_Die sub;
	u64 id;

	if (!id_of(skeleton, &id))
		return;
	pthread_mutex_lock(&p->lock);
	const struct dwo *l = hmap_get(&p->dwos, id);
	int fd = -1;

	if (find_row(p, &p->units, id, &row)) {
		make_file(p, &row, &image);
		fd = dwarf_memory_file(&image);
	} else if (l) {
		fd = dwarf_dwo_open(l->dir, l->name, p->beside);
	}
	if (fd >= 0) {
		become(p, fd);
		/* remembered with the skeleton */
		dwarf_cu_info(skeleton, NULL, NULL, NULL, &sub, NULL, NULL, NULL);
		become(p, open("/dev/null", O_RDONLY | O_CLOEXEC));
	}
	pthread_mutex_unlock(&p->lock);
	str_release(&image);
}

/* --- the skeletons' names of their other halves */

struct section { u64 off, size; };

static struct section section_of(Elf *elf, const char *name)
{
	GElf_Shdr sh;

	return dwarf_section_named(elf, name, NULL, &sh) ?
		(struct section){ sh.sh_offset, sh.sh_size } : (struct section){ 0, 0 };
}

/* Where, in the image, the offset stands that an attribute's index leads to; 0: nowhere. */
static u64 indexed_at(const struct form_unit *unit, Elf *elf, Dwarf_Die *die,
		      const Dwarf_Attribute *attr)
{
	struct section s = section_of(elf, ".debug_str_offsets");
	Dwarf_Attribute base_attr;
	const u8 bytes = unit->off_bytes;
	Dwarf_Word base = bytes == 8 ? 16 : 8;
	u64 nr;

	if (dwarf_attr(die, DW_AT_str_offsets_base, &base_attr))
		dwarf_formudata(&base_attr, &base);
	/* libdw has checked that the value lies within its section */
	if (!form_number(unit, attr->form, attr->valp, attr->valp + 10, &nr))
		return 0;
	return base <= s.size && nr < (s.size - base) / bytes ? s.off + base + nr * bytes : 0;
}

static void rename_one(struct dwarf_pkg *p, Elf *elf, struct str *image, Dwarf_Die *die)
{
	size_t n = strlen(p->link) + 1;
	Dwarf_Attribute attr;
	Dwarf_Die top;
	u8 bytes = 4;
	u64 at = 0;

	if (!dwarf_attr(die, DW_AT_dwo_name, &attr) && !dwarf_attr(die, DW_AT_GNU_dwo_name, &attr))
		return;
	dwarf_cu_die(die->cu, &top, NULL, NULL, NULL, &bytes, NULL, NULL);
	const char *old = dwarf_formstring(&attr);
	bool in_lines = attr.form == DW_FORM_line_strp;

	if (!old)
		return;
	if (attr.form == DW_FORM_string && strlen(old) + 1 >= n)
		memcpy(image->buf + (old - image->buf), p->link, n);
	else if (attr.form == DW_FORM_strp || in_lines)
		at = attr.valp - (u8 *)image->buf;
	else if (attr.form == DW_FORM_strx ||
		 (attr.form >= DW_FORM_strx1 && attr.form <= DW_FORM_strx4))
		at = indexed_at(&(struct form_unit){ .off_bytes = bytes, .swap = p->swap }, elf,
				die, &attr);
	struct section s = section_of(elf, in_lines ? ".debug_line_str" : ".debug_str");

	if (at && s.size >= n)
		put_word(image, at, s.size - n, bytes, p->swap);
}

static const char *string_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

static void note_dwo(struct dwarf_pkg *p, Dwarf_Die *die, u64 id)
{
	const char *name = string_of(die, DW_AT_dwo_name), *dir = string_of(die, DW_AT_comp_dir);
	struct dwo *l;

	if (!name)
		name = string_of(die, DW_AT_GNU_dwo_name);
	if (!name || hmap_get(&p->dwos, id))
		return;
	l = arena_alloc(&p->arena, sizeof(*l));
	l->name = arena_strdup(&p->arena, name);
	l->dir = dir ? arena_strdup(&p->arena, dir) : NULL;
	hmap_put(&p->dwos, id, l);
}

void dwarf_pkg_rename(struct dwarf_pkg *p, Elf *elf, struct str *image)
{
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	u8 type;
	u64 id;

	while (dw && dwarf_get_units(dw, cu, &cu, &version, &type, &die, NULL) == 0) {
		if (type != DW_UT_skeleton || !id_of(cu, &id))
			continue;
		note_dwo(p, &die, id);
		rename_one(p, elf, image, &die);
	}
	if (dw)
		dwarf_end(dw);
}

char *dwarf_pkg_wanted(const struct dwarf_pkg *p, Dwarf_CU *skeleton)
{
	const struct dwo *l;
	u64 id;

	l = id_of(skeleton, &id) ? hmap_get(&p->dwos, id) : NULL;
	if (!l)
		return NULL;
	return l->dir && l->name[0] != '/' ? xasprintf("%s/%s", l->dir, l->name) : xstrdup(l->name);
}

const char *dwarf_pkg_link(const struct dwarf_pkg *p)
{
	return p->link;
}

/* --- the file */

/* Addresses have a section of their own in files without skeletons, too. Those are short. */
static bool has_skeletons(struct elf *e)
{
	struct elf_sec *info = elf_find(e, ".debug_info");
	u8 head[16];
	u64 off = 0;

	if (!info || !elf_find(e, ".debug_addr"))
		return false;
	if (info->flags & SHF_COMPRESSED)
		return true;
	while (off < info->size && elf_pread(e, info->off + off, head, sizeof(head)) ==
	       sizeof(head)) {
		struct rd r;

		rd_init(&r, head, sizeof(head), e->swap);
		u64 len = rd_u32(&r), bytes = 4;

		if (len == 0xffffffff)
			len = rd_u64(&r), bytes = 12;
		u16 version = rd_u16(&r);

		if (version >= 5 ? rd_u8(&r) == DW_UT_skeleton : len < 512)
			return true;
		if (len > info->size - off - bytes)
			break;
		off += bytes + len;
	}
	return false;
}

static bool try_package(struct dwarf_pkg *p, char *path)
{
	bool ok = elf_open(&p->file, path, NULL) == 0;

	if (ok) {
		open_index(p, ".debug_cu_index", &p->units);
		open_index(p, ".debug_tu_index", &p->types);
		ok = p->units.n_slots > 0;
		if (!ok)
			elf_close(&p->file);
	}
	free(path);
	return ok;
}

/* path + ".dwp"; of "x.debug" that of x, too. */
static bool try_beside(struct dwarf_pkg *p, const char *path)
{
	char *real = realpath(path, NULL), *at = real ? real : xstrdup(path);
	bool ok = try_package(p, xasprintf("%s.dwp", at)) ||
		  (str_has_suffix(at, ".debug") && try_package(p,
							       xasprintf("%.*s.dwp",
									 (int)strlen(at) - 6, at)));

	free(at);
	return ok;
}

static bool try_below(struct dwarf_pkg *p, const char *symfs, const char *path)
{
	char *at = symfs_path(symfs, path), *debug = xasprintf("/usr/lib/debug%s.dwp", path);
	bool ok = try_beside(p, at) || try_package(p, symfs_path(symfs, debug));

	free(debug);
	free(at);
	return ok;
}

static bool find_package(struct dwarf_pkg *p, const struct elf *from, const struct dwarf_where *w)
{
	return try_beside(p, from->path) || (w->file && try_beside(p, w->file)) ||
	       (w->path && symfs_given(w->symfs) && try_below(p, w->symfs, w->path)) ||
	       (w->path && try_beside(p, w->path)) ||
	       (w->path && try_package(p, xasprintf("/usr/lib/debug%s.dwp", w->path))) ||
	       (w->id.n > 1 && try_package(p, build_id_path("/usr/lib/debug", &w->id, ".dwp")));
}

struct dwarf_pkg *dwarf_pkg_open(struct elf *from, const struct dwarf_where *w)
{
	struct dwarf_pkg *p;

	if (!has_skeletons(from))
		return NULL;
	p = xnew(struct dwarf_pkg);
	pthread_mutex_init(&p->lock, NULL);
	p->swap = from->swap;
	p->beside = realpath(from->path, NULL);
	p->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (p->fd < 0) {
		dwarf_note_open(w, -errno);
		dwarf_pkg_close(p);
		return NULL;
	}
	if (!p->beside)
		p->beside = xstrdup(from->path);
	snprintf(p->link, sizeof(p->link), "/proc/self/fd/%d", p->fd);
	if (!find_package(p, from, w))
		return p;
	for (enum part i = 0; i < N_PARTS; i++)
		p->sections[i] = elf_find(&p->file, section_names[i]);
	p->strings = elf_data(&p->file, elf_find(&p->file, ".debug_str.dwo"));
	return p;
}

void dwarf_pkg_close(struct dwarf_pkg *p)
{
	if (!p)
		return;
	elf_close(&p->file);
	if (p->fd >= 0)
		close(p->fd);
	pthread_mutex_destroy(&p->lock);
	hmap_release(&p->dwos);
	arena_release(&p->arena);
	free(p->beside);
	free(p);
}
