// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pprof's profile.proto, gzipped (https://github.com/google/pprof/tree/main/proto): addresses of
 * each binary with their functions, inlined ones too, and lines; samples by stack and thread, with
 * the labels comm, pid and tid. Values are, for each event, the number of samples and what the
 * event counted. Addresses are those of the binary (ELF), so that profiles of several processes and
 * machines can be brought together.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/stacks.h"
#include "util/base/protobuf.h"
#include "util/base/xalloc.h"
#include "util/export/gzip.h"
#include "util/export/profile-tables.h"
#include "util/export/unit.h"
#include "util/stream/stream.h"

/* field numbers */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
       PROFILE_FUNCTION, PROFILE_STRINGS, PROFILE_TIME_NS = 9, PROFILE_DURATION_NS,
       PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_FILE = 5, MAPPING_BUILD_ID,
       MAPPING_HAS_FUNCTIONS, MAPPING_HAS_FILES, MAPPING_HAS_LINES, MAPPING_HAS_INLINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct pprof {
	struct stacks *stacks;
	struct export_job job;
	struct gzip *gzip;
	struct str out, msg, sub, packed;
	struct profile_tables tables;
	u32 *type_of;			/* by event index: its first value; */
	u32 n_values;
	bool *location_done;		/* by frame */
};

static void flush(struct pprof *p, size_t above)
{
	if (p->out.len > above)
		gzip_add(p->gzip, &p->out);
}

/* Its number in the table, which is written as it grows. */
static u64 string(struct pprof *p, const char *s)
{
	bool fresh;
	const u64 n = profile_string(&p->tables, s, &fresh);

	if (fresh)
		pb_utf8(&p->out, PROFILE_STRINGS, s);
	return n;
}

static void value_type(struct pprof *p, u32 field, const char *type, const char *unit)
{
	const u64 t = string(p, type), u = string(p, unit);

	pb_u64(&p->msg, TYPE_TYPE, t);
	pb_u64(&p->msg, TYPE_UNIT, u);
	pb_message(&p->out, field, &p->msg);
}

/* Two for each event that has samples. */
static void add_types(struct pprof *p)
{
	const struct stack_root *roots = stacks_roots(p->stacks);
	const struct event *only = NULL, *e;
	struct str name = STR_INIT;
	bool several = false;

	for (size_t i = 0; i < stacks_n_roots(p->stacks); i++) {
		several |= only && roots[i].event != only;
		only = roots[i].event;
	}
	p->type_of = xcalloc(p->job.events->events.n + 1, sizeof(u32));
	for (size_t i = 0; i < stacks_n_roots(p->stacks); i++) {
		e = roots[i].event;
		if (p->type_of[e->index])
			continue;
		p->type_of[e->index] = p->n_values + 1;
		p->n_values += 2;
		str_reset(&name);
		str_addf(&name, "%s%s", several ? e->name : "samples", several ? " samples" : "");
		value_type(p, PROFILE_SAMPLE_TYPE, str_cstr(&name), "count");
		value_type(p, PROFILE_SAMPLE_TYPE, e->name,
			   export_unit(e) ? export_unit(e) : "count");
	}
	str_release(&name);
}

static u64 function_of(struct pprof *p, const struct stack_frame *f)
{
	u64 n, name, file;
	bool fresh;

	n = profile_function(&p->tables, f, &fresh);
	if (fresh) {
		name = string(p, f->name);
		file = f->file ? string(p, f->file) : 0;
		pb_u64(&p->sub, FUNCTION_ID, n);
		pb_u64(&p->sub, FUNCTION_NAME, name);
		pb_u64(&p->sub, FUNCTION_SYSTEM_NAME, name);
		pb_u64(&p->sub, FUNCTION_FILE, file);
		pb_message(&p->out, PROFILE_FUNCTION, &p->sub);
	}
	return n;
}

static const struct stack_frame *frame_of(const struct pprof *p, const struct stack_node *n)
{
	return &stacks_frames(p->stacks)[n->what];
}

/* The frame with what was inlined there is one address. Returns the node of its outermost
 * function. */
static const struct stack_node *add_location(struct pprof *p, const struct stack_node *n)
{
	const struct stack_node *nodes = stacks_nodes(p->stacks);
	const struct stack_frame *f = frame_of(p, n);
	const u32 id = n->what;
	u64 function;

	for (;; n = &nodes[n->parent]) {
		f = frame_of(p, n);
		if (!p->location_done[id]) {
			function = function_of(p, f);
			pb_u64(&p->sub, LINE_FUNCTION, function);
			pb_u64(&p->sub, LINE_LINE, f->line);
			pb_message(&p->msg, LOCATION_LINE, &p->sub);
		}
		if (!f->inlined || !nodes[n->parent].parent)
			break;
	}
	if (p->location_done[id])
		return n;
	p->location_done[id] = true;
	pb_u64(&p->msg, LOCATION_ID, id + 1);
	pb_u64(&p->msg, LOCATION_MAPPING, profile_mapping(&p->tables, f));
	pb_u64(&p->msg, LOCATION_ADDRESS, f->rva);
	pb_message(&p->out, PROFILE_LOCATION, &p->msg);
	return n;
}

static void label(struct pprof *p, struct str *out, u64 key, u64 text, u64 number)
{
	pb_u64(&p->sub, LABEL_KEY, key);
	pb_u64(&p->sub, LABEL_STR, text);
	pb_u64(&p->sub, LABEL_NUM, number);
	pb_message(out, SAMPLE_LABEL, &p->sub);
}

static void add_labels(struct pprof *p, const struct stack_root *r, struct str *out)
{
	if (r->comm)
		label(p, out, string(p, "comm"), string(p, r->comm), 0);
	if (r->pid)
		label(p, out, string(p, "pid"), 0, r->pid);
	if (r->tid)
		label(p, out, string(p, "tid"), 0, r->tid);
}

static void add_sample(struct pprof *p, const struct stack_node *node, struct str *sample)
{
	const struct stack_node *nodes = stacks_nodes(p->stacks), *n = node;
	const struct stack_root *root;
	u32 first;

	str_reset(&p->packed);
	for (; n->parent; n = &nodes[n->parent]) {
		pb_varint(&p->packed, n->what + 1);
		n = add_location(p, n);
	}
	root = &stacks_roots(p->stacks)[n->what];
	pb_message(sample, SAMPLE_LOCATIONS, &p->packed);
	first = p->type_of[root->event->index] - 1;
	for (u32 i = 0; i < p->n_values; i++)
		pb_varint(&p->packed, i == first ? node->n : i == first + 1 ? node->period : 0);
	pb_message(sample, SAMPLE_VALUES, &p->packed);
	add_labels(p, root, sample);
	pb_message(&p->out, PROFILE_SAMPLE, sample);
	flush(p, 1 << 16);
}

static void add_mappings(struct pprof *p)
{
	struct str id = STR_INIT;

	for (size_t i = 0; i < p->tables.mappings.n; i++) {
		const struct profile_mapping *m = &p->tables.mappings.v[i];
		u64 file = string(p, m->dso->path ? m->dso->path : ""), build_id = 0;

		str_reset(&id);
		build_id_add(&id, &m->dso->id);
		if (id.len)
			build_id = string(p, id.buf);
		pb_u64(&p->msg, MAPPING_ID, i + 1);
		pb_u64(&p->msg, MAPPING_LIMIT, m->limit);
		pb_u64(&p->msg, MAPPING_FILE, file);
		pb_u64(&p->msg, MAPPING_BUILD_ID, build_id);
		pb_u64(&p->msg, MAPPING_HAS_FUNCTIONS, 1);
		pb_u64(&p->msg, MAPPING_HAS_FILES, 1);
		pb_u64(&p->msg, MAPPING_HAS_LINES, 1);
		pb_u64(&p->msg, MAPPING_HAS_INLINES, !p->job.no_inline);
		pb_message(&p->out, PROFILE_MAPPING, &p->msg);
	}
	str_release(&id);
}

static void add_times(struct pprof *p)
{
	const struct stream_stats *st = p->job.stats;
	const struct event *e = stacks_n_roots(p->stacks) ? stacks_roots(p->stacks)->event : NULL;

	pb_u64(&p->out, PROFILE_TIME_NS, p->job.facts.captured_s * 1000000000);
	if (st->last_ns > st->first_ns)
		pb_u64(&p->out, PROFILE_DURATION_NS, st->last_ns - st->first_ns);
	if (p->job.facts.command)
		pb_u64_always(&p->out, PROFILE_COMMENT, string(p, p->job.facts.command));
	if (!e)
		return;
	value_type(p, PROFILE_PERIOD_TYPE, e->name, export_unit(e) ? export_unit(e) : "count");
	if (!e->attr.freq)
		pb_u64(&p->out, PROFILE_PERIOD, e->attr.sample_period);
	else if (export_unit(e) && e->attr.sample_freq)
		pb_u64(&p->out, PROFILE_PERIOD, 1000000000 / e->attr.sample_freq);
}

static int end_pprof(void *state, u64 *n, struct err *err UNUSED)
{
	struct pprof *p = state;
	struct str sample = STR_INIT;
	const struct stack_node *nodes;

	stacks_finish(p->stacks);
	nodes = stacks_nodes(p->stacks);
	p->gzip = gzip_new(p->job.fp);
	p->location_done = xcalloc(stacks_n_frames(p->stacks) + 1, sizeof(bool));
	string(p, "");
	add_types(p);
	for (size_t i = 1; i < stacks_n_nodes(p->stacks); i++) {
		if (!nodes[i].n)
			continue;
		add_sample(p, &nodes[i], &sample);
		++*n;
	}
	add_mappings(p);
	add_times(p);
	flush(p, 0);
	gzip_end(p->gzip);
	str_release(&sample);
	return 0;
}

static void *begin_pprof(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	const enum export_by by = job->by ? job->by : EXPORT_BY_TID;
	struct stacks_opts o = { .events = job->events, .detail = STACKS_ADDRESSES, .lines = true,
				 .no_inline = job->no_inline, .by_comm = by != EXPORT_BY_NONE,
				 .by_pid = by == EXPORT_BY_PID || by == EXPORT_BY_TID,
				 .by_tid = by == EXPORT_BY_TID };
	struct pprof *p = xnew(struct pprof);

	p->job = *job;
	p->stacks = stacks_new(&o);
	*sink = stacks_sink(p->stacks);
	return p;
}

static void free_pprof(void *state)
{
	struct pprof *p = state;

	gzip_free(p->gzip);
	str_release(&p->out);
	str_release(&p->msg);
	str_release(&p->sub);
	str_release(&p->packed);
	profile_tables_release(&p->tables);
	free(p->type_of);
	free(p->location_done);
	stacks_free(p->stacks);
	free(p);
}

const struct exporter export_pprof = {
	.format = "pprof", .help = "pprof's profile, gzipped: for pprof, Pyroscope and others",
	.items = "samples", .binary = true, .begin = begin_pprof, .end = end_pprof,
	.free = free_pprof,
};
