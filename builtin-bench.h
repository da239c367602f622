/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_BENCH_H
#define BUILTIN_BENCH_H
/*
 * perf bench: its suites, each with its options.
 */
#include "util/bench/bench.h"
#include "util/cli/options.h"

struct bench_suite {
	const char *name, *help;
	int (*run)(struct bench *b, const void *opts, struct err *err);
	const char *usage;			/* its name in the usage line, as upstream has it */
	const struct option_def *options;
	const void *defaults;			/* the options' struct before they are read */
	size_t size;
};

struct bench_collection {
	const char *name, *help;
	const struct bench_suite *suites;	/* ended by a name of NULL */
	const char *all;			/* what "all" runs, or NULL: there is none */
};

extern const struct bench_collection bench_collections[];	/* ended by a name of NULL */

#endif
