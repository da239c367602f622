// SPDX-License-Identifier: GPL-2.0-or-later
// perf archive: the binaries of a recording, by build-id, for another machine.
#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/cli/recording.h"
#include "util/data/reader.h"
#include "util/symbols/buildid-cache.h"

extern char **environ;

struct archive_opts {
	bool all, unpack, force;
	const char *exclude;
};

struct archive {
	const struct archive_opts *o;
	struct os os;
	struct symbols_opts symbols;
	struct dso_store *store;
	char *cache;		/* NULL: none */
	char dir[64];		/* being filled */
	struct str excluded;
	size_t n_files, n_missing;
};

/* Runs a program; its failure is an error with its status. */
static int run(const char *const *argv, struct err *err)
{
	pid_t pid;
	int status, ret = posix_spawnp(&pid, argv[0], NULL, NULL, (char **)(uintptr_t)argv, environ);

	if (ret) {
		err_sys(err, ret, "cannot run '%s'", argv[0]);
		err_hint(err, "install the package %s", argv[0]);
		return -ret;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? err_set(err, EIO, "'%s' failed", argv[0]) : 0;
}

static void remove_dir(const char *dir)
{
	const char *const rm[] = { "rm", "-rf", "--", dir, NULL };

	if (dir[0])
		run(rm, NULL);
}

static int tar(const char *dir, const char *out, const char *what, const char *more, struct err *err)
{
	const char *const argv[] = { "tar", "-C", dir, "-cjf", out, what, more, NULL };

	return run(argv, err);
}

static int untar(const char *file, const char *dir, struct err *err)
{
	const char *const argv[] = { "tar", "-C", dir, "-xjf", file, NULL };

	return run(argv, err);
}

/* What the cache has of it. */
static bool add_cached(struct archive *a, const struct build_id *id, const char *name)
{
	static const char *const names[] = { "elf", "kallsyms", "vdso" };
	static const enum buildid_kind kinds[] = { BUILDID_ELF, BUILDID_KALLSYMS, BUILDID_VDSO };
	bool added = false;

	for (size_t i = 0; a->cache && i < ARRAY_SIZE(names); i++) {
		struct str hex = STR_INIT, file = STR_INIT;

		build_id_add(&hex, id);
		str_addf(&file, "%s/.build-id/%.2s/", a->cache, str_cstr(&hex));
		str_addn(&file, str_cstr(&hex) + MIN(hex.len, (size_t)2), hex.len - MIN(hex.len, (size_t)2));
		str_addf(&file, "/%s", names[i]);
		if (access(str_cstr(&file), R_OK) == 0 &&
		    !buildid_cache_add(a->dir, id, name, str_cstr(&file), kinds[i], NULL))
			added = true;
		str_release(&file);
		str_release(&hex);
	}
	return added;
}

static bool add_kernel(struct archive *a, const struct build_id *id, const char *name)
{
	struct build_id now;

	if (build_id_of_kernel(&a->os, &now, NULL) || !build_id_equal(&now, id))
		return false;
	return buildid_cache_add(a->dir, id, name, "/proc/kallsyms", BUILDID_KALLSYMS, NULL) == 0;
}

/* Only a file that has this build-id: the store sees to that. */
static bool add_file(struct archive *a, const struct build_id *id, const char *name)
{
	struct dso_key k = { .kind = DSO_FILE, .path = name, .id = *id };
	const char *file = dso_file(dso_get(a->store, &k));

	return file && buildid_cache_add(a->dir, id, name, file, BUILDID_ELF, NULL) == 0;
}

static bool is_excluded(const struct archive *a, const struct build_id *id)
{
	struct str hex = STR_INIT;

	build_id_add(&hex, id);
	bool yes = a->excluded.len && strstr(str_cstr(&a->excluded), str_cstr(&hex));

	str_release(&hex);
	return yes;
}

static void add_one(struct archive *a, const struct build_id *id, const char *name)
{
	bool ok;

	if (id->n < 2 || is_excluded(a, id))
		return;
	if (add_cached(a, id, name))
		ok = true;
	else if (!strncmp(name, "[kernel.", 8))
		ok = add_kernel(a, id, name);
	else if (!strncmp(name, "[vdso]", 6))
		ok = buildid_cache_add_vdso(a->dir, NULL) == 0 && buildid_cache_has(a->dir, id);
	else
		ok = add_file(a, id, name);
	if (ok) {
		a->n_files++;
	} else {
		struct str s = STR_INIT;

		str_add_safe(&s, name);
		cli_warn("'%s' is not in the archive: no file with its build-id was found", str_cstr(&s));
		str_release(&s);
		a->n_missing++;
	}
}

static int fill(struct archive *a, const char *input, struct err *err)
{
	struct data_reader r;
	int ret = data_open(&r, input, a->o->force ? DATA_FORCE : 0, err);

	for vec_each(b, &r.feat.build_ids) {
		struct build_id id = { .n = MIN(b->bytes, sizeof(id.bytes)) };

		memcpy(id.bytes, b->id, id.n);
		add_one(a, &id, b->path);
	}
	if (!ret && !a->n_files) {
		ret = err_set(err, ENOENT, a->n_missing ? "no file of '%s' was found" : "no build-ids found in '%s'", input);
		err_hint(err, "perf record writes them unless -B is given; perf buildid-list shows them");
	}
	data_close(&r);
	return ret;
}

/* perf.all-HOST-TIME.tar.bz2: the recording and the archive of its files. */
static int pack_all(struct archive *a, const char *input, const char *symbols, struct err *err)
{
	char host[65] = "", when[32], *out, *copy, *inner = xasprintf("%s/perf.symbols.tar.bz2", a->dir);
	time_t now = time(NULL);
	struct tm tm;
	int ret;

	gethostname(host, sizeof(host) - 1);
	for (char *p = host; *p; p++)
		if (*p == '/')
			*p = '_';
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	out = xasprintf("perf.all-%s-%s.tar.bz2", host[0] ? host : "localhost", when);
	copy = xasprintf("%s/perf.data", a->dir);

	const char *const mv[] = { "mv", "--", symbols, inner, NULL }, *const cp[] = { "cp", "--", input, copy, NULL };

	ret = run(mv, err);
	if (!ret)
		ret = run(cp, err);
	if (!ret)
		ret = tar(a->dir, out, "perf.data", "perf.symbols.tar.bz2", err);
	if (!ret)
		printf("Now please run:\n\n$ perf archive --unpack %s\n\nwherever you need to run 'perf report' on.\n", out);
	free(inner);
	free(copy);
	free(out);
	return ret;
}

static int pack(const struct archive_opts *o, const char *input, struct err *err)
{
	struct archive a = { .o = o, .dir = "/tmp/.perf-archive-XXXXXX" };
	char *out = xasprintf("%s.tar.bz2", input);
	int ret = 0;

	if (!mkdtemp(a.dir)) {
		ret = err_sys(err, errno, "cannot make a directory in /tmp");
		a.dir[0] = 0;
	}
	if (!ret && o->exclude)
		ret = io_read_file(o->exclude, 64 << 20, &a.excluded, err);
	os_init(&a.os);
	a.store = dso_store_new(&a.os, &a.symbols);
	a.cache = buildid_cache_default_dir();
	if (!ret)
		ret = fill(&a, input, err);
	if (!ret)
		ret = tar(a.dir, out, ".", NULL, err);
	if (!ret && o->all)
		ret = pack_all(&a, input, out, err);
	else if (!ret)
		printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\nwherever you need to run 'perf report' on.\n", out);
	remove_dir(a.dir);
	dso_store_free(a.store);
	os_release(&a.os);
	str_release(&a.excluded);
	free(a.cache);
	free(out);
	return ret;
}

/* The newest archive of the current directory; the caller frees. */
static char *find_archive(void)
{
	glob_t g = { 0 };
	char *found = NULL;

	/* the time is part of the name, so the last one of a host is the newest */
	if (glob("perf.all-*.tar.bz2", 0, NULL, &g) == 0)
		found = xstrdup(g.gl_pathv[g.gl_pathc - 1]);
	globfree(&g);
	if (!found && access("perf.data.tar.bz2", R_OK) == 0)
		found = xstrdup("perf.data.tar.bz2");
	return found;
}

static int unpack(const char *file, struct err *err)
{
	char *found = file ? xstrdup(file) : find_archive(), *cache = buildid_cache_default_dir(), *inner = NULL, *data = NULL;
	char dir[64] = "/tmp/.perf-archive-XXXXXX";
	int ret = 0;

	if (!found) {
		dir[0] = 0;
		ret = err_set(err, ENOENT, "no archive is named, and there is no perf.all-*.tar.bz2 here");
	} else if (!cache || !mkdtemp(dir)) {
		dir[0] = 0;
		ret = err_sys(err, cache ? errno : ENOENT, "cannot unpack '%s'", found);
	}
	if (!ret)
		ret = untar(found, dir, err);
	if (!ret)
		ret = io_mkdirs(cache, err);
	if (!ret) {
		inner = xasprintf("%s/perf.symbols.tar.bz2", dir);
		data = xasprintf("%s/perf.data", dir);
		bool all = access(inner, R_OK) == 0;
		const char *const mv[] = { "mv", "-n", "--", data, "perf.data", NULL };

		ret = untar(all ? inner : found, cache, err);
		if (!ret && all && access("perf.data", F_OK) == 0)
			ret = err_set(err, EEXIST, "'perf.data' exists: the recording was not unpacked, its files were");
		else if (!ret && all)
			ret = run(mv, err);
	}
	remove_dir(dir);
	free(data);
	free(inner);
	free(cache);
	free(found);
	return ret;
}

static const struct option_def archive_options[] = {
	OPT_FLAG(0, "all", struct archive_opts, all, "one archive with the recording, too: perf.all-HOST-TIME.tar.bz2"),
	OPT_FLAG(0, "unpack", struct archive_opts, unpack, "unpack an archive into the build-id cache, and the recording here"),
	OPT_STRING(0, "exclude-buildids", struct archive_opts, exclude, "file", "leave out the build-ids that this file lists"),
	OPT_FLAG('f', "force", struct archive_opts, force, "don't complain about the owner of the recording"),
	OPT_END
};

int cmd_archive(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<file>]", "--unpack [<archive>]", NULL };
	struct archive_opts o = { .all = false };
	const struct option_table tables[] = { { archive_options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "archive", .usage = usage, .tables = tables };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n > 1)
		return cli_usage_error(&cmd, "'%s': one file at a time", argv[1]);
	ret = o.unpack ? unpack(n ? argv[0] : NULL, &err) : pack(&o, n ? argv[0] : "perf.data", &err);
	if (ret)
		ret = cli_error(&err);
	err_release(&err);
	return ret;
}
