// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-dump.h"
#include "builtin-report.h"
#include "builtin.h"
#include "util/analysis/annotate/annotate.h"
#include "util/analysis/hist/hist.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/cli/stacks.h"
#include "util/session/diagnosis.h"
#include "util/session/warnings.h"
#include "util/stream/ref-chains.h"
#include "util/view/file-text.h"
#include "util/view/report-text.h"

static bool has_chains(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++)
		if (!l->events.v[i]->dummy && l->events.v[i]->attr.sample_type &
		    PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static bool is_x86(const struct machine *m)
{
	const char *name = machine_arch(m)->name;

	return !strcmp(name, "x86_64") || !strcmp(name, "i686");
}

/* "# comm: x": a filter that leaves one value makes its column redundant; not where rows are of
 * callers, too. */
static void note_filter(struct str *notes, struct hist_keys *keys, const char *list,
			const char *key, bool callers)
{
	if (!list || strchr(list, ',') || str_has_prefix(list, "file://") ||
	    !hist_keys_find(keys, key))
		return;
	if (!callers)
		hist_keys_elide(keys, key);
	str_addf(notes, "# %s: ", key);
	str_add_safe(notes, list);
	str_add(notes, "\n");
}

struct report {
	struct report_opts *o;
	struct session *s;
	struct hist_keys keys;
	struct hist *hist;
	struct str out, notes;
	int *sockets;			/* by cpu */
	struct ref_chains *chains;	/* --show-ref-call-graph; or NULL */
	struct event_switch *between;	/* --switch-on, --switch-off; or NULL */
	struct report_slices slices;
	struct report_blocks blocks;
	char *next;			/* recording that the user went on to, or NULL */
};

static int make_hist(struct report *r, struct err *err)
{
	struct report_opts *o = r->o;
	struct event_list *events = r->s->source->events;
	bool chains = has_chains(events);
	int rc = report_slices_begin(o, r->s, &r->slices);
	struct hist_opts h = { .events = events, .machine = stream_machine(r->s->stream),
			       .keys = &r->keys,
			       .ignore_callees = o->rows.ignore_callees,
			       .chain_key = o->look.chain.key,
			       .no_inline = o->stream.no_inline, .relative = o->rows.relative,
			       .threads = o->stream.threads,
			       .swap = r->s->source->swap };
	const struct stream_filter *f = &o->rows.filter;

	if (rc)
		return rc;
	if (!o->look.chain.order_set)
		o->look.chain.caller = o->rows.children;
	h.caller = o->look.chain.caller;
	h.max_frames = o->rows.max_frames;
	h.children = o->rows.children && chains && !o->rows.branch && !o->rows.mem;
	h.nested = o->look.nested;
	h.branches = o->rows.history;
	h.callgraph = (chains || h.branches) && o->look.chain.mode != CHAIN_NONE &&
		!o->rows.branch;
	o->rows.keys.children = h.children;
	o->rows.keys.x86 = is_x86(h.machine);
	rc = hist_keys_init(&r->keys, &o->rows.keys, events, err);
	if (rc)
		return rc;
	r->sockets = session_sockets(r->s, &r->keys.n_sockets);
	r->keys.socket_of_cpu = r->sockets;
	h.filter = (struct hist_filter){ f->comms, f->dsos, f->symbols, f->symbol_substr, f->pids,
					 f->tids, o->rows.parallelism,
					 o->rows.socket < 0 ? NULL : &o->rows.socket,
					 o->rows.hide_unresolved, o->rows.only_parents };
	note_filter(&r->notes, &r->keys, f->comms, "comm", false);
	note_filter(&r->notes, &r->keys, f->dsos, "dso", h.children);
	note_filter(&r->notes, &r->keys, f->symbols, "symbol", h.children);
	r->hist = hist_new(&h, err);
	return r->hist ? 0 : -EINVAL;
}

/* Of the terminal that shows the text, through a pager or not; 0: it goes elsewhere, whole. */
static size_t terminal_columns(void)
{
	int n = cli_pager_active() ? cli_columns(STDERR_FILENO) : isatty(STDOUT_FILENO) ?
		cli_columns(STDOUT_FILENO) : 0;

	return n > 0 ? n : 0;
}

/* What reads a pipe is a program: a tip is of no use to it. */
static bool stdout_is_pipe(void)
{
	struct stat st;

	return fstat(STDOUT_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static void draw(struct report *r)
{
	struct report_opts *o = r->o;
	struct str header = STR_INIT, sort = STR_INIT;
	struct report_text_opts t = {
		.quiet = o->common.quiet, .notes = str_cstr(&r->notes),
		.lost = stream_get_stats(r->s->stream)->n_lost_samples,
		.group = o->look.group, .relative = o->rows.relative,
		.time_slices = o->stream.filter.time,
		.tip = !stdout_is_pipe(),
		.socket = o->rows.socket < 0 ? NULL : &o->rows.socket,
		.blocks = o->rows.blocks ? annotate_blocks(r->blocks.counts) : NULL,
		.by_time = r->slices.opts.n_slices ? &r->slices.opts : NULL,
		.text = { .sep = o->look.sep ? o->look.sep[0] : 0, .widths = o->look.widths.v,
			  .n_widths = o->look.widths.n, .chain = &o->look.chain,
			  .columns = terminal_columns(),
			  .color = cli_color_on(o->look.color, STDOUT_FILENO),
			  .skip_first = o->rows.keys.sort &&
					str_has_prefix(o->rows.keys.sort, "sym") },
		.view = { .chain = o->look.chain, .min_pct = o->look.min_pct,
			  .nested = o->look.nested,
			  .by_member = (unsigned)MAX(o->look.by_member, 0) },
	};

	if (o->rows.mem) {
		hist_keys_list(&o->rows.keys, r->s->source->events, &sort);
		t.weight_keys = str_cstr(&sort);
	}
	if (o->file.header) {
		data_print_header(r->s->source->reader, o->file.show_info, &header);
		t.header = str_cstr(&header);
	}
	(o->look.json ? report_data : report_text)(&r->out, r->hist, r->s->source->events, &t);
	str_release(&header);
	str_release(&sort);
}

static bool wants_callers(const struct report_row_opts *o)
{
	return o->parent || o->only_parents || (o->keys.sort && strstr(o->keys.sort, "parent"));
}

static int check_input(const struct report *r, struct err *err)
{
	const struct report_opts *o = r->o;
	const struct event_list *l = r->s->source->events;

	if (o->look.callgraph_set && o->look.chain.mode != CHAIN_NONE && !has_chains(l) &&
	    !o->rows.history) {
		err_set(err, EINVAL, "-g was given, but '%s' has no call chains",
			r->s->source->name);
		err_hint(err, "record with: perf record -g (or --call-graph dwarf)");
		return -EINVAL;
	}
	if (wants_callers(&o->rows) && !has_chains(l)) {
		err_set(err, EINVAL, "callers are asked for (--parent, --exclude-other, --sort "
				     "parent), but '%s' has no call chains",
			r->s->source->name);
		err_hint(err, "record with: perf record -g (or --call-graph dwarf)");
		return -EINVAL;
	}
	if (o->rows.mem && o->rows.branch)
		return err_set(err, EINVAL, "--mem-mode and -b are two kinds of rows: give one");
	if (o->rows.mem && !event_list_samples(l, PERF_SAMPLE_ADDR)) {
		err_set(err, EINVAL, "--mem-mode was given, but '%s' has no data addresses",
			r->s->source->name);
		err_hint(err, "record with: perf record -d --sample-mem-info (-W for weights)");
		return -EINVAL;
	}
	if ((o->rows.branch || o->rows.blocks || o->rows.history) && !event_list_has_branches(l)) {
		err_set(err, EINVAL, "%s was given, but '%s' has no branch stacks",
			o->rows.blocks ? "--total-cycles" : o->rows.history ? "--branch-history" :
			"-b", r->s->source->name);
		err_hint(err, "record with: perf record -b");
		return -EINVAL;
	}
	if (!r->s->source->once && event_switch_check(&o->rows.between, l, err))
		return -EINVAL;
	return 0;
}

static int no_samples(const struct report *r)
{
	const struct stream_stats *st = stream_get_stats(r->s->stream);

	if (r->between)
		return cli_errorf("no sample in '%s' is between the events of --switch-on and "
				  "--switch-off", r->s->source->name);
	if (st->n_filtered)
		return cli_errorf("no sample in '%s' passes the filters (%llu samples)",
				  r->s->source->name,
				  (unsigned long long)st->n_filtered);
	return cli_errorf("the file '%s' has no samples", r->s->source->name);
}

static void show(const struct str *text)
{
	cli_page(text);
	fflush(stdout);
}

/* An empty table does not tell what hid the rows. */
static void explain_no_parent(const struct report *r)
{
	const struct event_list *l = r->s->source->events;
	const struct report_row_opts *o = &r->o->rows;
	const struct stream_filter *f = &o->filter;
	u64 left = 0;

	for (size_t i = 0; i < l->events.n; i++)
		left += hist_filtered_total(r->hist, l->events.v[i]).n;
	if (left || !o->only_parents || r->o->common.quiet || f->comms || f->dsos ||
	    f->symbols || f->pids || f->tids)
		return;
	cli_warn("no sample has a caller that --parent matches ('%s')%s",
		 o->parent ? o->parent : HIST_DEFAULT_PARENT,
		 o->parent ? "" : "\nHint: -x shows only samples below such a caller: name it "
				  "with -p");
}

static void show_rows(struct report *r, struct report_tui *tui)
{
	report_latency_hide(r->o, r->hist, &r->keys);
	hist_finish(r->hist);
	report_blocks_give(&r->blocks, r->o, machine_arch(stream_machine(r->s->stream)),
			   &r->keys);
	if (r->o->look.group_all)
		event_list_group_to_show(r->s->source->events);
	if (tui) {
		report_tui_show(tui, &(struct report_tui_in){ r->o, r->s, r->hist, &r->keys });
		return;
	}
	draw(r);
	show(&r->out);
}

/* Samples of all times, or those between the two events. */
static struct sink *samples_to(struct report *r)
{
	const struct event_switch_opts *o = &r->o->rows.between;
	struct sink *sink = hist_sink(r->hist);

	if (r->o->rows.ref_chains) {
		r->chains = ref_chains_new(sink);
		sink = ref_chains_sink(r->chains);
	}
	if (!o->on && !o->off)
		return sink;
	r->between = event_switch_new(o, sink);
	return event_switch_sink(r->between);
}

/* Of branches there are rows of none where samples have none, which is no lack of samples. */
static bool has_samples(const struct report *r)
{
	const struct stream_stats *st = stream_get_stats(r->s->stream);
	const struct event_list *l = r->s->source->events;

	if (r->o->rows.branch && !r->between && st->n_samples > st->n_filtered)
		return true;
	for (size_t i = 0; i < l->events.n; i++)
		if (hist_total(r->hist, l->events.v[i]).n)
			return true;
	return false;
}

static int report_samples(struct report *r)
{
	struct report_tui *tui = NULL;
	struct sink *sinks[4];
	size_t n_sinks = 0;
	bool any;
	int rc = check_input(r, &r->s->err);

	if (!rc)
		rc = make_hist(r, &r->s->err);
	if (!rc && report_wants_browser(r->o, r->s->source->once))
		tui = report_tui_begin(r->o, hist_sink(r->hist), r->s);
	if (!rc) {
		sinks[n_sinks++] = samples_to(r);
		sinks[n_sinks] = report_blocks_sink(&r->blocks, r->o, &r->keys);
		n_sinks += sinks[n_sinks] != NULL;
		n_sinks += report_tui_sinks(tui, sinks + n_sinks);
		rc = session_run(r->s, sinks, n_sinks);
	}
	any = !rc && has_samples(r);
	if (any)
		show_rows(r, tui);
	r->next = report_tui_next(tui);
	report_tui_end(tui);
	if (rc)
		return rc;
	if (!any && hist_sink(r->hist)->stop)
		return cli_errorf("stopped before a sample of '%s' was read", r->s->source->name);
	if (!any) {
		session_warn(r->s);
		return no_samples(r);
	}
	explain_no_parent(r);
	return 0;
}

static int report_dump(struct report *r)
{
	cli_pager_start();
	fputs("# To display the perf.data header info, please use --header/--header-only "
	      "options.\n#\n", stdout);
	fflush(stdout);
	return dump_recording(r->s);
}

/* --stats, --tasks: what the file holds, without looking at where samples fell. */
static int report_file(struct report *r)
{
	const struct stream_stats *stats = stream_get_stats(r->s->stream);
	const struct table_output as = { .sep = cli_separator(r->o->look.sep),
					 .json = r->o->look.json };
	struct sample_counts counts;
	struct file_counts file = { 0 };
	struct table tasks = { 0 }, maps = { 0 };
	int rc;

	sample_counts_init(&counts, r->s->source->events);
	if (r->o->file.stats)	/* how stacks end is known from unwinding them */
		counts.sink.wants |= SINK_CHAIN;
	rc = session_run(r->s, (struct sink *[]){ &counts.sink }, 1);
	if (!rc && r->o->file.header && !table_output_data(&as))
		data_print_header(r->s->source->reader, r->o->file.show_info, &r->out);
	if (!rc && r->o->file.stats) {
		file_counts_fill(&file, stats, r->s->source->events, &counts,
				 !r->o->file.skip_empty);
		file_counts_show(&r->out, &file, &as);
	}
	if (!rc && r->o->file.tasks) {
		tasks_table(stream_machine(r->s->stream), &tasks);
		if (r->o->file.maps)
			tasks_maps_table(stream_machine(r->s->stream), &maps);
		if (r->o->file.maps)
			tasks_maps_show(&r->out, &tasks, &maps, &as);
		else
			tasks_show(&r->out, &tasks, &as);
	}
	file_counts_release(&file);
	table_release(&tasks);
	table_release(&maps);
	sample_counts_release(&counts);
	if (!rc)
		show(&r->out);
	return rc;
}

static int report_header(struct report *r)
{
	data_print_header(r->s->source->reader, r->o->file.show_info, &r->out);
	show(&r->out);
	return 0;
}

/* What the names and chains of a report lack, after what the recording does. */
static void warn_frames(struct report *r)
{
	const struct cli_common *c = &r->o->common;

	session_warn(r->s);
	if (c->verbose > 0)
		cli_unwind_stats(stream_get_stats(r->s->stream));
	if (c->quiet)
		return;
	session_broken_chains(r->s);
	session_symbol_warnings(r->s, c->verbose > 0);
	session_quality_line(r->s);
}

static int report(struct report *r)
{
	struct report_opts *o = r->o;
	int rc;

	report_finish_opts(o, r->s->source->events);
	report_latency_opts(o, r->s->source->events);
	if (o->flame)	/* there are no rows that could be hidden */
		o->stream.filter = o->rows.filter;
	rc = session_prepare(r->s, &o->stream);
	if (!rc)
		rc = report_latency_prepare(o, r->s);
	if (rc)
		return rc;
	if (o->file.dump)
		rc = report_dump(r);
	else if (o->flame)
		rc = report_flame(o, r->s, &r->out);
	else
		rc = o->file.stats || o->file.tasks ? report_file(r) : report_samples(r);
	if (rc >= 0)
		warn_frames(r);
	return rc;
}

/* o is changed. next: the recording that is to follow; owned. */
static int report_recording(struct report_opts *o, char **next)
{
	struct session s = { 0 };
	struct report r = { .o = o, .s = &s };
	int rc = session_open(&s, &(struct session_opts){ .path = o->input, .force = o->force,
							  .header_only = o->file.header_only,
							  .itrace = &o->itrace,
							  .symbols = &o->stream.symbols,
							  .quiet = o->common.quiet });

	if (!rc)
		rc = o->file.header_only ? report_header(&r) : report(&r);
	report_blocks_release(&r.blocks);
	hist_free(r.hist);
	hist_keys_release(&r.keys);
	str_release(&r.out);
	str_release(&r.notes);
	free(r.sockets);
	event_switch_free(r.between);
	ref_chains_free(r.chains);
	free(r.slices.sort);
	*next = r.next;
	return session_close(&s, rc);
}

static int report_all(const struct report_opts *given)
{
	char *path = NULL;
	int status;

	do {
		struct report_opts o = *given;
		char *next = NULL;

		if (path)
			o.input = path;
		status = report_recording(&o, &next);
		free(path);
		path = next;
	} while (path);
	return status;
}

int cmd_report(int argc, const char **argv)
{
	struct report_opts o = { .browser.by_default = true, .code = CODE_OPTS_INIT,
				 .rows.children = true, .rows.socket = -1,
				 .file.skip_empty = true, .look.group = true,
				 .look.chain = { .mode = CHAIN_GRAPH,
						 .min_pct = CLI_CHAIN_MIN_PCT } };
	static const char *const usage[] = { "[<options>] [<file>] [<symbol filter>]", NULL };
	const struct option_table tables[] =
		{ report_option_table(&o), cli_chain_settings(&o.look.chain),
					       browser_settings(&o.browser),
					       cli_code_group(&o.code),
					       cli_filter_group(&o.stream.filter),
					       cli_symbols_group(&o.stream.symbols),
					       cli_stream_group(&o.stream),
					       cli_guests_group(&o.stream.guests),
					       cli_itrace_group(&o.itrace, true),
					       session_group(), cli_common_group(&o.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "report", .usage = usage, .tables = tables };
	struct stat in;
	int n = cli_parse(&cmd, argc, argv), status;

	if (n < 0)
		return cli_status(n);
	if (n > 0 && !o.input)
		o.input = argv[0], argv++, n--;
	if (n > 0 && !o.stream.filter.symbol_substr)
		o.stream.filter.symbol_substr = argv[0], argv++, n--;
	if (n > 0)
		return cli_usage_error(&cmd, "too many arguments: '%s'", argv[0]);
	if (!o.input && access("perf.data", F_OK) && fstat(STDIN_FILENO, &in) == 0 &&
	    S_ISFIFO(in.st_mode))
		o.input = "-";
	if (o.file.stats && o.file.tasks && (o.look.json || o.look.sep))
		return cli_usage_error(&cmd, "as data, --stats and --tasks are asked for one by "
					     "one");
	if (o.gtk && !o.common.quiet)
		cli_warn("there is no GTK view; this is the text");
	status = browser_code_check(&cmd, &o.code);
	if (!status)
		status = report_all(&o);
	vec_free(&o.look.widths);
	return status;
}
