// SPDX-License-Identifier: GPL-2.0-or-later
// Time in Intel PT: SDM volume 3, "Packet formats": TSC, TMA, MTC, CYC, CBR.
#include "util/itrace/pt-priv.h"

static void set_tsc(struct pt_clock *c, u64 tsc)
{
	if (!c->has_tsc || tsc > c->tsc)
		c->tsc = tsc;
	c->has_tsc = true;
	c->cyc_tsc = c->tsc;
	c->cyc_cycles = 0;
}

static void take_tma(struct pt_clock *c, const struct pt_setup *s, const struct pt_packet *k)
{
	const u64 one = 1ULL << s->mtc_shift;

	c->has_tma = c->has_tsc;
	c->mtc_tsc = c->tsc;
	c->tma_tsc = c->tsc - k->high;
	c->last_mtc = (u8)(k->v >> s->mtc_shift);
	c->ctc_ticks = -(s64)(k->v & (one - 1));
}

static void take_mtc(struct pt_clock *c, const struct pt_setup *s, const struct pt_packet *k)
{
	const u8 steps = (u8)(k->v - c->last_mtc);

	if (!c->has_tma || !s->ctc_den)
		return;
	c->last_mtc = (u8)k->v;
	c->ctc_ticks += (s64)steps << s->mtc_shift;
	if (c->ctc_ticks <= 0)
		return;
	set_tsc(c, c->tma_tsc + (u64)c->ctc_ticks * s->ctc_num / s->ctc_den);
	if (!c->has_cyc && s->max_ratio && c->mtc_tsc)
		c->cycles += (c->tsc - c->mtc_tsc) * c->ratio / s->max_ratio;
	c->mtc_tsc = c->tsc;
}

static void take_cyc(struct pt_clock *c, const struct pt_setup *s, const struct pt_packet *k)
{
	u64 tsc;

	c->has_cyc = true;
	c->cycles += k->v;
	c->cyc_cycles += k->v;
	if (!c->ratio || !s->max_ratio || !c->has_tsc)
		return;
	tsc = c->cyc_tsc + c->cyc_cycles * s->max_ratio / c->ratio;
	c->tsc = MAX(c->tsc, tsc);
}

bool pt_clock_take(struct pt_clock *c, const struct pt_setup *s, const struct pt_packet *k)
{
	switch (k->type) {
	case PT_TSC:
		set_tsc(c, k->v);
		return true;
	case PT_TMA:
		take_tma(c, s, k);
		return true;
	case PT_MTC:
		take_mtc(c, s, k);
		return true;
	case PT_CYC:
		take_cyc(c, s, k);
		return true;
	case PT_CBR:
		c->ratio = (u8)k->v;
		return true;
	default:
		return false;
	}
}
