// SPDX-License-Identifier: GPL-2.0-or-later
// The build-id cache after a recording: what samples hit is kept.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/record/output.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/mapped.h"

#define HEAD_BYTES (128 << 10)

/* With hidden addresses the list is of no use, and would stay in the way of a better one. */
static bool shows_kernel_addresses(const struct os *os)
{
	char *path = os_path(os, "/proc/kallsyms"), *head = xcalloc(1, HEAD_BYTES + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool shows = false;

	if (fd >= 0 && io_read(fd, head, HEAD_BYTES) > 0)	/* the first ones may be 0: offsets of per-CPU variables */
		for (const char *p = head; p && !shows; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
			shows = *p && strspn(p, "0") < 16 && strspn(p, "0123456789abcdef") == 16;
	if (fd >= 0)
		close(fd);
	free(head);
	free(path);
	return shows;
}

static void keep_kernel(const struct output *out, const char *dir, const struct build_id *id)
{
	struct build_id running;

	if (!build_id_of_kernel(out->os, &running, NULL) && build_id_equal(&running, id) && shows_kernel_addresses(out->os))
		buildid_cache_add(dir, id, "[kernel.kallsyms]", "/proc/kallsyms", BUILDID_KALLSYMS, NULL);
}

static int keep_file(const struct output *out, const char *dir, const struct output_dso *d, const struct build_id *id)
{
	const struct mapped m = { .path = d->path, .ino = d->ino, .pid = d->pid, .kernel = d->kernel };
	const size_t n = strlen(d->path), mark = str_has_suffix(d->path, " (deleted)") ? 10 : 0;
	char *name = xstrndup(d->path, n - mark), *file = mark ? NULL : mapped_file_with_id(out->os, &m, id);
	struct build_id its;
	int ret = -ENOENT;

	if (!file && d->fd >= 0 && mapped_fd_build_id(d->fd, &its) && build_id_equal(&its, id))
		file = xasprintf("/proc/self/fd/%d", d->fd);
	if (file)
		ret = buildid_cache_add(dir, id, name, file, BUILDID_ELF, NULL);
	free(file);
	free(name);
	return ret;
}

static void keep(const struct output *out, const char *dir, const struct output_dso *d)
{
	struct build_id id;

	if (!output_build_id(out, d, &id) || id.n < 2 || buildid_cache_has(dir, &id))
		return;
	if (!strcmp(d->path, "[vdso]")) {
		buildid_cache_add_vdso(dir, NULL);
	} else if (d->kernel && str_has_prefix(d->path, "[kernel.kallsyms]")) {
		keep_kernel(out, dir, &id);
	} else {
		keep_file(out, dir, d, &id);
	}
}

void output_fill_cache(struct output *out)
{
	char *dir = buildid_cache_default_dir();

	if (!dir)
		return;
	output_scan_hits(&out->scan);
	for (size_t i = 0; i < out->scan.dsos.n; i++)
		if (out->scan.dsos.v[i]->hit)
			keep(out, dir, out->scan.dsos.v[i]);
	free(dir);
}
