// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bench/epoll-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

u32 bench_random(u64 *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(*seed >> 33);
}

/* Epoll descriptors that watch each other, the innermost of which watches what is nested. */
static int nest(struct epoll_bench *e, int fd, struct err *err)
{
	for (int i = 0; i < e->o->nesting; i++) {
		struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };
		const int above = epoll_create1(0);

		if (above < 0 || epoll_ctl(above, EPOLL_CTL_ADD, fd, &ev))
			return err_sys(err, errno, "cannot nest epoll descriptors %d deep",
				       e->o->nesting);
		vec_push(&e->nested, above);
		fd = above;
	}
	return 0;
}

static u32 wanted_events(const struct bench_epoll_opts *o)
{
	return EPOLLIN | (o->oneshot ? EPOLLONESHOT : 0) | (o->edge ? (u32)EPOLLET : 0);
}

static int init_worker(struct epoll_bench *e, struct epoll_worker *w, bool adds, struct err *err)
{
	w->all = e;
	w->seed = (u64)(w - e->workers) + 1;
	w->epoll = e->o->multiq ? epoll_create1(0) : e->epoll;
	w->fds = xcalloc((size_t)e->o->fds, sizeof(int));
	for (int i = 0; i < e->o->fds; i++)
		w->fds[i] = -1;
	if (w->epoll < 0)
		return err_sys(err, errno, "cannot make an epoll descriptor");
	if (e->o->multiq && nest(e, w->epoll, err))
		return -EIO;
	for (int i = 0; i < e->o->fds; i++) {
		struct epoll_event ev = { .events = wanted_events(e->o) };

		w->fds[i] = eventfd(0, EFD_NONBLOCK);
		ev.data.fd = w->fds[i];
		if (w->fds[i] < 0)
			return err_sys(err, errno, "cannot make %d eventfds (-f) for each of %d "
						   "threads", e->o->fds, e->n);
		if (adds && epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->fds[i], &ev))
			return err_sys(err, errno, "cannot watch an eventfd by epoll");
	}
	return 0;
}

static void say_limits(const struct epoll_bench *e, size_t fds)
{
	if (!e->b->verbose)
		return;
	fprintf(e->b->out, "%s", e->o->multiq ? "Using multi queue model\n" : "");
	if (e->o->nesting)
		fprintf(e->b->out, "Nesting level(s): %d\n", e->o->nesting);
	fprintf(e->b->out, "Having RLIMIT_NOFILE be at least: %zu\n", fds);
}

int epoll_bench_init(struct epoll_bench *e, bool adds, int threads, struct err *err)
{
	const size_t fds = (size_t)MAX(e->o->fds, 0) * (size_t)MAX(threads, 1) + 50;
	int ret = 0;

	e->n = MAX(threads, 1);
	e->workers = xcalloc((size_t)e->n, sizeof(*e->workers));
	gang_init(&e->g);
	if (e->o->fds < 1)
		return err_set(err, EINVAL, "-f %d: at least one descriptor is needed", e->o->fds);
	say_limits(e, fds);
	os_want_fds(fds);
	e->epoll = epoll_create1(0);
	if (e->epoll < 0)
		ret = err_sys(err, errno, "cannot make an epoll descriptor");
	else if (!e->o->multiq)
		ret = nest(e, e->epoll, err);
	for (int i = 0; i < e->n && !ret; i++)
		ret = init_worker(e, &e->workers[i], adds, err);
	return ret;
}

int epoll_bench_run(struct epoll_bench *e, void *(*fn)(void *), void *(*other)(void *),
		    struct err *err)
{
	int ret = 0;

	fflush(e->b->out);
	for (int i = 0; i < e->n && !ret; i++)
		ret = gang_add(&e->g, fn, &e->workers[i], !e->o->no_affinity, err);
	if (!ret && other)
		ret = gang_add(&e->g, other, e, false, err);
	if (!ret)
		e->us = gang_run(&e->g, e->o->seconds);
	if (!ret && e->b->verbose)
		fprintf(e->b->out, "main thread: toggling done\n");
	return ret;
}

void epoll_bench_release(struct epoll_bench *e)
{
	gang_release(&e->g);
	for (int i = 0; i < e->n; i++) {
		struct epoll_worker *w = &e->workers[i];

		for (int f = 0; w->fds && f < e->o->fds; f++)
			if (w->fds[f] >= 0)
				close(w->fds[f]);
		if (w->fds && e->o->multiq && w->epoll >= 0)
			close(w->epoll);
		free(w->fds);
	}
	for (size_t i = 0; i < e->nested.n; i++)
		close(e->nested.v[i]);
	if (e->epoll >= 0)
		close(e->epoll);
	vec_free(&e->nested);
	free(e->workers);
}

void epoll_print_worker(const struct epoll_bench *e, int i)
{
	const int *fds = e->workers[i].fds;

	fprintf(e->b->out, "[thread %2d] fdmap: %p", i, (const void *)fds);
	if (e->o->fds > 1)
		fprintf(e->b->out, " ... %p", (const void *)&fds[e->o->fds - 1]);
	fprintf(e->b->out, " [ ");
}
