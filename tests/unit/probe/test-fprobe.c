// SPDX-License-Identifier: GPL-2.0-or-later
// Fprobe events on a made tracefs, with the lines of README that Linux 6.12 has.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/probe/probe.h"

static const char readme[] =
	"  dynamic_events\t\t- Create/append/remove/show the generic dynamic events\n"
	"\t\t\t  Write into this file to define/undefine new trace events.\n"
	"\t  accepts: event-definitions (one definition per line)\n"
	"\t   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
	"\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
	"\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
	"\t           t[:[<group>/][<event>]] <tracepoint> [<args>]\n";
static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 T first\n"
	"ffffffff81000200 T second\n"
	"ffffffff81000300 t twice\n"
	"ffffffff81000400 t twice\n"
	"ffffffff81000500 T end\n";

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
	free(path);
}

static void tree(struct os *os, const char *dir)
{
	static const char *const dirs[] = { "proc", "sys", "tracing", "tracing/events" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s/%s", dir, dirs[i]);

		CHECK(!mkdir(path, 0700));
		free(path);
	}
	put(dir, "proc/kallsyms", kallsyms);
	put(dir, "tracing/README", readme);
	put(dir, "tracing/dynamic_events", "");
	os_init_root(os, dir);
	CHECK(!os_tracefs(os, NULL));
}

/* The definition of a specification for the kernel of the tree. */
static int define(const struct os *os, const char *text, probe_defs *defs)
{
	struct probe_opts o = { .os = os };
	struct probe_obj *p = probe_open_kernel(&o, NULL, NULL);
	struct probe_spec s;
	probe_notes notes = { 0 };
	int ret;

	CHECK(p && !probe_spec_parse(text, &s, NULL));
	ret = probe_resolve(p, &s, 0, defs, &notes, NULL);
	probe_notes_release(&notes);
	probe_spec_release(&s);
	probe_close(p);
	return ret;
}

static void has_text(const struct probe_def *d, const char *want)
{
	struct str s = STR_INIT;

	probe_def_text(d, &s);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
}

static void becomes(const struct os *os, const char *arch, const char *text, const char *line)
{
	probe_defs defs = { 0 };

	CHECK(!define(os, text, &defs));
	CHECK_EQ(defs.n, 1);
	CHECK(!probe_def_to_fprobe(&defs.v[0], arch, NULL));
	has_text(&defs.v[0], line);
	CHECK(!probe_def_to_fprobe(&defs.v[0], arch, NULL));
	has_text(&defs.v[0], line);
	probe_defs_release(&defs);
}

static void refused(const struct os *os, const char *text, const char *word)
{
	probe_defs defs = { 0 };
	struct err err = ERR_INIT;

	CHECK(!define(os, text, &defs));
	CHECK_EQ(probe_def_to_fprobe(&defs.v[0], "x86_64", &err), -EINVAL);
	CHECK(strstr(err.msg, word) && err.hint);
	CHECK(!defs.v[0].fprobe);
	err_release(&err);
	probe_defs_release(&defs);
}

TEST(lines)
{
	struct os os;

	tree(&os, unit_tmpdir());
	becomes(&os, "x86_64", "first", "f:probe/first first");
	becomes(&os, "x86_64", "e=second%return r=$retval:s64",
		"f:probe/e__return second%return r=$retval:s64");
	becomes(&os, "x86_64", "g:e=first a=%di b=+8(+0(%si)):u32 c=$arg3:string d=%r9:x8",
		"f:g/e first a=$arg1 b=+8(+0($arg2)):u32 c=$arg3:string d=$arg6:x8");
	becomes(&os, "aarch64", "first a=%x0 b=%x7", "f:probe/first first a=$arg1 b=$arg8");
	os_release(&os);
}

TEST(refusals)
{
	struct os os;

	tree(&os, unit_tmpdir());
	refused(&os, "first+4", "first+4' is not an entry or return");
	refused(&os, "first a=%bx", "%bx cannot be read");
	refused(&os, "first%return a=%di", "%di cannot be read");
	os_release(&os);
}

TEST(chosen)
{
	const char *dir = unit_tmpdir();
	struct os os;

	tree(&os, dir);
	CHECK(probe_has_fprobe(&os) && probe_needs_fprobe(&os) && !probe_writable(&os, true, NULL));
	put(dir, "tracing/kprobe_events", "");
	CHECK(probe_has_fprobe(&os) && !probe_needs_fprobe(&os));
	put(dir, "tracing/README", "  dynamic_events\t\t- Create\n\t   Format: "
				   "p[:[<group>/][<event>]] <place> [<args>]\n");
	CHECK(!probe_has_fprobe(&os) && !probe_needs_fprobe(&os));
	os_release(&os);
}

/* What is written stands in dynamic_events, is read back from there, and goes from there; other
 * kinds there are others' business. */
TEST(written_read_deleted)
{
	const char *dir = unit_tmpdir();
	struct os os;
	probe_defs defs = { 0 };
	probe_events have = { 0 };
	struct str s = STR_INIT;

	tree(&os, dir);
	CHECK(!define(&os, "first a=%di", &defs) &&
	      !probe_def_to_fprobe(&defs.v[0], "x86_64", NULL));
	CHECK(!probe_events_add(&os, &defs, NULL, NULL));
	CHECK(!os_read_file(&os, "tracing:dynamic_events", &s, NULL));
	CHECK_STR(str_cstr(&s), "f:probe/first first a=$arg1\n");
	put(dir, "tracing/dynamic_events", "p:probe/kp second+0\nf:probe/in first "
					   "a=$arg1\nf8:probe/out second%return r=$retval\n"
	    "t:probe/tp sched_switch\ns:synth u32 x\n");
	CHECK(!probe_events_read(&os, &have, NULL));
	CHECK_EQ(have.n, 2);
	CHECK_STR(have.v[0].event, "in");
	CHECK_EQ(have.v[0].args.n, 1);
	CHECK_STR(have.v[0].args.v[0].name, "a");
	CHECK_STR(have.v[0].args.v[0].base, "$arg1");
	CHECK(have.v[0].fprobe && have.v[0].kernel && !have.v[0].ret);
	CHECK_STR(have.v[1].place, "second%return");
	CHECK(have.v[1].fprobe && have.v[1].ret);
	put(dir, "tracing/dynamic_events", "");
	CHECK(!probe_event_del(&os, &have.v[1], NULL));
	str_reset(&s);
	CHECK(!os_read_file(&os, "tracing:dynamic_events", &s, NULL));
	CHECK_STR(str_cstr(&s), "-:probe/out\n");
	str_release(&s);
	probe_events_release(&have);
	probe_defs_release(&defs);
	os_release(&os);
}
