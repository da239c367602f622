// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line for each sample, in the order of time, as CSV (RFC 4180) with a line of names above.
 * Columns: perf-export(1).
 */
#include "util/base/csv.h"

#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/base/json.h"
#include "util/base/xalloc.h"
#include "util/export/rows.h"
#include "util/export/samples-json.h"
#include "util/export/text.h"

static const char columns[] = "time_ns,event,pid,tid,comm,cpu,period,address,function,dso,file,"
	"line,stack,fields\r\n";

static void add_number(struct str *out, bool known, u64 v)
{
	if (known)
		str_add_u64(out, v);
	str_addch(out, ',');
}

static void add_text(struct str *out, const char *text)
{
	csv_add_text(out, ",", text ? text : "");
	str_addch(out, ',');
}

/* Where it was. */
static void add_leaf(struct str *out, const struct stack_frame *f)
{
	str_add(out, "0x");
	str_add_hex(out, f->rva, 1);
	str_addch(out, ',');
	add_text(out, f->unnamed ? "" : f->name);
	add_text(out, f->dso ? f->dso->path : "");
	add_text(out, f->file);
	add_number(out, f->file, f->line);
}

static void add_fields(struct export_rows *x, const struct sample *s)
{
	struct json j;

	str_reset(&x->scratch);
	json_init(&j, &x->scratch);
	if (samples_json_object(&j, NULL, s, x->job.swap))
		csv_add_quoted(&x->out, x->scratch.buf, x->scratch.len);
}

static void add_sample(struct export_rows *x, const struct sink_item *it)
{
	const u32 node = stacks_add(x->stacks, it);
	const struct sample *s = it->sample;
	struct str *out = &x->out;

	add_number(out, s->present & PERF_SAMPLE_TIME, s->time_ns);
	add_text(out, s->event ? s->event->name : "");
	str_addf(out, "%d,%d,", (s32)s->pid, (s32)s->tid);
	add_text(out, it->res->comm ? it->res->comm->name : "");
	add_number(out, s->present & PERF_SAMPLE_CPU, s->cpu);
	add_number(out, true, hist_period(s));
	add_leaf(out, export_rows_leaf(x, node));
	str_reset(&x->scratch);
	frame_texts_add(&x->frames, x->stacks, node, &x->scratch);
	add_text(out, str_cstr(&x->scratch));
	add_fields(x, s);
	str_add(out, "\r\n");
	export_flush(x->job.fp, out, 1 << 16);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct export_rows *x = sink->ctx;

	for (size_t i = 0; i < n; i++)
		add_sample(x, &items[i]);
	x->n += n;
}

static void *begin_csv(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct export_rows *x = xnew(struct export_rows);

	export_rows_begin(x, job, &export_folded_frames,
			  (struct stacks_opts){ .detail = STACKS_ADDRESSES, .lines = true },
			  on_samples);
	x->sink.ctx = x;
	str_add(&x->out, columns);
	*sink = &x->sink;
	return x;
}

static int end_csv(void *state, u64 *n, struct err *err UNUSED)
{
	struct export_rows *x = state;

	export_flush(x->job.fp, &x->out, 0);
	*n = x->n;
	return 0;
}

static void free_csv(void *state)
{
	export_rows_release(state);
	free(state);
}

const struct exporter export_csv = {
	.format = "csv", .help = "a line for each sample, with its stack folded",
	.items = "samples", .begin = begin_csv, .end = end_csv, .free = free_csv,
};
