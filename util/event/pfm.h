/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_PFM_H
#define EVENT_PFM_H
/*
 * The vendors' names of hardware events, through libpfm4 (man 3 libpfm): "RETIRED_INSTRUCTIONS:u",
 * "inst_retired:any_p:c=1:i", "skl::INST_RETIRED.ANY". The library is loaded by the first call, and
 * knows the events of the CPU that it finds here, or of the one that LIBPFM_FORCE_PMU names.
 *
 * Any thread.
 */
#include "util/event/event.h"

/* -ENOENT: no such event; -EINVAL: of that event not all is right; -ENOTSUP: the library cannot be
 * loaded, or knows no CPU like this one. attr: all of it is set, without a period where the text
 * has none. The message of err says why; err may be NULL. */
int pfm_encode(const char *text, struct perf_event_attr *attr, struct err *err);

struct pfm_event { const char *pmu, *name, *desc; };
/* Each event of the PMUs that are here, but for those that the kernel names itself; unit masks:
 * "NAME:MASK", each one. The strings are valid during the call. */
void pfm_each(void (*fn)(void *ctx, const struct pfm_event *e), void *ctx);

#endif
