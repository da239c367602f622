// SPDX-License-Identifier: GPL-2.0-or-later
// epoll ctl: threads that add descriptors to epoll, change them, and remove them.
#include "util/bench/epoll-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ADD, MOD, DEL, KINDS };

static void do_ctl(struct epoll_worker *w, int kind, int fd)
{
	static const int ops[] = { EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL };
	struct epoll_event e = { .events = kind == ADD ? EPOLLIN : EPOLLOUT, .data.fd = fd };

	/* at random: what cannot be done now is no operation */
	if (!epoll_ctl(w->epoll, ops[kind], fd, kind == DEL ? NULL : &e))
		w->n[kind]++;
	else if (!w->all->o->random)
		w->code = errno;
}

static void *ctl_thread(void *arg)
{
	struct epoll_worker *w = arg;
	const struct bench_epoll_opts *o = w->all->o;

	gang_wait(&w->all->g);
	while (!gang_done(&w->all->g) && !w->code) {
		if (o->random) {
			const u32 fd = bench_random(&w->seed) % (u32)o->fds;

			do_ctl(w, (int)(bench_random(&w->seed) % KINDS), w->fds[fd]);
			continue;
		}
		for (int i = 0; i < o->fds; i++)
			for (int kind = 0; kind < KINDS; kind++)
				do_ctl(w, kind, w->fds[i]);
	}
	return NULL;
}

static void print_threads(const struct epoll_bench *e)
{
	static const char *const names[] = { "ADD", "MOD", "DEL" };
	struct stat_spread spread[KINDS] = { { 0 } };

	for (int i = 0; i < e->n; i++) {
		const u64 *n = e->workers[i].n;

		for (int k = 0; k < KINDS; k++)
			stat_spread_add(&spread[k], (double)n[k]);
		epoll_print_worker(e, i);
		fprintf(e->b->out, "add: %04llu ops; mod: %04llu ops; del: %04llu ops ]\n",
			(unsigned long long)n[ADD], (unsigned long long)n[MOD],
			(unsigned long long)n[DEL]);
	}
	fprintf(e->b->out, "\n");
	for (int k = 0; k < KINDS; k++)
		fprintf(e->b->out, "Averaged %llu %s operations (+- %.2f%%)\n",
			(unsigned long long)spread[k].mean, names[k], bench_rel_error(&spread[k]));
}

int bench_epoll_ctl(struct bench *b, const void *opts, struct err *err)
{
	struct epoll_bench e = { .b = b, .o = opts, .epoll = -1 };
	int ret = epoll_bench_init(&e, false, bench_threads(b, e.o->threads), err);

	if (!ret) {
		fprintf(b->out, "Run summary [PID %d]: %d threads doing epoll_ctl ops %d "
				"file-descriptors for %d secs.\n\n", getpid(), e.n, e.o->fds,
			e.o->seconds);
		ret = epoll_bench_run(&e, ctl_thread, NULL, err);
	}
	gang_release(&e.g);
	gang_init(&e.g);
	for (int i = 0; i < e.n && !ret; i++)
		if (e.workers[i].code)
			ret = err_sys(err, e.workers[i].code, "thread %d cannot change its epoll",
				      i);
	if (!ret)
		print_threads(&e);
	epoll_bench_release(&e);
	return ret;
}
