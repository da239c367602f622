// SPDX-License-Identifier: GPL-2.0-or-later
// The ways that code takes from an instruction on.
#include "util/unwind/code-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"

enum { MOST_WAYS = 64, MOST_INSNS = 600, SEEN = 2048, MOST_FOUND = 4, MOST_DEPTH = 4,
       INSN_BYTES = 15, WORD = 8, ALIGNMENT = 16, MOST_STARTS = 256 };

struct code_memo { struct hmap returns; };	/* function -> 1: it does, 2: it does not */

/* What a way's end, or its goal, says. */
struct found { struct code_value cfa, saved; int n; };

struct walk {
	struct code_memo *m;
	struct dso *d;
	u64 until_rva;			/* the goal; 0: where the code returns */
	int depth;			/* of functions whose ends are looked for */
	struct code_state ways[MOST_WAYS];
	int first_way, n_ways;
	u64 seen[SEEN];			/* instructions, + 1 */
	int n_insns;
	struct found found[MOST_FOUND];
	int n_found;
	bool lost, calls, stopped;
};

struct code_memo *code_memo_new(void) { return xnew(struct code_memo); }

void code_memo_free(struct code_memo *m)
{
	if (m)
		hmap_release(&m->returns);
	free(m);
}

/* false: it was there already. */
static bool visit(struct walk *w, u64 rva)
{
	size_t i = hash_u64(rva) % SEEN;

	for (; w->seen[i]; i = (i + 1) % SEEN)
		if (w->seen[i] == rva + 1)
			return false;
	w->seen[i] = rva + 1;
	return true;
}

static void add_way(struct walk *w, const struct code_state *s, u64 rva)
{
	if (w->n_ways == MOST_WAYS) {
		w->lost = true;
		return;
	}
	w->ways[w->n_ways] = *s;
	w->ways[w->n_ways++].rva = rva;
}

static bool is_equal(const struct code_value *a, const struct code_value *b)
{
	return a->known == b->known && (!a->known || (a->of_fp == b->of_fp && a->off == b->off));
}

static void add_found(struct walk *w, struct code_value cfa, struct code_value saved)
{
	for (int i = 0; i < w->n_found; i++)
		if (is_equal(&w->found[i].cfa, &cfa) && is_equal(&w->found[i].saved, &saved)) {
			w->found[i].n++;
			return;
		}
	if (w->n_found < MOST_FOUND)
		w->found[w->n_found++] = (struct found){ cfa, saved, 1 };
}

/* The CFA is above the return address; saved: from it. */
static void at_return(struct walk *w, const struct code_state *s)
{
	struct code_value cfa = s->sp, saved = s->saved;

	w->lost |= !cfa.known;
	if (!cfa.known || w->until_rva)
		return;
	cfa.off += WORD;
	saved.known &= saved.of_fp == cfa.of_fp;
	saved.off -= cfa.off;
	add_found(w, cfa, saved);
}

/* The other way round: from the function's beginning on, so by what is known there. */
static void at_goal(struct walk *w, const struct code_state *s)
{
	struct code_value cfa = { .known = true }, saved = s->saved;

	if (s->sp.known && !s->sp.of_fp) {
		cfa.off = WORD - s->sp.off;
	} else if (s->fp.known && !s->fp.of_fp) {
		cfa.of_fp = true;
		cfa.off = WORD - s->fp.off;
	} else {
		w->lost = true;
		return;
	}
	saved.off -= WORD;
	add_found(w, cfa, saved);
}

static bool returns(struct code_memo *m, struct dso *d, u64 rva, int depth);

/* Bytes that align what follows: nop, int3. */
static bool is_padding(struct dso *d, u64 rva)
{
	u8 b[4] = { 0 };
	const u8 *p = b;

	dso_read(d, rva, b, sizeof(b));
	while (*p == 0x66 && p < b + 2)
		p++;
	if (*p == 0x2e)
		p++;
	return *p == 0x90 || *p == 0xcc || (p + 1 < b + 4 && p[0] == 0x0f && p[1] == 0x1f);
}

/* What is behind a call that does not return belongs to something else. */
static bool goes_on(struct walk *w, const struct code_state *s, u64 target)
{
	w->calls = true;
	if (is_padding(w->d, s->rva))
		return false;
	return !target || w->depth >= MOST_DEPTH || returns(w->m, w->d, target, w->depth + 1);
}

/* true: the way goes on at s->rva. */
static bool follow(struct walk *w, struct code_state *s)
{
	const struct code_state before = *s;
	u8 b[INSN_BYTES], length = 0;
	u64 target = 0;
	const size_t n = dso_read(w->d, s->rva, b, sizeof(b));
	const enum code_flow flow = code_step(s, b, n, &target, &length);

	s->rva = before.rva + length;
	switch (flow) {
	case CODE_ON:
		return true;
	case CODE_CALL:
		return goes_on(w, s, target);
	case CODE_BRANCH:
		add_way(w, s, target);
		return true;
	case CODE_JUMP:
		s->rva = target;
		return true;
	case CODE_RETURN:
		at_return(w, &before);
		w->lost |= w->until_rva != 0;
		return false;
	case CODE_LOST:
		w->lost = true;
		return false;
	default:
		w->stopped = true;
		return false;
	}
}

static bool is_enough(const struct walk *w)
{
	return w->n_found && (w->until_rva || w->found[0].n > 1 || w->n_found == MOST_FOUND);
}

static void walk(struct walk *w)
{
	while (w->first_way < w->n_ways && !is_enough(w)) {
		struct code_state s = w->ways[w->first_way++];

		while (visit(w, s.rva)) {
			if (w->until_rva && s.rva == w->until_rva) {
				at_goal(w, &s);
				break;
			}
			if (w->n_insns++ == MOST_INSNS) {
				w->lost = true;
				return;
			}
			if (!follow(w, &s))
				break;
		}
	}
}

static struct walk *begin(struct code_memo *m, struct dso *d, u64 rva, u64 until_rva)
{
	struct walk *w = xnew(struct walk);
	const struct code_state s = { .sp = { .known = true },
				      .fp = { .known = true, .of_fp = true } };

	w->m = m;
	w->d = d;
	w->until_rva = until_rva;
	add_way(w, &s, rva);
	return w;
}

/* As far as its code tells. */
static bool returns(struct code_memo *m, struct dso *d, u64 rva, int depth)
{
	const u64 key = hash_u64((uintptr_t)d ^ hash_u64(rva)) | 1;
	uintptr_t known = (uintptr_t)hmap_get(&m->returns, key);
	struct walk *w;

	if (known)
		return known == 1;
	hmap_put(&m->returns, key, (void *)(uintptr_t)1);	/* if it calls itself */
	w = begin(m, d, rva, 0);
	w->depth = depth;
	walk(w);
	known = w->n_found || w->lost ? 1 : 2;
	hmap_put(&m->returns, key, (void *)known);
	free(w);
	return known == 1;
}

static bool follows_call(struct dso *d, u64 rva)
{
	u8 b[8];

	if (rva < sizeof(b) || dso_read(d, rva - sizeof(b), b, sizeof(b)) != sizeof(b))
		return false;
	if (b[3] == 0xe8)
		return true;
	for (int n = 2; n <= 7; n++)	/* ff /2 with its operands */
		if (b[8 - n] == 0xff && (b[9 - n] & 0x38) == 0x10)
			return true;
	return false;
}

/* How far what holds at rva holds. */
static u64 row_end(struct code_memo *m, struct dso *d, u64 rva)
{
	struct walk *w = begin(m, d, rva, 0);
	struct code_state s = w->ways[0], before;
	enum code_flow flow;
	u64 target;
	u8 b[INSN_BYTES], length;

	do {
		before = s;
		length = 0;
		flow = code_step(&s, b, dso_read(d, s.rva, b, sizeof(b)), &target, &length);
		s.rva = before.rva + length;
	} while (w->n_insns++ < MOST_INSNS && length &&
		 (flow == CODE_ON || flow == CODE_BRANCH ||
		  (flow == CODE_CALL && goes_on(w, &s, target))) &&
		 is_equal(&s.sp, &before.sp) && is_equal(&s.fp, &before.fp));
	free(w);
	return MAX(s.rva, rva + 1);
}

static void put_rule(const struct found *f, const struct arch_info *a, struct cfi_rule *out)
{
	out->cfa_how = CFI_REG;
	out->cfa_reg = f->cfa.of_fp ? a->dwarf_fp : a->dwarf_sp;
	out->cfa_off = f->cfa.off;
	out->regs[a->dwarf_ra] = (struct cfi_reg_rule){ .how = CFI_AT_CFA, .off = -WORD };
	if (f->saved.known)
		out->regs[a->dwarf_fp] = (struct cfi_reg_rule){ .how = CFI_AT_CFA,
								.off = f->saved.off };
}

static const struct found *best(const struct walk *w)
{
	const struct found *f = w->found;

	for (int i = 1; i < w->n_found; i++)
		if (w->found[i].n > f->n)
			f = &w->found[i];
	return w->n_found ? f : NULL;
}

/* push, sub $number, %rsp, endbr64, after what may end one: ret, padding, a jump or call */
static bool begins_function(struct dso *d, u64 rva)
{
	static const u8 ends[] = { 0xc3, 0x90, 0xcc, 0xf4, 0x0b, 0x00, 0xff };
	u8 before[2] = { 0 }, b[4] = { 0 };

	dso_read(d, rva - sizeof(before), before, sizeof(before));
	if (!memchr(ends, before[1], sizeof(ends)) && before[0] != 0xeb)
		return false;
	dso_read(d, rva, b, sizeof(b));
	return (b[0] & 0xf8) == 0x50 || (b[0] == 0x41 && (b[1] & 0xf8) == 0x50) ||
		(b[0] == 0x48 && (b[1] == 0x83 || b[1] == 0x81) && b[2] == 0xec) ||
		(b[0] == 0xf3 && b[1] == 0x0f && b[2] == 0x1e && b[3] == 0xfa);
}

/* From where its function begins, by its symbol or, in a stripped file, by what code looks like
 * there. */
static struct walk *from_start(struct code_memo *m, struct dso *d, u64 first)
{
	const struct symbol *sym = dso_find(d, first - 1);
	u64 start = sym ? sym->start_rva : (first - 1) & ~(u64)(ALIGNMENT - 1);

	for (int i = 0; i < MOST_STARTS; i++, start -= ALIGNMENT) {
		struct walk *w;

		if (start < ALIGNMENT || (!sym && !begins_function(d, start)))
			continue;
		w = begin(m, d, start, first);
		walk(w);
		if (w->n_found || sym)
			return w;
		free(w);
	}
	return NULL;
}

int code_rule(struct code_memo *m, struct dso *d, u64 rva, const struct arch_info *a,
	      struct cfi_rule *out)
{
	const bool is_caller = follows_call(d, rva + 1);
	const u64 first = rva + is_caller;
	struct walk *w = begin(m, d, first, 0);
	bool ends;

	walk(w);
	ends = is_caller && !w->n_found && !w->lost && !w->calls && w->stopped;
	if (!w->n_found && !ends) {
		free(w);
		w = from_start(m, d, first);
	}
	memset(out, 0, sizeof(*out));
	out->start_rva = rva;
	out->end_rva = row_end(m, d, first);
	out->ra_reg = (u8)a->dwarf_ra;
	out->n_regs = CFI_MAX_REGS;
	if (ends)
		out->regs[out->ra_reg].how = CFI_UNDEFINED;
	else if (w && w->n_found)
		put_rule(best(w), a, out);
	ends |= w && w->n_found;
	free(w);
	return ends ? 0 : -ENOENT;
}
