/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_INSTALLED_H
#define SCRIPT_INSTALLED_H
/*
 * Scripts that are installed: upstream perf's package, and what users put beside them. A script
 * NAME is DIR/scripts/python/NAME.py, with DIR/scripts/python/bin/NAME-record and NAME-report,
 * which run perf. DIR is $PERF_EXEC_PATH, or else the first of the usual ones that has scripts.
 */
#include "util/base/err.h"
#include "util/base/str.h"

/* Where scripts, and filters in shared objects, are; never empty. Scripts find it in
 * PERF_EXEC_PATH, which is set to it. */
void script_exec_path(struct str *out);

/* What "perf script -l" prints. -ENOENT: there are none. */
int script_list(struct str *out, struct err *err);
/* The path of NAME-kind ("record", "report"). -ENOENT: there is no such script. */
int script_find(const char *name, const char *kind, struct str *out, struct err *err);
/* How many words its report needs: those in <> that it says it takes. */
size_t script_required_args(const char *name);
/* NAME itself, which was not found where it was looked for: its file there; false: none. */
bool script_find_file(const char *name, struct str *out);

#endif
