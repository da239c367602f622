// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/rules-priv.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"

#define ENTRY_BYTES 256		/* of a program's first code without tables */
#define BLOCK_SHIFT 9		/* of the addresses that are looked for together: some functions */
#define MAX_SPACES 65535u	/* that a key can tell apart */

void rules_init(struct rules *r)
{
	const size_t line = RULES_WAYS * sizeof(struct entry);

	*r = (struct rules){ .code = code_memo_new() };
	r->sets_mem = xtable(RULES_SETS + 1, line);
	r->sets = (void *)ALIGN_UP((uintptr_t)r->sets_mem, line);
	_Static_assert(RULES_WAYS * sizeof(struct entry) == 64, "a set is not one cache line");
}

void rules_release(struct rules *r)
{
	free(r->sets_mem);
	code_memo_free(r->code);
	vec_free(&r->all);
	hmap_release(&r->by_content);
	hmap_release(&r->rows);
	hmap_release(&r->numbers);
	arena_release(&r->arena);
}

/* Numbers are given in the order of first use; after the last one they begin again, and all
 * entries are forgotten. */
u64 rules_space(struct rules *r, const struct unwinding *u)
{
	const u64 key = u->space_key << 1 | (u->arch->addr_bytes == 4);
	u64 n;

	if (key == r->last_space)
		return r->last_number;
	n = (uintptr_t)hmap_get(&r->numbers, key);
	if (!n) {
		if (r->n_spaces == MAX_SPACES) {
			memset(r->sets, 0, RULES_SETS * RULES_WAYS * sizeof(*r->sets));
			hmap_release(&r->numbers);
			r->n_spaces = 0;
		}
		n = ++r->n_spaces;
		hmap_put(&r->numbers, key, (void *)(uintptr_t)n);
	}
	r->last_space = key;
	return r->last_number = n << RULES_VA_BITS;
}

/* --- making rules --- */

/* Into the common shape, when it has that. */
static bool compile(const struct cfi_rule *r, const struct arch_info *a, struct rule *l)
{
	const struct cfi_reg_rule *ra = r->ra_reg < CFI_MAX_REGS ? &r->regs[r->ra_reg] : NULL;

	if (!ra || r->cfa_how != CFI_REG || r->cfa_reg >= CFI_MAX_REGS || ra->how != CFI_AT_CFA ||
	    ra->off != (s16)ra->off)
		return false;
	for (unsigned i = 0; i < CFI_MAX_REGS && i < a->n_dwarf_regs; i++) {
		const struct cfi_reg_rule *rr = &r->regs[i];

		if (rr->how == CFI_SAME || rr->how == CFI_UNDEFINED || i == r->ra_reg)
			continue;
		/* what it saves is where the CFA says that it was */
		if (a->calls.cfa_above_sp && i == a->dwarf_sp && rr->how == CFI_AT_CFA)
			continue;
		if (rr->how != CFI_AT_CFA || rr->off != (s16)rr->off || l->n_saved ==
		    RULE_MAX_SAVED)
			return false;
		l->reg[l->n_saved] = i;
		l->off[l->n_saved++] = rr->off;
	}
	l->cfa_reg = r->cfa_reg;
	l->cfa_off = r->cfa_off;
	l->ra_off = ra->off;
	return true;
}

/* The dynamic linker's first code, which nobody calls, has no tables that would say so. */
static bool is_entry(struct dso *d, u64 rva)
{
	struct cfi_rule rule;
	u64 entry;

	return d->kind == DSO_FILE && dso_entry(d, &entry) && rva - entry < ENTRY_BYTES &&
		dso_cfi(d, entry, &rule) == -ENOENT;
}

/* --- signal trampolines without tables, as musl and Go have them; on arm64 those of the vdso, too,
 * whose tables know the frame's record alone: not where the task was interrupted --- */

#define CALL_MAX 9

/* mov $__NR_rt_sigreturn, %rax (%eax); syscall. arm64: mov x8, #__NR_rt_sigreturn; svc #0 */
static const struct { u16 machine; u8 n, code[CALL_MAX]; } sigreturns[] = {
	{ EM_X86_64, 9, { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 } },
	{ EM_X86_64, 7, { 0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 } },
	{ EM_AARCH64, 8, { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 } },
};

/* Also right before it, where the caller of the signal's handler is looked for, and right after
 * it, while the call is made. */
static bool is_sigreturn(struct dso *d, const struct arch_info *a, u64 rva)
{
	u8 b[2 * CALL_MAX + 1];
	size_t got;

	if (rva < CALL_MAX)
		return false;
	got = dso_read(d, rva - CALL_MAX, b, sizeof(b));
	for (size_t i = 0; i < ARRAY_SIZE(sigreturns); i++)
		for (size_t at = CALL_MAX - sigreturns[i].n; at <= CALL_MAX + 1 &&
		     at + sigreturns[i].n <= got; at++)
			if (sigreturns[i].machine == a->elf_machine &&
			    !memcmp(b + at, sigreturns[i].code, sigreturns[i].n))
				return true;
	return false;
}

static void sigreturn_words_x86_64(const struct arch_info *a, struct cfi_rule *out)
{
	static const u8 words[] = { 13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16 };

	out->cfa_off = 40;
	out->ra_reg = (u8)a->dwarf_ra;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		out->regs[i] = (struct cfi_reg_rule){ .how = CFI_AT_CFA, .off = 8 * words[i] };
}

/* A siginfo comes before it, and the registers are x0 to x30, the stack pointer and the place,
 * which is not the link register. */
static void sigreturn_words_arm64(struct cfi_rule *out)
{
	out->cfa_off = 312;
	out->ra_reg = CFI_RA_BEYOND;
	for (int i = 0; i < 32; i++)
		out->regs[i] = (struct cfi_reg_rule){ .how = CFI_AT_CFA, .off = 8 * i };
	out->regs[CFI_RA_BEYOND] = (struct cfi_reg_rule){ .how = CFI_AT_CFA, .off = 8 * 32 };
}

/* Its frame is a struct ucontext (asm/ucontext.h, asm/sigcontext.h) on top of the stack. By
 * DWARF's numbers of registers. */
static void sigreturn_rule(u64 rva, const struct arch_info *a, struct cfi_rule *out)
{
	memset(out, 0, sizeof(*out));
	out->start_rva = rva;
	out->end_rva = rva + 1;
	out->cfa_how = CFI_REG;
	out->cfa_reg = (u8)a->dwarf_sp;
	out->signal_frame = true;
	out->n_regs = CFI_MAX_REGS;
	if (a->elf_machine == EM_AARCH64)
		sigreturn_words_arm64(out);
	else
		sigreturn_words_x86_64(a, out);
}

static bool is_x86_64(const struct arch_info *a)
{
	return a->is_x86 && a->addr_bytes == 8;
}

/* Whether tables (ret: 0) of this file may be wrong about a trampoline. Go has some for it, which
 * do not say what it is. */
static bool may_be_sigreturn(struct dso *d, const struct arch_info *a, int ret)
{
	if (a->elf_machine == EM_AARCH64)
		return ret || d->kind == DSO_VDSO;
	return is_x86_64(a) && d->kind == DSO_FILE && (ret || dso_is_go(d));
}

static int find_rule(struct dso *d, const struct arch_info *a, u64 rva, struct cfi_rule *out)
{
	int ret;

	if (d->kind != DSO_FILE && d->kind != DSO_VDSO)
		return -1;
	ret = dso_cfi(d, rva, out);
	if (!may_be_sigreturn(d, a, ret) || !is_sigreturn(d, a, rva))
		return ret;
	sigreturn_rule(rva, a, out);
	return 0;
}

/* Functions of Go's runtime go to another stack by writing the stack pointer; by their tables
 * the caller would be what lay on that one before. */
static bool leaves_stack(struct dso *d, u64 rva)
{
	static const char *const names[] = { "systemstack", "mcall", "asmcgocall",
					     "asmcgocall_no_g", "morestack", "nanotime1",
					     "walltime" };
	static const char prefix[] = "runtime.";
	const struct symbol *s = d->kind == DSO_FILE && dso_is_go(d) ? dso_find(d, rva) : NULL;

	if (!s || !str_has_prefix(s->name, prefix))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *rest = s->name + sizeof(prefix) - 1;
		size_t n = strlen(names[i]);

		/* "systemstack.abi0" */
		if (!strncmp(rest, names[i], n) && (!rest[n] || rest[n] == '.'))
			return true;
	}
	return false;
}

static u32 add_rule(struct rules *r, const struct rule *l)
{
	const u64 h = hash_bytes(l, sizeof(*l), 0) | 1;
	u32 n = (u32)(uintptr_t)hmap_get(&r->by_content, h);

	if (n && !memcmp(&r->all.v[n - 1], l, sizeof(*l)))
		return n - 1;
	vec_push(&r->all, *l);
	if (!n)
		hmap_put(&r->by_content, h, (void *)(uintptr_t)r->all.n);
	return (u32)(r->all.n - 1);
}

/* row: the addresses that it holds for. */
static u32 make_rule(struct rules *r, const struct unwinding *u, struct dso *d, u64 rva,
		     struct rules_row *row)
{
	struct cfi_rule rule;
	struct rule l, fast;
	int ret;

	memset(&l, 0, sizeof(l));	/* rules are compared as bytes */
	row->start_rva = rva;
	row->end_rva = rva + 1;
	ret = find_rule(d, u->arch, rva, &rule);
	l.jit = d->kind == DSO_PERF_MAP || d->kind == DSO_JIT;
	if (ret) {
		l.kind = (d->kind == DSO_FILE && !dso_file(d)) || dso_awaits_tables(d) ?
			RULE_NO_BINARY : RULE_NO_CFI;
		l.entry = l.kind == RULE_NO_CFI && is_entry(d, rva);
		l.guessed = l.kind == RULE_NO_CFI && !l.entry && d->kind == DSO_FILE &&
			is_x86_64(u->arch) && !code_rule(r->code, d, rva, u->arch, &rule);
	}
	if (ret && !l.guessed)
		return add_rule(r, &l);
	row->start_rva = MIN(rule.start_rva, rva);
	row->end_rva = MAX(rule.end_rva, rva + 1);
	l.signal = rule.signal_frame;
	l.leaves = leaves_stack(d, rva);
	fast = l;
	if (rule.ra_reg < CFI_MAX_REGS && rule.regs[rule.ra_reg].how == CFI_UNDEFINED) {
		l.kind = RULE_END;
	} else if (compile(&rule, u->arch, &fast)) {
		fast.kind = RULE_FAST;
		l = fast;
	} else {
		l.kind = RULE_FULL;
		l.dso = d;
		l.full = arena_dup(&r->arena, &rule, sizeof(rule));
	}
	return add_rule(r, &l);
}

/* The row is there already. */
static struct rules_row *known_row(const struct rules *r, const struct unwinding *u, struct dso *d,
				   u64 rva, u64 *key)
{
	const u64 is32 = u->arch->addr_bytes == 4, block = rva >> BLOCK_SHIFT;
	struct rules_row *row;

	*key = hash_u64(((uintptr_t)d | is32) ^ hash_u64(block)) | 1;
	for (row = hmap_get(&r->rows, *key); row; row = row->next)
		if (row->dso == d && rva >= row->start_rva && rva < row->end_rva)
			return row;
	return NULL;
}

const struct rules_row *rules_row(struct rules *r, const struct unwinding *u, struct dso *d,
				  u64 rva)
{
	const u64 block = rva >> BLOCK_SHIFT;
	u64 key;
	struct rules_row *row = known_row(r, u, d, rva, &key);

	if (row)
		return row;
	row = arena_alloc(&r->arena, sizeof(*row));
	row->dso = d;
	row->rule = make_rule(r, u, d, rva, row);
	row->start_rva = MAX(row->start_rva, block << BLOCK_SHIFT);
	row->end_rva = MIN(row->end_rva, (block + 1) << BLOCK_SHIFT);
	row->next = hmap_get(&r->rows, key);
	hmap_put(&r->rows, key, row);
	return row;
}

void rules_not_guessed(struct rules *r, struct unwinding *u, u64 space, u64 va)
{
	const struct mapping *map = unwind_code(u, va);
	struct rules_row *row;
	struct entry *e = rules_set(r, space | va);
	struct rule l;
	u32 rule;
	u64 key;

	memset(&l, 0, sizeof(l));	/* rules are compared as bytes */
	l.kind = RULE_NO_CFI;
	rule = add_rule(r, &l);
	row = map && map->dso ? known_row(r, u, map->dso, mapping_rva(map, va), &key) : NULL;
	if (row)
		row->rule = rule;
	for (unsigned i = 0; i < RULES_WAYS; i++)
		if (e[i].key == (space | va))
			e[i].rule = rule;
}

static u32 plain_rule(const struct rule *l, const struct arch_info *a)
{
	u32 fp_saved = 0;
	bool fp_at_cfa = false;

	if (l->kind != RULE_FAST || l->signal || l->leaves || l->guessed || !is_x86_64(a) ||
	    l->ra_off != -8)
		return 0;
	for (unsigned i = 0; i < l->n_saved; i++) {
		if (l->reg[i] != a->dwarf_fp)
			continue;
		fp_saved = PLAIN_SAVES_FP;
		fp_at_cfa = l->off[i] == -(int)PLAIN_FP_BYTES;
	}
	if (l->cfa_reg == a->dwarf_fp && l->cfa_off == (int)PLAIN_FP_BYTES && fp_at_cfa)
		return PLAIN_FP;
	return l->cfa_reg == a->dwarf_sp && l->cfa_off >= 8 && l->cfa_off <= (int)PLAIN_BYTES ?
		(u32)l->cfa_off | fp_saved : 0;
}

const struct entry *rules_miss(struct rules *r, struct unwinding *u, u64 space, u64 va)
{
	static const struct rule no_map = { .kind = RULE_NO_MAP };
	const struct mapping *map = unwind_code(u, va);
	const u64 key = space | va;
	struct entry *set = rules_set(r, key), e;

	e.key = key;
	e.rule = map && map->dso ? rules_row(r, u, map->dso, mapping_rva(map, va))->rule :
		add_rule(r, &no_map);
	e.plain = plain_rule(&r->all.v[e.rule], u->arch);
	if (va >> RULES_VA_BITS) {
		r->odd = e;
		return &r->odd;
	}
	memmove(set + 1, set, (RULES_WAYS - 1) * sizeof(*set));
	*set = e;
	return set;
}
