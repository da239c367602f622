// SPDX-License-Identifier: GPL-2.0-or-later
// What the file says about the machine, the command and the binaries that were mapped.
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "util/record/output.h"

/* The vdso is no file: its build-id is read from this process's own copy. */
static int vdso_note(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct build_id *id = ctx;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const u8 *p = (const u8 *)info->dlpi_addr + ph->p_vaddr, *end = p + ph->p_memsz;

		if (ph->p_type == PT_LOAD && ph->p_offset == 0 && (u64)(uintptr_t)p != getauxval(AT_SYSINFO_EHDR))
			return 0;
		while (ph->p_type == PT_NOTE && (size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *n = (const void *)p;
			const u8 *desc = p + sizeof(*n) + ALIGN_UP(n->n_namesz, 4U);

			if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && n->n_descsz <= sizeof(id->bytes) &&
			    desc + n->n_descsz <= end) {
				memcpy(id->bytes, desc, n->n_descsz);
				id->n = (u8)n->n_descsz;
				return 1;
			}
			p = desc + ALIGN_UP(n->n_descsz, 4U);
		}
	}
	return 0;
}

/* The file at path is the one that was mapped: a replaced one, or another root's file of this name, has another number. */
static bool is_same_file(const struct output_dso *d, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	return !d->ino || st.st_ino == d->ino;
}

static bool file_build_id(const struct output_dso *d, struct build_id *id)
{
	static const char *const no_files[] = { "//anon", "/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "/i915", "/drm" };
	struct err e = ERR_INIT;
	char *path;
	bool ok;

	if (d->path[0] != '/')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(no_files); i++)
		if (str_has_prefix(d->path, no_files[i]))
			return false;
	path = is_same_file(d, d->path) ? xstrdup(d->path) : xasprintf("/proc/%d/root%s", (int)d->pid, d->path);
	ok = is_same_file(d, path) && !build_id_of_file(path, id, &e) && id->n;
	free(path);
	err_release(&e);
	return ok;
}

static bool find_build_id(const struct output *out, const struct output_dso *d, struct build_id *id)
{
	struct err e = ERR_INIT;

	*id = d->id;
	if (!id->n && !strcmp(d->path, "[vdso]"))
		dl_iterate_phdr(vdso_note, id);
	else if (!id->n && d->kernel && str_has_prefix(d->path, "[kernel.kallsyms]") && build_id_of_kernel(out->os, id, &e))
		id->n = 0;
	else if (!id->n && !file_build_id(d, id))
		id->n = 0;
	err_release(&e);
	return id->n;
}

static void add_build_ids(struct output *out, struct data_features *f)
{
	for (size_t i = 0; i < out->scan.dsos.n; i++) {
		const struct output_dso *d = out->scan.dsos.v[i];
		const char *path = d->path;
		struct build_id id;

		if (!find_build_id(out, d, &id))
			continue;
		if (d->kernel && str_has_prefix(path, "[kernel.kallsyms]"))
			path = "[kernel.kallsyms]";
		data_add_build_id(f, id.bytes, id.n, d->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, -1, path);
	}
}

static u64 clock_res_ns(int clockid)
{
	struct timespec ts = { 0, 1 };

	clock_getres(clockid, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

void output_features(struct output *out, struct data_features *f)
{
	const struct record_opts *o = out->o;

	data_features_collect(f, out->os);
	data_set_str(f, FEAT_VERSION, o->version);
	data_set_cmdline(f, o->argc, o->argv);
	if (out->scan.first_ns != UINT64_MAX)
		data_set_sample_time(f, out->scan.first_ns, out->scan.last_ns);
	else
		data_set_sample_time(f, 0, 0);
	if (!o->no_buildid)
		add_build_ids(out, f);
	for (size_t i = 0; i < out->list->events.n; i++)
		if (out->list->events.v[i]->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			data_set(f, FEAT_BRANCH_STACK);
	if (o->clockid != RECORD_NO_CLOCKID) {
		f->clockid_res_ns = clock_res_ns(o->clockid);
		f->clockid = (u32)o->clockid;
		f->clock_tod_ns = out->clock_tod_ns;
		f->clock_ns = out->clock_ns;
		data_set(f, FEAT_CLOCKID);
		data_set(f, FEAT_CLOCK_DATA);
	}
}
