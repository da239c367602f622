/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_BUILD_OPTIONS_H
#define CLI_BUILD_OPTIONS_H
/*
 * What this perf was built with, in the names that scripts look for ("perf version
 * --build-options", "perf check feature").
 */
#include "util/base/types.h"

struct build_option {
	const char *name, *macro;
	/* as the Makefile calls it, or NULL: then it is always as always says */
	const char *library;
	bool always;
};

/* All, by name; the number goes to *n. Any thread. */
const struct build_option *build_options(size_t *n);
/* The next one after prev (NULL: the first) whose name or macro this is, in whatever case;
 * several may share a macro. */
const struct build_option *build_option_find(const char *name_or_macro,
					     const struct build_option *prev);
bool build_option_is_on(const struct build_option *o);
/* The Debian package that it needs when perf is built; NULL: no package brings it. */
const char *build_option_package(const struct build_option *o);
/* " libelf: [ on ] # HAVE_LIBELF_SUPPORT", and the package that is missing, on standard output. */
void build_option_print(const struct build_option *o);

#endif
