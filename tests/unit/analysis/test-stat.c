// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "util/analysis/stat/stat.h"
#include "util/base/xalloc.h"
#include "util/view/stat.h"

struct made {
	struct os os;
	struct event_list l;
	os_cpu_vec topo;
};

/* A list as it is after opening: on all CPUs of a fake tree, or on one thread. */
static struct made make(const char *root, const char *events, bool wide)
{
	struct made m = { 0 };

	os_init_root(&m.os, root);
	event_list_init(&m.l);
	CHECK_EQ(event_parse(&m.l, events, &m.os, unit_keep(pmu_db_new(&m.os)), NULL), 0);
	CHECK_EQ(os_topology(&m.os, &m.topo, NULL), 0);
	vec_push(&m.l.tids, wide ? -1 : 100);
	for (size_t i = 0; wide && i < m.topo.n; i++)
		vec_push(&m.l.cpus, m.topo.v[i].cpu);
	if (!wide)
		vec_push(&m.l.cpus, -1);
	unit_keep(xmemdup(&m, sizeof(m)));
	return m;
}

static void put(struct stat *s, int event, int cpu, u64 value, u64 enabled, u64 running)
{
	stat_put(s, event, 0, cpu, &(struct event_count){ value, enabled, running });
}

static char *text(const struct stat_view *v, const stat_rows *rows, s64 time_ns)
{
	struct str s = STR_INIT;

	view_stat_rows(v, rows->v, rows->n, time_ns, NULL, &s);
	unit_keep(rows->v);
	return unit_keep(str_detach(&s));
}

TEST(metrics_of_a_command)
{
	struct made m = make("tests/roots/vm",
			     "task-clock,cs,cycles,instructions,branches,branch-misses,faults,"
			     "cache-misses", false);
	struct stat_opts o = { 0 };
	struct stat *s = unit_keep(stat_new(&m.l, NULL, 0, &o));
	stat_rows rows = { 0 };

	put(s, 0, 0, 500000000, 500000000, 500000000);
	put(s, 1, 0, 10, 500000000, 500000000);
	put(s, 2, 0, 1500000000, 500000000, 500000000);
	put(s, 3, 0, 3000000000, 500000000, 500000000);
	put(s, 4, 0, 400000000, 500000000, 500000000);
	put(s, 5, 0, 1000000, 500000000, 250000000);	/* ran half of the time: twice as many */
	put(s, 6, 0, 0, 500000000, 0);
	m.l.events.v[7]->supported = false;
	stat_get_rows(s, 1000000000, &rows);
	CHECK_STR(text(&(struct stat_view){ 0 }, &rows, -1),
		"            500.00 msec task-clock                       #    0.500 CPUs "
		"utilized          \n"
		"                10      cs                               #   20.000 "
		"/sec                   \n"
		"        1500000000      cycles                           #    3.000 "
		"GHz                    \n"
		"        3000000000      instructions                     #    2.00  insn per "
		"cycle         \n"
		"         400000000      branches                         #  800.000 "
		"M/sec                  \n"
		"           2000000      branch-misses                    #    0.50%  of all "
		"branches         (50.00%)\n"
		"     <not counted>      "
		"faults                                                      \n"
		"   <not supported>      "
		"cache-misses                                                \n");
	CHECK_STR(text(&(struct stat_view){ .output.sep = "," }, &rows, 1500000001),
		"1.500000001,500.00,msec,task-clock,500000000,100.00,,\n"
		"1.500000001,10,,cs,500000000,100.00,,\n"
		"1.500000001,1500000000,,cycles,500000000,100.00,,\n"
		"1.500000001,3000000000,,instructions,500000000,100.00,,\n"
		"1.500000001,400000000,,branches,500000000,100.00,,\n"
		"1.500000001,2000000,,branch-misses,250000000,50.00,,\n"
		"1.500000001,<not counted>,,faults,0,100.00,,\n"
		"1.500000001,<not supported>,,cache-misses,0,100.00,,\n");
	vec_clear(&rows);
	stat_free(s);
	o.no_scale = true;
	s = unit_keep(stat_new(&m.l, NULL, 0, &o));
	put(s, 5, 0, 1000000, 500000000, 250000000);
	stat_get_rows(s, 1000000000, &rows);
	CHECK(rows.v[5].value == 1000000);
	CHECK(rows.v[5].running_pct == 50.0);
	stat_free(s);
	event_list_release(&m.l);
}

static char *parts(enum stat_aggr aggr)
{
	struct made m = make("tests/roots/server-2s", "cs,power/energy-pkg/", true);
	struct stat_opts o = { .aggr = aggr };
	struct stat *s = unit_keep(stat_new(&m.l, m.topo.v, m.topo.n, &o));
	stat_rows rows = { 0 };

	for (int c = 0; c < 4; c++)
		put(s, 0, c, 1 << (c * 4), 100, 100);
	put(s, 1, 0, 4294967296, 100, 100);		/* 1 Joule */
	put(s, 1, 2, 2 * 4294967296, 100, 100);
	stat_get_rows(s, 0, &rows);
	return text(&(struct stat_view){ .output.sep = ",", .aggr = aggr }, &rows, -1);
}

TEST(parts_of_a_machine)
{
	CHECK_STR(parts(STAT_GLOBAL), "4369,,cs,400,100.00,,\n"
				      "3.00,Joules,power/energy-pkg/,200,100.00,,\n");
	CHECK_STR(parts(STAT_SOCKET), "S0,2,17,,cs,200,100.00,,\nS1,2,4352,,cs,200,100.00,,\n"
		  "S0,1,1.00,Joules,power/energy-pkg/,100,100.00,,\n"
		  "S1,1,2.00,Joules,power/energy-pkg/,100,100.00,,\n");
	CHECK_STR(parts(STAT_NODE), "N0,2,17,,cs,200,100.00,,\nN1,2,4352,,cs,200,100.00,,\n"
		  "N0,1,1.00,Joules,power/energy-pkg/,100,100.00,,\n"
		  "N1,1,2.00,Joules,power/energy-pkg/,100,100.00,,\n");
	CHECK_STR(parts(STAT_CORE), "S0-D0-C0,1,1,,cs,100,100.00,,\n"
				    "S0-D0-C1,1,16,,cs,100,100.00,,\n"
		  "S1-D0-C0,1,256,,cs,100,100.00,,\nS1-D0-C1,1,4096,,cs,100,100.00,,\n"
		  "S0-D0-C0,1,1.00,Joules,power/energy-pkg/,100,100.00,,\n"
		  "S1-D0-C0,1,2.00,Joules,power/energy-pkg/,100,100.00,,\n");
	CHECK_STR(parts(STAT_CPU), "CPU0,1,,cs,100,100.00,,\nCPU1,16,,cs,100,100.00,,\n"
				   "CPU2,256,,cs,100,100.00,,\n"
		  "CPU3,4096,,cs,100,100.00,,\nCPU0,1.00,Joules,power/energy-pkg/,100,100.00,,\n"
		  "CPU2,2.00,Joules,power/energy-pkg/,100,100.00,,\n");
}

/* Two threads a core: CPUs 0 and 2, 1 and 3. Only where rows are of CPUs the term says
 * something. */
TEST(percore_among_cpus)
{
	static const struct os_cpu topo[] = { { .cpu = 0, .core = 0 }, { .cpu = 1, .core = 1 },
					      { .cpu = 2, .core = 0 },
					      { .cpu = 3, .core = 1 } };
	struct made m = make("tests/roots/server-2s",
			     "cpu/cycles,percore/,cpu/instructions,percore=1/,cs,faults/percore=0/",
			     true);
	struct stat_opts o = { .aggr = STAT_CPU };
	struct stat *s = unit_keep(stat_new(&m.l, topo, ARRAY_SIZE(topo), &o));
	struct stat_view v = { .output = { .sep = "," }, .aggr = STAT_CPU };
	stat_rows rows = { 0 };

	for (int run = 0; run < 2; run++) {
		for (int e = 0; e < 4; e++)
			for (int c = 0; c < 4; c++)
				put(s, e, c, (u64)(run + 1) << (c * 4 + e), 100, 100);
		stat_end_run(s);
	}
	stat_get_average(s, 0, &rows);
	CHECK_STR(text(&v, &rows, -1), "S0-D0-C0,386,,\"cpu/cycles,percore/\",33.33%,200,100.00,,\n"
		  "S0-D0-C1,6168,,\"cpu/cycles,percore/\",33.33%,200,100.00,,\n"
		  "S0-D0-C0,771,,\"cpu/instructions,percore=1/\",33.33%,200,100.00,,\n"
		  "S0-D0-C1,12336,,\"cpu/instructions,percore=1/\",33.33%,200,100.00,,\n"
		  "CPU0,6,,cs,33.33%,100,100.00,,\nCPU1,96,,cs,33.33%,100,100.00,,\n"
		  "CPU2,1536,,cs,33.33%,100,100.00,,\n"
		  "CPU3,24576,,cs,33.33%,100,100.00,,\n"
		  "CPU0,12,,faults/percore=0/,33.33%,100,100.00,,\n"
		  "CPU1,192,,faults/percore=0/,33.33%,100,100.00,,\n"
		  "CPU2,3072,,faults/percore=0/,33.33%,100,100.00,,\n"
		  "CPU3,49152,,faults/percore=0/,33.33%,100,100.00,,\n");
	v = (struct stat_view){ .output = { .json = true }, .aggr = STAT_CPU };
	vec_clear(&rows);
	stat_get_average(s, 0, &rows);
	rows.n = 1;
	CHECK_STR(text(&v, &rows, -1), "{\"core\" : \"S0-D0-C0\", \"counter-value\" : "
				       "\"385.500000\", \"unit\" : \"\", "
		  "\"event\" : \"cpu/cycles,percore/\", \"variance\" : 33.33, \"event-runtime\" : "
		  "200, \"pcnt-running\" : 100.00}\n");
	stat_free(s);
	event_list_release(&m.l);
}

TEST(equal_pmus_are_one_row)
{
	struct made m = make("tests/roots/server-2s", "uncore_imc/cas_count_read/", true);
	struct stat_opts o = { 0 };
	struct stat *s = unit_keep(stat_new(&m.l, m.topo.v, m.topo.n, &o));
	stat_rows rows = { 0 };

	put(s, 0, 0, 16384, 1, 1);
	put(s, 1, 2, 32768, 1, 1);
	stat_get_rows(s, 0, &rows);
	CHECK_STR(text(&(struct stat_view){ .output.sep = "," }, &rows, -1),
		  "3.00,MiB,uncore_imc/cas_count_read/,2,100.00,,\n");
	stat_free(s);
	vec_clear(&rows);
	o.no_merge = true;
	s = unit_keep(stat_new(&m.l, m.topo.v, m.topo.n, &o));
	put(s, 0, 0, 16384, 1, 1);
	put(s, 1, 2, 32768, 1, 1);
	stat_get_rows(s, 0, &rows);
	CHECK_EQ(rows.n, 2);
	CHECK_STR(rows.v[1].name, "uncore_imc_1/cas_count_read/");
}

TEST(intervals_and_runs)
{
	struct made m = make("tests/roots/vm", "cs", false);
	struct stat_opts o = { 0 };
	struct stat *s = unit_keep(stat_new(&m.l, NULL, 0, &o));
	stat_rows rows = { 0 };

	put(s, 0, 0, 100, 10, 10);
	stat_get_rows(s, 1, &rows);
	stat_next(s);
	put(s, 0, 0, 130, 20, 20);
	stat_get_rows(s, 1, &rows);
	CHECK(rows.v[0].value == 100 && rows.v[1].value == 30);
	stat_rewind(s);
	stat_end_run(s);
	put(s, 0, 0, 110, 20, 20);
	stat_end_run(s);
	vec_clear(&rows);
	stat_get_average(s, 1, &rows);
	CHECK(rows.v[0].value == 120);
	CHECK(rows.v[0].noise_pct > 8.33 && rows.v[0].noise_pct < 8.34);	/* 10 of 120 */
	vec_free(&rows);
	stat_free(s);
}

TEST(json_is_one_object_a_row)
{
	struct made m = make("tests/roots/vm", "task-clock,cs/name='a\"b'/", false);
	struct stat_opts o = { 0 };
	struct stat *s = unit_keep(stat_new(&m.l, NULL, 0, &o));
	stat_rows rows = { 0 };

	put(s, 0, 0, 1500000, 1500000, 1500000);
	put(s, 1, 0, 3, 1500000, 1500000);
	stat_get_rows(s, 3000000, &rows);
	CHECK_STR(text(&(struct stat_view){ .output.json = true }, &rows, -1),
		"{\"counter-value\" : \"1.500000\", \"unit\" : \"msec\", \"event\" : "
		"\"task-clock\", \"event-runtime\" : 1500000, "
		"\"pcnt-running\" : 100.00}\n"
		"{\"counter-value\" : \"3.000000\", \"unit\" : \"\", \"event\" : \"a\\\"b\", "
		"\"event-runtime\" : 1500000, "
		"\"pcnt-running\" : 100.00}\n");
	stat_free(s);
}

TEST(elapsed_time)
{
	struct str s = STR_INIT;
	double one[] = { 1.7969075714 }, three[] = { 0.010, 0.011, 0.012 };

	view_stat_elapsed(one, 1, false, &s);
	CHECK_STR(s.buf, "       1.796907571 seconds time elapsed\n");
	str_reset(&s);
	view_stat_elapsed(three, 3, false, &s);
	CHECK_STR(s.buf, "          0.011000 +- 0.000577 seconds time elapsed  ( +-  5.25% )\n");
	str_release(&s);
}

/* perf stat report: units and names come from a file. */
TEST(units_cannot_command_the_terminal)
{
	struct stat_row r = { .name = "a\33b", .unit = "J\33,", .value = 2, .noise_pct = -1,
			      .running_pct = 100, .n_counters = 1 };
	const stat_rows rows = { &r, 1, 1 };

	CHECK_STR(text(&(struct stat_view){ 0 }, &rows, -1),
		  "                 2 J\\x1b, "
		  "a\\x1bb                                                             \n");
	CHECK_STR(text(&(struct stat_view){ .output.sep = "," }, &rows, -1),
		  "2,\"J\\x1b,\",a\\x1bb,0,100.00,,\n");
}
