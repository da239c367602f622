// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A row for each sample, in the order of time, as Parquet, for DuckDB, Spark, ClickHouse and
 * others. Columns: perf-export(1). With --partition the output is a directory, to which each
 * recording adds a file for each hour of the day that it has samples of:
 * host=NAME/hour=2026-01-31T23/....parquet.
 */
#include "util/export/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <time.h>

#include "util/analysis/hist/hist.h"
#include "util/base/xalloc.h"
#include "util/export/parquet-file.h"
#include "util/export/part.h"
#include "util/export/samples-json.h"
#include "util/export/wall.h"

#define HOUR_NS (3600 * 1000000000ull)

enum { COL_TIME, COL_TIME_NS, COL_HOST, COL_EVENT, COL_COMM, COL_PID, COL_TID, COL_CPU, COL_PERIOD,
       COL_WEIGHT, COL_ADDRESS, COL_FUNCTION, COL_DSO, COL_BUILD_ID, COL_FILE, COL_LINE,
       COL_STACK, COL_FIELDS, N_COLUMNS };
static const struct parquet_column columns[N_COLUMNS] = {
	[COL_TIME] = { "time", PARQUET_TIME, true },
	[COL_TIME_NS] = { "time_ns", PARQUET_I64, true },
	[COL_HOST] = { "host", PARQUET_NAME, true },
	[COL_EVENT] = { "event", PARQUET_NAME, false },
	[COL_COMM] = { "comm", PARQUET_NAME, false },
	[COL_PID] = { "pid", PARQUET_I32, false },
	[COL_TID] = { "tid", PARQUET_I32, false },
	[COL_CPU] = { "cpu", PARQUET_I32, true },
	[COL_PERIOD] = { "period", PARQUET_I64, false },
	[COL_WEIGHT] = { "weight", PARQUET_I64, true },
	[COL_ADDRESS] = { "address", PARQUET_I64, false },
	[COL_FUNCTION] = { "function", PARQUET_NAME, true },
	[COL_DSO] = { "dso", PARQUET_NAME, true },
	[COL_BUILD_ID] = { "build_id", PARQUET_NAME, true },
	[COL_FILE] = { "file", PARQUET_NAME, true },
	[COL_LINE] = { "line", PARQUET_I32, true },
	[COL_STACK] = { "stack", PARQUET_NAME, false },
	[COL_FIELDS] = { "fields", PARQUET_JSON, true },
};

struct parquet_export {
	struct export_rows rows;
	struct parquet_file *file;
	/* --partition: */
	u64 hour;			/* of the file at hand, since 1970 */
	struct export_part part;
	int ret;			/* the first failure; err has it */
	struct err err;
};

/* ---- rows ---- */

static void add_number(struct parquet_file *f, size_t column, bool known, u64 v)
{
	if (known)
		parquet_number(f, column, (s64)v);
	else
		parquet_null(f, column);
}

static void add_text(struct parquet_file *f, size_t column, const char *text)
{
	if (text)
		parquet_text(f, column, text);
	else
		parquet_null(f, column);
}

/* A text of a frame is looked for once in each row group. */
static void add_frame_text(struct parquet_export *x, size_t column, u32 frame, const char *text)
{
	if (!text)
		parquet_null(x->file, column);
	else if (!parquet_named(x->file, column, frame))
		parquet_name(x->file, column, frame, text);
}

/* Where it was: function to line. */
static void add_leaf(struct parquet_export *x, u32 frame)
{
	const struct stack_frame *f = &stacks_frames(x->rows.stacks)[frame];

	str_reset(&x->rows.scratch);
	if (f->dso)
		build_id_add(&x->rows.scratch, &f->dso->id);
	parquet_number(x->file, COL_ADDRESS, (s64)f->rva);
	add_frame_text(x, COL_FUNCTION, frame, f->unnamed ? NULL : f->name);
	add_frame_text(x, COL_DSO, frame, f->dso ? f->dso->path : NULL);
	add_frame_text(x, COL_BUILD_ID, frame, x->rows.scratch.len ? x->rows.scratch.buf : NULL);
	add_frame_text(x, COL_FILE, frame, f->file);
	add_number(x->file, COL_LINE, f->file, f->line);
}

static void add_stack(struct parquet_export *x, u32 node)
{
	if (parquet_named(x->file, COL_STACK, node))
		return;
	str_reset(&x->rows.scratch);
	frame_texts_add(&x->rows.frames, x->rows.stacks, node, &x->rows.scratch);
	parquet_name(x->file, COL_STACK, node, str_cstr(&x->rows.scratch));
}

static void add_fields(struct parquet_export *x, const struct sample *s)
{
	struct json j;

	str_reset(&x->rows.scratch);
	json_init(&j, &x->rows.scratch);
	if (samples_json_object(&j, NULL, s, x->rows.job.swap))
		parquet_text(x->file, COL_FIELDS, str_cstr(&x->rows.scratch));
	else
		parquet_null(x->file, COL_FIELDS);
}

static void add_sample(struct parquet_export *x, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u32 node = stacks_add(x->rows.stacks, it);
	const bool timed = s->present & PERF_SAMPLE_TIME;
	struct parquet_file *f = x->file;

	add_number(f, COL_TIME, timed && x->rows.job.facts.has_tod,
		   export_wall_ns(&x->rows.job.facts, s->time_ns));
	add_number(f, COL_TIME_NS, timed, s->time_ns);
	add_text(f, COL_HOST, x->rows.job.facts.host);
	parquet_text(f, COL_EVENT, s->event ? s->event->name : "");
	parquet_text(f, COL_COMM, it->res->comm ? it->res->comm->name : "");
	parquet_number(f, COL_PID, (s32)s->pid);
	parquet_number(f, COL_TID, (s32)s->tid);
	add_number(f, COL_CPU, s->present & PERF_SAMPLE_CPU, s->cpu);
	parquet_number(f, COL_PERIOD, (s64)hist_period(s));
	add_number(f, COL_WEIGHT, s->present & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT),
		   s->weight);
	add_leaf(x, stacks_nodes(x->rows.stacks)[node].what);
	add_stack(x, node);
	add_fields(x, s);
	parquet_row(f);
	x->rows.n++;
}

/* ---- files of a partition ---- */

/* As in other tools' names of this kind: what is no letter, digit or one of -_. is %XX. */
static void add_escaped(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (isalnum((u8)*text) || strchr("-_.", *text))
			str_addch(out, *text);
		else
			str_addf(out, "%%%02X", (u8)*text);
	}
}

/* The recording's first sample of the hour names the file: once more exported, it is the same. */
static void part_path(struct parquet_export *x, u64 wall_ns, u64 time_ns, struct str *path)
{
	const time_t t = (time_t)(wall_ns / 1000000000);
	const char *host = x->rows.job.facts.host;
	char hour[32] = "";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(hour, sizeof(hour), "%Y-%m-%dT%H", &tm);
	str_addf(path, "%s/host=", x->rows.job.out_path);
	add_escaped(path, host && *host ? host : "unknown");
	str_addf(path, "/hour=%s/perf-%llu-%llu.parquet", hour, (unsigned long long)wall_ns,
		 (unsigned long long)time_ns);
}

static int end_part(struct parquet_export *x)
{
	if (!x->file || x->ret)
		return x->ret;
	parquet_close(x->file);
	parquet_free(x->file);
	x->file = NULL;
	return export_part_commit(&x->part, &x->err);
}

static int open_part(struct parquet_export *x, const char *path)
{
	const int ret = export_part_open(&x->part, path, x->rows.job.force, &x->err);

	if (!ret)
		x->file = parquet_open(x->part.fp, columns, N_COLUMNS);
	return ret;
}

/* Without a time of the day, the hour is that when the recording was written. */
static void part_of(struct parquet_export *x, const struct sample *s)
{
	const u64 known = s->present & PERF_SAMPLE_TIME ?
		export_wall_ns(&x->rows.job.facts, s->time_ns) : 0;
	const u64 wall = known ? known : x->rows.job.facts.captured_s * 1000000000;
	struct str path = STR_INIT;

	if (x->file && x->hour == wall / HOUR_NS)
		return;
	x->hour = wall / HOUR_NS;
	x->ret = end_part(x);
	part_path(x, wall, s->time_ns, &path);
	if (!x->ret)
		x->ret = open_part(x, path.buf);
	str_release(&path);
}

/* ---- the whole ---- */

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct parquet_export *x = sink->ctx;

	for (size_t i = 0; i < n && !x->ret; i++) {
		if (x->rows.job.partition)
			part_of(x, items[i].sample);
		if (!x->ret)
			add_sample(x, &items[i]);
	}
	sink->stop = x->ret;
}

static void *begin_parquet(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct parquet_export *x = xnew(struct parquet_export);

	export_rows_begin(&x->rows, job, &export_folded_frames,
			  (struct stacks_opts){ .detail = STACKS_ADDRESSES,
						.lines = job->lines },
			  on_samples);
	x->rows.sink.ctx = x;
	if (!job->partition)
		x->file = parquet_open(job->fp, columns, N_COLUMNS);
	*sink = &x->rows.sink;
	return x;
}

static int end_parquet(void *state, u64 *n, struct err *err)
{
	struct parquet_export *x = state;

	if (x->rows.job.partition)
		x->ret = end_part(x);
	else
		parquet_close(x->file);
	*n = x->rows.n;
	if (x->ret) {
		err_release(err);
		*err = x->err;
		x->err = (struct err)ERR_INIT;
	}
	return x->ret;
}

static void free_parquet(void *state)
{
	struct parquet_export *x = state;

	parquet_free(x->file);
	export_part_release(&x->part);
	err_release(&x->err);
	export_rows_release(&x->rows);
	free(x);
}

const struct exporter export_parquet = {
	.format = "parquet", .help = "a row for each sample, for DuckDB, Spark, ClickHouse",
	.items = "samples", .binary = true, .partitions = true, .begin = begin_parquet,
	.end = end_parquet, .free = free_parquet,
};
