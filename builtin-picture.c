// SPDX-License-Identifier: GPL-2.0-or-later
// perf record for commands that draw what it recorded: its options, handed on, and its call.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "builtin-picture.h"
#include "builtin-record.h"
#include "util/base/outfile.h"
#include "util/cli/error.h"
#include "util/os/run.h"

/* "-p 5" as "--pid=5": one word each, but for options without a long name. */
static void pass_on(struct picture_record *r, const struct opt_use *u)
{
	const struct option_def *d = u->def;

	if (!d->name) {
		vec_push(&r->words, xasprintf("-%c", d->short_name));
		if (u->arg)
			vec_push(&r->words, xstrdup(u->arg));
		return;
	}
	vec_push(&r->words, xasprintf("--%s%s%s%s", u->unset ? "no-" : "", d->name,
				      u->arg ? "=" : "", u->arg ? u->arg : ""));
}

static bool is_option(const struct option_def *d, const char *name)
{
	return d->name && !strcmp(d->name, name);
}

static int record_option(const struct opt_use *u, struct err *err UNUSED)
{
	static const char *const names[] = { "pid", "tid", "cpu", "unwind", "event" };
	struct picture_record *r = u->base;
	const char **kept[] = { &r->chosen.pids, &r->chosen.tids, &r->chosen.cpus,
				&r->chosen.engine, &r->chosen.event };
	const size_t n = ARRAY_SIZE(names) - !r->shows_event;

	pass_on(r, u);
	if (is_option(u->def, "event"))
		r->events = true;
	for (size_t i = 0; i < n; i++)
		if (is_option(u->def, names[i])) {
			*kept[i] = u->unset ? NULL : u->arg;
			return 0;
		}
	if (u->def->short_name == 'g' || is_option(u->def, "call-graph"))
		r->stacks = true;
	if (!r->other && !(u->def->flags & OPT_HIDDEN))
		r->other = u->def;
	if (u->def->short_name == 'a' || u->def->short_name == 'u')
		r->target = !u->unset;
	return 0;
}

static bool is_taken(const struct option_def *own, const struct option_def *d, bool by_name)
{
	for (const struct option_def *f = own; f->kind != OPT_KIND_END; f++)
		if (by_name ? d->name && f->name && !strcmp(d->name, f->name) :
		    d->short_name && d->short_name == f->short_name)
			return true;
	return false;
}

/* perf record's options, each with a function that hands it on. */
struct option_table picture_options(struct picture_record *r, const struct option_def *own)
{
	VEC(struct option_def) v = { 0 };

	for (const struct option_def *from = record_option_defs(); from->kind != OPT_KIND_END;
	     from++) {
		struct option_def d = *from;
		bool negatable = d.name && !(d.flags & OPT_NONEG) &&
			(d.kind != OPT_KIND_CALL || d.flags & OPT_UNSETS);

		if (d.flags & OPT_IN_FILE || is_taken(own, &d, true))
			continue;
		if (is_taken(own, &d, false))
			d.short_name = 0;
		d.kind = OPT_KIND_CALL;
		d.flags = (u8)((d.flags & (OPT_HIDDEN | OPT_OPTARG | OPT_BARE)) |
			       (negatable ? OPT_UNSETS : 0));
		d.call = record_option;
		d.off = 0;
		d.dflt = NULL;
		vec_push(&v, d);
	}
	vec_push(&v, ((struct option_def)OPT_END));
	r->table = v.v;
	return (struct option_table){ r->table, r };
}

void picture_release(struct picture_record *r)
{
	for vec_each(word, &r->words)
		free((char *)*word);
	vec_free(&r->words);
	free(r->table);
}

bool picture_is_recorded(const struct picture_record *r, int n)
{
	return n || r->target || r->chosen.pids || r->chosen.tids;
}

int picture_check(const struct cli_cmd *cmd, const struct picture_record *r, const char *input,
		  int n)
{
	const char *const instead = input ? "-i reads a recording" :
		"there is nothing to record: name a command, -p, -t, -u or -a";

	if (input && n)
		return cli_usage_error_opt(cmd, "input", "-i draws a recording that exists: "
					   "there is no command to run");
	if (!r->other || (!input && picture_is_recorded(r, n)))
		return 0;
	if (r->other->name)
		return cli_usage_error(cmd, "--%s is about recording, and %s", r->other->name,
				       instead);
	return cli_usage_error(cmd, "-%c is about recording, and %s", r->other->short_name,
			       instead);
}

int picture_check_output(const char *path, bool force, struct err *err)
{
	struct stat st;

	if (force || !strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	err_set(err, EEXIST, "'%s' exists", path);
	err_hint(err, "-f replaces it; -o names another output");
	return -EEXIST;
}

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

int picture_make(const struct picture_record *r, const struct picture_how *how, int argc,
		 const char **argv, bool *made)
{
	const struct record_preset p = { .words = how->words, .output = how->path,
					 .callchain = how->stacks };
	opt_list options = { 0 }, line = { 0 };
	struct stat before;
	int status;

	for vec_each(word, &r->words)
		vec_push(&options, *word);
	for (const char *const *w = how->more; *w; w++)
		vec_push(&options, *w);
	if (how->quiet)
		vec_push(&options, "-q");
	record_line(&line, &options, argc, argv);
	file_state(how->path, &before);
	status = record_with(&p, (int)line.n - 1, line.v);
	vec_free(&options);
	vec_free(&line);
	*made = is_new(how->path, &before);
	return status;
}

/* ---- what is said of it ---- */

void picture_add_command(struct str *out, const struct data_features *f)
{
	size_t from = 0;

	while (f && from < f->cmdline.n && strcmp(f->cmdline.v[from], "--"))
		from++;
	for (size_t i = f && from + 1 < f->cmdline.n ? from + 1 : 0; f && i < f->cmdline.n; i++)
		str_addf(out, "%s%s", out->len ? " " : "", f->cmdline.v[i]);
}

void picture_add_machine(struct str *out, const struct session *s)
{
	const struct data_features *f = s->source->env;

	if (f && f->hostname)
		str_addf(out, "%s%s", out->len ? " · " : "", f->hostname);
	if (f && f->osrelease)
		str_addf(out, "%sLinux %s", out->len ? " · " : "", f->osrelease);
}

void picture_add_seconds(struct str *out, u64 first_ns, u64 last_ns)
{
	str_addf(out, "%s%.2f s", out->len ? " · " : "", (double)(last_ns - first_ns) / 1e9);
}

const struct event *picture_event(const struct flame_tree *t, const char *name,
				  const char *recording, struct err *err)
{
	const struct event *last = NULL;
	struct str others = STR_INIT;

	for vec_each(l, &t->tracks) {
		if (l->event == last)
			continue;
		last = l->event;
		if (!name || !strcmp(name, last->name)) {
			str_release(&others);
			return last;
		}
		str_addf(&others, "%s%s", others.len ? ", " : "", last->name);
	}
	err_set(err, EINVAL, "no event '%s' with samples in '%s'", name, recording);
	err_hint(err, "there are: %s", str_cstr(&others));
	str_release(&others);
	return NULL;
}

int picture_no_samples(const struct session *s)
{
	const struct stream_stats *st = stream_get_stats(s->stream);

	if (st->n_filtered)
		return cli_errorf("no sample in '%s' passes the filters (%llu samples)",
				  s->source->name, (unsigned long long)st->n_filtered);
	return cli_errorf("the file '%s' has no samples", s->source->name);
}

int picture_write(const char *path, bool named, const struct str *text, struct session *s)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .named = named, .mode = 0666,
					.input_fd = s->source->reader->files.v[0].fd };

	return outfile_write(path, &o, str_cstr(text), text->len, &s->err);
}

int picture_open(const char *path)
{
	const char *const argv[] = { "xdg-open", path, NULL };
	struct err err = ERR_INIT;
	int rc;

	if (!strcmp(path, "-"))
		return cli_errorf("--open is about a file, not about standard output");
	rc = run_program(&(struct run_opts){ .argv = argv }, &err);
	if (rc < 0)
		cli_warn("no browser was started: %s\nHint: open %s yourself", err.msg, path);
	err_release(&err);
	return rc > 0 ? CLI_FAILED : 0;
}
