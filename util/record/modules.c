// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/modules.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/uevent.h"

#define MAX_GONE 256		/* are remembered: the oldest of more may be placed a little too early */

struct gone { u64 start_va, end_va, time_ns; };

struct modules {
	const struct os *os;
	int fd;
	u64 n_folders;		/* in /sys/module */
	u64 seen_ns;		/* the newest record's time at the look before */
	module_list now;
	VEC(struct gone) gone;
};

/* kernfs counts a folder's sub-folders in its links. Looking is one system call. */
static u64 count_folders(const struct os *os)
{
	char *path = os_path(os, "/sys/module");
	struct stat st;
	u64 n = stat(path, &st) ? 0 : (u64)st.st_nlink;

	free(path);
	return n;
}

struct modules *modules_new(const struct os *os)
{
	struct modules *m;
	module_list now = { 0 };
	int fd = os_uevent_modules(os);		/* before looking, or what comes in between would be missed */
	u64 n = count_folders(os);

	if (module_list_read(os, &now) || (now.n && !now.v[0].start_va)) {
		module_list_release(&now);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	m = xnew(struct modules);
	*m = (struct modules){ .os = os, .fd = fd < 0 ? -1 : fd, .n_folders = n, .now = now };
	return m;
}

void modules_free(struct modules *m)
{
	if (!m)
		return;
	if (m->fd >= 0)
		close(m->fd);
	module_list_release(&m->now);
	vec_free(&m->gone);
	free(m);
}

int modules_fd(const struct modules *m)
{
	return m->fd;
}

bool modules_changed(struct modules *m, u64 now_ns)
{
	const bool told = m->fd >= 0 && os_uevent_drain(m->fd);
	const u64 n = count_folders(m->os);
	const bool changed = told || n != m->n_folders;

	m->n_folders = n;
	if (!changed)
		m->seen_ns = MAX(m->seen_ns, now_ns);
	return changed;
}

static bool has(const module_list *l, const struct module_place *p)
{
	for vec_each(x, l)
		if (x->start_va == p->start_va && !strcmp(x->name, p->name))
			return true;
	return false;
}

static void note_gone(struct modules *m, const module_list *now, u64 now_ns)
{
	for vec_each(x, &m->now) {
		if (has(now, x))
			continue;
		if (m->gone.n == MAX_GONE) {
			memmove(m->gone.v, m->gone.v + 1, (MAX_GONE - 1) * sizeof(*m->gone.v));
			m->gone.n--;
		}
		vec_push(&m->gone, ((struct gone){ x->start_va, x->end_va, now_ns }));
	}
}

static u64 begin_ns(const struct modules *m, const struct module_place *p)
{
	u64 t = m->seen_ns;

	for vec_each(g, &m->gone)
		if (g->start_va < p->end_va && g->end_va > p->start_va)
			t = MAX(t, g->time_ns);
	return t ? t + 1 : 0;
}

int modules_update(struct modules *m, struct synth *y, u64 now_ns)
{
	module_list now = { 0 };
	int ret = 0;

	now_ns = MAX(now_ns, m->seen_ns);
	if (module_list_read(m->os, &now)) {	/* it could be read before: say nothing, keep what is known */
		module_list_release(&now);
		return 0;
	}
	note_gone(m, &now, now_ns);
	for (size_t i = 0; i < now.n && !ret; i++) {
		if (has(&m->now, &now.v[i]))
			continue;
		y->time_ns = begin_ns(m, &now.v[i]);
		ret = synth_module(y, &now.v[i]);
		if (!ret)
			ret = synth_module_init(y, &now.v[i]);
	}
	m->seen_ns = now_ns;
	module_list_release(&m->now);
	m->now = now;
	return ret;
}
