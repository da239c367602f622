// SPDX-License-Identifier: GPL-2.0-or-later
// mem mmap: memory that is mapped, touched and given back.
#include "util/bench/mem-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

static const struct mem_function ways[] = {
	{ "demand", "Demand loaded mmap()", { .map_flags = 0 } },
	{ "populate", "Eagerly populated mmap()", { .map_flags = MAP_POPULATE } },
	{ 0 }
};

struct mapper {
	struct gang *g;
	const struct mem_suite *s;
	const struct mem_function *f;
	const struct mem_args *a;
	struct mem_result *r;
	u32 *order;		/* of the pages, or NULL: one after the other */
	int code;
};

static int map_once(const struct mapper *m)
{
	const struct mem_args *a = m->a;
	const u64 pages = a->bytes / a->page_bytes;
	char *p = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE,
		       mem_page_flags(a) | m->f->map_flags, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	for (u64 i = 0; i < pages; i++) {
		const u64 page = m->order ? m->order[i] : i;

		*(volatile char *)(p + page * a->page_bytes) = 1;
	}
	return munmap(p, a->bytes);
}

static void *mapper_thread(void *arg)
{
	struct mapper *m = arg;
	struct mem_watch w;

	gang_wait(m->g);
	mem_watch_start(m->s, &w);
	for (int i = 0; i < m->a->o->loops && !m->code; i++)
		m->code = map_once(m) ? errno : 0;
	mem_watch_stop(m->s, &w, m->r);
	return NULL;
}

/* Each page once, in an order that only the seed decides. */
static u32 *shuffled(u64 pages, int seed)
{
	u32 *order = xcalloc((size_t)pages + 1, sizeof(*order));
	u64 state = (u64)(unsigned)seed;

	for (u64 i = 0; i < pages; i++)
		order[i] = (u32)i;
	for (u64 i = pages; i > 1; i--) {
		u32 swapped;
		u64 j;

		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		j = (state >> 33) % i;
		swapped = order[i - 1];
		order[i - 1] = order[j];
		order[j] = swapped;
	}
	return order;
}

static int run_mappers(const struct mem_suite *s, const struct mem_function *f,
		       const struct mem_args *a, struct mem_result *r, struct err *err)
{
	const int n = a->o->threads;
	struct mapper *m = xcalloc((size_t)n, sizeof(*m));
	u32 *order = a->o->seed ? shuffled(a->bytes / a->page_bytes, a->o->seed) : NULL;
	struct gang g;
	int ret = 0, code = 0;

	gang_init(&g);
	for (int i = 0; i < n && !ret; i++) {
		m[i] = (struct mapper){ &g, s, f, a, &r[i], order, 0 };
		ret = gang_add(&g, mapper_thread, &m[i], false, err);
	}
	gang_release(&g);
	for (int i = 0; i < n && !ret && !code; i++)
		code = m[i].code;
	if (code)
		ret = err_sys(err, code, "cannot map %s in pages of %s", a->o->size, a->o->page);
	free(order);
	free(m);
	return ret;
}

int bench_mmap(struct bench *b, const void *opts, struct err *err)
{
	return mem_run_suite(b, &(struct mem_suite){ ways, run_mappers, -1 }, opts, err);
}
