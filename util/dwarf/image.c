// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF in a form that libdw reads: an ELF file in memory with the debug sections alone. Made where
 * the file itself will not do: sections packed with zstd (libdw learned it late), and kernel
 * modules, whose debug sections wait for relocation.
 */
#include <elf.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/elf/elf.h"

static bool is_debug(const struct elf_sec *s)
{
	return (str_has_prefix(s->name, ".debug_") || str_has_prefix(s->name, ".zdebug_")) &&
		s->type != SHT_NOBITS;
}

/* What it is called once it is unpacked. */
static void add_name(struct str *names, const char *name)
{
	if (str_has_prefix(name, ".zdebug_")) {
		str_add(names, ".debug_");
		name += 8;
	}
	str_addn(names, name, strlen(name) + 1);
}

bool dwarf_needs_image(const struct elf *e)
{
	if (e->fd < 0 || e->type == ET_REL)
		return true;
	for (u32 i = 0; i < e->n_secs; i++) {
		const struct elf_sec *s = &e->secs[i];
		u8 how[4] = { 0 };
		struct rd r;

		/* libdw unpacks them once only, for one reader */
		if (str_has_prefix(s->name, ".zdebug_"))
			return true;
		if (!is_debug(s) || !(s->flags & SHF_COMPRESSED))
			continue;
		elf_pread((struct elf *)e, s->off, how, sizeof(how));
		rd_init(&r, how, sizeof(how), e->swap);
		if (rd_u32(&r) != ELFCOMPRESS_ZLIB)
			return true;
	}
	return false;
}

static bool big_endian(const struct elf *e)
{
	return e->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

/* --- the file */

struct out { struct str *s; bool is64, big; };

static void put(struct out *o, u64 v, unsigned n)
{
	u8 b[8];

	for (unsigned i = 0; i < n; i++)
		b[o->big ? n - 1 - i : i] = v >> 8 * i;
	str_addn(o->s, b, n);
}

static void put_word(struct out *o, u64 v)
{
	put(o, v, o->is64 ? 8 : 4);
}

static void put_section(struct out *o, u32 name, u32 type, u64 off, u64 size)
{
	put(o, name, 4);
	put(o, type, 4);
	put_word(o, 0);		/* flags */
	put_word(o, 0);		/* address */
	put_word(o, off);
	put_word(o, size);
	put(o, 0, 4);
	put(o, 0, 4);
	put_word(o, type ? 1 : 0);
	put_word(o, 0);
}

static void put_header(struct out *o, const struct elf *e, u64 shoff, u32 n_secs)
{
	static const u8 rest[9] = { 0 };
	u8 ident[7] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, o->is64 ? ELFCLASS64 : ELFCLASS32,
			o->big ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT };

	str_addn(o->s, ident, sizeof(ident));
	str_addn(o->s, rest, sizeof(rest));
	put(o, ET_EXEC, 2);
	put(o, e->machine, 2);
	put(o, EV_CURRENT, 4);
	put_word(o, 0);		/* entry */
	put_word(o, 0);		/* program headers */
	put_word(o, shoff);
	put(o, 0, 4);
	put(o, o->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
	put(o, 0, 2);
	put(o, 0, 2);
	put(o, o->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	put(o, n_secs, 2);
	put(o, n_secs - 1, 2);
}

/* Headers come first: the contents' places are known from their sizes. Contents are for the
 * caller to append, in this order. */
static void put_headers(const struct elf *e, const struct image_sec *secs, u32 n, struct str *names,
			struct str *image)
{
	struct out o = { image, e->is64, big_endian(e) };
	u32 hdr = e->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), ent = e->is64 ?
		sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	u64 at = hdr + (u64)ent * (n + 2);

	put_header(&o, e, hdr, n + 2);
	put_section(&o, 0, SHT_NULL, 0, 0);
	str_addch(names, '\0');
	for (u32 i = 0; i < n; i++) {
		put_section(&o, names->len, SHT_PROGBITS, at, secs[i].data.len);
		add_name(names, secs[i].name);
		at += secs[i].data.len;
	}
	u32 own = names->len;

	str_addn(names, ".shstrtab", 10);
	put_section(&o, own, SHT_STRTAB, at, names->len);
}

void dwarf_image_of(const struct elf *e, const struct image_sec *secs, u32 n, struct str *image)
{
	struct str names = STR_INIT;

	put_headers(e, secs, n, &names, image);
	for (u32 i = 0; i < n; i++)
		str_addn(image, secs[i].data.ptr, secs[i].data.len);
	str_addn(image, names.buf, names.len);
	str_release(&names);
}

static bool has_strings(const char *name)
{
	return !strcmp(name, ".debug_str") || !strcmp(name, ".zdebug_str") ||
		!strcmp(name, ".debug_line_str");
}

void dwarf_image(struct elf *e, const char *tail, struct str *image)
{
	struct image_sec secs[64] = { 0 };
	u32 nrs[ARRAY_SIZE(secs)], n = 0;
	struct str names = STR_INIT;
	size_t more = tail ? strlen(tail) + 1 : 0;

	for (u32 i = 0; i < e->n_secs && n < ARRAY_SIZE(secs); i++) {
		if (!is_debug(&e->secs[i]))
			continue;
		nrs[n] = i;
		secs[n] = (struct image_sec){ e->secs[i].name, elf_data(e, &e->secs[i]) };
		if (has_strings(secs[n].name))
			secs[n].data.len += more;
		n++;
	}
	put_headers(e, secs, n, &names, image);
	for (u32 i = 0; i < n; i++) {
		size_t from = image->len, len = secs[i].data.len,
			tail_len = has_strings(secs[i].name) ? more : 0;

		str_addn(image, secs[i].data.ptr, len - tail_len);
		if (tail_len)
			str_addn(image, tail, tail_len);
		if (e->type == ET_REL)
			elf_relocate(e, nrs[i], (u8 *)image->buf + from, len);
		elf_drop(&e->secs[nrs[i]]);
	}
	str_addn(image, names.buf, names.len);
	str_release(&names);
}
