// SPDX-License-Identifier: GPL-2.0-or-later
// perf report: the call stacks as an icicle, on a terminal or as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-report.h"
#include "util/analysis/flame/flame.h"
#include "util/cli/error.h"
#include "util/cli/pager.h"
#include "util/view/event-title.h"
#include "util/view/tui/flame.h"
#include "util/view/tui/icicle.h"

enum { TEXT_COLS = 120 };

static struct flame *make_flame(const struct report_opts *o)
{
	return flame_new(&(struct flame_opts){ .no_inline = o->stream.no_inline });
}

static bool has_samples(const struct flame_tree *t, const struct event *e)
{
	for vec_each(l, &t->tracks)
		if (l->event == e)
			return true;
	return false;
}

static const struct event *first_event(const struct flame_tree *t, const struct event_list *l)
{
	for vec_each(e, &l->events)
		if (has_samples(t, *e))
			return *e;
	return NULL;
}

/* ---- instead of rows ---- */

static void add_text(const struct flame_tree *t, const struct event_list *events, struct str *out)
{
	for vec_each(e, &events->events) {
		struct flame_weights w;

		if (!has_samples(t, *e))
			continue;
		flame_weigh(t, *e, &w);
		str_add(out, out->len ? "\n# " : "# ");
		event_title_samples(out, &(struct event_samples){ events, *e, .n = w.n_total[0],
				    .period = w.total[0] });
		str_add(out, "\n# [k] kernel, [i] inlined, [j] JIT; perf flame draws a page or a "
			"drawing\n#\n");
		flame_weights_release(&w);
		icicle_text(t, *e, TEXT_COLS, out);
	}
}

static int no_samples(const struct session *s, bool stopped)
{
	const struct stream_stats *st = stream_get_stats(s->stream);

	if (stopped)
		return cli_errorf("stopped before a sample of '%s' was read", s->source->name);
	if (st->n_filtered)
		return cli_errorf("no sample in '%s' passes the filters (%llu samples)",
				  s->source->name, (unsigned long long)st->n_filtered);
	return cli_errorf("the file '%s' has no samples", s->source->name);
}

static void show(struct browser *b, struct flame_tree *t, const struct event_list *events,
		 struct str *out)
{
	struct str part = STR_INIT;
	struct flame_tui_opts o = { .tree = t, .events = events, .whole = true,
				    .event = first_event(t, events) };

	if (!b->screen) {
		add_text(t, events, out);
		cli_page(out);
		fflush(stdout);
		return;
	}
	browser_loaded(b);
	browser_part_text(b, &part);
	o.part = part.len ? str_cstr(&part) : NULL;
	flame_tui(b->screen, &o);
	str_release(&part);
}

int report_flame(const struct report_opts *o, struct session *s, struct str *out)
{
	struct flame *f = make_flame(o);
	struct browser b = { .sinks = { flame_sink(f) } };
	struct flame_tree *t = NULL;
	int rc;

	if (report_wants_browser(o, s->source->once) &&
	    browser_open(&b, &o->browser, o->common.quiet))
		browser_loading(&b);
	rc = session_run(s, (struct sink *[]){ flame_sink(f), browser_counter(&b) },
			 b.screen ? 2 : 1);
	if (!rc)
		t = flame_finish(f);
	if (t && t->n_samples)
		show(&b, t, s->source->events, out);
	browser_close(&b);
	if (t && !t->n_samples)
		rc = no_samples(s, flame_sink(f)->stop);
	flame_free(f);
	return rc;
}

/* ---- from the browser of rows ---- */

struct report_flame {
	const struct report_opts *o;
	const struct session *shown;
	struct session s;
	bool open;
	struct flame *flame;
	struct flame_tree *tree;
	struct str part;
};

struct report_flame *report_flame_new(const struct report_opts *o, const struct session *s)
{
	struct report_flame *f = xnew(struct report_flame);

	f->o = o;
	f->shown = s;
	return f;
}

static void forget(struct report_flame *f)
{
	flame_free(f->flame);
	if (f->open)
		session_close(&f->s, 0);
	str_release(&f->part);
	*f = (struct report_flame){ .o = f->o, .shown = f->shown };
}

void report_flame_free(struct report_flame *f)
{
	if (!f)
		return;
	forget(f);
	free(f);
}

static int read_again(struct report_flame *f, struct screen *screen)
{
	struct stream_opts stream = f->o->stream;
	struct browser b = { .screen = screen };
	int rc;

	stream.filter = f->o->rows.filter;
	f->open = true;
	rc = session_open(&f->s, &(struct session_opts){ .path = f->shown->source->name,
							 .force = true, .quiet = true,
							 .itrace = &f->o->itrace,
							 .symbols = &stream.symbols });
	if (!rc)
		rc = session_prepare(&f->s, &stream);
	if (rc)
		return rc;
	f->flame = make_flame(f->o);
	b.sinks[0] = flame_sink(f->flame);
	browser_loading(&b);
	rc = session_run(&f->s, (struct sink *[]){ b.sinks[0], browser_counter(&b) }, 2);
	browser_loaded(&b);
	if (rc)
		return rc;
	browser_part_text(&b, &f->part);
	f->tree = flame_finish(f->flame);
	return 0;
}

static const struct event *same_event(const struct report_flame *f, const struct event *e)
{
	const struct event_list *l = f->s.source->events;

	return e->index >= 0 && (size_t)e->index < l->events.n ? l->events.v[e->index] : NULL;
}

bool report_flame_show(struct report_flame *f, struct screen *screen, const struct event *e,
		       struct str *said)
{
	struct flame_tui_opts o = { 0 };

	if (!f->tree && read_again(f, screen) < 0) {
		str_addf(said, "no call stacks: %s", f->s.err.msg ? f->s.err.msg :
			 "the recording cannot be read again");
		forget(f);
		return false;
	}
	o = (struct flame_tui_opts){ .tree = f->tree, .events = f->s.source->events,
				     .event = same_event(f, e),
				     .part = f->part.len ? str_cstr(&f->part) : NULL };
	if (!o.event || !has_samples(f->tree, o.event)) {
		str_add(said, "no sample of this event passes the filters");
		return false;
	}
	return flame_tui(screen, &o);
}
