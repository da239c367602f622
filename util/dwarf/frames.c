// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/frames.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

Dwarf *dwarf_relocatable_open(struct dwarf_relocatable *r, const char *path)
{
	static const Dwfl_Callbacks cb = { .find_debuginfo = dwfl_standard_find_debuginfo,
					   .section_address = dwfl_offline_section_address };
	Dwarf_Addr bias;

	r->dwfl = dwfl_begin(&cb);
	if (!r->dwfl)
		return NULL;
	dwfl_report_begin(r->dwfl);
	r->mod = dwfl_report_offline(r->dwfl, path, path, -1);
	dwfl_report_end(r->dwfl, NULL, NULL);
	return r->mod ? dwfl_module_getdwarf(r->mod, &bias) : NULL;
}

void dwarf_relocatable_symbols(struct dwarf_relocatable *r,
			       void (*fn)(void *ctx, const struct elf_symbol *s), void *ctx)
{
	int n = r->mod ? dwfl_module_getsymtab(r->mod) : 0;

	for (int i = 1; i < n; i++) {
		struct elf_symbol s = { .nr = (u32)i };
		GElf_Word shndx;
		GElf_Addr addr;
		GElf_Sym sym;

		s.name = dwfl_module_getsym_info(r->mod, i, &sym, &addr, &shndx, NULL, NULL);
		if (!s.name || !s.name[0] || shndx == SHN_UNDEF || shndx >= SHN_LORESERVE)
			continue;
		s.value = addr;
		s.size = sym.st_size;
		s.shndx = shndx;
		s.binding = GELF_ST_BIND(sym.st_info);
		s.type = GELF_ST_TYPE(sym.st_info);
		fn(ctx, &s);
	}
}

void dwarf_relocatable_close(struct dwarf_relocatable *r)
{
	if (r->dwfl)
		dwfl_end(r->dwfl);
	*r = (struct dwarf_relocatable){ NULL, NULL };
}

void dwarf_frames_open(struct dwarf_frames *f, const struct elf *main, Dwarf *dw)
{
	elf_version(EV_CURRENT);
	f->fd = main && main->fd >= 0 ? fcntl(main->fd, F_DUPFD_CLOEXEC, 3) : -1;
	f->elf = f->fd >= 0 ? elf_begin(f->fd, ELF_C_READ_MMAP, NULL) : NULL;
	f->eh = f->elf ? dwarf_getcfi_elf(f->elf) : NULL;
	f->debug = dw ? dwarf_getcfi(dw) : NULL;
}

void dwarf_frames_of(struct dwarf_frames *f, struct dwarf_relocatable *r)
{
	Dwarf_Addr bias;

	f->debug = dwfl_module_dwarf_cfi(r->mod, &bias);	/* these belong to the module */
}

Dwarf_Frame *dwarf_frames_at(const struct dwarf_frames *f, u64 rva)
{
	Dwarf_Frame *frame = NULL;

	if ((f->eh && !dwarf_cfi_addrframe(f->eh, rva, &frame)) ||
	    (f->debug && !dwarf_cfi_addrframe(f->debug, rva, &frame)))
		return frame;
	return NULL;
}

void dwarf_frames_close(struct dwarf_frames *f)
{
	if (f->eh)
		dwarf_cfi_end(f->eh);
	if (f->elf)
		elf_end(f->elf);
	if (f->elf && f->fd >= 0)
		close(f->fd);
	*f = (struct dwarf_frames){ .fd = -1 };
}
