// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sink before a live histogram: what it counts, what it leaves out, what is left of it.
 */
#include <errno.h>

#include "tests/unit/unit.h"
#include "util/analysis/top.h"

struct live {
	struct event_list events;
	struct event *clock, *start, *end;
	struct hist_keys keys;
	struct hist *h;
	struct thread thread;
	struct comm comm;
	struct top top;
};

static void live_init(struct live *l, const struct top_opts *o)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct keys_spec spec = { .sort = "comm" };
	struct top_opts opts = *o;

	*l = (struct live){ .thread = { .pid = 1, .tid = 1 }, .comm = { .name = "prog" } };
	event_list_init(&l->events);
	l->clock = event_list_add(&l->events, &attr, "cpu-clock");
	l->start = event_list_add(&l->events, &attr, "sched:start");
	l->end = event_list_add(&l->events, &attr, "sched:end");
	CHECK_EQ(hist_keys_init(&l->keys, &spec, &l->events, NULL), 0);
	l->h = hist_new(&(struct hist_opts){ .events = &l->events, .keys = &l->keys }, NULL);
	CHECK(l->h);
	opts.on = opts.on ? l->start : NULL;
	opts.off = opts.off ? l->end : NULL;
	top_init(&l->top, l->h, &opts);
}

static void live_release(struct live *l)
{
	hist_free(l->h);
	hist_keys_release(&l->keys);
	event_list_release(&l->events);
}

static void feed_n(struct live *l, const struct event *e, u8 mode, size_t n)
{
	const struct perf_event_header rec = { .type = PERF_RECORD_SAMPLE,
					       .misc = mode | PERF_RECORD_MISC_EXACT_IP };
	struct sample s = { .present = PERF_SAMPLE_PERIOD, .period = 80, .event = e, .pid = 1,
			    .tid = 1, .cpumode = mode };
	struct resolved r = { .thread = &l->thread, .comm = &l->comm };
	struct sink_item items[600];

	CHECK(n <= ARRAY_SIZE(items));
	for (size_t i = 0; i < n; i++)
		items[i] = (struct sink_item){ .sample = &s, .res = &r, .rec = &rec };
	l->top.sink.samples(&l->top.sink, items, n);
}

TEST(counts_of_an_interval)
{
	const struct perf_event_header throttled = { .type = PERF_RECORD_THROTTLE };
	struct live l;

	live_init(&l, &(struct top_opts){ .hide_user = false });
	CHECK(l.top.sink.wants & SINK_SIDEBAND);
	feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 600);
	feed_n(&l, l.clock, PERF_RECORD_MISC_KERNEL, 3);
	feed_n(&l, l.clock, PERF_RECORD_MISC_GUEST_USER, 2);
	l.top.sink.record(&l.top.sink, &throttled, NULL, 0);
	top_refresh(&l.top);
	CHECK_EQ(l.top.last.n, 605);
	CHECK_EQ(l.top.last.user, 600);
	CHECK_EQ(l.top.last.kernel, 3);
	CHECK_EQ(l.top.last.guest_user, 2);
	CHECK_EQ(l.top.last.exact, 605);
	CHECK_EQ(l.top.last.throttled, 1);
	CHECK_EQ(hist_total(l.h, l.clock).period, 605 * 80);
	top_step(&l.top);
	top_refresh(&l.top);
	CHECK_EQ(l.top.last.n, 0);
	CHECK_EQ(hist_total(l.h, l.clock).period, 605 * 70);
	l.top.o.zero = true;
	top_step(&l.top);
	top_refresh(&l.top);
	CHECK_EQ(hist_total(l.h, l.clock).period, 0);
	live_release(&l);
}

TEST(hidden_samples_are_counted_but_not_added)
{
	struct live l;

	live_init(&l, &(struct top_opts){ .hide_kernel = true });
	feed_n(&l, l.clock, PERF_RECORD_MISC_KERNEL, 5);
	feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 2);
	l.top.o = (struct top_opts){ .hide_user = true };
	feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 7);
	feed_n(&l, l.clock, PERF_RECORD_MISC_KERNEL, 4);
	top_refresh(&l.top);
	CHECK_EQ(l.top.last.kernel, 9);
	CHECK_EQ(l.top.last.n, 18);
	CHECK_EQ(hist_total(l.h, l.clock).n, 6);
	live_release(&l);
}

TEST(events_switch_others_on_and_off)
{
	static const struct event any;
	struct live l;

	for (int shown = 0; shown < 2; shown++) {
		live_init(&l, &(struct top_opts){ .on = &any, .off = &any,
						  .show_on_off = shown });
		feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 1);		/* not yet */
		feed_n(&l, l.end, PERF_RECORD_MISC_USER, 1);
		feed_n(&l, l.start, PERF_RECORD_MISC_USER, 1);
		feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 20);
		feed_n(&l, l.start, PERF_RECORD_MISC_USER, 1);		/* it is on */
		feed_n(&l, l.end, PERF_RECORD_MISC_USER, 1);
		feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 300);
		feed_n(&l, l.start, PERF_RECORD_MISC_USER, 1);
		feed_n(&l, l.clock, PERF_RECORD_MISC_USER, 3);
		top_refresh(&l.top);
		CHECK_EQ(hist_total(l.h, l.clock).n, 23);
		CHECK_EQ(hist_total(l.h, l.start).n, shown ? 3 : 0);
		CHECK_EQ(hist_total(l.h, l.end).n, shown ? 1 : 0);
		live_release(&l);
	}
}

TEST(switching_events_are_sampled_ones)
{
	struct top_opts o = { .hide_user = false };
	struct err err = ERR_INIT;
	struct live l;

	live_init(&l, &o);
	CHECK_EQ(top_find_switches(&o, &l.events, "sched:start", NULL, &err), 0);
	CHECK(o.on == l.start && !o.off);
	CHECK_EQ(top_find_switches(&o, &l.events, NULL, "nosuch", &err), -EINVAL);
	CHECK_STR(err.msg, "--switch-off: the event 'nosuch' is not one of those that are sampled");
	err_release(&err);
	live_release(&l);
}
