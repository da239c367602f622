// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/diff/streams.h"

#include "util/base/str.h"

struct path {
	char *key;			/* its frames, a line each */
	u64 period;
	VEC(struct branch_counts) counts;	/* by frame */
	bool paired;
};

struct paths {
	VEC(struct path) v;
	struct strmap by_key;		/* place in v, plus one */
	u64 total;			/* period of all samples */
};

static void make_key(const struct hist_branch_path *p, struct str *out)
{
	str_reset(out);
	for vec_each(step, &p->steps) {
		if (step->sym->name)
			str_add(out, step->sym->name);
		else
			str_addf(out, "%#llx", (unsigned long long)step->sym->va);
		str_addch(out, '\n');
	}
}

static void add_counts(struct branch_counts *to, const struct branch_counts *add)
{
	to->sources += add->sources;
	to->cycles += add->cycles;
}

static void add_path(struct paths *all, const struct hist_branch_path *from, const char *key)
{
	size_t at = (size_t)(uintptr_t)strmap_get(&all->by_key, key);
	struct path *p;

	if (!at) {
		vec_add(&all->v)->key = xstrdup(key);
		at = all->v.n;
		strmap_put(&all->by_key, key, (void *)(uintptr_t)at);
	}
	p = &all->v.v[at - 1];
	p->period += from->self.period;
	while (p->counts.n < from->steps.n)
		vec_add(&p->counts);
	for (size_t i = 0; i < from->steps.n; i++)
		add_counts(&p->counts.v[i], from->steps.v[i].counts);
}

static int by_period(const void *pa, const void *pb)
{
	const struct path *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return strcmp(a->key, b->key);
}

static void paths_init(struct paths *all, const struct diff_streams_of *of)
{
	hist_branch_paths from = { 0 };
	struct str key = STR_INIT;

	if (!of->event)
		return;
	hist_branch_paths_get(of->hist, of->event, &from);
	for vec_each(p, &from) {
		make_key(p, &key);
		if (p->steps.n)
			add_path(all, p, str_cstr(&key));
	}
	all->total = hist_total(of->hist, of->event).period;
	if (all->v.n)
		qsort(all->v.v, all->v.n, sizeof(*all->v.v), by_period);
	hist_branch_paths_release(&from);
	str_release(&key);
}

static void paths_release(struct paths *all)
{
	for vec_each(p, &all->v) {
		free(p->key);
		vec_free(&p->counts);
	}
	vec_free(&all->v);
	strmap_release(&all->by_key);
}

/* As often as they were hit, what its branches took in the mean. */
static u64 cycles_of(const struct path *p)
{
	u64 cycles = 0;

	for vec_each(c, &p->counts)
		cycles += c->sources ? c->cycles / c->sources : 0;
	return cycles;
}

static void fill(const struct paths *all, const struct path *p, struct cell *cells)
{
	cells[0] = cell_count(cycles_of(p));
	cells[1] = cell_pct(all->total ? (double)p->period * 100 / (double)all->total : 0);
}

static const struct table *frames_list(struct table *t, const char *key)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "frame", "Frame");
	for (const char *p = key; *p; p += strcspn(p, "\n") + 1) {
		char *line = xstrndup(p, strcspn(p, "\n"));

		table_add_row(list)->cells[0] = cell_text(table_text(list, line));
		free(line);
	}
	return list;
}

static struct cell *add_row(struct table *t, const char *key)
{
	const struct table *list = frames_list(t, key);
	struct cell *cells = table_add_row(t)->cells;

	cells[STREAM_FRAMES] = cell_list(list);
	return cells;
}

static struct path *other_of(struct paths *in, const char *key)
{
	for (size_t i = 0; i < in->v.n && i < DIFF_STREAMS; i++)
		if (!strcmp(in->v.v[i].key, key))
			return &in->v.v[i];
	return NULL;
}

static void add_alone(struct table *t, const struct paths *all, enum diff_stream_column at)
{
	for (size_t i = 0; i < all->v.n && i < DIFF_STREAMS; i++)
		if (!all->v.v[i].paired)
			fill(all, &all->v.v[i], &add_row(t, all->v.v[i].key)[at]);
}

void diff_streams_table(const struct diff_streams_of *old, const struct diff_streams_of *new,
			struct table *out)
{
	static const struct { const char *key, *title; } cols[] = {
		{ "frames", "Frames" }, { "old.cycles", "Cycles" }, { "old.hits_percent", "Hits" },
		{ "new.cycles", "Cycles" }, { "new.hits_percent", "Hits" } };
	struct paths a = { 0 }, b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cols); i++)
		table_add_column(out, cols[i].key, cols[i].title)->decimals = 2;
	paths_init(&a, old);
	paths_init(&b, new);
	for (size_t i = 0; i < a.v.n && i < DIFF_STREAMS; i++) {
		struct path *other = other_of(&b, a.v.v[i].key);
		struct cell *cells;

		if (!other)
			continue;
		cells = add_row(out, a.v.v[i].key);
		fill(&a, &a.v.v[i], &cells[STREAM_OLD_CYCLES]);
		fill(&b, other, &cells[STREAM_NEW_CYCLES]);
		a.v.v[i].paired = other->paired = true;
	}
	add_alone(out, &a, STREAM_OLD_CYCLES);
	add_alone(out, &b, STREAM_NEW_CYCLES);
	paths_release(&a);
	paths_release(&b);
}
