// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/filterprog.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/filter.skel.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/bpffs.h"
#include "util/os/event-fd.h"
#include "util/os/kernel.h"
#include "util/os/procfs.h"
#include "util/os/rights.h"

#define DIR_PATH OS_BPFFS "/" FILTERPROG_DIR

struct filterprog {
	struct filter_bpf *skel;	/* NULL: it is pinned */
	struct progload *types;
	int prog, events, rules;	/* descriptors */
	u32 pid, n_rules;
	VEC(u64) ids;			/* of events that have a filter */
};

static const struct { const char *path; enum bpf_obj_type { PROG, MAP } type; } pins[] = {
	{ DIR_PATH "/sample_filter", PROG }, { DIR_PATH "/filter_events", MAP },
	{ DIR_PATH "/filter_rules", MAP },
};

/* ---- opening ---- */

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF program that filters samples");
	if (os_bpf_hint(os, code, err)) {
		if ((code == EPERM || code == EACCES) && !os_call_is_filtered(os, OS_BPF))
			err_hint(err, "%s; root can load it for everybody: perf record "
				      "--setup-filter pin", err->hint);
	} else if (!os_kernel_at_least(os, 6, 2)) {
		err_hint(err, "before Linux 6.2 the kernel shows BPF programs nothing of a "
			      "sample");
	} else {
		err_hint(err, "-v bpf=2 shows what the kernel says to it");
	}
	return -code;
}

static int load(struct filterprog *p, const struct os *os, struct err *err)
{
	static const char *const of_kernel[] = { "perf_sample_data", "perf_event",
						 "bpf_perf_event_data_kern" };
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	if (!os_kernel_at_least(os, 6, 2))
		return -ENOTSUP;
	p->types = progload_new();
	if (!p->types)
		return -errno;
	opts.btf_custom_path = progload_btf_path(p->types);
	p->skel = filter_bpf__open_opts(&opts);
	if (!p->skel)
		return -errno;
	ret = progload_types(p->types, p->skel->obj, of_kernel, ARRAY_SIZE(of_kernel), os, err);
	if (!ret)
		ret = filter_bpf__load(p->skel);
	if (ret)
		return ret;
	p->prog = bpf_program__fd(p->skel->progs.sample_filter);
	p->events = bpf_map__fd(p->skel->maps.filter_events);
	p->rules = bpf_map__fd(p->skel->maps.filter_rules);
	return 0;
}

static int load_own(struct filterprog *p, const struct os *os, struct err *err)
{
	struct err reason = ERR_INIT;
	int ret;

	progload_log();
	os_want_locked_memory();
	ret = load(p, os, &reason);
	if (ret && reason.msg)
		err_set(err, reason.code, "%s", reason.msg);
	else if (ret)
		fail(-ret, os, err);
	err_release(&reason);
	return ret;
}

static bool has_sizes(int map, u32 key_bytes, u32 value_bytes)
{
	struct bpf_map_info info = { 0 };
	u32 bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(map, &info, &bytes) && info.key_size == key_bytes &&
		info.value_size == value_bytes;
}

/* -ENOENT: nothing is pinned. */
static int take_pinned(struct filterprog *p, const struct os *os, struct err *err)
{
	int *const fds[] = { &p->prog, &p->events, &p->rules };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(pins) && !ret; i++) {
		*fds[i] = bpf_obj_get(pins[i].path);
		ret = *fds[i] < 0 ? -errno : 0;
	}
	if (ret == -ENOENT)
		return ret;
	if (ret) {
		err_sys(err, -ret, "cannot use the BPF program of " DIR_PATH);
		if (os_call_is_filtered(os, OS_BPF))
			os_bpf_hint(os, -ret, err);
		return ret;
	}
	if (has_sizes(p->events, sizeof(u64), sizeof(struct filterrec_key)) &&
	    has_sizes(p->rules, sizeof(struct filterrec_key), sizeof(struct filterrec)))
		return 0;
	err_set(err, EINVAL, "the filter in " DIR_PATH " was pinned by another version of perf");
	err_hint(err, "as root: perf record --setup-filter unpin, then perf record --setup-filter "
		      "pin");
	return -EINVAL;
}

static bool is_gone(const struct filterrec_key *key)
{
	return !procfs_has((pid_t)key->pid);
}

/* Recorders that were killed have left their filters there. */
static void sweep(const struct filterprog *p)
{
	VEC(struct filterrec_key) keys = { NULL, 0, 0 };
	VEC(u64) ids = { NULL, 0, 0 };
	struct filterrec_key key;
	void *prev = NULL;
	u64 id;

	while (!bpf_map_get_next_key(p->rules, prev, &key)) {
		vec_push(&keys, key);
		prev = &key;
	}
	prev = NULL;
	while (!bpf_map_get_next_key(p->events, prev, &id)) {
		vec_push(&ids, id);
		prev = &id;
	}
	for vec_each(i, &ids)
		if (!bpf_map_lookup_elem(p->events, i, &key) && is_gone(&key))
			bpf_map_delete_elem(p->events, i);
	for vec_each(k, &keys)
		if (is_gone(k))
			bpf_map_delete_elem(p->rules, k);
	vec_free(&keys);
	vec_free(&ids);
}

int filterprog_open(struct filterprog **out, const struct os *os, struct err *err)
{
	struct filterprog *p = xnew(struct filterprog);
	struct err reason = ERR_INIT;
	int ret, pinned = 0;

	*out = NULL;
	p->prog = p->events = p->rules = -1;
	p->pid = (u32)getpid();
	ret = load_own(p, os, &reason);
	if (ret == -EPERM || ret == -EACCES) {
		filter_bpf__destroy(p->skel);
		p->skel = NULL;
		pinned = take_pinned(p, os, err);
		ret = pinned == -ENOENT ? ret : pinned;
		if (!ret)
			sweep(p);
	}
	if (ret && (!pinned || pinned == -ENOENT)) {
		err_set(err, reason.code, "%s", reason.msg);
		if (reason.hint)
			err_hint(err, "%s", reason.hint);
	}
	err_release(&reason);
	if (ret)
		filterprog_close(p);
	else
		*out = p;
	return ret;
}

static void close_own(struct filterprog *p)
{
	const int fds[] = { p->prog, p->events, p->rules };

	for (size_t i = 0; i < ARRAY_SIZE(fds) && !p->skel; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (p->skel)
		filter_bpf__destroy(p->skel);
	progload_free(p->types);
}

void filterprog_close(struct filterprog *p)
{
	if (!p)
		return;
	for vec_each(id, &p->ids)
		bpf_map_delete_elem(p->events, id);
	for (u32 n = 0; n < p->n_rules; n++)
		bpf_map_delete_elem(p->rules, &(struct filterrec_key){ p->pid, n });
	close_own(p);
	vec_free(&p->ids);
	free(p);
}

/* ---- filters ---- */

int filterprog_set(struct filterprog *p, u32 n, const struct filterrec *f)
{
	const struct filterrec_key key = { p->pid, n };

	p->n_rules = MAX(p->n_rules, n + 1);
	return bpf_map_update_elem(p->rules, &key, f, BPF_ANY) ? -errno : 0;
}

int filterprog_attach(struct filterprog *p, u32 n, u64 id, int fd)
{
	const struct filterrec_key key = { p->pid, n };

	if (bpf_map_update_elem(p->events, &id, &key, BPF_ANY))
		return -errno;
	vec_push(&p->ids, id);
	return event_fd_bpf(fd, p->prog);
}

u64 filterprog_dropped(const struct filterprog *p, u32 n)
{
	const struct filterrec_key key = { p->pid, n };
	struct filterrec f;

	return bpf_map_lookup_elem(p->rules, &key, &f) ? 0 : f.n_dropped;
}

/* ---- for everybody ---- */

static int pin_all(const struct filterprog *p, struct err *err)
{
	const int fds[] = { p->prog, p->events, p->rules };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(pins) && !ret; i++) {
		if (bpf_obj_pin(fds[i], pins[i].path) || chmod(pins[i].path, 0666))
			ret = err_sys(err, errno, "cannot pin %s", pins[i].path);
	}
	return ret;
}

int filterprog_pin(const struct os *os, struct err *err)
{
	struct filterprog p = { .pid = 0 };
	int ret = load_own(&p, os, err);

	if (!ret)
		ret = os_bpffs_add(FILTERPROG_DIR, err);
	if (!ret) {
		ret = pin_all(&p, err);
		if (ret)
			os_bpffs_remove(FILTERPROG_DIR, NULL);
	}
	close_own(&p);
	return ret;
}

int filterprog_unpin(struct err *err)
{
	return os_bpffs_remove(FILTERPROG_DIR, err);
}
