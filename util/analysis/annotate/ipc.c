// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/annotate/ipc.h"

#include <stdlib.h>

#include "util/analysis/annotate/listing.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"

struct found {
	struct dso *dso;
	bool done;
	struct function_ipc ipc;
};

struct function_ipcs {
	const struct code_blocks *blocks;
	struct disasm *disasm;
	struct hmap of;		/* functions with blocks: symbol -> struct found, owned */
	bool filled;
};

struct function_ipcs *function_ipcs_new(const struct code_blocks *b, struct disasm *x)
{
	struct function_ipcs *f = xnew(struct function_ipcs);

	f->blocks = b;
	f->disasm = x;
	return f;
}

void function_ipcs_free(struct function_ipcs *f)
{
	if (!f)
		return;
	for hmap_each(i, &f->of)
		free(f->of.vals[i]);
	hmap_release(&f->of);
	free(f);
}

/* Functions of which no cycles are known need no disassembling. */
static void fill(struct function_ipcs *f)
{
	const struct code_blocks *b = f->blocks;

	for (size_t i = 0; b->v && i <= b->mask; i++) {
		const struct code_block *v = &b->v[i];
		struct found *one;

		if (!v->sym || !v->cycles.sum || v->start_rva == BLOCK_NO_START ||
		    hmap_get(&f->of, (u64)(uintptr_t)v->sym))
			continue;
		one = xnew(struct found);
		one->dso = v->dso;
		hmap_put(&f->of, (u64)(uintptr_t)v->sym, one);
	}
	f->filled = true;
}

static struct function_ipc sum(const struct insn_blocks *v, size_t n)
{
	u64 insns = 0, cycles = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		insns += v[i].longest_insns;
		cycles += v[i].longest_cycles;
		known += v[i].longest_cycles != 0;
	}
	if (!cycles)
		return (struct function_ipc){ 0 };
	return (struct function_ipc){ (double)insns / (double)cycles,
				      100.0 * (double)known / (double)n };
}

static struct function_ipc count(const struct function_ipcs *f, struct dso *d,
				 const struct symbol *sym)
{
	const struct listing_opts o = { .disasm = f->disasm };
	struct function_ipc ipc = { 0 };
	struct insn_blocks *v = NULL;
	struct err err = ERR_INIT;
	struct listing *l = d && f->disasm ? listing_new(d, sym, &o, &err) : NULL;

	if (l)
		v = code_blocks_count(f->blocks, l);
	if (v)
		ipc = sum(v, l->insns.n);
	free(v);
	listing_free(l);
	err_release(&err);
	return ipc;
}

struct function_ipc function_ipcs_find(struct function_ipcs *f, const struct symbol *sym)
{
	struct found *one;

	if (!f->filled)
		fill(f);
	one = hmap_get(&f->of, (u64)(uintptr_t)sym);
	if (!one)
		return (struct function_ipc){ 0 };
	if (!one->done)
		one->ipc = count(f, one->dso, sym);
	one->done = true;
	return one->ipc;
}
