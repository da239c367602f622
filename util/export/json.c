// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All samples as one JSON document, for programs: numbers are numbers, and each frame says all that
 * is known of it. Layout: perf-export(1).
 */
#include "util/base/json.h"

#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/base/xalloc.h"
#include "util/export/rows.h"
#include "util/export/samples-json.h"
#include "util/export/text.h"

struct json_export {
	struct export_rows rows;
	struct json json;
};

static void add_hex(struct json *j, const char *key, u64 v)
{
	char text[24] = "0x";

	snprintf(text + 2, sizeof(text) - 2, "%llx", (unsigned long long)v);
	json_key_str(j, key, text);
}

static void add_frame(struct str *out, const struct stack_frame *f)
{
	struct json j;
	struct str id = STR_INIT;

	json_init(&j, out);
	json_open(&j, '{');
	json_key_str(&j, "function", f->unnamed ? NULL : f->name);
	json_key_str(&j, "dso", f->dso ? f->dso->path : NULL);
	if (f->dso)
		build_id_add(&id, &f->dso->id);
	if (id.len)
		json_key_str(&j, "build_id", id.buf);
	add_hex(&j, "address", f->rva);
	if (f->func_rva && f->rva >= f->func_rva)
		json_key_u64(&j, "offset", f->rva - f->func_rva);
	if (f->file) {
		json_key_str(&j, "file", f->file);
		json_key_u64(&j, "line", f->line);
	}
	if (f->inlined) {
		json_key(&j, "inlined");
		json_bool(&j, true);
	}
	json_close(&j, '}');
	str_release(&id);
}

static void add_sample(struct json_export *x, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	struct json *j = &x->json;
	struct str *stack = &x->rows.scratch;

	json_open(j, '{');
	if (s->present & PERF_SAMPLE_TIME)
		json_key_u64(j, "time_ns", s->time_ns);
	json_key_str(j, "event", s->event ? s->event->name : NULL);
	json_key(j, "pid");
	json_s64(j, (s32)s->pid);
	json_key(j, "tid");
	json_s64(j, (s32)s->tid);
	json_key_str(j, "comm", it->res->comm ? it->res->comm->name : "");
	if (s->present & PERF_SAMPLE_CPU)
		json_key_u64(j, "cpu", s->cpu);
	json_key_u64(j, "period", hist_period(s));
	if (s->present & PERF_SAMPLE_ADDR)
		add_hex(j, "data_address", s->addr);
	samples_json_object(j, "fields", s, x->rows.job.swap);
	str_reset(stack);
	str_add(stack, "[");
	frame_texts_add(&x->rows.frames, x->rows.stacks, stacks_add(x->rows.stacks, it), stack);
	str_add(stack, "]");
	json_key(j, "stack");
	json_raw(j, stack->buf);
	json_close(j, '}');
	str_addch(&x->rows.out, '\n');
	export_flush(x->rows.job.fp, &x->rows.out, 1 << 16);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct json_export *x = sink->ctx;

	for (size_t i = 0; i < n; i++)
		add_sample(x, &items[i]);
	x->rows.n += n;
}

static void *begin_json(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	const struct frame_texts frames = { .make = add_frame, .between = "," };
	struct json_export *x = xnew(struct json_export);

	export_rows_begin(&x->rows, job, &frames,
			  (struct stacks_opts){ .detail = STACKS_ADDRESSES, .lines = true },
			  on_samples);
	x->rows.sink.ctx = x;
	json_init(&x->json, &x->rows.out);
	json_open(&x->json, '{');
	json_key_u64(&x->json, "perf_export_version", 1);
	json_key(&x->json, "header");
	json_raw(&x->json, job->facts.json);
	json_key(&x->json, "samples");
	json_open(&x->json, '[');
	*sink = &x->rows.sink;
	return x;
}

static int end_json(void *state, u64 *n, struct err *err UNUSED)
{
	struct json_export *x = state;

	json_close(&x->json, ']');
	json_close(&x->json, '}');
	str_addch(&x->rows.out, '\n');
	export_flush(x->rows.job.fp, &x->rows.out, 0);
	*n = x->rows.n;
	return 0;
}

static void free_json(void *state)
{
	struct json_export *x = state;

	export_rows_release(&x->rows);
	free(x);
}

const struct exporter export_json = {
	.format = "json", .help = "all samples with their frames as one JSON document",
	.items = "samples", .begin = begin_json, .end = end_json, .free = free_json,
};
