// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/mem-events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LOADS = 1, STORES = 2 };

#define DEFAULT_LDLAT 30

/* with: its spelling with the least latency, NULL where there is no such setting; lone: without.
 * Each is taken if sysfs has what it is made of. with_too: a PMU without it has no events of
 * latency, and lone counts. */
struct mem_event {
	const char *name;
	unsigned kinds;
	const char *with, *lone;
	unsigned dflt;			/* the usual least latency; 0: lone is usual */
};

/* The first of a name and a PMU that is there is the one. Since Sapphire Rapids loads need another
 * event beside them, mem-loads-aux, which leads their group. */
#define INTEL(pmu) \
	{ "ldlat-loads", LOADS, "{" pmu "/mem-loads-aux/," pmu "/mem-loads,ldlat=%u/}:P", NULL, \
	  DEFAULT_LDLAT }, \
	{ "ldlat-loads", LOADS, pmu "/mem-loads,ldlat=%u/P", pmu "/mem-loads/P", DEFAULT_LDLAT }, \
	{ "ldlat-stores", STORES, NULL, pmu "/mem-stores/P", 0 }
#define SPE(filters) "arm_spe_0/ts_enable=1,pa_enable=1," filters

static const struct mem_event events[] = {
	INTEL("cpu"),
	INTEL("cpu_core"),
	INTEL("cpu_atom"),
	{ "mem-ldst", LOADS | STORES, "ibs_op/ldlat=%u/", "ibs_op//", 0 },
	{ "spe-load", LOADS, SPE("load_filter=1,store_filter=0,min_latency=%u/"),
	  SPE("load_filter=1,store_filter=0/"), DEFAULT_LDLAT },
	{ "spe-store", STORES, NULL, SPE("load_filter=0,store_filter=1/"), 0 },
	{ "spe-ldst", LOADS | STORES, SPE("load_filter=1,store_filter=1,min_latency=%u/"),
	  SPE("load_filter=1,store_filter=1/"), DEFAULT_LDLAT },
};

/* "cpu_core" of "{cpu_core/mem-loads-aux/,...": two events are of the same PMU. */
static bool same_pmu(const struct mem_event *a, const struct mem_event *b)
{
	const char *x = a->with ? a->with : a->lone, *y = b->with ? b->with : b->lone;
	size_t n;

	x += *x == '{';
	y += *y == '{';
	n = strcspn(x, "/");
	return n == strcspn(y, "/") && !strncmp(x, y, n);
}

/* NULL: this machine does not have it; the caller frees. */
static char *spelt(const struct mem_event *e, unsigned ldlat, struct os *os, struct pmu_db *db)
{
	const unsigned least = ldlat ? ldlat : e->dflt;
	char *text = NULL;

	if (e->with && least) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		text = xasprintf(e->with, least);
#pragma GCC diagnostic pop
		if (!event_is_there(text, os, db)) {
			free(text);
			text = NULL;
		}
	}
	if (!text && e->lone && event_is_there(e->lone, os, db))
		text = xstrdup(e->lone);
	return text;
}

static bool is_asked(const struct mem_choice *c, const struct mem_event *e)
{
	for (const char *const *name = c->names; name && *name; name++)
		if (!strcmp(*name, e->name))
			return true;
	return false;
}

/* Whether an earlier line stands for the same event of the same PMU, and is there. */
static bool is_second(const struct mem_event *e, const bool *taken)
{
	for (const struct mem_event *before = events; before < e; before++)
		if (taken[before - events] && !strcmp(before->name, e->name) && same_pmu(before, e))
			return true;
	return false;
}

typedef void (*found_fn)(void *ctx, const struct mem_event *e, char *text);

/* fn takes the text. */
static void find_all(unsigned ldlat, struct os *os, struct pmu_db *db, found_fn fn, void *ctx)
{
	bool taken[ARRAY_SIZE(events)] = { false };

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		char *text = is_second(&events[i], taken) ? NULL :
			spelt(&events[i], ldlat, os, db);

		taken[i] = text != NULL;
		if (text)
			fn(ctx, &events[i], text);
	}
}

struct listing { void (*fn)(void *ctx, const char *name, const char *event); void *ctx; };

static void list_one(void *ctx, const struct mem_event *e, char *text)
{
	const struct listing *l = ctx;

	l->fn(l->ctx, e->name, text);
	free(text);
}

void mem_events_list(struct os *os, struct pmu_db *db,
		     void (*fn)(void *ctx, const char *name, const char *event), void *ctx)
{
	find_all(0, os, db, list_one, &(struct listing){ fn, ctx });
}

/* What is there, and of that what was asked for; pairs: events that sample both kinds at once. */
struct choosing { const struct mem_choice *c; mem_texts *out, pairs; unsigned there; };

static void choose_one(void *ctx, const struct mem_event *e, char *text)
{
	struct choosing *ch = ctx;
	const unsigned wanted = (ch->c->loads ? LOADS : 0) | (ch->c->stores ? STORES : 0);

	ch->there |= e->kinds;
	if (ch->c->names ? is_asked(ch->c, e) : wanted ? e->kinds == wanted :
	    e->kinds != (LOADS | STORES))
		vec_push(ch->out, text);
	else if (!ch->c->names && (!wanted || wanted == (LOADS | STORES)))
		vec_push(&ch->pairs, text);
	else
		free(text);
}

static int nothing(const struct choosing *ch, struct err *err)
{
	if (!ch->there) {
		err_set(err, ENOENT, "no PMU of this machine has events for accesses of memory");
		err_hint(err, "they are mem-loads and mem-stores of Intel's CPUs, ibs_op of AMD's, "
			      "and arm_spe of Arm's, below\n/sys/bus/event_source/devices; "
			      "virtual machines mostly have none. A recording of another machine "
			      "can be\nread here: perf %s report -i FILE",
			 ch->c->command ? ch->c->command : "mem");
	} else if (ch->c->names) {
		err_set(err, ENOENT, "this machine has no memory event '%s'", ch->c->names[0]);
		err_hint(err, "'perf mem record -e list' lists those that it has");
	} else {
		err_set(err, ENOENT, "this machine has no event for %s alone",
			ch->c->loads ? "loads" : "stores");
		err_hint(err, "leave -t out: loads and stores are sampled together, and "
			      "'perf mem report -D' says which is which");
	}
	return -ENOENT;
}

int mem_events_choose(const struct mem_choice *c, struct os *os, struct pmu_db *db, mem_texts *out,
		      struct err *err)
{
	struct mem_choice both = *c;
	struct choosing ch = { .c = &both, .out = out };

	if (c->loads && c->stores)
		both.loads = both.stores = false;
	find_all(c->ldlat, os, db, choose_one, &ch);
	/* those that sample both at once are one event instead of two */
	if (!both.loads && !both.stores && ch.pairs.n) {
		mem_texts_release(out);
		*out = ch.pairs;
	} else {
		mem_texts_release(&ch.pairs);
	}
	return out->n ? 0 : nothing(&ch, err);
}

void mem_texts_release(mem_texts *t)
{
	for vec_each(text, t)
		free(*text);
	vec_free(t);
}
