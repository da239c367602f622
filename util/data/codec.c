// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feature sections to members and back: one pair of functions a feature, in one table. Strings
 * stand as a u32 length that counts padding (to 64 bytes) and the bytes. Every count is checked
 * against the bytes that are left before memory is taken.
 */
#include "util/data/features.h"

#include <errno.h>

#include "include/abi/perf_event.h"
#include "util/base/rd.h"
#include "util/data/data-priv.h"

struct codec_ctx {
	struct rd r;			/* decoding */
	struct str *out;		/* encoding */
	struct event_list *events;	/* may be NULL */
	const struct event_list *cevents;
	int feature;
	bool too_many_cpus;
};

#define MAX_CPUS 65536

/* --- primitives --- */

static char *get_str(struct rd *r)
{
	u32 n = rd_u32(r);
	const char *p = rd_bytes(r, n);

	return p ? xstrndup(p, strnlen(p, n)) : xstrdup("");
}

/* A count of things of at least that many bytes each; 0 and failed when it lies. */
static u32 get_count(struct rd *r, size_t min_bytes)
{
	u32 n = rd_u32(r);

	if (n > rd_left(r) / min_bytes) {
		r->failed = true;
		return 0;
	}
	return n;
}

static void add_u32(struct str *o, u32 v) { str_addn(o, &v, 4); }
static void add_u64(struct str *o, u64 v) { str_addn(o, &v, 8); }

static void add_str(struct str *o, const char *s)
{
	size_t n = strlen(s ? s : "") + 1, padded = ALIGN_UP(n, 64);

	add_u32(o, (u32)padded);
	str_addn(o, s ? s : "", n);
	str_addchn(o, 0, padded - n);
}

static void get_strs(struct rd *r, data_strs *out)
{
	u32 n = get_count(r, 4);

	for (u32 i = 0; i < n && !rd_failed(r); i++)
		vec_push(out, get_str(r));
}

static void add_strs(struct str *o, const data_strs *v)
{
	add_u32(o, (u32)v->n);
	for vec_each(s, v)
		add_str(o, *s);
}

/* --- plain strings and numbers --- */

static char **str_member(struct data_features *f, int feature)
{
	switch (feature) {
	case FEAT_HOSTNAME: return &f->hostname;
	case FEAT_OSRELEASE: return &f->osrelease;
	case FEAT_VERSION: return &f->version;
	case FEAT_ARCH: return &f->arch;
	case FEAT_CPUDESC: return &f->cpudesc;
	default: return &f->cpuid;
	}
}

static void get_string(struct data_features *f, struct codec_ctx *c)
{
	char **p = str_member(f, c->feature);

	free(*p);
	*p = get_str(&c->r);
}

static void put_string(const struct data_features *f, struct codec_ctx *c)
{
	add_str(c->out, *str_member((struct data_features *)(uintptr_t)f, c->feature));
}

static void get_nrcpus(struct data_features *f, struct codec_ctx *c)
{
	u32 avail = rd_u32(&c->r), online = rd_u32(&c->r);

	/* Kernels are made for at most 8192 of them; tables and rows are made for as many as
	 * there are. */
	if (avail > MAX_CPUS || online > MAX_CPUS) {
		c->too_many_cpus = true;
		return;
	}
	f->nrcpus_avail = avail;
	f->nrcpus_online = online;
}

static void put_nrcpus(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, f->nrcpus_avail);
	add_u32(c->out, f->nrcpus_online);
}

/* Features of a few plain numbers. */
static void numbers(struct data_features *f, int feature, u64 **u64s, u32 **u32s)
{
	switch (feature) {
	case FEAT_TOTAL_MEM: u64s[0] = &f->total_mem_kb; break;
	case FEAT_SAMPLE_TIME: u64s[0] = &f->first_sample_ns; u64s[1] = &f->last_sample_ns; break;
	case FEAT_CLOCKID: u64s[0] = &f->clockid_res_ns; break;
	case FEAT_DIR_FORMAT: u64s[0] = &f->dir_version; break;
	case FEAT_COMPRESSED:
		u32s[0] = &f->comp_version; u32s[1] = &f->comp_type; u32s[2] = &f->comp_level;
		u32s[3] = &f->comp_ratio; u32s[4] = &f->comp_mmap_bytes;
		break;
	case FEAT_E_MACHINE: u32s[0] = &f->e_machine; u32s[1] = &f->e_flags; break;
	case FEAT_CLN_SIZE: u32s[0] = &f->cacheline_bytes; break;
	default: break;
	}
}

static void get_numbers(struct data_features *f, struct codec_ctx *c)
{
	u64 *u64s[3] = { NULL };
	u32 *u32s[6] = { NULL };

	numbers(f, c->feature, u64s, u32s);
	for (int i = 0; u64s[i]; i++)
		*u64s[i] = rd_u64(&c->r);
	for (int i = 0; u32s[i]; i++)
		*u32s[i] = rd_u32(&c->r);
}

static void put_numbers(const struct data_features *f, struct codec_ctx *c)
{
	u64 *u64s[3] = { NULL };
	u32 *u32s[6] = { NULL };

	numbers((struct data_features *)(uintptr_t)f, c->feature, u64s, u32s);
	for (int i = 0; u64s[i]; i++)
		add_u64(c->out, *u64s[i]);
	for (int i = 0; u32s[i]; i++)
		add_u32(c->out, *u32s[i]);
}

static void get_clock_data(struct data_features *f, struct codec_ctx *c)
{
	rd_u32(&c->r);	/* version 1 */
	f->clockid = rd_u32(&c->r);
	f->clock_tod_ns = rd_u64(&c->r);
	f->clock_ns = rd_u64(&c->r);
}

static void put_clock_data(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, 1);
	add_u32(c->out, f->clockid);
	add_u64(c->out, f->clock_tod_ns);
	add_u64(c->out, f->clock_ns);
}

static void get_cmdline(struct data_features *f,
			struct codec_ctx *c) { get_strs(&c->r, &f->cmdline); }
static void put_cmdline(const struct data_features *f,
			struct codec_ctx *c) { add_strs(c->out, &f->cmdline); }
static void get_nothing(struct data_features *f UNUSED, struct codec_ctx *c UNUSED) { }
static void put_nothing(const struct data_features *f UNUSED, struct codec_ctx *c UNUSED) { }

static void get_tracing(struct data_features *f, struct codec_ctx *c)
{
	size_t n = rd_left(&c->r);

	str_reset(&f->tracing_data);
	str_addn(&f->tracing_data, rd_bytes(&c->r, n), n);
}

static void put_tracing(const struct data_features *f, struct codec_ctx *c)
{
	str_addn(c->out, str_cstr(&f->tracing_data), f->tracing_data.len);
}

/* --- build-ids --- */

static void get_build_ids(struct data_features *f, struct codec_ctx *c)
{
	while (rd_left(&c->r)) {
		rd_u32(&c->r);	/* type: 0 or 67 */

		u16 misc = rd_u16(&c->r), size = rd_u16(&c->r);
		struct rd r = rd_sub(&c->r, size < 8 ? ~0ULL : size - 8U);
		s32 pid = (s32)rd_u32(&r);
		const u8 *id = rd_bytes(&r, 24);
		size_t left = rd_left(&r);
		const char *path = left ? rd_bytes(&r, left) : NULL;
		size_t bytes = id && misc & ABI_RECORD_MISC_BUILD_ID_SIZE && id[20] &&
			id[20] <= 20 ? id[20] : 20;

		if (!id || !path) {
			c->r.failed = true;
			return;
		}

		char *p = xstrndup(path, strnlen(path, left));

		data_add_build_id(f, id, bytes, misc & (u16)~ABI_RECORD_MISC_BUILD_ID_SIZE, pid, p);
		free(p);
	}
}

static void put_build_ids(const struct data_features *f, struct codec_ctx *c)
{
	for vec_each(b, &f->build_ids) {
		size_t n = strlen(b->path) + 1, padded = ALIGN_UP(n, 64);
		struct perf_event_header h = { 0, b->misc | ABI_RECORD_MISC_BUILD_ID_SIZE,
					       (u16)(8 + 4 + 24 + padded) };
		u8 id[24] = { 0 };

		memcpy(id, b->id, b->bytes);
		id[20] = b->bytes;
		str_addn(c->out, &h, sizeof(h));
		add_u32(c->out, (u32)b->pid);
		str_addn(c->out, id, sizeof(id));
		str_addn(c->out, b->path, n);
		str_addchn(c->out, 0, padded - n);
	}
}

/* --- events --- */

/* The nth event of the list belongs to the nth description; ids there are only a fallback (old
 * pipe files). */
static void get_event_desc(struct data_features *f UNUSED, struct codec_ctx *c)
{
	u32 n = rd_u32(&c->r), attr_bytes = rd_u32(&c->r);

	if (attr_bytes < PERF_ATTR_SIZE_VER0 || n > rd_left(&c->r) / (attr_bytes + 8ULL)) {
		c->r.failed = true;
		return;
	}
	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct perf_event_attr attr;

		data_take_attr(&c->r, attr_bytes, &attr);

		u32 n_ids = rd_u32(&c->r);
		char *name = get_str(&c->r);
		struct rd ids = rd_sub(&c->r, n_ids * 8ULL);
		struct event *e = NULL;

		if (c->events && !rd_failed(&c->r)) {
			e = i < c->events->events.n ? c->events->events.v[i] :
				event_list_add(c->events, &attr, name);
			data_rename_event(e, name);
			event_changed(c->events, e);
		}
		for (u32 k = 0; e && !e->n_ids && k < n_ids; k++) {
			u64 *v = xcalloc(n_ids, 8);

			for (u32 j = 0; j < n_ids; j++)
				v[j] = rd_u64(&ids);
			event_add_ids(e, v, n_ids);
			free(v);
		}
		free(name);
	}
}

static void put_event_desc(const struct data_features *f UNUSED, struct codec_ctx *c)
{
	const struct event_list *l = c->cevents;

	add_u32(c->out, l ? (u32)l->events.n : 0);
	add_u32(c->out, sizeof(struct perf_event_attr));
	for (size_t i = 0; l && i < l->events.n; i++) {
		const struct event *e = l->events.v[i];
		struct perf_event_attr attr = e->attr;

		attr.size = sizeof(attr);
		str_addn(c->out, &attr, sizeof(attr));
		add_u32(c->out, (u32)e->n_ids);
		add_str(c->out, e->name);
		str_addn(c->out, e->ids, e->n_ids * 8);
	}
}

static void get_groups(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 12);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		char *name = get_str(&c->r);
		struct data_group g = { name, rd_u32(&c->r), 0 };

		g.n_members = rd_u32(&c->r);
		vec_push(&f->groups, g);
	}
}

static void put_groups(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->groups.n);
	for vec_each(g, &f->groups) {
		add_str(c->out, g->name);
		add_u32(c->out, g->leader);
		add_u32(c->out, g->n_members);
	}
}

/* --- topologies --- */

static void get_cpu_topology(struct data_features *f, struct codec_ctx *c)
{
	struct rd *r = &c->r;
	u32 n = f->nrcpus_avail;	/* NRCPUS stands before this section */

	get_strs(r, &f->core_siblings);
	get_strs(r, &f->thread_siblings);
	if (!rd_left(r) || !n)		/* before Linux 3.19 nothing more */
		return;
	if (n > rd_left(r) / 8)
		return;
	f->has_core_ids = true;
	for (u32 i = 0; i < n; i++) {
		struct data_cpu cpu = { (s32)rd_u32(r), -1, 0 };

		cpu.socket = (s32)rd_u32(r);
		vec_push(&f->cpus, cpu);
	}
	if (!rd_left(r))		/* before 5.2 no dies */
		return;
	f->has_dies = true;
	get_strs(r, &f->die_siblings);
	for (u32 i = 0; i < n; i++)
		f->cpus.v[i].die = (s32)rd_u32(r);
}

static void put_cpu_topology(const struct data_features *f, struct codec_ctx *c)
{
	add_strs(c->out, &f->core_siblings);
	add_strs(c->out, &f->thread_siblings);
	if (!f->has_core_ids)
		return;
	for vec_each(cpu, &f->cpus) {
		add_u32(c->out, (u32)cpu->core);
		add_u32(c->out, (u32)cpu->socket);
	}
	if (!f->has_dies)
		return;
	add_strs(c->out, &f->die_siblings);
	for vec_each(cpu, &f->cpus)
		add_u32(c->out, (u32)cpu->die);
}

static void get_numa(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 24);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct data_numa_node *node = vec_add(&f->numa);

		node->node = rd_u32(&c->r);
		node->total_kb = rd_u64(&c->r);
		node->free_kb = rd_u64(&c->r);
		node->cpus = get_str(&c->r);
	}
}

static void put_numa(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->numa.n);
	for vec_each(n, &f->numa) {
		add_u32(c->out, n->node);
		add_u64(c->out, n->total_kb);
		add_u64(c->out, n->free_kb);
		add_str(c->out, n->cpus);
	}
}

static void get_caches(struct data_features *f, struct codec_ctx *c)
{
	u32 version = rd_u32(&c->r), n = get_count(&c->r, 28);

	if (version != 1)
		c->r.failed = true;
	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct data_cache *cache = vec_add(&f->caches);

		cache->level = rd_u32(&c->r);
		cache->line_bytes = rd_u32(&c->r);
		cache->sets = rd_u32(&c->r);
		cache->ways = rd_u32(&c->r);
		cache->type = get_str(&c->r);
		cache->size = get_str(&c->r);
		cache->cpus = get_str(&c->r);
	}
}

static void put_caches(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, 1);
	add_u32(c->out, (u32)f->caches.n);
	for vec_each(cache, &f->caches) {
		add_u32(c->out, cache->level);
		add_u32(c->out, cache->line_bytes);
		add_u32(c->out, cache->sets);
		add_u32(c->out, cache->ways);
		add_str(c->out, cache->type);
		add_str(c->out, cache->size);
		add_str(c->out, cache->cpus);
	}
}

static void get_mem_topology(struct data_features *f, struct codec_ctx *c)
{
	struct rd *r = &c->r;
	u64 version = rd_u64(r);

	f->mem_block_bytes = rd_u64(r);

	u64 n = rd_u64(r);

	if (version != 1 || n > rd_left(r) / 24) {
		r->failed = true;
		return;
	}
	for (u64 i = 0; i < n && !rd_failed(r); i++) {
		struct data_mem_node *node = vec_add(&f->mem_nodes);

		node->node = rd_u64(r);
		node->bits = rd_u64(r);

		u64 map_bits = rd_u64(r), words = (map_bits + 63) / 64;

		if (map_bits > rd_left(r) * 8 || words > rd_left(r) / 8) {
			r->failed = true;
			return;
		}
		for (u64 w = 0; w < words; w++)
			vec_push(&node->map, rd_u64(r));
		node->bits = map_bits;
	}
}

static void put_mem_topology(const struct data_features *f, struct codec_ctx *c)
{
	add_u64(c->out, 1);
	add_u64(c->out, f->mem_block_bytes);
	add_u64(c->out, f->mem_nodes.n);
	for vec_each(n, &f->mem_nodes) {
		add_u64(c->out, n->node);
		add_u64(c->out, n->bits);
		add_u64(c->out, n->bits);
		str_addn(c->out, n->map.v, n->map.n * 8);
	}
}

static void get_hybrid(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 8);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct data_hybrid *h = vec_add(&f->hybrid);

		h->pmu = get_str(&c->r);
		h->cpus = get_str(&c->r);
	}
}

static void put_hybrid(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->hybrid.n);
	for vec_each(h, &f->hybrid) {
		add_str(c->out, h->pmu);
		add_str(c->out, h->cpus);
	}
}

/* --- scheduling domains: the version of /proc/schedstat, the most domains of a CPU, then CPUs
 * up to the end --- */

static void get_domains(struct data_features *f, struct codec_ctx *c)
{
	u32 version = rd_u32(&c->r);

	rd_u32(&c->r);
	while (rd_left(&c->r) >= 8) {
		struct data_cpu_domains *cpu = vec_add(&f->domains);
		u32 n;

		cpu->cpu = rd_u32(&c->r);
		n = get_count(&c->r, 12);
		for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
			struct data_schedstat_domain *d = vec_add(&cpu->domains);

			d->domain = rd_u32(&c->r);
			d->name = version >= 17 ? get_str(&c->r) : NULL;
			d->mask = get_str(&c->r);
			d->cpus = get_str(&c->r);
		}
	}
}

static void put_domains(const struct data_features *f, struct codec_ctx *c)
{
	size_t most = 0;
	bool named = false;

	for vec_each(cpu, &f->domains) {
		most = MAX(most, cpu->domains.n);
		for vec_each(d, &cpu->domains)
			named |= d->name != NULL;
	}
	add_u32(c->out, named ? 17 : 15);
	add_u32(c->out, (u32)most);
	for vec_each(cpu, &f->domains) {
		add_u32(c->out, cpu->cpu);
		add_u32(c->out, (u32)cpu->domains.n);
		for vec_each(d, &cpu->domains) {
			add_u32(c->out, d->domain);
			if (named)
				add_str(c->out, d->name ? d->name : "");
			add_str(c->out, d->mask);
			add_str(c->out, d->cpus);
		}
	}
}

/* --- PMUs --- */

static void get_pmus(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 8);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct data_pmu *p = vec_add(&f->pmus);

		p->type = rd_u32(&c->r);
		p->name = get_str(&c->r);
	}
}

static void put_pmus(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->pmus.n);
	for vec_each(p, &f->pmus) {
		add_u32(c->out, p->type);
		add_str(c->out, p->name);
	}
}

static void get_caps(struct data_features *f, struct codec_ctx *c, bool named)
{
	struct rd *r = &c->r;
	u32 n = get_count(r, 8);
	struct data_pmu_caps *p = vec_add(&f->pmu_caps);

	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		struct data_cap cap = { get_str(r), NULL };

		cap.value = get_str(r);
		vec_push(&p->caps, cap);
	}
	if (named)
		p->pmu = get_str(r);
}

static void put_caps(const struct data_pmu_caps *p, struct codec_ctx *c)
{
	add_u32(c->out, p ? (u32)p->caps.n : 0);
	for (size_t i = 0; p && i < p->caps.n; i++) {
		add_str(c->out, p->caps.v[i].name);
		add_str(c->out, p->caps.v[i].value);
	}
}

static void get_cpu_caps(struct data_features *f, struct codec_ctx *c) { get_caps(f, c, false); }

static void put_cpu_caps(const struct data_features *f, struct codec_ctx *c)
{
	const struct data_pmu_caps *p = NULL;

	for vec_each(x, &f->pmu_caps)
		if (!x->pmu)
			p = x;
	put_caps(p, c);
}

static void get_pmu_caps(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 8);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++)
		get_caps(f, c, true);
}

static void put_pmu_caps(const struct data_features *f, struct codec_ctx *c)
{
	u32 n = 0;

	for vec_each(p, &f->pmu_caps)
		n += p->pmu != NULL;
	add_u32(c->out, n);
	for vec_each(p, &f->pmu_caps)
		if (p->pmu) {
			put_caps(p, c);
			add_str(c->out, p->pmu);
		}
}

/* --- BPF, AUX --- */

static void get_bpf_progs(struct data_features *f, struct codec_ctx *c)
{
	struct rd *r = &c->r;
	u32 n = get_count(r, 16);

	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		struct data_bpf_prog *p = vec_add(&f->bpf_progs);

		p->info_bytes = rd_u32(r);
		p->data_bytes = rd_u32(r);
		p->arrays = rd_u64(r);

		const void *info = rd_bytes(r, p->info_bytes), *data = info ?
			rd_bytes(r, p->data_bytes) : NULL;

		if (data) {
			str_addn(&p->info, info, p->info_bytes);
			str_addn(&p->data, data, p->data_bytes);
		}
	}
}

static void put_bpf_progs(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->bpf_progs.n);
	for vec_each(p, &f->bpf_progs) {
		add_u32(c->out, (u32)p->info.len);
		add_u32(c->out, (u32)p->data.len);
		add_u64(c->out, p->arrays);
		str_addn(c->out, str_cstr(&p->info), p->info.len);
		str_addn(c->out, str_cstr(&p->data), p->data.len);
	}
}

static void get_btfs(struct data_features *f, struct codec_ctx *c)
{
	u32 n = get_count(&c->r, 8);

	for (u32 i = 0; i < n && !rd_failed(&c->r); i++) {
		struct data_btf *b = vec_add(&f->btfs);

		b->id = rd_u32(&c->r);

		u32 bytes = rd_u32(&c->r);
		const void *p = rd_bytes(&c->r, bytes);

		if (p)
			str_addn(&b->bytes, p, bytes);
	}
}

static void put_btfs(const struct data_features *f, struct codec_ctx *c)
{
	add_u32(c->out, (u32)f->btfs.n);
	for vec_each(b, &f->btfs) {
		add_u32(c->out, b->id);
		add_u32(c->out, (u32)b->bytes.len);
		str_addn(c->out, str_cstr(&b->bytes), b->bytes.len);
	}
}

/* Simpleperf writes the entries alone. */
static void get_auxtrace(struct data_features *f, struct codec_ctx *c)
{
	const u64 n = rd_left(&c->r) % 16 ? rd_u64(&c->r) : rd_left(&c->r) / 16;

	if (n > rd_left(&c->r) / 16) {
		c->r.failed = true;
		return;
	}
	for (u64 i = 0; i < n; i++) {
		struct data_aux_entry e = { rd_u64(&c->r), 0 };

		e.bytes = rd_u64(&c->r);
		vec_push(&f->auxtrace, e);
	}
}

static void put_auxtrace(const struct data_features *f, struct codec_ctx *c)
{
	add_u64(c->out, f->auxtrace.n);
	for vec_each(e, &f->auxtrace) {
		add_u64(c->out, e->off);
		add_u64(c->out, e->bytes);
	}
}

/* --- the table --- */

struct codec {
	void (*get)(struct data_features *f, struct codec_ctx *c);
	void (*put)(const struct data_features *f, struct codec_ctx *c);
};

static const struct codec codecs[FEAT_KNOWN_NR] = {
	[FEAT_TRACING_DATA] = { get_tracing, put_tracing },
	[FEAT_BUILD_ID] = { get_build_ids, put_build_ids },
	[FEAT_HOSTNAME] = { get_string, put_string },
	[FEAT_OSRELEASE] = { get_string, put_string },
	[FEAT_VERSION] = { get_string, put_string },
	[FEAT_ARCH] = { get_string, put_string },
	[FEAT_NRCPUS] = { get_nrcpus, put_nrcpus },
	[FEAT_CPUDESC] = { get_string, put_string },
	[FEAT_CPUID] = { get_string, put_string },
	[FEAT_TOTAL_MEM] = { get_numbers, put_numbers },
	[FEAT_CMDLINE] = { get_cmdline, put_cmdline },
	[FEAT_EVENT_DESC] = { get_event_desc, put_event_desc },
	[FEAT_CPU_TOPOLOGY] = { get_cpu_topology, put_cpu_topology },
	[FEAT_NUMA_TOPOLOGY] = { get_numa, put_numa },
	[FEAT_BRANCH_STACK] = { get_nothing, put_nothing },
	[FEAT_PMU_MAPPINGS] = { get_pmus, put_pmus },
	[FEAT_GROUP_DESC] = { get_groups, put_groups },
	[FEAT_AUXTRACE] = { get_auxtrace, put_auxtrace },
	[FEAT_STAT] = { get_nothing, put_nothing },
	[FEAT_CACHE] = { get_caches, put_caches },
	[FEAT_SAMPLE_TIME] = { get_numbers, put_numbers },
	[FEAT_MEM_TOPOLOGY] = { get_mem_topology, put_mem_topology },
	[FEAT_CLOCKID] = { get_numbers, put_numbers },
	[FEAT_DIR_FORMAT] = { get_numbers, put_numbers },
	[FEAT_BPF_PROG_INFO] = { get_bpf_progs, put_bpf_progs },
	[FEAT_BPF_BTF] = { get_btfs, put_btfs },
	[FEAT_COMPRESSED] = { get_numbers, put_numbers },
	[FEAT_CPU_PMU_CAPS] = { get_cpu_caps, put_cpu_caps },
	[FEAT_CLOCK_DATA] = { get_clock_data, put_clock_data },
	[FEAT_HYBRID_TOPOLOGY] = { get_hybrid, put_hybrid },
	[FEAT_PMU_CAPS] = { get_pmu_caps, put_pmu_caps },
	[FEAT_CPU_DOMAIN_INFO] = { get_domains, put_domains },
	[FEAT_E_MACHINE] = { get_numbers, put_numbers },
	[FEAT_CLN_SIZE] = { get_numbers, put_numbers },
};

/* Sections of other tools or newer versions stay bytes, so that a rewritten file keeps them. */
static struct data_raw_feature *raw_feature(struct data_features *f, int feature)
{
	for vec_each(r, &f->raw)
		if (r->feature == feature)
			return r;

	struct data_raw_feature *r = vec_add(&f->raw);

	r->feature = feature;
	return r;
}

void data_set_raw(struct data_features *f, int feature, struct str *bytes)
{
	struct data_raw_feature *r = raw_feature(f, feature);

	str_release(&r->bytes);
	r->bytes = *bytes;
	*bytes = (struct str)STR_INIT;
	data_set(f, feature);
}

int data_feature_decode(struct data_features *f, int feature, struct span bytes, bool swap,
			struct event_list *events,
			struct err *err)
{
	struct codec_ctx c = { .events = events, .feature = feature };

	if (feature <= 0 || feature >= FEAT_MAX)
		return err_set(err, EINVAL, "there is no feature %d", feature);
	data_set(f, feature);
	if (feature >= FEAT_KNOWN_NR || !codecs[feature].get) {
		struct data_raw_feature *r = raw_feature(f, feature);

		str_reset(&r->bytes);
		str_addn(&r->bytes, bytes.ptr, bytes.len);
		return 0;
	}
	if (!bytes.len)		/* an empty section: the recorder had nothing to say */
		return 0;
	rd_init(&c.r, bytes.ptr, bytes.len, swap);
	codecs[feature].get(f, &c);
	if (c.too_many_cpus)
		return err_set(err, EINVAL, "the %s section tells of more CPUs than machines have "
					    "(%d): it is not used",
			       data_feature_name(feature), MAX_CPUS);
	if (rd_failed(&c.r))
		return err_set(err, EINVAL, "the %s section ends before what it counts",
			       data_feature_name(feature));
	return 0;
}

int data_feature_encode(const struct data_features *f, int feature, const struct event_list *events,
			struct str *out)
{
	struct codec_ctx c = { .out = out, .cevents = events, .feature = feature };

	if (feature > 0 && feature < FEAT_KNOWN_NR && codecs[feature].put) {
		codecs[feature].put(f, &c);
		return 0;
	}
	for vec_each(r, &f->raw)
		if (r->feature == feature) {
			str_addn(out, str_cstr(&r->bytes), r->bytes.len);
			return 0;
		}
	return -ENOENT;
}
