// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/os/os.h"
#include "util/os/procfs.h"
#include "util/os/ring.h"
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
	CHECK_EQ(v.n, 1);
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

/* A ring without a kernel behind it: the control page and the data in plain memory. */
static struct ring made_ring(size_t data_bytes)
{
	struct ring r = { .data_bytes = data_bytes, .fd = -1 };
	struct perf_event_mmap_page *p;

	r.base = mmap(NULL, 4096 + data_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p = r.base;
	p->data_offset = 4096;
	return r;
}

static void put(struct ring *r, u16 size, u8 fill)
{
	struct perf_event_mmap_page *p = r->base;
	u8 *data = (u8 *)r->base + 4096, rec[1024];
	struct perf_event_header h = { .type = 9, .size = size };

	memset(rec, fill, size);
	memcpy(rec, &h, sizeof(h));
	for (size_t i = 0; i < size; i++)
		data[(p->data_head + i) & (r->data_bytes - 1)] = rec[i];
	p->data_head += size;
}

TEST(ring_record_wraps)
{
	struct ring r = made_ring(4096);
	struct perf_event_mmap_page *p = r.base;
	const struct perf_event_header *h;
	struct span s[2];

	CHECK(!ring_next(&r));
	for (int i = 0; i < 4; i++) {
		put(&r, 1000, (u8)i);
		h = ring_next(&r);
		CHECK(h && h->size == 1000 && ((const u8 *)h)[999] == i);
	}
	CHECK_EQ(p->data_tail, 0);
	ring_consume(&r);
	CHECK_EQ(p->data_tail, 4000);
	put(&r, 200, 7);			/* 96 bytes before the end, 104 after */
	h = ring_next(&r);
	CHECK(h && h->size == 200 && ((const u8 *)h)[95] == 7 && ((const u8 *)h)[199] == 7);
	put(&r, 64, 8);
	CHECK_EQ(ring_pending(&r), 64);
	CHECK_EQ(ring_ready(&r, s), 1);
	CHECK_EQ(s[0].len, 64);
	ring_consume(&r);
	CHECK_EQ(p->data_tail, 4264);
	ring_unmap(&r);
}
