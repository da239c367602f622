// SPDX-License-Identifier: GPL-2.0-or-later
// The rings of open events as a source.
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/cli/error.h"
#include "util/os/cgroup.h"
#include "util/session/live-priv.h"

static struct live_rings *rings_of(const struct source *s)
{
	return (struct live_rings *)s;
}

static int pass(struct source *s, u64 bound_ns, source_put put, void *ctx, struct err *err UNUSED)
{
	live_follow_modules(&rings_of(s)->live, put, ctx);
	live_pass(&rings_of(s)->live, bound_ns, put, ctx);
	return 0;
}

static void add_fds(const struct source *s, int_vec *out)
{
	for vec_each(slot, &rings_of(s)->live.rings.slots)
		vec_push(out, slot->fds.v[0]);
}

static u64 lost(const struct source *s)
{
	return live_lost(&rings_of(s)->live);
}

static void close_rings(struct source *s)
{
	live_close(&rings_of(s)->live);
}

static const struct source_ops ops = { pass, add_fds, lost, close_rings };

/* ---- opening ---- */

/* What we do ourselves would be traced showing it, and without end. */
static void exclude_own(const struct live_session *s, struct event_list *l)
{
	for vec_each(p, &l->events) {
		struct event *e = *p;
		struct str f = STR_INIT;

		if (e->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		str_addf(&f, "common_pid != %d", (int)getpid());
		for vec_each(pid, &s->excluded)
			str_addf(&f, " && common_pid != %d", *pid);
		event_and_filter(e, str_cstr(&f));
		str_release(&f);
	}
}

static int set_cgroup(const struct live_session *s, struct event_list *l, struct err *err)
{
	for vec_each(p, &l->events) {
		(*p)->cgroup = xstrdup(s->o.cgroup);
		(*p)->cgroup_fd = os_cgroup_open(&s->os, s->o.cgroup, err);
		if ((*p)->cgroup_fd < 0)
			return (*p)->cgroup_fd;
	}
	return 0;
}

static void set_options(const struct live_session *s, struct record_opts *ro)
{
	unsigned *pages = &ro->buffers.ring_pages;

	ro->target = s->o.target;
	ro->target.system_wide |= s->everybody && target_none(&s->o.target);
	ro->sampling.clockid = CLOCK_MONOTONIC;
	ro->scope.no_inherit = s->o.no_inherit;
	ro->when.start_disabled = s->o.delay_ns > 0;
	if (s->o.ring_bytes)
		for (*pages = 1; (u64)*pages * (u64)s->os.page_bytes < s->o.ring_bytes;)
			*pages *= 2;
}

static int before(void *ctx, const struct perf_event_header *rec)
{
	struct live_session *s = ctx;
	const struct wire_timed r = { rec, 0 };

	stream_put(s->stream, &r, 1);
	return 0;
}

void live_rings_init(struct live_rings *r)
{
	*r = (struct live_rings){ .source = { .ops = &ops, .name = "live", .once = true },
				  .live = { .cpu_fd = -1 } };
}

int live_rings_open(struct live_session *s, const struct live_events *e, struct err *err)
{
	struct live_rings *r = &s->rings;
	struct record_opts ro = *e->sampling;
	const pid_t work = s->everybody || s->o.target.pid || s->o.target.tid ? 0 : s->work.pid;
	int ret = s->o.cgroup ? set_cgroup(s, e->list, err) : 0;

	if (ret)
		return ret;
	r->source.events = e->list;
	r->n_early = e->n_early;
	r->maps = e->maps;
	set_options(s, &ro);
	if (!work && !s->o.with_own)
		exclude_own(s, e->list);
	r->open = true;
	ret = live_open(&r->live, e->list, &ro, work, &s->os, err);
	if (!ret)
		event_list_index(e->list);
	if (!ret && r->live.only_now.msg)
		cli_warn("of events, the processes that user '%s' has now are followed, and what "
			 "these start; those that begin later are not: %s", s->o.target.user,
			 r->live.only_now.msg);
	return ret;
}

/* With a command: what is early, the others begin with its exec. */
int live_rings_start(const struct live_session *s, struct err *err)
{
	struct event_list *l = s->rings.source.events;
	const bool by_exec = s->rings.live.workload && !s->rings.live.o.when.start_disabled;
	int ret = event_list_enable_first(l, by_exec ? s->rings.n_early : l->events.n);

	return ret ? err_sys(err, -ret, "cannot enable the events") : 0;
}

static void say(void *ctx, const char *text)
{
	const struct live_session *s = ctx;

	if (s->o.on_warning)
		s->o.on_warning(s->o.ctx, text);
	else
		cli_warn("%s", text);
}

bool live_rings_follow(struct live_session *s, struct err *err)
{
	if (!s->rings.open || !live_follow_cpus(&s->rings.live, say, s))
		return false;
	event_list_index(s->rings.source.events);
	if (!s->paused)
		live_rings_start(s, err);
	return true;
}

int live_rings_before(struct live_session *s, struct err *err)
{
	const struct live *l = &s->rings.live;
	const int ret = live_before(&s->rings.live, s->rings.maps, before, s, err);
	char *text = ret || !l->kernel_hidden || !s->o.warn_hidden ? NULL :
		record_hidden_text(l->os, l->list);

	if (text)
		say(s, text);
	free(text);
	return ret;
}
