// SPDX-License-Identifier: GPL-2.0-or-later
// Sections of what libdw reads, which is mapped, or an image in memory.
#include <string.h>

#include "util/dwarf/dwarf-priv.h"

Elf_Scn *dwarf_section_named(Elf *elf, const char *name, Elf_Scn *behind, GElf_Shdr *sh)
{
	Elf_Scn *scn = behind;
	size_t strndx;

	if (!elf || elf_getshdrstrndx(elf, &strndx))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *its = gelf_getshdr(scn, sh) ? elf_strptr(elf, strndx, sh->sh_name) :
			NULL;

		if (its && !strcmp(its, name))
			return scn;
	}
	return NULL;
}

struct span dwarf_file_section(const struct dwarf_file *f, const char *name, s64 *file_off)
{
	GElf_Shdr sh;
	Elf_Scn *scn = dwarf_section_named(f->elf, name, NULL, &sh);
	Elf_Data *d = !scn || sh.sh_type == SHT_NOBITS || sh.sh_flags & SHF_COMPRESSED ? NULL :
		elf_rawdata(scn, NULL);
	struct span s = { d ? d->d_buf : NULL, d ? d->d_size : 0 };
	size_t bytes;
	const char *base = d && file_off && f->fd >= 0 ? elf_rawfile(f->elf, &bytes) : NULL;
	bool there = base && (const char *)s.ptr == base + sh.sh_offset && sh.sh_offset <= bytes &&
		s.len <= bytes - sh.sh_offset;

	if (file_off)
		*file_off = there ? (s64)sh.sh_offset : -1;
	return s;
}

bool dwarf_file_is_little(const struct dwarf_file *f)
{
	GElf_Ehdr eh;

	return f->elf && gelf_getehdr(f->elf, &eh) && eh.e_ident[EI_DATA] == ELFDATA2LSB;
}
