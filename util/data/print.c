// SPDX-License-Identifier: GPL-2.0-or-later
// The text of "report --header": one function a feature, in the words of upstream perf.
#include "util/data/reader.h"

#include <inttypes.h>
#include <time.h>

#include "util/base/rd.h"
#include "util/data/data-priv.h"
#include "util/os/bpf-progs.h"

struct print_ctx {
	const struct data_reader *r;
	const struct data_features *f;
	struct str *out;
	bool full;
};

static void line(struct print_ctx *c, const char *title, const char *value)
{
	str_addf(c->out, "# %s : ", title);
	str_add_safe(c->out, value ? value : "");
	str_addch(c->out, '\n');
}

static void print_hostname(struct print_ctx *c) { line(c, "hostname", c->f->hostname); }
static void print_osrelease(struct print_ctx *c) { line(c, "os release", c->f->osrelease); }
static void print_version(struct print_ctx *c) { line(c, "perf version", c->f->version); }
static void print_arch(struct print_ctx *c) { line(c, "arch", c->f->arch); }
static void print_cpudesc(struct print_ctx *c) { line(c, "cpudesc", c->f->cpudesc); }
static void print_cpuid(struct print_ctx *c) { line(c, "cpuid", c->f->cpuid); }

static void print_nrcpus(struct print_ctx *c)
{
	str_addf(c->out, "# nrcpus online : %u\n# nrcpus avail : %u\n", c->f->nrcpus_online,
		 c->f->nrcpus_avail);
}

static void print_total_mem(struct print_ctx *c)
{
	str_addf(c->out, "# total memory : %" PRIu64 " kB\n", c->f->total_mem_kb);
}

static void print_cmdline(struct print_ctx *c)
{
	str_add(c->out, "# cmdline : ");
	for vec_each(a, &c->f->cmdline) {
		for (const char *p = *a; *p; ) {
			size_t n = strcspn(p + 1, "'") + 1;	/* a quote, if any, comes first */

			if (*p == '\'')
				str_addch(c->out, '\\');
			str_add_safen(c->out, p, n);
			p += n;
		}
		str_addch(c->out, ' ');
	}
	str_addch(c->out, '\n');
}

static void print_events(struct print_ctx *c)
{
	for vec_each(p, &c->r->events.events) {
		const struct event *e = *p;

		str_add(c->out, "# event : name = ");
		str_add_safe(c->out, e->name);
		str_add(c->out, ", ");
		if (e->n_ids) {
			str_add(c->out, ", id = {");
			for (size_t i = 0; i < e->n_ids; i++)
				str_addf(c->out, "%s %" PRIu64, i ? "," : "", e->ids[i]);
			str_add(c->out, " }");
		}
		str_add(c->out, ", ");
		event_print(e, " = ", c->out);
		str_addch(c->out, '\n');
	}
}

static bool only_named(struct print_ctx *c, const char *name)
{
	if (c->full)
		return false;
	str_addf(c->out, "# %s info available, use -I to display\n", name);
	return true;
}

static void print_siblings(struct print_ctx *c, const char *title, const data_strs *v)
{
	for vec_each(s, v)
		line(c, title, *s);
}

static void print_cpu_topology(struct print_ctx *c)
{
	const struct data_features *f = c->f;
	int nr = 0;

	if (only_named(c, "CPU_TOPOLOGY"))
		return;
	print_siblings(c, "sibling sockets", &f->core_siblings);
	print_siblings(c, "sibling dies   ", &f->die_siblings);
	print_siblings(c, "sibling threads", &f->thread_siblings);
	if (!f->has_core_ids) {
		str_add(c->out, f->die_siblings.n ? "# Core ID, Die ID and Socket ID information "
						    "is not available\n" :
						    "# Core ID and Socket ID information is not "
						    "available\n");
		return;
	}
	for vec_each(cpu, &f->cpus) {
		if (f->has_dies)
			str_addf(c->out, "# CPU %d: Core ID %d, Die ID %d, Socket ID %d\n", nr++,
				 cpu->core, cpu->die,
				 cpu->socket);
		else
			str_addf(c->out, "# CPU %d: Core ID %d, Socket ID %d\n", nr++, cpu->core,
				 cpu->socket);
	}
}

static void print_numa(struct print_ctx *c)
{
	if (only_named(c, "NUMA_TOPOLOGY"))
		return;
	for vec_each(n, &c->f->numa) {
		str_addf(c->out, "# node%u meminfo  : total = %" PRIu64 " kB, free = %"
			 PRIu64 " kB\n# node%u cpu list : ",
			 n->node, n->total_kb, n->free_kb, n->node);
		str_add_safe(c->out, n->cpus);
		str_addch(c->out, '\n');
	}
}

static void print_branch(struct print_ctx *c) { str_add(c->out,
							"# contains samples with branch stack\n"); }

static void print_pmus(struct print_ctx *c)
{
	const char *sep = "# pmu mappings: ";

	for vec_each(p, &c->f->pmus) {
		str_add(c->out, sep);
		str_add_safe(c->out, p->name);
		str_addf(c->out, " = %u", p->type);
		sep = ", ";
	}
	str_add(c->out, c->f->pmus.n ? "\n" : "# pmu mappings: not available\n");
}

static void print_groups(struct print_ctx *c)
{
	const struct event_list *l = &c->r->events;

	for vec_each(g, &c->f->groups) {
		if (g->leader >= l->events.n || g->n_members > l->events.n - g->leader)
			continue;
		str_add(c->out, "# group: ");
		if (strcmp(g->name, DATA_NO_GROUP_NAME) != 0)
			str_add_safe(c->out, g->name);
		for (u32 i = 0; i < g->n_members; i++) {
			str_addch(c->out, i ? ',' : '{');
			str_add_safe(c->out, l->events.v[g->leader + i]->name);
		}
		str_add(c->out, "}\n");
	}
}

static void print_auxtrace(struct print_ctx *c) { str_add(c->out,
							  "# contains AUX area data (e.g. "
							  "instruction trace)\n"); }
static void print_stat(struct print_ctx *c) { str_add(c->out, "# contains stat data\n"); }

/* width as printf's: negative is to the left. */
static void add_padded(struct str *out, const char *text, int width)
{
	struct str s = STR_INIT;

	str_add_safe(&s, text);
	str_addf(out, "%*s", width, str_cstr(&s));
	str_release(&s);
}

static void print_caches(struct print_ctx *c)
{
	if (only_named(c, "CACHE"))
		return;
	str_add(c->out, "# CPU cache info:\n");
	for vec_each(cache, &c->f->caches) {
		str_addf(c->out, "#  L%u ", cache->level);
		add_padded(c->out, cache->type, -15);
		str_addch(c->out, ' ');
		add_padded(c->out, cache->size, 8);
		str_add(c->out, " [");
		str_add_safe(c->out, cache->cpus);
		str_add(c->out, "]\n");
	}
}

static void print_sample_time(struct print_ctx *c)
{
	const struct data_features *f = c->f;

	str_add(c->out, "# time of first sample : ");
	str_add_time(c->out, f->first_sample_ns, 6);
	str_add(c->out, "\n# time of last sample : ");
	str_add_time(c->out, f->last_sample_ns, 6);
	str_addf(c->out, "\n# sample duration : %10.3f ms\n",
		 (double)(s64)(f->last_sample_ns - f->first_sample_ns) / 1e6);
}

static void add_bits(struct str *out, const struct data_mem_node *m)
{
	int_vec v = { 0 };

	for (u64 i = 0; i < m->bits && i / 64 < m->map.n; i++)
		if (m->map.v[i / 64] >> (i % 64) & 1)
			vec_push(&v, (int)i);
	str_add_int_list(out, v.v, v.n);
	vec_free(&v);
}

static void print_mem_topology(struct print_ctx *c)
{
	static const char units[] = "BKMGTPE";

	if (only_named(c, "MEM_TOPOLOGY"))
		return;
	str_addf(c->out, "# memory nodes (nr %zu, block size 0x%" PRIx64 "):\n", c->f->mem_nodes.n,
		 c->f->mem_block_bytes);
	for vec_each(m, &c->f->mem_nodes) {
		u64 blocks = 0, size;
		int unit = 0;

		for vec_each(w, &m->map)
			blocks += (u64)__builtin_popcountll(*w);
		for (size = blocks * c->f->mem_block_bytes; size >= 1024 && units[unit + 1]; unit++)
			size /= 1024;
		str_addf(c->out, "#  %3" PRIu64 " [%" PRIu64 "%c]: ", m->node, size, units[unit]);
		add_bits(c->out, m);
		str_addch(c->out, '\n');
	}
}

static void print_clockid(struct print_ctx *c)
{
	/* the resolution in ns, shown as the frequency that it stands for */
	str_addf(c->out, "# clockid frequency: %" PRIu64 " MHz\n", c->f->clockid_res_ns * 1000);
}

const char *data_clock_name(u32 id)
{
	static const char *const names[] = { "realtime", "monotonic", NULL, NULL, "monotonic_raw",
					     NULL, NULL, "boottime",
					     NULL, NULL, NULL, "tai" };

	return id < ARRAY_SIZE(names) && names[id] ? names[id] : "unknown";
}

static void print_clock_data(struct print_ctx *c)
{
	const struct data_features *f = c->f;
	time_t tod = (time_t)(f->clock_tod_ns / NSEC_PER_SEC);
	unsigned long long us = f->clock_tod_ns % NSEC_PER_SEC / 1000;
	struct tm tm;
	char date[40] = "?";

	if (localtime_r(&tod, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	str_addf(c->out, "# clockid: %s (%u)\n", data_clock_name(f->clockid), f->clockid);
	str_addf(c->out, "# reference time: %s.%06llu = %lld.%06llu (TOD) = %llu.%09llu (%s)\n",
		 date, us, (long long)tod, us,
		 (unsigned long long)(f->clock_ns / NSEC_PER_SEC),
		 (unsigned long long)(f->clock_ns % NSEC_PER_SEC),
		 data_clock_name(f->clockid));
}

static void print_dir(struct print_ctx *c)
{
	str_addf(c->out, "# directory data version : %" PRIu64 "\n", c->f->dir_version);
}

/* struct bpf_prog_info, as far as it is shown: where the fields are. Arrays stand in data, the
 * pointers are offsets there. */
enum { BPF_ID = 4, BPF_TAG = 8, BPF_NAME = 64, BPF_NR_KSYMS = 104, BPF_KSYMS = 112, BPF_LENS = 120,
       BPF_BTF_ID = 128,
       BPF_FUNC_BYTES = 132, BPF_FUNCS = 136, BPF_NR_FUNCS = 144, BPF_NR_TAGS = 180, BPF_TAGS = 184,
       BPF_INFO_BYTES = 192 };

struct bpf_shown { struct span info, data; bool swap; struct span btf; };

static u64 at_u64(const struct bpf_shown *b, struct span s, u64 off)
{
	struct rd r;

	rd_init(&r, s.ptr, s.len, b->swap);
	rd_seek(&r, off);
	return rd_u64(&r);
}

static u32 at_u32(const struct bpf_shown *b, struct span s, u64 off)
{
	struct rd r;

	rd_init(&r, s.ptr, s.len, b->swap);
	rd_seek(&r, off);
	return rd_u32(&r);
}

/* n bytes of an array's element, or NULL: it is not there. */
static const u8 *element(const struct bpf_shown *b, u32 at, u64 i, u64 bytes)
{
	const u64 off = at_u64(b, b->info, at);

	return off < b->data.len && i <= (b->data.len - off) / bytes &&
		b->data.len - off - i * bytes >= bytes ?
	       b->data.ptr + off + i * bytes : NULL;
}

static const char *bpf_full_name(const struct bpf_shown *b, u32 i)
{
	const u64 bytes = at_u32(b, b->info, BPF_FUNC_BYTES);
	const u8 *func = bytes >= 8 && i < at_u32(b, b->info, BPF_NR_FUNCS) ?
		element(b, BPF_FUNCS, i, bytes) : NULL;

	return func ? os_btf_name(b->btf, at_u32(b, (struct span){ func, 8 }, 4), b->swap) : NULL;
}

/* The info has a name of 15 characters; all of it, and those of the parts, are in the type
 * information. */
static void print_bpf_function(struct print_ctx *c, const struct bpf_shown *b, u32 i)
{
	const u8 *tag = i < at_u32(b, b->info, BPF_NR_TAGS) ? element(b, BPF_TAGS, i, 8) : NULL;
	const char *name = bpf_full_name(b, i);
	char own[17] = "";

	memcpy(own, b->info.ptr + BPF_NAME, 16);
	if (!name)
		name = i ? "F" : own;
	str_add(c->out, "bpf_prog_");
	for (int k = 0; k < 8; k++)
		str_add_hex(c->out, (tag ? tag : b->info.ptr + BPF_TAG)[k], 2);
	if (*name)
		str_addch(c->out, '_');
	str_add_safe(c->out, name);
	str_addf(c->out, " addr 0x%" PRIx64,
		 at_u64(b, b->data, at_u64(b, b->info, BPF_KSYMS) + 8 * (u64)i));
	str_addf(c->out, " size %u\n", at_u32(b, b->data,
					      at_u64(b, b->info, BPF_LENS) + 4 * (u64)i));
}

static void print_bpf_prog(struct print_ctx *c, const struct data_bpf_prog *p)
{
	u8 info[BPF_INFO_BYTES] = { 0 };	/* that of older kernels is shorter */
	struct bpf_shown b = { { info, sizeof(info) }, { (const u8 *)p->data.buf, p->data.len },
			       c->r->swap, { NULL, 0 } };

	if (p->info.len <= BPF_LENS)
		return;
	memcpy(info, p->info.buf, MIN(p->info.len, sizeof(info)));

	const u32 nr = at_u32(&b, b.info, BPF_NR_KSYMS), btf_id = at_u32(&b, b.info, BPF_BTF_ID);

	if (!nr || nr > p->data.len / 8)
		return;
	for vec_each(btf, &c->f->btfs)
		if (btf_id && btf->id == btf_id)
			b.btf = (struct span){ (const u8 *)btf->bytes.buf, btf->bytes.len };
	str_addf(c->out, "# bpf_prog_info %u:%s", at_u32(&b, b.info, BPF_ID), nr == 1 ? " " : "\n");
	for (u32 i = 0; i < nr; i++) {
		if (nr > 1)
			str_addf(c->out, "# \tsub_prog %u: ", i);
		print_bpf_function(c, &b, i);
	}
}

static void print_bpf_progs(struct print_ctx *c)
{
	for vec_each(p, &c->f->bpf_progs)
		print_bpf_prog(c, p);
	if (!c->f->bpf_progs.n)
		str_add(c->out, "# bpf_prog_info empty\n");
}

static void print_btfs(struct print_ctx *c)
{
	for vec_each(b, &c->f->btfs)
		str_addf(c->out, "# btf info of id %u\n", b->id);
	if (!c->f->btfs.n)
		str_add(c->out, "# btf info empty\n");
}

static void print_compressed(struct print_ctx *c)
{
	str_addf(c->out, "# compressed : %s, level = %u, ratio = %u\n", c->f->comp_type == 1 ?
		 "Zstd" : "Unknown",
		 c->f->comp_level, c->f->comp_ratio);
}

static void print_caps(struct print_ctx *c, const char *pmu, const struct data_pmu_caps *caps)
{
	const char *sep = "";

	str_add(c->out, "# ");
	str_add_safe(c->out, pmu);
	str_add(c->out, " pmu capabilities: ");
	for (size_t i = 0; caps && i < caps->caps.n; i++) {
		str_add(c->out, sep);
		str_add_safe(c->out, caps->caps.v[i].name);
		str_addch(c->out, '=');
		str_add_safe(c->out, caps->caps.v[i].value);
		sep = ", ";
	}
	str_add(c->out, caps && caps->caps.n ? "\n" : "not available\n");
}

static void print_cpu_caps(struct print_ctx *c)
{
	for vec_each(p, &c->f->pmu_caps)
		if (!p->pmu) {
			print_caps(c, "cpu", p);
			return;
		}
	print_caps(c, "cpu", NULL);
}

static void print_pmu_caps(struct print_ctx *c)
{
	for vec_each(p, &c->f->pmu_caps)
		if (p->pmu)
			print_caps(c, p->pmu, p);
}

static void print_hybrid(struct print_ctx *c)
{
	if (only_named(c, "HYBRID_TOPOLOGY"))
		return;
	str_add(c->out, "# hybrid cpu system:\n");
	for vec_each(h, &c->f->hybrid) {
		str_add(c->out, "# ");
		str_add_safe(c->out, h->pmu);
		str_add(c->out, " cpu list : ");
		str_add_safe(c->out, h->cpus);
		str_addch(c->out, '\n');
	}
}

static void print_e_machine(struct print_ctx *c)
{
	str_addf(c->out, "# e_machine : %u\n#   e_flags : %u\n", c->f->e_machine, c->f->e_flags);
}

static void print_cln_size(struct print_ctx *c) { str_addf(c->out, "# cacheline size: %u\n",
							   c->f->cacheline_bytes); }

static void (*const printers[FEAT_KNOWN_NR])(struct print_ctx *c) = {
	[FEAT_HOSTNAME] = print_hostname, [FEAT_OSRELEASE] = print_osrelease,
		[FEAT_VERSION] = print_version,
	[FEAT_ARCH] = print_arch, [FEAT_NRCPUS] = print_nrcpus, [FEAT_CPUDESC] = print_cpudesc,
	[FEAT_CPUID] = print_cpuid, [FEAT_TOTAL_MEM] = print_total_mem,
	[FEAT_CMDLINE] = print_cmdline,
	[FEAT_EVENT_DESC] = print_events, [FEAT_CPU_TOPOLOGY] = print_cpu_topology,
	[FEAT_NUMA_TOPOLOGY] = print_numa, [FEAT_BRANCH_STACK] = print_branch,
	[FEAT_PMU_MAPPINGS] = print_pmus,
	[FEAT_GROUP_DESC] = print_groups, [FEAT_AUXTRACE] = print_auxtrace,
	[FEAT_STAT] = print_stat,
	[FEAT_CACHE] = print_caches, [FEAT_SAMPLE_TIME] = print_sample_time,
	[FEAT_MEM_TOPOLOGY] = print_mem_topology, [FEAT_CLOCKID] = print_clockid,
	[FEAT_DIR_FORMAT] = print_dir,
	[FEAT_BPF_PROG_INFO] = print_bpf_progs, [FEAT_BPF_BTF] = print_btfs,
	[FEAT_COMPRESSED] = print_compressed,
	[FEAT_CPU_PMU_CAPS] = print_cpu_caps, [FEAT_CLOCK_DATA] = print_clock_data,
	[FEAT_HYBRID_TOPOLOGY] = print_hybrid, [FEAT_PMU_CAPS] = print_pmu_caps,
	[FEAT_E_MACHINE] = print_e_machine,
	[FEAT_CLN_SIZE] = print_cln_size,
};

void data_print_header(const struct data_reader *r, bool full, struct str *out)
{
	struct print_ctx c = { r, &r->feat, out, full };
	time_t t = (time_t)r->mtime_s;
	char date[64] = "";
	struct tm tm;

	if (!t)
		t = time(NULL);
	if (localtime_r(&t, &tm))
		strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
	str_addf(out, "# ========\n# captured on    : %s\n# header version : %d\n", date,
		 r->version1 ? 0 : 1);
	str_addf(out, "# data offset    : %" PRIu64 "\n# data size      : %"
		 PRIu64 "\n# feat offset    : %" PRIu64 "\n",
		 r->pipe_mode ? 0 : r->data_off, r->pipe_mode ? 0 : r->data_bytes, r->pipe_mode ?
		 0 : r->feat_off);
	if (r->pipe_mode)	/* its features are records: they may come at any time */
		str_add(out, "# ========\n#\n");
	for (int i = 1; i < FEAT_KNOWN_NR; i++)
		if (data_has(&r->feat, i) && printers[i])
			printers[i](&c);
	if (data_has(&r->feat, FEAT_EMBEDDED))
		str_addf(out, "# contains names and lines of what was hit (EMBEDDED, %zu bytes)\n",
			 data_raw_section(&r->feat, FEAT_EMBEDDED).len);
	if (data_has(&r->feat, FEAT_COUNTS))
		str_addf(out, "# contains what counts are of and their metrics (COUNTS, %zu "
			 "bytes)\n", data_raw_section(&r->feat, FEAT_COUNTS).len);
	if (r->pipe_mode)
		return;
	str_add(out, "# missing features: ");
	for (int i = 1; i < FEAT_KNOWN_NR; i++)
		if (!data_has(&r->feat, i))
			str_addf(out, "%s ", data_feature_name(i));
	str_add(out, "\n# ========\n#\n");
}
