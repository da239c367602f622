// SPDX-License-Identifier: GPL-2.0-or-later
// perf annotate --data-type: samples by type of data.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin-annotate.h"
#include "util/analysis/annotate/members.h"
#include "util/cli/error.h"
#include "util/session/warnings.h"
#include "util/view/draw.h"
#include "util/view/types-text.h"

struct showing {
	const struct annotate_opts *o;
	struct session *s;
	const struct annotate *counts;
	struct access_finder *finder;
	struct draw draw;
	struct str out;
	bool data;
	u64 n_shown;
	u64 n_why[N_ACCESS_WHYS];
};

static void show_type(struct showing *x, const struct types_usage *u, const struct type_usage *t,
		      const struct types_look *look)
{
	struct table facts = { 0 }, members = { 0 };

	x->n_shown++;
	if (!x->data) {
		types_text(&x->out, u, t, look);
		return;
	}
	type_usage_facts(t, look->events[0], &facts);
	type_usage_table(u, t, &members);
	draw_group_begin(&x->draw, "types", &facts);
	draw_table(&x->draw, &members);
	draw_group_end(&x->draw);
	table_release(&facts);
	table_release(&members);
}

static void show_stat(struct showing *x, const struct types_usage *u,
		      void (*text)(struct str *, const struct types_usage *),
		      void (*table)(const struct types_usage *, struct table *))
{
	struct table t = { 0 };

	if (!x->data) {
		text(&x->out, u);
		return;
	}
	table(u, &t);
	draw_table(&x->draw, &t);
	table_release(&t);
}

static bool is_wanted(const struct showing *x, const struct type_usage *t,
		      struct annotate_sum all)
{
	const double pct = all.period ? 100.0 * (double)type_usage_total(t, 0).period /
		(double)all.period : 0;

	return pct >= x->o->min_pct &&
		(!x->o->types.name || datatype_is_named(t->type, x->o->types.name));
}

static void show_event(struct showing *x, const struct event *e)
{
	const struct annotate_look_opts *k = &x->o->look;
	const enum annotate_percent percent = x->o->code.percent;
	struct annotate_members m = { 0 };
	struct types_look look = { .numbers = k->show_n ? TYPES_SAMPLES :
				   k->show_period ? TYPES_PERIOD : TYPES_PERCENT };
	struct types_usage u;

	annotate_members_find(&m, x->counts, x->s->source->events, e,
			      k->group && e->n_members > 1);
	look.events = m.events.v;
	look.by_hits = percent == ANNOTATE_LOCAL_HITS || percent == ANNOTATE_GLOBAL_HITS;
	types_usage_init(&u, x->finder, x->counts, m.events.v, m.events.n);
	if (x->o->types.stat)
		show_stat(x, &u, types_why_text, types_usage_why_table);
	if (x->o->types.insn_stat)
		show_stat(x, &u, types_insn_text, types_usage_insn_table);
	for vec_each(t, &u.types)
		if (is_wanted(x, t, annotate_total(x->counts, e)))
			show_type(x, &u, t, &look);
	for (int w = 0; w < N_ACCESS_WHYS; w++)
		x->n_why[w] += u.n_why[w];
	types_usage_release(&u);
	annotate_members_release(&m);
}

static int nothing_shown(const struct showing *x)
{
	const char *name = x->o->types.name;

	if (name && x->n_why[ACCESS_KNOWN])
		return cli_errorf("no sample in '%s' is an access to the type '%s' (all that "
				  "have samples: perf annotate --data-type)", x->s->source->name,
				  name);
	if (x->n_why[ACCESS_NO_DEBUG] && !x->n_why[ACCESS_NO_VARIABLE])
		return cli_errorf("no type of data is known in '%s': the sampled code has no debug "
				  "information (compile with -g, or install that of the package)",
				  x->s->source->name);
	return cli_errorf("no type of data is known in '%s' (why: perf annotate --type-stat)",
			  x->s->source->name);
}

static void show_all(struct showing *x)
{
	const struct draw_opts as = { .output = x->o->look.as_data };
	struct event_list *l = x->s->source->events;

	if (x->o->look.group_all)
		event_list_group_to_show(l);
	cli_pager_start();
	if (x->data)
		draw_begin(&x->draw, &as, &x->out);
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (!e->dummy && (e->leader == e || !x->o->look.group))
			show_event(x, e);
	}
	if (x->data)
		draw_end(&x->draw);
	fwrite(str_cstr(&x->out), 1, x->out.len, stdout);
	fflush(stdout);
}

int annotate_types(struct session *s, const struct annotate *counts, const struct annotate_opts *o)
{
	struct showing x = { .o = o, .s = s, .counts = counts,
			     .data = table_output_data(&o->look.as_data) };
	int rc = 0;

	x.finder = access_finder_new(machine_arch(stream_machine(s->stream)), &s->err);
	if (!x.finder)
		return -EINVAL;
	show_all(&x);
	session_warn(s);
	if (!x.n_shown && !o->types.stat && !o->types.insn_stat)
		rc = nothing_shown(&x);
	str_release(&x.out);
	access_finder_free(x.finder);
	return rc;
}
