// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/event-switch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct event_switch {
	struct event_switch_opts o;
	struct sink sink, *to;
	bool off;			/* now */
};

static int check_name(const struct event_list *l, const char *name, const char *option,
		      struct err *err)
{
	if (!name || event_list_named(l, name))
		return 0;
	err_set(err, ENOENT, "%s: the recording has no event '%s'", option, name);
	err_hint(err, "'perf evlist' lists the names of its events");
	return -ENOENT;
}

int event_switch_check(const struct event_switch_opts *o, const struct event_list *l,
		       struct err *err)
{
	int ret = check_name(l, o->on, "--switch-on", err);

	return ret ? ret : check_name(l, o->off, "--switch-off", err);
}

static bool is_named(const struct sink_item *item, const char *name)
{
	const struct event *e = item->sample->event;

	return name && e && !strcmp(e->name, name);
}

/* Does this sample count, and those after it? */
static bool passes(struct event_switch *s, const struct sink_item *item)
{
	if (s->off) {
		if (!is_named(item, s->o.on))
			return false;
		s->off = false;
		return s->o.show;
	}
	if (!is_named(item, s->o.off))
		return true;
	s->off = true;
	return s->o.show;
}

/* Those that count, in as few calls as they lie beside each other. */
static void take_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct event_switch *s = sink->ctx;
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (passes(s, &items[i]))
			continue;
		if (i > from)
			s->to->samples(s->to, items + from, i - from);
		from = i + 1;
	}
	if (n > from)
		s->to->samples(s->to, items + from, n - from);
	sink->stop = s->to->stop;
}

static void take_record(struct sink *sink, const struct perf_event_header *rec,
			const struct sample_id *id, u64 file_off)
{
	struct event_switch *s = sink->ctx;

	s->to->record(s->to, rec, id, file_off);
	sink->stop = s->to->stop;
}

/* It happens one after the other: no clones, no batches. */
static void set_wants(struct event_switch *s)
{
	s->sink.wants = (s->to->wants | SINK_ORDER) & ~(unsigned)SINK_BATCHES;
}

static void new_events(struct sink *sink)
{
	struct event_switch *s = sink->ctx;

	s->to->events(s->to);
	set_wants(s);
}

struct event_switch *event_switch_new(const struct event_switch_opts *o, struct sink *to)
{
	struct event_switch *s;

	if (!o->on && !o->off)
		return NULL;
	s = xnew(struct event_switch);
	s->o = *o;
	s->to = to;
	s->off = o->on != NULL;
	s->sink = (struct sink){ .ctx = s, .samples = take_samples,
				 .record = to->record ? take_record : NULL,
				 .events = to->events ? new_events : NULL };
	set_wants(s);
	return s;
}

struct sink *event_switch_sink(struct event_switch *s)
{
	return &s->sink;
}

void event_switch_free(struct event_switch *s)
{
	free(s);
}
