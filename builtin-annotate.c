// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-annotate.h"
#include "builtin-dump.h"
#include "builtin.h"
#include "util/analysis/annotate/members.h"
#include "util/analysis/types/access.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/session/warnings.h"
#include "util/view/annotate-text.h"
#include "util/view/draw.h"

struct annotating {
	struct annotate_opts *o;
	struct session *s;
	struct annotate *counts;
	struct disasm *disasm;
	struct access_finder *types;	/* NULL: none in this build */
	struct source_files sources;
	missing_codes missing;
	struct browser browser;
	struct draw draw;		/* of --json and -x */
	struct str out;
	u64 n_shown, n_failed;
};

static bool is_grouped(const struct annotating *a, const struct event *e)
{
	return a->o->look.group && e->n_members > 1;
}

static void write_out(struct annotating *a)
{
	fwrite(str_cstr(&a->out), 1, a->out.len, stdout);
	str_reset(&a->out);
}

static void draw_data(struct annotating *a, const struct annotate_view *v)
{
	struct table facts = { 0 }, lines = { 0 };

	listing_facts(v->l, v->event, &v->counts, &facts);
	listing_table(v->l, &v->counts, &lines);
	draw_group_begin(&a->draw, "functions", &facts);
	draw_table(&a->draw, &lines);
	draw_group_end(&a->draw);
	table_release(&facts);
	table_release(&lines);
}

static void show(struct annotating *a, const struct listing *l, const struct annotate_symbol *s,
		 const struct event *e)
{
	const struct annotate_look_opts *o = &a->o->look;
	struct annotate_members m = { 0 };
	struct annotate_view v = { .l = l, .events = a->s->source->events, .event = e,
		.group = is_grouped(a, e), .path = s->dso->path,
		.look = { .full_paths = o->full_paths, .raw = a->o->code.raw, .show_n = o->show_n,
			  .show_period = o->show_period, .positions = o->print_line,
			  .source = a->o->code.source, .types = o->types,
			  .color = cli_color_on(o->color, STDOUT_FILENO) } };

	annotate_members_find(&m, a->counts, a->s->source->events, e, is_grouped(a, e));
	annotate_members_count(&m, l, s);
	v.counts = annotate_members_counts(&m, a->o->code.percent);
	if (table_output_data(&o->as_data))
		draw_data(a, &v);
	else
		(o->stdio2 ? annotate_stdio2 : annotate_stdio)(&a->out, &v);
	annotate_members_release(&m);
	write_out(a);
	a->n_shown++;
}

static struct listing_opts listing_opts(struct annotating *a, bool positions)
{
	const struct annotate_opts *o = a->o;

	return (struct listing_opts){ .disasm = a->disasm, .source = o->code.source,
				      .positions = positions, .files = &a->sources,
				      .inlines = o->code.source && !o->stream.no_inline };
}

static void annotate_one(struct annotating *a, const struct annotate_symbol *s,
			 const struct event *e)
{
	const struct annotate_look_opts *o = &a->o->look;
	const struct listing_opts lo = listing_opts(a, o->print_line ||
						    table_output_data(&o->as_data));
	struct err err = ERR_INIT;
	struct listing *l = listing_new(s->dso, s->sym, &lo, &err);

	if (l && o->types)
		access_mark_types(a->types, l);
	if (l)
		show(a, l, s, e);
	else
		missing_add(&a->missing, s, err.code == ENODATA ? "" : err.msg);
	a->n_failed += !l;
	listing_free(l);
	err_release(&err);
}

static bool below_limit(const struct annotating *a, const struct annotate_symbol *s,
			const struct event *e)
{
	const struct annotate_sum all = annotate_total(a->counts, e);
	const struct annotate_sum own = annotate_symbol_total(s, e);

	return all.period && 100.0 * (double)own.period / (double)all.period < a->o->min_pct;
}

static void annotate_event(struct annotating *a, const struct event *e)
{
	annotate_symbols order = { 0 };
	struct annotate_members m = { 0 };

	annotate_members_find(&m, a->counts, a->s->source->events, e, is_grouped(a, e));
	annotate_order(a->counts, m.events.v, m.events.n, &order);
	for vec_each(s, &order)
		if (!below_limit(a, *s, e))
			annotate_one(a, *s, e);
	annotate_members_release(&m);
	vec_free(&order);
}

static int no_samples(const struct annotating *a)
{
	const struct stream_stats *st = stream_get_stats(a->s->stream);

	if (st->n_filtered && st->n_filtered == st->n_samples)
		return cli_errorf("no sample in '%s' passes the filters (%llu samples)",
				  a->s->source->name, (unsigned long long)st->n_filtered);
	if (!st->n_samples)
		return cli_errorf("the file '%s' has no samples", a->s->source->name);
	if (a->o->symbol)
		return missing_symbol(a->s, a->o->symbol);
	session_symbol_warnings(a->s, true);
	return cli_errorf("no sample in '%s' is in a function with a name", a->s->source->name);
}

/* Debug information of packages is often there without the source. */
static void warn_sources(const struct annotating *a)
{
	const char *reason = NULL;
	const size_t n = source_n_unread(&a->sources, &reason);

	if (n && a->o->common.verbose > 0)
		cli_warn("%zu files of source cannot be read; one of them: %s", n, reason);
}

static void annotate_all(struct annotating *a)
{
	struct event_list *l = a->s->source->events;
	const struct draw_opts as = { .output = a->o->look.as_data };
	const bool data = table_output_data(&as.output);

	if (a->o->look.group_all)
		event_list_group_to_show(l);
	cli_pager_start();
	if (data)
		draw_begin(&a->draw, &as, &a->out);
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (!e->dummy && (e->leader == e || !a->o->look.group))
			annotate_event(a, e);
	}
	if (data)
		draw_end(&a->draw);
	write_out(a);
	fflush(stdout);
}

static int count(struct annotating *a)
{
	const struct code_opts *c = &a->o->code;
	const struct disasm_opts d = { .arch = machine_arch(stream_machine(a->s->stream)),
				       .objdump = c->objdump, .style = c->style };
	const struct branch_counters counters = session_branch_counters(a->s);
	int rc;

	a->disasm = disasm_new(&d, &a->s->err);
	if (!a->disasm)
		return -EINVAL;
	/* without --code-with-type there may be none */
	a->types = access_finder_new(d.arch, a->o->look.types ? &a->s->err : NULL);
	if (!a->types && a->o->look.types)
		return -EINVAL;
	a->sources = browser_code_files(c);
	a->counts = annotate_new(a->o->symbol);
	if (a->s->source->once || event_list_has_branches(a->s->source->events))
		annotate_want_branches(a->counts, &counters);
	if (annotate_wants_browser(a->o, a->s->source->once) &&
	    browser_open(&a->browser, &a->o->browser, a->o->common.quiet)) {
		a->browser.sinks[0] = annotate_sink(a->counts);
		browser_loading(&a->browser);
	}
	rc = session_run(a->s, (struct sink *[]){ annotate_sink(a->counts),
						  browser_counter(&a->browser) },
			 a->browser.screen ? 2 : 1);
	if (!rc)
		annotate_finish(a->counts);
	if (rc || !annotate_n_symbols(a->counts))
		browser_close(&a->browser);
	return rc;
}

static void browse(struct annotating *a)
{
	const struct annotate_tui_in in = { a->o, a->s, a->counts, listing_opts(a, false),
					    a->types };

	if (a->o->look.group_all)
		event_list_group_to_show(a->s->source->events);
	annotate_browse(&a->browser, &in);
	browser_close(&a->browser);
}

static int annotate_samples(struct annotating *a)
{
	int rc = count(a);

	if (rc)
		return rc;
	if (!annotate_n_symbols(a->counts)) {
		session_warn(a->s);
		return annotate_sink(a->counts)->stop ?
			cli_errorf("stopped before a sample of '%s' was read",
				   a->s->source->name) : no_samples(a);
	}
	if (a->o->types.on)
		return annotate_types(a->s, a->counts, a->o);
	if (a->browser.screen)
		browse(a);
	else
		annotate_all(a);
	session_warn(a->s);
	if (!a->o->common.quiet && !a->o->skip_missing)
		missing_warn(&a->missing, a->s);
	warn_sources(a);
	return a->n_failed && !a->n_shown ? CLI_FAILED : 0;
}

static int check_options(const struct cli_cmd *cmd, const struct annotate_opts *o)
{
	if (o->look.show_n && o->look.show_period)
		return cli_usage_error_opt(cmd, "show-nr-samples,show-total-period",
					   "-n and --show-total-period exclude each other");
	if (o->look.stdio && o->look.stdio2)
		return cli_usage_error_opt(cmd, "stdio,stdio2", "--stdio and --stdio2 exclude each "
								"other");
	return browser_code_check(cmd, &o->code);
}

static int annotate(struct annotating *a, const struct annotate_opts *o)
{
	struct stat in;
	const char *path = o->input;
	int rc;

	if (!path && access("perf.data", F_OK) && fstat(STDIN_FILENO, &in) == 0 &&
	    S_ISFIFO(in.st_mode))
		path = "-";
	rc = session_open(a->s, &(struct session_opts){ .path = path, .force = o->force,
							.itrace = &o->itrace,
							.symbols = &o->stream.symbols,
							.quiet = o->common.quiet });
	if (!rc)
		rc = session_prepare(a->s, &o->stream);
	if (!rc)
		rc = o->dump ? dump_recording(a->s) : annotate_samples(a);
	return rc;
}

int cmd_annotate(int argc, const char **argv)
{
	struct annotate_opts o = { .code = CODE_OPTS_INIT, .look.group = true,
				   .browser.by_default = true };
	static const char *const usage[] = { "[<options>] [<symbol>]", NULL };
	const struct option_table tables[] =
		{ annotate_option_table(&o), cli_code_group(&o.code), browser_settings(&o.browser),
		  cli_filter_group(&o.stream.filter),
		  cli_symbols_group(&o.stream.symbols), cli_stream_group(&o.stream),
		  cli_itrace_group(&o.itrace, true),
		  cli_output_group(&o.look.as_data), session_group(), cli_common_group(&o.common),
		  { 0 } };
	const struct cli_cmd cmd = { .name = "annotate", .usage = usage, .tables = tables };
	struct session s = { 0 };
	struct annotating a = { .o = &o, .s = &s };
	int n = cli_parse(&cmd, argc, argv), rc;

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		o.symbol = argv[0];
	if (n > 1)
		return cli_usage_error(&cmd, "too many arguments: '%s'", argv[1]);
	rc = check_options(&cmd, &o);
	if (rc)
		return rc;
	rc = annotate(&a, &o);
	annotate_free(a.counts);
	disasm_free(a.disasm);
	access_finder_free(a.types);
	source_files_release(&a.sources);
	missing_release(&a.missing);
	str_release(&a.out);
	return session_close(&s, rc);
}
