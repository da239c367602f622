// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of split DWARF units as compilers leave them (.dwo), in a form that libdw reads. Most are;
 * not those with a section for each type unit (gcc, version 5), and not object files that have both
 * halves (clang's -gsplit-dwarf=single): of these the sections of the full unit become a file in
 * memory.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"

static const char *const names[] = {
	".debug_info.dwo", ".debug_types.dwo", ".debug_abbrev.dwo", ".debug_line.dwo",
		".debug_loc.dwo", ".debug_str_offsets.dwo",
	".debug_macinfo.dwo", ".debug_macro.dwo", ".debug_loclists.dwo", ".debug_rnglists.dwo",
	".debug_str.dwo",
};
/* the first ones hold units; sections packed better than this are no debug information */
enum { N_UNITS = 2, EXPANDS = 64 };

int dwarf_memory_file(const struct str *image)
{
	int fd = memfd_create("unit", MFD_CLOEXEC);

	if (fd >= 0 && io_write(fd, image->buf, image->len) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool libdw_reads(struct elf *e)
{
	u32 n_units = 0;

	for (u32 i = 0; i < e->n_secs; i++) {
		n_units += !strcmp(e->secs[i].name, names[0]);
		if (e->secs[i].flags & SHF_COMPRESSED && str_has_prefix(e->secs[i].name, ".debug_"))
			return false;
	}
	return n_units == 1 && !elf_find(e, ".debug_info");
}

/* Appends all sections of that name: units refer to each other by ids, and to other sections by
 * places in these. */
static void join(struct elf *e, const char *name, bool all, struct str *out)
{
	u64 left = EXPANDS * e->bytes;

	for (u32 i = 0; i < e->n_secs; i++) {
		struct span data = strcmp(e->secs[i].name, name) ? (struct span){ 0 } :
			elf_data(e, &e->secs[i]);

		if (data.len > left)
			break;
		if (data.len)
			str_addn(out, data.ptr, data.len);
		left -= data.len;
		elf_drop(&e->secs[i]);
		if (data.len && !all)
			break;
	}
}

static int full_half(struct elf *e)
{
	struct image_sec secs[ARRAY_SIZE(names)];
	struct str parts[ARRAY_SIZE(names)] = { STR_INIT }, image = STR_INIT;
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		parts[i] = (struct str)STR_INIT;
		join(e, names[i], i < N_UNITS, &parts[i]);
		if (parts[i].len)
			secs[n++] = (struct image_sec){ names[i],
							{ (const u8 *)parts[i].buf,
							  parts[i].len } };
	}
	dwarf_image_of(e, secs, n, &image);
	int fd = dwarf_memory_file(&image);

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		str_release(&parts[i]);
	str_release(&image);
	return fd;
}

static int try_file(char *path)
{
	struct elf e;
	int fd = -1;

	if (elf_open(&e, path, NULL) == 0) {
		if (libdw_reads(&e))
			fd = fcntl(e.fd, F_DUPFD_CLOEXEC, 3);
		else if (elf_find(&e, names[0]))
			fd = full_half(&e);
		elf_close(&e);
	}
	free(path);
	return fd;
}

int dwarf_dwo_open(const char *dir, const char *name, const char *beside)
{
	const char *slash = strrchr(beside, '/');
	int fd = -1;

	if (name[0] == '/')
		return try_file(xstrdup(name));
	if (dir)
		fd = try_file(xasprintf("%s/%s", dir, name));
	return fd >= 0 ? fd : try_file(xasprintf("%.*s%s", slash ? (int)(slash + 1 - beside) : 0,
						 beside, name));
}
