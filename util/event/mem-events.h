/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_MEM_EVENTS_H
#define EVENT_MEM_EVENTS_H
/*
 * The events by which PMUs sample accesses of memory, by what sysfs has of them: Intel's mem-loads
 * and mem-stores, AMD's IBS, Arm's SPE.
 */
#include "util/event/event.h"

struct mem_choice {
	bool loads, stores;		/* neither: both */
	const char *const *names;	/* "ldlat-loads": these instead; NULL-ended, or NULL */
	const char *command;		/* "c2c": who asks; NULL: "mem" */
	unsigned ldlat;			/* only what took at least so many cycles; 0: as usual */
};

/* Texts for event_parse(), owned: see mem_texts_release(). */
typedef VEC(char *) mem_texts;
/* -ENOENT: no PMU has such an event, or not one of these names. */
int mem_events_choose(const struct mem_choice *c, struct os *os, struct pmu_db *db, mem_texts *out,
		      struct err *err);
void mem_texts_release(mem_texts *t);
/* fn for each that this machine has: its name, and how it is spelt for event_parse(). */
void mem_events_list(struct os *os, struct pmu_db *db,
		     void (*fn)(void *ctx, const char *name, const char *event), void *ctx);

#endif
