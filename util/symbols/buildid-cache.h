/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_BUILDID_CACHE_H
#define SYMBOLS_BUILDID_CACHE_H
/*
 * The build-id cache, in the layout that upstream perf's tools read and write:
 *	DIR/PATH/ID/elf			(kallsyms for "[kernel.kallsyms]", vdso for "[vdso]"),
 *					with ID/debug beside it
 *	DIR/.build-id/ID[0:2]/ID[2:]	a symbolic link to ../../PATH/ID
 * Any process may write at the same time: each file is made under another name and renamed.
 */
#include "util/symbols/dso.h"

enum buildid_kind { BUILDID_ELF, BUILDID_KALLSYMS, BUILDID_VDSO };

/* Adds file under name (as the recording has it, "/usr/bin/x" or "[vdso]"; NULL: file's real
 * path). Hard-linked where possible, else copied; in the place of one that is not of this id (any
 * more). Its debug file joins it. 0 also when it is there already; -EINVAL for names that lead out
 * of the cache. */
int buildid_cache_add(const char *dir, const struct build_id *id, const char *name,
		      const char *file, enum buildid_kind kind,
		      struct err *err);
/* The separate debug file of an entry, by its build-id below /usr/lib/debug or by its
 * .gnu_debuglink, where it has this build-id; and as an entry of its own the file that dwz made of
 * what several have in common: shared is its id (n 0: there is none). */
void buildid_cache_add_debug(const char *dir, const struct build_id *id, const char *name,
			     struct build_id *shared);
/* That file is its debug file, if it is of this id. */
int buildid_cache_put_debug(const char *dir, const struct build_id *id, const char *file,
			    struct err *err);
/* buildid_cache_add() of what is in memory. */
int buildid_cache_add_bytes(const char *dir, const struct build_id *id, const char *name,
			    struct span bytes, enum buildid_kind kind,
			    struct err *err);
/* The running kernel's vdso of that name (vdso.h); -ENOENT without one. */
int buildid_cache_add_vdso(const struct os *os, const char *dir, const char *name, struct err *err);
/* 0 also when it is not there (any more). */
int buildid_cache_remove(const char *dir, const struct build_id *id, struct err *err);
/* Where the file of this id is, if it is there; the caller frees. */
char *buildid_cache_file(const char *dir, const struct build_id *id);
/* Has a file that can be the one of this id. */
bool buildid_cache_has(const char *dir, const struct build_id *id);

/* Has a name for this id, whatever became of the file behind it. */
bool buildid_cache_lists(const char *dir, const struct build_id *id);

struct buildid_entry { struct build_id id; char *path; };
typedef VEC(struct buildid_entry) buildid_entries;
/* Sorted by path and id. An absent cache is an empty one. */
int buildid_cache_list(const char *dir, buildid_entries *out, struct err *err);
void buildid_entries_release(buildid_entries *e);

/* PERF_BUILDID_DIR, else ~/.debug; NULL when there is no home, or it is /dev/null: no cache. The
 * caller frees. */
char *buildid_cache_default_dir(void);
/* 0, or -EPERM: it belongs neither to root nor to the caller, who has not named it by
 * PERF_BUILDID_DIR either (HOME is another user's). */
int buildid_cache_check(const char *dir, struct err *err);

#endif
