// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame: from a program, or a recording, to a picture of where the time went.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-flame.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/cli/error.h"
#include "util/os/run.h"
#include "util/session/session.h"
#include "util/session/warnings.h"

#define N_LINES 3000		/* frames whose source line is looked for */

struct reading {
	struct session s;
	struct flame *flame;
	struct flame_tree *tree;
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
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .named = fl->c->output,
					.mode = 0666,
					.input_fd = fl->s->source->reader->files.v[0].fd };
	int rc = outfile_write(path, &o, str_cstr(&fl->out), fl->out.len, &fl->s->err);

	if (!rc && strcmp(path, "-") && !fl->c->common.quiet)
		fprintf(stderr, "[ perf flame: %llu samples, %zu distinct stacks in %s ]\n",
			(unsigned long long)fl->tree->n_samples, flame_n_stacks(fl->tree), path);
	return rc;
}

static int open_browser(const struct flame_cmd *c)
{
	const char *const argv[] = { "xdg-open", output_of(c), NULL };
	struct err err = ERR_INIT;
	int rc;

	if (!strcmp(argv[1], "-"))
		return cli_errorf("--open is about a file, not about standard output");
	rc = run_program(&(struct run_opts){ .argv = argv }, &err);
	if (rc < 0)
		cli_warn("no browser was started: %s\nHint: open %s yourself",
			 err.msg, argv[1]);
	err_release(&err);
	return rc > 0 ? CLI_FAILED : 0;
}

/* ---- the picture ---- */

/* The command that was recorded: without perf's own options, where it is said which those are. */
static void add_command(struct str *out, const struct data_features *f)
{
	size_t from = 0;

	while (from < f->cmdline.n && strcmp(f->cmdline.v[from], "--"))
		from++;
	for (size_t i = from + 1 < f->cmdline.n ? from + 1 : 0; i < f->cmdline.n; i++)
		str_addf(out, "%s%s", out->len ? " " : "", f->cmdline.v[i]);
}

static void describe(struct flaming *fl)
{
	const struct data_features *f = fl->s->source->env;
	const struct flame_tree *t = fl->tree;

	if (f)
		add_command(&fl->title, f);
	if (fl->c->off_cpu)
		str_addf(&fl->title, "%soff-CPU time", fl->title.len ? " – " : "");
	if (!fl->c->look.title)
		fl->c->look.title = fl->title.len ? fl->title.buf : NULL;
	if (fl->c->diff)
		str_addf(&fl->subtitle, "%s → %s", fl->r[0].s.source->name, fl->s->source->name);
	else if (f && f->hostname)
		str_addf(&fl->subtitle, "%s", f->hostname);
	if (f && f->osrelease && !fl->c->diff)
		str_addf(&fl->subtitle, "%sLinux %s", fl->subtitle.len ? " · " : "", f->osrelease);
	if (t->first_ns <= t->last_ns)
		str_addf(&fl->subtitle, "%s%.2f s", fl->subtitle.len ? " · " : "",
			 (double)(t->last_ns - t->first_ns) / 1e9);
	fl->c->look.subtitle = fl->subtitle.len ? fl->subtitle.buf : NULL;
}

/* NULL and err: no event of that name has samples. */
static const struct event *drawn_event(struct flaming *fl)
{
	const char *name = fl->c->event;
	const struct event *last = NULL;
	struct str others = STR_INIT;

	for vec_each(l, &fl->tree->tracks) {
		if (l->event == last)
			continue;
		last = l->event;
		if (!name || !strcmp(name, last->name)) {
			str_release(&others);
			return last;
		}
		str_addf(&others, "%s%s", others.len ? ", " : "", last->name);
	}
	err_set(&fl->s->err, EINVAL, "no event '%s' with samples in '%s'", name,
		fl->s->source->name);
	err_hint(&fl->s->err, "there are: %s", str_cstr(&others));
	str_release(&others);
	return NULL;
}

static int draw(struct flaming *fl)
{
	struct flame_cmd *c = fl->c;
	const struct event *e = NULL;

	describe(fl);
	if (c->min_pct > 0)
		flame_prune(fl->tree, c->min_pct);
	if ((c->form.svg || c->form.folded) && !(e = drawn_event(fl)))
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

static int no_samples(const struct session *s)
{
	const struct stream_stats *st = stream_get_stats(s->stream);

	if (st->n_filtered)
		return cli_errorf("no sample in '%s' passes the filters (%llu samples)",
				  s->source->name, (unsigned long long)st->n_filtered);
	return cli_errorf("the file '%s' has no samples", s->source->name);
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
static void take_filters(struct stream_filter *from, struct flame_off_cpu *to)
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
	struct flame_off_cpu off = { 0 };
	struct session *s = &r->s;
	int rc = session_open(s, &(struct session_opts){ .path = path, .force = c->force,
							 .quiet = c->common.quiet });

	stream.count_broken = stream.cut_broken = true;
	if (c->off_cpu)
		take_filters(&stream.filter, &off);
	if (!rc)
		rc = session_prepare(s, &stream);
	if (rc)
		return rc;
	off.events = s->source->events;
	off.swap = s->source->swap;
	if (c->off_cpu && (rc = flame_off_cpu_check(&off, s->source->name, &s->err)))
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
		rc = session_run(s, (struct sink *[]){ flame_sink(r->flame) }, 1);
	if (rc)
		return rc;
	r->tree = flame_finish(r->flame);
	if (!r->tree->n_samples) {
		session_warn(s);
		return c->off_cpu ? never_off_cpu(r) : no_samples(s);
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
		rc = open_browser(c);
	flame_tree_release(&fl.joined);
	flame_free(fl.r[0].flame);
	flame_free(fl.r[1].flame);
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
			      c->common.quiet }, argc, argv, &made);
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
	return picture_check(cmd, &c->record, c->input, c->diff ? 0 : n);
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

int cmd_flame(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]",
					     "[<options>] -i <file>",
					     "[<options>] --diff <old> <new>", NULL };
	struct flame_cmd c = { .look.min_width = -1 };
	struct option_table tables[8];
	const struct cli_cmd cmd = { .name = "flame", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, rc;

	flame_option_tables(&c, tables);
	n = cli_parse(&cmd, argc, argv);
	if (n > 2 && c.diff && argv[2][0] == '-')
		n = parse_after_files(&cmd, n, argv);
	if (n < 0)
		rc = cli_status(n);
	else if (!(rc = check_use(&cmd, &c, n)))
		rc = picture_check_output(output_of(&c), c.force, &err) < 0 ? cli_error(&err) :
			flame_run(&c, n, argv);
	flame_cmd_release(&c);
	err_release(&err);
	return rc;
}
