// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The caller of the innermost frame in chains that the kernel made of a task's stack, where calls
 * leave the return address in a register (LR). A function that has not saved it, or not yet, is
 * not seen by a walk of frames: on arm64 its caller is missing in the chain; on 64-bit PowerPC the
 * chain has the register in any case, and after it the word where the function would have saved it.
 */
#include "util/unwind/unwind-priv.h"

enum lr_state { LR_UNKNOWN, LR_HOLDS, LR_SAVED };

struct leaf {
	const struct arch_info *arch;
	const struct mapping *map;
	u64 ip;
	enum lr_state lr;
	bool has_frame;		/* the stack pointer was moved */
};

static void ask_tables(struct leaf *l)
{
	const struct arch_info *a = l->arch;
	struct cfi_rule r;

	if ((l->map->dso->kind != DSO_FILE && l->map->dso->kind != DSO_VDSO) ||
	    dso_cfi(l->map->dso, mapping_rva(l->map, l->ip), &r) || r.ra_reg >= CFI_MAX_REGS ||
	    r.signal_frame)
		return;
	switch (r.regs[r.ra_reg].how) {
	case CFI_SAME: case CFI_REG: l->lr = LR_HOLDS; break;
	case CFI_UNDEFINED: return;
	default: l->lr = LR_SAVED;
	}
	l->has_frame = r.cfa_how != CFI_REG || r.cfa_reg != a->dwarf_sp || r.cfa_off;
}

bool unwind_in_function(const struct mapping *map, u64 ip, u64 va)
{
	const u64 rva = mapping_rva(map, ip), other = mapping_rva(map, va);
	const struct symbol *s = dso_find(map->dso, rva);
	u64 start, end;

	if (s) {
		start = s->start_rva;
		end = s->end_rva;
	} else if (!dso_function_range(map->dso, rva, &start, &end)) {
		return true;
	}
	return va >= map->start_va && va < map->end_va && other >= start && other < end;
}

/* Each call sets the register: as long as it leads out of the function none was made, and it is
 * the return address, saved or not. Of a function that calls itself only its
 * tables say it. */
static void complete(struct unwinding *u, const struct leaf *l, u64 lr, u64 next,
		     struct unwind_chain *out)
{
	if (!lr || !unwind_code(u, lr - 1))
		return;
	if (l->lr != LR_HOLDS && (lr == next || unwind_in_function(l->map, l->ip, lr - 1)))
		return;
	out->insert = true;
	out->va = lr;
}

/* words: leaf, LR, the word that the frame before this one has for it, ... */
static void cleanse(const struct leaf *l, u64 lr, struct unwind_chain *out)
{
	if (l->lr == LR_HOLDS && l->has_frame)
		out->drop = 2;
	else if (l->lr == LR_SAVED && (l->has_frame || unwind_in_function(l->map, l->ip, lr - 1)))
		out->drop = 1;
}

static bool registers_lr(const struct sample *s, const struct arch_info *a, u64 *lr)
{
	const struct regs_view *v = &s->user_regs;
	const u64 bit = 1ULL << a->perf_lr;

	if (!v->regs || v->abi != PERF_SAMPLE_REGS_ABI_64 || !(v->mask & bit))
		return false;
	*lr = v->regs[__builtin_popcountll(v->mask & (bit - 1))];
	return true;
}

void unwind_chain_caller(struct machine *m, const struct sample *s, const struct space *space,
			 u64 at, struct unwind_chain *out)
{
	struct unwinding u = { .arch = machine_arch(m), .t_ns = s->time_ns,
			       .space = (struct space *)space };
	struct leaf l = { .arch = u.arch, .ip = at < s->chain_n ? s->chain[at] : 0 };
	u64 lr = 0;

	*out = (struct unwind_chain){ .insert = false };
	if (u.arch->calls.chain_lr == ARCH_CHAIN_WHOLE || !space || at >= s->chain_n)
		return;
	if (u.arch->calls.chain_lr == ARCH_CHAIN_LACKS_LR && !registers_lr(s, u.arch, &lr))
		return;
	l.map = unwind_code(&u, l.ip);
	if (!l.map || !l.map->dso)
		return;
	ask_tables(&l);
	if (u.arch->calls.chain_lr == ARCH_CHAIN_SECOND_IS_LR)
		cleanse(&l, at + 1 < s->chain_n ? s->chain[at + 1] : 0, out);
	else
		complete(&u, &l, u.arch->code_mask ? lr & u.arch->code_mask : lr,
			 at + 1 < s->chain_n ? s->chain[at + 1] : 0, out);
}
