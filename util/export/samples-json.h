/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SAMPLES_JSON_H
#define EXPORT_SAMPLES_JSON_H
/*
 * "perf data convert --to-json": the header's facts and all samples as one JSON document, version 1
 * of upstream perf's layout. A sink; writes as it goes. The part of a document about the file comes
 * from the caller, since files are not known here.
 */
#include <stdio.h>

#include "util/base/json.h"
#include "util/stream/sink.h"

struct samples_json;
/* "perf sched script --json": an array of events, whose tracepoint fields are an object of their
 * own, and numbers are numbers. */
struct samples_json *samples_json_events_new(FILE *fp, bool swap);
struct sink *samples_json_sink(struct samples_json *j);
u64 samples_json_end(struct samples_json *j);	/* number of samples */
void samples_json_free(struct samples_json *j);
/* A tracepoint's fields as an object, in which numbers are numbers, under key (NULL: where a value
 * goes); false, and nothing is added: it has none. */
bool samples_json_object(struct json *j, const char *key, const struct sample *sample, bool swap);

#endif
