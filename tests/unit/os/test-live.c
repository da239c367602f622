// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/os.h"
#include "util/os/procfs.h"
#include "util/os/workload.h"

struct looking { u64 va; char path[256]; };

static int look(void *ctx, const struct procfs_map *m)
{
	struct looking *l = ctx;

	if (l->va < m->start_va || l->va >= m->end_va)
		return 0;
	strncpy(l->path, m->path, sizeof(l->path) - 1);
	return 1;
}

TEST(own_maps_hold_this_function)
{
	struct os os;
	struct looking l = { .va = (u64)(uintptr_t)look };

	os_init(&os);
	CHECK_EQ(procfs_maps(&os, getpid(), 10000, look, &l, NULL), 1);
	CHECK(strstr(l.path, "perf-unit"));
	os_release(&os);
}

/* Emulators of one program have threads of their own. */
static size_t count_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	size_t n = 0;

	CHECK(d != NULL);
	for (const struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

TEST(own_status)
{
	struct os os;
	struct procfs_status st;
	int_vec v = { 0 };

	os_init(&os);
	CHECK_EQ(procfs_status(&os, getpid(), &st, NULL), 0);
	CHECK_EQ(st.tgid, getpid());
	CHECK_EQ(st.ppid, getppid());
	CHECK_EQ(st.uid, getuid());
	CHECK_EQ(procfs_tasks(&os, getpid(), &v, NULL), 0);
	CHECK_EQ(v.n, count_threads());
	CHECK_EQ(v.v[0], getpid());
	CHECK(procfs_alive(&os, getpid()));
	vec_free(&v);
	os_release(&os);
}

TEST(workload_passes_its_status_on)
{
	struct workload w;
	const char *argv[] = { "sh", "-c", "exit 7", NULL };

	CHECK_EQ(workload_prepare(&w, argv, false, NULL), 0);
	CHECK_EQ(workload_poll(&w), 0);		/* held */
	CHECK_EQ(workload_start(&w, NULL), 0);
	CHECK_EQ(workload_wait(&w, NULL), 0);
	CHECK_EQ(workload_exit_code(&w), 7);
	workload_release(&w, false);
}

TEST(workload_killed_by_a_signal)
{
	struct workload w;
	const char *argv[] = { "sh", "-c", "kill -9 $$", NULL };
	volatile bool stop = false;

	CHECK_EQ(workload_prepare(&w, argv, false, NULL), 0);
	CHECK_EQ(workload_start(&w, NULL), 0);
	CHECK_EQ(workload_wait(&w, &stop), 0);
	CHECK_EQ(workload_exit_code(&w), 137);
	workload_release(&w, false);
}

TEST(workload_that_does_not_exist)
{
	struct workload w;
	struct err err = ERR_INIT;
	const char *argv[] = { "/nosuch/command", NULL };

	CHECK_EQ(workload_prepare(&w, argv, false, &err), 0);
	CHECK_EQ(workload_start(&w, &err), -ENOENT);
	CHECK_STR(err.msg, "cannot run '/nosuch/command': No such file or directory");
	workload_release(&w, false);
	err_release(&err);
}

TEST(held_workload_goes_away_when_released)
{
	struct workload w;
	const char *argv[] = { "sleep", "1000", NULL };
	pid_t pid;

	CHECK_EQ(workload_prepare(&w, argv, false, NULL), 0);
	pid = w.pid;
	workload_release(&w, false);
	CHECK_EQ(kill(pid, 0), -1);
	CHECK_EQ(errno, ESRCH);
}

TEST(stop_interrupts_the_wait)
{
	struct workload w;
	const char *argv[] = { "sleep", "1000", NULL };
	volatile bool stop = true;

	CHECK_EQ(workload_prepare(&w, argv, false, NULL), 0);
	CHECK_EQ(workload_start(&w, NULL), 0);
	CHECK_EQ(workload_wait(&w, &stop), -EINTR);
	workload_release(&w, true);
}
