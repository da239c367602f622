/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHEDSTAT_H
#define ANALYSIS_SCHEDSTAT_H
/*
 * /proc/schedstat, versions 15 to 17: counters of the scheduler by CPU and by scheduling domain, at
 * two times. As text of the kernel, and as SCHEDSTAT_CPU and SCHEDSTAT_DOMAIN records. One owner.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/table.h"
#include "util/base/vec.h"
#include "util/wire/wire.h"

#define SCHEDSTAT_MAX_FIELDS 48

enum schedstat_cpu_field {
	SCHEDSTAT_YLD_COUNT, SCHEDSTAT_ARRAY_EXP, SCHEDSTAT_SCHED_COUNT, SCHEDSTAT_SCHED_GOIDLE,
		SCHEDSTAT_TTWU_COUNT,
	SCHEDSTAT_TTWU_LOCAL, SCHEDSTAT_RQ_CPU_TIME, SCHEDSTAT_RUN_DELAY, SCHEDSTAT_PCOUNT,
	SCHEDSTAT_CPU_FIELDS,
};

struct schedstat_row {
	u32 cpu;
	int domain;		/* -1: the CPU itself */
	u16 version;
	u64 jiffies;		/* when */
	u64 v[SCHEDSTAT_MAX_FIELDS];
};
typedef VEC(struct schedstat_row) schedstat_rows;	/* each CPU is followed by its domains */

/* The kernel's text, added to out. -EPROTO: a version that is not known; -EINVAL: damaged. */
int schedstat_parse(const char *text, schedstat_rows *out, struct err *err);
void schedstat_encode(const struct schedstat_row *row, struct str *out);	/* one record */
/* 1: added; 0: another type of record; -EINVAL: damaged. */
int schedstat_decode(const struct perf_event_header *rec, schedstat_rows *out);

/* Fields of a CPU row, or of a domain row of that version; 0: the version is not known. */
size_t schedstat_n_fields(u16 version, bool domain);
const char *schedstat_field(u16 version, bool domain, size_t i, char buf[64]);

/* What happened between the first and the last jiffies in rows: one row each, in order.
 * *elapsed: jiffies between. */
void schedstat_delta(const schedstat_rows *rows, schedstat_rows *out, u64 *elapsed);
/* The averages over all CPUs: of the CPUs, then of each domain. */
void schedstat_average(const schedstat_rows *rows, schedstat_rows *out);

/* Only the CPUs in a list (NULL: all). -ENOENT: it has none of them. */
int schedstat_keep_cpus(schedstat_rows *rows, const char *cpus, struct err *err);

/* What is known of a scheduling domain: its name ("SMT"; the kernel tells since version 17) and
 * its CPUs, or NULL. Borrowed. */
struct schedstat_domain { const char *name, *cpus; };
enum { SCHEDSTAT_ANY_CPU = -1 };
typedef struct schedstat_domain (*schedstat_find)(const void *ctx, s64 cpu, int domain);

/* What each CPU and each of its domains counted, and then the averages, which are of no CPU. */
void schedstat_table(const schedstat_rows *each, const schedstat_rows *averages,
		     schedstat_find find, const void *ctx, struct table *out);

#endif
