/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNWIND_RULES_PRIV_H
#define UNWIND_RULES_PRIV_H
/*
 * What to do at an address, for the engine of compiled rules. An entry is found by (address space,
 * address) in a table of small sets that stays in the near caches; rules are few, because most
 * functions have the same ones, and are shared by all addresses and programs. Invalid after the
 * context is freed; one owner.
 */
#include "util/base/hash.h"
#include "util/unwind/code-priv.h"
#include "util/unwind/unwind-priv.h"

enum rule_kind { RULE_FAST, RULE_FULL, RULE_END, RULE_NO_CFI, RULE_NO_BINARY, RULE_NO_MAP };

#define RULE_MAX_SAVED 7

struct rule {
	/* entry: a program's first code, which nobody calls, without tables that say so */
	u8 kind, signal, jit, entry;
	/* its calls are made on another stack, of which the tables say nothing */
	u8 leaves;
	/* from the code itself (code-priv.h): true where its return address follows a call */
	u8 guessed;
	/* RULE_FAST: registers saved at offsets from the CFA, the return address among them */
	u8 cfa_reg, n_saved;
	u8 reg[RULE_MAX_SAVED];
	s16 off[RULE_MAX_SAVED];
	s16 ra_off;
	s32 cfa_off;
	struct dso *dso;		/* RULE_FULL: of the rule's expressions */
	const struct cfi_rule *full;
};

/* The part of a row of unwind tables that lies in a block of addresses. */
struct rules_row {
	struct dso *dso;
	u64 start_rva, end_rva;
	u32 rule;
	struct rules_row *next;
};

/* key: the address, and in its 16 high bits the number of the address space; 0: none. plain: as
 * in nearly all x86-64 code the return address lies right below the CFA, which is so many bytes
 * above the stack pointer, or with PLAIN_FP above the frame pointer, the caller's being where it
 * points to; 0: as the rule says. */
struct entry { u64 key; u32 rule, plain; };

#define PLAIN_FP 0x80000000u
#define PLAIN_FP_BYTES 16u
#define PLAIN_SAVES_FP 0x40000000u	/* somewhere: only the rule knows */
#define PLAIN_BYTES 0x3fffffffu

#define RULES_WAYS 4u		/* rules_find() knows */
#define RULES_SETS 4096u
#define RULES_VA_BITS 48

struct rules {
	/* RULES_SETS of RULES_WAYS, each set a cache line with the newest first */
	struct entry *sets;
	void *sets_mem;		/* what they lie in, not aligned */
	struct entry odd;	/* of an address that is none */
	VEC(struct rule) all;
	struct hmap by_content;	/* rules but RULE_FULL */
	struct hmap rows;	/* blocks of a dso's code -> what its unwind tables say there */
	struct hmap numbers;	/* of address spaces */
	struct code_memo *code;
	u64 n_spaces, last_space;
	u64 last_number;	/* of last_space, where a key has it */
	struct arena arena;
};

void rules_init(struct rules *r);
void rules_release(struct rules *r);
/* The high bits of the keys of u's address space. */
u64 rules_space(struct rules *r, const struct unwinding *u);
/* Never NULL; u: its machine's instruction set counts. */
const struct rules_row *rules_row(struct rules *r, const struct unwinding *u, struct dso *d,
				  u64 rva);
/* Of a context with this engine. */
struct rules *cfi_rules(void *state);
/* What was guessed of the code at va was wrong. */
void rules_not_guessed(struct rules *r, struct unwinding *u, u64 space, u64 va);
const struct entry *rules_miss(struct rules *r, struct unwinding *u, u64 space, u64 va);

static inline struct entry *rules_set(const struct rules *r, u64 key)
{
	return &r->sets[hash_slot(key, RULES_SETS) * RULES_WAYS];
}

/* space: of rules_space(). Until the next call. */
static inline const struct entry *rules_find(struct rules *r, struct unwinding *u, u64 space,
					     u64 va)
{
	const u64 key = space | va;
	const struct entry *e = rules_set(r, key);

	/* which of the four it is cannot be foretold */
	e += (e[1].key == key) + 2 * (e[2].key == key) + 3 * (e[3].key == key);
	if (e->key == key && !(va >> RULES_VA_BITS))
		return e;
	return rules_miss(r, u, space, va);
}

#endif
