// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/count.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/windows.h"
#include "util/count/bpf-counters.h"
#include "util/count/file.h"
#include "util/count/shared.h"
#include "util/count/tools.h"
#include "util/os/control-channel.h"
#include "util/os/procfs.h"
#include "util/os/uevent.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"

struct session {
	struct event_list *l;
	struct os *os;
	const struct count_opts *o;
	struct count_result *res;
	struct waiter waiter;
	struct control_channel control;
	int cpu_fd;			/* of CPUs that come and go; -1: nobody tells */
	struct workload work;
	/* of earlier runs: closing tracepoints is slow, so it is done once */
	int_vec old_fds;
	os_cpu_vec topo;
	u64 start_ns, last_ns;		/* of the run, of the last interval */
	bool attached;			/* the events belong to the command alone */
	struct windows windows;		/* on: the events are */
	struct count_tools tools;
	struct progcount *progcount;	/* what happens in BPF programs, or NULL */
	struct count_shared *shared;	/* counters that other processes have, too, or NULL */
	struct cgcount *cgcount;	/* what cgroups have; NULL: they are counted one by one */
	u64 first_on_ns;		/* when events were first enabled; 0: not yet */
	/* of each event of perf's own: what was read until now */
	VEC(struct event_count) tool_sums;
};

enum { PLACE_CONTROL, PLACE_CPUS };	/* of what is waited for */

void count_result_release(struct count_result *r)
{
	vec_free(&r->rows);
	vec_free(&r->seconds);
	open_report_release(&r->report);
	stat_free(r->stat);
	*r = (struct count_result){ 0 };
}

/* upstream's words: scripts look for them */
#define NONE_SUPPORTED "No supported events found"

/* --- what is watched --- */

static int all_threads(struct session *s, struct err *err)
{
	int_vec pids = { 0 };
	int ret = procfs_pids(s->os, &pids, err);

	vec_clear(&s->o->target->tids);
	for (size_t i = 0; !ret && i < pids.n; i++)
		/* those that vanish are no loss */
		procfs_tasks(s->os, pids.v[i], &s->o->target->tids, NULL);
	vec_free(&pids);
	vec_clear(&s->o->target->cpus);
	vec_push(&s->o->target->cpus, -1);
	return ret;
}

static int resolve(struct session *s, struct err *err)
{
	struct target *t = s->o->target;
	bool threads = s->o->stat.aggr == STAT_THREAD;
	int ret = 0;

	if (threads && !t->pid && !t->tid && !t->user) {
		ret = all_threads(s, err);
	} else {
		ret = target_resolve(t, s->os, err);
		if (ret == -ENODEV)
			err_prefix(err, NONE_SUPPORTED);
		s->attached = target_none(t);
	}
	s->tools.target = t;
	if (!ret && ((s->o->stat.aggr != STAT_GLOBAL && s->o->stat.aggr != STAT_CPU && !threads) ||
		     stat_wants_cores(s->l, s->o->stat.aggr)))
		ret = os_topology(s->os, &s->topo, err);
	if (!ret && s->o->stat.aggr == STAT_CACHE)
		os_topology_caches(s->os, s->o->cache_level, &s->topo);
	return ret;
}

static void name_threads(struct session *s)
{
	for (size_t i = 0; i < s->l->tids.n; i++) {
		struct procfs_status st;

		if (s->l->tids.v[i] > 0 && !procfs_status(s->os, s->l->tids.v[i], &st, NULL))
			stat_set_comm(s->res->stat, (int)i, st.comm);
	}
}

static bool later(const struct count_opts *o)
{
	return o->windows.n || o->start_disabled;
}

static struct open_policy policy(const struct session *s)
{
	const struct count_opts *o = s->o;

	return (struct open_policy){
		.use = OPEN_COUNT, .target = o->target, .workload = s->attached ? s->work.pid : 0,
		.enable_on_exec = s->attached && !later(o), .inherit = !o->target->no_inherit &&
		/* BPF programs read no counters that are inherited */
		o->stat.aggr != STAT_THREAD && !o->cgroups && !o->share_table &&
		!o->bpf_programs.n,
		.allow_fallback = true, .skip_unsupported = true, .read_ids = o->file,
	};
}

static void message(struct session *s, const char *text)
{
	if (s->o->on_message)
		s->o->on_message(s->o->ctx, text);
}

/* Where there is no BPF each cgroup gets counters of its own, as without. */
static int open_cgroups(struct session *s, const struct open_policy *p,
			struct open_report *report, struct err *err)
{
	struct err reason = ERR_INIT;
	int ret;

	if (!count_cgroups_open(&s->cgcount, s->l, s->o->cgroups, s->os, &reason))
		return 0;
	if (s->o->cgroups->asked) {
		char *text = xasprintf("%s: each cgroup is counted by counters of its own%s%s",
				       reason.msg, reason.hint ? "\nHint: " : "",
				       reason.hint ? reason.hint : "");

		message(s, text);
		free(text);
	}
	err_release(&reason);
	ret = count_cgroups_separate(s->l, s->os, err);
	return ret ? ret : event_list_open(s->l, p, s->os, report, err);
}

/* Where sharing does not work events are counted by counters of their own, as without. */
static void tell_unshared(struct session *s, struct err *reason)
{
	char *text = xasprintf("%s: events are counted by counters of their own%s%s", reason->msg,
			       reason->hint ? "\nHint: " : "", reason->hint ? reason->hint : "");

	message(s, text);
	free(text);
	err_release(reason);
}

static int open_shared(struct session *s, const struct open_policy *p, struct open_report *report,
		       struct err *err)
{
	struct err reason = ERR_INIT;
	int ret;

	if (s->o->share_table && count_shared_begin(&s->shared, s->l, s->o->share_table,
						    &s->o->target->cpus, s->os, &reason))
		tell_unshared(s, &reason);
	ret = event_list_open(s->l, p, s->os, report, err);
	if (!ret && s->shared && count_shared_give(s->shared, s->l, s->os, &reason))
		tell_unshared(s, &reason);
	return ret;
}

static int open_events(struct session *s, struct err *err)
{
	const struct count_opts *o = s->o;
	bool at_exec = s->attached && !later(o);
	struct open_policy p = policy(s);
	struct open_report *report = s->res->seconds.n ? NULL : &s->res->report;
	int ret;

	s->windows = (struct windows){ .all = &o->windows, .on = !later(o) };
	if (o->null_run)
		return 0;
	ret = open_shared(s, &p, report, err);
	if (!ret && o->cgroups)
		ret = open_cgroups(s, &p, report, err);
	if (!ret && o->bpf_programs.n)
		ret = count_programs_open(&s->progcount, s->l, &o->bpf_programs, s->os, err);
	if (ret == -ENOENT || ret == -EOPNOTSUPP || ret == -ENODEV || ret == -ENXIO)
		err_prefix(err, NONE_SUPPORTED);
	if (!ret && !s->res->stat) {
		s->res->stat = stat_new(s->l, s->topo.v, s->topo.n, &o->stat);
		if (o->stat.aggr == STAT_THREAD)
			name_threads(s);
	}
	if (!ret && o->file)
		ret = count_file_begin(o->file, s->l, s->os, o, err);
	if (!ret && s->windows.on && !at_exec)
		ret = event_list_enable(s->l);
	return ret;
}

static void watch(struct session *s)
{
	const struct target *t = s->o->target;

	waiter_unwatch(&s->waiter);
	if (s->work.pid) {
		waiter_watch(&s->waiter, s->work.pid);
	} else if (t->pid || t->tid || t->user) {
		/* processes by their leaders: a pidfd ends when the last thread does */
		for (size_t i = 0; i < t->tids.n; i++) {
			struct procfs_status st;

			if (t->tid || (!procfs_status(s->os, t->tids.v[i], &st, NULL) &&
				       st.tgid == t->tids.v[i]))
				waiter_watch(&s->waiter, t->tids.v[i]);
		}
	}
}

/* --- reading --- */

/* Of perf's own events; there is one counter of each. */
static void read_tools(struct session *s, u64 now)
{
	count_tools_read(&s->tools);
	while (s->tool_sums.n < s->l->events.n)
		vec_push(&s->tool_sums, ((struct event_count){ 0, 0, 0 }));
	for vec_each(p, &s->l->events) {
		const struct event *e = *p;
		struct event_count *sum = &s->tool_sums.v[e->index];

		if (!e->tool || !count_tools_value(&s->tools, e, now, sum))
			continue;
		stat_put(s->res->stat, e->index, 0, 0, sum);
		if (s->o->file)
			count_file_value(s->o->file, e, 0, 0, sum);
	}
}

static void read_all(struct session *s, u64 now)
{
	if (!s->res->stat)
		return;
	if (count_tools_any(s->l))
		read_tools(s, now);
	if (s->cgcount)
		count_cgroups_read(s->cgcount, s->l, s->o->cgroups, s->res->stat);
	if (s->shared)
		count_shared_read(s->shared, s->res->stat);
	if (s->progcount)
		count_programs_read(s->progcount, s->l, s->res->stat);
	if (s->cgcount || s->progcount)
		return;
	for (size_t i = 0; i < s->l->events.n; i++) {
		const struct event *e = s->l->events.v[i];
		struct event_count c;

		for (int t = 0; e->fds && t < e->n_threads; t++)
			for (int k = 0; k < e->n_cpus; k++)
				if (!event_read(e, t, k, &c)) {
					stat_put(s->res->stat, (int)i, t, k, &c);
					if (s->o->file)
						count_file_value(s->o->file, e, t, k, &c);
				}
	}
}

static void end_interval(struct session *s, u64 now)
{
	stat_rows rows = { 0 };

	if (!s->res->stat)
		return;
	if (s->o->file)
		count_file_round(s->o->file, now - s->start_ns, false);
	stat_get_rows(s->res->stat, now - s->last_ns, &rows);
	s->o->on_interval(s->o->ctx, rows.v, rows.n, now - s->start_ns);
	stat_next(s->res->stat);
	s->last_ns = now;
	s->res->n_intervals++;
	vec_free(&rows);
}

/* --- one run --- */

static void shell(const char *cmd)
{
	if (cmd && system(cmd) == -1)
		return;		/* as with any failing command: its own message is all there is */
}

static void follow_cpu(struct session *s, int cpu)
{
	struct open_policy p = policy(s);
	event_gone_vec gone = { NULL, 0, 0 };
	struct err reason = ERR_INIT;
	int ret = event_list_reopen_cpu(s->l, cpu, &p, s->os, &gone, &reason);

	for vec_each(g, &gone)
		if (g->fd >= 0)
			close(g->fd);
	vec_free(&gone);
	if (!ret && s->windows.on)
		event_list_enable(s->l);
	if (ret && ret != -ENODEV) {	/* else it is offline again */
		char *text = xasprintf("CPU %d is online: what runs there is not counted%s%s", cpu,
				       reason.msg ? ": " : "",
				       reason.msg ? reason.msg : "");

		message(s, text);
		free(text);
	}
	err_release(&reason);
}

/* The kernel takes counters of a CPU away when it goes offline: they go on when it is back. */
static void follow_cpus(struct session *s)
{
	struct os_cpu_event e;

	while (s->cpu_fd >= 0 && os_uevent_next_cpu(s->cpu_fd, &e))
		if (e.online && s->res->stat)
			follow_cpu(s, e.cpu);
}

/* The command may still run: a signal from the terminal reached it too, one from kill(1) did
 * not. */
static void stop_command(struct session *s, bool timed_out)
{
	if (!s->work.pid || s->work.reaped || workload_poll(&s->work) == 1)
		return;
	if (timed_out || s->waiter.sent)
		workload_signal(&s->work, timed_out ? SIGTERM : s->waiter.signal);
	s->waiter.signal = 0;
	if (waiter_wait(&s->waiter, s->os, 0) == WAIT_SIGNAL)
		workload_signal(&s->work, SIGKILL);
}

static void note_switch(struct session *s, bool on)
{
	const u64 now = os_now_ns();

	s->windows.on = on;
	count_tools_switch(&s->tools, on, now);
	if (s->shared)
		count_shared_switch(s->shared, on);
	if (on && !s->first_on_ns)
		s->first_on_ns = now;
}

static int switch_all(struct session *s, bool on)
{
	note_switch(s, on);
	return on ? event_list_enable(s->l) : event_list_disable(s->l);
}

static void apply_windows(struct session *s, u64 now)
{
	while (windows_due_ns(&s->windows) <= now - s->start_ns) {
		windows_step(&s->windows);
		switch_all(s, s->windows.on);
		message(s, s->windows.on ? "Events enabled" : "Events disabled");
	}
}

/* What came on the control channel; true: the end. */
static bool listen(struct session *s)
{
	const char *cmd;
	bool stop = false;

	while ((cmd = control_channel_next(&s->control))) {
		const bool enable = !strcmp(cmd, "enable");

		if (enable || !strcmp(cmd, "disable")) {
			switch_all(s, enable);
			message(s, enable ? "Events enabled" : "Events disabled");
		} else if (!strcmp(cmd, "stop")) {
			stop = true;
		} else if (strcmp(cmd, "ping")) {
			char *text = xasprintf("unknown command '%s' on the control channel "
					       "(enable, disable, ping, stop)", cmd);

			message(s, text);
			free(text);
			continue;
		}
		control_channel_ack(&s->control);
	}
	if (s->control.fd < 0)
		waiter_set(&s->waiter, PLACE_CONTROL, -1);
	return stop;
}

static u64 next_look(const struct session *s, u64 next_interval, u64 end)
{
	const u64 due = windows_due_ns(&s->windows);

	return wait_earlier(due == UINT64_MAX ? 0 : s->start_ns + due,
			    wait_earlier(next_interval, end));
}

/* An interval has ended; true: it was the last. */
static bool take_interval(struct session *s, u64 now, u64 *next)
{
	const struct count_opts *o = s->o;

	read_all(s, now);
	end_interval(s, now);
	while (*next <= now)
		*next += o->interval_ns;
	return o->interval_count && s->res->n_intervals >= o->interval_count;
}

/* Until the command ends, time is up, or somebody says so. */
static void wait_and_read(struct session *s)
{
	const struct count_opts *o = s->o;
	u64 next = o->interval_ns ? s->start_ns + o->interval_ns : 0;
	const u64 end = o->timeout_ns ? s->start_ns + o->timeout_ns : 0;
	bool enough = false;

	while (!enough) {
		const u64 look = count_tools_look(&s->tools, os_now_ns());
		enum wait_result r = waiter_wait(&s->waiter, s->os,
						 wait_earlier(look, next_look(s, next, end)));
		const u64 now = os_now_ns();

		if (r == WAIT_SIGNAL || r == WAIT_ENDED)
			break;
		if (r == WAIT_EVENT) {
			follow_cpus(s);
			enough = listen(s);
		}
		apply_windows(s, now);
		enough |= end && now >= end;
		if (!enough && next && now >= next)
			enough = take_interval(s, now, &next);
	}
	s->res->signal = s->waiter.signal;
	if (enough || s->res->signal)
		stop_command(s, enough);
}

static int start(struct session *s, struct err *err)
{
	if (s->attached && !later(s->o) && !s->o->null_run)
		event_list_enable_rest(s->l);
	s->tools.work = &s->work;
	s->tools.of_command = s->attached && s->work.pid;
	count_tools_start(&s->tools);
	s->first_on_ns = 0;
	vec_clear(&s->tool_sums);
	s->start_ns = s->last_ns = os_now_ns();
	if (s->windows.on)
		note_switch(s, true);
	if (!s->o->argv)
		return 0;
	return workload_start(&s->work, err) ? -ECHILD : 0;
}

static void finish_run(struct session *s, double *user_s, double *sys_s)
{
	const u64 end_ns = os_now_ns();
	/* what was waited for with -D is no part of it */
	const u64 from_ns = s->o->windows.n && s->first_on_ns ? s->first_on_ns : s->start_ns;
	const double seconds = (double)(end_ns - from_ns) / 1e9;

	if (!s->attached && s->res->stat)
		event_list_disable(s->l);
	if (s->work.pid)
		workload_wait(&s->work, NULL);
	read_all(s, end_ns);
	/* the rest of an interval, unless the last one ended just now by count */
	if (s->o->interval_ns && !(s->o->interval_count &&
				   s->res->n_intervals >= s->o->interval_count))
		end_interval(s, end_ns);
	if (s->o->file && !s->o->interval_ns)
		count_file_round(s->o->file, end_ns - s->start_ns, true);
	vec_push(&s->res->seconds, seconds);
	if (s->work.pid) {
		*user_s += (double)s->work.user_ns / 1e9;
		*sys_s += (double)s->work.sys_ns / 1e9;
		s->res->has_cpu_time = true;
		s->res->exit_code = workload_exit_code(&s->work);
	}
}

static int one_run(struct session *s, double *user_s, double *sys_s, struct err *err)
{
	int ret = 0;

	shell(s->o->pre);
	if (s->o->sync_first)
		sync();
	if (s->o->argv)
		ret = workload_prepare(&s->work, s->o->argv, false, err);
	if (!ret)
		ret = open_events(s, err);
	if (!ret) {
		if (later(s->o))
			message(s, "Events disabled");
		watch(s);
		ret = start(s, err);
	}
	if (!ret) {
		wait_and_read(s);
		finish_run(s, user_s, sys_s);
		shell(s->o->post);
	}
	workload_release(&s->work, ret != 0);
	return ret;
}

static void close_bpf(struct session *s)
{
	cgcount_close(s->cgcount);
	progcount_close(s->progcount);
	count_shared_close(s->shared, s->l);
	s->shared = NULL;
	s->cgcount = NULL;
	s->progcount = NULL;
}

static double mean(const struct count_result *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->seconds.n; i++)
		sum += r->seconds.v[i];
	return r->seconds.n ? sum / (double)r->seconds.n : 0;
}

static void final_rows(struct session *s)
{
	struct count_result *r = s->res;

	if (!r->stat)
		return;
	stat_get_average(r->stat, u64_of(mean(r) * 1e9), &r->rows);
}

int count_run(struct event_list *l, struct os *os, const struct count_opts *o,
	      struct count_result *res, struct err *err)
{
	struct session s = { .l = l, .os = os, .o = o, .res = res, .cpu_fd = -1,
			     .tools = { .l = l, .os = os },
			     .waiter = { .signal_fd = -1 }, .control = { .fd = -1, .ack_fd = -1 } };
	double user_s = 0, sys_s = 0;
	int ret;

	*res = (struct count_result){ 0 };
	ret = resolve(&s, err);
	if (!ret)
		ret = control_channel_open(&s.control, o->control, err);
	if (!ret)
		ret = waiter_init(&s.waiter, err);
	if (!ret && (o->target->system_wide ||
		     (o->target->cpu_list && !o->target->pid && !o->target->tid)))
		s.cpu_fd = os_uevent_cpus(os);
	waiter_add(&s.waiter, s.control.fd);
	waiter_add(&s.waiter, s.cpu_fd);
	for (int run = 0; !ret && (!o->runs || run < o->runs) && !res->signal; run++) {
		if (run) {
			close_bpf(&s);
			event_list_detach_fds(l, &s.old_fds);
		}
		ret = one_run(&s, &user_s, &sys_s, err);
		if (!ret && res->stat && o->interval_ns)
			stat_rewind(res->stat);
		if (!ret && res->stat)
			stat_end_run(res->stat);
	}
	if (!ret) {
		final_rows(&s);
		res->user_s = res->seconds.n ? user_s / (double)res->seconds.n : 0;
		res->sys_s = res->seconds.n ? sys_s / (double)res->seconds.n : 0;
	}
	close_bpf(&s);
	event_list_detach_fds(l, &s.old_fds);
	if (s.old_fds.n)
		os_close_slow(s.old_fds.v, s.old_fds.n);
	vec_free(&s.old_fds);
	vec_free(&s.topo);
	vec_free(&s.tool_sums);
	count_tools_release(&s.tools);
	if (s.cpu_fd >= 0)
		close(s.cpu_fd);
	control_channel_close(&s.control);
	waiter_release(&s.waiter);
	return ret;
}
