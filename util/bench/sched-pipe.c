// SPDX-License-Identifier: GPL-2.0-or-later
// sched pipe: two tasks, each of which writes to the other and reads what the other wrote.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/os/cgroup.h"

struct side {
	const struct bench_pipe_opts *o;
	int in, out, epoll;
	char *buf;
	int code;		/* errno of what failed */
};

/* Waits until there is something to do with an end that does not block. */
static int wait_for(const struct side *s)
{
	struct epoll_event e;
	int n;

	do {
		n = epoll_wait(s->epoll, &e, 1, -1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : -1;
}

static int write_message(const struct side *s)
{
	int done = 0;

	while (done < s->o->bytes) {
		const ssize_t n = write(s->out, s->buf + done, (size_t)(s->o->bytes - done));

		if (n > 0)
			done += (int)n;
		else if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
	}
	return 0;
}

static int read_message(const struct side *s)
{
	int done = 0;

	while (done < s->o->bytes) {
		ssize_t n;

		if (s->o->nonblocking && wait_for(s))
			return -1;
		n = read(s->in, s->buf + done, (size_t)(s->o->bytes - done));
		if (n > 0)
			done += (int)n;
		else if (!n || (errno != EINTR && errno != EAGAIN))
			return -1;
	}
	return 0;
}

static int open_epoll(struct side *s)
{
	struct epoll_event e = { .events = EPOLLIN };

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	return s->epoll < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->in, &e) ? -1 : 0;
}

/* A message larger than a pipe fits only while the other side reads: then the second one reads
 * first. */
static int run_side(struct side *s, bool second)
{
	const bool turns = second && s->o->bytes > 4096;
	int ret = s->o->nonblocking ? open_epoll(s) : 0;

	for (int i = 0; i < s->o->loops && !ret; i++)
		ret = turns ? read_message(s) || write_message(s) :
			      write_message(s) || read_message(s);
	s->code = ret ? errno : 0;
	if (s->epoll >= 0)
		close(s->epoll);
	return ret ? -1 : 0;
}

static void *side_thread(void *arg)
{
	struct side *s = arg;

	run_side(s, true);
	return NULL;
}

/* Moves the caller into a cgroup; thread: it alone, whose file has another name in version 1. */
static int enter_cgroup(const struct bench *b, const char *name, bool thread, struct err *err)
{
	static const char *const files[] = { "cgroup.procs", "cgroup.threads", "tasks" };
	struct str mount = STR_INIT;
	char *id = xasprintf("%ld", (long)syscall(SYS_gettid));
	int ret = os_cgroup_mount(b->os, &mount, err);
	bool in = false;

	for (int i = thread ? 1 : 0; i < (thread ? 3 : 1) && !ret && !in; i++) {
		char *path = xasprintf("%s/%s/%s", str_cstr(&mount), name, files[i]);

		in = !os_write_file(b->os, path, id, false, NULL);
		free(path);
	}
	if (!ret && !in)
		ret = err_set(err, EACCES, "cannot enter cgroup '%s'", name);
	free(id);
	str_release(&mount);
	return ret;
}

struct pipe_run {
	struct bench *b;
	const struct bench_pipe_opts *o;
	struct side a, z;		/* the second one is z */
	const char *cgroup_a, *cgroup_z;
	u64 us;
};

static void *entered_thread(void *arg)
{
	struct pipe_run *r = arg;

	if (r->cgroup_z && enter_cgroup(r->b, r->cgroup_z, true, NULL))
		r->z.code = ENOENT;
	return side_thread(&r->z);
}

static int run_threads(struct pipe_run *r, struct err *err)
{
	pthread_t th;
	const int code = pthread_create(&th, NULL, entered_thread, r);

	if (code)
		return err_sys(err, code, "cannot start a thread");
	run_side(&r->a, false);
	pthread_join(th, NULL);
	return 0;
}

static int run_processes(struct pipe_run *r, struct err *err)
{
	pid_t pid;

	fflush(r->b->out);
	pid = fork();
	if (!pid)
		bench_child_end((r->cgroup_z && enter_cgroup(r->b, r->cgroup_z, false, NULL)) ||
				run_side(&r->z, true));
	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	run_side(&r->a, false);
	return bench_child_wait(pid) ? 0 : err_set(err, EIO, "the other process failed");
}

static int run_pair(struct pipe_run *r, struct err *err)
{
	const u64 from = bench_now_us();
	int ret = r->o->threads ? run_threads(r, err) : run_processes(r, err);

	r->us = bench_now_us() - from;
	if (!ret && (r->a.code || r->z.code))
		ret = err_sys(err, r->a.code ? r->a.code : r->z.code, "cannot pass messages");
	return ret;
}

/* In a process of its own, as nobody comes out of a cgroup again without knowing where it was. */
static int run_in_cgroups(struct pipe_run *r, struct err *err)
{
	int result[2];
	pid_t pid;
	bool answered;

	if (pipe2(result, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	fflush(r->b->out);
	pid = fork();
	if (!pid) {
		int ret = enter_cgroup(r->b, r->cgroup_a, false, NULL) || run_pair(r, NULL);

		bench_child_end(ret || write(result[1], &r->us, sizeof(r->us)) < 0);
	}
	close(result[1]);
	answered = pid > 0 && read(result[0], &r->us, sizeof(r->us)) == sizeof(r->us);
	close(result[0]);
	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	if (!bench_child_wait(pid) || !answered)
		return err_set(err, EIO, "the tasks in the cgroups failed");
	return 0;
}

/* Both must be there. */
static int find_cgroups(struct pipe_run *r, char *names, struct err *err)
{
	char *comma = strchr(names, ',');

	if (!comma)
		return err_set(err, EINVAL, "cgroups '%s': not two of them, separated by a comma",
			       names);
	*comma = 0;
	r->cgroup_a = names;
	r->cgroup_z = comma + 1;
	for (int i = 0; i < 2; i++) {
		const int fd = os_cgroup_open(r->b->os, i ? r->cgroup_z : r->cgroup_a, err);

		if (fd < 0)
			return fd;
		close(fd);
	}
	return 0;
}

static void print_pipe(const struct pipe_run *r)
{
	if (!r->b->simple)
		fprintf(r->b->out, "# Executed %d pipe operations between two %s\n\n", r->o->loops,
			r->o->threads ? "threads" : "processes");
	bench_print_ops(r->b, r->us, (u64)r->o->loops);
}

int bench_pipe(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_pipe_opts *o = opts;
	struct pipe_run r = { .b = b, .o = o };
	char *names = o->cgroups ? xstrdup(o->cgroups) : NULL;
	const int flags = o->nonblocking ? O_NONBLOCK : 0;
	int there[2] = { -1, -1 }, back[2] = { -1, -1 }, ret = 0;

	if (o->bytes < 1)
		ret = err_set(err, EINVAL, "--write-size must be in 1..2147483647");
	else if (names)
		ret = find_cgroups(&r, names, err);
	if (!ret && (pipe2(there, flags) || pipe2(back, flags)))
		ret = err_sys(err, errno, "cannot make a pipe");
	r.a = (struct side){ .o = o, .in = back[0], .out = there[1], .epoll = -1 };
	r.z = (struct side){ .o = o, .in = there[0], .out = back[1], .epoll = -1 };
	if (!ret) {
		r.a.buf = xzalloc((size_t)o->bytes);
		r.z.buf = xzalloc((size_t)o->bytes);
		ret = names ? run_in_cgroups(&r, err) : run_pair(&r, err);
	}
	if (!ret)
		print_pipe(&r);
	for (int i = 0; i < 2; i++) {
		if (there[i] >= 0)
			close(there[i]);
		if (back[i] >= 0)
			close(back[i]);
	}
	free(r.a.buf);
	free(r.z.buf);
	free(names);
	return ret;
}
