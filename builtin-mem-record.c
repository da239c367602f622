// SPDX-License-Identifier: GPL-2.0-or-later
// perf record with the events by which CPUs tell of accesses to memory: perf mem and perf c2c.
#include <stdio.h>
#include <string.h>

#include "builtin-mem.h"
#include "builtin-record.h"
#include "util/cli/error.h"
#include "util/event/mem-events.h"

static void list_event(void *ctx, const char *name, const char *event)
{
	bool *any = ctx;

	printf("%-12s : available  (%s)\n", name, event);
	*any = true;
}

static int list_events(struct os *os, struct pmu_db *db)
{
	bool any = false;

	mem_events_list(os, db, list_event, &any);
	return any ? 0 : cli_errorf("no PMU of this machine has events for accesses of memory");
}

static int run_record(const struct mem_recording *m, const struct picture_record *r,
		      const mem_texts *events, int n, const char **argv)
{
	const struct record_preset p = { .words = m->words };
	opt_list options = { 0 }, line = { 0 };
	int status;

	vec_push(&options, "-W");
	vec_push(&options, "-d");
	if (m->phys)
		vec_push(&options, "--phys-data");
	if (m->page_size)
		vec_push(&options, "--data-page-size");
	if (m->sample_cpu)
		vec_push(&options, "--sample-cpu");
	if (m->kernel)
		vec_push(&options, "--all-kernel");
	if (m->user)
		vec_push(&options, "--all-user");
	if (m->cpus) {
		vec_push(&options, "-C");
		vec_push(&options, m->cpus);
	}
	for vec_each(event, events) {
		vec_push(&options, "-e");
		vec_push(&options, *event);
	}
	for vec_each(word, &r->words)
		vec_push(&options, *word);
	record_line(&line, &options, n, argv);
	status = record_with(&p, (int)line.n - 1, line.v);
	vec_free(&options);
	vec_free(&line);
	return status;
}

int mem_record_run(struct mem_recording *m, const struct picture_record *r, int n,
		   const char **argv)
{
	struct mem_choice c = { .command = m->words[0], .loads = m->loads, .stores = m->stores,
				.ldlat = (unsigned)MAX(m->ldlat, 0) };
	mem_texts texts = { 0 };
	struct err err = ERR_INIT;
	struct pmu_db *db;
	struct os os;
	int status;

	os_init(&os);
	db = pmu_db_new(&os);
	if (m->events.n) {
		vec_push(&m->events, NULL);
		c.names = m->events.v;
	}
	if (c.names && !strcmp(c.names[0], "list"))
		status = list_events(&os, db);
	else if (mem_events_choose(&c, &os, db, &texts, &err))
		status = cli_error(&err);
	else
		status = run_record(m, r, &texts, n, argv);
	mem_texts_release(&texts);
	pmu_db_free(db);
	os_release(&os);
	err_release(&err);
	return status;
}

