// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame: from a program, or a recording, to a picture of where the time went.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-flame.h"
#include "util/analysis/absences.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/session/session.h"
#include "util/session/warnings.h"

#define N_LINES 3000		/* frames whose source line is looked for */

struct reading {
	struct session s;
	struct flame *flame;
	struct flame_tree *tree;
	struct flame_waits waits;
};

struct flaming {
	struct flame_cmd *c;
	struct reading r[2];		/* --diff: the old one, the new one; else the second */
	struct session *s;		/* of the second */
	struct flame_tree *tree;	/* what is drawn */
	struct flame_tree joined;
	struct str subtitle, title, out;
};

/* ---- what is written, and where ---- */

static const char *output_of(const struct flame_cmd *c)
{
	if (c->output)
		return c->output;
	return c->form.folded ? "-" : c->form.svg ? "flame.svg" : "flame.html";
}

static int write_output(struct flaming *fl)
{
	const char *path = output_of(fl->c);
	int rc = picture_write(path, fl->c->output, &fl->out, fl->s);

	if (!rc && strcmp(path, "-") && !fl->c->common.quiet)
		fprintf(stderr, "[ perf flame: %llu samples, %zu distinct stacks in %s ]\n",
			(unsigned long long)fl->tree->n_samples, flame_n_stacks(fl->tree), path);
	return rc;
}

/* ---- the picture ---- */

static void describe(struct flaming *fl)
{
	const struct data_features *f = fl->s->source->env;
	const struct flame_tree *t = fl->tree;

	picture_add_command(&fl->title, f);
	if (fl->c->off_cpu)
		str_addf(&fl->title, "%soff-CPU time", fl->title.len ? " – " : "");
	if (!fl->c->look.title)
		fl->c->look.title = fl->title.len ? fl->title.buf : NULL;
	if (fl->c->diff)
		str_addf(&fl->subtitle, "%s → %s", fl->r[0].s.source->name, fl->s->source->name);
	else
		picture_add_machine(&fl->subtitle, fl->s);
	if (t->first_ns <= t->last_ns)
		picture_add_seconds(&fl->subtitle, t->first_ns, t->last_ns);
	fl->c->look.subtitle = fl->subtitle.len ? fl->subtitle.buf : NULL;
}

static int draw(struct flaming *fl)
{
	struct flame_cmd *c = fl->c;
	const struct event *e = NULL;

	describe(fl);
	if (c->min_pct > 0)
		flame_prune(fl->tree, c->min_pct);
	if ((c->form.svg || c->form.folded) &&
	    !(e = picture_event(fl->tree, c->event, fl->s->source->name, &fl->s->err)))
		return -EINVAL;
	if (c->form.folded) {
		flame_folded(fl->tree, e, &fl->out);
		return 0;
	}
	flame_find_lines(fl->tree, N_LINES);
	if (c->form.svg)
		flame_svg(fl->tree, e, &c->look, &fl->out);
	else
		flame_html(fl->tree, &c->look, &fl->out);
	return 0;
}

static int never_off_cpu(const struct reading *r)
{
	u64 left, back;

	flame_off_cpu_seen(r->flame, &left, &back);
	if (!left)
		return cli_errorf("no task that is asked for left a CPU in '%s'",
				  r->s.source->name);
	return cli_errorf("'%s' says when tasks left the CPU (%llu times), but not when they came "
			  "back\nHint: record all CPUs (-a), or with --switch-events",
			  r->s.source->name, (unsigned long long)left);
}

/* Of --off-cpu: who leaves is not who comes, so samples of all tasks are needed. */
static void take_filters(struct stream_filter *from, struct absences_opts *to)
{
	to->pids = from->pids;
	to->tids = from->tids;
	to->comms = from->comms;
	from->pids = from->tids = from->comms = NULL;
}

static int prepare(struct flame_cmd *c, struct reading *r, const char *path)
{
	const bool reverse = c->reverse && (c->form.svg || c->form.folded);
	struct stream_opts stream = c->stream;
	struct absences_opts off = { .hint = "perf flame --off-cpu -- COMMAND records what is "
				     "needed, as does 'perf record -e context-switches -c 1 -g "
				     "--switch-events', or with -a '-e sched:sched_switch,"
				     "sched:sched_wakeup -g'" };
	struct session *s = &r->s;
	int rc = session_open(s, &(struct session_opts){ .path = path, .force = c->force,
							 .quiet = c->common.quiet,
							 .itrace = &c->itrace });

	stream.count_broken = stream.cut_broken = true;
	if (c->off_cpu)
		take_filters(&stream.filter, &off);
	if (!rc)
		rc = session_prepare(s, &stream);
	if (rc)
		return rc;
	off.events = s->source->events;
	off.swap = s->source->swap;
	if (c->off_cpu && (rc = absences_check(&off, s->source->name, &s->err)))
		return rc;
	if (c->n_waits && (rc = flame_waits_open(&r->waits, s)))
		return rc;
	r->flame = flame_new(&(struct flame_opts){ .reverse = reverse,
						   .off_cpu = c->off_cpu ? &off : NULL,
						   .no_inline = stream.no_inline });
	return 0;
}

static int collect(struct flame_cmd *c, struct reading *r, const char *path)
{
	struct session *s = &r->s;
	int rc = prepare(c, r, path);

	if (!rc)
		rc = session_run(s, (struct sink *[]){ flame_sink(r->flame), r->waits.sched_sink,
						       r->waits.why_sink }, c->n_waits ? 3 : 1);
	if (rc)
		return rc;
	if (c->n_waits) {
		flame_waits_finish(&r->waits, c->n_waits);
		c->look.waits = &r->waits.json;
	}
	r->tree = flame_finish(r->flame);
	if (!r->tree->n_samples) {
		session_warn(s);
		return c->off_cpu ? never_off_cpu(r) : picture_no_samples(s);
	}
	return 0;
}

static void warn(struct flaming *fl, struct reading *r)
{
	if (!r->tree)
		return;
	session_warn(&r->s);
	if (fl->c->common.quiet)
		return;
	session_broken_chains(&r->s);
	session_symbol_warnings(&r->s, fl->c->common.verbose > 0);
}

/* old NULL: no comparison. */
static int flame_files(struct flame_cmd *c, const char *old, const char *path)
{
	struct flaming fl = { .c = c, .s = &fl.r[1].s };
	int status = 0, rc = old ? collect(c, &fl.r[0], old) : 0;
	const bool failed = rc;

	if (!rc)
		rc = collect(c, &fl.r[1], path);
	fl.tree = fl.r[1].tree;
	if (!rc && old) {
		flame_join(fl.r[0].tree, fl.r[1].tree, &fl.joined);
		fl.tree = &fl.joined;
	}
	if (!rc)
		rc = draw(&fl);
	if (!rc)
		rc = write_output(&fl);
	for (int i = 0; i < 2 && !rc; i++)
		warn(&fl, &fl.r[i]);
	if (!rc && c->open)
		rc = picture_open(output_of(c));
	flame_tree_release(&fl.joined);
	for (int i = 0; i < 2; i++) {
		flame_free(fl.r[i].flame);
		flame_waits_release(&fl.r[i].waits);
	}
	str_release(&fl.subtitle);
	str_release(&fl.title);
	str_release(&fl.out);
	if (old)
		status = session_close(&fl.r[0].s, failed ? rc : 0);
	if (!failed)
		rc = session_close(&fl.r[1].s, rc);
	return failed || !rc ? status : rc;
}

/* ---- recording ---- */

static int record_and_draw(struct flame_cmd *c, int argc, const char **argv)
{
	static const char *const words[] = { "flame", NULL };
	const char *path = c->recording ? c->recording : "perf.data";
	const char *more[6], **m = more;
	bool made;
	int status, drawn;

	if (c->off_cpu && !c->record.events)
		*m++ = "--event=context-switches";
	if (c->off_cpu) {
		*m++ = "--count=1";
		*m++ = "--switch-events";
	}
	if (!c->record.stacks)		/* whole, also without frame pointers */
		*m++ = "--call-graph=dwarf";
	*m = NULL;
	status = picture_make(&c->record, &(struct picture_how){ words, path, more,
			      c->common.quiet, true }, argc, argv, &made);
	if (!made)
		return status;
	drawn = flame_files(c, NULL, path);
	return status ? status : drawn;
}

/* What there is to record: a command, tasks or CPUs; otherwise a recording is read. */
static int flame_run(struct flame_cmd *c, int n, const char **argv)
{
	const struct picture_chosen *f = &c->record.chosen;

	c->look.inverted = c->reverse;
	if (!c->diff && !c->input && picture_is_recorded(&c->record, n))
		return record_and_draw(c, n, argv);
	c->stream.filter.pids = f->pids;
	c->stream.filter.tids = f->tids;
	c->stream.filter.cpus = f->cpus;
	c->stream.unwind_engine = f->engine;
	return c->diff ? flame_files(c, argv[0], argv[1]) : flame_files(c, NULL, c->input);
}

static int check_use(const struct cli_cmd *cmd, const struct flame_cmd *c, int n)
{
	if (c->form.svg && c->form.folded)
		return cli_usage_error_opt(cmd, "svg,folded",
					   "--svg and --folded exclude each other");
	if (c->diff && (n != 2 || c->input))
		return cli_usage_error_opt(cmd, "diff", "--diff takes two recordings: OLD NEW");
	if (c->diff && c->form.svg)
		return cli_usage_error_opt(cmd, "diff,svg", "--svg draws one recording");
	if (c->off_cpu && c->record.chosen.cpus)
		return cli_usage_error_opt(cmd, "off-cpu,cpu", "tasks that leave a CPU come back "
					   "on any other: --off-cpu is of all CPUs");
	if (c->off_cpu && c->stream.filter.where)
		return cli_usage_error_opt(cmd, "off-cpu,where", "--off-cpu pairs samples of the "
					   "task that leaves with those of others: --where cannot "
					   "choose among them");
	return picture_check(cmd, &c->record, c->input, c->diff ? 0 : n);
}

/* The page's waits lead through all tasks and events; the page itself chooses among them. */
static int check_waits(const struct cli_cmd *cmd, const struct flame_cmd *c, int n)
{
	const struct stream_filter *f = &c->stream.filter;
	const struct picture_chosen *p = &c->record.chosen;

	if (!c->n_waits)
		return 0;
	if (c->form.svg || c->form.folded || c->diff)
		return cli_usage_error_opt(cmd, "why,svg,folded,diff",
					   "--why is part of the page of one recording");
	if (!c->input && picture_is_recorded(&c->record, n))
		return cli_usage_error_opt(cmd, "why,input", "--why is of a recording of all "
					   "tasks: make one by 'perf sched record --why', then use "
					   "-i");
	if (f->comms || f->time || f->where || p->pids || p->tids || p->cpus)
		return cli_usage_error_opt(cmd, "why,comm,time,where,pid,tid,cpu", "--why follows "
					   "waits through all tasks: nothing can be left out");
	return 0;
}

/* --diff OLD NEW: no command begins there, so options may follow. */
static int parse_after_files(const struct cli_cmd *cmd, int n, const char **argv)
{
	const char *const last = argv[1];	/* stands where the command's name does */
	const int more = cli_parse(cmd, n - 1, argv + 1);

	if (more > 0)
		return CLI_DONE(cli_usage_error(cmd, "unexpected argument '%s'", argv[1]));
	argv[1] = last;
	return more < 0 ? more : 2;
}

int flame_write(struct flame_cmd *c, int n, const char **argv)
{
	struct err err = ERR_INIT;
	const int rc = picture_check_output(output_of(c), c->force, &err) < 0 ? cli_error(&err) :
		flame_run(c, n, argv);

	err_release(&err);
	return rc;
}

int cmd_flame(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]",
					     "[<options>] -i <file>",
					     "[<options>] --diff <old> <new>", NULL };
	struct flame_cmd c = FLAME_CMD_INIT;
	struct option_table tables[8];
	const struct cli_cmd cmd = { .name = "flame", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	int n, rc;

	flame_option_tables(&c, tables);
	n = cli_parse(&cmd, argc, argv);
	if (n > 2 && c.diff && argv[2][0] == '-')
		n = parse_after_files(&cmd, n, argv);
	if (n < 0)
		rc = cli_status(n);
	else if (!(rc = check_use(&cmd, &c, n)) && !(rc = check_waits(&cmd, &c, n)))
		rc = flame_write(&c, n, argv);
	flame_cmd_release(&c);
	return rc;
}
