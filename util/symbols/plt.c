// SPDX-License-Identifier: GPL-2.0-or-later
// Names for the stubs of procedure linkage tables. The order of stubs and relocations need not
// agree (.plt.got, .plt.sec, lld,
// BIND_NOW), so each stub is decoded: the GOT slot that it jumps through names the relocation,
// and that the symbol.
#include <string.h>

#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"

struct slots {
	struct hmap names;	/* GOT slot -> name */
	struct hmap resolvers;	/* address -> index + 1 of its symbol, for IRELATIVE ones */
	struct symtab *t;
	struct plt_names *texts;
};

static const char *slot_name(struct slots *sl, const char *sym, u64 addend)
{
	struct str s = STR_INIT;

	if (sym)
		str_addf(&s, "%s@plt", sym);
	else
		str_addf(&s, "*ABS*+0x%llx@plt", (unsigned long long)addend);
	const char *p = arena_strdup(&sl->texts->a, str_cstr(&s));

	str_release(&s);
	return p;
}

/* Name of entry i of a symbol table, NULL when it has none. */
static const char *symbol_name(struct elf *e, struct elf_sec *symtab, u64 i)
{
	u64 bytes = e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct rd r = elf_rd(e, symtab);

	if (!i || symtab->link >= e->n_secs || i > rd_left(&r) / bytes)
		return NULL;
	struct span str = elf_data(e, &e->secs[symtab->link]);

	rd_seek(&r, i * bytes);
	u32 name = rd_u32(&r);

	return !rd_failed(&r) && name && name < str.len && str.ptr[name] ? (const char *)str.ptr +
		name : NULL;
}

static bool is_irelative(u16 machine, u32 type)
{
	return (machine == EM_X86_64 && type == R_X86_64_IRELATIVE) ||
		(machine == EM_386 && type == R_386_IRELATIVE) ||
	       (machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE);
}

static bool is_slot(u16 machine, u32 type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	case EM_386:
		return type == R_386_JMP_SLOT || type == R_386_GLOB_DAT;
	case EM_AARCH64:
		return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
	default:
		return false;
	}
}

static void add_relocations(struct elf *e, struct elf_sec *rel, struct slots *sl)
{
	bool rela = rel->type == SHT_RELA;
	struct rd r = elf_rd(e, rel);
	struct elf_sec *syms = rel->link && rel->link < e->n_secs ? &e->secs[rel->link] : NULL;
	size_t bytes = (e->is64 ? 8 : 4) * (rela ? 3 : 2);

	while (rd_left(&r) >= bytes) {
		u64 off = e->is64 ? rd_u64(&r) : rd_u32(&r), info = e->is64 ? rd_u64(&r) :
			rd_u32(&r);
		u64 addend = !rela ? 0 : e->is64 ? rd_u64(&r) : rd_u32(&r);
		u32 type = e->is64 ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info);
		u64 sym = e->is64 ? ELF64_R_SYM(info) : ELF32_R_SYM(info);

		if (is_irelative(e->machine, type)) {
			uintptr_t i = (uintptr_t)hmap_get(&sl->resolvers, addend);

			hmap_put(&sl->names, off, (void *)(uintptr_t)slot_name(
					 sl, i ? sl->t->sym[i - 1].mangled : NULL, addend));
		} else if (is_slot(e->machine, type) && syms) {
			const char *name = symbol_name(e, syms, sym);

			if (name)
				hmap_put(&sl->names, off, (void *)(uintptr_t)slot_name(
						 sl, name, 0));
		}
	}
}

static bool is_reloc(const struct elf_sec *s)
{
	return (s->type == SHT_RELA || s->type == SHT_REL) && s->flags & SHF_ALLOC;
}

/* The functions that choose an implementation at load time: where the relocations say, under
 * their symbols' names. */
static void find_resolvers(struct slots *sl)
{
	for (size_t i = 0; i < sl->t->n; i++) {
		const struct symbol *s = &sl->t->sym[i];
		uintptr_t old;

		if (s->type != STT_FUNC && s->type != STT_GNU_IFUNC)
			continue;
		old = (uintptr_t)hmap_get(&sl->resolvers, s->start_rva);
		if (!old || symtab_better(s, &sl->t->sym[old - 1]) > 0)
			hmap_put(&sl->resolvers, s->start_rva, (void *)(i + 1));
	}
}

static bool has_irelative(struct elf *e)
{
	for (u32 i = 0; i < e->n_secs; i++) {
		size_t word = e->is64 ? 8 : 4, step = word * (e->secs[i].type == SHT_RELA ? 3 : 2);
		struct rd r;

		if (!is_reloc(&e->secs[i]))
			continue;
		r = elf_rd(e, &e->secs[i]);
		while (rd_left(&r) >= step) {
			struct rd one = rd_sub(&r, step);

			rd_skip(&one, word);
			u64 info = e->is64 ? rd_u64(&one) : rd_u32(&one);

			if (is_irelative(e->machine, e->is64 ? ELF64_R_TYPE(info) :
					 ELF32_R_TYPE(info)))
				return true;
		}
	}
	return false;
}

static s32 le32(const u8 *p)
{
	return (s32)((u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24);
}

/* x86: the first indirect jump of the stub; got: base of "jmp *off(%ebx)". Before it stand at
 * most endbr64 and a number for the resolver (mold). A stub with a retpoline (lld) loads its slot
 * first: "mov off(%rip),%r11". */
static u64 x86_slot(const u8 *p, size_t n, u64 rva, bool is64, u64 got)
{
	if (is64 && n >= 7 && p[0] == 0x4c && p[1] == 0x8b && p[2] == 0x1d)
		return rva + 7 + le32(p + 3);
	for (size_t i = 0; i + 6 <= n && i <= 10; i++) {
		if (p[i] != 0xff)
			continue;
		if (p[i + 1] == 0x25)
			return is64 ? rva + i + 6 + le32(p + i + 2) : (u32)le32(p + i + 2);
		if (p[i + 1] == 0xa3 && !is64)
			return got + le32(p + i + 2);
	}
	return 0;
}

/* adrp x16, page; ldr x17, [x16, #off] */
static u64 arm64_slot(const u8 *p, size_t n, u64 rva)
{
	for (size_t i = 0; i + 8 <= n && i <= 8; i += 4) {
		u32 adrp = le32(p + i), ldr = le32(p + i + 4);

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		s64 page = (s32)((adrp >> 5 & 0x7ffff) << 13) >> 11 | (adrp >> 29 & 3);

		return ((rva + i) & ~4095ULL) + (u64)(page * 4096) + (ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

static void add_stubs(struct elf *e, struct elf_sec *s, const struct slots *sl, struct symtab *t,
		      u64 got)
{
	struct span d = elf_data(e, s);
	size_t step = s->entsize;

	/* some linkers write 0 or 4 */
	if (step != 8 && step != 16 && step != 24 && step != 32)
		step = 16;
	if (e->machine != EM_X86_64 && e->machine != EM_386 && e->machine != EM_AARCH64)
		return;
	/* code that belongs to no stub alone (what all lazy ones jump to, stubs without a name)
	 * has the section's name */
	u64 rest = s->addr;
	bool is_x86 = e->machine != EM_AARCH64;

	for (size_t i = 0; i + step <= d.len; i += step) {
		u64 rva = s->addr + i;
		u64 slot = is_x86 ? x86_slot(d.ptr + i, step, rva, e->machine == EM_X86_64, got) :
			arm64_slot(d.ptr + i, step, rva);
		const char *name = slot ? hmap_get(&sl->names, slot) : NULL;

		if (!name)
			continue;
		if (is_x86 && d.ptr[i] == 0x4c && step == 16 && i + 32 <= d.len)
			i += step;	/* a retpoline's second half */
		symtab_add(t, rva, s->addr + i + step, name, STB_GLOBAL, STT_FUNC);
		if (rest < rva)
			symtab_add(t, rest, rva, s->name, STB_LOCAL, STT_FUNC);
		rest = s->addr + i + step;
	}
	if (rest < s->addr + s->size)
		symtab_add(t, rest, s->addr + s->size, s->name, STB_LOCAL, STT_FUNC);
}

void elf_add_plt(struct elf *e, struct symtab *t, struct plt_names *names)
{
	static const char *const tables[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };
	struct slots sl = { .texts = names, .t = t };
	struct elf_sec *got = elf_find(e, ".got.plt");

	if (has_irelative(e))
		find_resolvers(&sl);
	for (u32 i = 0; i < e->n_secs; i++)
		if (is_reloc(&e->secs[i]))
			add_relocations(e, &e->secs[i], &sl);
	if (sl.names.n)
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
			struct elf_sec *s = elf_find(e, tables[i]);

			if (s && s->type == SHT_PROGBITS)
				add_stubs(e, s, &sl, t, got ? got->addr : 0);
		}
	hmap_release(&sl.names);
	hmap_release(&sl.resolvers);
}

void plt_names_release(struct plt_names *names)
{
	arena_release(&names->a);
}
