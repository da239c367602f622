// SPDX-License-Identifier: GPL-2.0-or-later
// uprobe: what a BPF program on a function of the C library costs those that call it.
#include "util/bench/bench-priv.h"

#include <unistd.h>

/* " +12 to baseline +3 to previous" */
static void print_difference(const struct bench *b, double us, double n, const char *unit,
			     int digits)
{
	const u64 before[] = { b->baseline_us, b->previous_us };
	static const char *const names[] = { "baseline", "previous" };

	for (int i = 0; i < 2; i++)
		if (before[i] && (!i || before[1] != before[0]))
			fprintf(b->out, " %+.*f%s to %s", digits,
				(us - (double)before[i]) / n, unit, names[i]);
}

static void print_calls(struct bench *b, u64 us, int n)
{
	if (b->simple) {
		fprintf(b->out, "%llu\n", (unsigned long long)us);
	} else {
		fprintf(b->out, "# Executed %d usleep(1000) calls\n", n);
		fprintf(b->out, " %14s: %llu usecs", "Total time", (unsigned long long)us);
		print_difference(b, (double)us, 1, "", 0);
		fprintf(b->out, "\n\n %.3f usecs/op", n ? (double)us / n : 0);
		print_difference(b, (double)us, MAX(n, 1), " usecs/op", 3);
		fprintf(b->out, "\n");
	}
	b->previous_us = us;
}

static u64 sleep_often(int n)
{
	const u64 from = bench_now_us();

	for (int i = 0; i < n; i++)
		usleep(1000);
	return bench_now_us() - from;
}

int bench_uprobe_baseline(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_uprobe_opts *o = opts;
	const u64 us = sleep_often(o->loops);

	(void)err;
	print_calls(b, us, o->loops);
	b->baseline_us = us;
	return 0;
}
