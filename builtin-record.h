/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_RECORD_H
#define BUILTIN_RECORD_H
/*
 * perf record as the other recording commands (trace, sched, timechart) call it.
 */
#include "util/base/types.h"

struct record_preset {
	const char *const *words;	/* of the command, for the recording: "sched", "record"; NULL ends them */
	const char *const *events;	/* NULL ends them; NULL: none */
	bool system_wide, raw, exclude_perf, callchain;
	u64 period;
	int rt_prio;
	const char *output, *pages;	/* -o, -m; NULL: as always */
};
/* argv: options and command as perf record takes them; they come after what is preset. The exit status. */
int record_with(const struct record_preset *preset, int argc, const char **argv);

#endif
