// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's tracer on a made tracefs: what is changed is put back, also after a crash.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/os/ftrace.h"

static const struct { const char *name, *text; } files[] = {
	{ "available_tracers", "function_graph function nop\n" },
	{ "current_tracer", "nop\n" },
	{ "tracing_on", "1\n" },
	{ "set_ftrace_filter", "vfs_read\nvfs_write\n" },
	{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
	{ "buffer_size_kb", "7 (expanded: 1408)\n" },
	{ "options/sleep-time", "1\n" },
};

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/tracing/%s", dir, name);
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
	free(path);
}

static void tree(struct os *os, const char *dir)
{
	static const char *const dirs[] = { "run", "proc", "sys", "tracing", "tracing/events",
					    "tracing/options" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s/%s", dir, dirs[i]);

		CHECK_EQ(mkdir(path, 0700), 0);
		free(path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		put(dir, files[i].name, files[i].text);
	os_init_root(os, dir);
	CHECK_EQ(os_tracefs(os, NULL), 0);
}

static void holds(const struct os *os, const char *name, const char *expect)
{
	char *path = xasprintf("tracing:%s", name);
	struct str s = STR_INIT;

	CHECK_EQ(os_read_file(os, path, &s, NULL), 0);
	CHECK_STR(str_cstr(&s), expect);
	str_release(&s);
	free(path);
}

static void is_as_before(const struct os *os)
{
	holds(os, "current_tracer", "nop\n");
	holds(os, "tracing_on", "1\n");
	holds(os, "set_ftrace_filter", "vfs_read\nvfs_write\n");
	holds(os, "set_ftrace_notrace", "");
	holds(os, "buffer_size_kb", "7\n");
	holds(os, "options/sleep-time", "1\n");
}

static const char *const no_needs[] = { NULL };

static void change(struct ftrace *f, struct os *os)
{
	struct err err = ERR_INIT;

	CHECK_EQ(ftrace_open(f, os, "function_graph", no_needs, &err), 0);
	CHECK(f->main);
	holds(os, "set_ftrace_filter", "");
	CHECK_EQ(ftrace_set(f, "set_ftrace_filter", "do_*\n", false, &err), 0);
	CHECK_EQ(ftrace_set(f, "set_ftrace_filter", "schedule\n", true, &err), 0);
	CHECK_EQ(ftrace_set(f, "set_ftrace_notrace", "x\n", false, &err), 0);
	CHECK_EQ(ftrace_set(f, "buffer_size_kb", "4096\n", false, &err), 0);
	CHECK_EQ(ftrace_set(f, "current_tracer", "function_graph\n", false, &err), 0);
	CHECK_EQ(ftrace_set(f, "options/sleep-time", "0\n", false, &err), 0);
	CHECK_EQ(ftrace_set(f, "options/nosuch", "0\n", false, NULL), -ENOENT);
	holds(os, "set_ftrace_filter", "do_*\nschedule\n");
	holds(os, "tracing_on", "0");
	CHECK_EQ(err.code, 0);
}

TEST(ftrace_puts_back)
{
	char dir[] = "/tmp/perf-ftrace.XXXXXX";
	struct ftrace f, g;
	struct err err = ERR_INIT;
	struct os os;

	CHECK(mkdtemp(dir));
	tree(&os, dir);
	change(&f, &os);
	CHECK_EQ(ftrace_open(&g, &os, "function", no_needs, &err), -EBUSY);
	CHECK_STR(err.msg, "another perf ftrace uses the kernel's tracer");
	CHECK_EQ(ftrace_close(&f, &err), 0);
	is_as_before(&os);
	CHECK_EQ(ftrace_close(&f, NULL), 0);
	err_release(&err);
	os_release(&os);
}

TEST(ftrace_puts_back_what_a_killed_one_left)
{
	char dir[] = "/tmp/perf-ftrace.XXXXXX";
	struct ftrace f = { .os = NULL };
	struct os os;
	pid_t pid;

	CHECK(mkdtemp(dir));
	tree(&os, dir);
	pid = fork();
	if (!pid) {
		change(&f, &os);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	holds(&os, "current_tracer", "function_graph\n");
	CHECK_EQ(ftrace_open(&f, &os, "function", no_needs, NULL), 0);
	holds(&os, "current_tracer", "nop");
	CHECK_EQ(ftrace_close(&f, NULL), 0);
	is_as_before(&os);
	os_release(&os);
}

TEST(ftrace_says_what_stands_in_its_way)
{
	char dir[] = "/tmp/perf-ftrace.XXXXXX";
	struct ftrace f;
	struct err err = ERR_INIT;
	struct os os;

	CHECK(mkdtemp(dir));
	tree(&os, dir);
	put(dir, "current_tracer", "blk\n");
	CHECK_EQ(ftrace_open(&f, &os, "function", no_needs, &err), -EBUSY);
	CHECK_STR(err.msg, "the kernel's tracer is in use: current_tracer is 'blk'");
	holds(&os, "current_tracer", "blk\n");
	put(dir, "available_tracers", "function nop\n");
	CHECK_EQ(ftrace_open(&f, &os, "function_graph", no_needs, &err), -ENOTSUP);
	CHECK_STR(err.msg, "this kernel has no tracer 'function_graph'");
	CHECK(strstr(err.hint, "CONFIG_FUNCTION_GRAPH_TRACER=y"));
	err_release(&err);
	os_release(&os);
}

TEST(ftrace_removes_instances_of_the_dead)
{
	char dir[] = "/tmp/perf-ftrace.XXXXXX";
	char *stale, *other;
	struct ftrace f;
	struct os os;

	CHECK(mkdtemp(dir));
	tree(&os, dir);
	stale = xasprintf("%s/tracing/instances", dir);
	CHECK_EQ(mkdir(stale, 0700), 0);
	free(stale);
	stale = xasprintf("%s/tracing/instances/perf-ftrace-4000000", dir);
	other = xasprintf("%s/tracing/instances/mine", dir);
	CHECK_EQ(mkdir(stale, 0700) | mkdir(other, 0700), 0);
	CHECK_EQ(ftrace_open(&f, &os, "function", no_needs, NULL), 0);
	CHECK(access(stale, F_OK) && !access(other, F_OK));
	CHECK(f.main);		/* a made instance has no tracers */
	CHECK_EQ(ftrace_close(&f, NULL), 0);
	holds(&os, "current_tracer", "nop\n");
	holds(&os, "set_ftrace_filter", "vfs_read\nvfs_write\n");
	free(stale);
	free(other);
	os_release(&os);
}
