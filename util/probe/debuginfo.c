// SPDX-License-Identifier: GPL-2.0-or-later
// Where the DWARF of a target is.
#include <errno.h>
#include <stdlib.h>

#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/probe/probe-priv.h"

/* By the same ways as reports find it. */
static void open_dwarf(struct probe_obj *p)
{
	struct symbols_opts *so = p->debug.opts = xnew(struct symbols_opts);
	struct dso_key key = { .kind = DSO_FILE, .path = p->file };

	so->symfs = p->opts->symfs;
	so->buildid_dir = p->opts->buildid_dir;
	so->debuginfod_urls = p->opts->debuginfod_urls;
	p->debug.store = dso_store_new(p->opts->os, so);
	p->debug.dso = dso_get(p->debug.store, &key);
	if (!dso_set_file(p->debug.dso, p->file, NULL) && !dso_dwarf(p->debug.dso, &p->debug.file))
		p->debug.dw = p->debug.file.dw;
}

static int kernel_no_dwarf(const struct probe_obj *p, struct err *err)
{
	struct os_release_text u;
	const char *release = os_kernel_release(p->opts->os, &u) ? u.text : "this kernel";

	if (p->file) {
		err_set(err, ENOENT, "'%s' has no debug information", p->file);
		err_hint(err, "kernels and modules have it when they are built with "
			      "CONFIG_DEBUG_INFO=y, and distributions put it into "
			 "debug packages;\n%s names another file", p->module ? "-m FILE.ko" :
			 "-k FILE");
	} else if (p->module) {
		err_set(err, ENOENT, "there is no debug information of the module '%s': no file of "
				     "it with any was found", p->module);
		err_hint(err, "install the debug package of the kernel %s, or name a file: -m "
			      "FILE.ko", release);
	} else {
		err_set(err, ENOENT, "there is no debug information of the kernel %s: its vmlinux "
				     "was not found", release);
		err_hint(err, "install the kernel's debug package (Debian: linux-image-%s-dbg; "
			      "Ubuntu: -dbgsym; Fedora: kernel-debuginfo), "
			 "or name the file: -k FILE%s%s", release, p->tried ? "\nIt is none of " :
			 "", p->tried ? p->tried : "");
	}
	return -ENOENT;
}

static int no_dwarf(struct probe_obj *p, struct err *err)
{
	struct build_id id = { .n = 0 };
	struct str s = STR_INIT;

	if (p->kernel)
		return kernel_no_dwarf(p, err);
	err_set(err, ENOENT, "'%s' has no debug information", p->file ? p->file : pobj_name(p));
	if (p->file && !build_id_of_file(p->file, &id, NULL) && id.n) {
		build_id_add(&s, &id);
		err_hint(err, "build it with -g, install its debug package (a file "
			      "/usr/lib/debug/.build-id/%.2s/%s.debug), or set "
			 "DEBUGINFOD_URLS", str_cstr(&s), str_cstr(&s) + 2);
	} else {
		err_hint(err, "build it with -g, or install its debug package");
	}
	str_release(&s);
	return -ENOENT;
}

int pobj_dwarf(struct probe_obj *p, struct err *err)
{
	if (p->debug.tried)
		return p->debug.dw ? 0 : no_dwarf(p, err);
	p->debug.tried = true;
	if (!p->has_elf)
		return no_dwarf(p, err);
	if (p->is_rel) {
		p->debug.dw = dwarf_relocatable_open(&p->debug.rel, p->file);
		return p->debug.dw ? 0 : no_dwarf(p, err);
	}
	open_dwarf(p);
	log_printf(LOG_PROBE, 1, "debug information of %s: %s", p->file, p->debug.dw ?
		   dso_debug_file(p->debug.dso) ?: p->file : "none");
	return p->debug.dw ? 0 : no_dwarf(p, err);
}
