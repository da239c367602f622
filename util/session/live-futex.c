// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/live-futex.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "util/analysis/futex.h"

#define RING_BYTES (2 << 20)	/* of side-band */

enum { REC_WORDS = 2048, MAX_REGS = 64 };

/* --- opening */

static void add_event(struct event_list *list)
{
	const struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1,
	};

	event_list_add(list, &a, FUTEX_SUMS_EVENT);
}

static int open_events(struct live_futex *l, const struct live_futex_opts *o, struct err *err)
{
	const struct record_opts ro = {
		.sampling = { .raw = true, .period = 1, .addr = true },
		.stacks = { .callgraph = RECORD_CHAIN_DWARF, .dump_bytes = FUTEXREC_DUMP_BYTES,
			    .raw_dumps = true },
		.sideband = { .no_bpf_event = true, .proc_map_timeout_ms = 500, .data_mmap = true },
	};

	add_event(&l->list);
	if (!l->s->o.ring_bytes)
		l->s->o.ring_bytes = RING_BYTES;
	return live_session_events(l->s, &(struct live_events){ .list = &l->list, .sampling = &ro,
								.maps = true }, &o->stream, err);
}

static int open_programs(struct live_futex *l, const struct live_futex_opts *o, struct err *err)
{
	struct live_whom w;
	int ret = live_whom_find(l->s, o->cgroups, &w, err);

	if (!ret)
		ret = futexstat_open(&l->stat, &(struct futexstat_opts){
			.times = o->times, .rows = o->rows, .n_entries = o->n_entries,
			.scope = live_whom_scope(&w) }, &l->s->os, err);
	live_whom_release(&w);
	return ret;
}

int live_futex_open(struct live_futex *l, struct live_session *s, const struct live_futex_opts *o,
		    struct err *err)
{
	int ret;

	*l = (struct live_futex){ .s = s };
	event_list_init(&l->list);
	ret = open_programs(l, o, err);
	return ret ? ret : open_events(l, o, err);
}

void live_futex_close(struct live_futex *l)
{
	futexstat_close(l->stat);
	event_list_release(&l->list);
	hmap_release(&l->threads);
}

/* --- sums as samples */

/* The values that the attr asks for, out of the kernel's struct pt_regs. 0: not known here. */
static size_t take_regs(u64 mask, const u64 *kernel, u64 *out)
{
	/* by perf's number */
	static const s8 x86[] = { 10, 5, 11, 12, 13, 14, 4, 19, 16, 18, 17, 20, -1, -1, -1, -1,
				  9, 8, 7, 6, 3, 2, 1, 0 };
	const bool is_x86 = arch_host()->elf_machine == EM_X86_64;
	size_t n = 0;

	if (!is_x86 && arch_host()->elf_machine != EM_AARCH64)
		return 0;
	for (int bit = 0; bit < MAX_REGS; bit++) {
		int at = bit;

		if (!(mask >> bit & 1))
			continue;
		if (is_x86)
			at = bit < (int)ARRAY_SIZE(x86) ? x86[bit] : -1;
		out[n++] = at >= 0 && at < FUTEXREC_REGS ? kernel[at] : 0;
	}
	return n;
}

static u64 thread_key(u32 pid, u32 tid)
{
	return (u64)pid << 32 | tid;
}

static void note_threads(struct live_futex *l)
{
	struct thread *const *v;
	const size_t n = machine_threads(stream_machine(l->s->stream), &v);

	for (size_t i = 0; i < n; i++)
		hmap_put(&l->threads, thread_key(v[i]->pid, v[i]->tid), l);
}

/* A number in memory that is no thread of the process was no owner. */
static u32 checked_tid(const struct live_futex *l, const struct futexrec_key *k)
{
	const bool guessed = k->side == FUTEXREC_HOLDER && k->kind != FUTEXREC_OTHER;

	return !guessed || hmap_get(&l->threads, thread_key(k->tgid, k->tid)) ? k->tid : 0;
}

static void set_stack(const struct perf_event_attr *attr, const struct futexrec_stack *st,
		      struct sample *smp, u64 *chain, u64 *regs)
{
	if (!st)
		return;
	smp->ip = st->n_frames ? st->frames[0] : 0;
	if (!st->dump_bytes || !take_regs(attr->sample_regs_user, (const u64 *)st->regs, regs)) {
		smp->chain_n = 1 + MIN(st->n_frames, (u32)FUTEXREC_MAX_FRAMES);
		memcpy(chain + 1, st->frames, (smp->chain_n - 1) * sizeof(*chain));
		return;
	}
	smp->user_regs = (struct regs_view){ .abi = PERF_SAMPLE_REGS_ABI_64,
					     .mask = attr->sample_regs_user, .regs = regs };
	smp->stack = (struct span){ st->dump, MIN(st->dump_bytes, (u32)FUTEXREC_DUMP_BYTES) };
	smp->stack_dyn_bytes = smp->stack.len;
}

static int put(void *ctx, const struct futexrec *r, const struct futexrec_stack *st,
	       const u32 *steps)
{
	struct live_futex *l = ctx;
	const struct event *e = l->list.events.v[0];
	u64 chain[1 + FUTEXREC_MAX_FRAMES] = { PERF_CONTEXT_USER }, regs[MAX_REGS], rec[REC_WORDS];
	struct { struct futexrec r; u32 steps[FUTEXREC_STEPS]; } raw = { .r = *r };
	struct sample smp = {
		.id = e->n_ids ? e->ids[0] : 0, .time_ns = r->sum.last_ns, .addr = r->key.addr,
		.period = 1, .misc = PERF_RECORD_MISC_USER, .cpumode = PERF_RECORD_MISC_USER,
		.chain = chain, .present = e->attr.sample_type,
		.raw = { (const u8 *)&raw, steps ? sizeof(raw) : sizeof(raw.r) },
	};
	const struct wire_timed timed = { (const void *)rec, r->sum.last_ns };
	int bytes;

	if (steps)
		memcpy(raw.steps, steps, sizeof(raw.steps));
	raw.r.key.tid = checked_tid(l, &r->key);
	smp.pid = r->key.tgid;
	smp.tid = raw.r.key.tid ? raw.r.key.tid : r->key.tgid;
	set_stack(&e->attr, st, &smp, chain, regs);
	bytes = wire_encode_sample(&e->attr, &smp, rec, sizeof(rec));
	if (bytes < 0)
		return bytes;
	stream_put(l->s->stream, &timed, 1);
	return 0;
}

void live_futex_pass(struct live_futex *l, u64 bound_ns)
{
	if (bound_ns != UINT64_MAX || !l->stat || !l->s->stream)
		return;
	futexstat_stop(l->stat);
	note_threads(l);
	futexstat_each(l->stat, put, l);
	futexstat_missing(l->stat, &l->missing);
}

int live_futex_run(struct live_futex *l, struct sink *const *sinks, size_t n, struct err *err)
{
	futexstat_switch(l->stat, true);
	return live_session_run(l->s, sinks, n, err);
}
