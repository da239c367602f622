// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <time.h>

#include "arch/arch.h"
#include "include/abi/perf_event.h"
#include "util/record/record.h"

static struct record_opts defaults(void)
{
	return (struct record_opts){ .sampling.clockid = RECORD_NO_CLOCKID,
				     .stacks.dump_bytes = RECORD_DEFAULT_DUMP,
				     .sideband.buildid_mmap = true };
}

static struct event *add(struct event_list *l, u32 type, u64 config, const char *name)
{
	const struct perf_event_attr a = { .type = type, .config = config };

	return event_list_add(l, &a, name);
}

static int configure(struct event_list *l, const struct record_opts *o)
{
	static struct os os;
	struct err err = ERR_INIT;
	int ret = record_configure(l, o, &os, &err);

	err_release(&err);
	return ret;
}

TEST(one_event_of_a_workload_tracks_itself)
{
	struct record_opts o = defaults();
	struct event_list l;
	const struct perf_event_attr *a;

	event_list_init(&l);
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.n, 1);
	a = &l.events.v[0]->attr;
	CHECK_EQ(a->sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		 PERF_SAMPLE_PERIOD);
	CHECK_EQ(a->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	CHECK_EQ(a->freq + 0, 1);
	CHECK_EQ(a->sample_freq, 4000);
	CHECK_EQ(a->mmap + a->mmap2 + a->comm + a->comm_exec + a->task + a->ksymbol + a->bpf_event +
		 a->build_id, 8);
	CHECK_EQ(a->mmap_data + a->context_switch + a->namespaces + a->cgroup, 0);
	event_list_release(&l);
}

TEST(system_wide_has_a_side_band_event_that_is_on_from_the_start)
{
	struct record_opts o = defaults();
	struct event_list l;
	const struct event *d;

	o.target.system_wide = true;
	event_list_init(&l);
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.n, 2);
	d = l.events.v[1];
	CHECK(d->dummy);
	CHECK_EQ(d->attr.config, PERF_COUNT_SW_DUMMY);
	CHECK_EQ(d->attr.disabled + 0, 0);
	CHECK_EQ(d->attr.mmap + 0, 1);
	CHECK_EQ(l.events.v[0]->attr.mmap + 0, 0);
	/* every record of the file has the same trailing id, with the CPU */
	for (int i = 0; i < 2; i++)
		CHECK_EQ(l.events.v[i]->attr.sample_type &
			 (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU | PERF_SAMPLE_TID |
			  PERF_SAMPLE_TIME),
			 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU | PERF_SAMPLE_TID |
			 PERF_SAMPLE_TIME);
	event_list_release(&l);
}

TEST(tracepoints_count_each_and_make_all_carry_the_cpu)
{
	struct record_opts o = defaults();
	struct event_list l;

	event_list_init(&l);
	add(&l, PERF_TYPE_TRACEPOINT, 300, "sched:x");
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.v[0]->attr.freq + 0, 0);
	CHECK_EQ(l.events.v[0]->attr.sample_period, 1);
	CHECK_EQ(l.events.v[0]->attr.sample_type & PERF_SAMPLE_RAW, PERF_SAMPLE_RAW);
	CHECK_EQ(l.events.v[1]->attr.sample_type & PERF_SAMPLE_RAW, 0);
	CHECK_EQ(l.events.v[1]->attr.sample_type & PERF_SAMPLE_CPU, PERF_SAMPLE_CPU);
	CHECK_EQ(l.events.v[1]->attr.mmap + 0, 0);
	event_list_release(&l);
}

TEST(count_sets_the_period_and_no_period_field)
{
	struct record_opts o = defaults();
	struct event_list l;

	o.sampling.period = 5000;
	event_list_init(&l);
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.v[0]->attr.sample_period, 5000);
	CHECK_EQ(l.events.v[0]->attr.freq + 0, 0);
	CHECK_EQ(l.events.v[0]->attr.sample_type & PERF_SAMPLE_PERIOD, 0);
	o.sampling.period_field = true;
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.v[0]->attr.sample_type & PERF_SAMPLE_PERIOD, PERF_SAMPLE_PERIOD);
	event_list_release(&l);
}

TEST(an_events_own_terms_win)
{
	struct record_opts o = defaults();
	struct event_list l;
	struct event *e;

	o.sampling.freq_hz = 99;
	o.stacks.callgraph = RECORD_CHAIN_FP;
	event_list_init(&l);
	e = add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	e->terms.set = EVENT_TERM_PERIOD | EVENT_TERM_CALL_GRAPH;
	e->terms.period = 777;
	e->terms.call_graph = xstrdup("no");
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "faults");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(e->attr.sample_period, 777);
	CHECK_EQ(e->attr.sample_type & PERF_SAMPLE_CALLCHAIN, 0);
	CHECK_EQ(l.events.v[1]->attr.sample_freq, 99);
	CHECK_EQ(l.events.v[1]->attr.sample_type & PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_CALLCHAIN);
	event_list_release(&l);
}

/* As typed, on a machine with CPUs of two kinds or one. */
static void typed(struct event_list *l, const char *root, const char *text,
		  const struct record_opts *o)
{
	char *dir = xasprintf("tests/roots/%s", root);
	struct os os;
	struct pmu_db *db;

	os_init_root(&os, dir);
	db = pmu_db_new(&os);
	event_list_init(l);
	CHECK_EQ(event_parse(l, text, &os, db, NULL), 0);
	CHECK_EQ(record_configure(l, o, &os, NULL), 0);
	pmu_db_free(db);
	os_release(&os);
	free(dir);
}

#define IP_TID_TIME (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

TEST(terms_and_modifiers_become_attrs)
{
	static const struct { const char *text; u64 type, period, branch; bool freq; u16 frames;
			      } t[] = {
		{ "cs/max-stack=3/", IP_TID_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN, 4000,
		  0, true, 3 },
		{ "cs/max-stack=3,call-graph=no/", IP_TID_TIME | PERF_SAMPLE_PERIOD, 4000, 0, true,
		  0 },
		{ "cs/max-stack=0/", IP_TID_TIME | PERF_SAMPLE_PERIOD, 4000, 0, true, 0 },
		{ "cs:R", IP_TID_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT_STRUCT, 4000, 0,
		  true, 0 },
		{ "bpf-output", IP_TID_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
		  PERF_SAMPLE_CPU, 1, 0, false, 0 },
		{ "1:10/period=4/", IP_TID_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
		  PERF_SAMPLE_CPU, 4, 0, false, 0 },
		{ "mem:8:w/period=3/", IP_TID_TIME, 3, 0, false, 0 },
		{ "cs/period/", IP_TID_TIME, 1, 0, false, 0 },
		{ "cs:S", IP_TID_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ, 4000, 0, true, 0 },
		{ "cycles/call-graph=lbr/", IP_TID_TIME | PERF_SAMPLE_PERIOD |
		  PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK, 4000,
		  0x2c801, true, 0 },
	};
	struct record_opts o = defaults();

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct perf_event_attr *a;
		struct event_list l;

		typed(&l, "vm", t[i].text, &o);
		a = &l.events.v[0]->attr;
		CHECK_EQ(l.events.n, 1);
		/* elsewhere the link register comes with chains of frame pointers */
		if (arch_host()->calls.chain_lr == ARCH_CHAIN_LACKS_LR && t[i].frames)
			CHECK_EQ(a->sample_type, t[i].type | PERF_SAMPLE_REGS_USER);
		else
			CHECK_EQ(a->sample_type, t[i].type);
		CHECK_EQ(a->sample_period, t[i].period);
		CHECK_EQ(a->freq + 0, t[i].freq);
		CHECK_EQ(a->branch_sample_type, t[i].branch);
		CHECK_EQ(a->sample_max_stack, t[i].frames);
		CHECK_EQ(a->read_format & PERF_FORMAT_GROUP, 0);
		CHECK_EQ(a->exclude_callchain_user + 0, 0);
		event_list_release(&l);
	}
}

TEST(members_of_a_group_that_is_read_keep_their_own_rate)
{
	struct record_opts o = defaults();
	struct event_list l;

	typed(&l, "vm", "{cycles/period=500/,cs,faults/period=3/,minor-faults/freq=10/}:S", &o);
	CHECK_EQ(l.events.v[0]->attr.sample_period, 500);
	CHECK_EQ(l.events.v[1]->attr.sample_period, 0);
	CHECK_EQ(l.events.v[2]->attr.sample_period, 3);
	CHECK_EQ(l.events.v[3]->attr.sample_freq, 10);
	CHECK_EQ(l.events.v[3]->attr.freq + 0, 1);
	for (int i = 0; i < 4; i++)
		CHECK_EQ(l.events.v[i]->attr.read_format & PERF_FORMAT_GROUP, PERF_FORMAT_GROUP);
	event_list_release(&l);
}

TEST(an_event_of_some_cpus_or_without_times_does_not_carry_the_side_band)
{
	static const struct { const char *root, *text; size_t n; } t[] = {
		{ "laptop-hybrid", "cycles:P", 3 }, { "laptop-hybrid", "cpu_core/cycles/", 2 },
			{ "laptop-hybrid", "cs", 1 },
		{ "vm", "cycles:P", 1 }, { "vm", "cs/cpu=0/", 2 }, { "vm", "cs/time=0/", 2 },
		{ "vm", "cs/time=1/", 1 },
		{ "vm", "cs,faults/cpu=1/", 2 },
	};
	struct record_opts o = defaults();

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct event_list l;

		typed(&l, t[i].root, t[i].text, &o);
		CHECK_EQ(l.events.n, t[i].n);
		for (size_t k = 0; k < l.events.n; k++) {
			const struct event *e = l.events.v[k];
			const bool tracks = e->attr.mmap;

			CHECK_EQ(tracks, e->dummy || (k == 0 &&
						      !l.events.v[l.events.n - 1]->dummy));
		}
		CHECK_EQ(l.events.v[0]->attr.sample_type & PERF_SAMPLE_TIME,
			 strstr(t[i].text, "time=0") ? 0 : PERF_SAMPLE_TIME);
		event_list_release(&l);
	}
}

TEST(raw_samples_carry_the_cpu)
{
	struct record_opts o = defaults();
	struct event_list l;

	o.sampling.raw = true;
	typed(&l, "vm", "cs,faults", &o);
	CHECK_EQ(l.events.v[1]->attr.sample_type & (PERF_SAMPLE_CPU | PERF_SAMPLE_RAW),
		 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW);
	event_list_release(&l);
	o.sampling.raw = false;
	o.sampling.phys_addr = o.sampling.data_page = true;
	typed(&l, "vm", "cs", &o);
	CHECK_EQ(l.events.v[0]->attr.sample_type & (PERF_SAMPLE_CPU | PERF_SAMPLE_ADDR), 0);
	event_list_release(&l);
}

TEST(dwarf_asks_for_registers_and_stack)
{
	struct record_opts o = defaults();
	struct event_list l;

	CHECK_EQ(record_parse_callgraph(&o.stacks, "dwarf,1001", NULL), 0);
	CHECK_EQ(o.stacks.dump_bytes, 1008);
	CHECK(!o.stacks.raw_dumps);
	event_list_init(&l);
	add(&l, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	CHECK_EQ(configure(&l, &o), 0);
	CHECK_EQ(l.events.v[0]->attr.sample_stack_user, 1008);
	CHECK_EQ(l.events.v[0]->attr.sample_regs_user, arch_host()->user_regs_mask);
	CHECK_EQ(l.events.v[0]->attr.exclude_callchain_user + 0, 1);
	CHECK_EQ(record_parse_callgraph(&o.stacks, "dwarf,8192,raw", NULL), 0);
	CHECK(o.stacks.raw_dumps);
	CHECK(record_parse_callgraph(&o.stacks, "dwarf,65536", NULL) < 0);
	CHECK(record_parse_callgraph(&o.stacks, "dwarf,x", NULL) < 0);
	CHECK(record_parse_callgraph(&o.stacks, "fp,8", NULL) < 0);
	CHECK(record_parse_callgraph(&o.stacks, "graph", NULL) < 0);
	event_list_release(&l);
}

static u64 flags_of(const struct event *e)
{
	return abi_attr_flags(&e->attr) & (ABI_ATTR_DEFER_CALLCHAIN | ABI_ATTR_DEFER_OUTPUT);
}

/* Each event asks for it, and the one that has the side-band gets the records. */
TEST(deferred_chains)
{
	struct record_opts o = defaults();
	struct event_list l;

	CHECK_EQ(record_parse_callgraph(&o.stacks, "fp,defer", NULL), 0);
	CHECK_EQ(o.stacks.callgraph, RECORD_CHAIN_FP);
	typed(&l, "vm", "cs,faults/call-graph=fp/", &o);
	CHECK_EQ(flags_of(l.events.v[0]) & ABI_ATTR_DEFER_CALLCHAIN, ABI_ATTR_DEFER_CALLCHAIN);
	CHECK_EQ(flags_of(l.events.v[1]), 0);
	for vec_each(e, &l.events)
		CHECK((*e)->attr.mmap == !!(flags_of(*e) & ABI_ATTR_DEFER_OUTPUT));
	event_list_release(&l);
	o.stacks.kernel_callchains = true;	/* then there is nothing to defer */
	typed(&l, "vm", "cs", &o);
	CHECK_EQ(flags_of(l.events.v[0]) & ABI_ATTR_DEFER_CALLCHAIN, 0);
	event_list_release(&l);
	CHECK_EQ(record_parse_callgraph(&o.stacks, "fp", NULL), 0);
	CHECK(!o.stacks.deferred);
	CHECK(record_parse_callgraph(&o.stacks, "lbr,defer", NULL) < 0);
	CHECK(record_parse_callgraph(&o.stacks, "fp,defer,1", NULL) < 0);
}

TEST(delays)
{
	struct record_opts o = defaults();

	CHECK_EQ(record_parse_delay(&o.when, "10-20,30-40", NULL), 0);
	CHECK_EQ(o.when.windows.n, 2);
	CHECK_EQ(o.when.windows.v[1].from_ns, 30000000);
	CHECK_EQ(o.when.windows.v[1].to_ns, 40000000);
	CHECK_EQ(record_parse_delay(&o.when, "100", NULL), 0);
	CHECK_EQ(o.when.windows.n, 1);
	CHECK_EQ(o.when.windows.v[0].from_ns, 100000000);
	CHECK_EQ(record_parse_delay(&o.when, "0", NULL), 0);
	CHECK_EQ(o.when.windows.n, 0);
	CHECK_EQ(record_parse_delay(&o.when, "-1", NULL), 0);
	CHECK(o.when.start_disabled);
	CHECK(record_parse_delay(&o.when, "20-10", NULL) < 0);
	CHECK(record_parse_delay(&o.when, "10-20,15-30", NULL) < 0);
	CHECK(record_parse_delay(&o.when, "x", NULL) < 0);
	vec_free(&o.when.windows);
}

TEST(branches_clocks_registers)
{
	u64 mask = 0;
	int clock = 0;

	CHECK_EQ(record_parse_branch("any_call,u", &mask, NULL), 0);
	CHECK_EQ(mask, PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	CHECK_EQ(record_parse_branch("k", &mask, NULL), 0);
	CHECK_EQ(mask, PERF_SAMPLE_BRANCH_ANY);	/* at the levels of the event */
	CHECK_EQ(record_parse_branch("counter,any", &mask, NULL), 0);
	CHECK_EQ(mask, PERF_SAMPLE_BRANCH_ANY | 1 << 19);
	CHECK(record_parse_branch("anycall", &mask, NULL) < 0);
	CHECK_EQ(record_parse_clockid("CLOCK_MONOTONIC_RAW", &clock, NULL), 0);
	CHECK_EQ(clock, CLOCK_MONOTONIC_RAW);
	CHECK_EQ(record_parse_clockid("mono", &clock, NULL), 0);
	CHECK_EQ(clock, CLOCK_MONOTONIC);
	CHECK(record_parse_clockid("monotone", &clock, NULL) < 0);
	CHECK(record_parse_regs("nosuch", &mask, NULL) < 0);
	CHECK(record_parse_regs("?", &mask, NULL) < 0);
	CHECK_EQ(record_parse_regs(NULL, &mask, NULL), 0);
	CHECK_EQ(mask, arch_host()->user_regs_mask);
}
