/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ELF_ELF_H
#define ELF_ELF_H
/*
 * ELF files as untrusted bytes: headers are decoded once, section contents are read (never mapped:
 * a file that shrinks must not kill us), decompressed and kept on demand. One owner; contents live
 * until elf_close().
 */
#include <elf.h>

#include "util/base/err.h"
#include "util/base/rd.h"
#include "util/elf/build-id.h"

struct elf_sec {
	const char *name;
	u32 type, link, info;
	u64 flags, addr, off, size, entsize, align;
	u8 *data;		/* once read */
	u64 data_bytes;
	bool tried;
};

struct elf_seg { u32 type, flags; u64 off, va, file_bytes, mem_bytes; };

struct elf {
	char *path;		/* for messages */
	int fd;			/* -1: in memory */
	u8 *mem;		/* owned; NULL when read from fd */
	u64 bytes;
	bool is64, swap;
	u16 machine, type;
	u64 entry_va;
	struct elf_sec *secs;
	u32 n_secs;
	struct elf_seg *segs;
	u32 n_segs;
	u8 *names;		/* section header strings, with a NUL after */
};

/* All give 0 or -errno (-ENOEXEC: no ELF file, -EBADMSG: a damaged one). */
int elf_open(struct elf *e, const char *path, struct err *err);
/* Takes the file descriptor, also on failure. */
int elf_open_fd(struct elf *e, int fd, const char *path, struct err *err);
/* Takes the malloc'ed bytes, also on failure. */
int elf_open_mem(struct elf *e, u8 *mem, u64 bytes, const char *path, struct err *err);
void elf_close(struct elf *e);

struct elf_sec *elf_find(struct elf *e, const char *name);	/* NULL: none */
struct elf_sec *elf_find_type(struct elf *e, u32 type);
/* Contents, decompressed; len 0 when it has none or cannot be read. */
struct span elf_data(struct elf *e, struct elf_sec *s);
struct rd elf_rd(struct elf *e, struct elf_sec *s);
/* the contents, which nobody may hold; they are read again when asked for */
void elf_drop(struct elf_sec *s);
/* Raw bytes of the file; how many could be read. */
size_t elf_pread(struct elf *e, u64 off, void *buf, size_t n);
/* Of n bytes there, which lie within the file, nearly all are a hole: of a file, not of memory. */
bool elf_is_hole(const struct elf *e, u64 off, u64 n);
bool elf_build_id(struct elf *e, struct build_id *out);
/* The build-id among ELF notes; align 4 or 8. */
bool elf_notes_build_id(struct span notes, bool swap, unsigned align, struct build_id *out);
bool elf_has_code(const struct elf *e);	/* false: a debug file, whose text sections are NOBITS */
bool elf_has_symtab(struct elf *e);	/* .symtab with more than its first entry */

/* By program headers; UINT64_MAX outside of all. */
u64 elf_off_to_rva(const struct elf *e, u64 off);
u64 elf_rva_to_off(const struct elf *e, u64 rva);

/* One entry of a symbol table, for elf_each_symbol(). */
/* nr: in the table */
struct elf_symbol { const char *name; u64 value, size; u32 shndx, nr; u8 binding, type, other; };
/* No linker's symbol names, put together, are longer than this when their string table has so
 * many bytes: names may share an end, but a table of which each byte begins a name of all that
 * follows would fill the memory. */
static inline u64 symbol_names_max(u64 table_bytes) { return 8 * table_bytes + (64u << 20); }
/* Calls fn for each named symbol of the section (SHT_SYMTAB, SHT_DYNSYM); fn's non-zero return
 * stops and is returned. -EFBIG: the names are ends of each other, and all together far longer than
 * the section that they stand in. */
int elf_each_symbol(struct elf *e, struct elf_sec *symtab,
		    int (*fn)(void *ctx, const struct elf_symbol *s), void *ctx);

/* Of a relocatable file whose sections have addresses by now: what loading it does to the first n
 * bytes of section nr, which are at data. Plain relocations alone; words that say where symbols of
 * other files are become their addend, distances to these stay as they are. */
void elf_relocate(struct elf *e, u32 nr, u8 *data, u64 n);

/* Decompressors: 0 or -errno; out_bytes is an upper limit where the format does not say. */
int inflate_zlib(const void *in, size_t n, void *out, size_t out_bytes);
/* -ENOSYS: not built in */
int inflate_zstd(const void *in, size_t n, void *out, size_t out_bytes);
/* Whole streams of unknown size; *out is malloc'ed. */
int inflate_xz(const void *in, size_t n, u8 **out, size_t *out_bytes);
int inflate_zst(const void *in, size_t n, u8 **out, size_t *out_bytes);
/* crc: 0, or that of the bytes before; n below 4 GB */
u32 crc32_add(u32 crc, const void *p, size_t n);
int inflate_gz(const void *in, size_t n, u8 **out, size_t *out_bytes);

#endif
