// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/cli/config.h"
#include "util/cli/options.h"

static int parse(struct config *c, const char *text, struct err *err)
{
	*c = (struct config){ .items = { NULL, 0, 0 } };
	return config_parse(c, text, "f", err);
}

TEST(sections_and_values)
{
	struct config c;
	struct err err = ERR_INIT;

	CHECK_EQ(parse(&c, "# comment\n[Report]\n\tsort = comm,dso  ; why\npercent-limit=5\n  "
			   "children\n"
			   "[colors \"Sub.Name\"] top = \" red \" , blue\nlong = a\\\nb\\t\\\"\n",
			   &err), 0);
	CHECK_STR(config_get(&c, "report.sort"), "comm,dso");
	CHECK_STR(config_get(&c, "REPORT.SORT"), "comm,dso");
	CHECK_STR(config_get(&c, "report.percent-limit"), "5");
	CHECK_STR(config_get(&c, "report.children"), "true");
	CHECK_STR(config_get(&c, "colors.Sub.Name.top"), " red  , blue");
	CHECK_STR(config_get(&c, "colors.Sub.Name.long"), "ab\t\"");
	CHECK(!config_get(&c, "colors.sub.name.top"));
	CHECK(!config_get(&c, "report.nosuch"));
	CHECK(!config_get(&c, "nosuch"));
	CHECK_EQ(c.items.n, 5);
	CHECK_EQ(c.items.v[4].line, 7);
	config_release(&c);
}

TEST(the_last_value_wins)
{
	struct config c;
	struct err err = ERR_INIT;

	CHECK_EQ(parse(&c, "[a]\nx = 1\nx = 2\n", &err), 0);
	CHECK_EQ(config_parse(&c, "[A]\nX = 3", "g", &err), 0);
	CHECK_STR(config_get(&c, "a.x"), "3");
	CHECK_STR(c.items.v[2].file, "g");
	config_release(&c);
}

TEST(typed_values)
{
	struct config c;
	struct err err = ERR_INIT;
	bool b;
	int i;

	CHECK_EQ(parse(&c, "[a]\nyes = On\nno = 0\nint = -3\nother = 16k\nbad = maybe\n", &err), 0);
	CHECK_EQ(config_get_bool(&c, "a.yes", false, &b, &err), 0);
	CHECK(b);
	CHECK_EQ(config_get_bool(&c, "a.no", true, &b, &err), 0);
	CHECK(!b);
	CHECK_EQ(config_get_bool(&c, "a.unset", true, &b, &err), 0);
	CHECK(b);
	CHECK_EQ(config_get_int(&c, "a.int", 7, &i, &err), 0);
	CHECK_EQ(i, -3);
	CHECK_EQ(config_get_bool(&c, "a.bad", false, &b, &err), -EINVAL);
	CHECK_STR(err.msg, "bad value 'maybe' of 'a.bad' at line 6 of 'f': neither true nor false");
	CHECK_EQ(config_get_int(&c, "a.bad", 7, &i, &err), -EINVAL);
	CHECK_EQ(i, 7);
	err_release(&err);
	config_release(&c);
}

TEST(errors_name_the_line)
{
	static const struct { const char *text; int line; } bad[] = {
		{ "x = 1\n", 1 }, { "[a\nx = 1\n", 1 }, { "[a]\nx 1\n", 2 },
			{ "[a]\n\n\n= 1\n", 4 }, { "[]\n", 1 },
		{ "[a]\nx = \"open\ny = 2\n", 2 }, { "[a]\nx = \\q\n", 2 }, { "[a \"b]\n", 1 },
		{ "[a]\nx = 1\\\n2\n%\n", 4 },
		{ "[a]\nx = \\", 2 }, { "[a \"\\", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct config c;
		struct err err = ERR_INIT;
		char want[64];

		CHECK_EQ(parse(&c, bad[i].text, &err), -EINVAL);
		snprintf(want, sizeof(want), "bad config line %d in 'f': ", bad[i].line);
		if (!str_has_prefix(err.msg, want))
			CHECK_STR(err.msg, want);
		err_release(&err);
		config_release(&c);
	}
}

static void check_edit(const char *text, const char *name, const char *value, const char *want)
{
	struct str out = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_EQ(config_edit(text, name, value, &out, &err), 0);
	CHECK_STR(str_cstr(&out), want);
	str_release(&out);
}

TEST(editing_keeps_the_rest)
{
	struct str out = STR_INIT;
	struct err err = ERR_INIT;

	check_edit("", "a.b", "1", "[a]\n\tb = 1\n");
	check_edit("", "a.sub.b", "x # y", "[a \"sub\"]\n\tb = \"x # y\"\n");
	check_edit("# c\n[a]\n\tb = 1 ; old\n\tc = 2\n[z]\nq\n", "a.b", "5",
		   "# c\n[a]\n\tb = 5\n\tc = 2\n[z]\nq\n");
	check_edit("[a]\n\tc = 2\n[z]\nq\n", "a.b", "5", "[a]\n\tc = 2\n\tb = 5\n[z]\nq\n");
	check_edit("[a]\nb = 1\\\n2\nc = 3\n", "a.b", "4", "[a]\n\tb = 4\nc = 3\n");
	check_edit("[a]\nb = 1\nc = 2\n", "a.b", NULL, "[a]\nc = 2\n");
	check_edit("[a]\nb = 1", "a.c", "2", "[a]\nb = 1\n\tc = 2\n");
	check_edit("[a] ; c\n\n# z\n[z]\nq\n", "a.b", "5", "[a] ; c\n\tb = 5\n\n# z\n[z]\nq\n");
	CHECK_EQ(config_edit("[a]\nb = 1\n", "a.x", NULL, &out, &err), -ENOENT);
	CHECK_EQ(config_edit("[a]\nb = 1\n", "nodot", "1", &out, &err), -EINVAL);
	CHECK_EQ(config_edit("[a]\nb = 1\n", "a.b c", "1", &out, &err), -EINVAL);
	CHECK_EQ(config_edit("[a]\nb = 1\n", "a b.c", "1", &out, &err), -EINVAL);
	err_release(&err);
	str_release(&out);
}

TEST(editing_follows_the_parser)
{
	/* on a section's own line */
	check_edit("[z]x=4\n[y]\n", "z.x", "5", "[z]\n\tx = 5\n[y]\n");
	check_edit("[z]\nq\n[z] x=4\\\n", "z.x", "5", "[z]\nq\n[z]\n\tx = 5\n");
	check_edit("[z]x=4\ny\n", "z.x", NULL, "[z]\ny\n");
	check_edit("[z]x=4 # c\n[y]\n", "z.w", "5", "[z]x=4 # c\n\tw = 5\n[y]\n");
	check_edit("[z] [y]\nq\n", "z.x", "5", "[z]\n\tx = 5\n [y]\nq\n");
	check_edit("[z]x\n[y][z]x\n", "z.x", "5", "[z]\n\tx = 5\n[y][z]\n");
	/* a value that goes on at the end of the file */
	check_edit("[z]\nx=4\\\n", "z.y", "5", "[z]\nx=4\\\n\n\ty = 5\n");
	check_edit("[z]\nx=4\\\n", "a.y", "5", "[z]\nx=4\\\n\n[a]\n\ty = 5\n");
	/* subsections differ by case, sections and keys do not */
	check_edit("[c \"Up\"]\nx = 1\n", "C.Up.X", "5", "[c \"Up\"]\n\tX = 5\n");
	check_edit("[c \"Up\"]\nx = 1\n", "c.up.x", "5",
		   "[c \"Up\"]\nx = 1\n[c \"up\"]\n\tx = 5\n");
	check_edit("", "c.a]b.x", "5", "[c \"a]b\"]\n\tx = 5\n");
}

TEST(which_files)
{
	struct config c = { .items = { NULL, 0, 0 } };
	struct err err = ERR_INIT;
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cfg", unit_tmpdir());
	f = fopen(path, "w");
	CHECK(f);
	fputs("[x]\ny = 1\n", f);
	fclose(f);
	setenv("PERF_CONFIG", path, 1);
	CHECK_EQ(config_load(&c, &err), 0);
	CHECK_STR(config_get(&c, "x.y"), "1");
	config_release(&c);
	setenv("PERF_CONFIG", "/nonexistent/cfg", 1);
	CHECK_EQ(config_load(&c, &err), -ENOENT);
	CHECK(strstr(err.msg, "/nonexistent/cfg"));
	err_release(&err);
	config_release(&c);
}

struct foo {
	bool children, raw, inline_off;
	int depth, mode;
	const char *sort, *graph;
	u64 size;
};

static const struct option_def foo_options[] = {
	OPT_FLAG(0, "children", struct foo, children, "x"),
	OPT_FLAG(0, "raw", struct foo, raw, "x"),
	OPT_FLAG(0, "no-inline", struct foo, inline_off, "x"),
	OPT_INT(0, "max-stack", struct foo, depth, "n", "x"),
	OPT_STRING('s', "sort", struct foo, sort, "key", "x"),
	OPT_STRING_OPTARG('g', "call-graph", struct foo, graph, "mode", "fp", "x"),
	OPT_CHOICE(0, "mode", struct foo, mode, "one|two", "x"),
	OPT_SIZE(0, "size", struct foo, size, "bytes", "x"),
	OPT_SETTING_FIELD("report.sort-order", OPT_KIND_STRING, struct foo, sort, "key"),
	OPT_END
};

/* Runs "foo words..." with this configuration file; the result of cli_parse(). */
static int run_foo(const char *text, struct foo *o, int argc, const char **argv)
{
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { foo_options, o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "report", .usage = usage, .tables = tables };
	char path[300];
	struct err err = ERR_INIT;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cfg", unit_tmpdir());
	f = fopen(path, "w");
	CHECK(f);
	fputs(text, f);
	fclose(f);
	setenv("PERF_CONFIG", path, 1);
	return config_start(&err) < 0 ? -EINVAL : cli_parse(&cmd, argc, argv);
}

TEST(settings_are_defaults_of_options)
{
	struct foo o = { .children = true };
	const char *argv[] = { "report", "--raw", "--max-stack", "7", NULL };

	CHECK_EQ(run_foo("[report]\nchildren = false\nmax-stack = 3\nsort_order = comm\nunknown = "
			 "1\ncall-graph\nmode = tw\n"
			 "size=4k\nno_inline\n[other]\nsort = x\nraw = maybe\n", &o, 4, argv), 0);
	CHECK(!o.children);
	CHECK(o.raw);
	CHECK(o.inline_off);
	CHECK_EQ(o.depth, 7);
	CHECK_STR(o.sort, "comm");
	CHECK_STR(o.graph, "fp");
	CHECK_EQ(o.mode, 1);
	CHECK_EQ(o.size, 4096);
	config_stop();
}

TEST(a_bad_default_is_an_error)
{
	static const char *const bad[] = { "[report]\nchildren = maybe\n",
					   "[report]\nmax-stack = x\n",
					   "[report]\nmode = three\n" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct foo o = { false };
		const char *argv[] = { "report", NULL };

		CHECK(freopen("/dev/null", "w", stderr));
		CHECK_EQ(run_foo(bad[i], &o, 1, argv), CLI_DONE(129));
		config_stop();
	}
}
