/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_CATALOG_H
#define EVENT_CATALOG_H
/*
 * All events that can be named on this machine, for "perf list" and for completion.
 */
#include "util/base/table.h"
#include "util/event/event.h"

enum catalog_kind { CATALOG_HW, CATALOG_SW, CATALOG_CACHE, CATALOG_PMU, CATALOG_TOOL,
		    CATALOG_RAW, CATALOG_BREAKPOINT, CATALOG_TRACEPOINT,
		    CATALOG_VENDOR, CATALOG_HWMON, CATALOG_DRM, CATALOG_N };

struct catalog_entry {
	enum catalog_kind kind;
	char *name;		/* owned; "msr/tsc/", "sched:sched_switch" */
	char *alias;		/* another name ("cs") or NULL; owned */
	char *unit;		/* the PMU's name; owned */
	char *encoding;		/* "software/config=0x3/" or NULL; owned */
	const char *desc;	/* one line or NULL; stays */
	char *made_desc;	/* the same, where it was made for this machine; owned */
	char *scale_unit;	/* "0.001'C" or NULL; owned */
	bool supported;		/* hardware and cache events: the kernel opens it */
};
typedef VEC(struct catalog_entry) catalog;

const char *catalog_kind_name(enum catalog_kind k);	/* "Hardware event" */
/* Adds all entries of the kinds (bits 1 << kind), in alphabetical order within a kind.
 * Tracepoints that cannot be read: the error of os_tracefs(), the rest is there. */
int catalog_read(catalog *c, unsigned kinds, struct os *os, struct pmu_db *db, struct err *err);
void catalog_release(catalog *c);

/* As rows, with the keys of upstream's "list -j"; os: to look up the encodings of tracepoints,
 * NULL: without. */
void catalog_table_begin(struct table *t);
void catalog_table_add(struct table *t, const struct catalog_entry *e, const struct os *os);

#endif
