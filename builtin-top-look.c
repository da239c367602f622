// SPDX-License-Identifier: GPL-2.0-or-later
// perf top: what the text and the browser have in common: the title's numbers, the rows, how often.
#include "builtin-top.h"

#define SHARE_OF_DRAWING 20		/* it takes at most one part in so many of the time */

const struct event *top_shown_event(const struct top_cmd *c)
{
	return c->look.shown ? c->look.shown : c->list.events.v[0];
}

/* One frequency or period for all events, or it is not in the title. */
static void add_rate(const struct top_cmd *c, struct top_title *t)
{
	const struct event *e = c->list.events.v[0];
	size_t n = 0;

	for vec_each(p, &c->list.events)
		n += !(*p)->dummy;
	if (n > 1)
		return;
	t->freq_hz = e->attr.freq ? e->attr.sample_freq : 0;
	t->period = e->attr.freq ? 0 : e->attr.sample_period;
}

struct top_title top_next_title(struct top_cmd_run *r)
{
	const u64 now = os_now_ns(), own = os_own_cpu_ns(), lost = live_session_lost(&r->live);
	const double ns = (double)MAX(now - r->shown_ns, (u64)1);
	struct top_title t = {
		.counts = r->top.last, .seconds = ns / 1e9, .lost_now = lost - r->lost,
		.lost = lost, .own_pct = 100.0 * (double)(own - r->own_ns) / ns,
		.event = top_shown_event(r->c)->name, .target = str_cstr(&r->target),
	};

	r->throttled += r->top.last.throttled;
	t.throttled = r->throttled;
	add_rate(r->c, &t);
	r->shown_ns = now;
	r->own_ns = own;
	r->lost = lost;
	return t;
}

struct hist_view_opts top_view(const struct top_look *k)
{
	return (struct hist_view_opts){ .chain = k->chain, .min_pct = k->min_pct,
					.min_n = (u64)MAX(k->min_n, 0), .group = true,
					.nested = k->nested,
					.max_rows = (size_t)k->entries };
}

u64 top_refresh_ns(const struct top_cmd_run *r, u64 took_ns)
{
	return MAX(r->c->look.delay_ns, took_ns * SHARE_OF_DRAWING);
}
