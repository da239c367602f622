// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * speedscope's own file format (https://www.speedscope.app/file-format-schema.json): a profile of
 * type "sampled" for each event and thread, in which each distinct stack is one sample with its
 * weight.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/stacks.h"
#include "util/base/json.h"
#include "util/base/xalloc.h"
#include "util/export/unit.h"

struct speedscope {
	struct stacks *stacks;
	FILE *fp;
	const char *name;
	enum export_by by;
	enum export_weight weight;
	struct str out;
	struct json json;
	u32 *root_of;			/* by node: number of its root */
	u32 *next;			/* by node: the next of its root with a weight; 0: none */
	u32 *first, *last;		/* by root */
	VEC(u32) chain;
};

static u64 weight_of(const struct speedscope *s, const struct stack_node *n)
{
	return s->weight == EXPORT_PERIOD ? n->period : n->n;
}

static void add_frames(struct speedscope *s)
{
	const struct stack_frame *f = stacks_frames(s->stacks);
	struct json *j = &s->json;

	json_key(j, "shared");
	json_open(j, '{');
	json_key(j, "frames");
	json_open(j, '[');
	for (size_t i = 0; i < stacks_n_frames(s->stacks); i++, f++) {
		json_open(j, '{');
		json_key_str(j, "name", f->name);
		if (f->file || f->dso)
			json_key_str(j, "file", f->file ? f->file : f->dso->path);
		if (f->file && f->line)
			json_key_u64(j, "line", f->line);
		json_close(j, '}');
		export_flush(s->fp, &s->out, 1 << 16);
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* Lists of the nodes of each root. */
static void sort_nodes(struct speedscope *s)
{
	const struct stack_node *nodes = stacks_nodes(s->stacks);
	const size_t n = stacks_n_nodes(s->stacks), n_roots = stacks_n_roots(s->stacks);

	s->root_of = xcalloc(n, sizeof(u32));
	s->next = xcalloc(n, sizeof(u32));
	s->first = xcalloc(n_roots + 1, sizeof(u32));
	s->last = xcalloc(n_roots + 1, sizeof(u32));
	for (u32 i = 1; i < n; i++) {
		u32 root = s->root_of[i] = nodes[i].parent ? s->root_of[nodes[i].parent] :
			nodes[i].what;

		if (!weight_of(s, &nodes[i]))
			continue;
		*(s->first[root] ? &s->next[s->last[root]] : &s->first[root]) = i;
		s->last[root] = i;
	}
}

static void add_stack(struct speedscope *s, u32 node)
{
	const struct stack_node *nodes = stacks_nodes(s->stacks), *n;

	vec_clear(&s->chain);
	for (n = &nodes[node]; n->parent; n = &nodes[n->parent])
		vec_push(&s->chain, n->what);
	json_open(&s->json, '[');
	for (size_t i = s->chain.n; i-- > 0;)
		json_u64(&s->json, s->chain.v[i]);
	json_close(&s->json, ']');
	export_flush(s->fp, &s->out, 1 << 16);
}

static void profile_name(const struct speedscope *s, const struct stack_root *r, struct str *out)
{
	str_add(out, r->event ? r->event->name : "samples");
	if (s->by == EXPORT_BY_NONE)
		return;
	str_addf(out, " of %s", r->comm);
	if (s->by == EXPORT_BY_PID)
		str_addf(out, " %u", r->pid);
	else if (s->by == EXPORT_BY_TID)
		str_addf(out, " %u/%u", r->pid, r->tid);
}

static u64 add_profile(struct speedscope *s, size_t root)
{
	const struct stack_root *r = &stacks_roots(s->stacks)[root];
	const struct stack_node *nodes = stacks_nodes(s->stacks);
	const char *unit = s->weight == EXPORT_PERIOD ? export_unit(r->event) : NULL;
	struct json *j = &s->json;
	struct str name = STR_INIT;
	u64 sum = 0, n = 0;

	profile_name(s, r, &name);
	json_open(j, '{');
	json_key_str(j, "type", "sampled");
	json_key_str(j, "name", str_cstr(&name));
	json_key_str(j, "unit", unit ? unit : "none");
	json_key(j, "samples");
	json_open(j, '[');
	for (u32 i = s->first[root]; i; i = s->next[i], n++)
		add_stack(s, i);
	json_close(j, ']');
	json_key(j, "weights");
	json_open(j, '[');
	for (u32 i = s->first[root]; i; i = s->next[i]) {
		json_u64(j, weight_of(s, &nodes[i]));
		sum += weight_of(s, &nodes[i]);
	}
	json_close(j, ']');
	json_key_u64(j, "startValue", 0);
	json_key_u64(j, "endValue", sum);
	json_close(j, '}');
	export_flush(s->fp, &s->out, 1 << 16);
	str_release(&name);
	return n;
}

static int end_speedscope(void *state, u64 *n, struct err *err UNUSED)
{
	struct speedscope *s = state;
	struct json *j = &s->json;

	stacks_finish(s->stacks);
	sort_nodes(s);
	json_open(j, '{');
	json_key_str(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_key_str(j, "exporter", "perf export");
	json_key_str(j, "name", s->name);
	add_frames(s);
	json_key(j, "profiles");
	json_open(j, '[');
	for (size_t i = 0; i < stacks_n_roots(s->stacks); i++)
		*n += add_profile(s, i);
	json_close(j, ']');
	json_close(j, '}');
	str_addch(&s->out, '\n');
	export_flush(s->fp, &s->out, 0);
	return 0;
}

static void *begin_speedscope(const struct export_job *job, struct sink **sink,
			      struct err *err UNUSED)
{
	struct speedscope *s = xnew(struct speedscope);
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				 .detail = job->lines ? STACKS_LINES : STACKS_FUNCTIONS };

	s->fp = job->fp;
	s->name = job->facts.command ? job->facts.command : job->path;
	s->weight = job->weight;
	s->by = job->by ? job->by : EXPORT_BY_TID;
	o.by_comm = s->by != EXPORT_BY_NONE;
	o.by_pid = s->by == EXPORT_BY_PID || s->by == EXPORT_BY_TID;
	o.by_tid = s->by == EXPORT_BY_TID;
	s->stacks = stacks_new(&o);
	json_init(&s->json, &s->out);
	*sink = stacks_sink(s->stacks);
	return s;
}

static void free_speedscope(void *state)
{
	struct speedscope *s = state;

	free(s->root_of);
	free(s->next);
	free(s->first);
	free(s->last);
	vec_free(&s->chain);
	str_release(&s->out);
	stacks_free(s->stacks);
	free(s);
}

const struct exporter export_speedscope = {
	.format = "speedscope", .help = "speedscope's own format: a profile for each thread",
	.items = "stacks", .begin = begin_speedscope, .end = end_speedscope,
	.free = free_speedscope,
};
