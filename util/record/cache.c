// SPDX-License-Identifier: GPL-2.0-or-later
// The build-id cache after a recording: what samples hit is kept.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/os/procfs.h"
#include "util/record/output.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/debuginfod.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/mapped.h"

#define HEAD_BYTES (128 << 10)

/* With hidden addresses the list is of no use, and would stay in the way of a better one. */
static bool shows_kernel_addresses(const struct os *os)
{
	char *head = xcalloc(1, HEAD_BYTES + 1);
	const int fd = os_open_kallsyms(os);
	bool shows = false;

	/* the first ones may be 0: offsets of per-CPU variables */
	if (fd >= 0 && io_read(fd, head, HEAD_BYTES) > 0)
		for (const char *p = head; p && !shows; p = strchr(p, '\n') ? strchr(p, '\n') + 1 :
		     NULL)
			shows = *p && strspn(p, "0") < 16 && strspn(p, "0123456789abcdef") == 16;
	if (fd >= 0)
		close(fd);
	free(head);
	return shows;
}

static int keep_kernel(const struct output *out, const char *dir, const struct build_id *id,
		       struct err *err)
{
	struct build_id running;

	if (build_id_of_kernel(out->os, &running, NULL) || !build_id_equal(&running, id))
		return -ENOENT;
	if (out->o->vmlinux && buildid_cache_add(dir, id, "[kernel.kallsyms]", out->o->vmlinux,
						 BUILDID_ELF, err))
		return -EIO;
	if (!shows_kernel_addresses(out->os))
		return -ENOENT;
	return buildid_cache_add(dir, id, "[kernel.kallsyms]", OS_KALLSYMS, BUILDID_KALLSYMS, err);
}

static int keep_file(const struct output *out, const char *dir, const struct output_dso *d,
		     const struct build_id *id, struct err *err)
{
	const struct mapped m = { .path = d->path, .ino = d->ino, .pid = d->pid,
				  .kernel = d->kernel };
	const size_t n = strlen(d->path), mark = str_has_suffix(d->path, " (deleted)") ? 10 : 0;
	char *name = xstrndup(d->path, n - mark), *file = mark ? NULL :
		mapped_file_with_id(out->os, &m, id);
	struct build_id its;
	int ret = -ENOENT;

	/* a process takes its root directory with it when it ends, which may be now */
	if (file && d->fd >= 0 && procfs_is_path(file)) {
		free(file);
		file = NULL;
	}
	if (!file && d->fd >= 0 && build_id_of_fd(d->fd, &its) && build_id_equal(&its, id))
		file = procfs_fd_name(d->fd);
	if (file)
		ret = buildid_cache_add(dir, id, name, file, BUILDID_ELF, err);
	free(file);
	free(name);
	return ret;
}

static int keep_contents(const char *dir, const struct output_dso *d, const struct build_id *id,
			 struct err *err)
{
	const size_t n = strlen(d->path), mark = str_has_suffix(d->path, " (deleted)") ? 10 : 0;
	char *name = d->is_bare ? xstrndup(d->path, n - mark) : output_dso_name(d);
	int ret = buildid_cache_add_bytes(dir, id, name,
					  (struct span){ (const u8 *)d->map.buf, d->map.len },
					  BUILDID_ELF, err);

	free(name);
	return ret;
}

static bool is_kernel(const struct output_dso *d)
{
	return d->kernel && str_has_prefix(d->path, "[kernel.kallsyms]");
}

/* 0 also for what has no build-id, or is there already. */
static int keep(const struct output *out, const char *dir, const struct output_dso *d,
		struct err *err)
{
	struct build_id id;

	if (!output_build_id(out, d, &id) || id.n < 2 ||
	    (buildid_cache_has(dir, &id) && !(out->o->vmlinux && is_kernel(d))))
		return 0;
	if (d->is_map || d->is_dump || d->is_bare)
		return keep_contents(dir, d, &id, err);
	if (str_has_prefix(d->path, "[vdso"))
		return buildid_cache_add_vdso(out->os, dir, d->path, err);
	if (is_kernel(d))
		return keep_kernel(out, dir, &id, err);
	return keep_file(out, dir, d, &id, err);
}

/* What servers have for the files that were kept now or earlier. */
static void fetch_debug(const struct output *out, const char *dir)
{
	const struct symbols_opts so = { .debuginfod_urls = out->o->debuginfod_urls,
					 .fetching = out->o->fetching };
	struct fetcher *f = fetcher_new(&so);
	struct build_id id;

	for vec_each(p, &out->scan.dsos) {
		const struct output_dso *d = *p;

		if (d->hit && !d->kernel && !d->is_map && !d->is_dump && d->path[0] == '/' &&
		    output_build_id(out, d, &id) && id.n > 1)
			debuginfod_keep(f, dir, &id);
	}
	fetcher_free(f);
}

static void tell_failure(const struct output *out, u64 n_failed, const struct err *err)
{
	struct str text = STR_INIT;

	if (!out->listener->fn)
		return;
	str_addf(&text, "%llu of the recorded binaries are not in the build-id cache: %s\nHint: "
			"%s%srecord with -N to do without it",
		 (unsigned long long)n_failed, err->msg, err->hint ? err->hint : "", err->hint ?
		 "; or " : "");
	out->listener->fn(out->listener->ctx, RECORD_WARNING, str_cstr(&text));
	str_release(&text);
}

/* Files that are gone or unreadable are no matter of the cache: the reader says what it misses. */
void output_fill_cache(struct output *out)
{
	char *dir = buildid_cache_default_dir();
	struct err first = ERR_INIT;
	u64 n_failed = 0;

	if (!dir)
		return;
	output_scan_hits(&out->scan);
	for (size_t i = 0; i < out->scan.dsos.n; i++) {
		struct err err = ERR_INIT;
		int ret = out->scan.dsos.v[i]->hit ? keep(out, dir, out->scan.dsos.v[i], &err) : 0;

		if (ret && ret != -ENOENT && ret != -EINVAL && err.msg && !n_failed++) {
			first = err;
			err = (struct err)ERR_INIT;
		}
		err_release(&err);
	}
	if (n_failed)
		tell_failure(out, n_failed, &first);
	if (out->o->debuginfod_urls)
		fetch_debug(out, dir);
	err_release(&first);
	free(dir);
}
