// SPDX-License-Identifier: GPL-2.0-or-later
// Which file on this machine is the one that was recorded. A path alone proves nothing: the file
// behind it may be a newer one,
// or that of another mount namespace. So a candidate must have the recorded build-id, or, when
// none was recorded, the recorded
// inode. Order: build-id cache, --symfs, the recorded process's own root, the path itself, what
// the process still holds open.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/elf/symfs.h"
#include "util/os/kernel.h"
#include "util/os/procfs.h"
#include "util/symbols/debuginfod.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/perf-map.h"
#include "util/symbols/vdso.h"

#define OVERLAYFS_MAGIC 0x794c7630
#define MAX_BARE_BYTES (256u << 20)
#define MAX_CRC_BYTES (16ULL << 30)

enum origin { FROM_CACHE, FROM_SYMFS, FROM_ROOT, FROM_PATH, FROM_HELD };

static const char deleted_mark[] = " (deleted)";

static char *without_deleted(const char *path)
{
	size_t n = strlen(path), m = sizeof(deleted_mark) - 1;

	return xstrndup(path, n > m && !strcmp(path + n - m, deleted_mark) ? n - m : n);
}

static void add_id_text(struct str *s, const struct build_id *id)
{
	if (id->n)
		build_id_add(s, id);
	else
		str_add(s, "none");
}

static bool on_overlay(const struct elf *e)
{
	struct statfs fs;

	return e->fd >= 0 && fstatfs(e->fd, &fs) == 0 && fs.f_type == OVERLAYFS_MAGIC;
}

/* The inode as recorded, and not its number alone, which the file system gives to the next file
 * when one is deleted. On older kernels mappings of an overlay show the file system below, whose
 * numbers cannot be asked for: then nothing is known. */
static bool inode_agrees(const struct dso *d, const struct elf *e, const struct stat *st)
{
	const bool same_dev = d->maj == major(st->st_dev) && d->min == minor(st->st_dev);
	u32 generation;

	if (st->st_ino != d->ino)
		return on_overlay(e) && !same_dev;
	if (!same_dev || !d->ino_generation || !os_inode_generation(e->fd, &generation))
		return true;
	return generation == (u32)d->ino_generation;
}

/* Where only the inode is known, a file may have been written over. */
static bool is_unchanged(const struct dso *d, const struct stat *st)
{
	const u64 until = d->priv->store->opts->recorded_until_s;

	return !until || (u64)st->st_mtime <= until;
}

/* A file without a build-id that the recorder kept: its id is that of its contents
 * (build_id_of_text()). */
static bool has_contents(const struct elf *e, const struct build_id *want)
{
	struct str text = STR_INIT;
	struct build_id its;
	bool has = !io_read_file(e->path, MAX_BARE_BYTES, &text, NULL);

	if (has)
		build_id_of_text(text.buf, text.len, &its);
	has = has && build_id_equal(&its, want);
	str_release(&text);
	return has;
}

/* Is the open file e the one that was recorded? Says why not. */
static bool identity_agrees(struct dso *d, struct elf *e, enum origin origin)
{
	struct build_id id;
	struct stat st = { 0 };
	struct str a = STR_INIT, b = STR_INIT;
	bool has_id = elf_build_id(e, &id), ok = true, have_stat = e->fd >= 0 &&
		fstat(e->fd, &st) == 0;

	if (d->id.n) {
		ok = has_id && build_id_equal(&id, &d->id);
		/* An id known by path only may be that of another namespace's file; the
		 * process's own file is the better witness. */
		if (!ok && d->priv->weak_id && origin == FROM_ROOT && d->ino && have_stat &&
		    st.st_ino == d->ino)
			ok = true;
		if (!ok && !has_id && d->ino && have_stat && origin != FROM_CACHE && st.st_ino ==
		    d->ino)
			ok = true;
		if (!ok && !has_id && d->priv->weak_id && origin == FROM_CACHE)
			ok = has_contents(e, &d->id);
		if (!ok) {
			d->priv->troubles |= DSO_OTHER_FILE;
			add_id_text(&a, &id);
			add_id_text(&b, &d->id);
			dso_add_reason(d, "'%s' is not the recorded file: its build-id is %s, the "
					  "recorded one %s", e->path,
				    str_cstr(&a), str_cstr(&b));
		}
	} else if (d->ino && origin != FROM_SYMFS && origin != FROM_CACHE && have_stat) {
		ok = inode_agrees(d, e, &st) && is_unchanged(d, &st);
		d->priv->troubles |= ok ? 0 : DSO_OTHER_FILE;
		if (!ok && st.st_ino == d->ino)
			dso_add_reason(d, "'%s' is not the recorded file: it was %s since (no "
					  "build-id was recorded; --symfs takes files "
				    "by name)", e->path, is_unchanged(d, &st) ? "made anew" :
				    "written to");
		else if (!ok)
			dso_add_reason(d, "'%s' is not the recorded file: its inode is %llu, the "
					  "recorded one %llu (no build-id was "
				    "recorded; --symfs takes files by name)", e->path,
				    (unsigned long long)st.st_ino,
				    (unsigned long long)d->ino);
	} else if (origin == FROM_PATH && str_has_suffix(d->path, deleted_mark)) {
		ok = false;
		dso_add_reason(d, "'%s' was deleted, and nothing tells whether the file of that "
				  "name now is the same", d->path);
	}
	if (ok && has_id && (!d->id.n || d->priv->weak_id)) {
		d->id = id;
		d->id_from_file = true;
	}
	str_release(&a);
	str_release(&b);
	return ok;
}

/* Takes fd (or gives its -errno). */
static bool try_main_fd(struct dso *d, int fd, const char *path, enum origin origin)
{
	struct dso_priv *p = d->priv;
	struct err err = ERR_INIT;
	struct elf e;
	bool ok = false;
	int ret;

	if (fd < 0) {
		note_open(d->priv->store, fd);
		if (fd != -ENOENT && fd != -ENOTDIR && origin != FROM_CACHE)
			dso_add_reason(d, "cannot open '%s': %s", path, strerror(-fd));
		dso_add_trouble(d, origin == FROM_CACHE ? 0 : fd);
		return false;
	}
	ret = elf_open_fd(&e, fd, path, &err);
	if (ret) {
		dso_add_reason(d, "%s", err.msg);
		dso_add_trouble(d, ret);
	} else if (!elf_has_code(&e) || !identity_agrees(d, &e, origin)) {
		elf_close(&e);
	} else {
		p->main = e;
		p->has_main = ok = true;
		p->file = xstrdup(path);
		d->is64 = e.is64;
	}
	err_release(&err);
	return ok;
}

static bool try_main(struct dso *d, const char *path, enum origin origin)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return try_main_fd(d, fd < 0 ? -errno : fd, path, origin);
}

static bool try_cache(struct dso *d)
{
	const char *dir = d->priv->store->cache_dir;
	/* "": the link itself was the file in old caches */
	static const char *const tails[] = { "/elf", "/vdso", "" };
	bool ok = false;

	for (size_t i = 0; dir && d->id.n > 1 && !ok && i < ARRAY_SIZE(tails); i++) {
		char *path = build_id_path(dir, &d->id, tails[i]);
		struct stat st;

		ok = stat(path, &st) == 0 && S_ISREG(st.st_mode) && try_main(d, path, FROM_CACHE);
		free(path);
	}
	return ok;
}

struct pinned_files { const struct dso *d; const char *path; u64 start, end; };

static int find_held(void *ctx, const struct procfs_map *m)
{
	struct pinned_files *h = ctx;
	size_t n = strlen(h->path);

	/* it may have been deleted, or replaced, after it was recorded */
	if (strncmp(m->path, h->path, n) || (m->path[n] && strcmp(m->path + n, deleted_mark)))
		return 0;
	if (h->d->ino && m->ino != h->d->ino)
		return 0;
	h->start = m->start_va;
	h->end = m->end_va;
	return 1;
}

/* A file that has no name any more, in a living process: through its mapping. */
static bool try_held(struct dso *d, pid_t pid, const char *path)
{
	const struct os *os = d->priv->store->os;
	struct pinned_files h = { .d = d, .path = path };
	bool ok = false;

	if (procfs_maps(os, pid, 1000, find_held, &h, NULL) != 1)
		return false;
	char *name = procfs_mapping_name(pid, h.start, h.end);
	char *real = os_path(os, name);

	ok = try_main(d, real, FROM_HELD);
	free(real);
	free(name);
	return ok;
}

static bool try_processes(struct dso *d, const char *path)
{
	const struct dso_priv *p = d->priv;
	const struct os *os = p->store->os;

	/* pids are reused: without an identity to check only a live session knows that it is the
	 * same process */
	if (!p->store->opts->live && !d->id.n && !d->ino)
		return false;
	for (size_t i = 0; i < p->pids.n; i++) {
		pid_t pid = p->pids.v[i];

		if (!procfs_alive(os, pid))
			continue;
		char *shown = procfs_root_name(pid, path);
		int fd = procfs_open_in_root(os, pid, path);
		bool ok = try_main_fd(d, fd == -EACCES || fd == -EPERM ? -ENOENT : fd, shown,
				      FROM_ROOT);

		free(shown);
		if (ok || try_held(d, pid, path))
			return true;
	}
	return false;
}

/* The running kernel's is that of all processes of the same bitness. */
static bool try_running_vdso(struct dso *d)
{
	struct dso_priv *p = d->priv;
	size_t n;
	u8 *image = p->store->os->fake ? NULL : vdso_image(p->store->os, d->path, &n);

	if (!image || elf_open_mem(&p->main, image, n, d->path, NULL))
		return false;
	if ((!d->id.n && !store_is_running_kernel(p->store, d, &p->reason)) ||
	    !identity_agrees(d, &p->main, FROM_CACHE)) {
		elf_close(&p->main);
		return false;
	}
	p->has_main = true;
	d->is64 = p->main.is64;
	return true;
}

/*
 * The file of that name here, if the build-id says that it is the one, or the one in the cache: the
 * first that has symbols (a stripped one has the same build-id). Without any, the file of that
 * name, whose debug link leads to its neighbours.
 */
static bool try_path_or_cache(struct dso *d, const char *path)
{
	struct dso_priv *p = d->priv;
	const struct symbols_opts *o = p->store->opts;
	struct elf main;
	char *file;

	if (p->weak_id || d->id.n < 2 || path[0] != '/' || p->store->os->fake ||
	    symfs_given(o->symfs) ||
	    !try_main(d, path, FROM_PATH))
		return try_cache(d);
	if (!p->store->cache_dir || elf_has_symtab(&p->main))
		return true;
	main = p->main;
	file = p->file;
	p->has_main = false;
	p->file = NULL;
	if (try_cache(d)) {
		if (elf_has_symtab(&p->main)) {
			elf_close(&main);
			free(file);
			return true;
		}
		elf_close(&p->main);
		free(p->file);
	}
	p->main = main;
	p->file = file;
	p->has_main = true;
	return true;
}

static void find_main(struct dso *d)
{
	struct dso_priv *p = d->priv;
	const struct symbols_opts *o = p->store->opts;

	if (d->kind == DSO_VDSO) {
		if (!try_running_vdso(d))
			try_cache(d);
		return;
	}
	char *path = without_deleted(d->path);

	if (try_path_or_cache(d, path))
		goto out;
	if (path[0] != '/') {
		dso_add_reason(d, "'%s' is not a file", d->path);
		goto out;
	}
	if (symfs_given(o->symfs)) {
		char *in = symfs_path(o->symfs, path);

		if (!try_main(d, in, FROM_SYMFS) && !p->reason.len)
			dso_add_reason(d, "'%s' does not exist", in);
		free(in);
		goto out;
	}
	if (try_processes(d, path))
		goto out;
	if (!p->store->os->fake && try_main(d, path, FROM_PATH))
		goto out;
	if (d->id.n) {
		char *got = debuginfod_get(p->store->fetcher, &d->id, false);

		if (got && try_main(d, got, FROM_CACHE)) {
			free(got);
			goto out;
		}
		free(got);
	}
	if (!p->reason.len)
		dso_add_reason(d, "'%s' does not exist", path);
out:
	if (p->has_main)
		dso_reset_reasons(d);	/* what was wrong with other candidates does not matter */
	free(path);
}

int dso_set_file(struct dso *d, const char *path, struct err *err)
{
	struct dso_priv *p = d->priv;
	int ret;

	pthread_mutex_lock(&p->lock);
	ret = p->has_main ? -EEXIST : elf_open(&p->main, path, err);
	if (!ret) {
		p->has_main = true;
		p->file = xstrdup(path);
		d->is64 = p->main.is64;
		if (!d->id.n)
			d->id_from_file = elf_build_id(&p->main, &d->id);
		atomic_store_explicit(&p->main_tried, true, memory_order_release);
	}
	pthread_mutex_unlock(&p->lock);
	return ret;
}

struct elf *dso_main_locked(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (!atomic_load_explicit(&p->main_tried, memory_order_relaxed)) {
		if (d->kind == DSO_FILE || d->kind == DSO_VDSO)
			find_main(d);
		if (d->kind != DSO_KERNEL && d->kind != DSO_MODULE)	/* found with its symbols */
			atomic_store_explicit(&p->main_tried, true, memory_order_release);
	}
	return p->has_main ? &p->main : NULL;
}

struct elf *dso_main(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (!atomic_load_explicit(&p->main_tried, memory_order_acquire)) {
		pthread_mutex_lock(&p->lock);
		dso_main_locked(d);
		pthread_mutex_unlock(&p->lock);
	}
	return p->has_main ? &p->main : NULL;
}

/* --- files with symbols and DWARF, apart from the code */

/* The CRC of a whole file, as .gnu_debuglink has it. A file that is nothing but a hole would be
 * read for hours. */
static bool crc_agrees(struct elf *e, u32 want)
{
	u32 crc = 0;
	u8 *buf;
	size_t n;

	if (e->bytes > MAX_CRC_BYTES || elf_is_hole(e, 0, e->bytes))
		return false;
	buf = xmalloc(1 << 16);
	for (u64 off = 0; (n = elf_pread(e, off, buf, 1 << 16)) > 0; off += n)
		crc = crc32_add(crc, buf, n);
	free(buf);
	return crc == want;
}

/* crc: NULL when the build-id must agree. */
static bool try_debug(struct dso *d, const char *path, const u32 *crc)
{
	struct dso_priv *p = d->priv;
	struct build_id id;
	struct elf e;
	int ret = elf_open(&e, path, NULL);

	if (ret) {
		note_open(p->store, ret);
		return false;
	}
	bool has_id = elf_build_id(&e, &id);
	bool ok = d->id.n && has_id ? build_id_equal(&id, &d->id) : crc && crc_agrees(&e, *crc);

	if (ok && (elf_has_symtab(&e) || elf_find(&e, ".debug_info") ||
		   elf_find(&e, ".zdebug_info"))) {
		p->debug = e;
		p->has_debug = true;
		return true;
	}
	if (!ok)
		dso_add_reason(d, "'%s' does not belong to it (%s differs)", path,
			       has_id ? "build-id" : "checksum");
	elf_close(&e);
	return false;
}

static bool try_debug_take(struct dso *d, char *path, const u32 *crc)
{
	bool ok = try_debug(d, path, crc);

	free(path);
	return ok;
}

static bool try_debuglink_symfs(struct dso *d, const char *symfs, const char *dir, const char *name,
				u32 crc)
{
	char *path = xasprintf("/usr/lib/debug%s/%s", dir, name);
	bool ok = try_debug_take(d, symfs_path(symfs, path), &crc);

	free(path);
	return ok;
}

/* .gnu_debuglink: a name, padding to 4, the CRC. */
static bool try_debuglink(struct dso *d)
{
	struct elf *main = &d->priv->main;
	struct rd r = elf_rd(main, elf_find(main, ".gnu_debuglink"));
	const char *name = rd_cstr(&r), *path = d->priv->file;

	rd_align(&r, 4);
	u32 crc = rd_u32(&r);

	if (rd_failed(&r) || !name[0] || strchr(name, '/') || !path)
		return false;
	const char *cache = d->priv->store->cache_dir, *symfs = d->priv->store->opts->symfs;
	char *real, *dir, *slash;

	if (cache && str_has_prefix(path, cache) && d->path[0] == '/')
		path = d->path;		/* its neighbours are not in the cache */
	real = realpath(path, NULL);
	dir = real ? real : xstrdup(path);
	slash = strrchr(dir, '/');

	if (slash)
		*slash = 0;
	bool ok = (strcmp(slash ? slash + 1 : "", name) &&
		   try_debug_take(d, xasprintf("%s/%s", dir, name), &crc)) ||
		  try_debug_take(d, xasprintf("%s/.debug/%s", dir, name), &crc) ||
		  try_debug_take(d, xasprintf("/usr/lib/debug%s/%s", dir, name), &crc) ||
		  (symfs_given(symfs) && try_debuglink_symfs(d, symfs, symfs_strip(symfs, dir),
							     name, crc));

	free(dir);
	return ok;
}

static bool try_id_symfs(struct dso *d, const char *symfs)
{
	char *path = build_id_path("/usr/lib/debug", &d->id, ".debug");
	bool ok = try_debug_take(d, symfs_path(symfs, path), NULL);

	free(path);
	return ok;
}

static bool try_by_id(struct dso *d)
{
	const struct symbols_opts *o = d->priv->store->opts;

	if (d->id.n < 2 || d->priv->store->os->fake)
		return false;
	return (d->priv->store->cache_dir &&
		try_debug_take(d, build_id_path(d->priv->store->cache_dir, &d->id, "/debug"),
			       NULL)) ||
	       (symfs_given(o->symfs) && try_id_symfs(d, o->symfs)) ||
	       try_debug_take(d, build_id_path("/usr/lib/debug", &d->id, ".debug"), NULL);
}

static bool has_dwarf(struct elf *e)
{
	return elf_find(e, ".debug_info") || elf_find(e, ".zdebug_info");
}

static void find_debug(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (p->has_main && has_dwarf(&p->main)) {
		p->debug_is_main = true;
		p->debug_delta = p->delta;
		return;
	}
	if (d->kind == DSO_KERNEL)
		kernel_find_debug(d);
	else if (d->kind == DSO_MODULE)
		module_find_debug(d);
	if (d->kind != DSO_FILE)
		return;
	if (try_by_id(d) || (p->has_main && try_debuglink(d)))
		return;
	char *got = d->id.n ? debuginfod_get(p->store->fetcher, &d->id, true) : NULL;

	if (got)
		try_debug_take(d, got, NULL);
	if (!p->has_debug && p->has_main && elf_has_symtab(&p->main))
		p->debug_is_main = true;
}

struct elf *dso_debug_locked(struct dso *d)
{
	struct dso_priv *p = d->priv;

	if (!atomic_load_explicit(&p->debug_tried, memory_order_relaxed)) {
		dso_main_locked(d);
		find_debug(d);
		atomic_store_explicit(&p->debug_tried, true, memory_order_release);
	}
	return p->has_debug ? &p->debug : p->debug_is_main ? &p->main : NULL;
}

const char *dso_debug_file(struct dso *d)
{
	struct elf *e;

	pthread_mutex_lock(&d->priv->lock);
	e = dso_debug_locked(d);
	pthread_mutex_unlock(&d->priv->lock);
	return e && has_dwarf(e) ? e->path : NULL;
}
