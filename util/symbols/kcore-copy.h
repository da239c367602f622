/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_KCORE_COPY_H
#define SYMBOLS_KCORE_COPY_H
/*
 * Copies of a kernel's code as it ran, with the names of that boot: {kcore,kallsyms,modules} in one
 * directory, readable for root only, as upstream perf lays them out. One thread.
 */
#include "util/symbols/dso.h"

/* Copies the code of the ELF core file, and kallsyms and modules from its directory (of
 * /proc/kcore: /proc), into the new directory to, whose parents exist. What fails leaves no
 * directory. 0, -ENOENT, -EACCES, -ENOEXEC... */
int kcore_copy(const char *kcore, const char *to, struct err *err);

/* Of the kernel of that core: as it says itself (VMCOREINFO), or else, of /proc/kcore, that of
 * the running kernel. */
int kcore_build_id(const struct os *os, const char *kcore, struct build_id *out, struct err *err);

/* Adds it to the cache below dir, as [kernel.kcore]/BUILD-ID/TIME, unless the same is there: the
 * same modules, and the kernel, at the same places. *where: that directory; the caller frees. 1: it
 * was there already. */
int buildid_cache_add_kcore(const char *dir, const struct build_id *id, const char *kcore,
			    char **where, struct err *err);

#endif
