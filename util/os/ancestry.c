// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/ancestry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/os/procfs.h"

#define FIRST_PID_NAMESPACE "pid:[4026531836]"	/* this number is fixed in the kernel */
#define PTS_MAJOR 136		/* to 143: terminals that another process reads */
#define N_PTS_MAJORS 8
#define MOST 256		/* processes; a pid that is used again could make a circle */

/* its number, and that of the devpts it is in: containers have their own */
struct tty { dev_t id, fs; };
typedef VEC(struct tty) tty_vec;

static bool has(const int_vec *v, int pid)
{
	for vec_each(p, v)
		if (*p == pid)
			return true;
	return false;
}

/* Pid 1 of a container is what the container was made for. */
static bool is_init(const struct os *os, pid_t pid)
{
	char *path = os_path(os, "/proc/self/ns/pid"), ns[64];
	const ssize_t n = readlink(path, ns, sizeof(ns) - 1);

	free(path);
	ns[n > 0 ? n : 0] = '\0';
	return pid == 1 && (n <= 0 || !strcmp(ns, FIRST_PID_NAMESPACE));
}

static void add_parents(const struct os *os, pid_t pid, int_vec *out)
{
	struct procfs_status st;

	while (out->n < MOST && !procfs_status(os, pid, &st, NULL) && st.ppid > 0) {
		pid = st.ppid;
		if (is_init(os, pid) || has(out, pid))
			return;
		vec_push(out, pid);
	}
}

static bool is_open(const struct os *os, pid_t pid, const char *fd, struct tty *tty)
{
	char *name = xasprintf("/proc/%d/fd/%s", (int)pid, fd), *path = os_path(os, name);
	struct stat st;
	const bool is_pts = !stat(path, &st) && S_ISCHR(st.st_mode) &&
		major(st.st_rdev) >= PTS_MAJOR &&
			    major(st.st_rdev) < PTS_MAJOR + N_PTS_MAJORS;

	*tty = (struct tty){ is_pts ? st.st_rdev : 0, is_pts ? st.st_dev : 0 };
	free(path);
	free(name);
	return is_pts;
}

/* The terminals that a process has open besides its own, and besides that of ours. */
static void add_ttys(const struct os *os, pid_t pid, dev_t ours, tty_vec *out)
{
	char *dir = xasprintf("/proc/%d/fd", (int)pid);
	struct procfs_status st;
	os_names fds = { 0 };
	struct tty tty;

	if (!procfs_status(os, pid, &st, NULL) && !os_list_dir(os, dir, &fds, NULL))
		for vec_each(fd, &fds)
			if (is_open(os, pid, *fd, &tty) && tty.id != st.tty && tty.id != ours)
				vec_push(out, tty);
	os_names_release(&fds);
	free(dir);
}

static bool leads_session(const struct os *os, pid_t pid, const tty_vec *ttys)
{
	struct procfs_status st;
	struct tty tty;

	if (procfs_status(os, pid, &st, NULL) || st.session != pid || !is_open(os, pid, "0", &tty))
		return false;
	for vec_each(t, ttys)
		if (st.tty == t->id && tty.id == t->id && tty.fs == t->fs)
			return true;
	return false;
}

void os_ancestry(const struct os *os, pid_t pid, int_vec *out)
{
	struct procfs_status st = { .tty = 0 };
	tty_vec ttys = { NULL, 0, 0 };
	int_vec all = { NULL, 0, 0 };
	size_t done = out->n;

	procfs_status(os, pid, &st, NULL);
	add_parents(os, pid, out);
	while (done < out->n) {
		vec_clear(&ttys);
		for (; done < out->n; done++)
			add_ttys(os, out->v[done], st.tty, &ttys);
		if (ttys.n && !all.n)
			procfs_pids(os, &all, NULL);
		for (size_t i = 0; ttys.n && i < all.n; i++)
			if (leads_session(os, all.v[i], &ttys))
				add_parents(os, all.v[i], out);
	}
	vec_free(&ttys);
	vec_free(&all);
}
