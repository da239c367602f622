/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_TOOLS_H
#define COUNT_TOOLS_H
/*
 * Readings of the events that perf counts itself (event/tool.h), for one session.
 */
#include "util/count/sensors.h"

struct workload;

struct count_tools {
	const struct event_list *l;
	const struct os *os;
	const struct target *target;
	const struct workload *work;	/* its pid is 0 without a command */
	bool of_command;		/* the command alone is watched */
	/* how long events were enabled before; since when; 0: they are not */
	u64 on_ns, since_ns;
	u64 user0_ns, system0_ns;	/* at the start of the run */
	u64 reads;			/* in this run */
	struct count_sensors sensors;
	bool looks;			/* between readings, too */
	u64 next_look_ns;
};

bool count_tools_any(const struct event_list *l);
/* A run begins; nothing is enabled yet. */
void count_tools_start(struct count_tools *t);
/* Events were enabled or disabled now. Twice the same is nothing. */
void count_tools_switch(struct count_tools *t, bool on, u64 now_ns);
/* Between readings: of what ends before it can be read. When the next one is due, 0: never. */
u64 count_tools_look(struct count_tools *t, u64 now_ns);
/* Before events are read: one more reading is taken of each. */
void count_tools_read(struct count_tools *t);
/* That of one event: its sum until now; "enabled" and "running" are the number of readings. False:
 * it cannot be read. */
bool count_tools_value(const struct count_tools *t, const struct event *e, u64 now_ns,
		       struct event_count *sum);
void count_tools_release(struct count_tools *t);

#endif
