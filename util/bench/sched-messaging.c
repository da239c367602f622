// SPDX-License-Identifier: GPL-2.0-or-later
// sched messaging: groups of 20 senders, each of which sends messages to each of 20 receivers.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/io.h"

#define PER_GROUP 20		/* senders, and as many receivers */
#define MESSAGE_BYTES 100

struct messaging {
	const struct bench_messaging_opts *o;
	int ready[2], wake[2];	/* the tasks say that they are there; all are let go at once */
	pthread_attr_t attr;
	pthread_t *threads;
	pid_t *pids;
	unsigned n;		/* tasks that there are */
	bool cancelled;		/* threads that are let go have nothing to do */
};

struct task {
	const struct messaging *m;
	int fds[PER_GROUP];	/* a sender's: what it writes to; fds[0]: what a receiver reads */
	int other;		/* of a receiver: the end that is not its own; < 0: shared */
	bool sends;
};

static int make_channel(const struct messaging *m, int fds[2], struct err *err)
{
	if (m->o->pipes ? pipe(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		return err_sys(err, errno, "cannot make a %s",
			       m->o->pipes ? "pipe" : "socket pair");
	return 0;
}

/* 0: as far as this task is concerned the run may begin. */
static int wait_for_start(const struct messaging *m)
{
	struct pollfd p = { .fd = m->wake[0], .events = POLLIN };
	char dummy = 0;

	return io_write(m->ready[1], &dummy, 1) || poll(&p, 1, -1) != 1 ? -EIO : 0;
}

static int send_all(const struct task *t)
{
	static const char message[MESSAGE_BYTES];

	for (int i = 0; i < t->m->o->loops; i++)
		for (int j = 0; j < PER_GROUP; j++)
			if (io_write(t->fds[j], message, sizeof(message)))
				return -EIO;
	return 0;
}

static int receive_all(const struct task *t)
{
	const u64 n = (u64)PER_GROUP * (u64)t->m->o->loops;
	char message[MESSAGE_BYTES];

	for (u64 i = 0; i < n; i++)
		if (io_read(t->fds[0], message, sizeof(message)) != sizeof(message))
			return -EIO;
	return 0;
}

static int run_task(const struct task *t)
{
	int ret;

	if (!t->sends && t->other >= 0)
		close(t->other);
	ret = wait_for_start(t->m);
	if (ret || t->m->cancelled)
		return ret;
	return t->sends ? send_all(t) : receive_all(t);
}

static void *task_thread(void *arg)
{
	struct task *t = arg;
	const int ret = run_task(t);

	free(t);
	return ret ? arg : NULL;	/* only whether it is NULL is looked at */
}

/* t is taken. */
static int start_task(struct messaging *m, struct task *t, struct err *err)
{
	int code;

	if (m->o->threads) {
		t->other = -1;
		code = pthread_create(&m->threads[m->n], &m->attr, task_thread, t);
	} else {
		m->pids[m->n] = fork();
		if (!m->pids[m->n])
			bench_child_end(run_task(t) ? 1 : 0);
		code = m->pids[m->n] < 0 ? errno : 0;
	}
	if (code || !m->o->threads)
		free(t);
	if (code)
		return err_sys(err, code, "cannot start task %u", m->n + 1);
	m->n++;
	return 0;
}

static struct task *new_task(const struct messaging *m, bool sends)
{
	struct task *t = xnew(struct task);

	t->m = m;
	t->sends = sends;
	t->other = -1;
	return t;
}

/* What its receivers read goes into senders, which its own do not close before they all exist. */
static int start_group(struct messaging *m, int_vec *shared, struct err *err)
{
	int out[PER_GROUP], fds[2], ret = 0;
	unsigned n = 0;

	for (; n < PER_GROUP && !ret; n += !ret) {
		struct task *t;

		ret = make_channel(m, fds, err);
		if (ret)
			break;
		t = new_task(m, false);
		t->fds[0] = fds[0];
		t->other = fds[1];
		out[n] = fds[1];
		ret = start_task(m, t, err);
		vec_push(shared, fds[1]);
		if (m->o->threads)
			vec_push(shared, fds[0]);
		else
			close(fds[0]);
	}
	for (unsigned i = 0; i < PER_GROUP && !ret; i++) {
		struct task *t = new_task(m, true);

		memcpy(t->fds, out, sizeof(out));
		ret = start_task(m, t, err);
	}
	for (unsigned i = 0; i < n && !m->o->threads; i++)
		close(out[i]);
	if (!m->o->threads)
		vec_clear(shared);
	return ret;
}

static bool reap(struct messaging *m)
{
	bool fine = true;
	void *failed;

	for (unsigned i = 0; i < m->n; i++) {
		if (m->o->threads)
			fine = !pthread_join(m->threads[i], &failed) && !failed && fine;
		else
			fine = bench_child_wait(m->pids[i]) && fine;
	}
	return fine;
}

/* Whether all came and did their part; us: how long that took. */
static int run_tasks(struct messaging *m, u64 *us, struct err *err)
{
	char dummy = 0;
	u64 from;
	bool fine = true;

	for (unsigned i = 0; i < m->n && fine; i++)
		fine = io_read(m->ready[0], &dummy, 1) == 1;
	from = bench_now_us();
	fine = !io_write(m->wake[1], &dummy, 1) && fine;
	fine = reap(m) && fine;
	*us = bench_now_us() - from;
	return fine ? 0 : err_set(err, EIO, "a sender or receiver failed");
}

/* Ends the tasks that there are: not all could be made. */
static void cancel(struct messaging *m)
{
	char dummy = 0;

	m->cancelled = true;
	for (unsigned i = 0; i < m->n && !m->o->threads; i++)
		kill(m->pids[i], SIGKILL);
	io_write(m->wake[1], &dummy, 1);
	reap(m);
}

static void print_messaging(const struct bench *b, const struct bench_messaging_opts *o, u64 us)
{
	const char *what = o->threads ? "threads" : "processes";

	if (!b->simple) {
		fprintf(b->out, "# %d sender and receiver %s per group\n", PER_GROUP, what);
		fprintf(b->out, "# %d groups == %d %s run\n\n", o->groups,
			o->groups * 2 * PER_GROUP, what);
	}
	bench_print_total(b, us);
}

int bench_messaging(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_messaging_opts *o = opts;
	struct messaging m = { .o = o, .ready = { -1, -1 }, .wake = { -1, -1 } };
	const size_t n = (size_t)o->groups * 2 * PER_GROUP;
	int_vec shared = { 0 };
	u64 us = 0;
	int ret = 0;

	os_want_fds(n + 64);
	m.threads = xcalloc(n + 1, sizeof(*m.threads));
	m.pids = xcalloc(n + 1, sizeof(*m.pids));
	pthread_attr_init(&m.attr);
	pthread_attr_setstacksize(&m.attr, 1U << 16);
	fflush(b->out);
	if (pipe(m.ready) || pipe(m.wake))
		ret = err_sys(err, errno, "cannot make a pipe");
	for (int i = 0; i < o->groups && !ret; i++)
		ret = start_group(&m, &shared, err);
	if (ret)
		cancel(&m);
	else
		ret = run_tasks(&m, &us, err);
	if (!ret)
		print_messaging(b, o, us);
	for (size_t i = 0; i < shared.n; i++)
		close(shared.v[i]);
	for (int i = 0; i < 2; i++) {
		if (m.ready[i] >= 0)
			close(m.ready[i]);
		if (m.wake[i] >= 0)
			close(m.wake[i]);
	}
	vec_free(&shared);
	free(m.threads);
	free(m.pids);
	pthread_attr_destroy(&m.attr);
	return ret;
}
