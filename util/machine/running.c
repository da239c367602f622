// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many threads run at a time. The kernel says when a thread is put on a CPU and when it is taken
 * off. A thread that was first heard of when it was taken off, or when it became another program,
 * ran from the beginning.
 */
#include "util/machine/machine-priv.h"
#include "util/machine/running.h"

enum state { UNSEEN, ON_CPU, OFF_CPU };

struct step { u64 time_ns, off; s64 n; };	/* n: that ran from then on, without those of base */

struct running {
	struct hmap state;		/* tid -> enum state */
	VEC(struct step) steps;		/* in the order of time */
	s64 base;			/* ran when the recording began */
};

void machine_count_running(struct machine *m)
{
	if (!m->running)
		m->running = xnew(struct running);
}

void running_free(struct running *r)
{
	if (!r)
		return;
	hmap_release(&r->state);
	vec_free(&r->steps);
	free(r);
}

static enum state state_of(const struct running *r, u32 tid)
{
	return (enum state)(uintptr_t)hmap_get(&r->state, (u64)tid + 1);
}

static void set_state(struct running *r, u32 tid, enum state s)
{
	hmap_put(&r->state, (u64)tid + 1, (void *)(uintptr_t)s);
}

static void add_step(struct running *r, u64 time_ns, u64 off, s64 by)
{
	const s64 n = r->steps.n ? vec_last(&r->steps)->n : 0;

	vec_push(&r->steps, ((struct step){ time_ns, off, n + by }));
}

/* To or from a CPU. What is said twice, or was lost, does not count. */
static void move(struct running *r, u32 tid, enum state to, u64 time_ns, u64 off)
{
	const enum state was = state_of(r, tid);

	if (was == UNSEEN && to == OFF_CPU)
		r->base++;
	if (to == ON_CPU && was != ON_CPU)
		add_step(r, time_ns, off, 1);
	else if (to == OFF_CPU && was != OFF_CPU)
		add_step(r, time_ns, off, -1);
	set_state(r, tid, to);
}

void machine_note_running(struct machine *m, const struct perf_event_header *rec, u32 tid,
			  u64 time_ns, u64 off)
{
	struct wire_switch sw;
	struct wire_comm c;
	struct wire_task t;
	const char *reason;

	if (!m->running || m->frozen)
		return;
	switch (rec->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		/* no thread runs where a CPU is idle */
		if (tid && !wire_decode_switch(rec, &sw, &reason))
			move(m->running, tid, sw.out ? OFF_CPU : ON_CPU, time_ns, off);
		break;
	case PERF_RECORD_COMM:
		if (!wire_decode_comm(rec, &c, &reason) && c.exec &&
		    state_of(m->running, c.tid) == UNSEEN) {
			m->running->base++;
			set_state(m->running, c.tid, ON_CPU);
		}
		break;
	case PERF_RECORD_FORK:
		if (time_ns && !wire_decode_task(rec, &t, &reason))
			set_state(m->running, t.tid, OFF_CPU);
		break;
	case PERF_RECORD_EXIT:
		if (!wire_decode_task(rec, &t, &reason))
			move(m->running, t.tid, OFF_CPU, time_ns, off);
		break;
	}
}

void machine_step_running(struct machine *m, u64 time_ns, s32 by)
{
	add_step(m->running, time_ns, 0, by);
}

u32 machine_running_at(const struct machine *m, u64 time_ns, u64 off)
{
	const struct running *r = m->running;
	size_t from = 0, to = r ? r->steps.n : 0;
	s64 n;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;
		const struct step *s = &r->steps.v[mid];

		if (s->time_ns < time_ns || (s->time_ns == time_ns && s->off <= off))
			from = mid + 1;
		else
			to = mid;
	}
	n = from ? r->steps.v[from - 1].n : 0;
	/* while the recording is read it is not known yet who ran at first: most likely one did */
	if (r)
		n += m->frozen ? r->base : MAX(r->base, (s64)1);
	return n > 1 ? (u32)MIN(n, (s64)UINT32_MAX) : 1;
}
