// SPDX-License-Identifier: GPL-2.0-or-later
// perf test: checks of this perf on this machine, and the workloads for tests of other kinds.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "builtin-test.h"
#include "builtin.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/os/os.h"
#include "util/os/run.h"
#include "util/test/workloads.h"

struct test_opts {
	struct cli_common common;
	const char *workload, *skip, *dso, *junit, *record_ctl;
	bool list_workloads, here, sequential;
	int runs;
};

static const struct option_def test_options[] = {
	OPT_STRING('w', "workload", struct test_opts, workload, "work",
		   "run this workload, see --list-workloads"),
	OPT_FLAG(0, "list-workloads", struct test_opts, list_workloads,
		 "list the workloads, with their arguments under -v"),
	OPT_STRING(0, "record-ctl", struct test_opts, record_ctl, "fifo:ctl[,ack]",
		   "have perf record --control -D -1 record the workload alone"),
	OPT_STRING('s', "skip", struct test_opts, skip, "numbers",
		   "leave out the tests of these numbers"),
	OPT_UINT('r', "runs-per-test", struct test_opts, runs, "n", "run each test n times"),
	OPT_STRING(0, "dso", struct test_opts, dso, "file",
		   "the file that the test of symbols reads, instead of perf itself"),
	OPT_STRING_OPTARG('j', "junit", struct test_opts, junit, "file", "test.xml",
			  "also write the results as JUnit XML, to test.xml"),
	OPT_FLAG('F', "dont-fork", struct test_opts, here,
		 "accepted: tests always run in this process"),
	OPT_FLAG('S', "sequential", struct test_opts, sequential,
		 "accepted: tests always run one by one"),
	OPT_END
};

/* ---- workloads ---- */

static int list_workloads(const struct test_opts *o)
{
	for (const struct test_workload *w = test_workloads; w->name; w++)
		if (o->common.verbose)
			printf("%-20s %-20s %s\n", w->name, w->arguments ? w->arguments : "",
			       w->help);
		else
			printf("%s\n", w->name);
	return 0;
}

struct record_ctl { int ctl, ack; };

static int open_fifo(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CLOEXEC);

	return fd < 0 ? err_sys(err, errno, "cannot open the control FIFO '%s'", path) : fd;
}

static int record_ctl_open(struct record_ctl *c, const char *spec, struct err *err)
{
	char *ctl, *ack;

	c->ctl = c->ack = -1;
	if (!spec)
		return 0;
	if (!str_has_prefix(spec, "fifo:")) {
		err_set(err, EINVAL, "--record-ctl: '%s' is not a control channel", spec);
		err_hint(err, "use fifo:PATH[,PATH], the same as the --control of perf record");
		return -EINVAL;
	}
	ctl = xstrdup(spec + strlen("fifo:"));
	ack = strchr(ctl, ',');
	if (ack)
		*ack++ = '\0';
	c->ctl = open_fifo(ctl, O_RDWR, err);
	if (c->ctl >= 0 && ack)
		c->ack = open_fifo(ack, O_RDWR, err);
	free(ctl);
	return c->ctl < 0 || (ack && c->ack < 0) ? -EIO : 0;
}

static void record_ctl_say(const struct record_ctl *c, const char *command)
{
	char answer[8];

	if (c->ctl < 0)
		return;
	io_write(c->ctl, command, strlen(command));
	if (c->ack >= 0 && read(c->ack, answer, sizeof(answer)) < 0)
		cli_warn("no answer on the control FIFO: %s", strerror(errno));
}

static int run_workload(const struct cli_cmd *cmd, const struct test_opts *o, int n,
			const char **args)
{
	const struct test_workload *w = test_workload_find(o->workload);
	struct err err = ERR_INIT;
	struct record_ctl ctl;
	int ret;

	if (!w)
		return cli_usage_error(cmd, "no workload '%s'; perf test --list-workloads lists "
					    "them", o->workload);
	if (test_workload_check(w, n, args, &err) || record_ctl_open(&ctl, o->record_ctl, &err)) {
		ret = cli_error(&err);
	} else {
		record_ctl_say(&ctl, "enable\n");
		ret = w->run(n, args, &err);
		record_ctl_say(&ctl, "disable\n");
		if (ret)
			ret = cli_error(&err);
	}
	err_release(&err);
	return ret;
}

/* ---- checks ---- */

struct result { int nr; const struct machine_check *check; enum check_status status; char *reason;
		u64 ns; };
typedef VEC(struct result) result_vec;

/* By number, or by a part of the name in whatever case; all without words. */
static bool wanted(int nr, const char *name, int n, const char **words)
{
	int want;

	for (int i = 0; i < n; i++)
		if (parse_int(words[i], &want) ? want == nr : strcasestr(name, words[i]) != NULL)
			return true;
	return !n;
}

static int list_checks(int n, const char **words)
{
	int nr = 0;

	for (const struct machine_check *c = machine_checks; c->name; c++)
		if (wanted(++nr, c->name, n, words))
			printf("%3d: %s\n", nr, c->name);
	return 0;
}

static void run_check(const struct test_opts *o, struct check_run *r, struct result *res)
{
	static const char *const words[] = { "Ok", "Skip", "FAILED!" };
	u64 start_ns = os_now_ns();
	bool show;

	str_reset(&r->reason);
	str_reset(&r->log);
	res->status = res->check->run(r);
	res->ns = os_now_ns() - start_ns;
	res->reason = xstrdup(str_cstr(&r->reason));
	show = o->common.verbose > 1 || (o->common.verbose && res->status == CHECK_FAILED);
	if (show && r->log.len) {
		struct str safe = STR_INIT;

		printf("--- start of %d: %s ---\n", res->nr, res->check->name);
		for (char *rest = r->log.buf, *line; (line = strsep(&rest, "\n")); ) {
			str_reset(&safe);
			str_add_safe(&safe, line);
			printf("%s\n", str_cstr(&safe));
		}
		printf("--- end ---\n");
		str_release(&safe);
	}
	printf("%3d: %-50s : %s%s%s%s\n", res->nr, res->check->name, words[res->status],
	       *res->reason ? " (" : "", res->reason,
	       *res->reason ? ")" : "");
	fflush(stdout);
}

static void add_xml(struct str *s, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': str_add(s, "&lt;"); break;
		case '>': str_add(s, "&gt;"); break;
		case '&': str_add(s, "&amp;"); break;
		case '"': str_add(s, "&quot;"); break;
		default: str_addch(s, (unsigned char)*text < ' ' || (unsigned char)*text > '~' ?
				   '?' : *text);
		}
}

static int write_junit(const char *path, const result_vec *v, const int *n_of, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .named = true, .mode = 0666 };
	struct str s = STR_INIT;
	int ret;

	str_addf(&s, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n  <testsuite "
		     "name=\"perf-tests\" tests=\"%zu\" "
		 "failures=\"%d\" skipped=\"%d\">\n", v->n, n_of[CHECK_FAILED], n_of[CHECK_SKIP]);
	for (size_t i = 0; i < v->n; i++) {
		const struct result *r = &v->v[i];

		str_add(&s, "    <testcase classname=\"perf\" name=\"");
		add_xml(&s, r->check->name);
		str_addf(&s, "\" time=\"%.3f\">\n", (double)r->ns / 1e9);
		if (r->status != CHECK_OK) {
			str_addf(&s, "      <%s message=\"", r->status == CHECK_SKIP ? "skipped" :
				 "failure");
			add_xml(&s, r->reason);
			str_add(&s, "\"/>\n");
		}
		str_add(&s, "    </testcase>\n");
	}
	str_add(&s, "  </testsuite>\n</testsuites>\n");
	ret = outfile_write(path, &o, str_cstr(&s), s.len, err);
	str_release(&s);
	return ret;
}

/* A directory for the checks, with a link to this perf in it: "perf-self" in PATH. */
static int enter_dir(struct check_run *r, struct err *err)
{
	const char *tmp = getenv("TMPDIR"), *path = getenv("PATH");
	char *link, *new_path;
	struct str self = STR_INIT;
	int ret = 0;

	run_self_path(&self);
	if (!self.len)
		return err_set(err, ENOENT, "cannot find this perf in " RUN_SELF);
	r->perf = str_detach(&self);
	r->dir = xasprintf("%s/perf-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(r->dir))
		return err_sys(err, errno, "cannot make the directory '%s'", r->dir);
	link = xasprintf("%s/perf-self", r->dir);
	new_path = xasprintf("%s:%s", r->dir, path ? path : "/usr/bin:/bin");
	setenv("PATH", new_path, 1);
	if (symlink(r->perf, link) || chdir(r->dir))
		ret = err_sys(err, errno, "cannot use the directory '%s'", r->dir);
	free(link);
	free(new_path);
	return ret;
}

static void leave_dir(struct check_run *r, const char *back)
{
	static const char *const made[] = { "perf-self", "output", "data", "data.old", NULL };

	if (r->dir)
		io_remove_dir_of(r->dir, made);
	if (*back && chdir(back))
		cli_warn("cannot go back to '%s'", back);
	free(r->dir);
	free(r->perf);
	str_release(&r->reason);
	str_release(&r->log);
	str_release(&r->out);
}

static void run_all(const struct test_opts *o, struct check_run *r, int n, const char **words,
		    const int_vec *skip, result_vec *v)
{
	int nr = 0;

	for (const struct machine_check *c = machine_checks; c->name; c++) {
		if (!wanted(++nr, c->name, n, words))
			continue;
		for (int k = 0; k < o->runs; k++) {
			struct result *res = vec_add(v);

			*res = (struct result){ .nr = nr, .check = c, .status = CHECK_SKIP };
			if (int_list_has(skip, nr)) {
				res->reason = xstrdup("user override");
				printf("%3d: %-50s : Skip (user override)\n", nr, c->name);
				break;
			}
			run_check(o, r, res);
		}
	}
}

static int run_checks(const struct test_opts *o, int n, const char **words)
{
	struct check_run r = { .dso = o->dso ? realpath(o->dso, NULL) : NULL };
	struct err err = ERR_INIT;
	int_vec skip = { 0 };
	result_vec v = { 0 };
	char back[PATH_MAX] = "";
	int ret, n_of[3] = { 0 };

	if (!getcwd(back, sizeof(back)))
		*back = '\0';
	if (o->dso && !r.dso)
		ret = err_sys(&err, errno, "cannot read '%s'", o->dso);
	else
		ret = o->skip ? parse_int_list(o->skip, &skip, &err) : 0;
	if (!ret)
		ret = enter_dir(&r, &err);
	if (!ret)
		run_all(o, &r, n, words, &skip, &v);
	leave_dir(&r, back);
	for (size_t i = 0; i < v.n; i++)
		n_of[v.v[i].status]++;
	if (!ret && !v.n)
		ret = err_set(&err, ENOENT, "no test has a name like '%s'; perf test list shows "
					    "all", words[0]);
	if (!ret && o->junit)
		ret = write_junit(o->junit, &v, n_of, &err);
	if (!ret && !o->common.quiet)
		printf("%d passed, %d failed, %d skipped\n", n_of[CHECK_OK], n_of[CHECK_FAILED],
		       n_of[CHECK_SKIP]);
	ret = ret ? cli_error(&err) : n_of[CHECK_FAILED] ? CLI_FAILED : 0;
	for (size_t i = 0; i < v.n; i++)
		free(v.v[i].reason);
	vec_free(&v);
	vec_free(&skip);
	free((char *)r.dso);
	err_release(&err);
	return ret;
}

int cmd_test(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<number>|<part of a name>...]",
					     "list [<part of a name>...]",
					     "-w <workload> [<argument>...]", NULL };
	static const char *const words[] = { "list", NULL };
	struct test_opts o = { .runs = 1 };
	const struct option_table tables[] = { { test_options, &o }, cli_common_group(&o.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "test", .usage = usage, .tables = tables,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	if (o.list_workloads)
		return list_workloads(&o);
	if (o.workload)
		return run_workload(&cmd, &o, n, argv);
	if (n && !strcmp(argv[0], "list"))
		return list_checks(n - 1, argv + 1);
	return run_checks(&o, n, argv);
}
