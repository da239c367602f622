/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_MEM_H
#define BUILTIN_MEM_H
/*
 * What perf mem record and perf c2c record have in common (builtin-mem-record.c).
 */
#include "builtin-picture.h"
#include "util/cli/options.h"

struct mem_recording {
	const char *const *words;	/* "mem", "record", NULL */
	opt_list events;		/* -e; "list" prints them; the caller frees */
	const char *cpus;		/* -C; NULL: as perf record has it */
	int ldlat;			/* least latency of loads; 0: the default */
	bool loads, stores;		/* only these; neither: both */
	bool phys, page_size, sample_cpu, kernel, user;
};

/* The events, and perf record with them, the options in r, and the command in argv[0..n). Returns
 * the exit status; a message was printed. */
int mem_record_run(struct mem_recording *m, const struct picture_record *r, int n,
		   const char **argv);

#endif
