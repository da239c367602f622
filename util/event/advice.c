// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/open-priv.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/procfs.h"
#include "util/os/rights.h"

static const char *where(pid_t tid, int cpu, char *buf, size_t n)
{
	if (tid < 0)
		snprintf(buf, n, " on CPU %d", cpu);
	else if (cpu < 0)
		snprintf(buf, n, " for thread %d", tid);
	else
		snprintf(buf, n, " for thread %d on CPU %d", tid, cpu);
	return buf;
}

/* The highest perf_event_paranoid at which everybody may open it. What a tracepoint tells with
 * its sample is for root, but for the calls of one's own processes. */
static int needed_level(const struct event *e, bool all)
{
	const bool calls = str_has_prefix(e->name, "syscalls:") ||
		str_has_prefix(e->name, "raw_syscalls:");

	if (e->attr.type == PERF_TYPE_TRACEPOINT && e->attr.sample_type & PERF_SAMPLE_RAW &&
	    (all || !calls))
		return -1;
	return all ? 0 : e->attr.exclude_kernel ? 2 : 1;
}

/* A thread of another user may not be watched, whatever the level. */
static bool is_of_others(const struct os *os, pid_t tid)
{
	struct procfs_status st;

	return tid > 0 && procfs_status(os, tid, &st, NULL) == 0 && st.uid != geteuid();
}

static bool may_measure(const struct os *os)
{
	return os_may(os, CAP_PERFMON) || os_may(os, CAP_SYS_ADMIN);
}

/* The level allows it, or does not count. */
static void forbidden_hint(const struct os *os, pid_t tid, struct err *err)
{
	char *how = os_how_to_get(os, CAP_PERFMON);

	if (!may_measure(os) && is_of_others(os, tid))
		err_hint(err, "it belongs to another user: %s", how);
	else if (may_measure(os))
		err_hint(err, "the kernel refuses it to root, too: a security module (SELinux, "
			      "lockdown) may forbid perf_event_open");
	else
		err_hint(err, "the kernel refuses although perf_event_paranoid is %d: a security "
			      "module (SELinux) may forbid perf_event_open, or it needs a right "
			      "of its own: %s", os_paranoid(os), how);
	free(how);
}

static void level_hint(const struct event *e, const struct os *os, pid_t tid, int need,
		       struct err *err)
{
	const char *where = os_sysctl_where(os);
	const int level = os_paranoid(os);
	char *how = os_how_to_get(os, CAP_PERFMON);

	if (e->attr.type == PERF_TYPE_TRACEPOINT)
		err_hint(err, "%s a tracepoint%s needs perf_event_paranoid at %d, and it is %d: "
			      "%s;\nor now: sudo sysctl kernel.perf_event_paranoid=%d%s",
			 e->attr.sample_type & PERF_SAMPLE_RAW ? "recording" : "counting",
			 tid < 0 ? " of the whole system" : "", need, level, how, need, where);
	else
		err_hint(err, "access to performance monitoring is limited: perf_event_paranoid is "
			      "%d:\n"
			 "  -1: no limits    0: CPU events of the whole system    1: own processes "
			 "with the kernel\n"
			 "   2: own processes, user space only    3 and more: nothing\n"
			 "%s needs at most %d. Now: sudo sysctl kernel.perf_event_paranoid=%d%s\n"
			 "For good: add kernel.perf_event_paranoid = %d to /etc/sysctl.conf; or %s",
			 level,
			 tid < 0 ? "watching all processes" : e->attr.exclude_kernel ? "this" :
			 "watching the kernel part of a process",
			 need, need, where, need, how);
	free(how);
}

/* A filter answers before the kernel does: what the kernel would say is not known. */
static int no_access(const struct event *e, const struct os *os, pid_t tid, int cpu, int code,
		     struct err *err)
{
	char at[64];
	const int need = needed_level(e, tid < 0);

	err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
		where(tid, cpu, at, sizeof(at)));
	if (os_call_is_filtered(os, OS_PERF_EVENT_OPEN))
		os_filter_hint(OS_PERF_EVENT_OPEN, err);
	else if (os_paranoid(os) <= need || may_measure(os))
		forbidden_hint(os, tid, err);
	else
		level_hint(e, os, tid, need, err);
	return -code;
}

static bool is_hardware(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE ||
		a->type == PERF_TYPE_RAW;
}

int open_advice(const struct event *e, const struct open_policy *p, const struct os *os, pid_t tid,
		int cpu, int code,
		struct err *err)
{
	char at[64];

	switch (code) {
	case EACCES:
	case EPERM:
		return no_access(e, os, tid, cpu, code, err);
	case ENOSYS:
		if (os_call_is_filtered(os, OS_PERF_EVENT_OPEN))
			return no_access(e, os, tid, cpu, code, err);
		err_set(err, code, "cannot open event '%s': this kernel has no perf_event_open",
			event_typed(e));
		err_hint(err, "the kernel needs CONFIG_PERF_EVENTS");
		return -code;
	case ESRCH:
		return err_set(err, code, "cannot open event '%s': thread %d does not exist",
			       event_typed(e), tid);
	case EMFILE:
		err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
			where(tid, cpu, at, sizeof(at)));
		err_hint(err, "too many counters for the limit of open files: raise it (ulimit "
			      "-n), or use fewer events, "
			 "threads or CPUs");
		return -code;
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
	case ENXIO:
		err_set(err, code, "the event '%s' is not supported by this machine",
			event_typed(e));
		if (p->use == OPEN_SAMPLE && e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			err_set(err, code, "the hardware behind '%s' cannot record branches",
				event_typed(e));
		else if (is_hardware(&e->attr))
			err_hint(err, "there is no such hardware counter here (virtual machines "
				      "often have none): 'cpu-clock' and "
				 "the other software events work everywhere");
		else if (e->pmu && p->use == OPEN_SAMPLE)
			err_hint(err, "the PMU '%s' may only count: try perf stat", e->pmu);
		return -code;
	case EBUSY:
		err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
			where(tid, cpu, at, sizeof(at)));
		err_hint(err, "the counters are taken: another profiler or the NMI watchdog uses "
			      "them "
			 "(sudo sysctl kernel.nmi_watchdog=0)");
		return -code;
	case EINVAL:
		err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
			where(tid, cpu, at, sizeof(at)));
		if (e->own_cpus.n && tid >= 0)
			err_hint(err, "events of the PMU '%s' belong to CPUs, not to processes: "
				      "use -a", e->pmu ? e->pmu : "?");
		else if (e->pmu && tid >= 0)
			err_hint(err, "this event may only work for the whole system: try -a");
		else if (p->use == OPEN_SAMPLE && is_hardware(&e->attr) && e->attr.precise_ip)
			err_hint(err, "this machine may not support precise sampling: try without "
				      "the modifier p");
		return -code;
	}
	return err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
		       where(tid, cpu, at, sizeof(at)));
}
