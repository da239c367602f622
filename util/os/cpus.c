// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int read_list(const struct os *os, const char *path, int_vec *out, struct err *err)
{
	struct str s = STR_INIT;
	int ret = os_read_file(os, path, &s, err);

	if (!ret) {
		while (s.len && (s.buf[s.len - 1] == '\n' || s.buf[s.len - 1] == ' '))
			s.buf[--s.len] = 0;
		if (s.len)
			ret = parse_int_list(s.buf, out, err);
		if (ret)
			err_prefix(err, "'%s'", path);
	}
	str_release(&s);
	return ret;
}

int os_online_cpus(const struct os *os, int_vec *out, struct err *err)
{
	int ret = read_list(os, "/sys/devices/system/cpu/online", out, err);

	if (ret && !os->fake) {		/* no sysfs: a bare chroot */
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		err_release(err);
		vec_clear(out);
		for (int i = 0; i < MAX(n, 1L); i++)
			vec_push(out, i);
		return 0;
	}
	if (!ret && !out->n)
		ret = err_set(err, EINVAL, "no CPU in '/sys/devices/system/cpu/online'");
	return ret;
}

int os_nr_present_cpus(const struct os *os)
{
	int_vec v = { 0 };
	int n;

	if (read_list(os, "/sys/devices/system/cpu/present", &v, NULL) || !v.n)
		n = os->fake ? 1 : (int)sysconf(_SC_NPROCESSORS_CONF);
	else
		n = (int)v.n;
	vec_free(&v);
	return n;
}

static int topology_value(const struct os *os, int cpu, const char *name)
{
	char *path = xasprintf("/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	struct str s = STR_INIT;
	int v = -1;

	if (!os_read_file(os, path, &s, NULL)) {
		while (s.len && s.buf[s.len - 1] == '\n')
			s.buf[--s.len] = 0;
		/* 65535: "none" of some die and cluster ids */
		if (!parse_int(str_cstr(&s), &v) || v > 65535 || v < 0)
			v = -1;
	}
	str_release(&s);
	free(path);
	return v == 65535 ? -1 : v;
}

static void fill_nodes(const struct os *os, os_cpu_vec *out)
{
	int_vec nodes = { 0 };

	if (read_list(os, "/sys/devices/system/node/online", &nodes, NULL))
		vec_clear(&nodes);
	for (size_t i = 0; i < nodes.n; i++) {
		char *path = xasprintf("/sys/devices/system/node/node%d/cpulist", nodes.v[i]);
		int_vec cpus = { 0 };

		if (!read_list(os, path, &cpus, NULL))
			for (size_t k = 0; k < cpus.n; k++)
				for vec_each(c, out)
					if (c->cpu == cpus.v[k])
						c->node = nodes.v[i];
		vec_free(&cpus);
		free(path);
	}
	vec_free(&nodes);
}

int os_topology(const struct os *os, os_cpu_vec *out, struct err *err)
{
	int_vec cpus = { 0 };
	int ret = os_online_cpus(os, &cpus, err);

	for (size_t i = 0; !ret && i < cpus.n; i++) {
		struct os_cpu c = { .cpu = cpus.v[i], .node = -1, .cache = -1,
				    .cache_level = -1 };

		c.core = topology_value(os, c.cpu, "core_id");
		c.die = topology_value(os, c.cpu, "die_id");
		c.cluster = topology_value(os, c.cpu, "cluster_id");
		c.socket = topology_value(os, c.cpu, "physical_package_id");
		vec_push(out, c);
	}
	if (!ret)
		fill_nodes(os, out);
	vec_free(&cpus);
	return ret;
}

/* One cache of a CPU: its level (0: none of this index) and identity. */
static int cache_of(const struct os *os, int cpu, int index, int *id)
{
	char *dir = xasprintf("/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, index);
	char *level = xasprintf("%s/level", dir), *own = xasprintf("%s/id", dir);
	char *shared = xasprintf("%s/shared_cpu_list", dir), *type = xasprintf("%s/type", dir);
	u64 l = 0, v = 0;
	struct str s = STR_INIT;
	int_vec cpus = { 0 };

	*id = cpu;
	if (os_read_u64(os, level, &l, NULL) || l > 9)
		l = 0;
	if (l && !os_read_file(os, type, &s, NULL) && str_has_prefix(str_cstr(&s), "Instruction"))
		l = 0;
	if (l && !os_read_u64(os, own, &v, NULL))
		*id = (int)v;
	else if (l && !read_list(os, shared, &cpus, NULL) && cpus.n)
		*id = cpus.v[0];
	vec_free(&cpus);
	str_release(&s);
	free(dir);
	free(level);
	free(own);
	free(shared);
	free(type);
	return (int)l;
}

int os_cpu_caches(const struct os *os, int cpu, int ids[OS_CACHE_LEVELS + 1])
{
	int last = 0;

	for (int l = 0; l <= OS_CACHE_LEVELS; l++)
		ids[l] = -1;
	for (int i = 0; i < 10; i++) {
		int id;
		const int l = cache_of(os, cpu, i, &id);

		if (!l || l > OS_CACHE_LEVELS)
			continue;
		ids[l] = id;
		last = MAX(last, l);
	}
	return last;
}

void os_topology_caches(const struct os *os, int level, os_cpu_vec *topo)
{
	for vec_each(c, topo) {
		int ids[OS_CACHE_LEVELS + 1];
		const int last = os_cpu_caches(os, c->cpu, ids), l = level ? level : last;
		const bool known = l > 0 && l <= OS_CACHE_LEVELS && ids[l] >= 0;

		c->cache = known ? ids[l] : -1;
		c->cache_level = known ? l : -1;
	}
}
