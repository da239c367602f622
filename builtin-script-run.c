// SPDX-License-Identifier: GPL-2.0-or-later
// perf script -s, -g, -l, record and report: users' scripts over the samples of a recording.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "builtin-script.h"
#include "util/base/outfile.h"
#include "util/base/vec.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/os/run.h"
#include "util/script/installed.h"
#include "util/script/python-generate.h"
#include "util/script/python.h"

/* ---- -s ---- */

static bool python_language(const char *name)
{
	return !strcasecmp(name, "python") || !strcmp(name, "py");
}

static const char *setting(const char *name)
{
	return config_get(config_used(), name);
}

/* "x.py", "python:x": the file; NULL: another language. */
static const char *python_file(const char *script, struct err *err)
{
	static const char *const prefixes[] = { "python:", "Python:", "py:" };
	const char *dot = strrchr(script, '.');

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_has_prefix(script, prefixes[i]))
			return script + strlen(prefixes[i]);
	if (dot && !strcmp(dot, ".py"))
		return script;
	if ((dot && !strcmp(dot, ".pl")) || !strncasecmp(script, "perl", 4)) {
		err_set(err, ENOTSUP, "script '%s': scripts in Perl are not run", script);
		err_hint(err, "write it in Python (perf script -g python makes a frame for it), "
			      "or let it read what perf script prints");
		return NULL;
	}
	err_set(err, EINVAL, "script '%s': its language is not known", script);
	err_hint(err, "call it NAME.py, or say -s python:%s", script);
	return NULL;
}

static int run_python(const struct python_opts *o, const struct stream_opts *stream,
		      struct session *s)
{
	struct python *p = python_new(o, &s->err);
	struct sink *sink;
	int ret = p ? session_prepare(s, stream) : -s->err.code;

	if (ret == 0)
		ret = python_begin(p, s->source->events, stream_machine(s->stream), &s->err);
	if (ret == 0) {
		sink = python_sink(p);
		ret = session_run(s, &sink, 1);
	}
	if (ret == 0)
		ret = python_end(p, &s->err);
	python_free(p);
	return ret;
}

int script_run(const struct script_run *r, const struct stream_opts *stream, struct session *s)
{
	struct str installed = STR_INIT;
	const bool found = script_find_file(r->script, &installed);
	struct python_opts o = { .args = r->args, .library = r->library, .no_inline = stream->no_inline,
				 .swap = s->source->swap, .config = setting };
	int ret = 0;

	o.path = python_file(found ? str_cstr(&installed) : r->script, &s->err);
	ret = o.path ? run_python(&o, stream, s) : -s->err.code;
	str_release(&installed);
	/* sys.exit() of the script: it said what there was to say */
	return ret == -ECANCELED ? s->err.status : ret;
}

/* ---- -g ---- */

int script_generate(const struct script_run *r, struct session *s)
{
	const struct outfile_opts o = { .named = true, .mode = 0666 };
	const char *path = python_language(r->generate) ? "perf-script.py" :
		python_file(r->generate, &s->err);
	struct str text = STR_INIT, name = STR_INIT;
	int ret;

	if (!path)
		return -s->err.code;
	python_generate(s->source->events, &text);
	ret = outfile_write(path, &o, str_cstr(&text), text.len, &s->err);
	if (ret == 0) {
		str_add_safe(&name, path);
		printf("generated Python script: %s\n", str_cstr(&name));
	}
	str_release(&text);
	str_release(&name);
	return ret;
}

/* ---- scripts that are installed ---- */

int script_show_list(void)
{
	struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int ret = script_list(&text, &err);

	if (ret == 0)
		fputs(str_cstr(&text), stdout);
	str_release(&text);
	return ret ? cli_error(&err) : 0;
}

typedef VEC(const char *) words;

static void add_words(words *v, const char *const *more, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_push(v, more[i]);
}

/* The programs that such scripts run are called perf: this one. */
static void perf_first_in_path(void)
{
	struct str self = STR_INIT, path = STR_INIT;
	const char *old = getenv("PATH");
	char *slash;

	run_self_path(&self);
	slash = self.len ? strrchr(self.buf, '/') : NULL;
	if (slash && !strcmp(slash, "/perf")) {
		*slash = '\0';
		str_addf(&path, "%s:%s", self.buf, old ? old : "/usr/bin:/bin");
		setenv("PATH", str_cstr(&path), 1);
	}
	str_release(&self);
	str_release(&path);
}

/* argv: without the program, ended by NULL. Its file comes in front. */
static int start_kind(const char *name, const char *kind, words *argv, struct run_opts *o,
		      pid_t *pid, struct err *err)
{
	struct str path = STR_INIT;
	words v = { 0 };
	int ret = script_find(name, kind, &path, err);

	if (ret == 0) {
		if (access(str_cstr(&path), X_OK))
			vec_push(&v, "/bin/sh");
		vec_push(&v, str_cstr(&path));
		add_words(&v, argv->v, argv->n);
		vec_push(&v, NULL);
		o->argv = v.v;
		perf_first_in_path();
		ret = run_start(o, pid, err);
	}
	vec_free(&v);
	vec_free(argv);
	str_release(&path);
	return ret;
}

/* "record NAME ...", "report NAME ...": the one script. */
static int run_kind(const char *kind, const char *name, const char *const *args, struct err *err)
{
	struct run_opts o = { 0 };
	words v = { 0 };
	pid_t pid;
	size_t n = 0;
	int ret;

	while (args[n])
		n++;
	add_words(&v, args, n);
	if (!n && !strcmp(kind, "record"))
		vec_push(&v, "-a");
	ret = start_kind(name, kind, &v, &o, &pid, err);
	if (ret)
		return ret;
	signal(SIGINT, SIG_IGN);	/* it is for the script */
	return run_wait(pid);
}

/* NAME alone: what is recorded now goes into the report. Words for the report come first: as many
 * as it needs, all of one that is called "...top". */
static int run_both(const char *name, const char *const *args, struct err *err)
{
	struct run_opts record = { 0 }, report = { 0 };
	words to_record = { 0 }, to_report = { 0 };
	size_t n = 0, first;
	pid_t recorder = 0, reporter = 0;
	int fds[2], ret;

	while (args[n])
		n++;
	first = str_has_suffix(name, "top") ? n : MIN(n, script_required_args(name));
	add_words(&to_report, args, first);
	add_words(&to_report, (const char *const[]){ "-i", "-" }, 2);
	if (first == n)
		vec_push(&to_record, "-a");
	add_words(&to_record, (const char *const[]){ "-q", "-o", "-" }, 3);
	add_words(&to_record, args + first, n - first);
	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot run script '%s'", name);
	record.out_fd = fds[1];
	report.in_fd = fds[0];
	ret = start_kind(name, "record", &to_record, &record, &recorder, err);
	if (ret == 0)
		ret = start_kind(name, "report", &to_report, &report, &reporter, err);
	else
		vec_free(&to_report);
	close(fds[0]);
	close(fds[1]);
	signal(SIGINT, SIG_IGN);
	if (reporter > 0)
		ret = run_wait(reporter);
	if (recorder > 0)
		run_wait(recorder);
	return ret;
}

int script_run_installed(const struct script_run *r, int n, const char *input)
{
	const char *const *w = r->args;
	const bool kind = !strcmp(w[0], "record") || !strcmp(w[0], "report");
	struct err err = ERR_INIT;
	int ret;

	if (input && kind)
		return cli_errorf("-i stands behind the name of an installed script: perf script "
				  "report NAME -i FILE");
	if (kind && n < 2)
		return cli_errorf("perf script %s needs the name of an installed script: perf "
				  "script -l lists them", w[0]);
	ret = kind ? run_kind(w[0], w[1], w + 2, &err) : run_both(w[0], w + 1, &err);
	return ret < 0 ? cli_error(&err) : ret;
}
