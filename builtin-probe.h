/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_PROBE_H
#define BUILTIN_PROBE_H
/*
 * perf probe: builtin-probe-options.c has what the command line says, builtin-probe.c what is done
 * with it.
 */
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/probe/probe.h"
#include "util/view/draw.h"

struct cmd_item {
	char what;			/* the option's letter */
	const char *text, *exec, *module;
	bool bare;			/* without an option */
};

struct probe_cmd {
	struct probe_opts po;
	struct cli_common common;
	VEC(struct cmd_item) items;	/* in the order of the command line; at least one */
	const char *exec, *module;	/* in force from here on */
	bool list, dry_run, cache, bootconfig, fprobe, no_inlines, force, externs, range, demangle,
		demangle_kernel, index;
	int target_ns;
	const char *filter;
	struct table_output output;	/* of what is listed */
	struct os os;
	struct str joined;		/* the words of a definition without an option */
	char *cache_dir, *index_dir;	/* what po has of them */
};

/* 0: to be run, all items ask for the same; else *status is the command's. */
int probe_parse(struct probe_cmd *c, int argc, const char **argv, int *status);
void probe_cmd_release(struct probe_cmd *c);

#endif
