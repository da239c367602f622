// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols of ELF files: .symtab (or .dynsym), PLT stubs, MiniDebugInfo.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"

struct adder {
	struct elf *e;
	struct symtab *t;
	bool dynamic;
};

/* $a $x $t $d (with .n after) mark code and data on ARM, AArch64 and RISC-V; .L is the
 * assembler's own. */
static bool is_mark(const char *name)
{
	return (name[0] == '$' && name[1] && strchr("axtd", name[1]) &&
		(!name[2] || name[2] == '.')) ||
	       (name[0] == '.' && name[1] == 'L');
}

/* Function-like: in code; objects: in data. Labels without a type count only in code. */
static bool is_wanted(const struct elf_symbol *s, const struct elf_sec *sec)
{
	switch (s->type) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return s->size > 0;
	case STT_NOTYPE:
		return sec->flags & SHF_EXECINSTR && s->binding <= STB_WEAK && !is_mark(s->name);
	default:
		return false;
	}
}

/* A kernel module's entry points by the names that all modules have; the functions have names of
 * their own at the same place. */
static bool is_module_alias(const struct elf *e, const char *name)
{
	return e->type == ET_REL && (!strcmp(name, "init_module") ||
				     !strcmp(name, "cleanup_module"));
}

static int add_symbol(void *ctx, const struct elf_symbol *s)
{
	struct adder *a = ctx;
	struct elf *e = a->e;

	if (s->shndx == SHN_UNDEF || s->shndx >= e->n_secs || s->binding > STB_GNU_UNIQUE)
		return 0;
	const struct elf_sec *sec = &e->secs[s->shndx];

	if (!(sec->flags & SHF_ALLOC) || !is_wanted(s, sec))
		return 0;
	u64 start = s->value + (e->type == ET_REL ? sec->addr : 0), limit = sec->addr + sec->size;

	if (e->machine == EM_ARM && s->type == STT_FUNC)
		start &= ~1ULL;		/* Thumb */
	/* a size that runs out of its section is a lie, or an assembler's slip */
	u64 end = s->size && s->size <= sec->size ? start + s->size : 0;

	if (end < start)
		end = 0;
	u8 binding = s->binding == STB_GNU_UNIQUE ? STB_GLOBAL : is_module_alias(e, s->name) ?
		STB_WEAK : s->binding;

	if (end > start)
		symtab_add(a->t, start, end, s->name, binding, s->type);
	else
		symtab_add_upto(a->t, start, limit, s->name, binding, s->type);
	return 0;
}

/* -EFBIG: none was added, see elf_each_symbol(). */
static int add_section_symbols(struct elf *e, struct symtab *t)
{
	struct elf_sec *s = elf_find_type(e, SHT_SYMTAB);
	struct adder a = { e, t, false };
	size_t before = t->n;

	if (!s || !elf_has_symtab(e)) {
		s = elf_find_type(e, SHT_DYNSYM);
		a.dynamic = true;
	}
	if (!elf_each_symbol(e, s, add_symbol, &a))
		return 0;
	t->n = before;
	return -EFBIG;
}

/* The symbols of .gnu_debugdata: 0 or -errno. */
static int load_minidebug(struct elf *main, struct symtab *t)
{
	struct span packed = elf_data(main, elf_find(main, ".gnu_debugdata"));
	struct elf mini;
	size_t n;
	u8 *mem;

	if (!packed.len)
		return -ENOENT;
	int ret = inflate_xz(packed.ptr, packed.len, &mem, &n);

	if (ret)
		return ret;
	ret = elf_open_mem(&mini, mem, n, main->path, NULL);
	if (ret)
		return ret;
	size_t before = t->n, bytes = 0;

	add_section_symbols(&mini, t);
	for (size_t i = before; i < t->n; i++)
		bytes += strlen(t->sym[i].mangled) + 1;
	/* the file's string table goes away before the table is finished */
	char *p = xmalloc(bytes + 1);

	t->spare_names = p;
	for (size_t i = before; i < t->n; i++) {
		size_t len = strlen(t->sym[i].mangled) + 1;

		memcpy(p, t->sym[i].mangled, len);
		t->sym[i].mangled = p;
		p += len;
	}
	elf_close(&mini);
	return 0;
}

/* Who asks for them again reads them again. */
static void drop_tables(struct elf *e)
{
	for (u32 i = 0; e && i < e->n_secs; i++) {
		const u32 type = e->secs[i].type;

		if (type == SHT_SYMTAB || type == SHT_DYNSYM || type == SHT_STRTAB ||
		    type == SHT_RELA || type == SHT_REL ||
		    !strcmp(e->secs[i].name, ".gnu_debugdata"))
			elf_drop(&e->secs[i]);
	}
}

int elf_load_symbols(struct elf *main, struct elf *debug, struct symtab *t)
{
	struct elf *from = debug && elf_has_symtab(debug) ? debug : main;
	struct plt_names plt = { 0 };
	int ret = from ? add_section_symbols(from, t) : 0;

	if (main && !elf_has_symtab(from))
		load_minidebug(main, t);
	if (main)
		elf_add_plt(main, t, &plt);
	symtab_finish(t);
	plt_names_release(&plt);
	drop_tables(main);
	drop_tables(debug);
	return ret ? ret : t->n ? 0 : -ENOENT;
}
