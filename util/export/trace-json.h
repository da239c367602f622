/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_TRACE_JSON_H
#define EXPORT_TRACE_JSON_H
/*
 * A scheduler recording as trace events for viewers of Chrome's and Perfetto's JSON (one array of
 * events with ph, ts and dur in microseconds): process 1 has a track for each CPU with the task
 * that ran, each recorded process one for each of its threads with its states. An observer of the
 * scheduler model; writes as it goes. One owner.
 */
#include <stdio.h>

#include "util/analysis/sched.h"

struct trace_json;
struct trace_json *trace_json_new(struct sched *s, FILE *fp);
/* After sched_close(): open runs, names of tracks, the end of the document. Number of events
 * written. */
u64 trace_json_end(struct trace_json *t);
void trace_json_free(struct trace_json *t);

#endif
