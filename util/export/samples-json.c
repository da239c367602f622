// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/samples-json.h"

#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/stream/frame.h"
#include "util/export/exporter.h"

struct samples_json {
	struct sink sink;
	FILE *fp;
	struct str out;
	struct json json;
	bool swap;
	bool events;		/* samples_json_events_new() */
	u64 n;
};

static void add_ip(struct json *j, const struct location *l)
{
	struct str ip = STR_INIT;

	str_addf(&ip, "0x%llx", (unsigned long long)l->va);
	json_open(j, '{');
	json_key_str(j, "ip", ip.buf);
	str_release(&ip);
	if (frame_function(l)) {
		json_key_str(j, "symbol", frame_function(l));
		json_key_str(j, "dso", l->dso->short_name);
	}
	json_close(j, '}');
}

static void add_chain(struct json *j, const struct location *frames, u32 n)
{
	json_key(j, "callchain");
	json_open(j, '[');
	for (u32 i = 0; i < n; i++)
		add_ip(j, &frames[i]);
	json_close(j, ']');
}

/* Numbers are texts, as in upstream perf's documents; not in an array of events. */
static void add_field(struct json *j, const struct tp_field *f, struct span raw, bool swap,
		      bool plain)
{
	struct str text = STR_INIT;
	size_t n = 0;

	json_key(j, f->name);
	if (f->is_string) {
		const char *p = tp_read_str(f, raw, swap, &n);

		json_strn(j, p ? p : "", p ? n : 0);
	} else if (f->is_array || f->is_dynamic) {
		const u8 *p = tp_read_bytes(f, raw, swap, &n);

		for (size_t i = 0; p && i < n; i++)
			str_add_hex(&text, p[i], 2);
		json_str(j, str_cstr(&text));
	} else {
		u64 v = tp_read_u64(f, raw, swap);

		str_addf(&text, f->is_signed ? "%lld" : "%llu", (long long)v);
		if (plain)
			json_raw(j, text.buf);
		else
			json_str(j, text.buf);
	}
	str_release(&text);
}

/* A tracepoint's fields as keys and values of the object at hand; plain: numbers are numbers. */
static void add_fields(struct json *j, const struct sample *sample, bool swap, bool plain)
{
	const struct tp_format *f = sample->event ? sample->event->format : NULL;

	for (size_t i = 0; f && sample->raw.len && i < tp_n_fields(f); i++) {
		const struct tp_field *field = tp_field_at(f, i);

		if (!str_has_prefix(field->name, "common_"))
			add_field(j, field, sample->raw, swap, plain);
	}
}

bool samples_json_object(struct json *j, const char *key, const struct sample *sample, bool swap)
{
	if (!sample->raw.len || !sample->event || !sample->event->format)
		return false;
	if (key)
		json_key(j, key);
	json_open(j, '{');
	add_fields(j, sample, swap, true);
	json_close(j, '}');
	return true;
}

static void add_sample(struct samples_json *s, const struct sink_item *it)
{
	const struct sample *sample = it->sample;
	struct json *j = &s->json;

	json_open(j, '{');
	if (sample->present & PERF_SAMPLE_TIME)
		json_key_u64(j, "timestamp", sample->time_ns);
	json_key(j, "pid");
	json_s64(j, (s32)sample->pid);
	json_key(j, "tid");
	json_s64(j, (s32)sample->tid);
	if (sample->present & PERF_SAMPLE_CPU)
		json_key_u64(j, "cpu", sample->cpu);
	json_key_str(j, "comm", it->res->comm ? it->res->comm->name : "");
	if (it->res->n_frames)
		add_chain(j, it->res->frames, it->res->n_frames);
	else
		add_chain(j, &it->res->leaf, 1);
	add_fields(j, sample, s->swap, s->events);
	json_close(j, '}');
	str_addch(&s->out, '\n');
	s->n++;
}

static void add_event(struct samples_json *s, const struct sink_item *it)
{
	const struct sample *sample = it->sample;
	struct json *j = &s->json;

	json_open(j, '{');
	json_key_u64(j, "time_ns", sample->time_ns);
	json_key_u64(j, "cpu", sample->cpu);
	json_key_u64(j, "pid", sample->pid);
	json_key_u64(j, "tid", sample->tid);
	json_key_str(j, "comm", it->res->comm ? it->res->comm->name : "");
	json_key_str(j, "event", sample->event ? sample->event->name : "");
	json_key(j, "fields");
	json_open(j, '{');
	add_fields(j, sample, s->swap, s->events);
	json_close(j, '}');
	if (it->res->n_frames)
		add_chain(j, it->res->frames, it->res->n_frames);
	json_close(j, '}');
	str_addch(&s->out, '\n');
	s->n++;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct samples_json *s = sink->ctx;

	for (size_t i = 0; i < n; i++)
		(s->events ? add_event : add_sample)(s, &items[i]);
	if (s->out.len < 1 << 16)
		return;
	fwrite(s->out.buf, 1, s->out.len, s->fp);
	str_reset(&s->out);
}

static struct samples_json *json_new(FILE *fp, bool swap, bool events)
{
	struct samples_json *s = xnew(struct samples_json);

	s->fp = fp;
	s->swap = swap;
	s->events = events;
	s->sink = (struct sink){ .wants = SINK_ORDER | SINK_SYMBOLS | SINK_CHAIN | SINK_THREAD,
				 .ctx = s, .samples = on_samples };
	json_init(&s->json, &s->out);
	return s;
}

static struct samples_json *json_document(FILE *fp, const char *headers, bool swap)
{
	struct samples_json *s = json_new(fp, swap, false);

	json_open(&s->json, '{');
	json_key_u64(&s->json, "linux-perf-json-version", 1);
	json_key(&s->json, "headers");
	json_raw(&s->json, headers);
	json_key(&s->json, "samples");
	json_open(&s->json, '[');
	return s;
}

struct samples_json *samples_json_events_new(FILE *fp, bool swap)
{
	struct samples_json *s = json_new(fp, swap, true);

	json_open(&s->json, '[');
	return s;
}

struct sink *samples_json_sink(struct samples_json *s)
{
	return &s->sink;
}

u64 samples_json_end(struct samples_json *s)
{
	json_close(&s->json, ']');
	if (!s->events)
		json_close(&s->json, '}');
	str_addch(&s->out, '\n');
	fwrite(s->out.buf, 1, s->out.len, s->fp);
	str_reset(&s->out);
	return s->n;
}

void samples_json_free(struct samples_json *s)
{
	if (!s)
		return;
	str_release(&s->out);
	free(s);
}

static void *begin_export(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct samples_json *j = json_document(job->fp, job->facts.json, job->swap);

	*sink = samples_json_sink(j);
	return j;
}

static int end_export(void *state, u64 *n, struct err *err UNUSED)
{
	*n = samples_json_end(state);
	return 0;
}

static void free_export(void *state) { samples_json_free(state); }

const struct exporter export_samples_json = {
	.option = "to-json", .help = "write all samples as one JSON document",
	.items = "samples", .begin = begin_export, .end = end_export, .free = free_export,
};
