// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "builtin-trace.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/os/ancestry.h"
#include "util/os/cgroup.h"
#include "util/os/priority.h"
#include "util/os/procfs.h"

#define TICK_MS 100

static int on_record(void *ctx, const void *record, size_t bytes)
{
	struct trace *t = ctx;

	if (t->events) {
		trace_spool(t, record, bytes);
		return 0;
	}
	sys_lines_record(&t->lines, record, bytes);
	return t->done;
}

static u64 all_lost(const struct trace *t)
{
	return (t->capture ? syscapture_lost(t->capture) : 0) + trace_events_lost(t);
}

/* Where records are missing, lines say it, as soon as there is room for one record more; this is the sum. */
static void warn_lost(struct trace *t)
{
	u64 lost = all_lost(t);

	if (lost)
		cli_warn("%llu records were lost: perf could not keep up. A larger buffer (-m 128M), fewer calls (-e) or the summary "
			 "alone (-s) help", (unsigned long long)lost);
}

/* ---- what to watch ---- */

static int find_user(const char *text, uid_t *uid, struct err *err)
{
	struct passwd *pw = getpwnam(text);
	u64 n;

	if (pw)
		*uid = pw->pw_uid;
	else if (parse_u64(text, &n) && n < UINT32_MAX)
		*uid = n;
	else
		return err_set(err, EINVAL, "unknown user '%s'", text);
	return 0;
}

/* Everything that happens, or everything of a user, a group or a CPU: then our own output would be part of it. */
static bool watches_all(const struct trace *t)
{
	const struct trace_opts *o = t->o;

	return o->target.system_wide || o->target.user || o->cgroup || o->target.cpu_list ||
	       (!o->target.pid && !o->target.tid && !t->work.pid);
}

/* BPF programs know the unified hierarchy only; groups of another one are left to events. */
static int open_cgroup(const struct os *os, const char *name, struct err *err)
{
	struct err other = ERR_INIT;
	int fd = os_cgroup2_open(os, name, err), v1;

	if (fd >= 0)
		return fd;
	v1 = os_cgroup_open(os, name, &other);
	if (v1 >= 0) {
		close(v1);
		err_release(err);
		fd = err_set(err, ENOTSUP, "BPF programs do not know cgroup '%s': it is in a hierarchy of version 1", name);
	}
	err_release(&other);
	return fd;
}

int trace_start_capture(struct trace *t, struct err *why, struct err *err)
{
	struct trace_opts *o = t->o;
	int_vec tgids = { NULL, 0, 0 }, tids = { NULL, 0, 0 }, excluded = { NULL, 0, 0 }, cpus = { NULL, 0, 0 };
	struct syscapture_opts so = {
		.engine = o->capture == CAPTURE_BTF ? SYSCAPTURE_BTF : o->capture == CAPTURE_RAWTP ? SYSCAPTURE_RAW : SYSCAPTURE_ANY,
		.plans = t->plans, .tgids = &tgids, .tids = &tids, .excluded = &excluded, .held = o->target.pid ||
				o->target.tid ? 0 : t->work.pid, .cgroup_fd = -1,
		.no_inherit = o->no_inherit, .records = !o->summary_only, .sums = trace_wants_sums(o), .errno_sums = o->errno_summary,
		.cgroup_sums = o->summary_mode == VIEW_SYS_CGROUP, .entered = true, .min_ns = o->duration_ns,
		.only_failed = o->failure, .fates = o->style == STYLE_STRACE && !o->json,
		.paused = o->delay_ms > 0, .ring_bytes = o->mmap_bytes,
	};
	int ret = 0;

	if (o->target.pid)
		ret = parse_int_list(o->target.pid, &tgids, err);
	if (!ret && o->target.tid)
		ret = parse_int_list(o->target.tid, &tids, err);
	if (!ret && o->target.cpu_list) {
		ret = parse_int_list(o->target.cpu_list, &cpus, err);
		so.cpus = &cpus;
	}
	if (!ret && o->target.user) {
		ret = find_user(o->target.user, &so.uid, err);
		so.by_uid = true;
	}
	if (!ret && o->filter_pids)
		ret = parse_int_list(o->filter_pids, &excluded, err);
	so.all = watches_all(t);
	if (so.all) {
		os_ancestry(&t->os, getpid(), &excluded);
		so.held = 0;	/* it is one of all */
	}
	if (!so.ring_bytes && so.all)
		so.ring_bytes = 64 << 20;
	if (!ret && o->cgroup)
		so.cgroup_fd = open_cgroup(&t->os, o->cgroup, why);
	if (!ret && (!o->cgroup || so.cgroup_fd >= 0))
		syscapture_open(&t->capture, &so, &t->os, why);
	if (so.cgroup_fd >= 0)
		close(so.cgroup_fd);
	vec_free(&tgids);
	vec_free(&tids);
	vec_free(&excluded);
	vec_free(&cpus);
	return ret;
}

/* ---- running ---- */

static bool targets_gone(struct trace *t)
{
	int_vec ids = { NULL, 0, 0 };
	bool alive = false;
	const char *list = t->o->target.pid ? t->o->target.pid : t->o->target.tid;

	if (!list || t->work.pid)
		return false;
	if (parse_int_list(list, &ids, NULL))
		return false;
	for vec_each(id, &ids)
		alive |= procfs_alive(&t->os, *id);
	vec_free(&ids);
	return !alive;
}

static int drain(struct trace *t, bool last, struct err *err)
{
	u64 bound = last ? UINT64_MAX : trace_events_bound();
	int ret = t->capture ? syscapture_drain(t->capture, on_record, t) : 0;

	if (t->events)
		trace_events_pass(t, bound);
	trace_write(t);
	return ret < 0 ? err_sys(err, -ret, "cannot map the buffer of calls") : 0;
}

static int start_delayed(struct trace *t, struct err *err)
{
	if (t->capture)
		syscapture_pause(t->capture, false);
	return t->events ? trace_events_start(t, err) : 0;
}

enum { P_WORK, P_SIGNAL, P_CAPTURE, P_RINGS };	/* what is polled */

/* A ring whose threads are gone is always ready: the ticks are enough for what is left in it. */
static void wait_a_tick(struct pollfd *p, size_t n)
{
	poll(p, n, TICK_MS);
	for (size_t i = P_RINGS; i < n; i++)
		if (p[i].revents & (POLLHUP | POLLERR))
			p[i].fd = -1;
}

/* Of rings that there were at the start: others are seen at the ticks. */
static void poll_rings(const struct trace *t, struct pollfd *p, size_t n)
{
	int_vec rings = { NULL, 0, 0 };

	trace_events_fds(t, &rings);
	for (size_t i = P_RINGS; i < n; i++)
		p[i].fd = rings.v[i - P_RINGS];
	vec_free(&rings);
}

static int watch(struct trace *t, struct pollfd *p, size_t n, struct err *err)
{
	u64 began = os_now_ns();
	bool paused = t->o->delay_ms > 0;
	int ret = 0;

	while (!t->done && !ret && !(p[P_SIGNAL].revents & POLLIN)) {
		wait_a_tick(p, n);
		if (paused && os_now_ns() - began >= t->o->delay_ms * 1000000) {
			ret = start_delayed(t, err);
			paused = false;
		}
		if ((t->work.pid && workload_poll(&t->work) == 1) || targets_gone(t))
			break;
		if (!ret)
			ret = drain(t, false, err);
		if (!ret && trace_events_follow(t, paused, err))
			poll_rings(t, p, n);
	}
	return ret;
}

static int run(struct trace *t, struct err *err)
{
	int_vec rings = { NULL, 0, 0 };
	const size_t n = P_RINGS + trace_events_fds(t, &rings);
	struct pollfd *p = xcalloc(n, sizeof(*p));
	int ret;

	p[P_WORK].fd = t->work.pid ? syscall(SYS_pidfd_open, t->work.pid, 0) : -1;	/* its end shall not wait for a tick */
	p[P_SIGNAL].fd = t->signal_fd;
	p[P_CAPTURE].fd = t->capture ? syscapture_fd(t->capture) : -1;
	for (size_t i = 0; i < n; i++)
		p[i].events = POLLIN;
	poll_rings(t, p, n);
	ret = watch(t, p, n, err);
	if (p[P_WORK].fd >= 0)
		close(p[P_WORK].fd);
	if (t->capture)
		syscapture_stop(t->capture);
	if (t->events)
		trace_events_stop(t);
	if (!t->done && !ret)
		ret = drain(t, true, err);
	sys_lines_end(&t->lines);
	if (all_lost(t) > t->lines.n_lost)	/* after these there was nothing more */
		sys_lines_lost(&t->lines, all_lost(t) - t->lines.n_lost);
	trace_write(t);
	free(p);
	vec_free(&rings);
	return ret;
}

/* The workload was forked before: it keeps the signals as they were. */
static void catch_signals(struct trace *t)
{
	sigset_t set;

	io_end_signals(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- summary ---- */

static u64 group_of(struct trace *t, u32 tid, u64 cgroup)
{
	return t->o->summary_mode == VIEW_SYS_THREAD ? tid : t->o->summary_mode == VIEW_SYS_CGROUP ? cgroup : 0;
}

static void take_sum(void *ctx, const struct syssum_key *k, const struct syssum *s)
{
	struct trace *t = ctx;

	if (s->count)
		sys_summary_add_sum(&t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, s);
}

static void take_errno(void *ctx, const struct syssum_errno_key *k, u64 n)
{
	struct trace *t = ctx;

	sys_summary_add_errno(&t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, k->code, n);
}

static char *cgroup_label(const struct os *os, u64 id)
{
	char *path = os_cgroup2_path(os, id);

	return path ? path : xasprintf("cgroup %llu", (unsigned long long)id);
}

static void label_groups(struct trace *t)
{
	for vec_each(g, &t->sum.groups) {
		struct syssum_task task;

		if (t->o->summary_mode == VIEW_SYS_CGROUP)
			g->label = cgroup_label(&t->os, g->id);
		else if (syscapture_task(t->capture, g->id, &task))
			g->label = xstrndup(task.comm, strnlen(task.comm, sizeof(task.comm)));
	}
}

static void show_summary(struct trace *t)
{
	u64 lost = syscapture_sums_lost(t->capture);

	syscapture_sums(t->capture, take_sum, t);
	syscapture_errnos(t->capture, take_errno, t);
	label_groups(t);
	trace_show_sums(t);
	if (lost)
		str_addf(&t->out, " %llu calls are missing: too many threads for the tables\n", (unsigned long long)lost);
}

static int open_events(struct trace *t, struct err *err)
{
	int_vec excluded = { NULL, 0, 0 };
	int ret = 0;

	if (t->o->filter_pids)
		ret = parse_int_list(t->o->filter_pids, &excluded, err);
	if (watches_all(t))
		os_ancestry(&t->os, getpid(), &excluded);
	if (!ret)
		ret = trace_events_open(t, &excluded, err);
	vec_free(&excluded);
	return ret;
}

int trace_run(struct trace *t, int *status, struct err *err)
{
	int ret = 0, nice_before;

	if (t->o->summary_only)
		t->lines.fn = trace_no_line;
	if (!t->capture && trace_wants_sums(t->o) && t->o->summary_mode == VIEW_SYS_CGROUP)
		return err_set(err, ENOTSUP, "--summary-mode cgroup needs BPF: tracepoints do not tell the group of a call");
	if (!t->capture || trace_has_events(t))
		ret = open_events(t, err);
	if (ret)
		return ret;
	catch_signals(t);
	nice_before = os_quick();
	if (t->events && !t->o->delay_ms)
		ret = trace_events_start(t, err);
	if (!ret && t->work.pid)
		ret = workload_start(&t->work, err);
	if (!ret)
		ret = run(t, err);
	os_normal(nice_before);
	if (ret)
		return ret;
	warn_lost(t);
	if (trace_wants_sums(t->o) && t->capture)
		show_summary(t);
	else if (trace_wants_sums(t->o))
		trace_show_sums(t);
	trace_write(t);
	if (t->work.pid && t->work.reaped)
		*status = workload_exit_code(&t->work);
	return 0;
}
