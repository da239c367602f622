// SPDX-License-Identifier: GPL-2.0-or-later
// CPUs that go offline and come back while they are recorded: the kernel takes their events away
// and does not bring them back.
#include <errno.h>
#include <unistd.h>

#include "util/os/uevent.h"
#include "util/record/readers.h"
#include "util/record/session.h"

static bool is_recorded(const struct record_session *s, int cpu)
{
	for (size_t i = 0; i < s->rings.slots.n; i++)
		if (s->rings.slots.v[i].ring.cpu == cpu)
			return true;
	return false;
}

/* The rings are empty, so that what the old events wrote is known by its ids. */
static int reopen(struct record_session *s, int cpu, event_gone_vec *gone, struct err *err)
{
	struct open_policy p;
	int ret;

	record_open_policy(s, &p);
	if (s->with.readers)
		readers_hold(s->with.readers);
	if (s->live)
		live_unwind_swap_attrs(s->live);
	ret = event_list_reopen_cpu(s->list, cpu, &p, s->os, gone, err);
	if (s->live)
		live_unwind_swap_attrs(s->live);
	if (!ret)
		ret = rings_follow_cpu(&s->rings, s->list, s->os, cpu, err);
	if (s->with.readers)
		readers_go_on(s->with.readers);
	if (!ret)
		ret = filters_attach(s->with.filters, err);
	if (!ret && s->live)
		ret = live_unwind_follow_cpu(s->live, &s->rings, s->os, cpu, err);
	if (!ret)
		record_wait_for(s);
	return ret ? ret : record_restart(s, err);
}

static int come_back(struct record_session *s, int cpu, struct err *err)
{
	event_gone_vec gone = { NULL, 0, 0 };
	struct err reason = ERR_INIT;
	int ret = record_pass(s, true, err), lost = 0;

	if (ret)
		return ret;
	ret = s->out.w.pipe ? err_set(&reason, ENOTSUP,
				      "a stream has said already which events it holds") :
				      reopen(s, cpu, &gone, &reason);
	for vec_each(g, &gone) {
		if (g->fd >= 0 && !lost)
			lost = record_write_lost(s, g->event, g->fd, g->id, &s->lost_before, err);
		if (g->fd >= 0)
			close(g->fd);
	}
	vec_free(&gone);
	if (!ret)
		record_say(s, RECORD_INFO, "CPU %d is online: it is recorded from here on", cpu);
	/* tasks are followed there all the same; it is offline again */
	else if (ret != -ENOENT && ret != -ENODEV)
		record_say(s, RECORD_WARNING, "CPU %d is online, but from here on what runs there "
					      "is not recorded: %s", cpu, reason.msg);
	err_release(&reason);
	return lost;
}

/* Where tasks are recorded, their events stay with them through a CPU's absence. One that was
 * away when they were opened has none: a child begins on any CPU, and opening for all of them
 * comes too late. */
static void say_unseen(const struct record_session *s, const struct os_cpu_event *e)
{
	if (e->online && !is_recorded(s, e->cpu))
		record_say(s, RECORD_WARNING, "CPU %d is online: what runs there is not recorded "
					      "(-a follows CPUs)", e->cpu);
}

int record_follow_cpus(struct record_session *s, struct err *err)
{
	const bool by_cpu = s->o->target.system_wide || s->o->target.cpu_list;
	struct os_cpu_event e;
	int ret = 0;

	while (!ret && s->cpu_fd >= 0 && os_uevent_next_cpu(s->cpu_fd, &e)) {
		if (!by_cpu)
			say_unseen(s, &e);
		else if (e.online)
			ret = come_back(s, e.cpu, err);
		else if (is_recorded(s, e.cpu))
			record_say(s, RECORD_INFO, "CPU %d went offline", e.cpu);
	}
	return ret;
}
