/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_HEAP_PLACES_H
#define RECORD_HEAP_PLACES_H
/*
 * Where memory is allocated: the functions of all files that the recorded processes map, with
 * probes in each of these processes. A command that perf starts is probed in the files that it will
 * map before it runs, as its loader lists them; what is mapped later is probed when its record
 * comes.
 */
#include "util/bpf/heapprog.h"
#include "util/wire/wire.h"

struct heap_places;

/* programs: borrowed. all: of any process. */
struct heap_places *heap_places_new(struct heapprog *programs, const struct os *os, bool all);
void heap_places_free(struct heap_places *p);		/* the probes go, too; NULL is fine */
/* All processes are probed in it, also before they map it. First of all. */
int heap_places_add_library(struct heap_places *p, const char *path, struct err *err);
/* Before the command is started that pid will be. */
int heap_places_add_command(struct heap_places *p, pid_t pid, const char *const *argv,
			    struct err *err);
/* A side-band record. A process or file that is gone is no error; the first other one is kept. */
void heap_places_record(struct heap_places *p, const struct perf_event_header *rec);
/* The reason of what could not be probed; borrowed. NULL: nothing. */
const struct err *heap_places_failure(const struct heap_places *p);
u64 heap_places_probed(const struct heap_places *p);	/* files, by process */
/* From here on programs run. Those of them that were mapped later, some milliseconds before they
 * were probed. name: of the first, in its process; borrowed. */
void heap_places_begin(struct heap_places *p);
u64 heap_places_late(const struct heap_places *p, const char **name);

#endif
