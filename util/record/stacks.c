// SPDX-License-Identifier: GPL-2.0-or-later
// How stacks become call chains: what was asked for, and what is possible here.
#include <stdlib.h>
#include <string.h>

#include "util/os/rights.h"
#include "util/record/record.h"
#include "util/record/rings.h"

#define BUSY_HZ 10000		/* where nobody knows */

bool record_keeps_stacks(const struct record_opts *o)
{
	return o->stacks.raw_dumps || o->buffers.overwrite || o->sampling.user_regs ||
		o->sideband.tail_synth || o->sideband.no_synth_maps ||
		o->sideband.no_synth_tasks;
}

bool record_unwinds_in_kernel(const struct record_stacks *o)
{
	return !o->unwind_engine || !strcmp(o->unwind_engine, "bpf") ||
		!strcmp(o->unwind_engine, "auto");
}

u64 record_file_bytes(const struct record_output *o)
{
	return o->switch_bytes && o->max_bytes ? MIN(o->switch_bytes, o->max_bytes) :
		MAX(o->switch_bytes, o->max_bytes);
}

static u64 dumps_a_second(const struct record_opts *o, const struct event_list *l)
{
	const struct record_sampling *r = &o->sampling;
	const u64 hz = r->period || r->freq_max ? BUSY_HZ : r->freq_hz ? r->freq_hz :
		RECORD_DEFAULT_HZ;
	size_t n = 0;

	for vec_each(e, &l->events)
		n += (*e)->attr.type != PERF_TYPE_TRACEPOINT && !(*e)->dummy;
	return o->stacks.callgraph == RECORD_CHAIN_AUTO ? hz * MAX(n, (size_t)1) : hz;
}

static u32 room(const struct record_opts *o, u64 hz, const struct os *os, u32 least)
{
	return rings_dump_bytes(os, o->buffers.ring_pages, record_file_bytes(&o->output), hz, least,
				RECORD_MAX_DUMP);
}

/* Who else runs on the CPUs is not known: each new process is copied first, and where many start at
 * once, on busy CPUs, the buffers do not last. */
static bool is_of_many(const struct target *t)
{
	return t->system_wide || t->cpu_list || t->user;
}

/* Copies of stacks must be small against the buffers: else some are lost where frame pointers lose
 * nothing. Where the kernel unwinds there are few copies. */
static const char *only_fp(const struct record_opts *o, u64 hz, const struct os *os)
{
	if (record_keeps_stacks(o))
		return "other options want the samples as the kernel writes them";
	if (o->target.per_thread)
		return "buffers are those of threads";
	if (o->stacks.kernel_callchains)
		return "only the kernel's part is wanted";
	if (o->stacks.by_default && is_of_many(&o->target))
		return "not of a command or of processes alone (--call-graph auto unwinds all "
			"the same)";
	if (!os_may_bpf(os) && room(o, hz, os, 0) < RECORD_DEFAULT_DUMP)
		return "BPF is not allowed, and the buffers have no room for copies of stacks";
	return NULL;
}

/* Who asked for auto is to lose nothing, also where all CPUs are busy: buffers for half a second.
 * The kernel has most stacks whole, and of others that are cut frame pointers may know the rest. */
#define AUTO_TENTHS 5

/* Copies that are only unwound cost no room in the file: with larger ones fewer stacks are cut. */
void record_choose_stacks(struct record_opts *o, const struct event_list *l, const struct os *os)
{
	u64 hz = dumps_a_second(o, l);

	if (o->stacks.callgraph == RECORD_CHAIN_AUTO) {
		o->stacks.only_fp = only_fp(o, hz, os);
		hz *= AUTO_TENTHS;
	}
	if ((o->stacks.callgraph == RECORD_CHAIN_DWARF ||
	     (o->stacks.callgraph == RECORD_CHAIN_AUTO && !o->stacks.only_fp)) &&
	    !o->stacks.dump_given && !record_keeps_stacks(o) && !o->target.per_thread)
		o->stacks.dump_bytes = room(o, hz, os, RECORD_DEFAULT_DUMP);
}

static bool samples_kernel(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if (!(*e)->attr.exclude_kernel && !(*e)->dummy)
			return true;
	return false;
}

char *record_hidden_text(const struct os *os, const struct event_list *l)
{
	char *hint, *text;

	if (!samples_kernel(l))
		return NULL;
	hint = os_addresses_hint(os);
	text = xasprintf("kernel addresses are hidden (kptr_restrict is %d, perf_event_paranoid is "
			 "%d): samples in the kernel will have no symbols\nHint: %s",
			 os_kptr_restrict(os), os_paranoid(os), hint);
	free(hint);
	return text;
}
