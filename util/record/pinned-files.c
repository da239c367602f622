// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/pinned-files.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/symbols/perf-map.h"

#define MAX_HELD 512
#define MAX_GENERATIONS 16
#define PARENTS 16384		/* by the low bits of the pid: the newest process counts */

struct pinned_files {
	const struct os *os;
	int n, max;
	struct { u32 pid, ppid; } parents[PARENTS];
};

struct pinned_files *pinned_files_new(const struct os *os)
{
	struct pinned_files *h = xnew(struct pinned_files);

	h->os = os;
	h->max = (int)MIN((size_t)MAX_HELD, os_max_fds() / 4);
	return h;
}

void pinned_files_free(struct pinned_files *h)
{
	free(h);
}

void pinned_files_note_fork(struct pinned_files *h, u32 pid, u32 ppid)
{
	if (pid == ppid)
		return;		/* a thread */
	h->parents[pid % PARENTS].pid = pid;
	h->parents[pid % PARENTS].ppid = ppid;
}

/* What packages brought is not removed while it runs, or its successor is named in its place. */
static bool is_of_system(const char *path)
{
	static const char *const directories[] = { "/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/" };

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		if (str_has_prefix(path, directories[i]) && !str_has_prefix(path, "/usr/local/"))
			return true;
	return false;
}

int pinned_files_open(struct pinned_files *h, const struct mapped *m, const struct build_id *id,
		      bool snapshot)
{
	struct mapped at = *m;
	bool by_name = false;
	int fd = -1;

	if (m->kernel || m->path[0] != '/')
		return PINNED_NOT_NEEDED;
	if (h->n >= h->max)
		return -1;
	for (int i = 0; fd < 0 && i < MAX_GENERATIONS; i++) {
		const u32 k = (u32)at.pid % PARENTS;

		fd = mapped_open(h->os, &at, id, &by_name);
		if (h->parents[k].pid != (u32)at.pid || h->parents[k].ppid < 2)
			break;
		at.pid = (pid_t)h->parents[k].ppid;
		at.start_va = at.end_va = 0;
	}
	if (fd >= 0 && by_name && (snapshot || is_of_system(m->path))) {
		close(fd);
		return PINNED_NOT_NEEDED;
	}
	h->n += fd >= 0;
	return fd;
}

int pinned_files_open_map(struct pinned_files *h, pid_t pid)
{
	int fd = h->n < h->max ? perf_map_open_foreign(h->os, pid) : -ENOENT;

	h->n += fd >= 0;
	return fd >= 0 ? fd : fd == -ENOENT ? -1 : PINNED_NOT_NEEDED;
}

void pinned_files_close(struct pinned_files *h, int fd)
{
	if (fd < 0)
		return;
	close(fd);
	h->n--;
}
