// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/select.h"

#include <errno.h>

#include "util/base/xalloc.h"
#include "util/event/per-event.h"

struct names { const char *const *v; size_t n; };

struct export_select {
	struct sink sink;
	struct sink *to;
	struct names names;
	struct per_event taken;		/* bool */
	VEC(struct sink_item) items;
	u64 n;				/* handed on */
};

static bool is_named(const char *name, const struct event *e)
{
	return !strcmp(name, e->name) || !strcmp(name, event_typed(e)) || glob_match(e->name, name);
}

static void set_taken(void *ctx, const struct event *e, void *state)
{
	const struct names *names = ctx;

	*(bool *)state = false;
	for (size_t i = 0; i < names->n; i++)
		*(bool *)state |= is_named(names->v[i], e);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct export_select *s = sink->ctx;

	vec_clear(&s->items);
	for (size_t i = 0; s->names.n && i < n; i++) {
		const struct event *e = items[i].sample->event;

		if (e && *(bool *)per_event(&s->taken, e))
			vec_push(&s->items, items[i]);
	}
	if (s->names.n) {
		items = s->items.v;
		n = s->items.n;
	}
	if (n)
		s->to->samples(s->to, items, n);
	s->n += n;
	sink->stop = s->to->stop;
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off)
{
	struct export_select *s = sink->ctx;

	s->to->record(s->to, rec, id, file_off);
}

static bool takes(const struct sink *sink, const struct event *e)
{
	const struct export_select *s = sink->ctx;
	bool taken;

	set_taken((void *)&s->names, e, &taken);
	return (taken || !s->names.n) && (!s->to->takes || s->to->takes(s->to, e));
}

static void on_events(struct sink *sink)
{
	struct export_select *s = sink->ctx;

	if (s->to->events)
		s->to->events(s->to);
	sink->wants = s->to->wants;
}

static struct sink *clone(struct sink *sink)
{
	struct export_select *s = sink->ctx;

	return &export_select_new(s->names.v, s->names.n, s->to->clone(s->to))->sink;
}

static void merge(struct sink *sink, struct sink *from)
{
	struct export_select *s = sink->ctx, *f = from->ctx;

	s->to->merge(s->to, f->to);
	s->n += f->n;
	export_select_free(f);
}

struct export_select *export_select_new(const char *const *names, size_t n, struct sink *to)
{
	struct export_select *s = xnew(struct export_select);

	s->to = to;
	s->names = (struct names){ names, n };
	per_event_init(&s->taken, sizeof(bool), set_taken, &s->names);
	s->sink = (struct sink){ .wants = to->wants, .ctx = s, .samples = on_samples,
				 .record = to->record ? on_record : NULL,
				 .takes = to->takes || (n && to->wants & SINK_ORDER) ?
					takes : NULL,
				 .events = on_events,
				 .clone = to->clone ? clone : NULL,
				 .merge = to->merge ? merge : NULL };
	return s;
}

void export_select_free(struct export_select *s)
{
	if (!s)
		return;
	per_event_release(&s->taken);
	vec_free(&s->items);
	free(s);
}

struct sink *export_select_sink(struct export_select *s) { return &s->sink; }
u64 export_select_count(const struct export_select *s) { return s->n; }

static bool is_there(const char *name, const struct event_list *events)
{
	for vec_each(e, &events->events)
		if (is_named(name, *e))
			return true;
	return false;
}

int export_select_check(const struct export_select *s, const struct event_list *events,
			const char *path, struct err *err)
{
	struct str all = STR_INIT;

	for (size_t i = 0; i < s->names.n; i++) {
		if (is_there(s->names.v[i], events))
			continue;
		for vec_each(e, &events->events)
			if (!(*e)->dummy)
				str_addf(&all, "%s%s", all.len ? ", " : "", (*e)->name);
		err_set(err, ENOENT, "there is no event '%s' in '%s'", s->names.v[i], path);
		err_hint(err, "its events: %s", str_cstr(&all));
		str_release(&all);
		return -ENOENT;
	}
	return 0;
}
