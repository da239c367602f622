/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KWORK_PRIV_H
#define ANALYSIS_KWORK_PRIV_H
/*
 * The model of the kernel's work: kwork.c fills it from events, kwork-table.c makes tables of it.
 */
#include "util/analysis/kwork.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/event/per-event.h"

enum kwork_step { KWORK_NOTHING, KWORK_RAISED, KWORK_ENTERS, KWORK_LEAVES };

struct kwork_event {
	enum kwork_class class;
	enum kwork_step step;
	const struct tp_field *id, *name;
};

struct kwork_work {		/* of one CPU */
	enum kwork_class class;
	u64 id;			/* number of the interrupt, address of the work */
	u32 cpu;
	const char *name, *label;
	u64 raised_ns, entered_ns;	/* 0: it is not */
	s64 delay_ns;			/* of the run that goes on; < 0: unknown */
	u64 n, total_ns, max_ns, max_start_ns, max_end_ns;
	size_t order;
};

struct kwork {
	struct kwork_opts opts;
	struct sink sink;
	struct kwork_stats stats;
	bool swap;
	struct machine *machine;
	struct per_event events;	/* struct kwork_event */
	struct hmap by_key;
	VEC(struct kwork_work *) works;
	struct str text;
	struct arena arena;
};

#endif
