// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/guests.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/num.h"

#define UPPER_HALF 0x8000000000000000ULL
#define MAX_MODULES_BYTES (16 << 20)
#define KERNEL_NAME "[guest.kernel.kallsyms]"

struct guest {
	u32 pid;			/* 0: of all */
	char *kallsyms;
	struct symbols_opts opts;
	struct dso_store *dsos;
	struct machine *m;
};

static void guest_free(struct guest *g)
{
	machine_free(g->m);
	dso_store_free(g->dsos);
	free(g->kallsyms);
	free(g);
}

static void apply_map(struct guest *g, const struct wire_mmap *map, u64 time_ns)
{
	char rec[8192] __attribute__((aligned(8)));
	const struct perf_event_attr attr = { .size = sizeof(attr) };
	const char *reason;
	const int n = wire_encode_mmap2(&attr, map, PERF_RECORD_MISC_KERNEL, NULL, rec,
					sizeof(rec));

	if (n > 0)
		machine_apply(g->m, (const void *)rec, time_ns, &reason);
}

/* "virtio_net 81920 0 - Live 0xffffffffc0000000": its name, size and address. */
static bool parse_module(char *line, struct wire_mmap *map, struct str *name)
{
	char *save = NULL, *word = strtok_r(line, " ", &save);
	int i = 0;

	for (; word; word = strtok_r(NULL, " ", &save), i++) {
		if (i == 0)
			str_addf(name, "[%s]", word);
		else if (i == 1 && !parse_u64(word, &map->bytes))
			return false;
		else if (i == 5)
			return parse_u64(word, &map->start_va) && map->start_va;
	}
	return false;
}

static int add_modules(struct guest *g, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	char *rest, *line;
	int ret = infile_read(path, INFILE_NAMED, MAX_MODULES_BYTES, &text, err);

	if (ret < 0) {
		err_set(err, -ret, "cannot read the modules of guests from '%s': %s", path,
			strerror(-ret));
		err_hint(err, "it is a guest's /proc/modules");
	}
	rest = ret < 0 ? NULL : (char *)str_cstr(&text);
	while (rest && (line = strsep(&rest, "\n"))) {
		struct wire_mmap map = { .pid = (u32)-1 };
		struct str name = STR_INIT;

		if (parse_module(line, &map, &name)) {
			map.path = str_cstr(&name);
			apply_map(g, &map, 0);
		}
		str_release(&name);
	}
	str_release(&text);
	return MIN(ret, 0);
}

static int add_guest(struct guests *gs, const struct stream_guests *o, u32 pid,
		     const struct os *os, const struct symbols_opts *base, struct err *err)
{
	struct wire_mmap all = { .pid = (u32)-1, .start_va = UPPER_HALF,
				 .bytes = UINT64_MAX - UPPER_HALF, .off = UPPER_HALF,
				 .path = KERNEL_NAME };
	const struct machine_opts mo = { .keep_comm_after_exit = true };
	struct guest *g = xnew(struct guest);

	g->pid = pid;
	g->opts = *base;
	g->kallsyms = o->kallsyms ? xstrdup(o->kallsyms) : NULL;
	g->opts.kallsyms = g->kallsyms;
	g->opts.vmlinux = o->vmlinux;
	g->opts.live = false;
	g->opts.debuginfod_urls = NULL;
	g->dsos = dso_store_new(os, &g->opts);
	g->m = machine_new(g->dsos, &mo);
	vec_push(&gs->v, g);
	apply_map(g, &all, 0);
	return o->modules ? add_modules(g, o->modules, err) : 0;
}

static int check_readable(const char *path, const char *what, struct err *err)
{
	if (!path || access(path, R_OK) == 0)
		return 0;
	return err_set(err, errno, "cannot read %s from '%s': %s", what, path, strerror(errno));
}

/* DIR/PID/proc/kallsyms and DIR/PID/proc/modules; subdirectories without are no guests. */
static int add_mounted(struct guests *gs, const char *path, const char *name, const struct os *os,
		       const struct symbols_opts *base, struct err *err)
{
	struct stream_guests o = { 0 };
	char *kallsyms = xasprintf("%s/%s/proc/kallsyms", path, name);
	char *modules = xasprintf("%s/%s/proc/modules", path, name);
	u64 pid;
	int ret = 0;

	o.kallsyms = kallsyms;
	o.modules = access(modules, R_OK) == 0 ? modules : NULL;
	if (parse_u64(name, &pid) && pid && pid < UINT32_MAX && access(kallsyms, R_OK) == 0)
		ret = add_guest(gs, &o, (u32)pid, os, base, err);
	free(kallsyms);
	free(modules);
	return ret;
}

static int add_all_mounted(struct guests *gs, const char *path, const struct os *os,
			   const struct symbols_opts *base, struct err *err)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!dir) {
		ret = err_set(err, errno, "cannot read the guests in '%s': %s", path,
			      strerror(errno));
		err_hint(err, "it has a directory for each guest, by the number of its "
			      "hypervisor's process, with the guest's proc/kallsyms in it");
		return ret;
	}
	while (!ret && (e = readdir(dir)))
		ret = add_mounted(gs, path, e->d_name, os, base, err);
	closedir(dir);
	return ret;
}

int guests_init(struct guests *g, const struct stream_guests *o, const struct os *os,
		const struct symbols_opts *base, struct err *err)
{
	int ret = check_readable(o->kallsyms, "the symbols of guests", err);

	ret = ret ? ret : check_readable(o->vmlinux, "the kernel of guests", err);
	if (!ret && (o->kallsyms || o->vmlinux))
		ret = add_guest(g, o, 0, os, base, err);
	if (!ret && o->mount)
		ret = add_all_mounted(g, o->mount, os, base, err);
	return ret;
}

void guests_release(struct guests *g)
{
	for vec_each(one, &g->v)
		guest_free(*one);
	vec_free(&g->v);
}

static struct guest *find_guest(const struct guests *g, u32 pid)
{
	struct guest *of_all = NULL;

	for vec_each(one, &g->v) {
		if ((*one)->pid == pid)
			return *one;
		if (!(*one)->pid)
			of_all = *one;
	}
	return of_all;
}

/* "[guest.kernel.kallsyms.50]_text", of process 50: the kernels of all are called the same. */
static bool is_kernel_name(const char *path, const char **rest)
{
	static const char prefix[] = "[guest.kernel.kallsyms";

	*rest = str_has_prefix(path, prefix) ? strchr(path, ']') : NULL;
	return *rest;
}

void guests_apply(struct guests *g, const struct perf_event_header *rec, u64 time_ns)
{
	struct str name = STR_INIT;
	struct wire_mmap map;
	const char *reason, *rest;
	struct guest *to;

	if (!g->v.n || (rec->type != PERF_RECORD_MMAP && rec->type != PERF_RECORD_MMAP2) ||
	    (rec->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_GUEST_KERNEL ||
	    wire_decode_mmap(rec, &map, &reason) < 0 || !(to = find_guest(g, map.pid)))
		return;
	if (is_kernel_name(map.path, &rest)) {
		str_addf(&name, "%.*s%s", (int)sizeof(KERNEL_NAME) - 2, KERNEL_NAME, rest);
		map.path = str_cstr(&name);
	}
	apply_map(to, &map, time_ns);
	str_release(&name);
}

void guests_freeze(struct guests *g)
{
	for vec_each(one, &g->v)
		machine_freeze((*one)->m);
}

const struct space *guests_kernel(const struct guests *g, u32 pid)
{
	const struct guest *one = g->v.n ? find_guest(g, pid) : NULL;

	return one ? machine_kernel_space(one->m) : NULL;
}
