// SPDX-License-Identifier: GPL-2.0-or-later
// The events of a session: opened, turned on and off, and what is reported of them.
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "include/abi/perf_event.h"
#include "util/os/uevent.h"
#include "util/record/session.h"

void record_say(const struct record_session *s, enum record_say kind, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;

	if (!s->o->listener.fn)
		return;
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	s->o->listener.fn(s->o->listener.ctx, kind, str_cstr(&text));
	str_release(&text);
}

/* The side-band event stays on: what is mapped while nothing is sampled is needed afterwards. */
int record_set_enabled(struct record_session *s, bool on)
{
	s->windows.on = on;
	if (s->with.off_cpu)
		off_time_switch(s->with.off_cpu, on);
	if (s->with.heap)
		heap_recorder_switch(s->with.heap, on);
	return event_list_switch(s->list, false, on);
}

static bool has_deferred(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if (abi_attr_flags(&(*e)->attr) & ABI_ATTR_DEFER_CALLCHAIN)
			return true;
	return false;
}

void record_say_changes(struct record_session *s)
{
	for (size_t i = 0; i < s->res->opened.changes.n; i++) {
		const struct open_change *c = &s->res->opened.changes.v[i];

		switch (c->what) {
		case OPEN_CHANGED_EVENT:
		case OPEN_EXCLUDED_KERNEL:
		case OPEN_BROKE_GROUP:
		case OPEN_UNSUPPORTED:
		case OPEN_DROPPED_PRECISE:
			record_say(s, RECORD_INFO, "%s", c->detail);
			break;
		case OPEN_DROPPED_FLAG:	/* -v shows them */
		case OPEN_THREAD_GONE:
			break;
		}
	}
	if (s->o->stacks.deferred && !has_deferred(s->list))
		record_say(s, RECORD_INFO, "--call-graph fp,defer: this kernel has no deferred "
			   "call chains (Linux 6.19 has them): those of user code are taken with "
			   "each sample");
}

void record_open_policy(const struct record_session *s, struct open_policy *p)
{
	const struct record_opts *o = s->o;
	const bool later = o->when.windows.n || o->when.start_disabled;

	*p = (struct open_policy){
		.use = OPEN_SAMPLE, .target = &o->target, .workload = s->work_is_target ?
			s->work.pid : 0,
		.enable_on_exec = s->work_is_target && !later,
		.inherit = !o->scope.no_inherit && !o->target.per_thread && s->o->target.tids.n &&
		o->target.tids.v[0] != -1,
		.allow_fallback = true,
	};
}

int record_open_events(struct record_session *s, struct err *err)
{
	struct open_policy policy;
	int ret, code;

	record_open_policy(s, &policy);
	if (!s->o->target.per_thread)
		s->cpu_fd = os_uevent_cpus(s->os);	/* before the CPUs are looked at */
	ret = event_list_open(s->list, &policy, s->os, &s->res->opened, err);

	if (!ret && (code = event_list_switch(s->list, true, true)))
		ret = err_sys(err, -code, "cannot enable the side-band event");
	return ret;
}

int record_restart(struct record_session *s, struct err *err)
{
	int ret = event_list_switch(s->list, true, true);

	if (!ret && s->windows.on)
		ret = event_list_switch(s->list, false, true);
	return ret ? err_sys(err, -ret, "cannot enable the events") : 0;
}
