// SPDX-License-Identifier: GPL-2.0-or-later
// Opening a target: which file runs, what the kernel is to be reported, which file has its
// DWARF, and all its symbols.
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/elf/elf.h"
#include "util/elf/symfs.h"
#include "util/os/procfs.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"

/* --- paths */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static char *find_in_path(const char *name)
{
	const char *p = getenv("PATH");

	while (p && *p) {
		size_t n = strcspn(p, ":");
		char *try = xasprintf("%.*s/%s", (int)n, n ? p : ".", name);

		if (!access(try, X_OK))
			return try;
		free(try);
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* A link through another mount namespace (/proc/PID/root) leads elsewhere when it is read here:
 * then the path stays as it is. */
static char *resolve_path(const char *path)
{
	char *real = realpath(path, NULL), cwd[4096];

	if (real && same_file(real, path))
		return real;
	free(real);
	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return xstrdup(path);
	return xasprintf("%s/%s", cwd, path);
}

static int user_paths(struct probe_obj *p, const char *path, struct err *err)
{
	const struct probe_opts *o = p->opts;
	bool elsewhere = false;		/* the file stands in for one of another machine */
	char *at;
	struct stat st;

	if (o->target_ns && path[0] != '/')
		return err_set(err, EINVAL, "'%s': in another process's root the path must be "
					    "absolute", path);
	at = o->target_ns ? procfs_root_name(o->target_ns, path) : xstrdup(path);
	if (symfs_given(o->symfs) && access(at, F_OK)) {
		free(at);
		at = symfs_path(o->symfs, path);
		elsewhere = path[0] == '/';
	}
	if (stat(at, &st) && errno == ENOENT && !strchr(path, '/') && !o->target_ns) {
		char *found = find_in_path(path);

		if (found) {
			free(at);
			at = found;
		}
	}
	if (stat(at, &st)) {
		int code = errno;

		err_sys(err, code, "cannot open '%s'", at);
		if (code == ENOENT)
			hint_program(o, path, at, err);
		free(at);
		return -code;
	}
	p->file = resolve_path(at);
	p->path = xstrdup(elsewhere ? path : p->file);
	free(at);
	if (!S_ISREG(st.st_mode))
		return err_set(err, EINVAL, "'%s' is not a regular file", path);
	return 0;
}

/* --- ELF */

bool pobj_file_off(const struct probe_obj *p, u64 va, u64 *off)
{
	u64 at = elf_rva_to_off(&p->elf, va);

	if (at != UINT64_MAX)
		*off = at;
	return at != UINT64_MAX;
}

bool pobj_is_code(const struct probe_obj *p, u64 va)
{
	for (u32 i = 0; i < p->elf.n_segs; i++) {
		const struct elf_seg *s = &p->elf.segs[i];

		if (s->type == PT_LOAD && s->flags & PF_X && va >= s->va &&
		    va - s->va < s->file_bytes)
			return true;
	}
	return false;
}

int pobj_open_elf(struct probe_obj *p, const char *file, struct err *err)
{
	int ret = elf_open(&p->elf, file, err);

	if (ret == -ENOEXEC || ret == -EBADMSG) {
		err_set(err, ENOEXEC, "'%s' is no ELF file", file);
		err_hint(err, "%s", p->kernel ? "a vmlinux or a module (.ko, unpacked) is needed, "
						"not a boot image" :
			 "name a program or library; of a script, its interpreter");
	}
	if (ret)
		return ret;
	p->has_elf = true;
	p->arch = arch_by_elf(p->elf.machine, p->elf.is64, false);
	if (!p->arch)
		return err_set(err, ENOTSUP, "'%s' is for a machine that is not known here (ELF "
					     "machine %u)", file, p->elf.machine);
	p->is_rel = p->elf.type == ET_REL;
	return 0;
}

struct probe_obj *probe_open_user(const struct probe_opts *o, const char *path, struct err *err)
{
	struct probe_obj *p = xnew(struct probe_obj);

	p->opts = o;
	if (user_paths(p, path, err) || pobj_open_elf(p, p->file, err)) {
		probe_close(p);
		return NULL;
	}
	return p;
}

void probe_close(struct probe_obj *p)
{
	if (!p)
		return;
	dwarf_frames_close(&p->debug.frames);
	dwarf_relocatable_close(&p->debug.rel);
	dwarf_file_close(&p->debug.file);
	elf_close(&p->debug.tables);
	elf_close(&p->elf);
	for vec_each(s, &p->names.all)
		free(s->plain);
	vec_free(&p->names.all);
	vec_free(&p->units.all);
	strmap_release(&p->names.by_name);
	fnindex_free(p->units.index);
	arena_release(&p->names.mem);
	if (p->debug.store)
		dso_store_free(p->debug.store);
	free(p->debug.opts);
	free(p->tried);
	free(p->module);
	free(p->path);
	free(p->file);
	free(p);
}

const char *pobj_name(const struct probe_obj *p)
{
	return p->path ? p->path : p->module ? p->module : "the kernel";
}

