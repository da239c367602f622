// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame --why: the longest waits of a recording with the scheduler's events, for its page.
#include <errno.h>
#include <stdlib.h>

#include "builtin-flame.h"
#include "builtin-sched.h"
#include "util/analysis/why/why.h"
#include "util/base/xalloc.h"
#include "util/view/why-text.h"

enum { PARTS = 60 };		/* of a chain that are shown: they are to be read */

int flame_waits_check(const struct flame_cmd *c, struct session *s)
{
	return c->n_waits ? sched_need_switches(s->source->events, s->source->name, &s->err) : 0;
}

void flame_waits_open(struct flame_waits *w, const struct session *s)
{
	bool chains;

	w->model = sched_new();
	w->sched_sink = sched_sink_new(w->model, s->source->events, s->source->swap);
	w->why = sched_why_new(w->model, w->sched_sink, s, &chains);
	w->sinks[0] = w->sched_sink;
	w->sinks[1] = why_sink(w->why);
}

void flame_waits_finish(struct flame_waits *w, int n)
{
	const struct why_search what = { .n = (size_t)n, .to_ns = UINT64_MAX };
	why_spans spans = { 0 };
	struct why_tables *t;

	sched_close(w->model);
	why_close(w->why);
	why_slowest(w->why, &what, &spans);
	t = xcalloc(spans.n + 1, sizeof(*t));
	for (size_t i = 0; i < spans.n; i++)
		why_explain(w->why, &spans.v[i], &t[i]);
	why_json(&w->json, t, spans.n, PARTS);
	for (size_t i = 0; i < spans.n; i++)
		why_tables_release(&t[i]);
	free(t);
	vec_free(&spans);
}

void flame_waits_release(struct flame_waits *w)
{
	why_free(w->why);
	sched_sink_free(w->sched_sink);
	sched_free(w->model);
	str_release(&w->json);
}
