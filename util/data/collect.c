// SPDX-License-Identifier: GPL-2.0-or-later
// What /proc and /sys say about this machine, for the header of a recording.
#include "util/data/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/data/data-priv.h"

/* A file's first line without blanks at the ends; false when it cannot be read. */
static bool read_line(const struct os *os, struct str *out, const char *fmt, ...) PRINTF_LIKE(3, 4);
static bool read_line(const struct os *os, struct str *out, const char *fmt, ...)
{
	struct str path = STR_INIT;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	str_addv(&path, fmt, ap);
	va_end(ap);
	str_reset(out);
	ret = os_read_file(os, str_cstr(&path), out, NULL);
	str_release(&path);
	if (ret)
		return false;

	char *nl = out->len ? memchr(out->buf, '\n', out->len) : NULL;

	if (nl)
		out->len = (size_t)(nl - out->buf);
	while (out->len && (out->buf[out->len - 1] == ' ' || out->buf[out->len - 1] == '\t'))
		out->len--;
	if (out->buf)
		out->buf[out->len] = 0;
	return out->len > 0;
}

static u64 line_u64(const struct str *s)
{
	u64 v = 0;

	return parse_u64(str_cstr(s), &v) ? v : 0;
}

static void collect_names(struct data_features *f, const struct os *os)
{
	struct str s = STR_INIT;
	struct utsname u;

	if (read_line(os, &s, "/proc/sys/kernel/hostname"))
		data_set_str(f, FEAT_HOSTNAME, str_cstr(&s));
	if (read_line(os, &s, "/proc/sys/kernel/osrelease"))
		data_set_str(f, FEAT_OSRELEASE, str_cstr(&s));
	if (read_line(os, &s, "/proc/sys/kernel/arch"))	/* since Linux 6.1 */
		data_set_str(f, FEAT_ARCH, str_cstr(&s));
	else if (!os->fake && !uname(&u))
		data_set_str(f, FEAT_ARCH, u.machine);
	str_release(&s);
}

/* The value of "name<blanks>: value" in a text of such lines; false: no such line. Runs of
 * blanks become one. */
static bool text_field(const char *text, const char *name, struct str *out)
{
	const size_t n = strlen(name);

	str_reset(out);
	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (strncmp(p, name, n) != 0)
			continue;

		const char *v = p + n + strspn(p + n, " \t");

		if (*v != ':')
			continue;
		for (v++; *v && *v != '\n'; v++)
			if ((*v != ' ' && *v != '\t') || (out->len && out->buf[out->len - 1] !=
							  ' '))
				str_addch(out, *v == '\t' ? ' ' : *v);
		while (out->len && out->buf[out->len - 1] == ' ')
			out->buf[--out->len] = 0;
		return true;
	}
	return false;
}

static void collect_cpu(struct data_features *f, const struct os *os)
{
	static const char *const desc[] = { "model name", "Processor", "cpu model", "cpu" };
	struct str info = STR_INIT, s = STR_INIT, id = STR_INIT;
	const char *text;

	os_read_file(os, "/proc/cpuinfo", &info, NULL);
	text = str_cstr(&info);
	for (size_t i = 0; i < ARRAY_SIZE(desc); i++)
		if (text_field(text, desc[i], &s)) {
			data_set_str(f, FEAT_CPUDESC, str_cstr(&s));
			break;
		}
	if (text_field(text, "vendor_id", &s)) {
		static const char *const parts[] = { "cpu family", "model", "stepping" };

		str_add(&id, str_cstr(&s));
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			if (text_field(text, parts[i], &s))
				str_addf(&id, ",%s", str_cstr(&s));
		data_set_str(f, FEAT_CPUID, str_cstr(&id));
	} else if (read_line(os, &s, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1")) {
		data_set_str(f, FEAT_CPUID, str_cstr(&s));
	}
	str_reset(&info);
	if (!os_read_file(os, "/proc/meminfo", &info, NULL) &&
	    text_field(str_cstr(&info), "MemTotal", &s)) {
		unsigned long long kb = 0;

		if (sscanf(str_cstr(&s), "%llu", &kb) == 1) {
			f->total_mem_kb = kb;
			data_set(f, FEAT_TOTAL_MEM);
		}
	}
	str_release(&info);
	str_release(&s);
	str_release(&id);
}

static void add_unique(data_strs *v, const struct str *s)
{
	for vec_each(p, v)
		if (!strcmp(*p, str_cstr(s)))
			return;
	vec_push(v, xstrdup(str_cstr(s)));
}

#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"

static void collect_topology(struct data_features *f, const struct os *os)
{
	struct str s = STR_INIT;
	int_vec cpus = { 0 };
	os_cpu_vec topo = { 0 };

	os_online_cpus(os, &cpus, NULL);
	f->nrcpus_online = (u32)cpus.n;
	f->nrcpus_avail = (u32)MAX(os_nr_present_cpus(os), (int)cpus.n);
	if (f->nrcpus_online)
		data_set(f, FEAT_NRCPUS);
	for vec_each(c, &cpus) {
		if (read_line(os, &s, CPU_DIR "topology/package_cpus_list", *c) ||
		    read_line(os, &s, CPU_DIR "topology/core_siblings_list", *c))
			add_unique(&f->core_siblings, &s);
		if (read_line(os, &s, CPU_DIR "topology/die_cpus_list", *c))
			add_unique(&f->die_siblings, &s);
		if (read_line(os, &s, CPU_DIR "topology/core_cpus_list", *c) ||
		    read_line(os, &s, CPU_DIR "topology/thread_siblings_list", *c))
			add_unique(&f->thread_siblings, &s);
	}
	if (f->core_siblings.n && !os_topology(os, &topo, NULL)) {
		for (u32 i = 0; i < f->nrcpus_avail; i++) {
			struct data_cpu none = { -1, -1, -1 };

			vec_push(&f->cpus, none);
		}
		for vec_each(t, &topo)
			if (t->cpu >= 0 && (u32)t->cpu < f->nrcpus_avail)
				f->cpus.v[t->cpu] = (struct data_cpu){ t->core, t->die, t->socket };
		f->has_core_ids = true;
		f->has_dies = f->die_siblings.n > 0;
		data_set(f, FEAT_CPU_TOPOLOGY);
	}
	str_release(&s);
	vec_free(&cpus);
	vec_free(&topo);
}

static bool suffix_number(const char *name, const char *prefix, int *out)
{
	return str_has_prefix(name, prefix) && parse_int(name + strlen(prefix), out) && *out >= 0;
}

static void collect_memory_blocks(struct data_features *f, const struct os *os, int node)
{
	char *dir = xasprintf("/sys/devices/system/node/node%d", node);
	os_names names = { 0 };
	struct data_mem_node m = { .node = (u64)node };

	os_list_dir(os, dir, &names, NULL);
	for vec_each(n, &names) {
		int block;

		if (!suffix_number(*n, "memory", &block) || block > 1 << 24)
			continue;
		while (m.map.n <= (size_t)block / 64)
			vec_push(&m.map, 0);
		m.map.v[block / 64] |= 1ULL << (block % 64);
		m.bits = MAX(m.bits, (u64)block + 1);
	}
	if (m.bits)
		vec_push(&f->mem_nodes, m);
	os_names_release(&names);
	free(dir);
}

static void collect_nodes(struct data_features *f, const struct os *os)
{
	struct str s = STR_INIT, info = STR_INIT;
	int_vec nodes = { 0 };
	unsigned long long total, freed, block = 0;

	if (read_line(os, &s, "/sys/devices/system/node/online"))
		parse_int_list(str_cstr(&s), &nodes, NULL);
	for vec_each(n, &nodes) {
		char *path = xasprintf("/sys/devices/system/node/node%d/meminfo", *n);
		const char *t, *fr;

		str_reset(&info);
		os_read_file(os, path, &info, NULL);
		free(path);
		t = strstr(str_cstr(&info), "MemTotal:");
		fr = strstr(str_cstr(&info), "MemFree:");
		if (!t || !fr || sscanf(t + 9, "%llu", &total) != 1 ||
		    sscanf(fr + 8, "%llu", &freed) != 1)
			continue;
		if (!read_line(os, &s, "/sys/devices/system/node/node%d/cpulist", *n))
			str_reset(&s);

		struct data_numa_node node = { (u32)*n, total, freed, xstrdup(str_cstr(&s)) };

		vec_push(&f->numa, node);
		data_set(f, FEAT_NUMA_TOPOLOGY);
	}
	if (read_line(os, &s, "/sys/devices/system/memory/block_size_bytes") &&
	    sscanf(str_cstr(&s), "%llx", &block) == 1) {
		f->mem_block_bytes = block;
		for vec_each(n, &nodes)
			collect_memory_blocks(f, os, *n);
		if (f->mem_nodes.n)
			data_set(f, FEAT_MEM_TOPOLOGY);
	}
	str_release(&s);
	str_release(&info);
	vec_free(&nodes);
}

#define PMU_DIR "/sys/bus/event_source/devices"

static void collect_caps(struct data_features *f, const struct os *os, const char *pmu)
{
	char *dir = xasprintf(PMU_DIR "/%s/caps", pmu);
	struct str s = STR_INIT;
	os_names names = { 0 };
	struct data_pmu_caps caps = { 0 };

	os_list_dir(os, dir, &names, NULL);
	for vec_each(n, &names)
		if (read_line(os, &s, "%s/%s", dir, *n)) {
			struct data_cap cap = { xstrdup(*n), xstrdup(str_cstr(&s)) };

			vec_push(&caps.caps, cap);
		}
	if (caps.caps.n) {
		bool cpu = !strcmp(pmu, "cpu");

		caps.pmu = cpu ? NULL : xstrdup(pmu);
		vec_push(&f->pmu_caps, caps);
		data_set(f, cpu ? FEAT_CPU_PMU_CAPS : FEAT_PMU_CAPS);
	}
	os_names_release(&names);
	str_release(&s);
	free(dir);
}

static void collect_pmus(struct data_features *f, const struct os *os)
{
	struct str s = STR_INIT;
	os_names names = { 0 };

	os_list_dir(os, PMU_DIR, &names, NULL);
	for vec_each(n, &names) {
		if (!read_line(os, &s, PMU_DIR "/%s/type", *n))
			continue;

		struct data_pmu pmu = { (u32)line_u64(&s), xstrdup(*n) };

		vec_push(&f->pmus, pmu);
		data_set(f, FEAT_PMU_MAPPINGS);
		collect_caps(f, os, *n);
		if ((!strcmp(*n, "cpu_core") || !strcmp(*n, "cpu_atom") ||
		     !strcmp(*n, "cpu_lowpower")) &&
		    read_line(os, &s, PMU_DIR "/%s/cpus", *n)) {
			struct data_hybrid h = { xstrdup(*n), xstrdup(str_cstr(&s)) };

			vec_push(&f->hybrid, h);
			data_set(f, FEAT_HYBRID_TOPOLOGY);
		}
	}
	os_names_release(&names);
	str_release(&s);
}

static bool same_cache(const struct data_cache *a, const struct data_cache *b)
{
	return a->level == b->level && !strcmp(a->type, b->type) && !strcmp(a->size, b->size) &&
		!strcmp(a->cpus, b->cpus);
}

static void add_cache(struct data_features *f, struct data_cache c)
{
	size_t at = f->caches.n;

	for vec_each(have, &f->caches)
		if (same_cache(have, &c)) {
			free(c.type);
			free(c.size);
			free(c.cpus);
			return;
		}
	vec_push(&f->caches, c);
	for (; at && f->caches.v[at - 1].level > c.level; at--)
		f->caches.v[at] = f->caches.v[at - 1];
	f->caches.v[at] = c;
}

static void collect_caches(struct data_features *f, const struct os *os)
{
	struct str s = STR_INIT;
	int_vec cpus = { 0 };

	os_online_cpus(os, &cpus, NULL);
	for vec_each(c, &cpus)
		for (int i = 0; i < 10; i++) {
			struct data_cache cache = { 0 };

			if (!read_line(os, &s, CPU_DIR "cache/index%d/level", *c, i))
				break;
			cache.level = (u32)line_u64(&s);
			if (read_line(os, &s, CPU_DIR "cache/index%d/coherency_line_size", *c, i))
				cache.line_bytes = (u32)line_u64(&s);
			if (read_line(os, &s, CPU_DIR "cache/index%d/number_of_sets", *c, i))
				cache.sets = (u32)line_u64(&s);
			if (read_line(os, &s, CPU_DIR "cache/index%d/ways_of_associativity", *c, i))
				cache.ways = (u32)line_u64(&s);
			read_line(os, &s, CPU_DIR "cache/index%d/type", *c, i);
			cache.type = xstrdup(str_cstr(&s));
			read_line(os, &s, CPU_DIR "cache/index%d/size", *c, i);
			cache.size = xstrdup(str_cstr(&s));
			read_line(os, &s, CPU_DIR "cache/index%d/shared_cpu_list", *c, i);
			cache.cpus = xstrdup(str_cstr(&s));
			add_cache(f, cache);
		}
	data_set(f, FEAT_CACHE);	/* of a kernel that shows no caches, too: it is empty */
	str_release(&s);
	vec_free(&cpus);
}

/* The CPUs of a mask in hex with commas, as a list. */
static char *mask_cpus(const char *mask, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	struct str out = STR_INIT;
	int_vec cpus = { 0 };
	int cpu = 0;

	for (size_t i = len; i-- > 0;) {
		const char *digit = memchr(hex, mask[i], sizeof(hex) - 1);

		for (int k = 0; k < 4 && digit; k++, cpu++)
			if ((digit - hex) >> k & 1)
				vec_push(&cpus, cpu);
	}
	str_add_int_list(&out, cpus.v, cpus.n);
	vec_free(&cpus);
	return str_detach(&out);
}

/* "domainN [NAME] MASK COUNTER..." */
static void add_domain(struct data_cpu_domains *c, const char *line, bool named)
{
	const char *field = line + strcspn(line, " ");
	struct data_schedstat_domain *d = vec_add(&c->domains);
	size_t len;

	d->domain = (u32)strtoul(line + strlen("domain"), NULL, 10);
	field += *field == ' ';
	if (named) {
		len = strcspn(field, " ");
		d->name = xstrndup(field, len);
		field += len + (field[len] == ' ');
	}
	len = strcspn(field, " ");
	d->mask = xstrndup(field, len);
	d->cpus = mask_cpus(field, len);
}

void data_features_collect_domains(struct data_features *f, const struct os *os, unsigned version)
{
	struct str text = STR_INIT;
	char *save = NULL;

	if (os_read_file(os, "/proc/schedstat", &text, NULL) || !text.len) {
		str_release(&text);
		return;
	}
	for (char *line = strtok_r(text.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (str_has_prefix(line, "cpu"))
			vec_add(&f->domains)->cpu = (u32)strtoul(line + strlen("cpu"), NULL, 10);
		else if (f->domains.n && str_has_prefix(line, "domain"))
			add_domain(vec_last(&f->domains), line, version >= 17);
	}
	data_set(f, FEAT_CPU_DOMAIN_INFO);
	str_release(&text);
}

void data_features_collect(struct data_features *f, const struct os *os)
{
	collect_names(f, os);
	collect_cpu(f, os);
	collect_topology(f, os);
	collect_nodes(f, os);
	collect_pmus(f, os);
	collect_caches(f, os);
}
