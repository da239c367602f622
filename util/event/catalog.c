// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/event/pfm.h"
#include "util/event/pmu-priv.h"
#include "util/event/sensor.h"
#include "util/event/tool.h"

static const struct { const char *name, *desc; } descriptions[] = {
	{ "cycles", "CPU cycles of the core while it is not halted" },
	{ "instructions", "instructions that were completed" },
	{ "cache-references", "accesses that reached the last level cache" },
	{ "cache-misses", "accesses that the last level cache could not serve" },
	{ "branches", "branch instructions that were completed" },
	{ "branch-misses", "branches that were predicted wrong" },
	{ "bus-cycles", "cycles of the bus" },
	{ "stalled-cycles-frontend", "cycles in which no instruction could be issued" },
	{ "stalled-cycles-backend", "cycles in which nothing could be retired" },
	{ "ref-cycles", "cycles at a fixed frequency" },
	{ "cpu-clock", "high resolution timer of each CPU" },
	{ "task-clock", "high resolution timer that runs while the task runs" },
	{ "page-faults", "page faults, minor and major" },
	{ "context-switches", "switches to another task" },
	{ "cpu-migrations", "moves of a task to another CPU" },
	{ "minor-faults", "page faults that needed no I/O" },
	{ "major-faults", "page faults that waited for I/O" },
	{ "alignment-faults", "unaligned accesses that the kernel had to do" },
	{ "emulation-faults", "instructions that the kernel had to emulate" },
	{ "dummy", "counts nothing; carries records of mappings and tasks" },
	{ "bpf-output", "data written by BPF programs" },
	{ "cgroup-switches", "switches to a task of another cgroup" },
};

const char *catalog_kind_name(enum catalog_kind k)
{
	static const char *const names[] = {
		[CATALOG_HW] = "Hardware event", [CATALOG_SW] = "Software event",
			[CATALOG_CACHE] = "Hardware cache event",
		[CATALOG_PMU] = "Kernel PMU event", [CATALOG_TOOL] = "Tool event",
		[CATALOG_HWMON] = "Hwmon event", [CATALOG_DRM] = "DRM event",
		[CATALOG_RAW] = "Raw hardware event descriptor",
		[CATALOG_BREAKPOINT] = "Hardware breakpoint",
		[CATALOG_TRACEPOINT] = "Tracepoint event",
		[CATALOG_VENDOR] = "Vendor event (libpfm4)",
	};

	return names[k];
}

static const char *description(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(descriptions); i++)
		if (!strcmp(descriptions[i].name, name))
			return descriptions[i].desc;
	return NULL;
}

static struct catalog_entry *add(catalog *c, enum catalog_kind kind, char *take_name,
				 const char *unit)
{
	struct catalog_entry *e = vec_add(c);

	e->kind = kind;
	e->name = take_name;
	e->unit = xstrdup(unit);
	e->supported = true;
	e->desc = description(take_name);
	return e;
}

static bool opens(struct os *os, u32 type, u64 config)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = type, .config = config,
				     .disabled = 1, .exclude_kernel = 1,
				     .exclude_hv = 1 };
	int fd = os->perf_event_open(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM;
}

static void add_generic(catalog *c, enum catalog_kind kind, const struct event_generic *t, u32 type,
			const char *unit,
			struct os *os)
{
	for (; t->name; t++) {
		struct catalog_entry *e;

		if (!t->macro)
			continue;
		e = add(c, kind, xstrdup(t->name), unit);
		e->encoding = xasprintf("%s/config=0x%llx/", unit, (unsigned long long)t->config);
		e->supported = opens(os, type, t->config);
		if (t[1].name && !t[1].macro)
			e->alias = xstrdup(t[1].name);
	}
}

static void add_caches(catalog *c, struct os *os, const char *unit)
{
	for (u64 id = 0; id < 7; id++)
		for (u64 op = 0; op < 3; op++)
			for (u64 res = 0; res < 2; res++) {
				u64 config = id | op << 8 | res << 16;
				struct str s = STR_INIT;
				struct catalog_entry *e;

				if (!(event_cache_valid_ops[id] & 1 << op))
					continue;
				event_cache_name(config, &s);
				e = add(c, CATALOG_CACHE, str_detach(&s), unit);
				e->supported = opens(os, PERF_TYPE_HW_CACHE, config);
			}
}

static void add_pmus(catalog *c, struct pmu_db *db)
{
	pmu_vec pmus = { 0 };

	pmu_all(db, &pmus);
	for (size_t i = 0; i < pmus.n; i++)
		for (size_t k = 0; k < pmus.v[i]->events.n; k++) {
			const struct pmu *p = pmus.v[i];
			struct str s = STR_INIT;
			char *unit = NULL;
			double scale;
			struct catalog_entry *e = add(c, CATALOG_PMU,
						      xasprintf("%s/%s/", p->name, p->events.v[k]),
						      p->name);

			if (!pmu_event_text(db, p, p->events.v[k], &s, &unit, &scale, NULL))
				e->encoding = xasprintf("%s/%s/", p->name, str_cstr(&s));
			free(unit);
			str_release(&s);
		}
	vec_free(&pmus);
}

static void add_tools(catalog *c)
{
	for (int t = EVENT_TOOL_NONE; t < EVENT_TOOL_N; t++)
		if (event_tool_name(t) && event_tool_by_name(t))
			add(c, CATALOG_TOOL, xstrdup(event_tool_name(t)), "tool")->desc =
				event_tool_desc(t);
}

static void add_sensors(catalog *c, enum catalog_kind kind, struct os *os)
{
	sensor_vec found = { 0 };

	sensors_find(os, kind == CATALOG_HWMON ? SENSORS_HWMON : SENSORS_DRM, &found);
	for vec_each(s, &found) {
		struct catalog_entry *e = add(c, kind, xstrdup(s->alias ? s->alias : s->name),
					      s->pmu);
		struct str desc = STR_INIT;

		sensor_describe(os, s, &desc);
		e->alias = s->alias ? xstrdup(s->name) : NULL;
		e->made_desc = str_detach(&desc);
		e->desc = e->made_desc;
		e->scale_unit = xasprintf("%g%s", s->scale, s->unit);
		e->encoding = xasprintf("%s/config=0x%llx/", s->pmu, (unsigned long long)s->config);
	}
	sensors_release(&found);
}

static int add_tracepoints(catalog *c, struct os *os, struct err *err)
{
	os_names systems = { 0 };
	int ret = os_tracefs(os, err);

	if (!ret)
		ret = os_list_dir(os, "tracing:events", &systems, err);
	for (size_t i = 0; i < systems.n && !ret; i++) {
		char *dir = xasprintf("tracing:events/%s", systems.v[i]);
		os_names names = { 0 };

		if (strcmp(systems.v[i], "ftrace") && !os_list_dir(os, dir, &names, NULL))
			for (size_t k = 0; k < names.n; k++)
				if (strcmp(names.v[k], "enable") && strcmp(names.v[k], "filter"))
					add(c, CATALOG_TRACEPOINT,
					    xasprintf("%s:%s", systems.v[i], names.v[k]),
					    "tracepoint");
		os_names_release(&names);
		free(dir);
	}
	os_names_release(&systems);
	return ret;
}

struct vendor { catalog *c; bool supported; };

static void add_vendor(void *ctx, const struct pfm_event *e)
{
	const struct vendor *v = ctx;
	struct catalog_entry *new = add(v->c, CATALOG_VENDOR,
					xasprintf("%s::%s", e->pmu, e->name), e->pmu);

	new->desc = e->desc;
	new->supported = v->supported;
}

/* Those of the CPU; where it has no counters (a virtual machine) they are of no use. */
static void add_vendors(catalog *c, struct os *os)
{
	pfm_each(add_vendor, &(struct vendor){ c, opens(os, PERF_TYPE_HARDWARE,
							PERF_COUNT_HW_CPU_CYCLES) });
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct catalog_entry *)a)->name,
		      ((const struct catalog_entry *)b)->name);
}

static void sort_from(catalog *c, size_t from)
{
	if (c->n > from)
		qsort(c->v + from, c->n - from, sizeof(*c->v), by_name);
}

/* The PMU of the CPUs: "cpu", on other machines than x86 "armv8_pmuv3_0" and the like, with CPUs of
 * two kinds the first. */
static const char *cpu_unit(struct pmu_db *db)
{
	const char *name = NULL;
	pmu_vec pmus = { 0 };

	pmu_all(db, &pmus);
	for vec_each(p, &pmus) {
		if (!strcmp((*p)->name, "cpu")) {
			name = NULL;
			break;
		}
		if ((*p)->core && !name)
			name = (*p)->name;
	}
	vec_free(&pmus);
	return name ? name : "cpu";
}

int catalog_read(catalog *c, unsigned kinds, struct os *os, struct pmu_db *db, struct err *err)
{
	const char *cpu = cpu_unit(db);
	int ret = 0;

	for (unsigned k = 0; k < CATALOG_N; k++) {
		size_t from = c->n;

		if (!(kinds & 1U << k))
			continue;
		switch (k) {
		case CATALOG_HW: add_generic(c, k, event_hw_names, PERF_TYPE_HARDWARE, cpu, os);
			break;
		case CATALOG_SW: add_generic(c, k, event_sw_names, PERF_TYPE_SOFTWARE, "software",
					     os); break;
		case CATALOG_CACHE: add_caches(c, os, cpu); break;
		case CATALOG_PMU: add_pmus(c, db); break;
		case CATALOG_TOOL: add_tools(c); break;
		case CATALOG_RAW:
			add(c, k, xstrdup("rNNN"), cpu);
			add(c, k, xasprintf("%s/t1=v1[,t2=v2,t3 ...]/modifier", cpu), cpu);
			continue;	/* not sorted */
		case CATALOG_BREAKPOINT: add(c, k, xstrdup("mem:<addr>[/len][:access]"),
					     "breakpoint"); break;
		case CATALOG_TRACEPOINT: ret = add_tracepoints(c, os, err); break;
		case CATALOG_VENDOR: add_vendors(c, os); break;
		case CATALOG_HWMON: case CATALOG_DRM: add_sensors(c, k, os); break;
		}
		sort_from(c, from);
	}
	return ret;
}

void catalog_release(catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].name);
		free(c->v[i].alias);
		free(c->v[i].unit);
		free(c->v[i].encoding);
		free(c->v[i].made_desc);
		free(c->v[i].scale_unit);
	}
	vec_free(c);
}
