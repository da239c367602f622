// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "util/event/event.h"

/* One line an event: name, type:config[,config1][ flags]; groups as {}. */
static void describe(const struct event_list *l, struct str *s)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];
		const struct perf_event_attr *a = &e->attr;

		str_addf(s, "%s%s %u:%llx", i ? "; " : "", e->name, a->type,
			 (unsigned long long)a->config);
		if (a->config1)
			str_addf(s, " c1=%llx", (unsigned long long)a->config1);
		if (a->config2)
			str_addf(s, " c2=%llx", (unsigned long long)a->config2);
		if (a->exclude_user || a->exclude_kernel || a->exclude_hv)
			str_addf(s, " x%s%s%s", a->exclude_user ? "u" : "", a->exclude_kernel ?
				 "k" : "", a->exclude_hv ? "h" : "");
		if (a->exclude_guest || a->exclude_host)
			str_addf(s, " x%s%s", a->exclude_guest ? "guest" : "", a->exclude_host ?
				 "host" : "");
		if (a->precise_ip)
			str_addf(s, " p%d%s", a->precise_ip, e->precise_max ? "max" : "");
		if (a->exclude_idle)
			str_add(s, " xidle");
		if (a->pinned)
			str_add(s, " pinned");
		if (a->exclusive)
			str_add(s, " exclusive");
		if (a->bp_type)
			str_addf(s, " bp%d", a->bp_type);
		if (a->sample_period)
			str_addf(s, " %s%llu", a->freq ? "freq" : "period",
				 (unsigned long long)a->sample_period);
		if (e->sample_read)
			str_add(s, " S");
		if (e->weak)
			str_add(s, " W");
		if (e->retire_latency)
			str_add(s, " R");
		if (e->leader != e)
			str_addf(s, " in%d", e->leader->index);
		if (e->unit)
			str_addf(s, " %s*%g", e->unit, e->scale);
		if (e->own_cpus.n) {
			str_add(s, " on");
			str_add_int_list(s, e->own_cpus.v, e->own_cpus.n);
		}
		if (e->terms.cpus.n) {
			str_add(s, " cpu=");
			str_add_int_list(s, e->terms.cpus.v, e->terms.cpus.n);
		}
		if (e->terms.call_graph)
			str_addf(s, " cg=%s", e->terms.call_graph);
	}
}

static char *parsed(const char *root, const char *text)
{
	char *dir = xasprintf("tests/roots/%s", root);
	struct os os;
	struct pmu_db *db;
	struct event_list l;
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	os_init_root(&os, dir);
	db = pmu_db_new(&os);
	event_list_init(&l);
	if (event_parse(&l, text, &os, db, &err)) {
		str_addf(&s, "%s", err.msg);
		if (err.hint)
			str_addf(&s, "\nHINT %s", err.hint);
		CHECK_EQ(l.events.n, 0);
	} else {
		describe(&l, &s);
	}
	event_list_release(&l);
	pmu_db_free(db);
	os_release(&os);
	err_release(&err);
	free(dir);
	return unit_keep(str_detach(&s));
}

struct expected { const char *text, *result; };

static void check_table(const char *root, const struct expected *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		CHECK_STR(parsed(root, t[i].text), t[i].result);
}

/* Expectations from the attrs that upstream perf prints with -vv. */
TEST(generic_events)
{
	static const struct expected t[] = {
		{ "cycles", "cycles 0:0" }, { "cpu-cycles", "cpu-cycles 0:0" },
			{ "instructions", "instructions 0:1" },
		{ "cache-references", "cache-references 0:2" },
		{ "cache-misses", "cache-misses 0:3" },
		{ "branches", "branches 0:4" }, { "branch-instructions",
						  "branch-instructions 0:4" },
		{ "branch-misses", "branch-misses 0:5" }, { "bus-cycles", "bus-cycles 0:6" },
		{ "stalled-cycles-frontend", "stalled-cycles-frontend 0:7" },
		{ "idle-cycles-backend", "idle-cycles-backend 0:8" },
		{ "ref-cycles", "ref-cycles 0:9" },
		{ "cpu-clock", "cpu-clock 1:0" }, { "task-clock", "task-clock 1:1" },
		{ "faults", "faults 1:2" },
		{ "page-faults", "page-faults 1:2" }, { "cs", "cs 1:3" },
		{ "migrations", "migrations 1:4" },
		{ "minor-faults", "minor-faults 1:5" }, { "major-faults", "major-faults 1:6" },
		{ "alignment-faults", "alignment-faults 1:7" },
		{ "emulation-faults", "emulation-faults 1:8" },
		{ "dummy", "dummy 1:9" }, { "bpf-output", "bpf-output 1:a" },
		{ "cgroup-switches", "cgroup-switches 1:b" },
		{ "L1-dcache-loads", "L1-dcache-loads 3:0" },
		{ "L1-dcache-load-misses", "L1-dcache-load-misses 3:10000" },
		{ "L1-dcache", "L1-dcache 3:0" }, { "l1d-read-miss", "l1d-read-miss 3:10000" },
		{ "L1-icache-load-misses", "L1-icache-load-misses 3:10001" },
		{ "LLC-stores", "LLC-stores 3:102" },
		{ "LLC-store-misses", "LLC-store-misses 3:10102" },
		{ "dTLB-speculative-read", "dTLB-speculative-read 3:203" },
		{ "iTLB-loads", "iTLB-loads 3:4" }, { "branch-loads", "branch-loads 3:5" },
		{ "node-prefetch-misses", "node-prefetch-misses 3:10206" },
		{ "r1a8", "r1a8 4:1a8" },
		{ "rFFFFffff12345678", "rFFFFffff12345678 4:ffffffff12345678" },
		{ " cs , faults ", "cs 1:3; faults 1:2" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(modifiers)
{
	static const struct expected t[] = {
		{ "cycles:u", "cycles:u 0:0 xkh" }, { "cycles:k", "cycles:k 0:0 xuh" },
			{ "cycles:h", "cycles:h 0:0 xuk" },
		{ "cycles:uk", "cycles:uk 0:0 xh" }, { "cs:hk", "cs:hk 1:3 xu" },
		{ "cs:G", "cs:G 1:3 xhost" },
		{ "faults:H", "faults:H 1:2 xguest" }, { "cs:GH", "cs:GH 1:3" },
		{ "cycles:p", "cycles:p 0:0 p1" },
		{ "cycles:ppp", "cycles:ppp 0:0 p3" }, { "cycles:P", "cycles:P 0:0 p3max" },
		{ "cycles:upp", "cycles:upp 0:0 xkh p2" }, { "cs:I", "cs:I 1:3 xidle" },
		{ "cs:D", "cs:D 1:3 pinned" },
		{ "cs:ue", "cs:ue 1:3 xkh exclusive" }, { "cs:kS", "cs:k 1:3 xuh S" },
		{ "r1a:u", "r1a:u 4:1a xkh" },
		{ "cs:u,faults:k", "cs:u 1:3 xkh; faults:k 1:2 xuh" },
		{ "cycles:R", "cycles:R 0:0 R" }, { "cs:Xk", "cs:k 1:3 xuh" }, { "cs:", "cs 1:3" },
		{ "cycles:ukhG", "cycles:ukhG 0:0 xhost" }, { "smi:u", "smi:u 9:4 xkh" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(aliases_with_modifiers)
{
	static const struct expected t[] = {
		{ "cpu_cycles:u", "cpu_cycles:u 8:11 xkh on0-1" },
		{ "inst_retired:k", "inst_retired:k 8:8 xuh on0-1" },
		{ "armv8_pmuv3_0/cpu_cycles/u", "armv8_pmuv3_0/cpu_cycles/u 8:11 xkh on0-1" },
		{ "{cpu_cycles:u,l1d_cache:u}:S",
		  "cpu_cycles:u 8:11 xkh S on0-1; l1d_cache:u 8:4 xkh S in0 on0-1" },
	};

	check_table("arm64", t, ARRAY_SIZE(t));
}

TEST(groups)
{
	static const struct expected t[] = {
		{ "{cs,faults}", "cs 1:3; faults 1:2 in0" },
		{ "{cs,faults}:u", "cs:u 1:3 xkh; faults:u 1:2 xkh in0" },
		{ "{cs:u,faults}:S", "cs:u 1:3 xkh S; faults 1:2 S in0" },
		{ "{cs,faults}:W,dummy", "cs 1:3 W; faults 1:2 W in0; dummy 1:9" },
		{ "dummy,{cs,faults},{cycles,r1}:D",
		  "dummy 1:9; cs 1:3; faults 1:2 in1; cycles 0:0 pinned; r1 4:1 in3" },
		{ "mine:{cs,faults}", "cs 1:3; faults 1:2 in0" },
		{ "mine{cs,faults}:u,dummy", "cs:u 1:3 xkh; faults:u 1:2 xkh in0; dummy 1:9" },
		{ "{faults:k,cs}:u", "faults:ku 1:2 xh; cs:u 1:3 xkh in0" },
		{ "{cs:u,faults}:u", "cs:u 1:3 xkh; faults:u 1:2 xkh in0" },
		{ "{cs,faults:G}:H", "cs:H 1:3 xguest; faults:GH 1:2 in0" },
		{ "{cs:G,faults:H}:uG", "cs:Gu 1:3 xkh xhost; faults:HuG 1:2 xkh in0" },
		{ "{cs:u,faults:kp}:p", "cs:up 1:3 xkh p1; faults:kpp 1:2 xuh p2 in0" },
		{ "{cs/name=x/u,faults}:k", "x 1:3 xh; faults:k 1:2 xuh in0" },
		{ "{cs:uD,faults}:e", "cs:uD 1:3 xkh pinned exclusive; faults 1:2 in0" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(breakpoints)
{
	static const struct expected t[] = {
		{ "mem:0x1000", "mem:0x1000 5:0 c1=1000 c2=4 bp3 period1" },
		{ "mem:0x1000:x", "mem:0x1000:x 5:0 c1=1000 c2=8 bp4 period1" },
		{ "mem:0x1000/8:w:u", "mem:0x1000/8:w:u 5:0 c1=1000 c2=8 xkh bp2 period1" },
		{ "mem:4096/1:r", "mem:4096/1:r 5:0 c1=1000 c2=1 bp1 period1" },
		{ "mem:0x10:rw,cs", "mem:0x10:rw 5:0 c1=10 c2=4 bp3 period1; cs 1:3" },
		{ "mem:0/name=b/", "b 5:0 c2=4 bp3 period1" },
		{ "mem:0:x/name=b/k", "b 5:0 c2=8 xuh bp4 period1" },
		{ "mem:0/2:w/name=b/", "b 5:0 c2=2 bp2 period1" },
		{ "mem:0/1/name=b/,cs", "b 5:0 c2=1 bp3 period1; cs 1:3" },
		{ "mem:0x10:w/period=3/:u", "mem:0x10:w/period=3/u 5:0 c1=10 c2=4 xkh bp2 "
					    "period3" },
		{ "{mem:8:r,mem:8:}", "mem:8:r 5:0 c1=8 c2=4 bp1 period1; mem:8 5:0 c1=8 c2=4 bp3 "
				      "period1 in0" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(numbers)
{
	static const struct expected t[] = {
		{ "1:1", "1:1 1:1" }, { "1:0x3:u", "1:0x3:u 1:3 xkh" },
			{ "0x4:0xff", "0x4:0xff 4:ff" }, { "3:65536", "3:65536 3:10000" },
		{ "4:0x6530160/name=numpmu/", "numpmu 4:6530160" },
		{ "1:1:hp", "1:1:hp 1:1 xuk p1" },
		{ "1:3/period=5/u,{10:1,1:2}:k", "1:3/period=5/u 1:3 xkh period5; 10:1:k 10:1 xuh; "
						 "1:2:k 1:2 xuh in1" },
		{ "1:1:", "1:1 1:1" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
	CHECK(strstr(parsed("vm", "1:x"), "\\___ expected the number of an event of type 1"));
	CHECK(strstr(parsed("vm", "4294967296:1"), "\\___ the type of an event has 32 bits"));
}

TEST(capitals_do_not_matter)
{
	static const struct expected t[] = {
		{ "CYCLES", "CYCLES 0:0" }, { "Cpu-Clock:u", "Cpu-Clock:u 1:0 xkh" },
			{ "LLC-LOADS", "LLC-LOADS 3:2" },
		{ "SMI", "SMI 9:4" }, { "msr/TSC/", "msr/TSC/ 9:0" },
		{ "software/CS/", "software/CS/ 1:3" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(terms)
{
	static const struct expected t[] = {
		{ "cs/period=1000/", "cs/period=1000/ 1:3 period1000" },
		{ "cs/freq=99/u", "cs/freq=99/u 1:3 xkh freq99" },
		{ "cs/freq=99/:u", "cs/freq=99/u 1:3 xkh freq99" },
		{ "cpu-clock/name=foo,call-graph=dwarf/", "foo 1:0 cg=dwarf" },
		{ "cpu-clock/name='a, b'/u", "a, b 1:0 xkh" },
		{ "r1a8/config1=0x5/", "r1a8/config1=0x5/ 4:1a8 c1=5" },
		{ "software/config=1/", "software/config=1/ 1:1" },
		{ "software/cs/", "software/cs/ 1:3" },
		{ "cpu/cycles/", "cpu/cycles/ 0:0" },
		{ "msr/event=0x04/", "msr/event=0x04/ 9:4" }, { "msr/tsc/", "msr/tsc/ 9:0" },
		{ "msr/tsc/k", "msr/tsc/k 9:0 xuh" },
		{ "smi", "smi 9:4" }, { "msr//", "msr// 9:0" },
		{ "cs/period/", "cs/period/ 1:3 period1" },
		{ "r1a/config1,config2=3/", "r1a/config1,config2=3/ 4:1a c1=1 c2=3" },
		{ "r1a/config=3/", "r1a/config=3/ 4:3" }, { "software/r1a/", "software/r1a/ 1:1a" },
		{ "msr/r0x4/u", "msr/r0x4/u 9:4 xkh" },
		{ "cs/cpu=0/", "cs/cpu=0/ 1:3 cpu=0" },
		{ "cs/cpu=0,cpu=0/", "cs/cpu=0,cpu=0/ 1:3 cpu=0" },
		{ "cs/cpu=0-1,cpu=1/", "cs/cpu=0-1,cpu=1/ 1:3" },
		{ "cs/cpu=msr/", "cs/cpu=msr/ 1:3" },
		{ "uprobe/retprobe,ref_ctr_offset=0x10/",
		  "uprobe/retprobe,ref_ctr_offset=0x10/ 7:1000000001" },
	};

	check_table("vm", t, ARRAY_SIZE(t));
}

TEST(core_pmu)
{
	static const struct expected t[] = {
		{ "cpu/event=0x3c,umask=2,inv,cmask=0x10/",
		  "cpu/event=0x3c,umask=2,inv,cmask=0x10/ 4:1080023c" },
		{ "cpu/mem-loads,ldlat=30/", "cpu/mem-loads,ldlat=30/ 4:1cd c1=1e" },
		{ "cpu/cache-misses/pp", "cpu/cache-misses/pp 4:412e p2" },
		{ "cpu/branches/", "cpu/branches/ 0:4" },
		{ "topdown-retiring", "topdown-retiring 4:8000" },
		{ "cycles", "cycles 0:0" },
		{ "power/energy-pkg/", "power/energy-pkg/ 22:2 Joules*2.32831e-10 on0,2" },
		{ "uncore_imc/cas_count_read/", "uncore_imc_0/cas_count_read/ 20:304 "
						"MiB*6.10352e-05 on0,2; "
		  "uncore_imc_1/cas_count_read/ 21:304 MiB*6.10352e-05 on0,2" },
		{ "imc_1/event=0xff/", "imc_1/event=0xff/ 21:ff on0,2" },
		{ "cpu/r0x1a8/", "cpu/r0x1a8/ 4:1a8" }, { "cpu/inv/", "cpu/inv/ 4:800000" },
		{ "cpu/par-event,umask=5/", "cpu/par-event,umask=5/ 4:51c" },
	};

	check_table("server-2s", t, ARRAY_SIZE(t));
}

TEST(hybrid_counts_on_both_kinds)
{
	static const struct expected t[] = {
		{ "cycles:u", "cpu_core/cycles/u 0:400000000 xkh on0-1; cpu_atom/cycles/u "
			      "0:a00000000 xkh on2-3" },
		{ "cs", "cs 1:3" },
		{ "cpu_atom/cycles/", "cpu_atom/cycles/ 0:a00000000 on2-3" },
		{ "r10", "cpu_core/r10/ 4:10 on0-1; cpu_atom/r10/ 10:10 on2-3" },
		{ "LLC-loads", "cpu_core/LLC-loads/ 3:400000002 on0-1; cpu_atom/LLC-loads/ "
			       "3:a00000002 on2-3" },
		{ "cycles/cpu=2/", "cpu_atom/cycles/ 0:a00000000 on2-3 cpu=2" },
		{ "r10/cpu=cpu_core/", "cpu_core/r10/ 4:10 on0-1" },
		{ "cpu_core/topdown-retiring/", "cpu_core/topdown-retiring/ 4:8000 on0-1" },
	};

	check_table("laptop-hybrid", t, ARRAY_SIZE(t));
	CHECK_STR(parsed("arm64", "cycles"), "cycles 0:0");
	CHECK_STR(parsed("arm64", "{cycles,armv8_pmuv3_0/inst_retired/}"),
		  "cycles 0:0; armv8_pmuv3_0/inst_retired/ 8:8 in0 on0-1");
	CHECK_STR(parsed("arm64", "armv8_pmuv3_0/inst_retired,long/"),
		  "armv8_pmuv3_0/inst_retired,long/ 8:8 c1=1 on0-1");
}

#define CORE(name, n) "cpu_core/" name "/ 0:40000000" n
#define ATOM(name, n) "cpu_atom/" name "/ 0:a0000000" n
#define LOW " on0-1"
#define HIGH " on2-3"

TEST(groups_have_one_pmu)
{
	static const struct expected hybrid[] = {
		{ "{cycles,instructions}", CORE("cycles", "0") LOW "; "
		  CORE("instructions", "1") " in0" LOW "; "
		  ATOM("cycles", "0") HIGH "; " ATOM("instructions", "1") " in2" HIGH },
		{ "{cycles,cs}", CORE("cycles", "0") LOW "; cs 1:3 in0; "
		  ATOM("cycles", "0") HIGH },
		{ "cs,{faults,cycles}:S", "cs 1:3; faults 1:2 S; " CORE("cycles", "0") " S in1"
		  LOW "; " ATOM("cycles", "0") " S" HIGH },
		{ "{cpu_core/cycles/,cpu_atom/cycles/}", CORE("cycles", "0") LOW "; "
		  ATOM("cycles", "0") HIGH },
		{ "{cpu_atom/cycles/,instructions}:D", ATOM("cycles", "0") " pinned" HIGH "; "
		  ATOM("instructions", "1") " in0" HIGH "; "
		  CORE("instructions", "1") " pinned" LOW },
	};
	static const struct expected server[] = {
		{ "{cycles,imc_0/event=1/,cs,r1}", "cycles 0:0; cs 1:3 in0; r1 4:1 in0; "
						   "imc_0/event=1/ 20:1 on0,2" },
		{ "{imc/event=1/,imc/event=2/}", "uncore_imc_0/event=1/ 20:1 on0,2; "
						 "uncore_imc_0/event=2/ 20:2 in0 on0,2; "
		  "uncore_imc_1/event=1/ 21:1 on0,2; uncore_imc_1/event=2/ 21:2 in2 on0,2" },
		{ "{imc_0/event=1/,cs,faults}", "imc_0/event=1/ 20:1 on0,2; cs 1:3; faults 1:2 "
						"in1" },
		{ "cs/cpu=0,cpu=2-3/", "cs/cpu=0,cpu=2-3/ 1:3 cpu=0,2-3" },
		{ "{cs,faults,cycles,cpu/event=1/}",
		  "cs 1:3; faults 1:2 in0; cycles 0:0 in0; cpu/event=1/ 4:1 in0" },
	};

	check_table("laptop-hybrid", hybrid, ARRAY_SIZE(hybrid));
	check_table("server-2s", server, ARRAY_SIZE(server));
	CHECK_STR(parsed("vm", "{cycles,msr/tsc/,cs}"), "cycles 0:0; msr/tsc/ 9:0 in0; cs 1:3 in0");
	CHECK_STR(parsed("vm", "{msr/tsc/,cs}"), "msr/tsc/ 9:0; cs 1:3 in0");
}

TEST(tracepoints)
{
	struct os os;
	struct event_list l;
	struct str s = STR_INIT;

	os_init_root(&os, "tests/roots/vm");
	event_list_init(&l);
	CHECK_EQ(event_parse(&l, "sched:sched_*:k,s*:sys_enter_*", &os, NULL, NULL), 0);
	for (size_t i = 0; i < l.events.n; i++) {
		const struct event *e = l.events.v[i];

		str_addf(&s, "%s ", e->name);
		CHECK_EQ(e->attr.type, PERF_TYPE_TRACEPOINT);
		CHECK_EQ(e->attr.sample_period, 1);
		CHECK(e->attr.config > 0);
		CHECK_STR(e->tp_system, i < 3 ? "sched" : "syscalls");
	}
	CHECK_STR(s.buf, "sched:sched_process_exit:k sched:sched_switch:k sched:sched_wakeup:k "
		  "syscalls:sys_enter_openat syscalls:sys_enter_read ");
	CHECK_EQ(l.last_from, 0);
	CHECK_EQ(event_set_filter(&l, "common_pid != 1", NULL), 0);
	CHECK_EQ(event_set_filter(&l, "fd == 3", NULL), 0);
	CHECK_STR(l.events.v[4]->filter, "(common_pid != 1) && (fd == 3)");
	CHECK_EQ(event_parse(&l, "cs", &os, NULL, NULL), 0);
	CHECK_EQ(event_set_filter(&l, "x", NULL), -22);
	CHECK(!l.events.v[5]->filter);
	event_list_release(&l);
	os_release(&os);
	str_release(&s);
}

#define LIST "\nRun 'perf list' for a list of valid events"

TEST(errors_point_at_the_character)
{
	static const struct expected t[] = {
		{ "cycels", "event syntax error: 'cycels'\n"
			    "                     \\___ Bad event name\n\nUnable to find event on "
			    "a PMU of 'cycels'" LIST
			    "\nHINT did you mean 'cycles'?" },
		{ "{cs,qqqqqqqqqqqqqqqq", "event syntax error: '{cs,qqqqqqqqqqqqqqqq'\n"
			    "                         \\___ Bad event name\n\nUnable to find event "
			    "on a PMU of 'qqqqqqqqqqqqqqqq'" LIST },
		{ "cs,,faults", "event syntax error: 'cs,,faults'\n                        \\___ "
				"Unrecognized input" LIST },
		{ "cs}", "event syntax error: 'cs}'\n                       \\___ Unrecognized "
			 "input" LIST },
		{ "{cs,faults", "event syntax error: '{cs,faults'\n                     \\___ "
				"missing } of this group" LIST },
		{ "cs:uu", "event syntax error: 'cs:uu'\n                         \\___ Duplicate "
			   "modifier 'u' (user)" LIST },
		{ "cycles:pppp", "event syntax error: 'cycles:pppp'\n"
				 "                               \\___ Maximum precise value is 3"
				 LIST },
		{ "msr/event=300/", "event syntax error: 'msr/event=300000000000000000000/'\n" },
		{ "cs/period=x/", "event syntax error: 'cs/period=x/'\n"
				  "                               \\___ expected numeric value"
				  LIST },
		{ "cs/period=1", "event syntax error: 'cs/period=1'\n"
				 "                                \\___ missing / at the end of "
				 "the terms" LIST },
		{ "mem:zz", "event syntax error: 'mem:zz'\n"
			    "                         \\___ expected the address of a breakpoint"
			    LIST },
		{ "mem:0x1/3", "event syntax error: 'mem:0x1/3'\n"
			       "                             \\___ the length of a breakpoint is "
			       "1, 2, 4 or 8" LIST },
		{ "nopmu/x/", "event syntax error: 'nopmu/x/'\n                     \\___ Bad "
			      "event or PMU\n\n"
			      "Unable to find PMU or event on a PMU of 'nopmu'" LIST },
		{ "sched:sched_swich", "event syntax error: "
				       "'sched:sched_swich'\n                     \\___ unknown "
				       "tracepoint\n\n"
			"Error:\tFile tests/roots/vm/tracing/events/sched/sched_swich not found."
			LIST
			"\nHINT did you mean 'sched:sched_switch'?" },
		{ "shed:x*", "event syntax error: 'shed:x*'\n                     \\___ unknown "
			     "tracepoint\n\n"
			"Error:\tFile tests/roots/vm/tracing/events/shed/x* not found."
			LIST "\nHINT did you mean the group 'sched'?" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		if (i != 7)
			CHECK_STR(parsed("vm", t[i].text), t[i].result);
}

TEST(counting_takes_no_terms_of_samples)
{
	static const char *const refused[] = { "cs/freq=99/", "cs/call-graph=fp/",
					       "cs/stack-size=8/", "cs/max-stack=3/", "cs/inherit/",
		"cs/no-inherit/", "cs/overwrite/", "cs/time=0/", "cs/branch_type=any/",
		"cs/aux-output/" };
	static const char *const taken[] = { "cs/period=5/", "cs/name=x/", "cs/cpu=0/",
					     "cs/percore/", "cycles/config1=3/", "cs:S", "cs:R",
					     "{cs,cycles}:b" };
	struct os os;
	struct event_list l;

	os_init_root(&os, "tests/roots/vm");
	event_list_init(&l);
	l.only_counts = true;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		CHECK_EQ(event_parse(&l, refused[i], &os, NULL, NULL), -22);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		CHECK_EQ(event_parse(&l, taken[i], &os, NULL, NULL), 0);
	event_list_release(&l);
	os_release(&os);
}

TEST(value_too_big_is_refused)
{
	CHECK(strstr(parsed("server-2s", "cpu/event=0x100/"),
		     "value too big for format (event), maximum is 255"));
	CHECK(strstr(parsed("server-2s", "cpu/evnt=1/"), "unknown term 'evnt' for pmu 'cpu'"));
	CHECK(strstr(parsed("server-2s", "{cpu/event=1/,cpu/event=2,ratio-to-prev=0.5/}"),
		     "ratio-to-prev: counters that reload each other are not supported"));
	CHECK(strstr(parsed("server-2s", "cpu/evnt=1/"), "HINT did you mean 'event'?"));
	CHECK(strstr(parsed("server-2s", "cpu/umask/"), "\\___ no value assigned for term"));
	CHECK(strstr(parsed("server-2s", "cpu/par-event/"),
		     "\\___ the event 'par-event' needs a value for 'umask'"));
	CHECK(strstr(parsed("server-2s", "cs/cpu=77/"), "\\___ there is no CPU 77 online"));
	CHECK(strstr(parsed("laptop-hybrid", "cpu_core/cycles,cpu=2/"),
		     "cannot be counted on the CPUs that cpu= names"));
	CHECK(strstr(parsed("vm", "cs:W"), "\\___ Weak modifier is for use with groups"));
	CHECK(strstr(parsed("vm", "cs/time=2/"), "\\___ expected 0 or 1"));
	CHECK(strstr(parsed("vm", "cs/max-stack=70000/"),
		     "\\___ the kernel counts at most 65535 frames"));
	CHECK(strstr(parsed("vm", "cycles/config=1/"),
		     "\\___ the event 'cycles' has its config by its name"));
	CHECK(strstr(parsed("vm", "mem:1:ww"), "\\___ the access 'w' stands here twice"));
	CHECK(strstr(parsed("vm", "{cs:pp,faults}:pp"), "\\___ Maximum precise value is 3"));
	CHECK(strstr(parsed("vm", "{cs,faults}:"), "\\___ missing modifiers after ':'"));
}

TEST(long_text_is_shown_around_the_error)
{
	char *s = parsed("vm", "cs,faults,cs,faults,cs,faults,cs,faults,cs,faults,cs,faults,"
			       "nosuchevent,cs,faults,cs,faults,cs,faults");
	char *second = strchr(s, '\n');

	CHECK(str_has_prefix(s, "event syntax error: '.."));
	CHECK(second);
	/* the caret stands below the first letter */
	CHECK_EQ(strstr(s, "nosuchevent") - s, strstr(second, "\\___") - (second + 1));
}

TEST(nothing_crashes_on_odd_text)
{
	static const char *const odd[] = { "", ",", ":", "/", "//", "{", "}", "{}", "{,}", "a:",
					   ":a", "a/", "a//", "r", "mem:", "mem:0x1:",
		"cs:", "cs/name=/", "cs/=/", "cs/'/", "{cs}:", "{{cs}}", "sched:", "*:*:*:*", "x:{",
		"cs/name='/", "a/b=c,/,", "%s%n" };

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++)
		free(parsed("vm", odd[i]));
}
