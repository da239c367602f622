// SPDX-License-Identifier: GPL-2.0-or-later
// Through the program's code, as the trace says.
#include <errno.h>

#include "util/itrace/pt-priv.h"

static int no_code(int ret)
{
	return ret == -ENODATA ? ret : PT_E_NO_CODE;
}

static int fetch(struct pt_decoder *d, const struct pt_insn **out)
{
	int ret;

	pt_show_time(d);
	ret = d->env.insn(d->env.code, d->w.ip, d->w.bits, out);
	return ret ? no_code(ret) : 0;
}

static void push(struct pt_walk *w, u64 va)
{
	w->stack[w->top] = va;
	w->top = (w->top + 1) % PT_STACK;
	w->depth += w->depth < PT_STACK;
}

static bool pop(struct pt_walk *w, u64 *va)
{
	if (!w->depth)
		return false;
	w->depth--;
	w->top = (w->top + PT_STACK - 1) % PT_STACK;
	*va = w->stack[w->top];
	return true;
}

/* It was executed; where it goes to comes next. */
static void note(struct pt_decoder *d, const struct pt_insn *i, u64 to, u32 flags)
{
	struct pt_event e = { .what = PT_IS_INSN, .flags = flags, .from = d->w.ip, .to = to,
			      .insn = i };

	d->w.n_insns++;
	if (d->setup.every_insn)
		pt_put(d, &e);
}

static void step(struct pt_decoder *d, const struct pt_insn *i)
{
	note(d, i, 0, i->flags);
	d->w.ip += i->bytes;
}

static void branch(struct pt_decoder *d, const struct pt_insn *i, u64 to, u32 more)
{
	note(d, i, to, i->flags | more);
	pt_put_branch(d, i, to, i->flags | more);
	d->w.ip = to;
}

static u64 target_of(const struct pt_walk *w, const struct pt_insn *i)
{
	const u64 to = w->ip + i->bytes + (u64)(s64)i->rel;

	return w->bits == 64 ? to : to & UINT32_MAX;
}

static void call(struct pt_decoder *d, const struct pt_insn *i, u64 to)
{
	const u64 next = d->w.ip + i->bytes;

	branch(d, i, to, 0);
	if (i->flow == PT_CALL_TO || i->rel)	/* the others only ask where they are */
		push(&d->w, next);
}

/* One instruction that needs no packet; false: it needs one. */
static bool go_on(struct pt_decoder *d, const struct pt_insn *i)
{
	switch (i->flow) {
	case PT_NEXT: case PT_WRITE:
		step(d, i);
		return true;
	case PT_JUMP:
		branch(d, i, target_of(&d->w, i), 0);
		break;
	case PT_CALL:
		call(d, i, target_of(&d->w, i));
		break;
	default:
		return false;
	}
	d->w.n_jumps++;
	return true;
}

static bool is_endless(const struct pt_decoder *d)
{
	return d->setup.max_jumps && d->w.n_jumps > d->setup.max_jumps;
}

/* Up to an instruction that only the trace knows how to go on from; it is not done yet. */
static int walk_to_choice(struct pt_decoder *d, const struct pt_insn **out)
{
	int ret;

	d->w.n_jumps = 0;
	d->w.timed = false;
	while (!d->stopped) {
		if ((ret = fetch(d, out)) != 0)
			return ret;
		if (!go_on(d, *out))
			return 0;
		if (is_endless(d))
			return PT_E_LOOP;
	}
	return -ENODATA;
}

int pt_walk_to_ip(struct pt_decoder *d, u64 ip)
{
	const struct pt_insn *i;
	int ret;

	d->w.n_jumps = 0;
	d->w.timed = false;
	while (d->w.ip != ip) {
		if (d->stopped)
			return -ENODATA;
		if ((ret = fetch(d, &i)) != 0)
			return ret;
		if (!go_on(d, i))
			return PT_E_MISMATCH;
		if (is_endless(d))
			return PT_E_LOOP;
	}
	return 0;
}

/* Of several branches whose outcome comes in one packet an indirect one may be in between: its
 * target is in the packet behind. */
static int deferred(struct pt_decoder *d, const struct pt_insn *i)
{
	struct pt_packet k;
	u64 to;

	if (!pt_next(d, &k) || k.type != PT_TIP || !pt_take_ip(d, &k, &to))
		return PT_E_MISMATCH;
	if (i->flow == PT_CALL_TO)
		call(d, i, to);
	else
		branch(d, i, to, 0);
	return 0;
}

int pt_walk_bit(struct pt_decoder *d, bool taken, bool first)
{
	const struct pt_insn *i;
	u64 to;
	int ret;

	for (;;) {
		if ((ret = walk_to_choice(d, &i)) != 0)
			return ret;
		if (i->flow != PT_JUMP_TO && i->flow != PT_CALL_TO && i->flow != PT_FAR)
			break;
		if ((ret = deferred(d, i)) != 0)
			return ret;
	}
	if (first)
		pt_pass_time(d);
	if (i->flow == PT_COND) {
		if (taken)
			branch(d, i, target_of(&d->w, i), 0);
		else
			step(d, i);
		return 0;
	}
	if (!taken || !pop(&d->w, &to))
		return PT_E_MISMATCH;
	branch(d, i, to, 0);
	return 0;
}

int pt_walk_to_target(struct pt_decoder *d, u64 to)
{
	const struct pt_insn *i;
	int ret = walk_to_choice(d, &i);
	u64 unused;

	if (ret)
		return ret;
	if (i->flow == PT_COND)
		return PT_E_MISMATCH;
	pt_pass_time(d);
	if (i->flow == PT_CALL_TO) {
		call(d, i, to);
		return 0;
	}
	if (i->flow == PT_RETURN)
		pop(&d->w, &unused);
	branch(d, i, to, 0);
	return 0;
}

/* A filter of addresses may end it at any branch that goes there. */
static bool leaves(const struct pt_decoder *d, const struct pt_insn *i, u64 to)
{
	switch (i->flow) {
	case PT_NEXT: case PT_WRITE:
		return false;
	case PT_JUMP: case PT_CALL: case PT_COND:
		return to && target_of(&d->w, i) == to;
	default:
		return true;
	}
}

int pt_walk_to_end(struct pt_decoder *d, u64 to)
{
	const struct pt_insn *i;
	int ret;

	d->w.n_jumps = 0;
	d->w.timed = false;
	while (!d->stopped) {
		if (to && d->w.ip == to)
			return 0;
		if ((ret = fetch(d, &i)) != 0)
			return ret;
		if (leaves(d, i, to)) {
			pt_pass_time(d);
			branch(d, i, to, PT_F_END);
			return 0;
		}
		if (!go_on(d, i))
			return PT_E_MISMATCH;
		if (is_endless(d))
			return PT_E_LOOP;
	}
	return -ENODATA;
}
