// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/elf-write.h"

#include <dwarf.h>
#include <elf.h>

#include "util/base/hash.h"

enum { S_NULL, S_TEXT, S_EH_FRAME, S_EH_HDR, S_NOTE, S_SYMTAB, S_STRTAB, S_ABBREV, S_INFO, S_LINE,
       S_SHSTRTAB, N_SECS };

static const struct { const char *name; u32 type, flags, align; } kinds[N_SECS] = {
	[S_NULL] = { "", SHT_NULL, 0, 0 },
	[S_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16 },
	[S_EH_FRAME] = { ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8 },
	[S_EH_HDR] = { ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4 },
	[S_NOTE] = { ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4 },
	[S_SYMTAB] = { ".symtab", SHT_SYMTAB, 0, 8 },
	[S_STRTAB] = { ".strtab", SHT_STRTAB, 0, 1 },
	[S_ABBREV] = { ".debug_abbrev", SHT_PROGBITS, 0, 1 },
	[S_INFO] = { ".debug_info", SHT_PROGBITS, 0, 1 },
	[S_LINE] = { ".debug_line", SHT_PROGBITS, 0, 1 },
	[S_SHSTRTAB] = { ".shstrtab", SHT_STRTAB, 0, 1 },
};

struct out {
	struct str *s;
	bool swap;
	struct { u64 off, bytes; bool used; } secs[N_SECS];
};

static void put16(struct out *o, u16 v)
{
	v = o->swap ? __builtin_bswap16(v) : v;
	str_addn(o->s, &v, sizeof(v));
}

static void put32(struct out *o, u32 v)
{
	v = o->swap ? __builtin_bswap32(v) : v;
	str_addn(o->s, &v, sizeof(v));
}

static void put64(struct out *o, u64 v)
{
	v = o->swap ? __builtin_bswap64(v) : v;
	str_addn(o->s, &v, sizeof(v));
}

static void put8(struct out *o, u8 v)
{
	str_addn(o->s, &v, 1);
}

static void patch32(struct out *o, size_t at, u32 v)
{
	v = o->swap ? __builtin_bswap32(v) : v;
	memcpy(o->s->buf + at, &v, sizeof(v));
}

static void put_uleb(struct out *o, u64 v)
{
	do {
		put8(o, (u8)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static void put_sleb(struct out *o, s64 v)
{
	for (;;) {
		u8 b = v & 0x7f;

		v >>= 7;
		if ((!v && !(b & 0x40)) || (v == -1 && b & 0x40)) {
			put8(o, b);
			return;
		}
		put8(o, b | 0x80);
	}
}

static void put_cstr(struct out *o, const char *s)
{
	str_addn(o->s, s, strlen(s) + 1);
}

static void align_to(struct out *o, u64 n)
{
	if (n > 1)
		str_addchn(o->s, 0, ALIGN_UP((u64)o->s->len, n) - o->s->len);
}

static void begin(struct out *o, int sec)
{
	align_to(o, kinds[sec].align);
	o->secs[sec].off = o->s->len;
	o->secs[sec].used = true;
}

static void end(struct out *o, int sec)
{
	o->secs[sec].bytes = o->s->len - o->secs[sec].off;
}

/* --- sections --- */

static void put_text(struct out *o, const struct elf_function *f)
{
	begin(o, S_TEXT);
	str_addn(o->s, f->code.ptr, f->code.len);
	o->secs[S_TEXT].bytes = f->bytes;
}

static bool is_eh_hdr(const u8 *p, u64 n)
{
	return n >= 4 && p[0] == 1;	/* its version */
}

/* The table's relative addresses hold only at the distance from the code that the compiler gave
 * it: 8-byte aligned after it. */
static void put_unwind(struct out *o, const struct elf_function *f)
{
	const u64 hdr = f->unwind_hdr_bytes, frame = f->unwind.len - hdr;
	bool first;

	if (!frame || !f->code.len)
		return;
	first = !is_eh_hdr(f->unwind.ptr + frame, hdr) && is_eh_hdr(f->unwind.ptr, hdr);
	align_to(o, 8);
	for (int i = 0; i < 2; i++) {
		const int sec = (i == 0) == first ? S_EH_HDR : S_EH_FRAME;
		const u64 n = sec == S_EH_HDR ? hdr : frame;

		if (!n)
			continue;
		o->secs[sec].off = o->s->len;
		o->secs[sec].used = true;
		str_addn(o->s, f->unwind.ptr + (i ? f->unwind.len - n : 0), n);
		end(o, sec);
	}
}

static void put_symbols(struct out *o, const struct elf_function *f)
{
	begin(o, S_SYMTAB);
	str_addchn(o->s, 0, sizeof(Elf64_Sym));
	put32(o, 1);
	put8(o, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC));
	put8(o, STV_DEFAULT);
	put16(o, S_TEXT);	/* section numbers: text is always the first */
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, f->bytes);
	end(o, S_SYMTAB);
	begin(o, S_STRTAB);
	put8(o, 0);
	put_cstr(o, f->name);
	end(o, S_STRTAB);
}

static void put_abbrev(struct out *o)
{
	static const u8 abbrev[] = {
		1, DW_TAG_compile_unit, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string,
			DW_AT_stmt_list, DW_FORM_sec_offset,
		DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8, 0, 0,
		2, DW_TAG_subprogram, DW_CHILDREN_no, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
		DW_FORM_addr, DW_AT_high_pc,
		DW_FORM_data8, 0, 0,
		0,
	};

	begin(o, S_ABBREV);
	str_addn(o->s, abbrev, sizeof(abbrev));
	end(o, S_ABBREV);
}

static void put_info(struct out *o, const struct elf_function *f)
{
	size_t at;

	begin(o, S_INFO);
	at = o->s->len;
	put32(o, 0);
	put16(o, 4);
	put32(o, 0);	/* abbreviations */
	put8(o, 8);
	put_uleb(o, 1);
	put_cstr(o, f->lines[0].file);
	put32(o, 0);	/* lines */
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, f->bytes);
	put_uleb(o, 2);
	put_cstr(o, f->name);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, f->bytes);
	put8(o, 0);
	patch32(o, at, (u32)(o->s->len - at - 4));
	end(o, S_INFO);
}

/* Numbers of files: 1 and up, in the order in which they first occur. */
static size_t file_number(struct strmap *files, const char *name, bool *is_new)
{
	size_t n = (size_t)(uintptr_t)strmap_get(files, name);

	*is_new = !n;
	if (!n) {
		n = files->n + 1;
		strmap_put(files, name, (void *)(uintptr_t)n);
	}
	return n;
}

static void put_program(struct out *o, const struct elf_function *f, struct strmap *files)
{
	u64 off = 0;
	s64 line = 1;
	size_t file = 1;
	bool is_new;

	put8(o, 0);
	put_uleb(o, 9);
	put8(o, DW_LNE_set_address);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	for (size_t i = 0; i < f->n_lines; i++) {
		const struct elf_line *l = &f->lines[i];
		const size_t its = file_number(files, l->file, &is_new);

		if (its != file) {
			put8(o, DW_LNS_set_file);
			put_uleb(o, its);
		}
		put8(o, DW_LNS_advance_pc);
		put_uleb(o, l->off - off);
		put8(o, DW_LNS_advance_line);
		put_sleb(o, (s64)l->line - line);
		put8(o, DW_LNS_copy);
		off = l->off;
		line = l->line;
		file = its;
	}
	put8(o, DW_LNS_advance_pc);
	put_uleb(o, f->bytes - off);
	put8(o, 0);
	put_uleb(o, 1);
	put8(o, DW_LNE_end_sequence);
}

static void put_lines(struct out *o, const struct elf_function *f)
{
	static const u8 operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct strmap files = { 0 };
	size_t at, header;

	begin(o, S_LINE);
	at = o->s->len;
	put32(o, 0);
	put16(o, 3);
	header = o->s->len;
	put32(o, 0);
	put8(o, 1);		/* bytes of the shortest instruction */
	put8(o, 1);		/* every line is a statement */
	put8(o, (u8)-5);	/* special operations, which are not used */
	put8(o, 14);
	put8(o, sizeof(operands) + 1);
	str_addn(o->s, operands, sizeof(operands));
	put8(o, 0);		/* no directories */
	for (size_t i = 0; i < f->n_lines; i++) {
		bool is_new;

		file_number(&files, f->lines[i].file, &is_new);
		if (!is_new)
			continue;
		put_cstr(o, f->lines[i].file);
		for (int k = 0; k < 3; k++)	/* directory, time, size */
			put8(o, 0);
	}
	put8(o, 0);
	patch32(o, header, (u32)(o->s->len - header - 4));
	put_program(o, f, &files);
	patch32(o, at, (u32)(o->s->len - at - 4));
	end(o, S_LINE);
	strmap_release(&files);
}

static void put_note(struct out *o, const struct build_id *id)
{
	begin(o, S_NOTE);
	put32(o, 4);
	put32(o, id->n);
	put32(o, NT_GNU_BUILD_ID);
	put_cstr(o, "GNU");
	str_addn(o->s, id->bytes, id->n);
	end(o, S_NOTE);
}

static void make_id(const struct elf_function *f, const struct out *o, struct build_id *id)
{
	id->n = sizeof(id->bytes);
	for (u64 i = 0; i < 3; i++) {
		u64 h = hash_bytes(o->s->buf, o->s->len, hash_str(f->name) + i);

		memcpy(id->bytes + 8 * i, &h, MIN(sizeof(h), sizeof(id->bytes) - 8 * i));
	}
}

/* --- the file --- */

static void put_sec_headers(struct out *o, const struct elf_function *f, const u32 *names,
			    const int *numbers)
{
	for (int i = 0; i < N_SECS; i++) {
		const bool alloc = kinds[i].flags & SHF_ALLOC;

		if (i != S_NULL && !o->secs[i].used)
			continue;
		put32(o, names[i]);
		put32(o, i == S_TEXT && !f->code.len ? SHT_NOBITS : kinds[i].type);
		put64(o, kinds[i].flags);
		put64(o, alloc ? o->secs[i].off : 0);
		put64(o, o->secs[i].off);
		put64(o, o->secs[i].bytes);
		put32(o, i == S_SYMTAB ? (u32)numbers[S_STRTAB] : 0);
		put32(o, i == S_SYMTAB ? 1 : 0);	/* the first global symbol */
		put64(o, kinds[i].align);
		put64(o, i == S_SYMTAB ? sizeof(Elf64_Sym) : 0);
	}
}

static void put_head(struct out *o, const struct elf_function *f, u64 sec_off, int n_secs,
		     int strings, u64 loaded)
{
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != o->swap;
	const u8 ident[EI_NIDENT] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				      big ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT };

	str_addn(o->s, ident, sizeof(ident));
	put16(o, ET_DYN);
	put16(o, f->machine);
	put32(o, EV_CURRENT);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, sizeof(Elf64_Ehdr));
	put64(o, sec_off);
	put32(o, 0);
	put16(o, sizeof(Elf64_Ehdr));
	put16(o, sizeof(Elf64_Phdr));
	put16(o, 1);
	put16(o, sizeof(Elf64_Shdr));
	put16(o, (u16)n_secs);
	put16(o, (u16)strings);
	put32(o, PT_LOAD);
	put32(o, PF_R | PF_X);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, ELF_FUNCTION_TEXT_OFF);
	put64(o, f->code.len ? loaded : 0);
	put64(o, loaded);
	put64(o, 8);
	str_addchn(o->s, 0, ELF_FUNCTION_TEXT_OFF - sizeof(Elf64_Ehdr) - sizeof(Elf64_Phdr));
}

void elf_write_function(const struct elf_function *f, struct str *file, struct build_id *id)
{
	struct str head = STR_INIT;
	struct out o = { .s = file, .swap = f->swap };
	u32 names[N_SECS] = { 0 };
	int numbers[N_SECS] = { 0 }, n = 0;
	u64 loaded;

	_Static_assert(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) <= ELF_FUNCTION_TEXT_OFF, "headers");
	str_addchn(file, 0, ELF_FUNCTION_TEXT_OFF);
	put_text(&o, f);
	put_unwind(&o, f);
	loaded = MAX(f->bytes, (u64)file->len - ELF_FUNCTION_TEXT_OFF);
	put_symbols(&o, f);
	if (f->n_lines) {
		put_abbrev(&o);
		put_info(&o, f);
		put_lines(&o, f);
	}
	make_id(f, &o, id);
	put_note(&o, id);
	begin(&o, S_SHSTRTAB);
	for (int i = 0; i < N_SECS; i++) {
		if (i != S_NULL && !o.secs[i].used)
			continue;
		numbers[i] = n++;
		names[i] = (u32)(file->len - o.secs[S_SHSTRTAB].off);
		put_cstr(&o, kinds[i].name);
	}
	end(&o, S_SHSTRTAB);
	align_to(&o, 8);
	const u64 sec_off = file->len;

	put_sec_headers(&o, f, names, numbers);
	o.s = &head;
	put_head(&o, f, sec_off, n, numbers[S_SHSTRTAB], loaded);
	memcpy(file->buf, head.buf, ELF_FUNCTION_TEXT_OFF);
	str_release(&head);
}
