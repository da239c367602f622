// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/inject/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/inject/inject-priv.h"
#include "util/os/kernel.h"
#include "util/os/run.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/mapped.h"

void archive_result_release(struct archive_result *res)
{
	free(res->path);
	free(res->left_out);
	res->path = res->left_out = NULL;
}

static void say(const struct archive_opts *o, enum inject_say kind, const char *fmt,
		...) PRINTF_LIKE(3, 4);

static void say(const struct archive_opts *o, enum inject_say kind, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	if (o->in.say)
		o->in.say(o->in.say_ctx, kind, str_cstr(&text));
	str_release(&text);
}

/* --- the tar program --- */

static int tar_failed(int status, bool makes, struct err *err)
{
	err_set(err, EIO, "tar failed with status %d", status);
	if (makes)
		err_hint(err, "its reason is above; the archive is written beside the recording, "
			      "that of --all to where you are");
	else
		err_hint(err, "its reason is above, and nothing was unpacked: is the archive "
			      "whole, and has the disk room for it?");
	return -EIO;
}

int archive_run_tar(const char *const *argv, int in_fd, int out_fd, struct err *err)
{
	const struct run_opts o = { .argv = argv, .in_fd = in_fd, .out_fd = out_fd,
				    .dies_with_us = true };
	const int status = run_program(&o, err);
	struct stat st;

	if (status < 0)
		err_hint(err, "install the package tar");
	if (status <= 0)
		return status;
	/* "file changed": somebody else made or removed a hard link to it meanwhile; its
	 * contents are known by its build-id */
	if (out_fd >= 0 && status == 1 && !fstat(out_fd, &st) && st.st_size)
		return 0;
	return tar_failed(status, out_fd >= 0, err);
}

struct packer { const char *option, *ending; };

static struct packer pick_packer(void)
{
	if (run_is_there("bzip2", 5))
		return (struct packer){ "--bzip2", "bz2" };
	if (run_is_there("zstd", 4))
		return (struct packer){ "--zstd", "zst" };
	return (struct packer){ "--gzip", "gz" };
}

/* What tar writes, in path when it is whole. */
static int make(const char *path, const char *const *argv, int in_fd, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };
	struct outfile f;
	int ret = outfile_open(&f, path, &o, err);

	if (ret)
		return ret;
	ret = archive_run_tar(argv, in_fd, f.fd, err);
	if (!ret)
		ret = outfile_commit(&f, err);
	outfile_release(&f);
	return ret;
}

/* The names of list (each ended by a NUL), below dir, into path. What is a hole in a file is
 * none of the archive's bytes. */
static int pack(const char *path, const char *dir, const struct str *list, struct err *err)
{
	const char *const argv[] = { "tar", "--create", pick_packer().option, "--sparse", "--file",
				     "-", "--directory", dir, "--null",
				     "--verbatim-files-from", "--warning=no-file-changed",
				     "--files-from=-", NULL };
	int fd = memfd_create("perf-archive-list", MFD_CLOEXEC), ret;

	if (fd < 0)
		return err_sys(err, errno, "cannot hold the list of files");
	ret = io_write(fd, str_cstr(list), list->len);
	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	ret = ret ? err_sys(err, -ret, "cannot hold the list of files") : make(path, argv, fd, err);
	close(fd);
	return ret;
}

/* --- packing --- */

/* Into the cache, when the file that was recorded can be found. */
static int add_to_cache(const struct archive_opts *o, const struct os *os,
			const struct data_build_id *b, const struct build_id *id,
			struct err *err)
{
	const bool kernel = (b->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	const struct mapped m = { .path = b->path, .pid = -1, .kernel = kernel };
	struct build_id its;
	char *file;
	int ret;

	if (!mapped_build_id(os, &m, &its) || !build_id_equal(&its, id))
		return err_set(err, ENOENT, "it is neither in the build-id cache nor unchanged "
					    "where it was");
	if (str_has_prefix(b->path, "[vdso"))
		return buildid_cache_add_vdso(os, o->cache_dir, b->path, err);
	if (!strcmp(b->path, "[kernel.kallsyms]"))
		return buildid_cache_add(o->cache_dir, id, b->path, OS_KALLSYMS,
					 BUILDID_KALLSYMS, err);
	file = mapped_file(os, &m);
	ret = file ? buildid_cache_add(o->cache_dir, id, b->path, file, BUILDID_ELF, err) :
	      err_set(err, ENOENT, "its file cannot be read");
	free(file);
	return ret;
}

/* The link ".build-id/xx/yyyy" and the directory behind it. */
static int list_entry(const char *dir, const struct build_id *id, struct str *list)
{
	struct str hex = STR_INIT;
	char target[4096], *link, *full;
	ssize_t n;

	build_id_add(&hex, id);
	link = xasprintf(".build-id/%.2s/%s", hex.buf, hex.buf + 2);
	full = xasprintf("%s/%s", dir, link);
	n = readlink(full, target, sizeof(target) - 1);
	if (n > 6 && list->len && memmem(list->buf, list->len, link, strlen(link) + 1)) {
		;	/* what several have in common is packed once */
	} else if (n > 6) {
		target[n] = 0;
		str_addn(list, link, strlen(link) + 1);
		if (str_has_prefix(target, "../../"))
			str_addn(list, target + 6, (size_t)n - 6 + 1);
		else
			n = -1;
	}
	free(full);
	free(link);
	str_release(&hex);
	return n > 6 ? 0 : -ENOENT;
}

static bool is_excluded(const struct str *exclude, const struct build_id *id)
{
	struct str hex = STR_INIT;
	bool found;

	build_id_add(&hex, id);
	found = strstr(str_cstr(exclude), str_cstr(&hex)) != NULL;
	str_release(&hex);
	return found;
}

/* Then the next one will not fit either. */
static bool has_no_room(int ret) { return ret == -ENOSPC || ret == -EDQUOT || ret == -EROFS; }

/* What cannot be had is warned of and counted. */
static int list_binary(const struct archive_opts *o, const struct os *os,
		       const struct data_build_id *b, const struct build_id *id,
		       struct str *list, struct archive_result *res, struct err *err)
{
	struct err reason = ERR_INIT;
	struct build_id shared = { .n = 0 };
	int ret = buildid_cache_has(o->cache_dir, id) ? 0 : add_to_cache(o, os, b, id, &reason);

	if (has_no_room(ret)) {
		*err = reason;
		return ret;
	}
	if (!ret && b->path[0] == '/')
		buildid_cache_add_debug(o->cache_dir, id, b->path, &shared);
	if (shared.n)
		list_entry(o->cache_dir, &shared, list);
	if (!ret && list_entry(o->cache_dir, id, list))
		ret = err_set(&reason, ENOENT, "its entry in the build-id cache has gone");
	if (ret) {
		say(o, INJECT_WARNING, "'%s' is not packed: %s", b->path, reason.msg ? reason.msg :
		    strerror(-ret));
		res->n_missing++;
	} else {
		say(o, INJECT_DETAIL, "%s", b->path);
		res->n_packed++;
	}
	err_release(&reason);
	return 0;
}

static int list_binaries(const struct archive_opts *o, const struct os *os,
			 struct data_features *hits, struct str *list,
			 struct archive_result *res, struct err *err)
{
	struct str exclude = STR_INIT;
	int ret = o->exclude ? infile_read(o->exclude, INFILE_NAMED, 64 << 20, &exclude, err) : 0;

	for (size_t i = 0; !ret && i < hits->build_ids.n; i++) {
		const struct data_build_id *b = &hits->build_ids.v[i];
		struct build_id id = { .n = b->bytes };

		memcpy(id.bytes, b->id, b->bytes);
		if (id.n < 2)
			continue;
		if (is_excluded(&exclude, &id)) {
			res->n_excluded++;
			continue;
		}
		ret = list_binary(o, os, b, &id, list, res, err);
	}
	str_release(&exclude);
	return ret;
}

static char *all_name(const char *ending)
{
	char host[256] = "localhost", date[64];
	time_t now = time(NULL);
	struct tm tm;

	gethostname(host, sizeof(host) - 1);
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	return xasprintf("perf.all-%s-%s.tar.%s", host, date, ending);
}

/* --all: the recording and the archive of its binaries, which is beside it, in one more. */
static int pack_all(const struct archive_opts *o, struct archive_result *res, struct err *err)
{
	const struct packer p = pick_packer();
	const char *slash = strrchr(o->in.input, '/'), *base = slash ? slash + 1 : o->in.input;
	char *dir = slash ? xstrndup(o->in.input, (size_t)(slash - o->in.input + 1)) : xstrdup("."),
		*path = all_name(p.ending);
	const char *const argv[] = { "tar", "--create", p.option, "--file", "-", "--directory", dir,
				     "--", base,
				     res->path + (slash ? slash + 1 - o->in.input : 0), NULL };
	int ret = make(path, argv, -1, err);

	free(dir);
	if (ret) {
		free(path);
		return ret;
	}
	unlink(res->path);
	free(res->path);
	res->path = path;
	return 0;
}

int archive_create(const struct archive_opts *o, const struct source *src, const struct os *os,
		   struct archive_result *res, struct err *err)
{
	struct data_features hits;
	struct str list = STR_INIT;
	int ret;

	*res = (struct archive_result){ 0 };
	data_features_init(&hits);
	ret = inject_hits(&o->in, src, os, &hits, err);
	if (!ret)
		ret = list_binaries(o, os, &hits, &list, res, err);
	if (!ret && !res->n_packed && !res->n_excluded && !o->all) {
		ret = err_set(err, ENOENT, "%s: none of its binaries can be packed", o->in.input);
		err_hint(err, "their build-ids are not known, or the files have changed since");
	}
	if (!ret) {
		res->path = xasprintf("%s.tar.%s", o->in.input, pick_packer().ending);
		ret = pack(res->path, o->cache_dir, &list, err);
	}
	if (!ret && o->all)
		ret = pack_all(o, res, err);
	str_release(&list);
	data_features_release(&hits);
	return ret;
}
