// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/tools.h"

#include "util/event/tool.h"
#include "util/os/procfs.h"
#include "util/os/workload.h"

bool count_tools_any(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->tool)
			return true;
	return false;
}

/* CPU time of what is watched: the machine, CPUs, the command with its children, or processes. */
static void cpu_times(const struct count_tools *t, u64 *user_ns, u64 *system_ns)
{
	const bool tasks = t->of_command || t->target->pid || t->target->tid || t->target->user;

	*user_ns = *system_ns = 0;
	if (!tasks) {
		procfs_cpu_times(t->os, t->target->cpu_list ? &t->target->cpus : NULL, user_ns,
				 system_ns);
		return;
	}
	if (t->of_command && t->work->reaped) {
		*user_ns = t->work->user_ns;
		*system_ns = t->work->sys_ns;
	} else if (t->of_command) {
		procfs_task_times(t->os, t->work->pid, user_ns, system_ns);
	}
	for (size_t i = 0; !t->of_command && i < t->target->tids.n; i++) {
		u64 user, system;

		if (!procfs_task_times(t->os, t->target->tids.v[i], &user, &system)) {
			*user_ns += user;
			*system_ns += system;
		}
	}
}

/* While a command runs: what it uses of graphics devices is gone when it has ended. */
#define LOOK_NS 100000000ULL

static void read_sensors(struct count_tools *t)
{
	const struct target *target = t->target;
	const int_vec command = { &(int){ t->work->pid }, 1, 1 };
	const bool tasks = target->pid || target->tid || target->user;

	if (t->of_command && t->work->reaped)
		return;		/* that of before the end is all there is */
	count_sensors_read(&t->sensors, t->l, t->os, t->of_command ? &command :
			   tasks ? &target->tids : NULL);
}

u64 count_tools_look(struct count_tools *t, u64 now_ns)
{
	if (!t->looks)
		return 0;
	if (now_ns >= t->next_look_ns) {
		read_sensors(t);
		t->next_look_ns = now_ns + LOOK_NS;
	}
	return t->next_look_ns;
}

void count_tools_start(struct count_tools *t)
{
	t->looks = t->of_command && count_sensors_drm(t->l);
	t->next_look_ns = 0;
	count_sensors_reset(&t->sensors);
	if (count_sensors_any(t->l))
		read_sensors(t);
	t->on_ns = t->since_ns = 0;
	t->reads = 0;
	if (count_tools_any(t->l))
		cpu_times(t, &t->user0_ns, &t->system0_ns);
}

void count_tools_switch(struct count_tools *t, bool on, u64 now_ns)
{
	if (on && !t->since_ns)
		t->since_ns = now_ns;
	if (!on && t->since_ns) {
		t->on_ns += now_ns - t->since_ns;
		t->since_ns = 0;
	}
}

static u64 on_ns(const struct count_tools *t, u64 now_ns)
{
	return t->on_ns + (t->since_ns && now_ns > t->since_ns ? now_ns - t->since_ns : 0);
}

void count_tools_read(struct count_tools *t)
{
	t->reads++;
	if (count_sensors_any(t->l))
		read_sensors(t);
}

bool count_tools_value(const struct count_tools *t, const struct event *e, u64 now_ns,
		       struct event_count *sum)
{
	u64 user, system, level;

	switch (e->tool) {
	case EVENT_TOOL_DURATION:
		sum->value = on_ns(t, now_ns);
		break;
	case EVENT_TOOL_USER:
	case EVENT_TOOL_SYSTEM:
		cpu_times(t, &user, &system);
		/* of processes that have ended nothing is left to read */
		user = MAX(user, t->user0_ns) - t->user0_ns;
		system = MAX(system, t->system0_ns) - t->system0_ns;
		sum->value = MAX(sum->value, e->tool == EVENT_TOOL_USER ? user : system);
		break;
	case EVENT_TOOL_SUM:
		if (!count_sensors_value(&t->sensors, e, &sum->value))
			return false;
		break;
	case EVENT_TOOL_LEVEL:
		if (!count_sensors_value(&t->sensors, e, &level))
			return false;
		sum->value += level;
		break;
	default:
		if (!event_tool_read(t->os, e->tool,
				     t->target->system_wide || t->target->cpu_list, &level))
			return false;
		sum->value += level;
	}
	sum->enabled_ns = sum->running_ns = t->reads;
	return true;
}

void count_tools_release(struct count_tools *t)
{
	count_sensors_release(&t->sensors);
}
