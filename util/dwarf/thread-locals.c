// SPDX-License-Identifier: GPL-2.0-or-later
// Thread-local variables of an ELF file: where its part of each thread's memory is, and what its
// symbols say of variables whose place the debug information leaves out, as gcc's of arm64 does.
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/datatypes-priv.h"
#include "util/dwarf/dies.h"

#define SEVERAL ((void *)-1)	/* symbols of one name, at different places */

/* x86-64: the program's part ends where the thread's pointer points to; arm64: it begins 16 bytes
 * after that, or where its alignment says. */
bool thread_part_start(struct datatypes *t, s64 *start)
{
	Elf *elf = dwarf_getelf(t->file.dw);
	bool found = false;
	GElf_Ehdr head;
	GElf_Phdr ph;
	u64 align;
	size_t n;

	if (!elf || !gelf_getehdr(elf, &head) || elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n && !found; i++)
		found = gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_TLS;
	if (!found || ph.p_memsz > DATATYPE_MAX_BYTES || ph.p_align > DATATYPE_MAX_BYTES)
		return false;
	align = MAX(ph.p_align, (u64)1);
	if (head.e_machine == EM_AARCH64)
		*start = (s64)((16 + align - 1) / align * align);
	else
		*start = -(s64)((ph.p_memsz + align - 1) / align * align);
	return true;
}

/* Of a variable within a function the name has a number behind it: "own.0". */
static void add_symbol(struct strmap *to, const char *name, u64 value)
{
	char *bare = xstrndup(name, strcspn(name, "."));
	const void *had = strmap_get(to, bare);
	void *place = (void *)(uintptr_t)(value + 1);

	strmap_put(to, bare, had && had != place ? SEVERAL : place);
	free(bare);
}

static void add_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct strmap *to)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const size_t n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < n && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = GELF_ST_TYPE(sym.st_info) == STT_TLS && sym.st_shndx ?
			elf_strptr(elf, sh->sh_link, sym.st_name) : NULL;

		if (name && *name && sym.st_value <= DATATYPE_MAX_BYTES)
			add_symbol(to, name, sym.st_value);
	}
}

void thread_symbols_read(struct datatypes *t, struct strmap *to)
{
	Elf *elf = dwarf_getelf(t->file.dw);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			add_symbols(elf, scn, &sh, to);
}

bool thread_symbol_place(const struct strmap *symbols, Dwarf_Die *die, struct variable *v)
{
	const char *name = die_linkage_name(die);
	const void *place;

	name = name ? name : dwarf_diename(die);
	place = name && symbols->n ? strmap_get(symbols, name) : NULL;
	if (!place || place == SEVERAL)
		return false;
	v->place = VARIABLE_AT_TLS;
	v->off = (s64)(uintptr_t)place - 1;
	return true;
}
