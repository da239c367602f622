// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks of code by the branches that they end with.
#include <stdlib.h>

#include "util/analysis/annotate/blocks.h"

static int by_end(const void *pa, const void *pb)
{
	const struct block_end *a = pa, *b = pb;

	if (a->sym != b->sym)
		return (uintptr_t)a->sym < (uintptr_t)b->sym ? -1 : 1;
	return a->end_rva < b->end_rva ? -1 : a->end_rva > b->end_rva;
}

/* The first times are those of the longest block; of one whose start is not known where it is not
 * known of any. */
static void add_end(struct block_end *to, const struct block_end *e)
{
	if (e->start_rva < to->start_rva) {
		const struct block_cycles c = to->cycles;

		to->start_rva = e->start_rva;
		to->cycles = e->cycles;
		to->cycles.n = c.n;
		to->cycles.sum = c.sum;
	}
	to->cycles.n += e->cycles.n;
	to->cycles.sum += e->cycles.sum;
}

/* A single instruction is no block that names another one: upstream perf has it so. */
static u64 start_of(const struct code_block *b)
{
	return b->start_rva == b->end_rva ? BLOCK_NO_START : b->start_rva;
}

void code_blocks_by_end(const struct code_blocks *b, block_ends *out)
{
	size_t n = 0;

	for (size_t i = 0; b->v && i <= b->mask; i++)
		if (b->v[i].sym && b->v[i].cycles.n)
			vec_push(out, ((struct block_end){ b->v[i].sym, b->v[i].dso,
							   start_of(&b->v[i]), b->v[i].end_rva,
							   b->v[i].cycles }));
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_end);
	for (size_t i = 0; i < out->n; i++) {
		struct block_end *to = n ? &out->v[n - 1] : NULL;

		if (!to || by_end(to, &out->v[i])) {
			out->v[n++] = out->v[i];
			continue;
		}
		add_end(to, &out->v[i]);
	}
	out->n = n;
}

void code_block_name(struct str *out, struct dso *d, const struct symbol *sym, u64 start_off,
		     u64 end_off)
{
	struct srcline from, to;

	str_addch(out, '[');
	if (d && dso_srcline(d, sym->start_rva + start_off, &from) && from.file &&
	    dso_srcline(d, sym->start_rva + end_off, &to) && to.file) {
		srcline_add_short(out, &from);
		str_add(out, " -> ");
		srcline_add_short(out, &to);
	} else {
		str_addf(out, "%s+%llu -> %s+%llu", sym->name, (unsigned long long)start_off,
			 sym->name, (unsigned long long)end_off);
	}
	str_addch(out, ']');
}
