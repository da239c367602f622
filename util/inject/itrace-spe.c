// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is made of a trace of ARM SPE: each of its records is a sample of all events that it had, at
 * the same time. Addresses are those of data for accesses, and where to for branches and for
 * instructions.
 */
#include "util/inject/itrace-priv.h"
#include "util/itrace/spe.h"

struct spe {
	struct traces *t;
	struct trace_writer *out;
	struct trace_who who;
	const struct spe_record *r;
	u64 data_src, period;
	u32 flags;
	struct perf_branch_entry branches[SPE_MOST_BRANCHES];
	size_t n_branches;
};

static u64 clock_of(const struct trace_info *i, u64 ticks)
{
	return i->mask ? i->cycles + ((ticks - i->cycles) & i->mask) : ticks;
}

/* The flags of a branch go with what it is as one, where data came from with what is an access. */
static void put(const struct spe *p, enum trace_made m, u64 addr)
{
	const bool branch = m == M_SPE_BRANCH || m == M_SPE_INSNS;
	const struct wire_synth synth = { .flags = branch ? p->flags : 0 };
	struct sample s = {
		.time_ns = p->who.ns, .pid = p->who.pid, .tid = p->who.tid, .cpu = p->who.cpu,
		.ip = p->r->pc, .addr = addr, .period = p->period,
		.data_src = m == M_SPE_BRANCH ? 0 : p->data_src,
		.weight = p->r->latency,
		.misc = p->r->pc >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	if (branch && p->t->o->last)
		s.branch = (struct branch_view){ .n = p->n_branches, .entries = p->branches,
						 .has_hw_idx = true };
	if (trace_writer_event(p->out, m))
		trace_writer_put(p->out, m, &s, &synth, (struct span){ NULL, 0 });
}

static void put_record(const struct spe *p)
{
	static const struct { u64 bit; enum trace_made made; } accesses[] = {
		{ SPE_E_L1D_MISS, M_L1D_MISS }, { SPE_E_L1D_ACCESS, M_L1D_ACCESS },
		{ SPE_E_LLC_MISS, M_LLC_MISS }, { SPE_E_LLC_ACCESS, M_LLC_ACCESS },
		{ SPE_E_TLB_MISS, M_TLB_MISS }, { SPE_E_TLB_ACCESS, M_TLB_ACCESS },
	};
	const struct spe_record *r = p->r;

	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++)
		if (r->events & accesses[i].bit)
			put(p, accesses[i].made, r->va);
	if (p->flags)
		put(p, M_SPE_BRANCH, r->to);
	if (r->events & SPE_E_REMOTE)
		put(p, M_REMOTE, r->va);
	if (p->data_src)
		put(p, M_MEMORY, r->va);
	put(p, M_SPE_INSNS, r->to);
}

/* Its thread is what the trace says, else who runs there. */
static void set_who(struct spe *p, struct trace_code *code, const struct spe_record *r)
{
	struct trace_who *who = &p->who;

	trace_code_at(code, clock_of(&p->t->info, r->ticks));
	*who = trace_code_who(code);
	if (r->has_context) {
		who->tid = r->context;
		who->pid = machine_pid_at(p->t->m, who->tid, who->ns);
	}
}

int trace_spe_decode(struct traces *t, struct trace_writer *out, struct trace_code *code,
		     struct span bytes, u64 offset)
{
	const struct trace_info *info = &t->info;
	const u32 cpu = trace_code_who(code).cpu;
	const u64 midr = cpu < info->midr.n ? info->midr.v[cpu] : 0;
	struct spe_reader reader = { .p = bytes.ptr, .n = bytes.len, .offset = offset };
	struct spe_record r;
	struct spe p = { .t = t, .out = out, .r = &r };
	const u64 every = t->o->insns && t->o->unit == ITRACE_INSNS ? MAX(t->o->period, 1ULL) : 1;
	u64 n = 0;

	p.period = t->o->insns || t->o->all ? every : 0;
	while (spe_next(&reader, &r)) {
		if (++n % every)
			continue;
		set_who(&p, code, &r);
		p.data_src = spe_data_src(&r, midr);
		p.flags = spe_flags(&r);
		p.n_branches = spe_branches(&r, p.branches);
		put_record(&p);
	}
	return trace_writer_status(out);
}
