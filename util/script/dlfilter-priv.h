/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_DLFILTER_PRIV_H
#define SCRIPT_DLFILTER_PRIV_H
/*
 * Inside of filters in shared objects: loading and the sink in dlfilter.c, what they ask in
 * dlfilter-functions.c.
 */
#include "include/perf/perf_dlfilter.h"
#include "util/base/vec.h"
#include "util/disasm/disasm.h"
#include "util/script/dlfilter.h"

struct dlfilter {
	struct sink sink;			/* first */
	const struct dlfilter_opts *opts;
	struct sink *to;
	struct machine *machine;
	void *library;
	void *data;				/* the filter's own */
	__typeof__(start) *start;
	__typeof__(stop) *stop;
	__typeof__(filter_event) *filter, *early;
	const struct sink_item *now;		/* NULL: no sample is looked at */
	struct perf_dlfilter_al ip, addr;	/* what was handed out of it */
	struct perf_event_attr attr;
	struct disasm *disasm;
	struct insn insn;
	VEC(char *) args;			/* ended by NULL */
	int failed;				/* what a function of it returned */
};

/* What is handed to the filter in its perf_dlfilter_fns. */
void dlfilter_functions(struct perf_dlfilter_fns *fns);

#endif
