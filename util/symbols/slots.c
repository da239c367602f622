// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/slots.h"

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"

struct slots {
	struct hmap by_rva;		/* -> struct slot */
	struct arena arena;
};

static const struct { u16 machine; u8 kind; u32 type; } relocations[] = {
	{ EM_X86_64, SLOT_ADDRESS, R_X86_64_GLOB_DAT },
	{ EM_X86_64, SLOT_ADDRESS, R_X86_64_RELATIVE },
	{ EM_X86_64, SLOT_THREAD_ARGS, R_X86_64_DTPMOD64 },
	{ EM_X86_64, SLOT_THREAD_DISTANCE, R_X86_64_TPOFF64 },
	{ EM_X86_64, SLOT_THREAD_DESCRIPTOR, R_X86_64_TLSDESC },
	{ EM_AARCH64, SLOT_ADDRESS, R_AARCH64_GLOB_DAT },
	{ EM_AARCH64, SLOT_ADDRESS, R_AARCH64_RELATIVE },
	{ EM_AARCH64, SLOT_THREAD_ARGS, R_AARCH64_TLS_DTPMOD },
	{ EM_AARCH64, SLOT_THREAD_DISTANCE, R_AARCH64_TLS_TPREL },
	{ EM_AARCH64, SLOT_THREAD_DESCRIPTOR, R_AARCH64_TLSDESC },
};

/* False: the symbol is of another file. Without one the addend is all there is. */
static bool symbol_value(struct elf *e, const struct elf_sec *rel, u64 nr, u64 *value)
{
	struct rd r;

	*value = 0;
	if (!nr)
		return true;
	if (!rel->link || rel->link >= e->n_secs)
		return false;
	r = elf_rd(e, &e->secs[rel->link]);
	if (nr >= rd_left(&r) / sizeof(Elf64_Sym))
		return false;
	rd_seek(&r, nr * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_shndx));
	if (rd_u16(&r) == SHN_UNDEF)
		return false;
	*value = rd_u64(&r);
	return !rd_failed(&r);
}

/* The word after that of the module is the offset; where no relocation fills it, it is there. */
static u64 word_at(struct elf *e, u64 rva)
{
	const u64 off = elf_rva_to_off(e, rva);
	u8 b[8] = { 0 };
	u64 v = 0;

	if (off == UINT64_MAX || elf_pread(e, off, b, sizeof(b)) != sizeof(b))
		return 0;
	for (int i = 7; i >= 0; i--)
		v = v << 8 | b[i];
	return v;
}

static void add_relocation(struct slots *s, struct elf *e, const struct elf_sec *rel,
			   const Elf64_Rela *r)
{
	const u32 type = ELF64_R_TYPE(r->r_info);
	struct slot slot;
	size_t i = 0;
	u64 value;

	while (i < ARRAY_SIZE(relocations) && (relocations[i].machine != e->machine ||
					       relocations[i].type != type))
		i++;
	if (i == ARRAY_SIZE(relocations) || !r->r_offset || !symbol_value(e, rel, ELF64_R_SYM(r->r_info), &value))
		return;
	slot = (struct slot){ relocations[i].kind, value + (u64)r->r_addend };
	if (slot.kind == SLOT_THREAD_ARGS && !ELF64_R_SYM(r->r_info))
		slot.value = word_at(e, r->r_offset + 8);
	hmap_put(&s->by_rva, r->r_offset, arena_dup(&s->arena, &slot, sizeof(slot)));
}

/* Pointers in data are many, and constants of none. */
static bool is_wanted(const struct elf_sec *got, const Elf64_Rela *r)
{
	const u32 type = ELF64_R_TYPE(r->r_info);

	return (type != R_X86_64_RELATIVE && type != R_AARCH64_RELATIVE) ||
		(got && r->r_offset - got->addr < got->size);
}

static void read_section(struct slots *s, struct elf *e, struct elf_sec *rel)
{
	const struct elf_sec *got = elf_find(e, ".got");
	struct rd r = elf_rd(e, rel);

	while (rd_left(&r) >= sizeof(Elf64_Rela)) {
		Elf64_Rela one = { .r_offset = rd_u64(&r) };

		one.r_info = rd_u64(&r);
		one.r_addend = (s64)rd_u64(&r);
		if (is_wanted(got, &one))
			add_relocation(s, e, rel, &one);
	}
}

struct slots *dso_slots(struct dso *d)
{
	struct slots *s = NULL;
	struct elf *e;

	if (d->kind != DSO_FILE)
		return NULL;
	pthread_mutex_lock(&d->priv->lock);
	e = dso_main_locked(d);
	if (e && e->is64 && !e->swap && e->type != ET_REL) {
		s = xcalloc(1, sizeof(*s));
		for (u32 i = 0; i < e->n_secs; i++)
			if (e->secs[i].type == SHT_RELA && e->secs[i].flags & SHF_ALLOC)
				read_section(s, e, &e->secs[i]);
	}
	pthread_mutex_unlock(&d->priv->lock);
	return s;
}

void slots_free(struct slots *s)
{
	if (!s)
		return;
	hmap_release(&s->by_rva);
	arena_release(&s->arena);
	free(s);
}

const struct slot *slots_find(const struct slots *s, u64 rva)
{
	return s ? hmap_get(&s->by_rva, rva) : NULL;
}
