// SPDX-License-Identifier: GPL-2.0-or-later
// Records of ARM SPE.
#include "util/itrace/spe.h"

#include "include/abi/perf_event.h"
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
	case SPE_PREVIOUS:
		out->previous = code_address(k->v);
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
	if (r->events & SPE_E_IN_TX)
		flags |= PT_F_IN_TX;
	return flags;
}

/* enum of branch types of the kernel. Bits of the operation: 0 conditional, 1 indirect, 3 and 4 as
 * spe_flags() has them. */
static u8 branch_type(const struct spe_record *r)
{
	const u32 flags = spe_flags(r);
	const bool cond = flags & PT_F_CONDITIONAL;

	if (flags & PT_F_CALL)
		return cond ? PERF_BR_COND_CALL : PERF_BR_CALL;
	if (flags & PT_F_RETURN)
		return cond ? PERF_BR_COND_RET : PERF_BR_RET;
	if (cond)
		return PERF_BR_COND;
	return (r->op >> 3 & 3) == 3 ? PERF_BR_UNCOND : PERF_BR_UNKNOWN;
}

size_t spe_branches(const struct spe_record *r, struct perf_branch_entry *out)
{
	const bool missed = r->events & SPE_E_MISPREDICTED;
	size_t n = 0;

	if (is_branch(r))
		out[n++] = (struct perf_branch_entry){
			.from = r->pc, .to = r->to, .type = branch_type(r),
			.mispred = missed, .predicted = !missed,
			.in_tx = r->events & SPE_E_IN_TX ? 1 : 0,
			.reserved = r->events & SPE_E_NOT_TAKEN ? ABI_BRANCH_NOT_TAKEN : 0,
		};
	if (r->previous)
		out[n++] = (struct perf_branch_entry){ .to = r->previous };
	return n;
}
