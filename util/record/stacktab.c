// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/stacktab.h"

#include <string.h>

#include "util/base/types.h"

void stacktab_init(struct stacktab *t, struct stack_slot *slots, u32 n_slots,
		   struct stack_proc *procs, struct stack_rule *rules)
{
	*t = (struct stacktab){ .slots = slots, .procs = procs, .rules = rules, .n_slots = n_slots,
				.n_rules = 1 };
}

void stacktab_release(struct stacktab *t)
{
	hmap_release(&t->numbers);
}

static struct stack_slot *set_of(const struct stacktab *t, u64 key)
{
	return &t->slots[STACK_HASH(key) & (t->n_slots - 1) & ~(STACK_WAYS - 1)];
}

static struct stack_slot *slot_of(const struct stacktab *t, u64 key)
{
	struct stack_slot *s = set_of(t, key);

	for (u32 i = 0; i < STACK_WAYS; i++)
		if (s[i].key == key)
			return &s[i];
	return NULL;
}

u32 stacktab_find(const struct stacktab *t, u32 owner, u64 va)
{
	const struct stack_slot *s = slot_of(t, STACK_KEY(owner, va));
	int nr;

	if (!s)
		return 0;
	nr = __builtin_popcountll(s->starts & ~0ULL >> (63 - va % STACK_CODE_BYTES)) - 1;
	return nr >= 0 && nr < STACK_SLOT_RULES ? s->rules[nr] : 0;
}

/* The rule's number; 0: there are too many. */
static u32 number_of(struct stacktab *t, const struct stack_rule *rule)
{
	u64 key;
	u32 n;

	_Static_assert(sizeof(*rule) == sizeof(key), "a rule is its own key");
	memcpy(&key, rule, sizeof(key));
	n = (u32)(uintptr_t)hmap_get(&t->numbers, key);
	if (n || t->n_rules == STACK_MAX_RULES)
		return n;
	n = t->n_rules++;
	t->rules[n] = *rule;
	hmap_put(&t->numbers, key, (void *)(uintptr_t)n);
	return n;
}

static void begin_write(u32 *seq)
{
	__atomic_store_n(seq, *seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_write(u32 *seq)
{
	__atomic_store_n(seq, *seq + 1, __ATOMIC_RELEASE);
}

/* What the slot will say: one rule for each byte, and back to rows. false: there are too many. */
static bool paint(struct stack_slot *to, const struct stack_slot *from, unsigned start,
		  unsigned end, u16 rule)
{
	int nr = -1, n = 0;
	u16 last = 0;

	to->starts = 0;
	for (unsigned i = 0; i < STACK_CODE_BYTES; i++) {
		u16 now;

		nr += (int)(from->starts >> i & 1);
		now = i >= start && i < end ? rule : nr >= 0 ? from->rules[nr] : 0;
		if (i && now == last)
			continue;
		if (n == STACK_SLOT_RULES)
			return false;
		to->starts |= 1ULL << i;
		to->rules[n++] = last = now;
	}
	return true;
}

static void teach_slot(struct stacktab *t, u64 key, unsigned start, unsigned end, u16 rule)
{
	struct stack_slot *s = slot_of(t, key), now = { .key = key }, empty = { .key = 0 };

	for (u32 i = 0; i < STACK_WAYS && !s; i++)
		if (!set_of(t, key)[i].key)
			s = &set_of(t, key)[i];
	if (!s) {
		s = set_of(t, key) + t->turn++ % STACK_WAYS;
		t->n_replaced++;
	}
	if (!paint(&now, s->key == key ? s : &empty, start, end, rule)) {
		t->n_full++;
		return;
	}
	begin_write(&s->seq);
	s->key = key;
	s->starts = now.starts;
	memcpy(s->rules, now.rules, sizeof(s->rules));
	end_write(&s->seq);
	t->n_taught++;
}

void stacktab_teach(struct stacktab *t, u32 owner, u64 start_va, u64 end_va,
		    const struct stack_rule *rule)
{
	const u32 nr = number_of(t, rule);

	if (!nr) {
		t->n_full++;
		return;
	}
	for (u64 va = start_va, next; va < end_va; va = next) {
		const u64 base = va & ~(u64)(STACK_CODE_BYTES - 1);

		next = MIN(base + STACK_CODE_BYTES, end_va);
		teach_slot(t, STACK_KEY(owner, va), (unsigned)(va - base), (unsigned)(next - base),
			   (u16)nr);
	}
}

static struct stack_proc *procs_of(const struct stacktab *t, u32 tgid)
{
	return &t->procs[STACK_HASH((u64)tgid) & (STACK_PROCS - STACK_PROC_WAYS)];
}

void stacktab_set_proc(struct stacktab *t, const struct stack_proc *p)
{
	struct stack_proc *set = procs_of(t, p->tgid), *to = NULL;

	for (u32 i = 0; i < STACK_PROC_WAYS; i++)
		if (set[i].tgid == p->tgid)
			to = &set[i];
	for (u32 i = 0; i < STACK_PROC_WAYS && !to; i++)
		if (!set[i].owner)
			to = &set[i];
	if (!to)
		to = &set[t->turn++ % STACK_PROC_WAYS];
	begin_write(&to->seq);
	to->mm = p->mm;
	to->exec_pages = p->exec_pages;
	to->tgid = p->tgid;
	to->exec_id = p->exec_id;
	to->owner = p->owner;
	end_write(&to->seq);
}

void stacktab_forget_proc(struct stacktab *t, u32 tgid)
{
	struct stack_proc *set = procs_of(t, tgid);

	for (u32 i = 0; i < STACK_PROC_WAYS; i++)
		if (set[i].tgid == tgid)
			__atomic_store_n(&set[i].owner, 0, __ATOMIC_SEQ_CST);
}
