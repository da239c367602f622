// SPDX-License-Identifier: GPL-2.0-or-later
// perf diff: the rows of several recordings side by side.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-diff.h"
#include "builtin-dump.h"
#include "builtin.h"
#include "util/analysis/annotate/annotate.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/session/warnings.h"
#include "util/view/diff-streams.h"
#include "util/view/diff-text.h"
#include "util/view/draw.h"

struct recording {
	struct session s;
	struct hist_keys keys;
	struct hist *hist;
	struct annotate *blocks;	/* -c cycles */
	char *time;			/* its part of --time, or NULL */
	int *sockets;
};

struct diffing {
	struct diff_cmd *c;
	struct recording *v;
	const char **names;
	size_t n, n_opened;
	struct str out;
};

/* "a,b:c,d": the part of the i-th recording; without ':' the same for all. */
static char *time_of(const char *text, size_t i)
{
	const char *p = text;

	if (!text || !strchr(text, ':'))
		return text ? xstrdup(text) : NULL;
	for (; i && (p = strchr(p, ':')); i--)
		p++;
	return p && *p ? xstrndup(p, strcspn(p, ":")) : NULL;
}

/* ---- reading ---- */

static int make_hist(struct diffing *d, struct recording *r)
{
	const struct stream_filter *f = &d->c->stream.filter;
	struct session *s = &r->s;
	struct hist_opts h = { .events = s->source->events, .machine = stream_machine(s->stream),
			       .keys = &r->keys, .no_inline = d->c->stream.no_inline,
			       .relative = d->c->diff.relative, .threads = d->c->stream.threads,
			       .swap = s->source->swap,
			       .filter = { .comms = f->comms, .dsos = f->dsos,
					   .symbols = f->symbols,
					   .symbol_substr = f->symbol_substr,
					   .pids = f->pids, .tids = f->tids } };
	if (d->c->stream_diff) {
		h.branches = h.callgraph = true;
		h.chain_key = CHAIN_KEY_ADDRESS;	/* lines, where they are known */
	}
	int rc = hist_keys_init(&r->keys, &d->c->keys, h.events, &s->err);

	if (rc)
		return rc;
	r->sockets = session_sockets(s, &r->keys.n_sockets);
	r->keys.socket_of_cpu = r->sockets;
	if (f->comms && !strchr(f->comms, ','))
		hist_keys_elide(&r->keys, "comm");
	if (f->dsos && !strchr(f->dsos, ','))
		hist_keys_elide(&r->keys, "dso");
	if (f->symbols && !strchr(f->symbols, ','))
		hist_keys_elide(&r->keys, "symbol");
	r->hist = hist_new(&h, &s->err);
	return r->hist ? 0 : -EINVAL;
}

static int check_branches(struct recording *r, const char *option)
{
	if (event_list_has_branches(r->s.source->events))
		return 0;
	err_set(&r->s.err, EINVAL, "%s was given, but '%s' has no branch stacks", option,
		r->s.source->name);
	err_hint(&r->s.err, "record with: perf record -b");
	return -EINVAL;
}

static int want_blocks(struct recording *r)
{
	struct err *err = &r->s.err;

	if (check_branches(r, "-c cycles"))
		return -EINVAL;
	if (!hist_keys_find(&r->keys, "symbol"))
		return err_set(err, EINVAL, "-c cycles is of functions: --sort has no symbol");
	r->blocks = annotate_new(NULL);
	annotate_want_branches(r->blocks, NULL);
	return 0;
}

static int read_recording(struct diffing *d, size_t i)
{
	struct recording *r = &d->v[i];
	struct stream_opts stream = d->c->stream;
	int rc = session_open(&r->s, &(struct session_opts){ .path = d->names[i],
							     .force = d->c->force,
							     .quiet = d->c->common.quiet });

	d->n_opened++;
	stream.filter = (struct stream_filter){ .cpus = d->c->stream.filter.cpus,
						.where = d->c->stream.filter.where,
						.time = r->time };
	if (d->c->stream_diff)
		stream.branches = STREAM_BRANCHES_INNERMOST;
	if (!rc)
		rc = session_prepare(&r->s, &stream);
	if (!rc && d->c->dump)
		return dump_recording(&r->s);
	if (!rc && d->c->stream_diff)
		rc = check_branches(r, "--stream");
	if (!rc)
		rc = make_hist(d, r);
	if (!rc && d->c->diff.compute == DIFF_CYCLES)
		rc = want_blocks(r);
	if (!rc)
		rc = session_run(&r->s, (struct sink *[]){ hist_sink(r->hist), r->blocks ?
				 annotate_sink(r->blocks) : NULL }, 1 + (r->blocks != NULL));
	if (!rc)
		hist_finish(r->hist);
	return rc;
}

/* ---- what is shown ---- */

static bool has_samples(const struct diffing *d, const struct diff_file *files)
{
	for (size_t i = 0; i < d->n; i++)
		if (files[i].event && hist_total(files[i].hist, files[i].event).n)
			return true;
	return false;
}

static void draw_event(struct draw *data, const struct event *e, const struct table *rows)
{
	struct table name = { 0 };

	table_add_column(&name, "name", "Event");
	table_add_row(&name)->cells[0] = cell_text(e->name);
	draw_group_begin(data, "events", &name);
	draw_table(data, rows);
	draw_group_end(data);
	table_release(&name);
}

static void draw_files(const struct diffing *d, struct draw *data)
{
	struct table files = { .key = "files" };

	table_add_column(&files, "name", "File");
	for (size_t i = 0; i < d->n; i++)
		table_add_row(&files)->cells[0] = cell_text(d->names[i]);
	draw_table(data, &files);
	table_release(&files);
}

static int terminal_columns(void)
{
	return cli_columns(cli_pager_active() ? STDERR_FILENO : STDOUT_FILENO);
}

static void event_rows(const struct diffing *d, const struct event *e, struct diff_file *files,
		       struct table *t)
{
	const struct event_list *base = d->v[0].s.source->events;

	for (size_t i = 0; i < d->n; i++)
		files[i] = (struct diff_file){ d->v[i].hist, &d->v[i].keys,
			diff_event(base, e, d->v[i].s.source->events),
			d->v[i].blocks ? annotate_blocks(d->v[i].blocks) : NULL };
	if (d->c->stream_diff)
		diff_streams_table(&(struct diff_streams_of){ files[0].hist, e },
				   &(struct diff_streams_of){ files[1].hist, files[1].event }, t);
	else
		diff_table(files, d->n, &d->c->diff, t);
}

static void event_text(struct str *out, const struct diffing *d, size_t nr, const struct event *e,
		       const struct table *t, const struct diff_text_opts *text)
{
	if (d->c->stream_diff)
		diff_streams_text(out, t);
	else
		diff_text(out, nr, e, t, text);
}

/* false: there is none with samples. */
static bool draw_events(struct diffing *d)
{
	const struct diff_cmd *c = d->c;
	const struct event_list *base = d->v[0].s.source->events;
	const struct diff_text_opts text = { .quiet = c->common.quiet, .names = d->names,
					     .n_names = d->n, .sep = c->sep ? c->sep[0] : 0,
					     .list_files = d->n > 2 || c->common.verbose > 0,
					     .columns = (size_t)MAX(terminal_columns(), 0) };
	struct diff_file *files = xcalloc(d->n, sizeof(*files));
	bool any = false;
	size_t n_shown = 0;
	struct draw data;

	if (c->json) {
		draw_begin(&data, &(struct draw_opts){ .output.json = true }, &d->out);
		draw_files(d, &data);
	}
	for vec_each(e, &base->events) {
		struct table t = { .key = "rows" };

		if ((*e)->dummy && (c->json || c->stream_diff))
			continue;	/* upstream's text has it, without rows */
		event_rows(d, *e, files, &t);
		any |= has_samples(d, files);
		if (c->json)
			draw_event(&data, *e, &t);
		else
			event_text(&d->out, d, n_shown, *e, &t, &text);
		n_shown++;
		table_release(&t);
	}
	if (c->json)
		draw_end(&data);
	free(files);
	return any;
}

static int no_samples(const struct diffing *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (stream_get_stats(d->v[i].s.stream)->n_filtered)
			return cli_errorf("no sample passes the filters");
	return cli_errorf("'%s' and the recordings that it is compared with have no samples",
			  d->names[0]);
}

static int show(struct diffing *d)
{
	if (!draw_events(d))
		return no_samples(d);
	cli_page(&d->out);
	fflush(stdout);
	return 0;
}

static int close_all(struct diffing *d, int rc)
{
	int status = 0;

	for (size_t i = 0; i < d->n_opened; i++) {
		struct recording *r = &d->v[i];
		const bool failed = rc && i + 1 == d->n_opened;
		int one;

		if (!rc && !d->c->dump) {
			session_warn(&r->s);
			if (!d->c->common.quiet)
				session_symbol_warnings(&r->s, d->c->common.verbose > 0);
		}
		annotate_free(r->blocks);
		hist_free(r->hist);
		hist_keys_release(&r->keys);
		free(r->sockets);
		one = session_close(&r->s, failed ? rc : 0);
		status = one ? one : status;
	}
	for (size_t i = 0; i < d->n; i++)
		free(d->v[i].time);
	free(d->v);
	str_release(&d->out);
	return status;
}

static int diff_recordings(struct diff_cmd *c, const char **names, size_t n)
{
	struct diffing d = { .c = c, .names = names, .n = n };
	int rc = 0;

	d.v = xcalloc(n, sizeof(*d.v));
	for (size_t i = 0; i < n; i++)
		d.v[i].time = time_of(c->stream.filter.time, i);
	for (size_t i = 0; i < n && !rc; i++)
		rc = read_recording(&d, i);
	if (!rc && !c->dump)
		rc = show(&d);
	return close_all(&d, rc);
}

static int check_use(const struct cli_cmd *cmd, const struct diff_cmd *c, size_t n)
{
	if ((size_t)c->diff.order >= n)
		return cli_usage_error_opt(cmd, "order", "--order %d: there are %zu recordings, "
					   "from 0 on", c->diff.order, n);
	if (c->stream_diff && n != 2)
		return cli_usage_error_opt(cmd, "stream", "--stream compares two recordings");
	if (c->stream_diff && (c->sep || c->diff.compute == DIFF_CYCLES))
		return cli_usage_error_opt(cmd, "stream,compute,field-separator",
					   "--stream has no columns: -c and -t do nothing there");
	if (c->diff.times && c->diff.compute != DIFF_CYCLES)
		return cli_usage_error_opt(cmd, "cycles-hist,compute",
					   "--cycles-hist goes with -c cycles");
	if (c->sep && (!*c->sep || !strcmp(c->sep, ".")))
		return cli_usage_error_opt(cmd, "field-separator", "'%s' cannot separate fields",
					   c->sep);
	if (c->sep && c->json)
		return cli_usage_error_opt(cmd, "field-separator,json",
					   "-t and --json exclude each other");
	return 0;
}

int cmd_diff(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<old> <new> [<new>...]]", NULL };
	const char *defaults[] = { "perf.data.old", "perf.data" };
	struct diff_cmd c = { .diff = { .order = 1 }, .keys.sort = "dso,symbol" };
	const struct option_table tables[] = { diff_option_table(&c),
					       cli_filter_group(&c.stream.filter),
					       cli_symbols_group(&c.stream.symbols),
					       cli_stream_group(&c.stream), session_group(),
					       cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "diff", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (n == 1) {	/* what it was before */
		defaults[1] = argv[0];
		n = 0;
	}
	if (!n) {
		argv = defaults;
		n = 2;
	}
	if (check_use(&cmd, &c, (size_t)n))
		return CLI_USAGE;
	c.diff.data = c.json;
	c.diff.fields = c.sep;
	c.keys.branch_history = c.stream_diff;
	c.keys.verbose = c.common.verbose > 0;
	return diff_recordings(&c, argv, (size_t)n);
}
