// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/annotate/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/fade.h"
#include "util/analysis/hist/hist.h"
#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"

#define FIRST_SLOTS 1024

/* One address of one symbol and event; sym NULL: an empty slot. */
struct slot {
	const struct symbol *sym;
	struct dso *dso;
	u64 shift;			/* of samples: address - that in the file; the lowest */
	struct annotate_count count;
};

/* Open addressing; at most three quarters are used. */
struct slots { struct slot *v; size_t n, mask; };

/* Of one event: samples without a symbol, and what was counted last: loops stay at an address. */
struct worker {
	struct sink sink;
	const char *symbol;
	struct slots slots;
	struct per_event totals;	/* struct annotate_sum, of samples without a symbol */
	struct code_blocks blocks;
};

/* Of one event, for annotate_decay(). */
struct fading { struct annotate_sum all, left; u64 mean; };

struct annotate {
	struct worker main;
	VEC(struct fading) fading;	/* by event */
	VEC(struct slot) sorted;
	VEC(struct annotate_count) counts;
	VEC(struct annotate_symbol) symbols;
	struct per_event totals;	/* of main, by annotate_finish() */
};

static inline size_t slot_hash(const struct symbol *sym, u64 rva, int event)
{
	return (size_t)hash_u64((u64)(uintptr_t)sym ^ rva << 20 ^ (u64)event << 7 ^ rva);
}

static struct slot *slot_for(const struct slots *s, const struct symbol *sym, u64 rva, int event)
{
	size_t i = slot_hash(sym, rva, event) & s->mask;

	while (s->v[i].sym && (s->v[i].sym != sym || s->v[i].count.rva != rva ||
			       s->v[i].count.event != event))
		i = (i + 1) & s->mask;
	return &s->v[i];
}

static void grow(struct slots *s)
{
	struct slots old = *s;

	s->mask = old.v ? 2 * (old.mask + 1) - 1 : FIRST_SLOTS - 1;
	s->v = xcalloc(s->mask + 1, sizeof(*s->v));
	for (size_t i = 0; old.v && i <= old.mask; i++)
		if (old.v[i].sym)
			*slot_for(s, old.v[i].sym, old.v[i].count.rva, old.v[i].count.event) =
				old.v[i];
	free(old.v);
}

static void add(struct slots *s, const struct slot *what)
{
	const struct annotate_count *c = &what->count;
	struct slot *to;

	if (s->n * 4 >= (s->mask + 1) * 3 || !s->v)
		grow(s);
	to = slot_for(s, what->sym, c->rva, c->event);
	if (!to->sym) {
		*to = *what;
		s->n++;
		return;
	}
	to->shift = MIN(to->shift, what->shift);
	to->count.sum.n += c->sum.n;
	to->count.sum.period += c->sum.period;
}

static void add_total(struct per_event *totals, const struct event *e, struct annotate_sum more)
{
	struct annotate_sum *t = per_event(totals, e);

	t->n += more.n;
	t->period += more.period;
}

static void count_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct worker *w = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct location *at = &items[i].res->leaf;
		const struct event *e = items[i].sample->event;
		const struct slot one = { .sym = at->sym, .dso = at->dso,
			.shift = at->va - at->rva,
			.count = { at->rva, e->index, { 1, hist_period(items[i].sample) } } };

		if (at->sym)
			add(&w->slots, &one);
		else if (!w->symbol)
			add_total(&w->totals, e, one.count.sum);
		if (s->wants & SINK_BRANCH && items[i].res->branches)
			code_blocks_add(&w->blocks, &items[i].sample->branch,
					items[i].res->branches);
	}
}

static struct sink *clone(struct sink *s);
static void merge(struct sink *s, struct sink *from);

static void worker_init(struct worker *w, const char *symbol)
{
	w->symbol = symbol;
	per_event_init(&w->totals, sizeof(struct annotate_sum), NULL, NULL);
	w->sink = (struct sink){ .wants = SINK_SYMBOLS, .ctx = w, .samples = count_samples,
				 .clone = clone, .merge = merge };
}

static void worker_release(struct worker *w)
{
	free(w->slots.v);
	code_blocks_release(&w->blocks);
	per_event_release(&w->totals);
}

static struct sink *clone(struct sink *s)
{
	struct worker *w = xcalloc(1, sizeof(*w));

	worker_init(w, ((struct worker *)s->ctx)->symbol);
	w->sink.wants = s->wants;
	w->blocks.counters = ((struct worker *)s->ctx)->blocks.counters;
	return &w->sink;
}

static void add_sums(void *to, const void *from)
{
	struct annotate_sum *t = to;
	const struct annotate_sum *f = from;

	t->n += f->n;
	t->period += f->period;
}

static void merge(struct sink *s, struct sink *other)
{
	struct worker *into = s->ctx, *from = other->ctx;

	for (size_t i = 0; from->slots.v && i <= from->slots.mask; i++)
		if (from->slots.v[i].sym)
			add(&into->slots, &from->slots.v[i]);
	per_event_merge(&into->totals, &from->totals, add_sums);
	code_blocks_merge(&into->blocks, &from->blocks);
	worker_release(from);
	free(from);
}

struct annotate *annotate_new(const char *symbol)
{
	struct annotate *a = xcalloc(1, sizeof(*a));

	worker_init(&a->main, symbol);
	per_event_init(&a->totals, sizeof(struct annotate_sum), NULL, NULL);
	return a;
}

void annotate_free(struct annotate *a)
{
	if (!a)
		return;
	worker_release(&a->main);
	per_event_release(&a->totals);
	vec_free(&a->fading);
	vec_free(&a->sorted);
	vec_free(&a->counts);
	vec_free(&a->symbols);
	free(a);
}

struct sink *annotate_sink(struct annotate *a) { return &a->main.sink; }

void annotate_want_branches(struct annotate *a, const struct branch_counters *counters)
{
	a->main.sink.wants |= SINK_BRANCH;
	if (counters)
		a->main.blocks.counters = *counters;
}

const struct code_blocks *annotate_blocks(const struct annotate *a) { return &a->main.blocks; }

/* By the place in its file, which any number of threads leaves the same. */
static int by_place(const void *x, const void *y)
{
	const struct slot *a = x, *b = y;

	if (a->dso != b->dso)
		return a->dso->index < b->dso->index ? -1 : 1;
	if (a->sym != b->sym)
		return a->sym->start_rva != b->sym->start_rva ?
			(a->sym->start_rva < b->sym->start_rva ? -1 : 1) :
			a->sym->table_nr < b->sym->table_nr ? -1 : 1;
	if (a->count.event != b->count.event)
		return a->count.event < b->count.event ? -1 : 1;
	return a->count.rva < b->count.rva ? -1 : a->count.rva > b->count.rva;
}

/* "foo(int)" and "foo": the length without the parameters; brackets may be nested. */
static size_t length_without_parameters(const char *name)
{
	const char *end = strrchr(name, ')');
	int depth = 0;

	/* "foo(int) const", "foo(int) [clone .isra.0]" */
	for (const char *p = end; p && p >= name; p--) {
		depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
		if (!depth && p > name)
			return (size_t)(p - name);
	}
	return strlen(name);
}

bool annotate_is_named(const struct symbol *sym, const char *name)
{
	const size_t n = strlen(name);

	return !strcmp(sym->name, name) || !strcmp(sym->mangled, name) ||
		(sym->name != sym->mangled && n && !strncmp(sym->name, name, n) &&
		 length_without_parameters(sym->name) == n);
}

void annotate_finish(struct annotate *a)
{
	const struct slots *s = &a->main.slots;

	vec_clear(&a->sorted);
	vec_clear(&a->counts);
	vec_clear(&a->symbols);
	per_event_release(&a->totals);
	per_event_init(&a->totals, sizeof(struct annotate_sum), NULL, NULL);
	per_event_merge(&a->totals, &a->main.totals, add_sums);
	for (size_t i = 0; s->v && i <= s->mask; i++)
		if (s->v[i].sym)
			vec_push(&a->sorted, s->v[i]);
	if (a->sorted.n)
		qsort(a->sorted.v, a->sorted.n, sizeof(*a->sorted.v), by_place);
	vec_reserve(&a->counts, a->sorted.n);	/* pointers into it are kept */
	for vec_each(it, &a->sorted) {
		struct annotate_symbol *last = a->symbols.n ? vec_last(&a->symbols) : NULL;

		if (!last || last->sym != it->sym) {
			if (a->main.symbol && !annotate_is_named(it->sym, a->main.symbol))
				continue;
			last = vec_add(&a->symbols);
			*last = (struct annotate_symbol){ .dso = it->dso, .sym = it->sym,
							  .shift = it->shift,
							  .counts = a->counts.v + a->counts.n };
		}
		last->shift = MIN(last->shift, it->shift);
		vec_push(&a->counts, it->count);
		last->n_counts++;
	}
}

/* ---- what fades ---- */

static struct fading *fading_of(struct annotate *a, size_t event)
{
	while (a->fading.n <= event)
		vec_add(&a->fading);
	return &a->fading.v[event];
}

/* What a sample of each event stood for since the last time; then how much is left is counted. */
static void begin_fading(struct annotate *a)
{
	const struct slots *s = &a->main.slots;

	for (size_t i = 0; s->v && i <= s->mask; i++)
		if (s->v[i].sym)
			add_sums(&fading_of(a, (size_t)s->v[i].count.event)->all,
				 &s->v[i].count.sum);
	for (size_t i = 0; i < a->main.totals.n; i++)
		if (per_event_at(&a->main.totals, i))
			add_sums(&fading_of(a, i)->all, per_event_at(&a->main.totals, i));
	for vec_each(f, &a->fading) {
		if (f->all.n > f->left.n)
			f->mean = (f->all.period - f->left.period) / (f->all.n - f->left.n);
		f->all = f->left = (struct annotate_sum){ 0 };
	}
}

static void fade_one(struct annotate *a, const struct fade *by, size_t event,
		     struct annotate_sum *sum)
{
	struct fading *f = fading_of(a, event);

	fade_sum(by, &sum->period, &sum->n, f->mean);
	add_sums(&f->left, sum);
}

/* In 256ths of a sample. */
static u64 weight_of(const struct annotate *a, const struct slot *s)
{
	return s->count.sum.period * 256 / MAX(a->fading.v[s->count.event].mean, (u64)1);
}

static int most_first(const void *x, const void *y)
{
	const u64 a = *(const u64 *)x, b = *(const u64 *)y;

	return a > b ? -1 : a < b;
}

/* The weight of the first one that is too many; 0: none is. */
static u64 least_kept(const struct annotate *a, size_t most)
{
	const struct slots *s = &a->main.slots;
	u64 *weights, least;
	size_t n = 0;

	if (s->n <= most)
		return 0;
	weights = xcalloc(s->n, sizeof(*weights));
	for (size_t i = 0; i <= s->mask; i++)
		if (s->v[i].sym)
			weights[n++] = weight_of(a, &s->v[i]);
	qsort(weights, n, sizeof(*weights), most_first);
	least = weights[most];
	free(weights);
	return least + 1;
}

/* Those behind it move up where they are looked for from there on: what is found by linear probing
 * has no free slot before it. */
static void remove_slot(struct slots *s, size_t i)
{
	for (size_t at = (i + 1) & s->mask; s->v[at].sym; at = (at + 1) & s->mask) {
		const struct slot *next = &s->v[at];
		const size_t home = slot_hash(next->sym, next->count.rva, next->count.event);

		if (((at - home) & s->mask) >= ((at - i) & s->mask)) {
			s->v[i] = *next;
			i = at;
		}
	}
	s->v[i].sym = NULL;
	s->n--;
}

/* Slots that move up from the first to the last ones are asked twice. */
static void remove_lighter(struct annotate *a, u64 least)
{
	struct slots *s = &a->main.slots;

	for (size_t i = 0; s->v && i <= s->mask; i++) {
		struct slot *slot = &s->v[i];

		while (slot->sym && (!slot->count.sum.n || weight_of(a, slot) < least)) {
			struct annotate_sum *left = &a->fading.v[slot->count.event].left;

			left->n -= slot->count.sum.n;
			left->period -= slot->count.sum.period;
			remove_slot(s, i);
		}
	}
}

void annotate_decay(struct annotate *a, u64 keep, u64 of, size_t most)
{
	const struct fade by = { keep, of };
	struct slots *s = &a->main.slots;

	begin_fading(a);
	for (size_t i = 0; s->v && i <= s->mask; i++)
		if (s->v[i].sym)
			fade_one(a, &by, (size_t)s->v[i].count.event, &s->v[i].count.sum);
	for (size_t i = 0; i < a->main.totals.n; i++)
		if (per_event_at(&a->main.totals, i))
			fade_one(a, &by, i, per_event_at(&a->main.totals, i));
	remove_lighter(a, least_kept(a, most));
}

size_t annotate_n_symbols(const struct annotate *a) { return a->symbols.n; }

struct annotate_sum annotate_symbol_total(const struct annotate_symbol *s, const struct event *e)
{
	struct annotate_sum sum = { 0 };

	for (size_t i = 0; i < s->n_counts; i++)
		if (s->counts[i].event == e->index)
			add_sums(&sum, &s->counts[i].sum);
	return sum;
}

struct annotate_sum annotate_total(const struct annotate *a, const struct event *e)
{
	const struct annotate_sum *without = per_event_peek(&a->totals, e);
	struct annotate_sum sum = without ? *without : (struct annotate_sum){ 0 };

	for vec_each(c, &a->counts)
		if (c->event == e->index)
			add_sums(&sum, &c->sum);
	return sum;
}

const struct annotate_symbol *annotate_find(const struct annotate *a, const struct symbol *sym)
{
	for vec_each(s, &a->symbols)
		if (s->sym == sym)
			return s;
	return NULL;
}

struct ranked { const struct annotate_symbol *s; struct annotate_sum sum; };

static int by_use(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->sum.period != b->sum.period)
		return a->sum.period > b->sum.period ? -1 : 1;
	if (a->sum.n != b->sum.n)
		return a->sum.n > b->sum.n ? -1 : 1;
	return a->s < b->s ? -1 : a->s > b->s;
}

void annotate_order(const struct annotate *a, const struct event *const *events, size_t n,
		    annotate_symbols *out)
{
	VEC(struct ranked) ranked = { 0 };
	bool *taken = xcalloc(a->symbols.n + 1, sizeof(*taken));

	vec_clear(out);
	for (size_t e = 0; e < n; e++) {	/* what the events before it do not have */
		vec_clear(&ranked);
		for (size_t i = 0; i < a->symbols.n; i++) {
			const struct ranked r = { &a->symbols.v[i],
				annotate_symbol_total(&a->symbols.v[i], events[e]) };

			if (r.sum.n && !taken[i])
				vec_push(&ranked, r);
			taken[i] |= r.sum.n > 0;
		}
		if (ranked.n)
			qsort(ranked.v, ranked.n, sizeof(*ranked.v), by_use);
		for vec_each(r, &ranked)
			vec_push(out, r->s);
	}
	free(taken);
	vec_free(&ranked);
}
