// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pairs of sys_enter and sys_exit events become bars of I/O: by thread, since a thread is in one
 * call at a time. A call whose beginning was not seen has no bar; one that goes on at the end is
 * not drawn either.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/timechart.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

static const struct { const char *name; enum bar_kind kind; } calls[] = {
	{ "read", BAR_READ }, { "pread64", BAR_READ }, { "readv", BAR_READ },
		{ "preadv", BAR_READ }, { "preadv2", BAR_READ },
	{ "write", BAR_WRITE }, { "pwrite64", BAR_WRITE }, { "writev", BAR_WRITE },
	{ "pwritev", BAR_WRITE },
	{ "pwritev2", BAR_WRITE }, { "sync", BAR_SYNC }, { "sync_file_range", BAR_SYNC },
	{ "fsync", BAR_SYNC },
	{ "fdatasync", BAR_SYNC }, { "msync", BAR_SYNC }, { "recvfrom", BAR_RECV },
	{ "recvmmsg", BAR_RECV },
	{ "recvmsg", BAR_RECV }, { "sendto", BAR_SEND }, { "sendmsg", BAR_SEND },
	{ "sendmmsg", BAR_SEND },
	{ "epoll_pwait", BAR_POLL }, { "epoll_pwait2", BAR_POLL }, { "epoll_wait", BAR_POLL },
	{ "poll", BAR_POLL },
	{ "ppoll", BAR_POLL }, { "pselect6", BAR_POLL }, { "select", BAR_POLL },
};

size_t timechart_io_calls(void)
{
	return ARRAY_SIZE(calls);
}

const char *timechart_io_call(size_t i)
{
	return calls[i].name;
}

/* call -1: of others */
struct io_event { int call; bool is_exit; const struct tp_field *ret; };
struct open_call { u64 from_ns; int call; };	/* call: index in calls[], -1: none */

struct io {
	struct sink sink;
	struct timechart *chart;
	struct sched *sched;
	bool swap, skip_eagain;
	struct per_event evs;		/* struct io_event */
	VEC(struct open_call) open;	/* by task index */
};

static struct io_event event_of(const struct event *e)
{
	struct io_event ev = { .call = -1 };
	const char *name = NULL;

	if (!e->tp_system || !e->tp_name || strcmp(e->tp_system, "syscalls") || !e->format)
		return ev;
	ev.is_exit = str_has_prefix(e->tp_name, "sys_exit_");
	if (ev.is_exit)
		name = e->tp_name + strlen("sys_exit_");
	else if (str_has_prefix(e->tp_name, "sys_enter_"))
		name = e->tp_name + strlen("sys_enter_");
	for (size_t i = 0; name && i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(calls[i].name, name))
			ev.call = (int)i;
	}
	ev.ret = ev.is_exit ? tp_field(e->format, "ret") : NULL;
	return ev;
}

static void event_init(void *ctx UNUSED, const struct event *e, void *state)
{
	*(struct io_event *)state = event_of(e);
}

static struct open_call *open_of(struct io *io, const struct sched_task *task)
{
	while (io->open.n <= (size_t)task->index)
		vec_push(&io->open, ((struct open_call){ .call = -1 }));
	return &io->open.v[task->index];
}

static void on_sample(struct io *io, const struct io_event *ev, const struct sample *s)
{
	struct sched_task *task;
	struct open_call *open;
	s64 ret;

	if (!s->tid)
		return;
	sched_on_time(io->sched, s->time_ns);
	sched_on_task(io->sched, s->time_ns, s->pid, s->tid, -1, NULL);
	task = sched_task_of(io->sched, s->tid, (int)s->cpu);
	open = open_of(io, task);
	if (!ev->is_exit) {
		*open = (struct open_call){ s->time_ns, ev->call };
		return;
	}
	ret = ev->ret ? (s64)tp_read_u64(ev->ret, s->raw, io->swap) : 0;
	if (open->call == ev->call && !(io->skip_eagain && ret == -EAGAIN))
		timechart_io(io->chart, task, calls[ev->call].kind, open->from_ns, s->time_ns,
			     (int)s->cpu, ret);
	open->call = -1;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct io *io = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct io_event *ev = s->event ? per_event(&io->evs, s->event) : NULL;

		if (ev && ev->call >= 0)
			on_sample(io, ev, s);
	}
}

static bool takes(const struct sink *sink, const struct event *ev)
{
	struct io *io = sink->ctx;

	return ((const struct io_event *)per_event(&io->evs, ev))->call >= 0;
}

struct sink *timechart_io_sink_new(struct timechart *t, struct sched *s,
				   const struct event_list *events, bool swap,
				   bool skip_eagain, bool late)
{
	struct io *io = xnew(struct io);
	bool any = late;

	*io = (struct io){ .chart = t, .sched = s, .swap = swap, .skip_eagain = skip_eagain };
	per_event_init(&io->evs, sizeof(struct io_event), event_init, NULL);
	for vec_each(e, &events->events)
		any |= ((const struct io_event *)per_event(&io->evs, *e))->call >= 0;
	io->sink = (struct sink){ .wants = SINK_ORDER, .ctx = io, .samples = on_samples,
				  .takes = takes };
	if (any)
		return &io->sink;
	timechart_io_sink_free(&io->sink);
	return NULL;
}

void timechart_io_sink_free(struct sink *sink)
{
	struct io *io = sink ? sink->ctx : NULL;

	if (!io)
		return;
	vec_free(&io->open);
	per_event_release(&io->evs);
	free(io);
}
