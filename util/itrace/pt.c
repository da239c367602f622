// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The packets of Intel PT, one after the other.
 *
 *  1. w.known: w.ip is where the program is after all packets so far, and code was walked up to it.
 *     Else it is looked for: packets with a whole address tell.
 *  2. A packet that does not fit to the code makes one event of the kind PT_IS_ERROR, and the
 *     place is not known any more. Nothing is guessed.
 *  3. Between PSB and PSBEND packets say how things are, not that they happen.
 */
#include "util/itrace/pt-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

struct pt_decoder *pt_decoder_new(const struct pt_setup *setup, const struct pt_env *env)
{
	struct pt_decoder *d = xnew(struct pt_decoder);

	d->setup = *setup;
	d->env = *env;
	d->w.bits = 64;
	return d;
}

void pt_decoder_free(struct pt_decoder *d)
{
	free(d);
}

const char *pt_error_text(int code)
{
	static const char *const texts[] = {
		[1] = "Memory allocation failed", [2] = "Internal error",
		[PT_E_BAD_PACKET] = "Bad packet", [4] = "No more data",
		[PT_E_NO_CODE] = "Failed to get instruction",
		[PT_E_MISMATCH] = "Trace doesn't match instruction",
		[PT_E_OVERFLOW] = "Overflow packet", [PT_E_LOST] = "Lost trace data",
		[9] = "Unknown error!", [PT_E_LOOP] = "Never-ending loop (refer perf config "
						      "intel-pt.max-loops)",
	};

	return code > 0 && (size_t)code < ARRAY_SIZE(texts) && texts[code] ? texts[code] :
		"Unknown error!";
}

/* ---- what is handed out ---- */

static void put_simple(struct pt_decoder *d, enum pt_what what, u64 v, bool with_ip)
{
	struct pt_event e = { .what = what, .from = d->w.known ? d->w.ip : 0, .v = v,
			      .with_ip = with_ip };

	pt_pass_time(d);
	pt_put(d, &e);
}

/* What comes then does not happen later for it. from, to: where the program is, when that was known
 * before, or else. */
static void put_psb(struct pt_decoder *d, u64 offset, u64 from, u64 to)
{
	struct pt_event e = { .what = PT_IS_PSB, .from = from, .to = to, .v = offset };
	const u64 tsc = d->w.tsc, n_cycles = d->w.n_cycles;

	pt_pass_time(d);
	pt_put(d, &e);
	d->w.tsc = tsc;
	d->w.n_cycles = n_cycles;
}

static void put_control(struct pt_decoder *d, u64 v, bool with_ip)
{
	struct pt_event e = { .what = PT_IS_CONTROL, .from = d->w.known ? d->w.ip : 0, .v = v,
			      .with_ip = with_ip, .data = d->data, .n_data = d->n_data };

	pt_pass_time(d);
	pt_put(d, &e);
	d->n_data = 0;
}

static void put_ratio(struct pt_decoder *d)
{
	if (d->clock.ratio == d->shown_ratio)
		return;
	d->shown_ratio = d->clock.ratio;
	put_simple(d, PT_IS_CBR, d->clock.ratio, false);
}

/* Without code: that the program is there is all that is known of its instructions. */
static void put_place(struct pt_decoder *d, u64 ip, u64 to, u32 flags)
{
	struct pt_event e = { .what = PT_IS_INSN, .flags = flags, .from = ip, .to = to };

	if (!d->setup.quick)
		return;
	d->w.n_insns++;
	pt_pass_time(d);
	if (d->setup.every_insn)
		pt_put(d, &e);
}

static void begin_at(struct pt_decoder *d, u64 ip, bool said)
{
	struct pt_event e = { .what = PT_IS_BRANCH, .flags = PT_F_BRANCH | PT_F_BEGIN, .to = ip };

	d->w.ip = ip;
	d->w.known = true;
	pt_pass_time(d);
	if (said)
		pt_put(d, &e);
	if (said)
		put_place(d, ip, 0, 0);
}

static void forget(struct pt_decoder *d)
{
	d->w.known = false;
	d->w.depth = 0;
	d->has_last_ip = false;
	memset(&d->pending, 0, sizeof(d->pending));
}

/* code: enum pt_error, or -ENODATA */
static void fail(struct pt_decoder *d, int code)
{
	struct pt_event e = { .what = PT_IS_ERROR, .from = d->w.ip, .v = (u64)code };

	forget(d);
	d->in_tx = false;
	pt_pass_time(d);
	if (code > 0)
		pt_put(d, &e);
}

/* ---- bytes ---- */

/* To the next PSB. */
static bool find_psb(struct pt_decoder *d)
{
	static const u8 psb[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				    2, 0x82 };
	struct pt_trace *t = &d->t;
	const u8 *at = t->n > t->at ? memmem(t->p + t->at, t->n - t->at, psb, sizeof(psb)) : NULL;

	t->at = at ? (size_t)(at - t->p) : t->n;
	t->block = PT_NO_BLOCK;
	return at != NULL;
}

static void set_mode(struct pt_decoder *d, u64 v)
{
	d->w.bits = v & 1 ? 64 : v & 2 ? 32 : 16;
}

/* ---- how things are: from PSB to PSBEND ---- */

struct state { u64 ip; bool has_ip; };

static void take_state(struct pt_decoder *d, const struct pt_packet *k, struct state *st)
{
	switch (k->type) {
	case PT_FUP:
		st->has_ip = pt_take_ip(d, k, &st->ip);
		break;
	case PT_MODE_EXEC:
		set_mode(d, k->v);
		break;
	case PT_MODE_TSX:
		d->in_tx = k->v & 1;
		break;
	default:
		break;
	}
}

static void overflow(struct pt_decoder *d)
{
	const bool has_last_ip = d->has_last_ip;

	fail(d, PT_E_OVERFLOW);
	d->has_last_ip = has_last_ip;
	d->in_tx = false;
}

static void take_psb(struct pt_decoder *d, u64 offset)
{
	const bool first = !d->synced;
	struct state st = { 0 };
	struct pt_packet k;

	d->last_ip = 0;
	d->has_last_ip = true;
	d->w.depth = 0;
	d->synced = true;
	while (pt_next(d, &k) && k.type != PT_PSBEND) {
		if (k.type == PT_OVF) {
			overflow(d);
			return;
		}
		if (k.type == PT_BAD) {
			fail(d, PT_E_BAD_PACKET);
			find_psb(d);
			return;
		}
		take_state(d, &k, &st);
	}
	if (first && st.has_ip)
		begin_at(d, st.ip, false);
	put_psb(d, offset, d->w.known ? st.ip : 0, d->w.known ? 0 : st.ip);
	put_ratio(d);
	if (!st.has_ip)
		d->w.known = false;
	else if (!d->w.known)
		begin_at(d, st.ip, false);
	if (st.has_ip)
		put_place(d, st.ip, 0, 0);
}

/* ---- branches ---- */

static void take_tnt(struct pt_decoder *d, const struct pt_packet *k)
{
	int ret = 0;

	if (!d->w.known || d->setup.quick)
		return;
	if (d->pending.async)
		ret = PT_E_MISMATCH;
	for (unsigned i = k->count; i-- && !ret; )
		ret = pt_walk_bit(d, k->v >> i & 1, i + 1 == k->count);
	if (ret)
		fail(d, ret);
}

static void take_tip(struct pt_decoder *d, const struct pt_packet *k)
{
	const bool async = d->pending.async;
	const u32 flags = d->pending.async_flags;
	u64 to;
	int ret;

	d->pending.async = false;
	if (!pt_take_ip(d, k, &to)) {
		if (d->w.known)
			fail(d, PT_E_MISMATCH);
		return;
	}
	if (!d->w.known) {
		begin_at(d, to, true);
		return;
	}
	if (async) {
		pt_pass_time(d);
		put_place(d, d->w.ip, to, flags);
		pt_put_branch(d, NULL, to, flags);
		d->w.ip = to;
		put_place(d, to, 0, 0);
		return;
	}
	if (d->setup.quick) {
		d->w.ip = to;
		put_place(d, to, 0, 0);
		return;
	}
	if ((ret = pt_walk_to_target(d, to)) != 0)
		fail(d, ret);
}

/* Tracing goes off: code of others, or of a ring that is not wanted, comes. */
static void take_end(struct pt_decoder *d, const struct pt_packet *k)
{
	const bool async = d->pending.async;
	u64 to = 0;
	int ret = 0;

	d->pending.async = false;
	if (k->count)
		pt_take_ip(d, k, &to);
	if (!d->w.known)
		return;
	if (async) {
		const u32 flags = PT_F_BRANCH | PT_F_END | PT_F_ASYNC;

		pt_pass_time(d);
		put_place(d, d->w.ip, to, flags);
		pt_put_branch(d, NULL, to, flags);
	} else if (!d->setup.quick) {
		ret = pt_walk_to_end(d, to);
	}
	if (ret)
		fail(d, ret);
	d->w.known = false;
}

static void take_begin(struct pt_decoder *d, const struct pt_packet *k)
{
	u64 ip;

	if (pt_take_ip(d, k, &ip))
		begin_at(d, ip, true);
}

/* ---- where something happened ---- */

static void put_pending(struct pt_decoder *d, struct pt_pending *p)
{
	struct pt_event tx = { .what = PT_IS_TX, .flags = p->tx_flags, .from = d->w.ip };

	if (p->tx) {
		d->in_tx = p->in_tx;
		pt_put(d, &tx);
	}
	if (p->ptwrite)
		put_simple(d, PT_IS_PTWRITE, p->ptwrite_v, true);
	if (p->mwait)
		put_simple(d, PT_IS_MWAIT, p->mwait_v, false);
	if (p->pwre)
		put_simple(d, PT_IS_PWRE, p->pwre_v, false);
	if (p->exstop)
		put_simple(d, PT_IS_EXSTOP, 0, true);
	if (p->control)
		put_control(d, p->control_v, true);
	p->control = false;
	p->tx = p->ptwrite = p->mwait = p->pwre = p->exstop = p->other = false;
}

static void take_fup(struct pt_decoder *d, const struct pt_packet *k)
{
	struct pt_pending *p = &d->pending;
	const bool aborts = p->tx && p->tx_flags & PT_F_TX_ABORT;
	u64 ip;
	int ret;

	if (!pt_take_ip(d, k, &ip))
		return;
	if (!d->w.known) {
		begin_at(d, ip, true);
		p->tx = false;
		put_pending(d, p);
		return;
	}
	ret = d->setup.quick ? 0 : pt_walk_to_ip(d, ip);
	if (ret) {
		fail(d, ret);
		return;
	}
	d->w.ip = ip;
	pt_pass_time(d);
	if (aborts || !(p->tx || p->ptwrite || p->mwait || p->pwre || p->exstop || p->other)) {
		p->async = true;
		p->async_flags = aborts ? PT_F_BRANCH | PT_F_TX_ABORT :
			PT_F_BRANCH | PT_F_CALL | PT_F_ASYNC | PT_F_INTERRUPT;
		if (p->tx)
			d->in_tx = p->in_tx;
		p->tx = false;
		return;
	}
	if (p->tx)
		d->in_tx = p->in_tx;
	put_place(d, ip, 0, 0);
	put_pending(d, p);
}

static void take_tsx(struct pt_decoder *d, u64 v)
{
	d->pending.in_tx = v & 1;
	d->pending.tx = v & 2 || d->pending.in_tx != d->in_tx;
	d->pending.tx_flags = v & 2 ? PT_F_TX_ABORT : 0;
}

static void take_ptwrite(struct pt_decoder *d, const struct pt_packet *k)
{
	if (!k->with_ip) {
		put_simple(d, PT_IS_PTWRITE, k->v, false);
		return;
	}
	d->pending.ptwrite = true;
	d->pending.ptwrite_v = k->v;
}

/* ---- any packet ---- */

static void take_power(struct pt_decoder *d, const struct pt_packet *k)
{
	struct pt_pending *p = &d->pending;

	switch (k->type) {
	case PT_MWAIT:
		p->mwait = true;
		p->mwait_v = k->v;
		break;
	case PT_PWRE:
		p->pwre = true;
		p->pwre_v = k->v;
		break;
	case PT_EXSTOP:
		if (k->with_ip)
			p->exstop = true;
		else
			put_simple(d, PT_IS_EXSTOP, 0, false);
		break;
	default:
		put_simple(d, PT_IS_PWRX, k->v, false);
	}
}

/* EVD packets come before the CFE that they go with, and behind that its place, if it has one. */
static void take_control(struct pt_decoder *d, const struct pt_packet *k)
{
	const u64 v = k->count | k->v << 8;

	if (k->type == PT_EVD) {
		if (d->n_data < PT_MOST_DATA)
			d->data[d->n_data++] = (struct pt_datum){ k->count, k->v };
	} else if (k->with_ip) {
		d->pending.other = d->pending.control = true;
		d->pending.control_v = v;
	} else {
		put_control(d, v, false);
	}
}

static void take_flow(struct pt_decoder *d, const struct pt_packet *k)
{
	switch (k->type) {
	case PT_TNT:
		take_tnt(d, k);
		break;
	case PT_TIP:
		take_tip(d, k);
		break;
	case PT_TIP_PGE:
		take_begin(d, k);
		break;
	case PT_TIP_PGD:
		take_end(d, k);
		break;
	default:
		take_fup(d, k);
	}
}

static void bad_packet(struct pt_decoder *d)
{
	fail(d, PT_E_BAD_PACKET);
	find_psb(d);
}

static void take(struct pt_decoder *d, const struct pt_packet *k)
{
	if (d->setup.quick > 1 && k->type != PT_PSB && k->type != PT_CBR)
		return;
	switch (k->type) {
	case PT_TNT: case PT_TIP: case PT_TIP_PGE: case PT_TIP_PGD: case PT_FUP:
		take_flow(d, k);
		break;
	case PT_PSB:
		take_psb(d, d->t.offset + d->t.at - k->bytes);
		break;
	case PT_OVF:
		overflow(d);
		break;
	case PT_MODE_EXEC:
		set_mode(d, k->v);
		break;
	case PT_MODE_TSX:
		take_tsx(d, k->v);
		break;
	case PT_CBR:
		put_ratio(d);
		break;
	case PT_PTW:
		take_ptwrite(d, k);
		break;
	case PT_EXSTOP: case PT_MWAIT: case PT_PWRE: case PT_PWRX:
		take_power(d, k);
		break;
	case PT_BEP:
		d->pending.other |= k->with_ip;
		break;
	case PT_CFE: case PT_EVD:
		take_control(d, k);
		break;
	case PT_BAD:
		bad_packet(d);
		break;
	default:
		break;
	}
}

int pt_decode(struct pt_decoder *d, const u8 *p, size_t n, u64 offset)
{
	struct pt_packet k;

	d->t = (struct pt_trace){ .p = p, .n = n, .offset = offset };
	forget(d);
	d->synced = false;
	find_psb(d);
	while (pt_next(d, &k))
		take(d, &k);
	return d->stopped;
}
