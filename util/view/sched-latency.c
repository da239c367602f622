// SPDX-License-Identifier: GPL-2.0-or-later
/* The latency table in upstream perf's columns; percentiles and the histogram are additions
 * behind options. */
#include "util/base/json.h"
#include "util/view/sched-text.h"

static const char rule[] =
	" -----------------------------------------------------------------------------------------------------------------"
	"--------------------------";

static void add_name(struct str *out, const struct latency_row *row)
{
	size_t from = out->len, n;

	str_add(out, "  ");
	str_add_safe(out, row->comm);
	if (row->n_tasks > 1)
		str_addf(out, ":(%llu) ", (unsigned long long)row->n_tasks);
	else
		str_addf(out, ":%d ", (int)row->tid);
	n = out->len - from;
	if (n < 24)
		str_addchn(out, ' ', 24 - n);
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static void add_seconds(struct str *out, u64 ns)
{
	struct str time = STR_INIT;

	str_add_time(&time, ns, 6);
	str_addf(out, "%12s", str_cstr(&time));
	str_release(&time);
}

static void add_row(struct str *out, const struct latency_row *row, const struct latency_view *v)
{
	u64 avg = row->n_delays ? row->delay_ns / row->n_delays : 0;

	add_name(out, row);
	str_addf(out, "|%11.3f ms |%9llu | avg:%8.3f ms | max:%8.3f ms | max start: ",
		 ms(row->run_ns),
		 (unsigned long long)row->n_delays, ms(avg), ms(row->max_ns));
	add_seconds(out, row->max_start_ns);
	str_add(out, " s | max end: ");
	add_seconds(out, row->max_end_ns);
	str_add(out, " s");
	if (v->percentiles)
		str_addf(out, " | p50:%8.3f ms | p95:%8.3f ms | p99:%8.3f ms",
			 ms(latency_percentile_ns(row, .50)),
			 ms(latency_percentile_ns(row, .95)), ms(latency_percentile_ns(row, .99)));
	str_addch(out, '\n');
}

static void add_duration(struct str *out, u64 ns)
{
	if (ns < 1000)
		str_addf(out, "%llu ns", (unsigned long long)ns);
	else if (ns < 1000000)
		str_addf(out, "%.0f us", (double)ns / 1e3);
	else
		str_addf(out, "%.0f ms", (double)ns / 1e6);
}

#define STEPS (LATENCY_BUCKETS / 8)

/* Delays of all tasks by powers of two: from the first step that has any up to before the last
 * one; total, and the most of a step. */
struct steps { u64 n[STEPS], total, most; int from, to; };

static struct steps steps_of(const struct latency_row *rows, size_t n)
{
	struct steps s = { .from = -1 };

	for (size_t i = 0; i < n; i++) {
		for (int b = 0; rows[i].hist && b < LATENCY_BUCKETS; b++)
			s.n[b / 8] += rows[i].hist->n[b];
	}
	for (int i = 0; i < STEPS; i++) {
		if (!s.n[i])
			continue;
		s.from = s.from < 0 ? i : s.from;
		s.to = i + 1;
		s.most = MAX(s.most, s.n[i]);
		s.total += s.n[i];
	}
	return s;
}

static void add_histogram(struct str *out, const struct latency_row *rows, size_t n)
{
	const struct steps s = steps_of(rows, n);

	if (!s.total)
		return;
	str_add(out, "\n  Delays of all tasks:\n");
	for (int i = s.from; i < s.to; i++) {
		struct str range = STR_INIT;

		add_duration(&range, latency_bucket_ns(i * 8));
		str_add(&range, " - ");
		add_duration(&range, latency_bucket_ns((i + 1) * 8));
		str_addf(out, "  %20s |%9llu |%6.2f%% |", str_cstr(&range),
			 (unsigned long long)s.n[i],
			 100.0 * (double)s.n[i] / (double)s.total);
		str_addchn(out, '#', (size_t)(40 * s.n[i] / s.most));
		str_addch(out, '\n');
		str_release(&range);
	}
}

void sched_add_lost(struct str *out, const struct sched *s, u64 n_records)
{
	const struct sched_stats *st = sched_get_stats(s);

	if (st->n_lost_records)
		str_addf(out, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			 100.0 * (double)st->n_lost / (double)MAX(n_records, (u64)1),
			 (unsigned long long)st->n_lost,
			 (unsigned long long)n_records, (unsigned long long)st->n_lost_records);
}

static void add_totals(struct str *out, const struct latency_row *rows, size_t n,
		       const struct sched *s, u64 n_records)
{
	const struct sched_stats *st = sched_get_stats(s);
	u64 run = 0, delays = 0;

	for (size_t i = 0; i < n; i++) {
		run += rows[i].run_ns;
		delays += rows[i].n_delays;
	}
	str_addn(out, rule, 114);
	str_addf(out, "\n  TOTAL:                |%11.3f ms |%9llu |\n", ms(run),
		 (unsigned long long)delays);
	str_addn(out, rule, 52);
	str_addch(out, '\n');
	if (st->n_gaps)
		str_addf(out, "  INFO: %.3f%% of the context switches do not follow the one "
			      "before: events are missing "
			      "(%llu out of %llu)\n",
			 100.0 * (double)st->n_gaps / (double)MAX(st->n_switches, (u64)1),
			 (unsigned long long)st->n_gaps,
			 (unsigned long long)st->n_switches);
	sched_add_lost(out, s, n_records);
	if (st->n_bad)
		str_addf(out, "  INFO: %llu events without the needed fields were skipped\n",
			 (unsigned long long)st->n_bad);
	str_addch(out, '\n');
}

void latency_print(FILE *fp, struct latency *l, const struct sched *s, const struct latency_view *v)
{
	const struct latency_row *rows;
	size_t n = latency_rows(l, &rows);
	struct str out = STR_INIT;

	str_addf(&out, "\n%s\n  Task                  |   Runtime ms  |  Count   | Avg delay ms    "
		       "| Max delay ms    | Max delay start     "
		 "      | Max delay end          |%s\n%s\n", rule,
		 v->percentiles ? "   p50 delay ms  |   p95 delay ms  |   p99 delay ms  |" : "",
		 rule);
	for (size_t i = 0; i < n; i++)
		add_row(&out, &rows[i], v);
	add_totals(&out, rows, n, s, v->n_records);
	if (v->histogram)
		add_histogram(&out, rows, n);
	fwrite(out.buf, 1, out.len, fp);
	str_release(&out);
}

static void json_row(struct json *j, const struct latency_row *row)
{
	json_open(j, '{');
	json_key_str(j, "comm", row->comm);
	json_key_u64(j, "tid", row->tid);
	json_key_u64(j, "tasks", row->n_tasks);
	json_key_u64(j, "runtime_ns", row->run_ns);
	json_key_u64(j, "count", row->n_delays);
	json_key_u64(j, "delay_ns", row->delay_ns);
	json_key_u64(j, "max_delay_ns", row->max_ns);
	json_key_u64(j, "max_start_ns", row->max_start_ns);
	json_key_u64(j, "max_end_ns", row->max_end_ns);
	json_key_u64(j, "p50_ns", latency_percentile_ns(row, .50));
	json_key_u64(j, "p95_ns", latency_percentile_ns(row, .95));
	json_key_u64(j, "p99_ns", latency_percentile_ns(row, .99));
	json_close(j, '}');
}

/* What each CPU did and in which states each task was: the parts add up to the time that was
 * seen. */
static void json_timelines(struct json *j, const struct sched *s)
{
	static const char *const states[SCHED_NR_STATES] =
		{ "unknown_ns", "running_ns", "runnable_ns", "preempted_ns", "sleeping_ns",
							     "blocked_ns", "iowait_ns", "dead_ns" };
	const struct sched_stats *st = sched_get_stats(s);
	struct sched_task *const *tasks;
	struct sched_cpu *const *cpus;
	size_t n_tasks = sched_tasks(s, &tasks), n_cpus = sched_cpus(s, &cpus);

	json_key(j, "cpus");
	json_open(j, '[');
	for (size_t i = 0; i < n_cpus; i++) {
		if (!cpus[i])
			continue;
		json_open(j, '{');
		json_key_u64(j, "cpu", i);
		json_key_u64(j, "seen_ns", st->last_ns - cpus[i]->first_ns);
		json_key_u64(j, "running_ns", cpus[i]->run_ns);
		json_key_u64(j, "idle_ns", cpus[i]->idle_ns);
		json_key_u64(j, "unknown_ns", cpus[i]->unknown_ns);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_key(j, "timelines");
	json_open(j, '[');
	for (size_t i = 0; i < n_tasks; i++) {
		if (tasks[i]->idle || !tasks[i]->first_ns)
			continue;
		json_open(j, '{');
		json_key_str(j, "comm", tasks[i]->comm);
		json_key_u64(j, "tid", tasks[i]->tid);
		json_key_u64(j, "seen_ns", st->last_ns - tasks[i]->first_ns);
		for (int k = 0; k < SCHED_NR_STATES; k++)
			json_key_u64(j, states[k], tasks[i]->state_ns[k]);
		json_key_u64(j, "runs", tasks[i]->n_runs);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Steps without any are left out. */
static void json_histogram(struct json *j, const struct latency_row *rows, size_t n)
{
	const struct steps s = steps_of(rows, n);

	json_key(j, "histogram");
	json_open(j, '[');
	for (int i = MAX(s.from, 0); i < s.to; i++) {
		if (!s.n[i])
			continue;
		json_open(j, '{');
		json_key_u64(j, "from_ns", latency_bucket_ns(i * 8));
		json_key_u64(j, "to_ns", latency_bucket_ns((i + 1) * 8));
		json_key_u64(j, "count", s.n[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void latency_json(FILE *fp, struct latency *l, const struct sched *s)
{
	const struct sched_stats *st = sched_get_stats(s);
	const struct latency_row *rows;
	size_t n = latency_rows(l, &rows);
	struct str out = STR_INIT;
	struct json j;

	json_init(&j, &out);
	json_open(&j, '{');
	json_key(&j, "tasks");
	json_open(&j, '[');
	for (size_t i = 0; i < n; i++)
		json_row(&j, &rows[i]);
	json_close(&j, ']');
	json_histogram(&j, rows, n);
	json_key_u64(&j, "switches", st->n_switches);
	json_key_u64(&j, "gaps", st->n_gaps);
	json_key_u64(&j, "lost", st->n_lost);
	json_timelines(&j, s);
	json_close(&j, '}');
	str_addch(&out, '\n');
	fwrite(out.buf, 1, out.len, fp);
	str_release(&out);
}
