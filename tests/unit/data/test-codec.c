// SPDX-License-Identifier: GPL-2.0-or-later
// Feature sections: each there and back, cut at every byte, and as text.
#include <ctype.h>

#include "tests/unit/data/fixture.h"

static char *copy_of(const char *s)
{
	return xstrdup(s);
}

static void fill_topology(struct data_features *f)
{
	struct data_numa_node node = { 0, 1000, 500, copy_of("0-1") };
	struct data_cache cache = { 1, 64, 64, 12, copy_of("Data"), copy_of("48K"), copy_of("0") };
	struct data_mem_node mem = { .node = 0, .bits = 70 };
	struct data_hybrid hybrid = { copy_of("cpu_atom"), copy_of("8-15") };

	vec_push(&f->core_siblings, copy_of("0-1"));
	vec_push(&f->die_siblings, copy_of("0-1"));
	vec_push(&f->thread_siblings, copy_of("0"));
	vec_push(&f->thread_siblings, copy_of("1"));
	for (int i = 0; i < 2; i++) {
		struct data_cpu cpu = { i, 0, 0 };

		vec_push(&f->cpus, cpu);
	}
	f->has_core_ids = f->has_dies = true;
	vec_push(&f->numa, node);
	vec_push(&f->caches, cache);
	vec_push(&mem.map, 0xff);
	vec_push(&mem.map, 1);
	vec_push(&f->mem_nodes, mem);
	f->mem_block_bytes = 128 << 20;
	vec_push(&f->hybrid, hybrid);
}

static void fill_pmus(struct data_features *f)
{
	struct data_pmu pmu = { 1, copy_of("software") }, pmu2 = { 2, copy_of("tracepoint") };
	struct data_cap cap = { copy_of("branches"), copy_of("32") },
		cap2 = { copy_of("max_precise"), copy_of("3") };
	struct data_cap cap3 = { copy_of("mtc"), copy_of("1") };
	struct data_pmu_caps cpu = { .pmu = NULL }, pt = { .pmu = copy_of("intel_pt") };

	vec_push(&f->pmus, pmu);
	vec_push(&f->pmus, pmu2);
	vec_push(&cpu.caps, cap);
	vec_push(&cpu.caps, cap2);
	vec_push(&pt.caps, cap3);
	vec_push(&f->pmu_caps, cpu);
	vec_push(&f->pmu_caps, pt);
}

static void fill_rest(struct data_features *f)
{
	struct data_bpf_prog *p = vec_add(&f->bpf_progs);
	struct data_btf *b = vec_add(&f->btfs);
	struct data_aux_entry aux = { 4096, 100 };

	str_addchn(&p->info, 1, 200);
	str_addchn(&p->data, 2, 64);
	p->info_bytes = 200;
	p->data_bytes = 64;
	b->id = 7;
	str_add(&b->bytes, "btfbtfbt");
	vec_push(&f->auxtrace, aux);
	f->total_mem_kb = 24683656;
	f->clockid_res_ns = 1;
	f->clockid = 1;
	f->clock_tod_ns = 1762878703344339000;
	f->clock_ns = 1642884550397;
	f->dir_version = 1;
	f->comp_type = f->comp_level = 1;
	f->comp_ratio = 3;
	f->e_machine = 62;
	f->cacheline_bytes = 64;
	str_add(&f->tracing_data, "tracing");
}

static void fill(struct data_features *f)
{
	fix_features(f);
	data_set_str(f, FEAT_CPUDESC, "Some CPU");
	data_set_str(f, FEAT_CPUID, "GenuineIntel,6,167,1");
	fill_topology(f);
	fill_pmus(f);
	fill_rest(f);
	for (int i = 1; i < FEAT_KNOWN_NR; i++)
		data_set(f, i);
	data_unset(f, FEAT_CPU_DOMAIN_INFO);
}

TEST(each_section_there_and_back)
{
	struct event_list l;
	struct data_features f;

	fix_events(&l);
	fill(&f);
	for (int i = 1; i < FEAT_KNOWN_NR; i++) {
		struct data_features g;
		struct str a = STR_INIT, b = STR_INIT;
		struct err err = ERR_INIT;

		if (i == FEAT_CPU_DOMAIN_INFO)
			continue;
		data_features_init(&g);
		g.nrcpus_avail = 2;	/* stands in a section before CPU_TOPOLOGY */
		CHECK_EQ(data_feature_encode(&f, i, &l, &a), 0);
		CHECK_EQ(data_feature_decode(&g, i, (struct span){ (const u8 *)str_cstr(&a),
								   a.len }, false, &l, &err), 0);
		CHECK(data_has(&g, i));
		CHECK_EQ(data_feature_encode(&g, i, &l, &b), 0);
		CHECK_EQ(a.len, b.len);
		CHECK_MEM(str_cstr(&a), str_cstr(&b), a.len);
		data_features_release(&g);
		str_release(&a);
		str_release(&b);
	}
	data_features_release(&f);
	event_list_release(&l);
}

TEST(cut_sections_are_refused_or_shorter)
{
	struct event_list l;
	struct data_features f;

	fix_events(&l);
	fill(&f);
	for (int i = 1; i < FEAT_KNOWN_NR; i++) {
		struct str a = STR_INIT;

		data_feature_encode(&f, i, &l, &a);
		for (size_t n = 1; n < a.len; n++)
			for (int swap = 0; swap < 2; swap++) {
				struct data_features g;
				struct err err = ERR_INIT;
				u8 *copy = xmemdup(a.buf, n);	/* exact size, for ASan */

				data_features_init(&g);
				g.nrcpus_avail = 2;
				if (data_feature_decode(&g, i, (struct span){ copy, n }, swap, NULL,
							&err))
					CHECK(strstr(err.msg, data_feature_name(i)) != NULL);
				data_features_release(&g);
				err_release(&err);
				free(copy);
			}
		str_release(&a);
	}
	data_features_release(&f);
	event_list_release(&l);
}

TEST(swapped_strings_and_numbers)
{
	static const u8 be_host[] = { 0, 0, 0, 8, 'b', 'o', 'x', 0, 0, 0, 0, 0 };
	static const u8 be_cpus[] = { 0, 0, 0, 4, 0, 0, 0, 3 };
	struct data_features f;

	data_features_init(&f);
	CHECK_EQ(data_feature_decode(&f, FEAT_HOSTNAME, (struct span){ be_host, 12 }, true, NULL,
				     NULL), 0);
	CHECK_STR(f.hostname, "box");
	CHECK_EQ(data_feature_decode(&f, FEAT_NRCPUS, (struct span){ be_cpus, 8 }, true, NULL,
				     NULL), 0);
	CHECK_EQ(f.nrcpus_avail, 4);
	CHECK_EQ(f.nrcpus_online, 3);
	data_features_release(&f);
}

TEST(unknown_sections_are_kept)
{
	struct data_features f;
	struct str s = STR_INIT;

	data_features_init(&f);
	CHECK_EQ(data_feature_decode(&f, 129, (struct span){ (const u8 *)"abc", 3 }, false, NULL,
				     NULL), 0);
	CHECK(data_has(&f, 129));
	CHECK_EQ(data_feature_encode(&f, 129, NULL, &s), 0);
	CHECK_STR(str_cstr(&s), "abc");
	CHECK_EQ(data_feature_decode(&f, 0, (struct span){ NULL, 0 }, false, NULL, NULL), -22);
	CHECK_EQ(data_feature_decode(&f, 256, (struct span){ NULL, 0 }, false, NULL, NULL), -22);
	str_release(&s);
	data_features_release(&f);
}

TEST(text)
{
	static const char want[] =
		"# hostname : testhost\n# os release : 6.1.0\n# perf version : 7.2.0\n# arch : "
		"x86_64\n"
		"# nrcpus online : 2\n# nrcpus avail : 2\n# cpudesc : Some CPU\n# cpuid : "
		"GenuineIntel,6,167,1\n"
		"# total memory : 24683656 kB\n# cmdline : perf record it\\'s ./worker \n"
		"# sibling sockets : 0-1\n# sibling dies    : 0-1\n# sibling threads : 0\n# "
		"sibling threads : 1\n"
		"# CPU 0: Core ID 0, Die ID 0, Socket ID 0\n# CPU 1: Core ID 1, Die ID 0, Socket "
		"ID 0\n"
		"# node0 meminfo  : total = 1000 kB, free = 500 kB\n# node0 cpu list : 0-1\n"
		"# contains samples with branch stack\n# pmu mappings: software = 1, tracepoint = "
		"2\n"
		"# contains AUX area data (e.g. instruction trace)\n# contains stat data\n"
		"# CPU cache info:\n#  L1 Data                 48K [0]\n"
		"# time of first sample : 1.000000\n# time of last sample : 1.000005\n# sample "
		"duration :      0.005 ms\n"
		"# memory nodes (nr 1, block size 0x8000000):\n#    0 [1G]: 0-7,64\n"
		"# clockid frequency: 1000 MHz\n# directory data version : 1\n"
		"# btf info of id 7\n# compressed : Zstd, level = 1, ratio = 3\n"
		"# cpu pmu capabilities: branches=32, max_precise=3\n"
		"# clockid: monotonic (1)\n"
		"# reference time: 2025-11-11 16:31:43.344339 = 1762878703.344339 (TOD) = "
		"1642.884550397 (monotonic)\n"
		"# hybrid cpu system:\n# cpu_atom cpu list : 8-15\n# intel_pt pmu capabilities: "
		"mtc=1\n"
		"# e_machine : 62\n#   e_flags : 0\n# cacheline size: 64\n"
		"# missing features: EVENT_DESC BPF_PROG_INFO CPU_DOMAIN_INFO \n# ========\n#\n";
	struct data_reader r = { .mtime_s = 1, .data_off = 10, .data_bytes = 20, .feat_off = 30 };
	struct str s = STR_INIT;
	const char *from;

	setenv("TZ", "UTC", 1);
	fill(&r.feat);
	data_unset(&r.feat, FEAT_EVENT_DESC);
	data_unset(&r.feat, FEAT_BPF_PROG_INFO);
	data_print_header(&r, true, &s);
	CHECK(str_has_prefix(str_cstr(&s), "# ========\n# captured on    : Thu Jan  1 00:00:01 "
					   "1970\n# header version : 1\n"
			     "# data offset    : 10\n# data size      : 20\n# feat offset    : "
			     "30\n"));
	from = strstr(str_cstr(&s), "# hostname");
	CHECK(from != NULL);
	CHECK_STR(from, want);
	str_release(&s);
	data_features_release(&r.feat);
}

/* What a fake machine's tree says; see tests/roots. */
TEST(collected_from_a_tree)
{
	struct data_features f;
	struct os os;

	os_init_root(&os, "tests/roots/vm");
	data_features_init(&f);
	data_features_collect(&f, &os);
	CHECK(f.nrcpus_online > 0);
	CHECK(f.nrcpus_avail >= f.nrcpus_online);
	CHECK_EQ(data_has(&f, FEAT_CPU_TOPOLOGY), f.cpus.n > 0);
	data_features_release(&f);
	os_release(&os);
}

/* Every name of every section with an escape in it, as in a file that somebody made to be read
 * by us. */
static void fill_hostile(struct data_features *out)
{
	struct data_features f;
	struct str bytes = STR_INIT;

	data_features_init(&f);
	fill(&f);
	for (int i = 1; i < FEAT_KNOWN_NR; i++) {
		if (!data_has(&f, i) || i == FEAT_BPF_PROG_INFO)
			continue;
		str_reset(&bytes);
		CHECK_EQ(data_feature_encode(&f, i, NULL, &bytes), 0);
		for (size_t k = 1; k < bytes.len; k++)
			if (isalpha((unsigned char)bytes.buf[k - 1]) &&
			    isalpha((unsigned char)bytes.buf[k]))
				bytes.buf[k] = '\33';
		CHECK_EQ(data_feature_decode(out, i, (struct span){ (u8 *)bytes.buf, bytes.len },
					     false, NULL, NULL), 0);
		data_set(out, i);
	}
	str_release(&bytes);
	data_features_release(&f);
}

TEST(names_cannot_command_the_terminal)
{
	struct data_reader r = { 0 };
	struct str s = STR_INIT;

	fill_hostile(&r.feat);
	data_print_header(&r, true, &s);
	for (size_t i = 0; i < s.len; i++)
		CHECK(s.buf[i] == '\n' || (unsigned char)s.buf[i] >= ' ');
	CHECK(strstr(str_cstr(&s), "# hostname : t\\x1bs"));
	CHECK(strstr(str_cstr(&s), "#  L1 D\\x1bt\\x1b           48K [0]"));
	str_release(&s);
	data_features_release(&r.feat);
}

TEST(command_line_keeps_its_letters)
{
	static const char *const argv[] = { "perf", "'\xc3\xbc''\33'" };
	struct data_reader r = { 0 };
	struct str s = STR_INIT;

	data_set_cmdline(&r.feat, 2, argv);
	data_print_header(&r, false, &s);
	CHECK(strstr(str_cstr(&s), "# cmdline : perf \\'\xc3\xbc\\'\\'\\x1b\\' \n"));
	str_release(&s);
	data_features_release(&r.feat);
}
