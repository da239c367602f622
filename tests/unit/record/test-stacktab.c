// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/record/stacktab.h"

#define N_SLOTS 64u
#define CODE_BYTES 1024u

struct mem {
	struct stack_slot slots[4096];
	struct stack_proc procs[STACK_PROCS];
	struct stack_rule rules[STACK_MAX_RULES];
};

static struct stack_rule rule_nr(unsigned n)
{
	return (struct stack_rule){ STACK_RULE_SP, 0, (s32)(8 * n) };
}

/* Rows in any order, over one another: each address has the rule of the last one. */
TEST(rows_are_found_as_they_were_taught)
{
	struct mem *m = xcalloc(1, sizeof(*m));
	unsigned want[CODE_BYTES] = { 0 }, seed = 1;
	const u64 base = 0x7f1234567000;
	struct stacktab t;

	stacktab_init(&t, m->slots, 4096, m->procs, m->rules);
	for (int i = 0; i < 400; i++) {
		const unsigned from = (seed = seed * 1103515245 + 12345) / 65536 % CODE_BYTES;
		const unsigned n = 1 + (seed = seed * 1103515245 + 12345) / 65536 % 90,
			nr = 1 + (unsigned)i % 7;
		const unsigned to = from + n < CODE_BYTES ? from + n : CODE_BYTES;
		const struct stack_rule r = rule_nr(nr);
		const u64 full = t.n_full;

		stacktab_teach(&t, 5, base + from, base + to, &r);
		if (t.n_full == full)
			for (unsigned a = from; a < to; a++)
				want[a] = nr;
		for (unsigned a = 0; a < CODE_BYTES && t.n_full == full; a++) {
			const u32 got = stacktab_find(&t, 5, base + a);

			CHECK_EQ(got != 0, want[a] != 0);
			CHECK_EQ(got ? m->rules[got].cfa_off : 0, (s32)(8 * want[a]));
		}
		if (t.n_full != full)
			break;
	}
	CHECK_EQ(stacktab_find(&t, 6, base), 0);	/* of another owner */
	CHECK_EQ(stacktab_find(&t, 5, base + CODE_BYTES), 0);
	CHECK_EQ(t.n_rules, 8);
	stacktab_release(&t);
	free(m);
}

TEST(a_slot_without_room_stays_as_it_was)
{
	struct mem *m = xcalloc(1, sizeof(*m));
	struct stacktab t;

	stacktab_init(&t, m->slots, N_SLOTS, m->procs, m->rules);
	for (unsigned i = 0; i < STACK_CODE_BYTES; i++) {
		const struct stack_rule r = rule_nr(1 + i);

		stacktab_teach(&t, 1, 0x1000 + i, 0x1000 + i + 1, &r);
	}
	/* one row is for the bytes that nothing is known of */
	CHECK_EQ(t.n_full, STACK_CODE_BYTES - (STACK_SLOT_RULES - 1));
	for (unsigned i = 0; i < STACK_CODE_BYTES; i++) {
		const u32 nr = stacktab_find(&t, 1, 0x1000 + i);

		CHECK_EQ(nr ? m->rules[nr].cfa_off : 0, i < STACK_SLOT_RULES - 1 ?
			 (s32)(8 * (1 + i)) : 0);
	}
	stacktab_release(&t);
	free(m);
}

TEST(where_all_places_are_taken_the_newest_is_known)
{
	struct mem *m = xcalloc(1, sizeof(*m));
	const struct stack_rule r = rule_nr(3);
	struct stacktab t;
	unsigned known = 0;

	stacktab_init(&t, m->slots, N_SLOTS, m->procs, m->rules);
	for (u64 i = 0; i < 10000; i++) {
		stacktab_teach(&t, 1 + (u32)(i % 3), 0x10000 + i * STACK_CODE_BYTES,
			       0x10000 + i * STACK_CODE_BYTES + 10, &r);
		CHECK_EQ(m->rules[stacktab_find(&t, 1 + (u32)(i % 3),
						0x10000 + i * STACK_CODE_BYTES + 9)].cfa_off, 24);
	}
	for (u64 i = 0; i < 10000; i++)
		known += stacktab_find(&t, 1 + (u32)(i % 3), 0x10000 + i * STACK_CODE_BYTES) != 0;
	CHECK(known <= N_SLOTS && known > N_SLOTS / 2);
	CHECK(t.n_replaced >= 10000 - N_SLOTS);
	stacktab_release(&t);
	free(m);
}

TEST(rules_have_an_end)
{
	struct mem *m = xcalloc(1, sizeof(*m));
	struct stacktab t;

	stacktab_init(&t, m->slots, 4096, m->procs, m->rules);
	for (unsigned i = 0; i < STACK_MAX_RULES + 10; i++) {
		const struct stack_rule r = rule_nr(i + 1);

		stacktab_teach(&t, 1, (u64)i * 64, (u64)i * 64 + 1, &r);
	}
	CHECK_EQ(t.n_rules, STACK_MAX_RULES);
	CHECK_EQ(t.n_full, 11);
	stacktab_release(&t);
	free(m);
}

static const struct stack_proc *proc_of(const struct mem *m, u32 tgid)
{
	for (u32 i = 0; i < STACK_PROCS; i++)
		if (m->procs[i].tgid == tgid && m->procs[i].owner)
			return &m->procs[i];
	return NULL;
}

TEST(processes_are_replaced_and_forgotten)
{
	struct mem *m = xcalloc(1, sizeof(*m));
	struct stacktab t;

	stacktab_init(&t, m->slots, N_SLOTS, m->procs, m->rules);
	for (u32 i = 1; i < 20000; i++)
		stacktab_set_proc(&t, &(struct stack_proc){ .mm = i * 64ull, .tgid = i,
							    .owner = i });
	stacktab_set_proc(&t, &(struct stack_proc){ .mm = 1, .tgid = 19999, .exec_pages = 7,
						    .owner = 30000 });
	CHECK(proc_of(m, 19999) != NULL);
	if (proc_of(m, 19999)) {
		CHECK_EQ(proc_of(m, 19999)->owner, 30000);
		CHECK_EQ(proc_of(m, 19999)->exec_pages, 7);
		CHECK_EQ(proc_of(m, 19999)->seq % 2, 0);
	}
	stacktab_forget_proc(&t, 19999);
	CHECK(!proc_of(m, 19999));
	CHECK(proc_of(m, 19998) != NULL);
	stacktab_release(&t);
	free(m);
}
