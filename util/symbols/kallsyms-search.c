// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/vec.h"
#include "util/os/kernel.h"
#include "util/symbols/kallsyms-search.h"
#include "util/symbols/kallsyms.h"

#define LAST_BYTES 4096		/* what the last symbol is taken to have: a page */

struct all { VEC(struct kallsym) v; bool any_address; };

static int collect(void *ctx, const struct kallsym *s)
{
	struct all *a = ctx;

	vec_push(&a->v, *s);
	a->any_address = a->any_address || s->va;
	return 0;
}

static int by_va(const void *x, const void *y)
{
	const struct kallsym *a = x, *b = y;

	return a->va < b->va ? -1 : a->va > b->va;
}

static bool same_module(const struct kallsym *a, const struct kallsym *b)
{
	return a->module && b->module ? !strcmp(a->module, b->module) : a->module == b->module;
}

static u64 end_of(const struct all *a, size_t i)
{
	for (size_t k = i + 1; k < a->v.n; k++)
		if (a->v.v[k].va > a->v.v[i].va && same_module(&a->v.v[k], &a->v.v[i]))
			return a->v.v[k].va;
	return (a->v.v[i].va | (LAST_BYTES - 1)) + 1;
}

static int hidden(const struct os *os, struct err *err)
{
	char *hint = os_addresses_hint(os);

	err_set(err, EACCES, "the kernel hides the addresses in /proc/kallsyms from this user");
	err_hint(err, "%s", hint);
	free(hint);
	return -EACCES;
}

static u64 tell_places(const struct all *a, const char *name,
		       void (*fn)(void *ctx, const struct kallsym_place *p), void *ctx)
{
	u64 found = 0;

	for (size_t k = 0; k < a->v.n; k++) {
		const struct kallsym *s = &a->v.v[k];

		if (strcmp(s->name, name))
			continue;
		found++;
		fn(ctx, &(struct kallsym_place){ s->name, s->module, s->va, end_of(a, k) });
	}
	return found;
}

int kallsyms_search(const struct os *os, const struct kallsyms_names *wanted,
		    void (*fn)(void *ctx, const struct kallsym_place *p), void *ctx,
		    struct err *err)
{
	struct str text = STR_INIT;
	struct all a = { 0 };
	int ret = os_read_kallsyms(os, &text, err);

	if (!ret)
		kallsyms_parse(text.buf, text.len, collect, &a, NULL);
	if (!ret && !a.any_address)
		ret = hidden(os, err);
	if (!ret && a.v.n)
		qsort(a.v.v, a.v.n, sizeof(*a.v.v), by_va);
	for (size_t i = 0; !ret && i < wanted->n; i++) {
		const u64 found = tell_places(&a, wanted->names[i], fn, ctx);

		if (wanted->found)
			wanted->found[i] = found;
	}
	vec_free(&a.v);
	str_release(&text);
	return ret;
}
