// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/latency.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/latency.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/bpf/scope.h"
#include "util/os/facts.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

struct latency {
	struct latency_bpf *skel;
	struct bpf_link *second, *first;	/* or of the return, and of the call */
	int n_cpus;
};

static int fail(const struct latency_opts *o, int code, const struct os *os, struct err *err)
{
	if (o->function)
		err_sys(err, code, "cannot measure the function '%s' with BPF", o->function);
	else
		err_sys(err, code, "cannot measure the time from '%s' to '%s' with BPF", o->first,
			o->second);
	if (os_call_is_filtered(os, OS_PERF_EVENT_OPEN))
		os_filter_hint(OS_PERF_EVENT_OPEN, err);
	else if (code == EACCES && os_may_bpf(os) && !os_may(os, CAP_DAC_OVERRIDE))
		err_hint(err, "that needs the right to read tracefs, too");
	else if (code == EPERM || code == EACCES)
		os_bpf_hint(os, code, err);
	else if (os_without_sysfs(os))
		err_hint(err, OS_NO_SYSFS_HINT);
	else if (o->function && !os_has_kprobes(os))
		err_hint(err, "this kernel has no kprobes (CONFIG_KPROBES=y)");
	else if (o->function && (code == ENOENT || code == EINVAL || code == EADDRNOTAVAIL))
		err_hint(err, "it has to be a function that probes may stand on: 'perf probe -F' "
			 "lists them");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says");
	return -code;
}

static void set_options(struct latency_bpf *s, const struct latency_opts *o)
{
	const int_vec *ids = o->tids ? o->tids : o->pids;
	u64 dev, ino;

	s->rodata->by_thread = o->tids;
	s->rodata->by_process = o->pids && !o->tids;
	if (ids && ids->n)
		bpf_map__set_max_entries(s->maps.latency_ids, (u32)ids->n);
	if (os_inner_pids(&dev, &ino)) {
		s->rodata->ns_dev = dev;
		s->rodata->ns_ino = ino;
	}
	s->rodata->by_cpu = scope_cpus(s->rodata->cpus, o->cpus);
	memcpy((void *)(uintptr_t)&s->rodata->buckets, &o->buckets, sizeof(o->buckets));
	bpf_program__set_autoload(s->progs.latency_first, !o->function);
	bpf_program__set_autoload(s->progs.latency_second, !o->function);
	bpf_program__set_autoload(s->progs.latency_call, o->function);
	bpf_program__set_autoload(s->progs.latency_return, o->function);
}

static int put_ids(const struct latency_bpf *s, const int_vec *ids)
{
	const u8 one = 1;

	for (size_t i = 0; ids && i < ids->n; i++) {
		const u32 id = (u32)ids->v[i];

		if (bpf_map_update_elem(bpf_map__fd(s->maps.latency_ids), &id, &one, BPF_ANY))
			return -errno;
	}
	return 0;
}

static struct bpf_link *attach_event(const struct bpf_program *prog, const char *event)
{
	const char *name = strchr(event, ':');
	char *system = xasprintf("%.*s", (int)(name - event), event);
	struct bpf_link *link = bpf_program__attach_tracepoint(prog, system, name + 1);

	free(system);
	return link;
}

/* The end first: where both are the same event, it ends one time and begins the next. */
static int attach(struct latency *l, const struct latency_opts *o)
{
	const struct latency_bpf *s = l->skel;

	l->second = o->function ?
		bpf_program__attach_kprobe(s->progs.latency_return, true, o->function) :
		attach_event(s->progs.latency_second, o->second);
	if (!l->second)
		return -errno;
	l->first = o->function ?
		bpf_program__attach_kprobe(s->progs.latency_call, false, o->function) :
		attach_event(s->progs.latency_first, o->first);
	return l->first ? 0 : -errno;
}

int latency_open(struct latency **out, const struct latency_opts *o, const struct os *os,
		 struct err *err)
{
	struct latency *l = xnew(struct latency);
	int ret;

	*out = NULL;
	progload_log();
	os_want_locked_memory();
	l->n_cpus = libbpf_num_possible_cpus();
	l->skel = latency_bpf__open();
	ret = l->n_cpus < 0 ? l->n_cpus : l->skel ? 0 : -errno;
	if (!ret) {
		set_options(l->skel, o);
		ret = latency_bpf__load(l->skel);
	}
	if (!ret)
		ret = put_ids(l->skel, o->tids ? o->tids : o->pids);
	if (!ret)
		ret = attach(l, o);
	if (ret) {
		latency_close(l);
		return fail(o, -ret, os, err);
	}
	*out = l;
	return 0;
}

static void merge(struct latency_sums *to, const struct latency_sums *s)
{
	if (!s->n)
		return;
	to->min_ns = to->n ? MIN(to->min_ns, s->min_ns) : s->min_ns;
	to->max_ns = MAX(to->max_ns, s->max_ns);
	to->n += s->n;
	to->total_ns += s->total_ns;
	for (int i = 0; i < LATENCY_BUCKETS; i++)
		to->counts[i] += s->counts[i];
	for (int i = 0; i < NS_HIST_STEPS; i++)
		to->hist.n[i] += s->hist.n[i];
}

int latency_read(const struct latency *l, struct latency_sums *out, struct err *err)
{
	struct latency_sums *all = xcalloc((size_t)l->n_cpus, sizeof(*all));
	const u32 zero = 0;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	if (bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.latency_here), &zero, all))
		ret = err_sys(err, errno, "cannot read what BPF has measured");
	for (int i = 0; i < l->n_cpus && !ret; i++)
		merge(out, &all[i]);
	free(all);
	return ret;
}

u64 latency_n_lost(const struct latency *l)
{
	return __atomic_load_n(&l->skel->bss->n_lost, __ATOMIC_RELAXED);
}

void latency_close(struct latency *l)
{
	if (!l)
		return;
	bpf_link__destroy(l->first);
	bpf_link__destroy(l->second);
	if (l->skel)
		latency_bpf__destroy(l->skel);
	free(l);
}
