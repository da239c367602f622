// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"

struct sort_key { const char *name; int (*cmp)(const struct latency_row *a,
					       const struct latency_row *b); };
#define MAX_KEYS 8

struct latency {
	struct sched *sched;
	bool per_task;
	int_vec cpus;
	const struct sort_key *keys[MAX_KEYS];
	size_t n_keys;
	VEC(struct latency_row) by_task;	/* by task index */
	VEC(struct latency_row) rows;
};

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int cmp_avg(const struct latency_row *a, const struct latency_row *b)
{
	return cmp_u64(a->n_delays ? a->delay_ns / a->n_delays : 0, b->n_delays ?
		       b->delay_ns / b->n_delays : 0);
}

static int cmp_max(const struct latency_row *a, const struct latency_row *b)
{
	return cmp_u64(a->max_ns, b->max_ns);
}

static int cmp_switch(const struct latency_row *a, const struct latency_row *b)
{
	return cmp_u64(a->n_delays, b->n_delays);
}

static int cmp_runtime(const struct latency_row *a, const struct latency_row *b)
{
	return cmp_u64(a->run_ns, b->run_ns);
}

static int cmp_pid(const struct latency_row *a, const struct latency_row *b)
{
	return cmp_u64(a->tid, b->tid);
}

static const struct sort_key sort_keys[] = {
	{ "avg", cmp_avg }, { "max", cmp_max }, { "switch", cmp_switch },
		{ "runtime", cmp_runtime }, { "pid", cmp_pid },
};

static int parse_sort(struct latency *l, const char *text, struct err *err)
{
	char *copy = xstrdup(text ? text : "avg,max,switch,runtime"), *save = NULL;
	int ret = 0;

	for (char *w = strtok_r(copy, ", ", &save); w && !ret; w = strtok_r(NULL, ", ", &save)) {
		const struct sort_key *key = NULL;

		for (size_t i = 0; i < ARRAY_SIZE(sort_keys); i++) {
			if (!strcmp(sort_keys[i].name, w))
				key = &sort_keys[i];
		}
		if (!key || l->n_keys == MAX_KEYS) {
			ret = err_set(err, EINVAL, "unknown sort key '%s'", w);
			err_hint(err, "the keys are: avg, max, switch, runtime, pid");
		} else {
			l->keys[l->n_keys++] = key;
		}
	}
	free(copy);
	return ret;
}

static bool cpu_wanted(const struct latency *l, int cpu)
{
	return !l->cpus.n || int_list_has(&l->cpus, cpu);
}

static struct latency_row *row_of(struct latency *l, const struct sched_task *task)
{
	while (l->by_task.n <= (size_t)task->index)
		(void)vec_add(&l->by_task);
	return &l->by_task.v[task->index];
}

static void row_delay(struct latency_row *row, u64 delay_ns, u64 start_ns, u64 end_ns)
{
	row->n_delays++;
	row->delay_ns += delay_ns;
	if (!row->hist)
		row->hist = xnew(struct ns_hist);
	ns_hist_add(row->hist, delay_ns);
	if (delay_ns > row->max_ns) {	/* as elsewhere: delays of 0 have no place */
		row->max_ns = delay_ns;
		row->max_start_ns = start_ns;
		row->max_end_ns = end_ns;
	}
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct latency *l = ctx;

	if (!cpu_wanted(l, sw->cpu->cpu))
		return;
	if (!sw->prev->idle && sw->run_known)
		row_of(l, sw->prev)->run_ns += sw->run_ns;
	if (!sw->next->idle && sw->next_delay_known)
		row_delay(row_of(l, sw->next), sw->next_delay_ns, sw->next_ready_ns, sw->t_ns);
}

struct latency *latency_new(struct sched *s, const struct latency_opts *opts, struct err *err)
{
	struct latency *l = xnew(struct latency);

	l->sched = s;
	l->per_task = opts->per_task;
	if (parse_sort(l, opts->sort, err) ||
	    (opts->cpus && parse_int_list(opts->cpus, &l->cpus, err))) {
		latency_free(l);
		return NULL;
	}
	sched_observe(s, &(struct sched_observer){ .ctx = l, .switched = on_switch });
	return l;
}

void latency_free(struct latency *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->by_task.n; i++)
		free(l->by_task.v[i].hist);
	for (size_t i = 0; i < l->rows.n; i++)
		free(l->rows.v[i].hist);
	vec_free(&l->by_task);
	vec_free(&l->rows);
	vec_free(&l->cpus);
	free(l);
}

/* Adds one task to its row and takes its histogram. */
static void row_merge(struct latency_row *row, struct latency_row *from)
{
	row->n_tasks++;
	row->run_ns += from->run_ns;
	row->n_delays += from->n_delays;
	row->delay_ns += from->delay_ns;
	if (from->max_ns > row->max_ns) {
		row->max_ns = from->max_ns;
		row->max_start_ns = from->max_start_ns;
		row->max_end_ns = from->max_end_ns;
	}
	if (!row->hist) {
		row->hist = from->hist;
	} else if (from->hist) {
		ns_hist_merge(row->hist, from->hist);
		free(from->hist);
	}
	from->hist = NULL;
}

static int cmp_rows(const void *pa, const void *pb, void *ctx)
{
	const struct latency_row *a = pa, *b = pb;
	const struct latency *l = ctx;
	int ret = 0;

	for (size_t i = 0; i < l->n_keys && !ret; i++)
		ret = l->keys[i]->cmp(a, b);
	return ret ? ret : a->tid < b->tid ? -1 : a->tid > b->tid;
}

size_t latency_rows(struct latency *l, const struct latency_row **out)
{
	struct sched_task *const *tasks;
	struct strmap by_comm = { 0 };
	size_t n = sched_tasks(l->sched, &tasks);

	for (size_t i = 0; i < n && i < l->by_task.n; i++) {
		struct latency_row *from = &l->by_task.v[i];
		size_t at;

		if (tasks[i]->idle || (!from->n_delays && !from->run_ns))
			continue;
		at = l->per_task ? 0 : (size_t)(uintptr_t)strmap_get(&by_comm, tasks[i]->comm);
		if (!at) {
			*vec_add(&l->rows) = (struct latency_row){ .comm = tasks[i]->comm,
								   .tid = tasks[i]->tid };
			at = l->rows.n;
			if (!l->per_task)
				strmap_put(&by_comm, tasks[i]->comm, (void *)(uintptr_t)at);
		}
		row_merge(&l->rows.v[at - 1], from);
		*from = (struct latency_row){ 0 };
	}
	strmap_release(&by_comm);
	if (l->rows.n)
		qsort_r(l->rows.v, l->rows.n, sizeof(*l->rows.v), cmp_rows, l);
	*out = l->rows.v;
	return l->rows.n;
}
