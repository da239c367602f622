// SPDX-License-Identifier: GPL-2.0-or-later
// ELF headers and contents. Source: System V gABI chapters 4 and 5.
#include "util/elf/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"

/* more are possible in theory; .ko and LTO objects stay far below */
#define MAX_SECTIONS 65536u
#define MAX_SECTION_BYTES (4ULL << 30)
#define MAX_NOTE_BYTES (1u << 20)	/* read in search of a build-id */
/* up to here whatever a file says of a table's size does no harm */
#define SMALL_BYTES (16ULL << 20)

static int bad(struct elf *e, int code, struct err *err, const char *reason)
{
	err_set(err, code, "'%s' is not a usable ELF file: %s", e->path, reason);
	elf_close(e);
	return -code;
}

size_t elf_pread(struct elf *e, u64 off, void *buf, size_t n)
{
	if (off >= e->bytes)
		return 0;
	if (n > e->bytes - off)
		n = e->bytes - off;
	if (e->mem) {
		memcpy(buf, e->mem + off, n);
		return n;
	}
	ssize_t got = io_pread(e->fd, buf, n, off);

	return got < 0 ? 0 : (size_t)got;
}

/* Each piece of data is a block at least, so this ends after n / 64 blocks. A file system that
 * knows of no holes calls all data. */
bool elf_is_hole(const struct elf *e, u64 off, u64 n)
{
	const u64 end = off + n;
	u64 data = 0;

	while (off < end && data < n / 64) {
		off_t from = lseek(e->fd, (off_t)off, SEEK_DATA), to;

		if (from < 0 && errno != ENXIO)
			return false;
		if (from < 0 || (u64)from >= end)
			break;
		to = lseek(e->fd, from, SEEK_HOLE);
		if (to <= from)
			return false;
		data += MIN((u64)to, end) - (u64)from;
		off = (u64)to;
	}
	return data < n / 64;
}

/* A table of the file as fresh memory with one NUL after; NULL when it does not lie within the
 * file, or is a hole in it. */
static u8 *read_table(struct elf *e, u64 off, u64 n)
{
	if (n > e->bytes || off > e->bytes - n || n > MAX_SECTION_BYTES)
		return NULL;
	if (n > SMALL_BYTES && !e->mem && elf_is_hole(e, off, n))
		return NULL;
	u8 *p = xmalloc(n + 1);

	if (elf_pread(e, off, p, n) != n) {
		free(p);
		return NULL;
	}
	p[n] = 0;
	return p;
}

static u64 rd_word(struct rd *r, bool is64)
{
	return is64 ? rd_u64(r) : rd_u32(r);
}

static void decode_section(struct rd *r, bool is64, struct elf_sec *s, u32 *name)
{
	*name = rd_u32(r);
	s->type = rd_u32(r);
	s->flags = rd_word(r, is64);
	s->addr = rd_word(r, is64);
	s->off = rd_word(r, is64);
	s->size = rd_word(r, is64);
	s->link = rd_u32(r);
	s->info = rd_u32(r);
	s->align = rd_word(r, is64);
	s->entsize = rd_word(r, is64);
}

static void name_sections(struct elf *e, const u32 *names, u32 shstrndx)
{
	u64 n = 0;

	if (shstrndx < e->n_secs && e->secs[shstrndx].type == SHT_STRTAB) {
		n = e->secs[shstrndx].size;
		e->names = read_table(e, e->secs[shstrndx].off, n);
	}
	for (u32 i = 0; i < e->n_secs; i++)
		e->secs[i].name = e->names && names[i] < n ? (const char *)e->names + names[i] : "";
}

static int read_sections(struct elf *e, u64 shoff, u32 shentsize, u32 shnum, u32 shstrndx)
{
	u32 want = e->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (!shoff || shentsize < want)
		return shoff ? -1 : 0;
	if (!shnum || shstrndx == SHN_XINDEX) {	/* the real numbers are in section 0 */
		u8 *first = read_table(e, shoff, shentsize);
		struct elf_sec s0 = { 0 };
		struct rd r;
		u32 name;

		if (!first)
			return -1;
		rd_init(&r, first, shentsize, e->swap);
		decode_section(&r, e->is64, &s0, &name);
		free(first);
		shnum = shnum ? shnum : (u32)MIN(s0.size, (u64)MAX_SECTIONS + 1);
		shstrndx = shstrndx == SHN_XINDEX ? s0.link : shstrndx;
	}
	if (shnum > MAX_SECTIONS)
		return -1;
	u8 *table = read_table(e, shoff, (u64)shnum * shentsize);

	if (!table)
		return -1;
	u32 *names = xcalloc(shnum + 1, sizeof(*names));

	e->secs = xcalloc(shnum + 1, sizeof(*e->secs));
	e->n_secs = shnum;
	for (u32 i = 0; i < shnum; i++) {
		struct rd r;

		rd_init(&r, table + (u64)i * shentsize, shentsize, e->swap);
		decode_section(&r, e->is64, &e->secs[i], &names[i]);
	}
	name_sections(e, names, shstrndx);
	free(names);
	free(table);
	return 0;
}

static int read_segments(struct elf *e, u64 phoff, u32 phentsize, u32 phnum)
{
	u32 want = e->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	if (!phoff || !phnum)
		return 0;
	if (phentsize < want)
		return -1;
	u8 *table = read_table(e, phoff, (u64)phnum * phentsize);

	if (!table)
		return -1;
	e->segs = xcalloc(phnum, sizeof(*e->segs));
	e->n_segs = phnum;
	for (u32 i = 0; i < phnum; i++) {
		struct elf_seg *s = &e->segs[i];
		struct rd r;

		rd_init(&r, table + (u64)i * phentsize, phentsize, e->swap);
		s->type = rd_u32(&r);
		if (e->is64)
			s->flags = rd_u32(&r);
		s->off = rd_word(&r, e->is64);
		s->va = rd_word(&r, e->is64);
		rd_word(&r, e->is64);	/* physical address */
		s->file_bytes = rd_word(&r, e->is64);
		s->mem_bytes = rd_word(&r, e->is64);
		if (!e->is64)
			s->flags = rd_u32(&r);
	}
	free(table);
	return 0;
}

static int decode_header(struct elf *e, struct err *err)
{
	u8 h[sizeof(Elf64_Ehdr)] = { 0 };
	size_t n = elf_pread(e, 0, h, sizeof(h));
	struct rd r;

	if (n < sizeof(Elf32_Ehdr) || memcmp(h, ELFMAG, SELFMAG))
		return bad(e, ENOEXEC, err, "it has no ELF header");
	if (h[EI_CLASS] != ELFCLASS32 && h[EI_CLASS] != ELFCLASS64)
		return bad(e, ENOEXEC, err, "unknown class");
	e->is64 = h[EI_CLASS] == ELFCLASS64;
	e->swap = h[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB :
				 ELFDATA2MSB);
	rd_init(&r, h, sizeof(h), e->swap);
	rd_skip(&r, EI_NIDENT);
	e->type = rd_u16(&r);
	e->machine = rd_u16(&r);
	rd_u32(&r);			/* version */
	e->entry_va = rd_word(&r, e->is64);
	u64 phoff = rd_word(&r, e->is64);
	u64 shoff = rd_word(&r, e->is64);

	rd_u32(&r);			/* flags */
	rd_u16(&r);			/* header size */
	u32 phentsize = rd_u16(&r), phnum = rd_u16(&r);
	u32 shentsize = rd_u16(&r), shnum = rd_u16(&r), shstrndx = rd_u16(&r);

	if (read_segments(e, phoff, phentsize, phnum))
		return bad(e, EBADMSG, err, "its program headers lie outside of the file");
	if (read_sections(e, shoff, shentsize, shnum, shstrndx) && !e->n_segs)
		return bad(e, EBADMSG, err, "its section headers lie outside of the file");
	return 0;
}

int elf_open_fd(struct elf *e, int fd, const char *path, struct err *err)
{
	struct stat st;

	*e = (struct elf){ .fd = fd, .path = xstrdup(path) };
	if (fstat(fd, &st)) {
		int code = errno;

		err_sys(err, code, "cannot read '%s'", path);
		elf_close(e);
		return -code;
	}
	if (!S_ISREG(st.st_mode))
		return bad(e, ENOEXEC, err, "not a regular file");
	e->bytes = st.st_size;
	return decode_header(e, err);
}

int elf_open(struct elf *e, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		*e = (struct elf){ .fd = -1 };
		return err_sys(err, errno, "cannot open '%s'", path);
	}
	return elf_open_fd(e, fd, path, err);
}

int elf_open_mem(struct elf *e, u8 *mem, u64 bytes, const char *path, struct err *err)
{
	*e = (struct elf){ .fd = -1, .path = xstrdup(path), .mem = mem, .bytes = bytes };
	return decode_header(e, err);
}

void elf_close(struct elf *e)
{
	for (u32 i = 0; i < e->n_secs; i++)
		free(e->secs[i].data);
	free(e->secs);
	free(e->segs);
	free(e->names);
	free(e->path);
	free(e->mem);
	if (e->fd > 0)
		close(e->fd);
	*e = (struct elf){ .fd = -1 };
}

struct elf_sec *elf_find(struct elf *e, const char *name)
{
	for (u32 i = 0; i < e->n_secs; i++)
		if (!strcmp(e->secs[i].name, name))
			return &e->secs[i];
	return NULL;
}

struct elf_sec *elf_find_type(struct elf *e, u32 type)
{
	for (u32 i = 0; i < e->n_secs; i++)
		if (e->secs[i].type == type)
			return &e->secs[i];
	return NULL;
}

/* A compressed section says its real size, which nothing vouches for: zeros shrink to a
 * thousandth and less, DWARF to a tenth. */
static bool size_is_credible(u64 plain, u64 packed)
{
	return plain <= SMALL_BYTES ? plain / 16384 <= packed : plain <= MAX_SECTION_BYTES &&
		plain / 64 <= packed;
}

static void unpack(struct elf *e, struct elf_sec *s, bool gnu)
{
	struct rd r;
	u64 plain;
	u32 how = ELFCOMPRESS_ZLIB;

	rd_init(&r, s->data, s->data_bytes, e->swap);
	if (gnu) {		/* "ZLIB", size in big endian */
		const u8 *h = rd_bytes(&r, 12);

		if (!h || memcmp(h, "ZLIB", 4))
			return;
		plain = 0;
		for (int i = 4; i < 12; i++)
			plain = plain << 8 | h[i];
	} else {
		how = rd_u32(&r);
		if (e->is64)
			rd_u32(&r);
		plain = rd_word(&r, e->is64);
		rd_word(&r, e->is64);
	}
	size_t left = rd_left(&r);
	u8 *out = !rd_failed(&r) && size_is_credible(plain, left) ? xmalloc(plain + 1) : NULL;
	int ret = -EINVAL;

	if (out && how == ELFCOMPRESS_ZLIB)
		ret = inflate_zlib(r.base + r.pos, left, out, plain);
	else if (out && how == 2)	/* ELFCOMPRESS_ZSTD */
		ret = inflate_zstd(r.base + r.pos, left, out, plain);
	free(s->data);
	s->data = NULL;
	s->data_bytes = 0;
	if (ret) {
		free(out);
		return;
	}
	out[plain] = 0;
	s->data = out;
	s->data_bytes = plain;
}

struct span elf_data(struct elf *e, struct elf_sec *s)
{
	if (!s || s->type == SHT_NOBITS)
		return (struct span){ NULL, 0 };
	if (!s->tried) {
		s->tried = true;
		s->data = read_table(e, s->off, s->size);
		s->data_bytes = s->data ? s->size : 0;
		bool gnu = !strncmp(s->name, ".zdebug", 7);

		if (s->data && (gnu || s->flags & SHF_COMPRESSED))
			unpack(e, s, gnu);
	}
	return (struct span){ s->data, s->data_bytes };
}

void elf_drop(struct elf_sec *s)
{
	free(s->data);
	s->data = NULL;
	s->data_bytes = 0;
	s->tried = false;
}

struct rd elf_rd(struct elf *e, struct elf_sec *s)
{
	struct span d = elf_data(e, s);
	struct rd r;

	rd_init(&r, d.ptr, d.len, e->swap);
	return r;
}

bool elf_notes_build_id(struct span notes, bool swap, unsigned align, struct build_id *out)
{
	struct rd r;

	rd_init(&r, notes.ptr, notes.len, swap);
	while (rd_left(&r) >= 12) {
		u32 name_bytes = rd_u32(&r), desc_bytes = rd_u32(&r), type = rd_u32(&r);
		const u8 *name = rd_bytes(&r, name_bytes);

		rd_align(&r, align);
		const u8 *desc = rd_bytes(&r, desc_bytes);

		rd_align(&r, align);
		if (!name || !desc)
			return false;
		if (type == NT_GNU_BUILD_ID && name_bytes == 4 && !memcmp(name, "GNU", 4) &&
		    desc_bytes) {
			*out = (struct build_id){ .n = MIN(desc_bytes, sizeof(out->bytes)) };
			memcpy(out->bytes, desc, out->n);
			return true;
		}
	}
	return false;
}

bool elf_build_id(struct elf *e, struct build_id *out)
{
	u64 left = MAX_NOTE_BYTES;

	*out = (struct build_id){ .n = 0 };
	for (u32 i = 0; i < e->n_secs; i++) {
		struct elf_sec *s = &e->secs[i];

		if (s->type != SHT_NOTE || s->size >= 65536 || s->size > left)
			continue;
		left -= s->size;
		if (elf_notes_build_id(elf_data(e, s), e->swap, s->align == 8 ? 8 : 4, out))
			return true;
	}
	for (u32 i = 0; i < e->n_segs; i++) {
		u8 buf[4096];
		struct span notes = { buf, 0 };

		if (e->segs[i].type != PT_NOTE || left < sizeof(buf))
			continue;
		left -= sizeof(buf);
		notes.len = elf_pread(e, e->segs[i].off, buf,
				      MIN(e->segs[i].file_bytes, sizeof(buf)));
		if (elf_notes_build_id(notes, e->swap, 4, out))
			return true;
	}
	return false;
}

bool elf_has_code(const struct elf *e)
{
	for (u32 i = 0; i < e->n_secs; i++)
		if (e->secs[i].flags & SHF_EXECINSTR && e->secs[i].type == SHT_PROGBITS &&
		    e->secs[i].size)
			return true;
	return e->n_secs == 0 && e->n_segs > 0;
}

bool elf_has_symtab(struct elf *e)
{
	struct elf_sec *s = elf_find_type(e, SHT_SYMTAB);

	return s && s->size > (e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
}

u64 elf_off_to_rva(const struct elf *e, u64 off)
{
	for (u32 i = 0; i < e->n_segs; i++) {
		const struct elf_seg *s = &e->segs[i];

		if (s->type == PT_LOAD && off >= s->off && off - s->off < s->file_bytes)
			return off - s->off + s->va;
	}
	/* the last page of a segment goes on with memory that is zero at first (.bss) */
	for (u32 i = 0; i < e->n_segs; i++) {
		const struct elf_seg *s = &e->segs[i];

		if (s->type == PT_LOAD && off >= s->off && off - s->off < s->mem_bytes &&
		    off < ALIGN_UP(s->off + s->file_bytes, (u64)4096))
			return off - s->off + s->va;
	}
	return UINT64_MAX;
}

u64 elf_rva_to_off(const struct elf *e, u64 rva)
{
	for (u32 i = 0; i < e->n_segs; i++) {
		const struct elf_seg *s = &e->segs[i];

		if (s->type == PT_LOAD && rva >= s->va && rva - s->va < s->file_bytes)
			return rva - s->va + s->off;
	}
	return UINT64_MAX;
}

int elf_each_symbol(struct elf *e, struct elf_sec *symtab,
		    int (*fn)(void *ctx, const struct elf_symbol *s), void *ctx)
{
	u64 entry_bytes = e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	if (!symtab || symtab->link >= e->n_secs)
		return 0;
	struct span str = elf_data(e, &e->secs[symtab->link]);
	struct rd r = elf_rd(e, symtab);

	if (!str.len)
		return 0;
	u64 left = symbol_names_max(str.len);

	for (u32 nr = 0; rd_left(&r) >= entry_bytes; nr++) {
		struct elf_symbol s = { .nr = nr };
		u32 name = rd_u32(&r);
		u8 info;

		if (!e->is64) {
			s.value = rd_u32(&r);
			s.size = rd_u32(&r);
		}
		info = rd_u8(&r);
		s.other = rd_u8(&r);
		s.shndx = rd_u16(&r);
		if (e->is64) {
			s.value = rd_u64(&r);
			s.size = rd_u64(&r);
		}
		s.binding = ELF64_ST_BIND(info);
		s.type = ELF64_ST_TYPE(info);
		if (!name || name >= str.len || !str.ptr[name])
			continue;
		s.name = (const char *)str.ptr + name;	/* the table has a NUL past its end */
		u64 n = strlen(s.name) + 1;

		if (n > left)
			return -EFBIG;
		left -= n;
		int ret = fn(ctx, &s);

		if (ret)
			return ret;
	}
	return 0;
}
