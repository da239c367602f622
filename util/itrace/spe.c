// SPDX-License-Identifier: GPL-2.0-or-later
// Records of ARM SPE.
#include "util/itrace/spe.h"

#include "util/itrace/pt.h"

#define LOW56 ((1ULL << 56) - 1)

/* The highest byte of an instruction's address says in which state it was: bit 63 not secure, bits
 * 61 and 62 the exception level. */
static u64 code_address(u64 v)
{
	const unsigned el = (unsigned)(v >> 61) & 3;
	const bool kernel = v >> 63 && (el == 1 || el == 2);

	return (v & LOW56) | (kernel ? ~LOW56 : 0);
}

/* The highest byte of a data address may be a tag of the program. */
static u64 data_address(u64 v)
{
	return (v & LOW56) | ((v >> 52 & 15) == 15 ? ~LOW56 : 0);
}

static void take_address(const struct spe_packet *k, struct spe_record *out)
{
	switch (k->index) {
	case SPE_PC:
		out->pc = code_address(k->v);
		break;
	case SPE_TARGET:
		out->to = code_address(k->v);
		break;
	case SPE_VA:
		out->va = data_address(k->v);
		break;
	case SPE_PA:
		out->pa = k->v & LOW56;
		break;
	}
}

static void take(struct spe_reader *s, const struct spe_packet *k, struct spe_record *out)
{
	switch (k->type) {
	case SPE_ADDRESS:
		take_address(k, out);
		break;
	case SPE_COUNTER:
		if (k->index == SPE_TOTAL)
			out->latency = (u32)k->v;
		break;
	case SPE_CONTEXT:
		s->context = (u32)k->v;
		s->has_context = true;
		break;
	case SPE_OP:
		out->has_op = true;
		out->op_class = k->index;
		out->op = (u8)k->v;
		break;
	case SPE_EVENTS:
		out->events = k->v;
		break;
	case SPE_SOURCE:
		out->source = (u16)k->v;
		break;
	default:
		break;
	}
}

bool spe_next(struct spe_reader *s, struct spe_record *out)
{
	struct spe_packet k;

	*out = (struct spe_record){ 0 };
	while (s->at < s->n) {
		spe_packet_get(s->p + s->at, s->n - s->at, s->offset + s->at, &k);
		s->at += k.bytes;
		if (k.type == SPE_BAD)
			*out = (struct spe_record){ 0 };
		if (k.type == SPE_END || k.type == SPE_TIMESTAMP) {
			out->ticks = k.type == SPE_TIMESTAMP ? k.v : 0;
			out->context = s->context;
			out->has_context = s->has_context;
			return true;
		}
		take(s, &k, out);
	}
	return false;
}

static bool is_branch(const struct spe_record *r)
{
	return r->has_op && r->op_class == SPE_BRANCH;
}

u32 spe_flags(const struct spe_record *r)
{
	const unsigned kind = r->op >> 3 & 3;	/* 1: with link, 2: return, 3: neither */
	u32 flags = PT_F_BRANCH;

	if (!is_branch(r))
		return 0;
	if (kind == 1)
		flags |= PT_F_CALL;
	else if (kind == 2 || r->op & 2)
		flags |= PT_F_RETURN;
	if (r->op & 1)
		flags |= PT_F_CONDITIONAL;
	if (r->events & SPE_E_NOT_TAKEN)
		flags |= PT_F_NOT_TAKEN;
	if (r->events & SPE_E_MISPREDICTED)
		flags |= PT_F_MISPREDICTED;
	return flags;
}
