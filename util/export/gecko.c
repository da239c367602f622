// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Firefox Profiler's format ("Gecko profile", version 24: what upstream's "perf script gecko"
 * writes too): a thread for each recorded thread and event, with its own tables of names, frames
 * and stacks, and its samples in the order of time. What it writes at the end needs 16 bytes a
 * sample until then.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/stacks.h"
#include "util/base/hash.h"
#include "util/base/json.h"
#include "util/base/xalloc.h"

#define GECKO_VERSION 24
enum { CATEGORY_USER, CATEGORY_KERNEL };

struct at { u64 time_ns; u32 node; };
struct thread_out {
	VEC(struct at) samples;
	VEC(u32) nodes;			/* of its stacks, in the order of their numbers */
	const char *comm;		/* its last name */
};

struct gecko {
	struct sink sink;
	struct stacks *stacks;
	struct export_job job;
	VEC(struct thread_out) threads;	/* by root */
	VEC(u32) root_of;		/* by node */
	u32 *number;			/* by node: in its thread's stack table */
	/* by frame: number in the frame table of thread frame_in (plus 1) */
	u32 *frame_number, *frame_in;
	u64 first_ns;
	struct str out;
	struct json json;
	struct strmap strings;		/* of the thread at hand -> number + 1 */
	VEC(const char *) texts;
};

/* ---- samples as they come ---- */

static u32 root_of(struct gecko *g, u32 node)
{
	const struct stack_node *nodes = stacks_nodes(g->stacks);

	while (g->root_of.n < stacks_n_nodes(g->stacks)) {
		const struct stack_node *n = &nodes[g->root_of.n];

		vec_push(&g->root_of, n->parent ? g->root_of.v[n->parent] : n->what);
	}
	while (g->threads.n < stacks_n_roots(g->stacks))
		vec_add(&g->threads);
	return g->root_of.v[node];
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct gecko *g = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const u64 t = items[i].sample->present & PERF_SAMPLE_TIME ?
			items[i].sample->time_ns : 0;
		const u32 node = stacks_add(g->stacks, &items[i]);
		const u32 root = root_of(g, node);
		struct thread_out *th = &g->threads.v[root];

		g->first_ns = MIN(g->first_ns, t);
		if (items[i].res->comm)
			th->comm = items[i].res->comm->name;
		vec_push(&th->samples, ((struct at){ t, node }));
	}
}

/* ---- the document ---- */

static void flush(struct gecko *g) { export_flush(g->job.fp, &g->out, 1 << 16); }

static u64 string(struct gecko *g, const char *s)
{
	uintptr_t n = (uintptr_t)strmap_get(&g->strings, s);

	if (!n) {
		n = g->texts.n + 1;
		strmap_put(&g->strings, s, (void *)n);
		vec_push(&g->texts, xstrdup(s));
	}
	return n - 1;
}

static void add_ms(struct gecko *g, u64 ns)
{
	struct str s = STR_INIT;

	str_addf(&s, "%llu.%06u", (unsigned long long)(ns / 1000000), (unsigned)(ns % 1000000));
	json_raw(&g->json, s.buf);
	str_release(&s);
}

static void add_schema(struct gecko *g, const char *key, const char *const *columns)
{
	json_key(&g->json, key);
	json_open(&g->json, '{');
	json_key(&g->json, "schema");
	json_open(&g->json, '{');
	for (u64 i = 0; columns[i]; i++)
		json_key_u64(&g->json, columns[i], i);
	json_close(&g->json, '}');
	json_key(&g->json, "data");
	json_open(&g->json, '[');
}

static void end_schema(struct gecko *g)
{
	json_close(&g->json, ']');
	json_close(&g->json, '}');
}

static void add_nothing(struct gecko *g, unsigned n)
{
	while (n--)
		json_str(&g->json, NULL);
}

static void add_category(struct json *j, const char *name, const char *color)
{
	json_open(j, '{');
	json_key_str(j, "name", name);
	json_key_str(j, "color", color);
	json_key(j, "subcategories");
	json_open(j, '[');
	json_str(j, "Other");
	json_close(j, ']');
	json_close(j, '}');
}

static void add_empty(struct json *j, const char *key)
{
	json_key(j, key);
	json_open(j, '[');
	json_close(j, ']');
}

/* When the first sample was, in ms of Unix time; 0: not known. */
static u64 start_ns(const struct gecko *g)
{
	const struct export_facts *f = &g->job.facts;

	if (f->has_tod && g->first_ns != UINT64_MAX)
		return f->tod_ns + g->first_ns - f->clock_ns;
	return f->captured_s * 1000000000;
}

static u64 interval_ns(const struct gecko *g)
{
	const struct event *e = stacks_n_roots(g->stacks) ? stacks_roots(g->stacks)->event : NULL;

	return e && e->attr.freq && e->attr.sample_freq ? 1000000000 / e->attr.sample_freq :
		1000000;
}

static void add_meta(struct gecko *g)
{
	struct json *j = &g->json;

	json_key(j, "meta");
	json_open(j, '{');
	json_key(j, "interval");
	add_ms(g, interval_ns(g));
	json_key_u64(j, "processType", 0);
	json_key_str(j, "product", g->job.facts.command ? g->job.facts.command : g->job.path);
	json_key_u64(j, "stackwalk", 1);
	json_key_u64(j, "debug", 0);
	json_key_u64(j, "gcpoison", 0);
	json_key_u64(j, "asyncstack", 1);
	json_key(j, "startTime");
	add_ms(g, start_ns(g));
	json_key_str(j, "shutdownTime", NULL);
	json_key_u64(j, "version", GECKO_VERSION);
	json_key(j, "presymbolicated");
	json_bool(j, true);
	json_key(j, "categories");
	json_open(j, '[');
	add_category(j, "User", "yellow");
	add_category(j, "Kernel", "orange");
	json_close(j, ']');
	add_empty(j, "markerSchema");
	if (g->job.facts.os_release)
		json_key_str(j, "oscpu", g->job.facts.os_release);
	if (g->job.facts.cpu)
		json_key_str(j, "CPUName", g->job.facts.cpu);
	json_close(j, '}');
}

/* "function (in file)", as the Firefox Profiler takes it apart. */
static u64 location(struct gecko *g, const struct stack_frame *f)
{
	struct str s = STR_INIT;
	u64 n;

	str_add(&s, f->name);
	if (f->dso)
		str_addf(&s, " (in %s)", f->dso->short_name);
	n = string(g, str_cstr(&s));
	str_release(&s);
	return n;
}

static bool is_kernel(const struct stack_frame *f)
{
	return f->cpumode == PERF_RECORD_MISC_KERNEL ||
		f->cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
}

static void add_frame(struct gecko *g, const struct stack_frame *f)
{
	struct json *j = &g->json;

	json_open(j, '[');
	json_u64(j, location(g, f));
	json_bool(j, false);
	json_u64(j, 0);
	add_nothing(g, 2);
	if (f->file && f->line)
		json_u64(j, f->line);
	else
		json_str(j, NULL);
	json_str(j, NULL);
	json_u64(j, is_kernel(f) ? CATEGORY_KERNEL : CATEGORY_USER);
	json_str(j, NULL);
	json_close(j, ']');
	flush(g);
}

static void add_frames(struct gecko *g, u32 thread)
{
	static const char *const columns[] = { "location", "relevantForJS", "innerWindowID",
					       "implementation", "optimizations", "line",
					       "column", "category", "subcategory", NULL };
	const struct stack_node *nodes = stacks_nodes(g->stacks);
	u32 n = 0;

	add_schema(g, "frameTable", columns);
	for vec_each(node, &g->threads.v[thread].nodes) {
		const u32 frame = nodes[*node].what;

		if (g->frame_in[frame] == thread + 1)
			continue;
		g->frame_in[frame] = thread + 1;
		g->frame_number[frame] = n++;
		add_frame(g, &stacks_frames(g->stacks)[frame]);
	}
	end_schema(g);
}

static void add_stacks(struct gecko *g, u32 thread)
{
	static const char *const columns[] = { "prefix", "frame", NULL };
	const struct stack_node *nodes = stacks_nodes(g->stacks);
	struct json *j = &g->json;

	add_schema(g, "stackTable", columns);
	for vec_each(node, &g->threads.v[thread].nodes) {
		const struct stack_node *n = &nodes[*node];

		json_open(j, '[');
		if (nodes[n->parent].parent)
			json_u64(j, g->number[n->parent]);
		else
			json_str(j, NULL);
		json_u64(j, g->frame_number[n->what]);
		json_close(j, ']');
		flush(g);
	}
	end_schema(g);
}

static void add_samples(struct gecko *g, const struct thread_out *th)
{
	static const char *const columns[] = { "stack", "time", "responsiveness", NULL };
	const struct stack_node *nodes = stacks_nodes(g->stacks);
	struct json *j = &g->json;

	add_schema(g, "samples", columns);
	for vec_each(s, &th->samples) {
		json_open(j, '[');
		if (nodes[s->node].parent)
			json_u64(j, g->number[s->node]);
		else
			json_str(j, NULL);
		add_ms(g, s->time_ns - g->first_ns);
		json_u64(j, 0);
		json_close(j, ']');
		flush(g);
	}
	end_schema(g);
}

static void add_strings(struct gecko *g)
{
	json_key(&g->json, "stringTable");
	json_open(&g->json, '[');
	for vec_each(t, &g->texts) {
		json_str(&g->json, *t);
		flush(g);
	}
	json_close(&g->json, ']');
}

static void forget_strings(struct gecko *g)
{
	for vec_each(t, &g->texts)
		free((char *)*t);
	vec_clear(&g->texts);
	strmap_release(&g->strings);
}

static void thread_name(const struct gecko *g, u32 thread, bool with_event, struct str *out)
{
	const struct stack_root *r = &stacks_roots(g->stacks)[thread];

	str_add(out, g->threads.v[thread].comm ? g->threads.v[thread].comm : "");
	if (with_event)
		str_addf(out, " (%s)", r->event->name);
}

static void add_thread(struct gecko *g, u32 thread, bool with_event)
{
	static const char *const columns[] = { "name", "startTime", "endTime", "phase", "category",
					       "data", NULL };
	const struct stack_root *r = &stacks_roots(g->stacks)[thread];
	const struct thread_out *th = &g->threads.v[thread];
	struct json *j = &g->json;
	struct str name = STR_INIT;

	thread_name(g, thread, with_event, &name);
	json_open(j, '{');
	json_key_u64(j, "tid", r->tid);
	json_key_u64(j, "pid", r->pid);
	json_key_str(j, "name", str_cstr(&name));
	json_key_str(j, "processType", "default");
	json_key(j, "registerTime");
	add_ms(g, th->samples.n ? th->samples.v[0].time_ns - g->first_ns : 0);
	json_key_str(j, "unregisterTime", NULL);
	add_schema(g, "markers", columns);
	end_schema(g);
	add_samples(g, th);
	add_frames(g, thread);
	add_stacks(g, thread);
	add_strings(g);
	json_close(j, '}');
	forget_strings(g);
	str_release(&name);
}

static bool has_several_events(const struct gecko *g)
{
	const struct stack_root *r = stacks_roots(g->stacks);

	for (size_t i = 1; i < stacks_n_roots(g->stacks); i++)
		if (r[i].event != r->event)
			return true;
	return false;
}

static void number_nodes(struct gecko *g)
{
	const struct stack_node *nodes = stacks_nodes(g->stacks);

	g->number = xcalloc(stacks_n_nodes(g->stacks) + 1, sizeof(u32));
	g->frame_number = xcalloc(stacks_n_frames(g->stacks) + 1, sizeof(u32));
	g->frame_in = xcalloc(stacks_n_frames(g->stacks) + 1, sizeof(u32));
	for (u32 i = 1; i < g->root_of.n; i++) {
		struct thread_out *th = &g->threads.v[g->root_of.v[i]];

		if (!nodes[i].parent)
			continue;
		g->number[i] = (u32)th->nodes.n;
		vec_push(&th->nodes, i);
	}
}

static int end_gecko(void *state, u64 *n, struct err *err UNUSED)
{
	struct gecko *g = state;
	struct json *j = &g->json;
	const bool several = has_several_events(g);

	number_nodes(g);
	json_open(j, '{');
	add_meta(g);
	add_empty(j, "libs");
	json_key(j, "threads");
	json_open(j, '[');
	for (u32 i = 0; i < g->threads.n; i++) {
		add_thread(g, i, several);
		*n += g->threads.v[i].samples.n;
	}
	json_close(j, ']');
	add_empty(j, "processes");
	add_empty(j, "pausedRanges");
	json_close(j, '}');
	str_addch(&g->out, '\n');
	export_flush(g->job.fp, &g->out, 0);
	return 0;
}

static void *begin_gecko(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				 .by_pid = true, .by_tid = true,
				 .detail = job->lines ? STACKS_LINES : STACKS_FUNCTIONS };
	struct gecko *g = xnew(struct gecko);

	g->job = *job;
	g->first_ns = UINT64_MAX;
	g->stacks = stacks_new(&o);
	g->sink = (struct sink){ .wants = SINK_ORDER | stacks_sink(g->stacks)->wants, .ctx = g,
				 .samples = on_samples };
	json_init(&g->json, &g->out);
	*sink = &g->sink;
	return g;
}

static void free_gecko(void *state)
{
	struct gecko *g = state;

	for vec_each(t, &g->threads) {
		vec_free(&t->samples);
		vec_free(&t->nodes);
	}
	forget_strings(g);
	vec_free(&g->texts);
	vec_free(&g->threads);
	vec_free(&g->root_of);
	free(g->number);
	free(g->frame_number);
	free(g->frame_in);
	str_release(&g->out);
	stacks_free(g->stacks);
	free(g);
}

const struct exporter export_gecko = {
	.format = "gecko", .help = "the Firefox Profiler's format: a timeline for each thread",
	.items = "samples", .begin = begin_gecko, .end = end_gecko, .free = free_gecko,
};
