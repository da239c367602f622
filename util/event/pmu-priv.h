/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_PMU_PRIV_H
#define EVENT_PMU_PRIV_H
/*
 * The PMUs of sysfs (/sys/bus/event_source/devices): each is read when it is first asked for.
 */
#include "util/event/event-priv.h"

#define PMU_DIR "/sys/bus/event_source/devices"

struct pmu_bits { int from, to; };
struct pmu_format {		/* "config1:0-7,32" */
	char *name;
	int word;		/* 0 config, 1 config1, 2 config2, 3 config3 */
	VEC(struct pmu_bits) bits;
};

struct pmu {
	char *name;
	u32 type;
	bool core;		/* has "cpus": counts instructions of CPUs of one kind */
	int_vec cpus;		/* of "cpus" or "cpumask"; empty: all */
	VEC(struct pmu_format) formats;
	os_names events;	/* names of its own events, without .unit and .scale */
	bool read;
};

struct pmu_db {
	const struct os *os;
	os_names names;
	VEC(struct pmu *) pmus;	/* those that were looked at, in the order of names */
	bool listed;
	int n_core;		/* -1: not yet counted */
};

/* Those that the name means: itself, NAME_0 NAME_1..., uncore_NAME_0..., or a glob. */
typedef VEC(const struct pmu *) pmu_vec;
void pmu_match(struct pmu_db *db, const char *name, pmu_vec *out);
/* The core PMUs when there is more than one kind of CPU, else none. */
void pmu_hybrid(struct pmu_db *db, pmu_vec *out);
void pmu_all(struct pmu_db *db, pmu_vec *out);
const struct pmu_format *pmu_format(const struct pmu *p, const char *name);
int pmu_format_width(const struct pmu_format *f);	/* bits */
/* Puts a value into the words of the attr that the format names; false: it does not fit (*max
 * the largest that does). */
bool pmu_format_set(const struct pmu_format *f, struct perf_event_attr *attr, u64 value, u64 *max);
/* Its own spelling of the event, NULL when it has none of this name; capitals do not matter. */
const char *pmu_event(const struct pmu *p, const char *event);
/* "event=0x3c,umask=1", its unit and scale (both may be absent: NULL, 1.0). */
int pmu_event_text(const struct pmu_db *db, const struct pmu *p, const char *event, struct str *out,
		   char **unit, double *scale,
		   struct err *err);

#endif
