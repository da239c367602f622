// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame --why: the longest waits of a recording with the scheduler's events, for its page.
#include "builtin-flame.h"
#include "builtin-sched.h"
#include "util/analysis/why/why.h"
#include "util/view/why-text.h"

enum { PARTS = 60 };		/* of a chain that are shown: they are to be read */

int flame_waits_open(struct flame_waits *w, struct session *s)
{
	bool chains;
	int ret = sched_need_switches(s->source->events, s->source->name, &s->err);

	if (ret)
		return ret;
	w->model = sched_new();
	w->sched_sink = sched_sink_new(w->model, s->source->events, s->source->swap);
	w->why = sched_why_new(w->model, w->sched_sink, s, &chains);
	w->why_sink = why_sink(w->why);
	return 0;
}

void flame_waits_finish(struct flame_waits *w, int n)
{
	const struct why_search what = { .n = (size_t)n, .to_ns = UINT64_MAX };
	why_spans spans = { 0 };
	struct why_tables *t;

	sched_close(w->model);
	why_close(w->why);
	why_slowest(w->why, &what, &spans);
	t = why_explain(w->why, &spans);
	why_json(&w->json, t, spans.n, PARTS);
	why_tables_free(t, spans.n);
	vec_free(&spans);
}

void flame_waits_release(struct flame_waits *w)
{
	why_free(w->why);
	sched_sink_free(w->sched_sink);
	sched_free(w->model);
	str_release(&w->json);
}
