// SPDX-License-Identifier: GPL-2.0-or-later
// Packets as they are taken, and events as they are handed out.
#include "util/itrace/pt-priv.h"

void pt_show_time(struct pt_decoder *d)
{
	if (d->shown && d->shown_tsc == d->w.tsc)
		return;
	d->shown = true;
	d->shown_tsc = d->w.tsc;
	d->env.at(d->env.code, d->w.tsc);
}

void pt_put(struct pt_decoder *d, struct pt_event *e)
{
	if (d->stopped)
		return;
	pt_show_time(d);
	e->tsc = d->w.tsc;
	e->tsc_after = d->clock.tsc;
	e->timed = d->w.timed;
	e->n_insns = d->w.n_insns;
	e->n_cycles = d->w.n_cycles;
	if (d->in_tx)
		e->flags |= PT_F_IN_TX;
	d->stopped = d->env.put(d->env.ctx, e);
}

void pt_put_branch(struct pt_decoder *d, const struct pt_insn *insn, u64 to, u32 flags)
{
	struct pt_event e = { .what = PT_IS_BRANCH, .flags = flags, .from = d->w.ip, .to = to,
			      .insn = insn };

	pt_put(d, &e);
}

/* ---- packets ---- */

/* Paddings that fill up 8 bytes go with it. */
static void show_packet(const struct pt_decoder *d, const struct pt_packet *k)
{
	const struct pt_trace *t = &d->t;
	size_t size = k->bytes;

	while (t->at + size < t->n && size < 8 && !t->p[t->at + size])
		size++;
	d->env.packet(d->env.log, t->offset + t->at, (struct span){ t->p + t->at, size }, k);
}

bool pt_next(struct pt_decoder *d, struct pt_packet *k)
{
	struct pt_trace *t = &d->t;

	while (t->at < t->n && !d->stopped) {
		pt_packet_get(t->p + t->at, t->n - t->at, &t->block, k);
		if (k->type == PT_BAD && t->n - t->at < 16)
			return false;		/* it is cut */
		if (d->env.packet && k->type != PT_PAD)
			show_packet(d, k);
		t->at += k->bytes;
		if (k->type == PT_PAD)
			continue;
		if (k->type == PT_CBR)
			pt_clock_take(&d->clock, &d->setup, k);
		if (k->type == PT_CBR || !pt_clock_take(&d->clock, &d->setup, k))
			return true;
	}
	return false;
}

bool pt_take_ip(struct pt_decoder *d, const struct pt_packet *k, u64 *ip)
{
	static const u64 low[8] = { [1] = 0xffff, [2] = 0xffffffff, [4] = 0xffffffffffff };
	const u64 mask = low[k->count & 7];

	if (!k->count || (mask && !d->has_last_ip))
		return false;
	if (k->count == 3)
		d->last_ip = (u64)((s64)(k->v << 16) >> 16);
	else
		d->last_ip = mask ? (d->last_ip & ~mask) | k->v : k->v;
	d->has_last_ip = true;
	*ip = d->last_ip;
	return true;
}
