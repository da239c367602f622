// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Common Trace Format, 1.8 (https://diamon.org/ctf/v1.8.3/), for babeltrace2 and Trace Compass:
 * a directory with a stream of all samples in the order of time, and the metadata that describes
 * it. Numbers are in the byte order of this machine, without alignment. An event's fields are
 * perf_* of the sample and, of a tracepoint, its own.
 */
#include "util/export/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/analysis/hist/hist.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/export/ctf-priv.h"
#include "util/export/part.h"

#define MAGIC 0xc1fc1fc1u
#define PACKET_BYTES (1u << 20)		/* a packet ends when it is longer */

/* The packet's header and context, as the metadata has them. */
struct packet_head {
	u32 magic, stream_id;
	u64 begin_ns, end_ns, content_bits, packet_bits;
};

struct ctf {
	struct export_rows rows;
	struct export_part stream;
	struct str packet;
	u64 begin_ns, end_ns;		/* of the packet at hand */
	int ret;			/* the first failure; err has it */
	struct err err;
};

/* ---- the stream ---- */

static void begin_packet(struct ctf *c)
{
	str_reset(&c->packet);
	str_addchn(&c->packet, 0, sizeof(struct packet_head));
}

static void end_packet(struct ctf *c)
{
	const struct packet_head head = { .magic = MAGIC, .begin_ns = c->begin_ns,
					  .end_ns = c->end_ns,
					  .content_bits = (u64)c->packet.len * 8,
					  .packet_bits = (u64)c->packet.len * 8 };

	memcpy(c->packet.buf, &head, sizeof(head));
	fwrite(c->packet.buf, 1, c->packet.len, c->stream.fp);
	begin_packet(c);
}

static void begin_event(struct ctf *c, u32 id, u64 time_ns)
{
	if (c->packet.len == sizeof(struct packet_head))
		c->begin_ns = time_ns;
	c->end_ns = time_ns;
	ctf_add_u32(&c->packet, id);
	ctf_add_u64(&c->packet, time_ns);
}

static void end_event(struct ctf *c)
{
	if (c->packet.len > PACKET_BYTES)
		end_packet(c);
}

/* Numbers as such, texts, and all else as text of hexadecimal digits. */
static void add_field(struct ctf *c, const struct tp_field *f, struct span raw)
{
	size_t n = 0;
	const char *text;
	const u8 *bytes;

	str_reset(&c->rows.scratch);
	if (f->is_string) {
		text = tp_read_str(f, raw, c->rows.job.swap, &n);
		str_addn(&c->rows.scratch, text, text ? n : 0);
		ctf_add_text(&c->packet, str_cstr(&c->rows.scratch));
	} else if (f->is_array || f->is_dynamic) {
		bytes = tp_read_bytes(f, raw, c->rows.job.swap, &n);
		for (size_t i = 0; bytes && i < n; i++)
			str_add_hex(&c->rows.scratch, bytes[i], 2);
		ctf_add_text(&c->packet, str_cstr(&c->rows.scratch));
	} else {
		ctf_add_u64(&c->packet, tp_read_u64(f, raw, c->rows.job.swap));
	}
}

static void add_fields(struct ctf *c, const struct sample *s)
{
	const struct tp_format *f = s->event->format;

	for (size_t i = 0; f && i < tp_n_fields(f); i++)
		if (!str_has_prefix(tp_field_at(f, i)->name, "common_"))
			add_field(c, tp_field_at(f, i), s->raw);
}

static void add_chain(struct ctf *c, const struct sink_item *it)
{
	const struct resolved *r = it->res;
	const struct location *at = r->n_frames ? r->frames : &r->leaf;
	const u32 n = r->n_frames ? r->n_frames : 1;
	u32 real = 0;

	for (u32 i = 0; i < n; i++)
		real += !at[i].inline_depth && !at[i].added;
	ctf_add_u32(&c->packet, real);
	for (u32 i = 0; i < n; i++)
		if (!at[i].inline_depth && !at[i].added)
			ctf_add_u64(&c->packet, at[i].va);
}

static void add_sample(struct ctf *c, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u32 node = stacks_add(c->rows.stacks, it);
	const struct stack_frame *leaf = &stacks_frames(c->rows.stacks)
		[stacks_nodes(c->rows.stacks)[node].what];
	struct str *out = &c->packet;

	begin_event(c, (u32)s->event->index, s->time_ns);
	ctf_add_u32(out, s->present & PERF_SAMPLE_CPU ? s->cpu : ~0u);
	ctf_add_u32(out, s->pid);
	ctf_add_u32(out, s->tid);
	ctf_add_text(out, it->res->comm ? it->res->comm->name : "");
	ctf_add_u64(out, hist_period(s));
	ctf_add_u64(out, it->res->leaf.va);
	ctf_add_text(out, leaf->name);
	ctf_add_text(out, leaf->dso && leaf->dso->path ? leaf->dso->path : "");
	add_chain(c, it);
	str_reset(&c->rows.scratch);
	frame_texts_add(&c->rows.frames, c->rows.stacks, node, &c->rows.scratch);
	ctf_add_text(out, str_cstr(&c->rows.scratch));
	add_fields(c, s);
	end_event(c);
	c->rows.n++;
}

static char *path_of(const struct ctf *c, const char *name)
{
	return xasprintf("%s/%s", c->rows.job.out_path, name);
}

static void open_stream(struct ctf *c)
{
	char *path;

	if (c->stream.fp || c->ret)
		return;
	path = path_of(c, "perf_stream_0");
	c->ret = export_part_open(&c->stream, path, c->rows.job.force, &c->err);
	free(path);
	begin_packet(c);
}

/* Those that were made for what was there before have no time, and are the first. */
static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off UNUSED)
{
	struct ctf *c = sink->ctx;
	u32 event;

	str_reset(&c->rows.scratch);
	event = ctf_add_record(rec, &c->rows.scratch);
	if (!event)
		return;
	open_stream(c);
	if (!c->ret) {
		begin_event(c, event, MAX(id->time_ns, c->end_ns));
		str_addn(&c->packet, c->rows.scratch.buf, c->rows.scratch.len);
		end_event(c);
		++*c->rows.job.n_records;
	}
	sink->stop = c->ret;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct ctf *c = sink->ctx;

	open_stream(c);
	for (size_t i = 0; i < n && !c->ret; i++)
		add_sample(c, &items[i]);
	sink->stop = c->ret;
}

/* ---- the metadata ---- */

static const char types[] =
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := s64;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = hex; } := x64;\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.perf.value; } := "
	"time;\n\n";
static const char stream[] =
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct { time timestamp_begin; time timestamp_end; "
	"u64 content_size; u64 packet_size; };\n"
	"	event.header := struct { u32 id; time timestamp; };\n"
	"};\n\n";
static const char sample_fields[] =
	"		s32 _perf_cpu;\n"
	"		s32 _perf_pid;\n"
	"		s32 _perf_tid;\n"
	"		string _perf_comm;\n"
	"		u64 _perf_period;\n"
	"		x64 _perf_ip;\n"
	"		string _perf_symbol;\n"
	"		string _perf_dso;\n"
	"		u32 _perf_callchain_size;\n"
	"		x64 _perf_callchain[_perf_callchain_size];\n"
	"		string _perf_stack;\n";

/* A literal: what would end it, and control characters, by their codes. */
static void add_literal(struct str *out, const char *text)
{
	struct str clean = STR_INIT;

	str_add_utf8(&clean, text ? text : "");
	str_addch(out, '"');
	for (const char *p = str_cstr(&clean); *p; p++) {
		if (*p == '"' || *p == '\\' || (u8)*p < ' ' || *p == 127)
			str_addf(out, "\\%03o", (u8)*p);
		else
			str_addch(out, *p);
	}
	str_addch(out, '"');
	str_release(&clean);
}

/* A field's name comes from the file: what is no identifier also gets its number. */
static void add_field_name(struct str *out, const char *name, size_t number)
{
	bool clean = true;

	str_addch(out, '_');
	for (; *name; name++) {
		const bool fine = (isalnum((u8)*name) && !(*name & 0x80)) || *name == '_';

		str_addch(out, fine ? *name : '_');
		clean &= fine;
	}
	if (!clean)
		str_addf(out, "_%zu", number);
}

static void add_event(struct str *out, const struct event *e)
{
	const struct tp_field *f;

	str_add(out, "event {\n	name = ");
	add_literal(out, e->name);
	str_addf(out, ";\n	id = %d;\n	stream_id = 0;\n", e->index);
	str_addf(out, "	fields := struct {\n%s", sample_fields);
	for (size_t i = 0; e->format && i < tp_n_fields(e->format); i++) {
		f = tp_field_at(e->format, i);
		if (str_has_prefix(f->name, "common_"))
			continue;
		str_addf(out, "		%s ", f->is_string || f->is_array || f->is_dynamic ?
			 "string" : f->is_signed ? "s64" : "u64");
		add_field_name(out, f->name, i);
		str_add(out, ";\n");
	}
	str_add(out, "	};\n};\n\n");
}

static void add_fact(struct str *out, const char *key, const char *value)
{
	if (!value)
		return;
	str_addf(out, "	%s = ", key);
	add_literal(out, value);
	str_add(out, ";\n");
}

static void add_metadata(const struct ctf *c, struct str *out)
{
	const struct export_facts *f = &c->rows.job.facts;
	const u16 one = 1;

	str_add(out, "/* CTF 1.8 */\n\n");
	str_addf(out, "trace {\n	major = 1;\n	minor = 8;\n	byte_order = %s;\n",
		 *(const u8 *)&one ? "le" : "be");
	str_add(out, "	packet.header := struct { integer { size = 32; align = 8; } magic; "
		     "integer { size = 32; align = 8; } stream_id; };\n};\n\nenv {\n");
	add_fact(out, "domain", "perf");
	add_fact(out, "tracer_name", "perf");
	add_fact(out, "hostname", f->host);
	add_fact(out, "release", f->os_release);
	add_fact(out, "machine", f->arch);
	add_fact(out, "cpu", f->cpu);
	add_fact(out, "command", f->command);
	str_add(out, "};\n\nclock {\n	name = perf;\n	freq = 1000000000;\n");
	if (f->has_tod)
		str_addf(out, "	offset = %lld;\n", (long long)(f->tod_ns - f->clock_ns));
	str_add(out, "};\n\n");
	str_add(out, types);
	str_add(out, stream);
	for (size_t i = 0; i < c->rows.job.events->events.n; i++)
		add_event(out, c->rows.job.events->events.v[i]);
	if (c->rows.job.n_records)
		ctf_add_record_events(out);
}

/* The metadata last: without it there is no trace. */
static int put(struct ctf *c)
{
	struct export_part metadata = { 0 };
	struct str text = STR_INIT;
	char *path = path_of(c, "metadata");
	int ret = export_part_open(&metadata, path, c->rows.job.force, &c->err);

	if (!ret) {
		add_metadata(c, &text);
		fwrite(text.buf, 1, text.len, metadata.fp);
		ret = export_part_commit(&c->stream, &c->err);
	}
	if (!ret)
		ret = export_part_commit(&metadata, &c->err);
	export_part_release(&metadata);
	str_release(&text);
	free(path);
	return ret;
}

static int end_ctf(void *state, u64 *n, struct err *err)
{
	struct ctf *c = state;

	if (!c->ret) {
		end_packet(c);
		c->ret = put(c);
	}
	*n = c->rows.n;
	if (c->ret) {
		err_release(err);
		*err = c->err;
		c->err = (struct err)ERR_INIT;
	}
	return c->ret;
}

static void *begin_ctf(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct ctf *c = xnew(struct ctf);

	_Static_assert(sizeof(struct packet_head) == 40, "as the metadata has it");
	export_rows_begin(&c->rows, job, &export_folded_frames,
			  (struct stacks_opts){ .detail = STACKS_FUNCTIONS }, on_samples);
	c->rows.sink.ctx = c;
	if (job->n_records) {
		c->rows.sink.wants |= SINK_SIDEBAND;
		c->rows.sink.record = on_record;
	}
	*sink = &c->rows.sink;
	return c;
}

static void free_ctf(void *state)
{
	struct ctf *c = state;

	export_part_release(&c->stream);
	export_rows_release(&c->rows);
	err_release(&c->err);
	str_release(&c->packet);
	free(c);
}

const struct exporter export_ctf = {
	.format = "ctf", .help = "the Common Trace Format 1.8, a directory, for babeltrace2",
	.option = "to-ctf", .items = "samples", .binary = true, .directory = true,
	.begin = begin_ctf, .end = end_ctf, .free = free_ctf,
};
