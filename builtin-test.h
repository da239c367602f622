/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_TEST_H
#define BUILTIN_TEST_H
/*
 * What perf test checks on this machine: a file and a table of small checks, each of which uses
 * perf as its users do.
 */
#include "util/base/str.h"

enum check_status { CHECK_OK, CHECK_SKIP, CHECK_FAILED };

struct check_run {
	const char *dso;	/* --dso, or NULL: perf itself */
	char *perf;		/* path of this binary */
	char *dir;		/* a directory of the run's own, current while checks run */
	struct str reason;	/* of a skip or failure: one line */
	struct str log;		/* what -vv shows */
	struct str out;		/* of the last command */
};

struct machine_check {
	const char *name;
	enum check_status (*run)(struct check_run *r);
};

extern const struct machine_check machine_checks[];	/* ended by a name of NULL */

#endif
