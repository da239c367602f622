// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The supplementary file of DWARF that dwz shared out among programs (.gnu_debugaltlink). libdw
 * looks for it beside the file and below /usr/lib/debug, and refuses one that has strings only;
 * here the rest is found, and its strings are read.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/dwarf/dwarf-priv.h"
#include "util/dwarf/form-priv.h"
#include "util/elf/symfs.h"

struct dwarf_alt {
	struct elf file;
	struct span strings;
	Elf *elf;
	Dwarf *dw;
	int fd;
};

static bool try_alt(struct dwarf_alt *a, const struct dwarf_where *w, const struct build_id *want,
		    char *path)
{
	struct build_id id;
	int ret = elf_open(&a->file, path, NULL);
	bool ok = ret == 0;

	dwarf_note_open(w, ret);

	if (ok && (!elf_build_id(&a->file, &id) || !build_id_equal(&id, want))) {
		elf_close(&a->file);
		ok = false;
	}
	free(path);
	return ok;
}

/* In the directory of the file at path; name may be absolute. */
static char *beside(const char *path, const char *name)
{
	char *real = name[0] == '/' ? NULL : realpath(path, NULL), *out;

	if (!real)
		return xstrdup(name);
	char *slash = strrchr(real, '/');

	out = xasprintf("%.*s/%s", (int)(slash - real), real, name);
	free(real);
	return out;
}

/* Reading a pipe or a terminal would wait for ever, and libdw opens whatever has that name. */
static bool is_no_file(char *path)
{
	struct stat st;
	bool other = stat(path, &st) == 0 && !S_ISREG(st.st_mode);

	free(path);
	return other;
}

bool dwarf_alt_is_no_file(struct elf *from)
{
	struct span link = elf_data(from, elf_find(from, ".gnu_debugaltlink"));

	return link.len && memchr(link.ptr, 0, link.len) &&
		is_no_file(beside(from->path, (const char *)link.ptr));
}

static bool find_alt(struct dwarf_alt *a, struct elf *from, const struct dwarf_where *w,
		     const char *name, const struct build_id *id)
{
	return try_alt(a, w, id, beside(from->path, name)) ||
	       (w->path && try_alt(a, w, id, beside(w->path, name))) ||
	       (symfs_given(w->symfs) && try_alt(a, w, id, symfs_path(w->symfs, name))) ||
	       (w->cache_dir && (try_alt(a, w, id, build_id_path(w->cache_dir, id, "/debug")) ||
				 try_alt(a, w, id, build_id_path(w->cache_dir, id, "/elf")))) ||
	       try_alt(a, w, id, build_id_path("/usr/lib/debug", id, ".debug"));
}

struct dwarf_alt *dwarf_alt_open(struct elf *from, const struct dwarf_where *w, Dwarf *dw)
{
	struct span link = elf_data(from, elf_find(from, ".gnu_debugaltlink"));
	const u8 *end = link.len ? memchr(link.ptr, 0, link.len) : NULL;
	struct build_id id = { .n = 0 };

	if (!end || dwarf_getalt(dw))
		return NULL;
	size_t n = link.ptr + link.len - (end + 1);

	if (n < 2 || n > sizeof(id.bytes))
		return NULL;
	memcpy(id.bytes, end + 1, n);
	id.n = n;
	struct dwarf_alt *a = xnew(struct dwarf_alt);

	a->fd = -1;
	if (!find_alt(a, from, w, (const char *)link.ptr, &id)) {
		free(a);
		return NULL;
	}
	a->strings = elf_data(&a->file, elf_find(&a->file, ".debug_str"));
	a->fd = fcntl(a->file.fd, F_DUPFD_CLOEXEC, 3);
	if (a->fd < 0)
		dwarf_note_open(w, -errno);
	a->elf = a->fd >= 0 ? elf_begin(a->fd, ELF_C_READ_MMAP, NULL) : NULL;
	a->dw = a->elf ? dwarf_begin_elf(a->elf, DWARF_C_READ, NULL) : NULL;
	if (a->dw)
		dwarf_setalt(dw, a->dw);
	return a;
}

void dwarf_alt_close(struct dwarf_alt *a)
{
	if (!a)
		return;
	if (a->dw)
		dwarf_end(a->dw);
	if (a->elf)
		elf_end(a->elf);
	if (a->fd >= 0)
		close(a->fd);
	elf_close(&a->file);
	free(a);
}

const char *dwarf_alt_string(const struct dwarf_alt *a, Dwarf_Attribute *attr)
{
	unsigned form = dwarf_whatform(attr);
	struct form_unit unit = { .off_bytes = 4 };
	Dwarf_Die cu;
	u64 off;

	if (!a || (form != DW_FORM_GNU_strp_alt && form != DW_FORM_strp_sup) ||
	    !dwarf_cu_die(attr->cu, &cu, NULL, NULL, NULL, &unit.off_bytes, NULL, NULL))
		return NULL;
	/* libdw has checked that the value lies within its section */
	unit.swap = a->file.swap;
	if (!form_number(&unit, form, attr->valp, attr->valp + unit.off_bytes, &off) ||
	    off >= a->strings.len)
		return NULL;
	return (const char *)a->strings.ptr + off;	/* a NUL is after the section */
}
