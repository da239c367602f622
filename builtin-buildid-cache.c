// SPDX-License-Identifier: GPL-2.0-or-later
// perf buildid-cache: files kept by build-id, so that recordings can be read after the files
// were replaced.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/os/procfs.h"
#include "util/session/session.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/buildid-table.h"
#include "util/symbols/debuginfod.h"
#include "util/symbols/kcore-copy.h"
#include "util/view/buildid-text.h"

struct cache_opts {
	opt_list add, remove, purge, update, kcore;
	const char *missing;
	bool purge_all, list, force;
	int verbose, target_ns;
	char *dir;
	struct symbols_opts servers;	/* of --debuginfod */
	struct fetcher *fetcher;
	struct table_output output;
};

static void say(const struct cache_opts *o, const char *what, const struct build_id *id,
		const char *path)
{
	struct str s = STR_INIT;

	if (!o->verbose)
		return;
	str_add(&s, what);
	if (id) {
		str_addch(&s, ' ');
		build_id_add(&s, id);
	}
	str_addch(&s, ' ');
	str_add_safe(&s, path);
	puts(str_cstr(&s));
	str_release(&s);
}

/* As that process sees it. */
static char *seen_path(const struct cache_opts *o, const char *file)
{
	return o->target_ns > 0 ? procfs_root_name(o->target_ns, file) : xstrdup(file);
}

static int add_one(const struct cache_opts *o, const char *file, struct err *err)
{
	char *path = seen_path(o, file);
	struct build_id id;
	int ret = build_id_of_file(path, &id, err);

	if (!ret)
		ret = buildid_cache_add(o->dir, &id, o->target_ns > 0 ? file : NULL, path,
					BUILDID_ELF, err);
	if (!ret)
		say(o, "Added", &id, file);
	if (!ret && o->fetcher && debuginfod_keep(o->fetcher, o->dir, &id))
		say(o, "Added the debug file of", &id, file);
	free(path);
	return ret;
}

static int add_kcore(const struct cache_opts *o, const char *file, struct err *err)
{
	struct os os;
	struct build_id id;
	char *where = NULL;
	int ret;

	os_init(&os);
	ret = kcore_build_id(&os, file, &id, err);
	if (!ret)
		ret = buildid_cache_add_kcore(o->dir, &id, file, &where, err);
	if (ret >= 0)
		say(o, ret ? "The same kcore is in" : "Added kcore", NULL, where);
	free(where);
	os_release(&os);
	return ret < 0 ? ret : 0;
}

static int remove_one(const struct cache_opts *o, const char *file, struct err *err)
{
	char *path = seen_path(o, file);
	struct build_id id;
	int ret = build_id_of_file(path, &id, err);

	if (!ret && !buildid_cache_lists(o->dir, &id))
		ret = err_set(err, ENOENT, "'%s' is not in the cache %s", file, o->dir);
	if (!ret)
		ret = buildid_cache_remove(o->dir, &id, err);
	if (!ret)
		say(o, "Removed", &id, file);
	free(path);
	return ret;
}

/* Replaces what is cached under exactly this build-id. */
static int update_one(const struct cache_opts *o, const char *file, struct err *err)
{
	char *path = seen_path(o, file);
	struct build_id id;
	int ret = build_id_of_file(path, &id, err);

	if (!ret)
		ret = buildid_cache_remove(o->dir, &id, err);
	free(path);
	return ret ? ret : add_one(o, file, err);
}

/* All builds that were cached under this path; file NULL: the whole cache. */
static int purge(const struct cache_opts *o, const char *file, struct err *err)
{
	char *real = file ? realpath(file, NULL) : NULL;
	buildid_entries all = { 0 };
	int ret = buildid_cache_list(o->dir, &all, err);
	size_t n = 0;

	for vec_each(e, &all) {
		if (ret || (file && strcmp(e->path, file) && (!real || strcmp(e->path, real))))
			continue;
		ret = buildid_cache_remove(o->dir, &e->id, err);
		if (!ret)
			say(o, "Removed", &e->id, e->path);
		n++;
	}
	if (!ret && !n && file)
		ret = err_set(err, ENOENT, "'%s' is not in the cache %s", file, o->dir);
	buildid_entries_release(&all);
	free(real);
	return ret;
}

static void put(const struct cache_opts *o, const struct table *t, bool whole)
{
	struct str out = STR_INIT;

	buildid_show(&out, t, &o->output, whole);
	fputs(str_cstr(&out), stdout);
	str_release(&out);
}

static int list(const struct cache_opts *o, struct err *err)
{
	buildid_entries all = { 0 };
	struct table t = { 0 };
	int ret = buildid_cache_list(o->dir, &all, err);

	buildid_table_begin(&t);
	for vec_each(e, &all)
		buildid_table_add(&t, e->id.bytes, e->id.n, e->path);
	put(o, &t, !ret);
	table_release(&t);
	buildid_entries_release(&all);
	return ret;
}

/* The exit status. */
static int missing(const struct cache_opts *o)
{
	struct session session = { 0 };
	struct table t = { 0 };
	int ret = session_open(&session, &(struct session_opts){ .path = o->missing,
								 .force = o->force });

	buildid_table_begin(&t);
	for vec_each(b, &session.source->env->build_ids) {
		struct build_id id = { .n = MIN(b->bytes, sizeof(id.bytes)) };

		memcpy(id.bytes, b->id, id.n);
		if (id.n >= 2 && !buildid_cache_has(o->dir, &id))
			buildid_table_add(&t, id.bytes, id.n, b->path);
	}
	put(o, &t, !ret);
	table_release(&t);
	return session_close(&session, ret);
}

/* Runs fn for each name of lists of "a,b"; goes on after a failure. */
static int each(const struct cache_opts *o, const opt_list *names,
		int (*fn)(const struct cache_opts *, const char *, struct err *))
{
	int failed = 0;

	for (size_t i = 0; i < names->n; i++) {
		char *text = xstrdup(names->v[i]), *rest = text, *one;

		while ((one = strsep(&rest, ","))) {
			struct err err = ERR_INIT;

			if (one[0] && fn(o, one, &err)) {
				cli_error(&err);
				failed = CLI_FAILED;
			}
			err_release(&err);
		}
		free(text);
	}
	return failed;
}

static int set_debuginfod(const struct opt_use *u, struct err *err UNUSED)
{
	struct cache_opts *o = u->base;

	o->servers.debuginfod_urls = cli_debuginfod_urls(u);
	return 0;
}

static const struct option_def buildid_cache_options[] = {
	OPT_LIST('a', "add", struct cache_opts, add, "file list", "files to add to the cache"),
	OPT_LIST('k', "kcore", struct cache_opts, kcore, "file list",
		 "add the code of a running kernel: /proc/kcore (or a copy with its kallsyms "
		 "and modules)"),
	OPT_LIST('r', "remove", struct cache_opts, remove, "file list",
		 "files to remove: the build that each file is now"),
	OPT_LIST('p', "purge", struct cache_opts, purge, "file list",
		 "paths to remove: all builds that were cached under them"),
	OPT_FLAG('P', "purge-all", struct cache_opts, purge_all, "remove all cached files"),
	OPT_FLAG('l', "list", struct cache_opts, list, "list all cached files"),
	OPT_STRING('M', "missing", struct cache_opts, missing, "file",
		   "list the build-ids of this recording that are not cached"),
	OPT_LIST('u', "update", struct cache_opts, update, "file list",
		 "files to put in the place of the cached ones of the same build-id"),
	OPT_CALL_OPTARG_NO(0, "debuginfod", "urls", NULL, set_debuginfod,
			   "-a and -u add debug files of these servers (default: "
			   "DEBUGINFOD_URLS)"),
	OPT_INT(0, "target-ns", struct cache_opts, target_ns, "pid",
		"look up the named files as this process sees them (of a container)"),
	OPT_FLAG('f', "force", struct cache_opts, force,
		 "read a recording that belongs to another user"),
	OPT_COUNT('v', "verbose", struct cache_opts, verbose, "print what is added and removed"),
	OPT_END
};

static int run(struct cache_opts *o)
{
	struct err err = ERR_INIT;
	int failed = 0, ret = 0;

	o->servers.fetching = cli_show_fetching;
	o->fetcher = o->servers.debuginfod_urls ? fetcher_new(&o->servers) : NULL;
	failed |= each(o, &o->add, add_one);
	failed |= each(o, &o->kcore, add_kcore);
	failed |= each(o, &o->remove, remove_one);
	failed |= each(o, &o->purge, purge);
	failed |= each(o, &o->update, update_one);
	if (o->fetcher)
		fetcher_free(o->fetcher);
	if (o->purge_all)
		ret = purge(o, NULL, &err);
	if (!ret && o->list)
		ret = list(o, &err);
	if (ret)
		failed = cli_error(&err);
	else if (o->missing)
		failed |= missing(o);
	err_release(&err);
	return failed;
}

int cmd_buildid_cache(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct cache_opts o = { .dir = NULL };
	const struct option_table tables[] =
		{ { buildid_cache_options, &o }, cli_output_group(&o.output),
					       session_group(), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "buildid-cache", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': files are named by -a, -k, -r, -p or -u",
				       argv[0]);
	if (!o.add.n && !o.kcore.n && !o.remove.n && !o.purge.n && !o.update.n && !o.purge_all &&
	    !o.list && !o.missing)
		return cli_usage_error(&cmd, "nothing to do: -a adds files, -l lists them");
	o.dir = buildid_cache_default_dir();
	if (!o.dir) {
		struct err err = ERR_INIT;

		err_set(&err, ENOENT, "no place for the cache: neither HOME nor PERF_BUILDID_DIR "
				      "is set, or it is /dev/null (buildid.dir)");
		ret = cli_error(&err);
		err_release(&err);
	} else {
		ret = run(&o);
	}
	vec_free(&o.add);
	vec_free(&o.kcore);
	vec_free(&o.remove);
	vec_free(&o.purge);
	vec_free(&o.update);
	free(o.dir);
	return ret;
}
