// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/buildid-cache.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/elf/elf.h"
#include "util/symbols/vdso.h"

static const char *const file_names[] = { [BUILDID_ELF] = "elf", [BUILDID_KALLSYMS] = "kallsyms",
					  [BUILDID_VDSO] = "vdso" };

char *buildid_cache_default_dir(void)
{
	const char *dir = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");

	if (dir && !strcmp(dir, "/dev/null"))
		return NULL;
	return dir && dir[0] ? xstrdup(dir) : home && home[0] ? xasprintf("%s/.debug", home) : NULL;
}

int buildid_cache_check(const char *dir, struct err *err)
{
	const char *named = getenv("PERF_BUILDID_DIR");
	struct stat st;

	if ((named && !strcmp(named, dir)) || stat(dir, &st) || infile_is_trusted(&st))
		return 0;
	err_set(err, EPERM, "the build-id cache '%s' is not used: it belongs to user %u, neither "
			    "to you nor to root", dir,
		(unsigned)st.st_uid);
	err_hint(err, "if it is the one that is meant: perf --buildid-dir %s; or set HOME", dir);
	return -EPERM;
}

static char *hex_of(const struct build_id *id)
{
	struct str s = STR_INIT;

	build_id_add(&s, id);
	return str_detach(&s);
}

/* A recording names what it likes: no ".." may lead out of the cache. */
static bool name_is_safe(const char *name)
{
	for (const char *p = name; *p; p += strcspn(p, "/")) {
		p += strspn(p, "/");
		size_t n = strcspn(p, "/");

		if (n == 2 && p[0] == '.' && p[1] == '.')
			return false;
	}
	return name[0] && strlen(name) < 3000;
}

static int copy_fd(int from, int to)
{
	char buf[65536];
	ssize_t n;

	while ((n = io_read(from, buf, sizeof(buf))) > 0) {
		int ret = io_write(to, buf, n);

		if (ret)
			return ret;
	}
	return (int)n;
}

/* from becomes to, by a link or a copy. An older one is replaced. */
static int place(const char *from, const char *to, bool may_link, struct err *err)
{
	char *tmp = xasprintf("%s.%d.tmp", to, (int)getpid());
	struct stat st;
	int in = -1, out = -1, ret = 0;

	unlink(tmp);
	if (!may_link || link(from, tmp)) {
		in = infile_open(from, 0, err);
		if (in < 0) {
			ret = in;
			goto out;
		}
		if (fstat(in, &st)) {
			ret = err_sys(err, errno, "cannot open '%s'", from);
			goto out;
		}
		out = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			   (st.st_mode & 0555) | 0200);
		ret = out < 0 ? -errno : copy_fd(in, out);
		if (ret) {
			ret = err_sys(err, -ret, "cannot write '%s'", tmp);
			goto out;
		}
	}
	if (rename(tmp, to))
		ret = err_sys(err, errno, "cannot write '%s'", to);
out:
	unlink(tmp);	/* also when both were links to one file: then rename() leaves it */
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	free(tmp);
	return ret;
}

static int make_link(const char *dir, const struct build_id *id, const char *name, const char *hex,
		     struct err *err)
{
	char *path = build_id_path(dir, id, ""), *target,
		*tmp = xasprintf("%s.%d.tmp", path, (int)getpid());
	char *xx = xasprintf(".build-id/%.2s", hex);
	int ret;

	name += strspn(name, "/");
	target = xasprintf("../../%s/%s", name, hex);
	ret = io_mkdirs_below(dir, xx, err);
	free(xx);
	unlink(tmp);
	if (!ret && (symlink(target, tmp) || rename(tmp, path)))
		ret = err_sys(err, errno, "cannot make the link '%s'", path);
	if (ret)
		unlink(tmp);
	free(tmp);
	free(target);
	free(path);
	return ret;
}

/* --- files apart with symbols and DWARF. Not having them is no error. */

/* Takes path. Whether that file has this build-id; then it is left in *out, which the caller
 * frees. */
static bool is_file_of(char *path, const struct build_id *id, char **out)
{
	struct build_id its;
	struct stat st;
	bool is = stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		build_id_of_file(path, &its, NULL) == 0 && build_id_equal(&its, id);

	if (is)
		*out = path;
	else
		free(path);
	return is;
}

/* By .gnu_debuglink of the file at path, whose neighbours are those of the file called name. */
static bool find_linked(const char *path, const char *name, const struct build_id *id, char **out)
{
	char *real = realpath(name, NULL), *dir = real ? real : xstrdup(name),
		*slash = strrchr(dir, '/');
	bool found = false;
	const char *link;
	struct elf e;
	struct rd r;

	if (slash && !elf_open(&e, path, NULL)) {
		*slash = 0;
		r = elf_rd(&e, elf_find(&e, ".gnu_debuglink"));
		link = rd_cstr(&r);
		found = !rd_failed(&r) && link[0] && !strchr(link, '/') &&
			((strcmp(slash + 1, link) && is_file_of(xasprintf("%s/%s", dir, link), id,
								out)) ||
			 is_file_of(xasprintf("%s/.debug/%s", dir, link), id, out) ||
			 is_file_of(xasprintf("/usr/lib/debug%s/%s", dir, link), id, out));
		elf_close(&e);
	}
	free(dir);
	return found;
}

/* What dwz took out of the file at path (.gnu_debugaltlink: a name and a build-id), beside it or
 * by its id. */
static bool find_shared(const char *path, struct build_id *id, char **out)
{
	struct span link;
	const u8 *end;
	const char *slash = strrchr(path, '/');
	bool found = false;
	struct elf e;

	if (!slash || elf_open(&e, path, NULL))
		return false;
	link = elf_data(&e, elf_find(&e, ".gnu_debugaltlink"));
	end = link.len ? memchr(link.ptr, 0, link.len) : NULL;
	id->n = end ? MIN((size_t)(link.ptr + link.len - (end + 1)), sizeof(id->bytes)) : 0;
	if (id->n > 1) {
		const char *name = (const char *)link.ptr;

		memcpy(id->bytes, end + 1, id->n);
		found = is_file_of(name[0] == '/' ? xstrdup(name) :
				   xasprintf("%.*s/%s", (int)(slash - path), path, name), id,
					   out) ||
			is_file_of(build_id_path("/usr/lib/debug", id, ".debug"), id, out);
	}
	elf_close(&e);
	return found;
}

/* A file that could be the one of this id: another one may have been left there, or half of it,
 * by a disk that was full. What has no build-id in it (a perf map, a list of symbols, a bare
 * program) has its id from elsewhere. */
static bool is_sound(const char *path, const struct build_id *id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char magic[SELFMAG];
	struct build_id its;
	struct stat st;
	bool sound = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size;

	if (sound && io_pread(fd, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG))
		sound = !build_id_of_fd(fd, &its) || build_id_equal(&its, id);
	if (fd >= 0)
		close(fd);
	return sound;
}

static int add_file(const char *dir, const struct build_id *id, const char *name, const char *file,
		    enum buildid_kind kind,
		    struct err *err)
{
	char *real = name ? NULL : realpath(file, NULL), *hex = hex_of(id), *directory = NULL,
		*to = NULL;
	int ret;

	if (!name)
		name = real ? real : file;
	if (!name_is_safe(name) || id->n < 2) {
		ret = err_set(err, EINVAL, "cannot add '%s': %s", name, id->n < 2 ?
			      "it has no build-id" : "unusable name");
		goto out;
	}
	directory = xasprintf("%s/%s", name + strspn(name, "/"), hex);
	to = xasprintf("%s/%s/%s", dir, directory, file_names[kind]);
	ret = buildid_cache_check(dir, err);
	if (!ret)
		ret = io_mkdirs_below(dir, directory, err);
	if (!ret && !is_sound(to, id))
		ret = place(file, to, kind == BUILDID_ELF, err);
	if (!ret)
		ret = make_link(dir, id, name, hex, err);
out:
	free(to);
	free(directory);
	free(hex);
	free(real);
	return ret;
}

void buildid_cache_add_debug(const char *dir, const struct build_id *id, const char *name,
			     struct build_id *shared)
{
	char *elf = build_id_path(dir, id, "/elf"), *to = build_id_path(dir, id, "/debug"),
		*debug = NULL, *file = NULL, *from;

	if (!is_file_of(build_id_path("/usr/lib/debug", id, ".debug"), id, &debug))
		find_linked(elf, name, id, &debug);
	if (debug && access(to, F_OK))
		place(debug, to, true, NULL);
	/* its neighbours are those of the file that the name leads to */
	from = debug ? realpath(debug, NULL) : access(to, F_OK) ? realpath(name, NULL) :
		xstrdup(to);
	shared->n = 0;
	if (from && find_shared(from, shared, &file))
		add_file(dir, shared, NULL, file, BUILDID_ELF, NULL);
	if (shared->n && !buildid_cache_has(dir, shared))
		shared->n = 0;
	free(from);
	free(file);
	free(debug);
	free(to);
	free(elf);
}

int buildid_cache_put_debug(const char *dir, const struct build_id *id, const char *file,
			    struct err *err)
{
	char *to = build_id_path(dir, id, "/debug"), *is = NULL;
	int ret = buildid_cache_check(dir, err);

	if (!ret && !is_file_of(xstrdup(file), id, &is))
		ret = err_set(err, EINVAL, "'%s' is of another build-id", file);
	if (!ret)
		ret = place(file, to, true, err);
	free(is);
	free(to);
	return ret;
}

int buildid_cache_add(const char *dir, const struct build_id *id, const char *name,
		      const char *file, enum buildid_kind kind,
		      struct err *err)
{
	struct build_id shared;
	int ret = add_file(dir, id, name, file, kind, err);

	if (!ret && kind == BUILDID_ELF)
		buildid_cache_add_debug(dir, id, name ? name : file, &shared);
	return ret;
}

int buildid_cache_add_vdso(const struct os *os, const char *dir, const char *name, struct err *err)
{
	struct build_id id;
	size_t n;
	u8 *image = vdso_image(os, name, &n);
	int ret = -ENOENT;

	if (image && vdso_build_id(os, name, &id))
		ret = buildid_cache_add_bytes(dir, &id, name, (struct span){ image, n },
					      BUILDID_VDSO, err);
	free(image);
	return ret;
}

int buildid_cache_add_bytes(const char *dir, const struct build_id *id, const char *name,
			    struct span bytes, enum buildid_kind kind,
			    struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = kind == BUILDID_VDSO ? 0644 :
					0600 };
	char *file = xasprintf("%s/.bytes.%d.tmp", dir, (int)getpid());
	int ret = buildid_cache_check(dir, err);

	if (!ret)
		ret = io_mkdirs(dir, err);
	if (!ret)
		ret = outfile_write(file, &o, bytes.ptr, bytes.len, err);
	if (!ret) {
		ret = buildid_cache_add(dir, id, name, file, kind, err);
		unlink(file);
	}
	free(file);
	return ret;
}

char *buildid_cache_file(const char *dir, const struct build_id *id)
{
	return build_id_path(dir, id, "/elf");
}

bool buildid_cache_has(const char *dir, const struct build_id *id)
{
	char *path = build_id_path(dir, id, "");
	bool has = false;

	for (size_t i = 0; i < ARRAY_SIZE(file_names) && !has; i++) {
		char *file = xasprintf("%s/%s", path, file_names[i]);

		has = is_sound(file, id);
		free(file);
	}
	free(path);
	return has;
}

bool buildid_cache_lists(const char *dir, const struct build_id *id)
{
	char *path = build_id_path(dir, id, "");
	struct stat st;
	bool is = lstat(path, &st) == 0;

	free(path);
	return is;
}

/* The files of one entry and its directory; directories above stay, as upstream perf leaves
 * them. */
static int remove_directory(const char *path, struct err *err)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!d)
		return errno == ENOENT ? 0 : err_sys(err, errno, "cannot read '%s'", path);
	while (!ret && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    unlinkat(dirfd(d), e->d_name, 0) && errno != ENOENT &&
		    unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR))
			ret = err_sys(err, errno, "cannot remove '%s/%s'", path, e->d_name);
	closedir(d);
	if (!ret && rmdir(path) && errno != ENOENT)
		ret = err_sys(err, errno, "cannot remove '%s'", path);
	return ret;
}

int buildid_cache_remove(const char *dir, const struct build_id *id, struct err *err)
{
	char *path = build_id_path(dir, id, ""), *directory = NULL, target[4096];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	int ret = 0;

	if (n < 0) {
		if (errno != ENOENT)
			ret = err_sys(err, errno, "cannot remove '%s'", path);
		goto out;
	}
	target[n] = 0;
	/* only what a link of ours would say is followed */
	if (!strncmp(target, "../../", 6) && name_is_safe(target + 6)) {
		directory = xasprintf("%s/%s", dir, target + 6);
		ret = remove_directory(directory, err);
	}
	if (!ret && unlink(path) && errno != ENOENT)
		ret = err_sys(err, errno, "cannot remove '%s'", path);
out:
	free(directory);
	free(path);
	return ret;
}

/* The entry after one link; false when it is none. */
static bool read_entry(const char *link, const char *hex, struct buildid_entry *e)
{
	char target[4096];
	ssize_t n = readlink(link, target, sizeof(target) - 1);
	struct stat st;

	if (n < 7 || !build_id_parse(hex, &e->id) || stat(link, &st))
		return false;
	target[n] = 0;
	char *slash = strrchr(target, '/');

	if (strncmp(target, "../../", 6) || slash - target < 6)
		return false;
	*slash = 0;
	e->path = xasprintf("%s%s", target[6] == '[' ? "" : "/", target + 6);
	return true;
}

static void list_below(const char *dir, const char *xx, buildid_entries *out)
{
	char *path = xasprintf("%s/%s", dir, xx);
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *link = xasprintf("%s/%s", path, e->d_name),
			*hex = xasprintf("%s%s", xx, e->d_name);
		struct buildid_entry entry;

		if (e->d_name[0] != '.' && read_entry(link, hex, &entry))
			vec_push(out, entry);
		free(hex);
		free(link);
	}
	if (d)
		closedir(d);
	free(path);
}

static int by_path(const void *pa, const void *pb)
{
	const struct buildid_entry *a = pa, *b = pb;
	int c = strcmp(a->path, b->path);

	return c ? c : memcmp(a->id.bytes, b->id.bytes, sizeof(a->id.bytes));
}

int buildid_cache_list(const char *dir, buildid_entries *out, struct err *err)
{
	char *path = xasprintf("%s/.build-id", dir);
	DIR *d = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!d && errno != ENOENT)
		ret = err_sys(err, errno, "cannot read '%s'", path);
	while (d && (e = readdir(d)))
		if (strlen(e->d_name) == 2 && e->d_name[0] != '.')
			list_below(path, e->d_name, out);
	if (d)
		closedir(d);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_path);
	free(path);
	return ret;
}

void buildid_entries_release(buildid_entries *e)
{
	for vec_each(x, e)
		free(x->path);
	vec_free(e);
}
