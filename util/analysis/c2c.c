// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/c2c.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/analysis/c2c-priv.h"
#include "util/base/xalloc.h"

static struct c2c_place new_place(struct c2c *c)
{
	const size_t bytes = c2c_cpu_words(c) * sizeof(u64);
	struct c2c_place p = { .cpus = arena_alloc(&c->arena, bytes ? bytes : 1), .node = -1 };

	memset(p.cpus, 0, bytes);
	return p;
}

static bool is_same_line(const struct c2c_line *a, const struct c2c_line *b)
{
	return a->at_addr == b->at_addr && a->cpumode == b->cpumode && a->pid == b->pid &&
		a->mapped == b->mapped &&
		a->maj == b->maj && a->min == b->min && a->ino == b->ino &&
		a->ino_gen == b->ino_gen;
}

/* Memory of a file is the same one in all processes, wherever they map it; other memory is a
 * process's own. What the kernel accesses is apart from what programs do. */
static void identify(const struct c2c *c, const struct sink_item *item, struct c2c_line *l)
{
	const u64 mask = ~(u64)(c->opts.line_bytes - 1);
	const struct sample *s = item->sample;
	const struct location *data = &item->res->data;
	const struct mapping *m = data->map;

	*l = (struct c2c_line){ .addr = s->addr & mask, .at_addr = s->addr & mask,
				.cpumode = s->cpumode };
	if (!m || !data->dso || (s->cpumode == PERF_RECORD_MISC_KERNEL && !m->kernel))
		return;
	l->mapped = true;
	if (m->kernel)
		return;
	l->at_addr = (s->addr - m->start_va + m->off) & mask;
	l->maj = data->dso->maj;
	l->min = data->dso->min;
	l->ino = data->dso->ino;
	l->ino_gen = data->dso->ino_generation;
	if (!(m->flags & MAP_SHARED) && !l->maj && !l->min && !l->ino)
		l->pid = s->pid;
}

static struct c2c_line *line_of(struct c2c *c, const struct sink_item *item)
{
	struct c2c_line key, *l, *first;
	u64 hash;

	identify(c, item, &key);
	hash = hash_u64((u64)key.cpumode << 32 ^ key.pid ^ key.ino << 8);
	hash = hash_u64(key.at_addr ^ hash) | 1;
	first = hmap_get(&c->by_place, hash);
	for (l = first; l; l = l->next)
		if (is_same_line(l, &key))
			return l;
	l = xnew(struct c2c_line);
	*l = key;
	l->at = new_place(c);
	l->next = first;
	hmap_put(&c->by_place, hash, l);
	vec_push(&c->lines, l);
	return l;
}

static bool is_row(const struct c2c *c, const struct c2c_row *r, u64 off,
		   const struct sink_item *item)
{
	const struct sample *s = item->sample;

	return r->off == off && (!c->opts.by_pid || r->pid == s->pid) &&
		(!c->opts.by_tid || r->tid == s->tid) &&
		(!c->opts.by_code || r->code.va == s->ip) &&
		(!c->opts.by_dso || r->code.dso == item->res->leaf.dso);
}

static struct c2c_row *row_of(struct c2c *c, struct c2c_line *l, const struct sink_item *item)
{
	const struct sample *s = item->sample;
	const u64 off = s->addr & (c->opts.line_bytes - 1);
	const u64 hash = hash_u64(off ^ (c->opts.by_pid ? (u64)s->pid << 8 : 0) ^
				  (c->opts.by_tid ? (u64)s->tid << 36 : 0) ^
				  (c->opts.by_code ? hash_u64(s->ip) : 0)) | 1;
	struct c2c_row *first = hmap_get(&l->rows, hash), *r;

	for (r = first; r; r = r->next)
		if (is_row(c, r, off, item))
			return r;
	r = arena_alloc(&c->arena, sizeof(*r));
	*r = (struct c2c_row){
		.next = first, .off = off, .pid = s->pid, .tid = s->tid, .code = item->res->leaf,
		.thread = item->res->thread,
		.comm = item->res->comm ? item->res->comm->name : NULL, .at = new_place(c),
		.nodes = arena_alloc(&c->arena, (c->n_nodes + 1) * sizeof(*r->nodes)),
		.nr = c->n_rows++,
	};
	memset(r->nodes, 0, (c->n_nodes + 1) * sizeof(*r->nodes));
	hmap_put(&l->rows, hash, r);
	vec_push(&l->order, r);
	return r;
}

static void note_place(const struct c2c *c, struct c2c_place *p, const struct sample *s)
{
	if (s->cpu < c->opts.n_cpus)
		p->cpus[s->cpu / 64] |= 1ULL << (s->cpu % 64);
	if (!c->opts.memory_node || !(s->present & PERF_SAMPLE_PHYS_ADDR))
		return;
	if (!p->n_phys || p->phys != s->phys_addr) {
		p->phys = s->phys_addr;
		p->node = c->opts.memory_node(c->opts.ctx, s->phys_addr);
		p->n_phys++;
	}
}

/* The latency is of the first that the access is. */
static void note_wait(struct c2c_row *r, const struct c2c_counts *n, u64 weight)
{
	static const enum c2c_count order[C2C_N_WAITS] = { C2C_RMT_HITM, C2C_LCL_HITM, C2C_RMT_PEER,
							   C2C_LCL_PEER, C2C_LOADS };

	for (size_t i = 0; i < C2C_N_WAITS; i++)
		if (n->n[order[i]]) {
			r->waits[i].sum += weight;
			r->waits[i].n++;
			return;
		}
}

/* Whether both addresses are known, of code and of data. */
static bool is_mapped(const struct sink_item *item)
{
	const struct resolved *res = item->res;

	return res->data.map && res->leaf.map &&
		(item->sample->cpumode != PERF_RECORD_MISC_KERNEL || res->data.map->kernel);
}

static void note_stack(struct c2c *c, struct c2c_row *r, const struct sink_item *item)
{
	u32 node = stack_set_node(&c->stacks, item->res, 0);

	if (!node)
		return;
	node = cct_child(&c->by_stack, cct_child(&c->by_stack, 0, r->nr), node);
	if (!c->by_stack.nodes.v[node].self_n)
		vec_push(&r->stacks, node);
	c->by_stack.nodes.v[node].self += hist_period(item->sample);
	c->by_stack.nodes.v[node].self_n++;
}

static void take_sample(struct c2c *c, const struct sink_item *item)
{
	const struct sample *s = item->sample;
	struct c2c_counts n = { { 0 } };
	struct c2c_line *l;
	struct c2c_row *r;

	c2c_count(&n, s->present & PERF_SAMPLE_DATA_SRC ? s->data_src : 0, s->addr,
		  is_mapped(item));
	c2c_add_counts(&c->total, &n);
	l = line_of(c, item);
	c2c_add_counts(&l->counts, &n);
	note_place(c, &l->at, s);
	r = row_of(c, l, item);
	c2c_add_counts(&r->counts, &n);
	note_place(c, &r->at, s);
	note_wait(r, &n, s->weight);
	l->period += hist_period(s);
	if (c->opts.chain)
		note_stack(c, r, item);
	if (s->cpu < c->opts.n_cpus && c->opts.nodes[s->cpu] >= 0) {
		struct c2c_on_node *node = &r->nodes[c->opts.nodes[s->cpu]];

		node->shown += c2c_shown(&n, c->opts.display == C2C_PEERS ? C2C_PEERS : C2C_TOTAL);
		node->stores += n.n[C2C_STORES];
	}
}

static void take_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		take_sample(s->ctx, &items[i]);
}

static bool takes(const struct sink *s UNUSED, const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_DATA_SRC;
}

struct c2c *c2c_new(const struct c2c_opts *opts)
{
	struct c2c *c = xnew(struct c2c);

	c->opts = *opts;
	c->sink = (struct sink){ .wants = SINK_ORDER | SINK_SYMBOLS | SINK_ADDR | SINK_THREAD,
				 .ctx = c, .samples = take_samples, .takes = takes };
	if (opts->chain) {
		c->sink.wants |= SINK_CHAIN | SINK_INLINE;
		stack_set_init(&c->stacks);
		c->stacks.by_symbol = true;
		cct_init(&c->by_stack);
	}
	for (size_t i = 0; i < opts->n_cpus; i++)
		if (opts->nodes[i] >= (int)c->n_nodes)
			c->n_nodes = (size_t)opts->nodes[i] + 1;
	return c;
}

void c2c_free(struct c2c *c)
{
	if (!c)
		return;
	for vec_each(at, &c->lines) {
		hmap_release(&(*at)->rows);
		for vec_each(r, &(*at)->order)
			vec_free(&(*r)->stacks);
		vec_free(&(*at)->order);
		free(*at);
	}
	vec_free(&c->lines);
	hmap_release(&c->by_place);
	arena_release(&c->arena);
	stack_set_release(&c->stacks);
	cct_release(&c->by_stack);
	free(c);
}

struct sink *c2c_sink(struct c2c *c)
{
	return &c->sink;
}

int c2c_need_events(const struct event_list *events, const char *path, struct err *err)
{
	if (event_list_samples(events, PERF_SAMPLE_DATA_SRC))
		return 0;
	err_set(err, ENOENT, "no event of '%s' tells where the data of an access to memory came "
			     "from", path);
	err_hint(err, "record such events with: perf c2c record -- COMMAND");
	return -ENOENT;
}
