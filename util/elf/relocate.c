// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel does to a module's sections when it loads it, as far as the file tells: words
// that are addresses, distances from where they stand, and the parts of an address that arm64
// instructions have.
#include "util/elf/elf.h"

enum how {
	WORD,		/* the address */
	DISTANCE,	/* from the word to it */
	BRANCH26,	/* the same, in units of four bytes, the lower 26 bits */
	PAGES21,	/* adrp: pages from the instruction's to that of the address */
	LOW12,		/* the lower 12 bits, in units of bytes; from bit 10 on */
};

static const struct kind { u16 machine; u16 type; u8 how, bytes; } kinds[] = {
	{ EM_X86_64, R_X86_64_64, WORD, 8 }, { EM_X86_64, R_X86_64_32, WORD, 4 },
	{ EM_X86_64, R_X86_64_32S, WORD, 4 }, { EM_X86_64, R_X86_64_PC32, DISTANCE, 4 },
	{ EM_X86_64, R_X86_64_PLT32, DISTANCE, 4 },
	{ EM_386, R_386_32, WORD, 4 }, { EM_386, R_386_PC32, DISTANCE, 4 },
	{ EM_ARM, R_ARM_ABS32, WORD, 4 }, { EM_PPC, R_PPC_ADDR32, WORD, 4 },
	{ EM_AARCH64, R_AARCH64_ABS64, WORD, 8 }, { EM_AARCH64, R_AARCH64_ABS32, WORD, 4 },
	{ EM_AARCH64, R_AARCH64_CALL26, BRANCH26, 4 },
	{ EM_AARCH64, R_AARCH64_JUMP26, BRANCH26, 4 },
	{ EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, PAGES21, 4 },
	{ EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21_NC, PAGES21, 4 },
	{ EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, LOW12, 1 },
	{ EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, LOW12, 1 },
	{ EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, LOW12, 2 },
	{ EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, LOW12, 4 },
	{ EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, LOW12, 8 },
	{ EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, LOW12, 16 },
	{ EM_PPC64, R_PPC64_ADDR64, WORD, 8 }, { EM_PPC64, R_PPC64_ADDR32, WORD, 4 },
	{ EM_S390, R_390_64, WORD, 8 }, { EM_S390, R_390_32, WORD, 4 },
	{ EM_RISCV, R_RISCV_64, WORD, 8 }, { EM_RISCV, R_RISCV_32, WORD, 4 },
};

static const struct kind *kind_of(u16 machine, u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

static bool big_endian(const struct elf *e)
{
	return e->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static void store(u8 *p, u64 v, unsigned n, bool big)
{
	for (unsigned i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = v >> 8 * i;
}

static u64 load(const u8 *p, unsigned n, bool big)
{
	u64 v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (u64)p[big ? n - 1 - i : i] << 8 * i;
	return v;
}

static u64 word(struct rd *r, const struct elf *e)
{
	return e->is64 ? rd_u64(r) : rd_u32(r);
}

/* Where symbol nr of the table lies, by the addresses that its section was given; of another file's
 * symbols nothing is known. */
static bool symbol_address(struct elf *e, struct span table, u32 nr, u64 *address)
{
	u32 size = e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), shndx;
	struct rd r;
	u64 value;

	*address = 0;
	if ((u64)nr * size + size > table.len)
		return false;
	rd_init(&r, (const u8 *)table.ptr + (u64)nr * size, size, e->swap);
	rd_u32(&r);		/* name */
	if (e->is64) {
		rd_u16(&r);	/* info, other */
		shndx = rd_u16(&r);
		value = rd_u64(&r);
	} else {
		value = rd_u32(&r);
		rd_u32(&r);	/* size */
		rd_u16(&r);
		shndx = rd_u16(&r);
	}
	*address = value + (shndx < e->n_secs && shndx < SHN_LORESERVE ? e->secs[shndx].addr : 0);
	return shndx != SHN_UNDEF;
}

static u32 with_bits(u32 insn, u32 value, unsigned from, unsigned n)
{
	const u32 mask = ((1u << n) - 1) << from;

	return (insn & ~mask) | (value << from & mask);
}

/* to: the address that is meant; from_va: that of the word. */
static void put(const struct kind *k, u8 *p, u64 to, u64 from_va, bool big)
{
	u32 insn;

	switch (k->how) {
	case WORD:
		store(p, to, k->bytes, big);
		return;
	case DISTANCE:
		store(p, to - from_va, k->bytes, big);
		return;
	default:		/* instructions are little endian, always */
		insn = (u32)load(p, 4, false);
	}
	if (k->how == BRANCH26) {
		insn = with_bits(insn, (u32)((to - from_va) >> 2), 0, 26);
	} else if (k->how == LOW12) {
		insn = with_bits(insn, (u32)(to & 0xfff) / k->bytes, 10, 12);
	} else {
		const u64 pages = (to >> 12) - (from_va >> 12);

		insn = with_bits(with_bits(insn, (u32)pages & 3, 29, 2), (u32)(pages >> 2), 5, 19);
	}
	store(p, insn, 4, false);
}

static unsigned width_of(const struct kind *k)
{
	return k->how == WORD || k->how == DISTANCE ? k->bytes : 4;
}

/* rel: a section of relocations for the contents at data, which lie at va. */
static void relocate(struct elf *e, struct elf_sec *rel, u64 va, u8 *data, u64 n)
{
	struct span table = elf_data(e, rel->link < e->n_secs ? &e->secs[rel->link] : NULL);
	struct rd r = elf_rd(e, rel);
	const bool addends = rel->type == SHT_RELA, big = big_endian(e);

	while (rd_left(&r)) {
		const u64 off = word(&r, e), info = word(&r, e);
		u64 addend = addends ? word(&r, e) : 0, to;
		const struct kind *k = kind_of(e->machine, e->is64 ? (u32)info : info & 0xff);
		bool known;

		if (rd_failed(&r))
			break;
		if (!k || off > n || width_of(k) > n - off)
			continue;
		if (!addends && k->how <= DISTANCE)
			addend = load(data + off, k->bytes, big);
		known = symbol_address(e, table, (u32)(e->is64 ? info >> 32 : info >> 8), &to);
		if (known || k->how == WORD)
			put(k, data + off, to + addend, va + off, big);
	}
}

void elf_relocate(struct elf *e, u32 nr, u8 *data, u64 n)
{
	for (u32 i = 0; i < e->n_secs; i++)
		if ((e->secs[i].type == SHT_RELA || e->secs[i].type == SHT_REL) &&
		    e->secs[i].info == nr)
			relocate(e, &e->secs[i], e->secs[nr].addr, data, n);
}
