// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of /proc, /sys and tracefs, and of the probe cache: the first byte says which file of a
 * small tree the rest becomes. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/analysis/schedstat.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/data/features.h"
#include "util/event/catalog.h"
#include "util/os/cgroup.h"
#include "util/os/procfs.h"
#include "util/probe/probe.h"
#include "util/record/synth.h"
#include "util/symbols/kallsyms-search.h"
#include "util/symbols/vdso.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static char root[64];
static volatile u64 sink;

static int on_map(void *ctx UNUSED, const struct procfs_map *m)
{
	sink += m->start_va + strlen(m->path);
	return 0;
}

static void maps(struct os *os)
{
	procfs_maps(os, 1, 0, on_map, NULL, NULL);
}

static void status(struct os *os)
{
	struct procfs_status st;

	if (!procfs_status(os, 1, &st, NULL))
		sink += strlen(st.comm);
}

static void on_place(void *ctx UNUSED, const struct kallsym_place *p)
{
	if (p->end_va < p->start_va)
		abort();
	sink += p->start_va + strlen(p->name) + (p->module ? strlen(p->module) : 0);
}

static void kallsyms(struct os *os)
{
	static const char *const names[] = { "a", "_text", "vfs_read" };
	u64 found[3];

	kallsyms_search(os, &(struct kallsyms_names){ names, ARRAY_SIZE(names), found }, on_place,
			NULL, NULL);
}

static void modules(struct os *os)
{
	module_list l = { 0 };

	if (!module_list_read(os, &l))
		for vec_each(m, &l)
			sink += strlen(m->name);
	module_list_release(&l);
}

static void probe_list(struct os *os)
{
	probe_events v = { 0 };

	if (!probe_events_read(os, &v, NULL))
		for vec_each(e, &v) {
			sink += strlen(e->group) + strlen(e->event) + strlen(e->place);
			for vec_each(f, &e->args)
				sink += strlen(f->base) + f->refs.n;
		}
	probe_events_release(&v);
}

static void probe_cache(struct os *os)
{
	const struct probe_opts o = { .os = os, .buildid_dir = root };
	struct str out = STR_INIT;

	probe_cache_each(&o, NULL, &out);
	str_release(&out);
}

static void schedstat(struct os *os)
{
	schedstat_rows rows = { 0 }, delta = { 0 };
	struct data_features f;
	struct str text = STR_INIT;
	u64 elapsed;

	if (!os_read_file(os, "/proc/schedstat", &text, NULL) &&
	    !schedstat_parse(str_cstr(&text), &rows, NULL))
		schedstat_delta(&rows, &delta, &elapsed);
	vec_free(&rows);
	vec_free(&delta);
	str_release(&text);
	data_features_init(&f);
	data_features_collect_domains(&f, os, 17);
	data_features_release(&f);
}

static void machine(struct os *os)
{
	struct data_features f;
	os_cpu_vec cpus = { 0 };

	data_features_init(&f);
	data_features_collect(&f, os);
	data_features_release(&f);
	os_topology(os, &cpus, NULL);
	vec_free(&cpus);
}

static void pmus(struct os *os)
{
	struct pmu_db *db = pmu_db_new(os);
	struct event_list l;
	struct err err = ERR_INIT;
	catalog c = { 0 };

	catalog_read(&c, 1 << CATALOG_PMU | 1 << CATALOG_RAW, os, db, NULL);
	catalog_release(&c);
	event_list_init(&l);
	event_parse(&l, "x/a=1,e/,x/e/", os, db, &err);
	event_list_release(&l);
	err_release(&err);
	pmu_db_free(db);
}

static void mounts(struct os *os)
{
	struct str out = STR_INIT;

	os_cgroup_mount(os, &out, NULL);
	str_release(&out);
}

#define PMU "sys/bus/event_source/devices/x"

static const struct { const char *path; void (*read)(struct os *os); } files[] = {
	{ "proc/1/maps", maps },
	{ "proc/1/status", status },
	{ "proc/1/stat", status },
	{ "proc/kallsyms", kallsyms },
	{ "proc/modules", modules },
	{ "tracing/uprobe_events", probe_list },
	{ "tracing/dynamic_events", probe_list },
	{ ".build-id/aa/bb/probes", probe_cache },
	{ "proc/schedstat", schedstat },
	{ "proc/cpuinfo", machine },
	{ "proc/meminfo", machine },
	{ "sys/devices/system/cpu/online", machine },
	{ PMU "/format/a", pmus },
	{ PMU "/events/e", pmus },
	{ PMU "/cpumask", pmus },
	{ "proc/mounts", mounts },
};

static void make_parents(const char *path)
{
	char *dir = xasprintf("%s/%s", root, path);

	*strrchr(dir, '/') = 0;
	if (io_mkdirs(dir, NULL))
		abort();
	free(dir);
}

static void put(const char *path, const void *data, size_t n)
{
	char *file = xasprintf("%s/%s", root, path);
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || io_write(fd, data, n))
		abort();
	close(fd);
	free(file);
}

static void remove_tree(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *sub = xasprintf("%s/%s", path, e->d_name);

		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && unlink(sub))
			remove_tree(sub);
		free(sub);
	}
	if (d)
		closedir(d);
	rmdir(path);
}

static void at_end(void)
{
	remove_tree(root);
}

/* What the other files need around them. */
static void put_defaults(void)
{
	put(PMU "/type", "9\n", 2);
	put(PMU "/format/a", "config:0-7\n", 11);
	put(PMU "/events/e", "a=3\n", 4);
	put("proc/1/status", "Name:\tx\nTgid:\t1\nPid:\t1\nPPid:\t0\n", 32);
	put("proc/1/stat", "1 (x) S 0 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 5 1 1\n", 58);
	put("sys/devices/system/cpu/online", "0-1\n", 4);
}

static void set_up(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%.40s/fuzz.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		abort();
	atexit(at_end);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		make_parents(files[i].path);
	put_defaults();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	const unsigned which = n ? data[0] % ARRAY_SIZE(files) : 0;
	struct os os;
	char *file;

	if (!root[0])
		set_up();
	if (n < 1)
		return 0;
	put(files[which].path, data + 1, n - 1);
	os_init_root(&os, root);
	files[which].read(&os);
	os_release(&os);
	file = xasprintf("%s/%s", root, files[which].path);
	unlink(file);
	free(file);
	put_defaults();
	return 0;
}
