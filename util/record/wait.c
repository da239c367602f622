// SPDX-License-Identifier: GPL-2.0-or-later
// What a session waits for: data in the rings, the command's end, signals, words on the control
// channel, CPUs that come, and points in time.
#include <string.h>

#include "util/record/readers.h"
#include "util/record/session.h"

#define LEARN_TICK_MS 4

/* of what is waited for; the rings follow, each with the thread that is waited for */
enum { PLACE_CONTROL, PLACE_MODULES, PLACE_CPUS, PLACE_OFF_CPU, PLACE_HEAP,
       PLACE_READERS, N_OWN_PLACES };

void record_wait_for(struct record_session *s)
{
	const int own[N_OWN_PLACES] = {
		[PLACE_CONTROL] = s->control.fd, [PLACE_CPUS] = s->cpu_fd,
		[PLACE_OFF_CPU] = s->with.off_cpu ? off_time_fd(s->with.off_cpu) : -1,
		[PLACE_HEAP] = s->with.heap ? heap_recorder_fd(s->with.heap) : -1,
		[PLACE_MODULES] = s->modules ? modules_fd(s->modules) : -1,
		[PLACE_READERS] = s->with.readers ? readers_fd(s->with.readers) : -1,
	};

	waiter_cut(&s->waiter, 0);
	for (int i = 0; i < N_OWN_PLACES; i++)
		waiter_add(&s->waiter, own[i]);
	for (size_t i = 0; record_waits_for_rings(s) && i < s->rings.slots.n; i++)
		waiter_add(&s->waiter, rings_polled_fd(&s->rings.slots.v[i]));
	if (s->with.switcher)
		switch_event_wait(s->with.switcher, &s->waiter);
}

bool record_any_alive(const struct record_session *s)
{
	if (s->with.readers)
		return readers_alive(s->with.readers);
	for vec_each(slot, &s->rings.slots)
		if (rings_polled_fd(slot) >= 0)
			return true;
	return false;
}

/* Files are mapped in bursts: while none comes, looking less often saves more than half of what
 * a quiet recorder costs. What the program that unwinds is taught at once, it asks for only once.
 * */
static u64 tick_ns(struct record_session *s, u64 now)
{
	const u64 n = s->out.scan.n_maps;

	if (n != s->n_maps)
		s->mapped_ns = now;
	s->n_maps = n;
	if (s->live && live_unwind_teaches(s->live))
		return LEARN_TICK_MS * 1000000ULL;
	return (now - s->mapped_ns < NSEC_PER_SEC ? HELD_TICK_MS : HELD_QUIET_TICK_MS) * 1000000ULL;
}

static u64 next_look(struct record_session *s)
{
	const u64 now = os_now_ns(), due = windows_due_ns(&s->windows);
	u64 at = s->pushed_ns + RECORD_PUSH_NS;

	if (due != UINT64_MAX)
		at = MIN(at, s->started_ns + due);
	if (s->o->output.switch_ns)
		at = MIN(at, s->out.opened_ns + s->o->output.switch_ns);
	if (s->out.w.pipe)
		at = MIN(at, now + 250000000);
	if (s->out.held || s->live)
		at = MIN(at, now + tick_ns(s, now));
	return at;
}

static void obey(struct record_session *s, const char *cmd)
{
	bool known = true;

	if (!strcmp(cmd, "enable"))
		record_set_enabled(s, true);
	else if (!strcmp(cmd, "disable"))
		record_set_enabled(s, false);
	else if (!strcmp(cmd, "stop"))
		s->stop = true;
	else if (!strcmp(cmd, "snapshot"))
		s->rotate = s->o->output.switch_on_signal;
	else
		known = !strcmp(cmd, "ping");
	if (known)
		control_channel_ack(&s->control);
	else
		record_say(s, RECORD_WARNING, "unknown command '%s' on the control channel "
					      "(enable, disable, snapshot, ping, stop)", cmd);
}

static void listen(struct record_session *s)
{
	const char *cmd;

	while ((cmd = control_channel_next(&s->control)))
		obey(s, cmd);
	if (s->control.fd < 0)
		waiter_set(&s->waiter, PLACE_CONTROL, -1);
}

bool record_wait(struct record_session *s)
{
	const struct waiter *w = &s->waiter;
	const enum wait_result r = waiter_wait(&s->waiter, s->os, next_look(s));
	bool data = false;

	if (r == WAIT_TIME)
		return false;
	for (size_t i = 0; record_waits_for_rings(s) && i < s->rings.slots.n; i++) {
		data |= waiter_ready(w, N_OWN_PLACES + i);
		rings_follow_threads(&s->rings.slots.v[i], &s->waiter, N_OWN_PLACES + i);
	}
	s->res->n_wakeups += data;
	if (w->signal)
		s->res->signal = w->signal;
	if (w->signal || (r == WAIT_ENDED && workload_poll(&s->work) == 1))
		s->stop = true;
	if (w->asked)
		s->rotate = s->o->output.switch_on_signal;
	if (s->with.switcher && switch_event_came(s->with.switcher, &s->waiter))
		s->rotate = true;
	s->waiter.asked = false;
	if (waiter_ready(w, PLACE_CONTROL) || waiter_hung(w, PLACE_CONTROL))
		listen(s);
	return waiter_ready(w, PLACE_CPUS);
}
