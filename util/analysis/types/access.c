// SPDX-License-Identifier: GPL-2.0-or-later
// Functions are looked through once, when the first of their addresses is asked for, under the one
// lock of the finder.
#include "util/analysis/types/access.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>

#include "util/analysis/types/flow.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"

struct dso_types { struct datatypes *types; struct slots *slots; u64 delta; };
struct function { struct access *v; size_t n; struct access none; };

struct access_finder {
	pthread_mutex_t lock;
	struct disasm *disasm;
	struct hmap functions;		/* symbol -> struct function */
	struct hmap dsos;		/* index of the dso plus 1 -> struct dso_types */
	struct intern *mnemonics;
	struct arena arena;
};

static const char *const words[N_ACCESS_WHYS] = {
	"ok", "stack", "no_insn", "no_mem_ops", "no_dbginfo", "no_var", "no_typeinfo",
	"bad_offset"
};

const char *access_why_word(enum access_why w) { return words[w]; }

struct access_finder *access_finder_new(const struct arch_info *arch, struct err *err)
{
	const struct disasm_opts opts = { .arch = arch };
	struct disasm *disasm = disasm_check_operands(err) ? NULL : disasm_new(&opts, err);
	struct access_finder *f;

	if (!disasm)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->disasm = disasm;
	f->mnemonics = intern_new();
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

static void close_types(struct dso_types *t)
{
	datatypes_close(t->types);
	slots_free(t->slots);
}

void access_finder_free(struct access_finder *f)
{
	if (!f)
		return;
	for hmap_each(i, &f->dsos)
		close_types(f->dsos.vals[i]);
	hmap_release(&f->dsos);
	hmap_release(&f->functions);
	arena_release(&f->arena);
	intern_free(f->mnemonics);
	disasm_free(f->disasm);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static struct dso_types *types_of(struct access_finder *f, struct dso *d)
{
	struct dso_types *t = hmap_get(&f->dsos, (u64)d->index + 1);

	if (t)
		return t;
	t = arena_alloc(&f->arena, sizeof(*t));
	t->types = dso_datatypes(d, &t->delta);
	t->slots = t->types ? dso_slots(d) : NULL;
	hmap_put(&f->dsos, (u64)d->index + 1, t);
	return t;
}

struct filling { struct access_finder *f; struct dso *d; struct flow *flow; };

static int put_insn(void *ctx, const struct insn *i)
{
	struct filling *p = ctx;
	struct flow_insn *at = vec_add(&p->flow->insns);

	at->i = *i;
	at->i.mnemonic = at->i.operands = NULL;
	at->mnemonic = intern_str(p->f->mnemonics, i->mnemonic);
	at->decoded = !i->unknown && disasm_operands(p->f->disasm, p->d, i, &at->ops);
	return 0;
}

static void find_frames(struct dso *d, struct flow *flow)
{
	struct cfi_rule rule = { 0 };

	for vec_each(at, &flow->insns) {
		if ((at->i.rva < rule.start_rva || at->i.rva >= rule.end_rva) &&
		    dso_cfi(d, at->i.rva, &rule))
			rule = (struct cfi_rule){ .cfa_how = CFI_EXPR };
		at->has_cfa = rule.cfa_how == CFI_REG && at->i.rva < rule.end_rva;
		at->cfa_reg = rule.cfa_reg;
		at->cfa_off = rule.cfa_off;
	}
}

static void find_returned(struct flow *flow)
{
	for vec_each(at, &flow->insns)
		if (at->i.kind == INSN_CALL && at->i.has_target)
			at->returned = datatypes_returned(flow->types,
							  at->i.target_rva - flow->delta);
}

static void without_types(const struct flow *flow, struct function *fn)
{
	for (size_t i = 0; i < flow->insns.n; i++) {
		const struct flow_insn *at = &flow->insns.v[i];

		fn->v[i] = (struct access){ .rva = at->i.rva, .length = at->i.length,
			.mnemonic = at->mnemonic,
			.why = !at->decoded ? ACCESS_NO_INSN : at->ops.stack ? ACCESS_STACK :
				at->ops.has_mem ? ACCESS_NO_DEBUG : ACCESS_NO_MEMORY };
	}
}

static struct function *look_through(struct access_finder *f, struct dso *d,
				     const struct symbol *sym)
{
	const struct disasm_range range = { sym->start_rva, sym->end_rva };
	const struct dso_types *t = types_of(f, d);
	struct flow flow = {
		.types = t->types, .slots = t->slots, .delta = t->delta,
		.kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE,
		.abi = disasm_machine(f->disasm, d) == EM_AARCH64 ? &flow_arm64 : &flow_x86_64,
	};
	struct filling p = { f, d, &flow };
	struct function *fn = arena_alloc(&f->arena, sizeof(*fn));
	struct err err = ERR_INIT;

	fn->none.why = ACCESS_NO_INSN;
	if (!disasm_range(f->disasm, d, &range, put_insn, &p, &err) && flow.insns.n) {
		fn->n = flow.insns.n;
		fn->v = arena_alloc(&f->arena, fn->n * sizeof(*fn->v));
		if (t->types && datatypes_variables(t->types, sym->start_rva - t->delta,
						    &flow.vars)) {
			find_frames(d, &flow);
			find_returned(&flow);
			flow_run(&flow, fn->v);
		} else {
			without_types(&flow, fn);
		}
	}
	err_release(&err);
	flow_release(&flow);
	return fn;
}

static const struct access *in_function(const struct function *fn, u64 rva)
{
	size_t lo = 0, hi = fn->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (fn->v[mid].rva <= rva)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && rva - fn->v[lo - 1].rva < fn->v[lo - 1].length ? &fn->v[lo - 1] : &fn->none;
}

const struct access *access_find(struct access_finder *f, struct dso *d, const struct symbol *sym,
				 u64 rva)
{
	struct function *fn;

	pthread_mutex_lock(&f->lock);
	fn = hmap_get(&f->functions, (u64)(uintptr_t)sym);
	if (!fn) {
		fn = look_through(f, d, sym);
		hmap_put(&f->functions, (u64)(uintptr_t)sym, fn);
	}
	pthread_mutex_unlock(&f->lock);
	return in_function(fn, rva);
}

void access_complete(struct access_finder *f, const struct dso *d, const struct datatype *type)
{
	struct dso_types *t;

	pthread_mutex_lock(&f->lock);
	t = hmap_get(&f->dsos, (u64)d->index + 1);
	if (t && t->types)
		datatype_complete(t->types, type);
	pthread_mutex_unlock(&f->lock);
}

static void add_field(struct datatypes *t, struct str *out, const struct datatype *type, u64 off)
{
	struct str path = STR_INIT;

	for (int depth = 0; type && depth < 32; depth++) {
		const struct datatype_field *f = NULL;

		datatype_complete(t, type);
		for (size_t i = 0; i < type->n_fields && !f; i++) {
			const struct datatype_field *it = &type->fields[i];

			if (off >= it->off && (off - it->off < it->bytes ||
					       (!it->bytes && i + 1 == type->n_fields)))
				f = it;
		}
		if (!f)
			break;
		if (f->name[0])
			str_addf(&path, "%s%s", path.len ? "." : "", f->name);
		type = f->type;
		off -= f->off;
	}
	str_add(out, str_cstr(&path));
	str_release(&path);
}

void access_add_field(struct access_finder *f, struct str *out, const struct dso *d,
		      const struct datatype *type, u64 off)
{
	struct dso_types *t;

	pthread_mutex_lock(&f->lock);
	t = hmap_get(&f->dsos, (u64)d->index + 1);
	if (t && t->types)
		add_field(t->types, out, type, off);
	pthread_mutex_unlock(&f->lock);
}
