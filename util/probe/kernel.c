// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel as a target: its image and modules, its symbols, what must not be probed.
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/elf/symfs.h"
#include "util/os/kernel.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"
#include "util/symbols/kallsyms.h"

static bool is_running(const struct os *os, const char *file)
{
	struct build_id a = { .n = 0 }, b = { .n = 0 };

	return !build_id_of_file(file, &a, NULL) && !build_id_of_kernel(os, &b, NULL) && a.n &&
		build_id_equal(&a, &b);
}

/* The image of the running kernel, by its build-id. */
static char *find_vmlinux(const struct probe_opts *o, struct str *tried)
{
	static const char *const where[] = { "/usr/lib/debug/boot/vmlinux-%s", "/boot/vmlinux-%s",
					     "/lib/modules/%s/build/vmlinux",
					     "/usr/lib/debug/lib/modules/%s/vmlinux",
					     "/lib/modules/%s/vmlinux" };
	struct os_release_text u;
	struct build_id id = { .n = 0 };
	char *path;

	if (!os_kernel_release(o->os, &u))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(where); i++) {
		struct str s = STR_INIT;
		const char *pct = strstr(where[i], "%s");

		str_addf(&s, "%.*s%s%s", (int)(pct - where[i]), where[i], u.text, pct + 2);
		path = symfs_given(o->symfs) ? symfs_path(o->symfs, str_cstr(&s)) :
			xstrdup(str_cstr(&s));
		str_release(&s);
		if (!access(path, R_OK) && is_running(o->os, path))
			return path;
		str_addf(tried, "%s%s%s", tried->len ? ", " : "", path, access(path, R_OK) ? "" :
			 " (of another kernel)");
		free(path);
	}
	if (!build_id_of_kernel(o->os, &id, NULL) && id.n > 1) {
		struct str hex = STR_INIT;

		build_id_add(&hex, &id);
		char *own = xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", str_cstr(&hex),
				      str_cstr(&hex) + 2);

		path = symfs_given(o->symfs) ? symfs_path(o->symfs, own) : xstrdup(own);
		free(own);
		str_release(&hex);
		if (!access(path, R_OK))
			return path;
		str_addf(tried, "%s%s", tried->len ? ", " : "", path);
		free(path);
	}
	return NULL;
}

/* "/x/nf-nat.ko.xz" -> "nf_nat" */
static char *module_name(const char *path)
{
	const char *base = strrchr(path, '/');
	char *s = xstrdup(base ? base + 1 : path), *dot = strstr(s, ".ko");

	if (dot)
		*dot = 0;
	for (char *p = s; *p; p++)
		if (*p == '-')
			*p = '_';
	return s;
}

static bool has_debug_info(const char *file)
{
	struct elf e;
	const struct elf_sec *info;
	bool has;

	if (elf_open(&e, file, NULL))
		return false;
	info = elf_find(&e, ".debug_info");
	has = info && info->type != SHT_NOBITS && !(info->flags & SHF_COMPRESSED);
	elf_close(&e);
	return has;
}

/* "nf-nat.ko", "nf_nat.ko.debug" below the directory, with debug information; the caller frees. */
static char *module_below(char *dir, const char *name)
{
	char *const roots[] = { dir, NULL };
	FTS *fts = access(dir, R_OK) ? NULL : fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;
	char *found = NULL;

	while (fts && !found && (e = fts_read(fts))) {
		char *plain = e->fts_info == FTS_F ? module_name(e->fts_name) : NULL;

		if (plain && !strcmp(plain, name) && strstr(e->fts_name, ".ko") &&
		    has_debug_info(e->fts_path))
			found = xstrdup(e->fts_path);
		free(plain);
	}
	if (fts)
		fts_close(fts);
	return found;
}

/* The file of a loaded module that has debug information, where distributions and "make
 * modules_install" put it. */
static char *find_module(const struct probe_opts *o, const char *name)
{
	static const char *const where[] = { "/usr/lib/debug/lib/modules/", "/lib/modules/" };
	struct os_release_text u;
	char *found = NULL;

	if (!os_kernel_release(o->os, &u))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(where) && !found; i++) {
		char *own = xasprintf("%s%s", where[i], u.text);
		char *dir = symfs_given(o->symfs) ? symfs_directory(o->symfs, own) : xstrdup(own);

		free(own);
		found = module_below(dir, name);
		free(dir);
	}
	return found;
}

static int open_module(struct probe_obj *p, const char *module, struct err *err)
{
	p->module = module_name(module);
	if (strchr(module, '/') || str_has_suffix(module, ".ko")) {
		p->file = xstrdup(module);
		return pobj_open_elf(p, module, err);
	}
	if (!os_module_loaded(p->opts->os, p->module, NULL)) {
		err_set(err, ENOENT, "module '%s' is not loaded", module);
		err_hint(err, "load it (modprobe %s), or name its file with its path: -m "
			      "/lib/modules/.../%s.ko", module, module);
		return -ENOENT;
	}
	p->file = find_module(p->opts, p->module);
	return p->file ? pobj_open_elf(p, p->file, err) : 0;
}

struct probe_obj *probe_open_kernel(const struct probe_opts *o, const char *module, struct err *err)
{
	struct probe_obj *p = xnew(struct probe_obj);
	struct str tried = STR_INIT;
	char *found = NULL;
	int ret = 0;

	p->opts = o;
	p->kernel = true;
	p->arch = arch_host();
	if (module) {
		ret = open_module(p, module, err);
	} else if (o->vmlinux) {
		p->file = xstrdup(o->vmlinux);
		ret = pobj_open_elf(p, o->vmlinux, err);
	} else {
		found = find_vmlinux(o, &tried);
		if (found) {
			p->file = found;
			ret = pobj_open_elf(p, found, err);
		}
	}
	if (tried.len)
		p->tried = xstrdup(str_cstr(&tried));
	str_release(&tried);
	if (!ret)
		return p;
	probe_close(p);
	return NULL;
}

/* --- what must not be probed */

/* "0xffffffff81000000-0xffffffff81000020\tname": by address; by name when the addresses are
 * those of an image. */
static bool line_forbids(const struct probe_obj *p, const char *line, const char *symbol, u64 addr)
{
	const char *tab = strchr(line, '\t');
	char *end;
	u64 lo = strtoull(line, &end, 16), hi = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;

	return p->has_elf ? symbol && tab && !strcmp(tab + 1, symbol) : addr >= lo && addr < hi;
}

static bool in_blacklist(const struct probe_obj *p, const char *symbol, u64 addr)
{
	struct str s = STR_INIT;
	bool hit = false;

	if (!os_kprobe_blacklist(p->opts->os, &s, NULL))
		for (char *l = s.buf; l && *l && !hit;) {
			char *nl = strchr(l, '\n');

			if (nl)
				*nl = 0;
			hit = line_forbids(p, l, symbol, addr);
			l = nl ? nl + 1 : NULL;
		}
	str_release(&s);
	return hit;
}

int kernel_check(struct probe_obj *p, const char *symbol, u64 addr, struct err *err)
{
	const struct psym *from, *to;
	bool bad = false;

	from = pobj_symbol(p, "__kprobes_text_start");
	to = pobj_symbol(p, "__kprobes_text_end");
	if (from && to && addr >= from->addr && addr < to->addr)
		bad = true;
	from = pobj_symbol(p, "__noinstr_text_start");
	to = pobj_symbol(p, "__noinstr_text_end");
	if (from && to && addr >= from->addr && addr < to->addr)
		bad = true;
	if (!bad && in_blacklist(p, symbol, addr))
		bad = true;
	if (bad) {
		err_set(err, EACCES, "'%s' cannot be probed: the kernel needs it to handle probes "
				     "(kprobe blacklist, noinstr)",
			symbol ? symbol : "this address");
		err_hint(err, "probe its callers instead; /sys/kernel/debug/kprobes/blacklist "
			      "lists such functions");
	}
	return bad ? -EACCES : 0;
}
