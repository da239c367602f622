// SPDX-License-Identifier: GPL-2.0-or-later
// perf heatmap: from a program, or a recording, to a picture of when, and for how long.
#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-heatmap.h"
#include "util/cli/error.h"
#include "util/session/warnings.h"
#include "util/view/flame-draw.h"
#include "util/view/heatmap-draw.h"

#define ROWS 50
#define SECOND 1000000000U
#define N_LINES 3000		/* frames whose source line is looked for */

struct mapping_run {
	struct heatmap_cmd *c;
	struct session s;
	struct flame *flame;		/* of samples */
	struct pairs *pairs;		/* of pairs */
	struct pairs_stats stats;
	struct heatmap map;
	struct str title, subtitle, what, out;
};

static bool is_of_pairs(const struct heatmap_cmd *c) { return c->start; }
static bool is_page(const struct heatmap_cmd *c) { return !c->form.text && !c->form.json; }

static const char *output_of(const struct heatmap_cmd *c)
{
	return c->output ? c->output : is_page(c) ? "heatmap.html" : "-";
}

/* ---- what is read ---- */

static int read_samples(struct mapping_run *m)
{
	const struct heatmap_cmd *c = m->c;
	const struct flame_opts o = { .slice_ns = SECOND / (u64)(c->rows ? c->rows : ROWS),
				      .no_stacks = !is_page(c),
				      .no_inline = c->stream.no_inline };
	const struct flame_tree *t;
	const struct event *e;
	int rc;

	m->flame = flame_new(&o);
	rc = session_run(&m->s, (struct sink *[]){ flame_sink(m->flame) }, 1);
	if (rc)
		return rc;
	t = flame_finish(m->flame);
	if (!t->n_samples) {
		session_warn(&m->s);
		return picture_no_samples(&m->s);
	}
	if (t->first_ns > t->last_ns)
		return cli_errorf("the samples of '%s' have no times", m->s.source->name);
	e = picture_event(t, c->record.chosen.event, m->s.source->name, &m->s.err);
	if (!e)
		return -EINVAL;
	str_addf(&m->what, "%s", flame_event_name(t, e));
	picture_add_seconds(&m->subtitle, t->first_ns, t->last_ns);
	heat_of_samples(t, e, &m->map);
	return 0;
}

static int no_pairs(const struct mapping_run *m)
{
	if (!m->stats.n_starts && !m->stats.n_ends)
		return picture_no_samples(&m->s);
	return cli_errorf("no pairs in '%s': %llu %s and %llu %s, none with the same %s",
			  m->s.source->name, (unsigned long long)m->stats.n_starts, m->c->start,
			  (unsigned long long)m->stats.n_ends, m->c->end, m->c->keys);
}

static int read_pairs(struct mapping_run *m, const char *only)
{
	const struct heatmap_cmd *c = m->c;
	const struct pairs_opts o = { .events = m->s.source->events, .swap = m->s.source->swap,
				      .start = c->start, .end = c->end, .keys = c->keys,
				      .only = only,
				      .cancel = c->preset ? c->preset->cancel : NULL };
	const struct heat_pair *v;
	size_t n;
	int rc;

	m->pairs = pairs_new(&o, m->s.source->name, &m->s.err);
	if (!m->pairs)
		return -EINVAL;
	rc = session_run(&m->s, (struct sink *[]){ pairs_sink(m->pairs) }, 1);
	if (rc)
		return rc;
	v = pairs_found(m->pairs, &n);
	pairs_get_stats(m->pairs, &m->stats);
	if (!n) {
		session_warn(&m->s);
		return no_pairs(m);
	}
	str_addf(&m->what, "%s to %s, by %s", c->start, c->end, c->keys);
	picture_add_seconds(&m->subtitle, v[0].end_ns, v[n - 1].end_ns);
	heat_of_pairs(v, n, &c->axes, &m->map);
	return 0;
}

static int read_map(struct mapping_run *m, const char *path)
{
	struct heatmap_cmd *c = m->c;
	struct stream_opts stream = c->stream;
	const bool by_task = c->preset && c->preset->by_task;
	const char *only = by_task ? stream.filter.tids : NULL;
	int rc = session_open(&m->s, &(struct session_opts){ .path = path, .force = c->force,
							     .quiet = c->common.quiet });

	stream.count_broken = stream.cut_broken = true;
	if (by_task)		/* the samples are of whoever was there */
		stream.filter.tids = NULL;
	if (!rc)
		rc = session_prepare(&m->s, &stream);
	if (rc)
		return rc;
	picture_add_command(&m->title, m->s.source->env);
	picture_add_machine(&m->subtitle, &m->s);
	if (c->preset)
		str_addf(&m->title, "%s%s", m->title.len ? " – " : "", c->preset->title);
	return is_of_pairs(c) ? read_pairs(m, only) : read_samples(m);
}

/* ---- what is written ---- */

static struct heatmap_look look_of(const struct mapping_run *m)
{
	const char *const charset = nl_langinfo(CODESET);

	return (struct heatmap_look){
		.title = m->c->title ? m->c->title : m->title.len ? m->title.buf : NULL,
		.subtitle = m->subtitle.len ? m->subtitle.buf : NULL, .what = str_cstr(&m->what),
		.width = m->c->width, .ascii = strcmp(charset, "UTF-8") != 0 };
}

static void draw_page(struct mapping_run *m, const struct heatmap_look *l)
{
	struct flame_tree *t;

	if (m->pairs) {
		heatmap_html(&m->map, &m->stats, l, &m->out);
		return;
	}
	t = flame_tree_of(m->flame);
	flame_find_lines(t, N_LINES);
	flame_html(t, &(struct flame_look){ .title = l->title, .subtitle = l->subtitle,
					    .min_width = -1, .heat_rows = m->map.n_rows,
					    .event = m->c->record.chosen.event }, &m->out);
}

static int write_map(struct mapping_run *m)
{
	const struct heatmap_cmd *c = m->c;
	const struct pairs_stats *stats = m->pairs ? &m->stats : NULL;
	const struct heatmap_look l = look_of(m);
	const char *path = output_of(c);
	struct str text = STR_INIT;
	int rc;

	if (c->form.json)
		heatmap_json(&m->map, stats, &l, &m->out);
	else if (c->form.text)
		heatmap_text(&m->map, stats, &l, &m->out);
	else
		draw_page(m, &l);
	rc = picture_write(path, c->output, &m->out, &m->s);
	if (rc || !is_page(c) || !strcmp(path, "-") || c->common.quiet)
		return rc;
	if (isatty(STDOUT_FILENO)) {
		heatmap_text(&m->map, stats, &l, &text);
		fputs(str_cstr(&text), stdout);
		fflush(stdout);
		str_release(&text);
	}
	fprintf(stderr, "[ perf heatmap: %llu %s in %s ]\n", (unsigned long long)m->map.all.n,
		m->pairs ? "pairs" : "samples", path);
	return 0;
}

static void warn(struct mapping_run *m)
{
	session_warn(&m->s);
	if (m->c->common.quiet || !m->flame || !is_page(m->c))
		return;
	session_broken_chains(&m->s);
	session_symbol_warnings(&m->s, m->c->common.verbose > 0);
}

static int heatmap_file(struct heatmap_cmd *c, const char *path)
{
	struct mapping_run m = { .c = c };
	int rc = read_map(&m, path);

	if (!rc)
		rc = write_map(&m);
	if (!rc)
		warn(&m);
	if (!rc && c->open)
		rc = picture_open(output_of(c));
	heatmap_release(&m.map);
	flame_free(m.flame);
	pairs_free(m.pairs);
	str_release(&m.title);
	str_release(&m.subtitle);
	str_release(&m.what);
	str_release(&m.out);
	return session_close(&m.s, rc);
}

/* ---- recording ---- */

static int record_and_draw(struct heatmap_cmd *c, int argc, const char **argv)
{
	static const char *const words[] = { "heatmap", NULL };
	const char *path = c->recording ? c->recording : "perf.data";
	const struct picture_chosen *f = &c->record.chosen;
	char *events = is_of_pairs(c) ? xasprintf("--event=%s,%s", c->start, c->end) : NULL;
	const char *more[4], **m = more;
	bool made;
	int status, drawn;

	if (events) {
		*m++ = events;
		*m++ = "--count=1";
	}
	if (c->preset && c->preset->system_wide && !c->record.target && !f->pids && !f->tids)
		*m++ = "--all-cpus";
	if (!events && is_page(c) && !c->record.stacks)
		*m++ = "--call-graph=dwarf";
	*m = NULL;
	status = picture_make(&c->record, &(struct picture_how){ words, path, more,
			      c->common.quiet, !events && is_page(c) }, argc, argv, &made);
	free(events);
	if (!made)
		return status;
	c->record.chosen.event = NULL;		/* what was recorded, in its own spelling */
	drawn = heatmap_file(c, path);
	return status ? status : drawn;
}

static int heatmap_run(struct heatmap_cmd *c, int n, const char **argv)
{
	const struct picture_chosen *f = &c->record.chosen;

	if (!c->input && picture_is_recorded(&c->record, n))
		return record_and_draw(c, n, argv);
	c->stream.filter.pids = f->pids;
	c->stream.filter.tids = f->tids;
	c->stream.filter.cpus = f->cpus;
	c->stream.unwind_engine = f->engine;
	return heatmap_file(c, c->input);
}

static int choose_pairs(const struct cli_cmd *cmd, struct heatmap_cmd *c)
{
	const bool some = c->start || c->end || c->keys, all = c->start && c->end && c->keys;

	if (c->preset_name && some)
		return cli_usage_error_opt(cmd, "preset,start,end,key",
					   "--preset says already what --start, --end and --key "
					   "are");
	if (some && !all)
		return cli_usage_error_opt(cmd, "start,end,key", "--start, --end and --key belong "
					   "together");
	if (!c->preset_name)
		return 0;
	c->preset = pairs_preset(c->preset_name);
	if (!c->preset)
		return cli_usage_error_opt(cmd, "preset", "unknown preset '%s'", c->preset_name);
	c->start = c->preset->start;
	c->end = c->preset->end;
	c->keys = c->preset->keys;
	return 0;
}

static int check_use(const struct cli_cmd *cmd, struct heatmap_cmd *c, int n)
{
	const int rc = choose_pairs(cmd, c);

	if (rc)
		return rc;
	if (c->form.text && c->form.json)
		return cli_usage_error_opt(cmd, "stdio,json",
					   "--stdio and --json exclude each other");
	if (!is_of_pairs(c) && (c->axes.col_ns || c->axes.row_ns))
		return cli_usage_error_opt(cmd, "interval,linear", "--interval and --linear are "
					   "about pairs of events (--preset, --start)");
	if (is_of_pairs(c) && c->rows)
		return cli_usage_error_opt(cmd, "rows", "--rows is about samples within a second");
	if (c->preset && c->preset->by_task && (c->stream.filter.comms || c->record.chosen.pids))
		return cli_usage_error_opt(cmd, "comm,pid,tid", "of --preset %s threads are chosen "
					   "by --tid alone", c->preset_name);
	return picture_check(cmd, &c->record, c->input, n);
}

int cmd_heatmap(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]",
					     "[<options>] -i <file>", NULL };
	struct heatmap_cmd c = { .input = NULL };
	struct option_table tables[8];
	const struct cli_cmd cmd = { .name = "heatmap", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, rc;

	heatmap_option_tables(&c, tables);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		rc = cli_status(n);
	else if (!(rc = check_use(&cmd, &c, n)))
		rc = picture_check_output(output_of(&c), c.force, &err) < 0 ? cli_error(&err) :
			heatmap_run(&c, n, argv);
	picture_release(&c.record);
	err_release(&err);
	return rc;
}
