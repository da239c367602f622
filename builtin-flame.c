// SPDX-License-Identifier: GPL-2.0-or-later
// perf flame: from a program, or a recording, to a picture of where the time went.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-flame.h"
#include "builtin-record.h"
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

/* Asked before anything is recorded or read. */
static int check_output(const struct flame_cmd *c, struct err *err)
{
	const char *path = output_of(c);
	struct stat st;

	if (c->force || !strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	err_set(err, EEXIST, "'%s' exists", path);
	err_hint(err, "-f replaces it; -o names another output");
	return -EEXIST;
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

static int collect(struct flame_cmd *c, struct reading *r, const char *path)
{
	const bool reverse = c->reverse && (c->form.svg || c->form.folded);
	struct session *s = &r->s;
	int rc = session_open(s, &(struct session_opts){ .path = path, .force = c->force,
							 .quiet = c->common.quiet });

	c->stream.count_broken = c->stream.cut_broken = true;
	if (!rc)
		rc = session_prepare(s, &c->stream);
	if (rc)
		return rc;
	r->flame = flame_new(&(struct flame_opts){ .reverse = reverse,
						   .no_inline = c->stream.no_inline });
	rc = session_run(s, (struct sink *[]){ flame_sink(r->flame) }, 1);
	if (rc)
		return rc;
	r->tree = flame_finish(r->flame);
	if (!r->tree->n_samples) {
		session_warn(s);
		return no_samples(s);
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

static bool file_state(const char *path, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	return stat(path, st) == 0;
}

/* Whether perf record ended with status because the program did: there is a new recording. */
static bool is_new(const char *path, const struct stat *before)
{
	struct stat now;

	return file_state(path, &now) &&
		(now.st_ino != before->st_ino || now.st_dev != before->st_dev ||
		 now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		 now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static int record_and_draw(struct flame_cmd *c, int argc, const char **argv)
{
	static const char *const words[] = { "flame", NULL };
	const char *path = c->recording ? c->recording : "perf.data";
	const struct record_preset p = { .words = words, .output = path, .callchain = true };
	opt_list line = { 0 };
	struct stat before;
	int status, drawn;

	vec_push(&line, "record");
	for vec_each(word, &c->record)
		vec_push(&line, *word);
	if (!c->stacks)		/* whole, also without frame pointers */
		vec_push(&line, "--call-graph=dwarf");
	if (c->common.quiet)
		vec_push(&line, "-q");
	vec_push(&line, "--");
	for (int i = 0; i < argc; i++)
		vec_push(&line, argv[i]);
	vec_push(&line, NULL);
	file_state(path, &before);
	status = record_with(&p, (int)line.n - 1, line.v);
	vec_free(&line);
	if (!is_new(path, &before))
		return status;
	drawn = flame_files(c, NULL, path);
	return status ? status : drawn;
}

/* What there is to record: a command, tasks or CPUs; otherwise a recording is read. */
static int flame_run(struct flame_cmd *c, int n, const char **argv)
{
	const struct flame_chosen *f = &c->chosen;

	c->look.inverted = c->reverse;
	if (!c->diff && !c->input && (n || c->target || f->pids || f->tids))
		return record_and_draw(c, n, argv);
	c->stream.filter.pids = f->pids;
	c->stream.filter.tids = f->tids;
	c->stream.filter.cpus = f->cpus;
	c->stream.unwind_engine = f->engine;
	return c->diff ? flame_files(c, argv[0], argv[1]) : flame_files(c, NULL, c->input);
}

static int check_use(const struct cli_cmd *cmd, const struct flame_cmd *c, int n)
{
	const bool recorded = (n && !c->diff) || c->target || c->chosen.pids || c->chosen.tids;
	const char *const instead = c->input ? "-i reads a recording" :
		"there is nothing to record: name a command, -p, -t, -u or -a";

	if (c->form.svg && c->form.folded)
		return cli_usage_error_opt(cmd, "svg,folded",
					   "--svg and --folded exclude each other");
	if (c->diff && (n != 2 || c->input))
		return cli_usage_error_opt(cmd, "diff", "--diff takes two recordings: OLD NEW");
	if (c->diff && c->form.svg)
		return cli_usage_error_opt(cmd, "diff,svg", "--svg draws one recording");
	if (c->input && n)
		return cli_usage_error_opt(cmd, "input", "-i draws a recording that exists: "
					   "there is no command to run");
	if ((c->input || !recorded) && c->other && c->other->name)
		return cli_usage_error(cmd, "--%s is about recording, and %s", c->other->name,
				       instead);
	if ((c->input || !recorded) && c->other)
		return cli_usage_error(cmd, "-%c is about recording, and %s",
				       c->other->short_name, instead);
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
		rc = check_output(&c, &err) < 0 ? cli_error(&err) : flame_run(&c, n, argv);
	flame_cmd_release(&c);
	err_release(&err);
	return rc;
}
