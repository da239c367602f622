// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/features.h"

static const char *const names[FEAT_KNOWN_NR] = {
	[FEAT_TRACING_DATA] = "TRACING_DATA", [FEAT_BUILD_ID] = "BUILD_ID",
		[FEAT_HOSTNAME] = "HOSTNAME",
	[FEAT_OSRELEASE] = "OSRELEASE", [FEAT_VERSION] = "VERSION", [FEAT_ARCH] = "ARCH",
	[FEAT_NRCPUS] = "NRCPUS",
	[FEAT_CPUDESC] = "CPUDESC", [FEAT_CPUID] = "CPUID", [FEAT_TOTAL_MEM] = "TOTAL_MEM",
	[FEAT_CMDLINE] = "CMDLINE",
	[FEAT_EVENT_DESC] = "EVENT_DESC", [FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY", [FEAT_BRANCH_STACK] = "BRANCH_STACK",
	[FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS", [FEAT_GROUP_DESC] = "GROUP_DESC",
	[FEAT_AUXTRACE] = "AUXTRACE",
	[FEAT_STAT] = "STAT", [FEAT_CACHE] = "CACHE", [FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY", [FEAT_CLOCKID] = "CLOCKID",
	[FEAT_DIR_FORMAT] = "DIR_FORMAT",
	[FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO", [FEAT_BPF_BTF] = "BPF_BTF",
	[FEAT_COMPRESSED] = "COMPRESSED",
	[FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS", [FEAT_CLOCK_DATA] = "CLOCK_DATA",
	[FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY", [FEAT_PMU_CAPS] = "PMU_CAPS",
	[FEAT_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO", [FEAT_E_MACHINE] = "E_MACHINE",
	[FEAT_CLN_SIZE] = "CLN_SIZE",
};

const char *data_feature_name(int feature)
{
	if (feature == FEAT_EMBEDDED)
		return "EMBEDDED";
	if (feature == FEAT_COUNTS)
		return "COUNTS";
	return feature > 0 && feature < FEAT_KNOWN_NR ? names[feature] : NULL;
}

struct span data_raw_section(const struct data_features *f, int feature)
{
	for vec_each(r, &f->raw)
		if (r->feature == feature && data_has(f, feature))
			return (struct span){ (const u8 *)str_cstr(&r->bytes), r->bytes.len };
	return (struct span){ NULL, 0 };
}

void data_features_init(struct data_features *f)
{
	*f = (struct data_features){ 0 };
}

static void free_strs(data_strs *s)
{
	for vec_each(p, s)
		free(*p);
	vec_free(s);
}

static void release_topology(struct data_features *f)
{
	free_strs(&f->core_siblings);
	free_strs(&f->die_siblings);
	free_strs(&f->thread_siblings);
	vec_free(&f->cpus);
	for vec_each(n, &f->numa)
		free(n->cpus);
	vec_free(&f->numa);
	for vec_each(c, &f->caches) {
		free(c->type);
		free(c->size);
		free(c->cpus);
	}
	vec_free(&f->caches);
	for vec_each(m, &f->mem_nodes)
		vec_free(&m->map);
	vec_free(&f->mem_nodes);
	for vec_each(h, &f->hybrid) {
		free(h->pmu);
		free(h->cpus);
	}
	vec_free(&f->hybrid);
	for vec_each(c, &f->domains) {
		for vec_each(d, &c->domains) {
			free(d->name);
			free(d->mask);
			free(d->cpus);
		}
		vec_free(&c->domains);
	}
	vec_free(&f->domains);
}

static void release_pmus(struct data_features *f)
{
	for vec_each(p, &f->pmus)
		free(p->name);
	vec_free(&f->pmus);
	for vec_each(c, &f->pmu_caps) {
		for vec_each(cap, &c->caps) {
			free(cap->name);
			free(cap->value);
		}
		vec_free(&c->caps);
		free(c->pmu);
	}
	vec_free(&f->pmu_caps);
}

void data_features_release(struct data_features *f)
{
	char **const strs[] = { &f->hostname, &f->osrelease, &f->version, &f->arch, &f->cpudesc,
				&f->cpuid };

	for (size_t i = 0; i < ARRAY_SIZE(strs); i++)
		free(*strs[i]);
	free_strs(&f->cmdline);
	release_topology(f);
	release_pmus(f);
	for vec_each(g, &f->groups)
		free(g->name);
	vec_free(&f->groups);
	for vec_each(b, &f->build_ids)
		free(b->path);
	vec_free(&f->build_ids);
	for vec_each(p, &f->bpf_progs) {
		str_release(&p->info);
		str_release(&p->data);
	}
	vec_free(&f->bpf_progs);
	for vec_each(b, &f->btfs)
		str_release(&b->bytes);
	vec_free(&f->btfs);
	vec_free(&f->auxtrace);
	str_release(&f->tracing_data);
	for vec_each(r, &f->raw)
		str_release(&r->bytes);
	vec_free(&f->raw);
	data_features_init(f);
}

void data_set_str(struct data_features *f, enum data_feature feature, const char *value)
{
	char **p = feature == FEAT_HOSTNAME ? &f->hostname : feature == FEAT_OSRELEASE ?
		&f->osrelease :
		   feature == FEAT_VERSION ? &f->version : feature == FEAT_ARCH ? &f->arch :
		   feature == FEAT_CPUDESC ? &f->cpudesc : feature == FEAT_CPUID ? &f->cpuid : NULL;

	if (!p || !value)
		return;

	char *copy = xstrdup(value);	/* value may be the old one */

	free(*p);
	*p = copy;
	data_set(f, feature);
}

void data_set_cmdline(struct data_features *f, int argc, const char *const *argv)
{
	free_strs(&f->cmdline);
	for (int i = 0; i < argc; i++)
		vec_push(&f->cmdline, xstrdup(argv[i]));
	data_set(f, FEAT_CMDLINE);
}

void data_add_build_id(struct data_features *f, const u8 *id, size_t bytes, u16 misc, s32 pid,
		       const char *path)
{
	struct data_build_id *b = vec_add(&f->build_ids);

	b->bytes = (u8)MIN(bytes, sizeof(b->id));
	memcpy(b->id, id, b->bytes);
	b->misc = misc;
	b->pid = pid;
	b->path = xstrdup(path);
	data_set(f, FEAT_BUILD_ID);
}

const struct data_build_id *data_find_build_id(const struct data_features *f, const char *path)
{
	for vec_each(b, &f->build_ids)
		if (!strcmp(b->path, path))
			return b;
	return NULL;
}

void data_set_sample_time(struct data_features *f, u64 first_ns, u64 last_ns)
{
	f->first_sample_ns = first_ns;
	f->last_sample_ns = last_ns;
	data_set(f, FEAT_SAMPLE_TIME);
}
