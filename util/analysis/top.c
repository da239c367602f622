// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/top.h"

#include <errno.h>

#define PART 256	/* items that are handed on at once */

static void count(struct top_counts *c, const struct sink_item *it)
{
	const struct sample *s = it->sample;

	c->n++;
	c->kernel += s->cpumode == PERF_RECORD_MISC_KERNEL;
	c->user += s->cpumode == PERF_RECORD_MISC_USER;
	c->guest_kernel += s->cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
	c->guest_user += s->cpumode == PERF_RECORD_MISC_GUEST_USER;
	c->exact += it->rec && it->rec->misc & PERF_RECORD_MISC_EXACT_IP;
}

/* Whether an event among the samples turns the others on or off; false: it does not count. */
static bool passes_switches(struct top *t, const struct event *e)
{
	if (e && e == t->o.on && t->off)
		t->off = false;
	else if (e && e == t->o.off && !t->off)
		t->off = true;
	else
		return !t->off && (t->o.show_on_off || !e || (e != t->o.on && e != t->o.off));
	return t->o.show_on_off;
}

static bool passes(struct top *t, const struct sink_item *it)
{
	const u8 mode = it->sample->cpumode;

	if ((t->o.on || t->o.off) && !passes_switches(t, it->sample->event))
		return false;
	if (t->o.hide_kernel && (mode == PERF_RECORD_MISC_KERNEL ||
				 mode == PERF_RECORD_MISC_GUEST_KERNEL))
		return false;
	return !t->o.hide_user || (mode != PERF_RECORD_MISC_USER &&
				   mode != PERF_RECORD_MISC_GUEST_USER);
}

static void top_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct top *t = s->ctx;
	struct sink *to = t->pending ? hist_pending(t->hist) : hist_sink(t->hist);
	struct sink_item part[PART];
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		count(&t->now, &items[i]);
		if (passes(t, &items[i]))
			part[at++] = items[i];
		if (at == PART || (at && i + 1 == n)) {
			to->samples(to, part, at);
			if (t->also)
				t->also->samples(t->also, part, at);
			at = 0;
		}
	}
}

static void top_record(struct sink *s, const struct perf_event_header *rec,
		       const struct sample_id *id UNUSED, u64 file_off UNUSED)
{
	struct top *t = s->ctx;

	t->now.throttled += rec->type == PERF_RECORD_THROTTLE;
}

void top_init(struct top *t, struct hist *h, const struct top_opts *o)
{
	*t = (struct top){ .hist = h, .o = *o, .off = o->on != NULL };
	t->sink = (struct sink){ .wants = hist_sink(h)->wants | SINK_ORDER | SINK_SIDEBAND,
				 .ctx = t, .samples = top_samples, .record = top_record };
}

void top_init_pending(struct top *t, struct hist *h, const struct top_opts *o, struct sink *also)
{
	top_init(t, h, o);
	t->pending = true;
	t->also = also;
	t->sink.wants |= also ? also->wants : 0;
}

void top_refresh(struct top *t)
{
	t->last = t->now;
	t->now = (struct top_counts){ 0 };
	hist_finish(t->hist);
}

void top_step(struct top *t)
{
	if (t->o.zero)
		hist_clear(t->hist);
	else
		hist_decay(t->hist, TOP_KEEP, TOP_KEEP_OF);
	hist_tidy(t->hist);
}

void top_turn(struct top *t)
{
	if (t->o.zero)
		hist_clear(t->hist);
	else
		hist_decay(t->hist, TOP_KEEP, TOP_KEEP_OF);
	hist_add_pending(t->hist);
	hist_tidy(t->hist);
	top_refresh(t);
}

static const struct event *find_event(const struct event_list *l, const char *name)
{
	for vec_each(p, &l->events)
		if (!(*p)->dummy && !strcmp((*p)->name, name))
			return *p;
	return NULL;
}

int top_find_switches(struct top_opts *o, const struct event_list *l, const char *on,
		      const char *off, struct err *err)
{
	const struct { const char *name, *opt; const struct event **to; } all[] = {
		{ on, "--switch-on", &o->on }, { off, "--switch-off", &o->off },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		*all[i].to = all[i].name ? find_event(l, all[i].name) : NULL;
		if (*all[i].to || !all[i].name)
			continue;
		err_set(err, EINVAL, "%s: the event '%s' is not one of those that are sampled",
			all[i].opt, all[i].name);
		err_hint(err, "name it with -e, too: -e %s,cpu-clock", all[i].name);
		return -EINVAL;
	}
	return 0;
}
