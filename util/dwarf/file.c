// SPDX-License-Identifier: GPL-2.0-or-later
// Opening the debug information of a file for libdw, with all that belongs to it.
#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/dwarf/dwarf-priv.h"

static bool begin(struct dwarf_file *f, struct elf *from, const struct dwarf_where *w)
{
	f->dw = f->elf ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL) : NULL;
	if (f->dw && f->shares)
		f->alt = dwarf_alt_open(from, w, f->dw);
	return f->dw != NULL;
}

int dwarf_file_open(struct dwarf_file *f, struct elf *from, const struct dwarf_where *w)
{
	*f = (struct dwarf_file){ .fd = -1 };
	if (dwarf_alt_is_no_file(from))
		return -EINVAL;
	elf_version(EV_CURRENT);
	f->pkg = dwarf_pkg_open(from, w);
	if (f->pkg || dwarf_needs_image(from)) {
		dwarf_image(from, f->pkg ? dwarf_pkg_link(f->pkg) : NULL, &f->image);
		f->elf = elf_memory(f->image.buf, f->image.len);
		if (f->pkg && f->elf)
			dwarf_pkg_rename(f->pkg, f->elf, &f->image);
	} else {
		f->fd = fcntl(from->fd, F_DUPFD_CLOEXEC, 3);
		if (f->fd < 0)
			dwarf_note_open(w, -errno);
		else
			f->elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	}
	f->shares = elf_find(from, ".gnu_debugaltlink") != NULL;
	if (begin(f, from, w))
		return 0;
	dwarf_file_close(f);
	return -ENOENT;
}

Dwarf *dwarf_file_begin(struct dwarf_file *f)
{
	return f->shares ? NULL : dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
}

static Elf *private_elf(struct dwarf_file *f)
{
	if (!f->private_tried) {
		f->private_tried = true;
		if (f->elf && f->fd >= 0)
			f->private_elf = elf_begin(f->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	}
	return f->private_elf;
}

/* Nothing before the unit is there but one unit without entries. What is written to the private
 * copy is taken back: libdw has noted it by then. */
bool dwarf_file_window(struct dwarf_file *f, u32 head, u64 start, Dwarf_Die *die)
{
	GElf_Shdr sh;
	Elf_Scn *scn = dwarf_section_named(private_elf(f), ".debug_info", NULL, &sh);
	Elf_Data *info = !scn || sh.sh_type == SHT_NOBITS || sh.sh_flags & SHF_COMPRESSED ? NULL :
		elf_rawdata(scn, NULL);
	Dwarf *dw = info && head + 4 <= info->d_size ?
		dwarf_begin_elf(f->private_elf, DWARF_C_READ, NULL) : NULL;
	u32 bytes = head - 4, real;
	bool ok;

	if (!dw)
		return false;
	vec_push(&f->windows, dw);
	memcpy(&real, info->d_buf, 4);
	if (head)
		memcpy(info->d_buf, &bytes, 4);
	ok = dwarf_offdie(dw, start, die) != NULL;
	memcpy(info->d_buf, &real, 4);
	return ok;
}

void dwarf_file_close(struct dwarf_file *f)
{
	for vec_each(d, &f->windows)
		dwarf_end(*d);
	vec_free(&f->windows);
	if (f->private_elf)
		elf_end(f->private_elf);
	if (f->dw)
		dwarf_end(f->dw);
	dwarf_alt_close(f->alt);
	if (f->elf)
		elf_end(f->elf);
	if (f->elf && f->fd >= 0)
		close(f->fd);
	dwarf_pkg_close(f->pkg);
	str_release(&f->image);
	*f = (struct dwarf_file){ .fd = -1 };
}

bool dwarf_file_full_unit(struct dwarf_file *f, const Dwarf_Die *cu, Dwarf_Die *full)
{
	Dwarf_Die sub;
	u8 type;

	*full = *cu;
	if (dwarf_cu_info(cu->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return false;
	if (!f->pkg)
		return false;
	dwarf_pkg_attach(f->pkg, cu->cu);
	if (dwarf_cu_info(cu->cu, NULL, NULL, NULL, &sub, NULL, NULL, NULL) || !sub.addr ||
	    !dwarf_tag(&sub))
		return false;
	*full = sub;
	return true;
}

char *dwarf_file_split_path(const struct dwarf_file *f, const Dwarf_Die *cu)
{
	return f->pkg ? dwarf_pkg_wanted(f->pkg, cu->cu) : NULL;
}
