// SPDX-License-Identifier: GPL-2.0-or-later
// perf archive: the binaries of a recording in one file, for a report on another machine.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/inject/archive.h"
#include "util/session/session.h"
#include "util/symbols/buildid-cache.h"

struct archive_cmd {
	struct archive_opts a;
	struct cli_common common;
	bool unpack;
};

static const struct option_def archive_options[] = {
	OPT_FLAG(0, "all", struct archive_cmd, a.all,
		 "pack the recording, too, as perf.all-HOST-DATE.tar.bz2"),
	OPT_FLAG(0, "unpack", struct archive_cmd, unpack,
		 "unpack an archive into the build-id cache"),
	OPT_STRING(0, "exclude-buildids", struct archive_cmd, a.exclude, "file",
		   "leave out the build-ids that are in this file"),
	OPT_STRING('i', "input", struct archive_cmd, a.in.input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct archive_cmd, a.in.force,
	     "read a recording that belongs to another user"),
	OPT_END
};

static void say(void *ctx, enum inject_say kind, const char *text)
{
	const struct archive_cmd *c = ctx;
	struct str s = STR_INIT;

	str_add_safe(&s, text);
	if (kind != INJECT_DETAIL)
		cli_warn("%s", text);
	else if (c->common.verbose > 0)
		fprintf(stderr, "%s\n", str_cstr(&s));
	str_release(&s);
}

/* The exit status. */
static int pack(struct archive_cmd *c)
{
	struct archive_result res = { 0 };
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = c->a.in.input,
							   .force = c->a.in.force,
							   .quiet = c->common.quiet });

	c->a.in.stats = &s.counted;
	if (!ret)
		ret = archive_create(&c->a, s.source, &s.os, &res, &s.err);
	if (!ret && !c->common.quiet) {
		printf("%s: %llu binaries packed", res.path, (unsigned long long)res.n_packed);
		if (res.n_missing)
			printf(", %llu missing", (unsigned long long)res.n_missing);
		printf("\nNow please run, where the report is to be made:\n\n$ perf archive "
		       "--unpack %s\n\n"
		       "or\n\n$ tar xvf %s -C ~/.debug\n\n",
		       res.path, res.path);
	}
	archive_result_release(&res);
	return session_close(&s, ret);
}

static int unpack(const struct archive_cmd *c, const char *path, struct err *err)
{
	struct archive_result res = { 0 };
	struct str name = STR_INIT;
	int ret = archive_unpack(path, c->a.cache_dir, &res, err);

	if (!ret && res.n_left_out) {
		str_add_safe(&name, res.left_out);
		cli_warn("%llu entries of the archive are left out: no files, or links out of the "
			 "build-id cache; the first is '%s'",
			 (unsigned long long)res.n_left_out, str_cstr(&name));
	}
	str_release(&name);
	if (!ret && !c->common.quiet)
		printf("%s: unpacked into %s\n", res.path, c->a.cache_dir);
	archive_result_release(&res);
	return ret;
}

static int no_cache(struct err *err)
{
	err_set(err, ENOENT, "there is no build-id cache: HOME is not set");
	err_hint(err, "set HOME, or name the cache: perf --buildid-dir=DIR archive");
	return -ENOENT;
}

int cmd_archive(int argc, const char **argv)
{
	struct archive_cmd c = { .a.in = { .say = say, .say_ctx = &c } };
	const char *const usage[] = { "[<options>] [<perf.data>]", "--unpack [<archive>]", NULL };
	const struct option_table tables[] =
		{ { archive_options, &c }, session_group(), cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "archive", .usage = usage, .tables = tables };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret;
	char *dir;

	if (n < 0)
		return cli_status(n);
	if (n > 1)
		return cli_usage_error(&cmd, "'%s': one file at a time", argv[1]);
	dir = buildid_cache_default_dir();
	c.a.cache_dir = dir;
	if (n && !c.unpack)
		c.a.in.input = argv[0];
	if (!c.a.in.input)
		c.a.in.input = "perf.data";
	if (dir && !c.unpack) {
		ret = pack(&c);
	} else {
		ret = dir ? unpack(&c, n ? argv[0] : NULL, &err) : no_cache(&err);
		if (ret)
			ret = cli_error(&err);
	}
	free(dir);
	err_release(&err);
	return ret;
}
