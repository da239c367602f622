// SPDX-License-Identifier: GPL-2.0-or-later
// The table of calls: what branches of a trace say about which function was in which.
#include <stdlib.h>

#include "util/script/python-db-priv.h"
#include "util/wire/synthrec.h"

/* As the table has them. */
enum { CALL_UNSEEN = 1, RETURN_UNSEEN = 2, BY_JUMP = 4 };

struct db_call {
	size_t path;
	u64 return_va, call_ns, call_sample, id;
	u64 branches, insns, cycles;	/* of the stack, when it began */
	bool unseen, by_jump, trace_ended;
};

struct db_stack {
	VEC(struct db_call) calls;	/* the first is where the trace found it */
	u64 branches, insns, cycles;
	u64 last_ns;
	u32 cpu;
	u64 thread, comm;
};

struct branch {
	const struct sample *s;
	const struct db_sample *d;
	u32 flags;
	bool to_start;			/* of another function */
};

static struct db_stack *stack_of(struct python *p, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u64 key = s->tid ? (uintptr_t)it->res->thread : ~(u64)s->cpu;
	struct db_stack *st = hmap_get(&p->db->stack_of, key);

	if (!st) {
		st = xnew(struct db_stack);
		st->cpu = s->cpu;
		hmap_put(&p->db->stack_of, key, st);
		vec_push(&p->db->stacks, st);
	}
	return st;
}

static size_t top_path(struct python *p, const struct db_stack *st)
{
	return st->calls.n ? vec_last(&st->calls)->path : db_path_root(p);
}

static struct db_call *push(struct python *p, struct db_stack *st, const struct branch *b,
			    u64 symbol, u64 ip)
{
	struct db_call c = {
		.path = db_path_below(p, top_path(p, st), symbol, ip),
		.call_ns = b->s->time_ns, .call_sample = b->d->id, .branches = st->branches,
		.insns = st->insns, .cycles = st->cycles,
	};

	vec_push(&st->calls, c);
	return vec_last(&st->calls);
}

/* sample 0: none ended it. */
static void pop(struct python *p, struct db_stack *st, u64 t_ns, u64 sample, bool seen)
{
	struct db_call *c = vec_last(&st->calls), *above = st->calls.n > 1 ? c - 1 : NULL;
	const u64 path = db_path_id(p, c->path);

	if (!c->id)
		c->id = ++p->db->last.call;
	if (above && !above->id)
		above->id = ++p->db->last.call;
	db_row(p, DB_CALL_RETURN, (struct db_cell[]){
		DB_N(c->id), DB_N(st->thread), DB_N(st->comm), DB_N(path), DB_N(c->call_ns),
		DB_N(t_ns), DB_N(st->branches - c->branches), DB_N(c->call_sample), DB_N(sample),
		DB_N(db_path_id(p, p->db->paths.v[c->path - 1].parent)),
		DB_N((c->unseen ? CALL_UNSEEN : 0) | (seen ? 0 : RETURN_UNSEEN) |
		     (c->by_jump ? BY_JUMP : 0)),
		DB_N(above ? above->id : 0), DB_N(st->insns - c->insns),
		DB_N(st->cycles - c->cycles) }, 14);
	st->calls.n--;
}

static void end_all(struct python *p, struct db_stack *st)
{
	while (st->calls.n)
		pop(p, st, st->last_ns, 0, false);
}

/* Calls within the one that the return is of ended without one. */
static void on_return(struct python *p, struct db_stack *st, const struct branch *b)
{
	size_t i = st->calls.n;

	while (i > 0 && st->calls.v[i - 1].return_va != b->s->addr)
		i--;
	if (i < 2 && st->calls.n > 1)
		return;			/* of a call that is not known */
	while (i > 0 && st->calls.n > i)
		pop(p, st, b->s->time_ns, b->d->id, false);
	pop(p, st, b->s->time_ns, b->d->id, true);
}

static void take(struct python *p, struct db_stack *st, const struct branch *b)
{
	const struct sample *s = b->s;
	const u64 next_va = s->ip + s->synth->n_code;

	if (b->flags & PT_F_BEGIN) {
		if (vec_last(&st->calls)->trace_ended)
			pop(p, st, s->time_ns, b->d->id, true);
	} else if (b->flags & PT_F_CALL) {
		if (s->addr && s->addr != next_va)
			push(p, st, b, b->d->addr.symbol, s->addr)->return_va = next_va;
	} else if (b->flags & PT_F_RETURN) {
		if (s->addr)
			on_return(p, st, b);
	} else if (b->flags & PT_F_END) {
		push(p, st, b, 0, 0)->trace_ended = true;
	} else if (b->to_start) {
		push(p, st, b, b->d->addr.symbol, s->addr)->by_jump = true;
	}
}

void db_branch(struct python *p, const struct sink_item *it, const struct db_sample *d)
{
	const struct location *to = &it->res->data;
	struct db_stack *st = stack_of(p, it);
	const struct branch b = {
		.s = it->sample, .d = d, .flags = it->sample->synth->flags,
		.to_start = to->sym && d->addr.symbol != d->ip.symbol &&
			to->rva == to->sym->start_rva,
	};
	bool fresh;

	/* the trace of another CPU does not go on where this one ended */
	if (st->cpu != b.s->cpu)
		end_all(p, st);
	st->cpu = b.s->cpu;
	st->thread = d->task.thread;
	st->comm = d->task.comm;
	st->last_ns = b.s->time_ns;
	fresh = !st->calls.n;
	if (fresh && b.s->ip)
		push(p, st, &b, d->ip.symbol, b.s->ip)->unseen = true;
	else if (fresh)
		push(p, st, &b, d->addr.symbol, b.s->addr)->unseen = true;
	st->branches++;
	st->insns += b.s->synth->n_insns;
	st->cycles += b.s->synth->n_cycles;
	if (!fresh || !(b.flags & PT_F_END))
		take(p, st, &b);
}

void db_calls_end(struct python *p)
{
	for vec_each(st, &p->db->stacks)
		end_all(p, *st);
}

void db_calls_release(struct python_db *db)
{
	for vec_each(st, &db->stacks) {
		vec_free(&(*st)->calls);
		free(*st);
	}
	vec_free(&db->stacks);
	hmap_release(&db->stack_of);
}
