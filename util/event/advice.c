// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/open-priv.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <unistd.h>

#include "util/os/procfs.h"

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

static void forbidden_hint(const struct os *os, pid_t tid, int level, struct err *err)
{
	if (is_of_others(os, tid) && !os_may(os, CAP_PERFMON) && !os_may(os, CAP_SYS_ADMIN))
		err_hint(err, "it belongs to another user: run as %s, or with CAP_PERFMON",
			 geteuid() ? "root" : "root of the machine (not of a container)");
	else if (os_may(os, CAP_PERFMON) || os_may(os, CAP_SYS_ADMIN))
		err_hint(err, "the kernel refuses it to root, too: a container or a security "
			      "module (seccomp, SELinux, lockdown) may "
			 "forbid perf_event_open; allow it there (docker: --cap-add PERFMON)");
	else
		err_hint(err, "the kernel refuses although perf_event_paranoid is %d: a container "
			      "or a security module (seccomp, "
			 "SELinux) may forbid perf_event_open.\n%s allow it "
			 "there (docker: --cap-add PERFMON)", level, geteuid() ? "Run as root, or" :
			 "To mend it,");
}

static int no_access(const struct event *e, const struct os *os, pid_t tid, int cpu, int code,
		     struct err *err)
{
	char at[64];
	const int level = os_paranoid(os), need = needed_level(e, tid < 0);
	const char *or_root = geteuid() ? "run as root or with CAP_PERFMON" :
		"give this root CAP_PERFMON (docker: --cap-add PERFMON)";

	err_sys(err, code, "cannot open event '%s'%s", event_typed(e),
		where(tid, cpu, at, sizeof(at)));
	if (level <= need || os_may(os, CAP_PERFMON) || os_may(os, CAP_SYS_ADMIN))
		forbidden_hint(os, tid, level, err);
	else if (e->attr.type == PERF_TYPE_TRACEPOINT)
		err_hint(err, "%s a tracepoint%s needs root, CAP_PERFMON, or perf_event_paranoid "
			      "at %d.\n"
			 "perf_event_paranoid is %d; now: sudo sysctl "
			 "kernel.perf_event_paranoid=%d",
			 e->attr.sample_type & PERF_SAMPLE_RAW ? "recording" : "counting",
			 tid < 0 ? " of the whole system" : "", need, level, need);
	else
		err_hint(err, "access to performance monitoring is limited: perf_event_paranoid is "
			      "%d:\n"
			 "  -1: no limits    0: CPU events of the whole system    1: own processes "
			 "with the kernel\n"
			 "   2: own processes, user space only    3 and more: nothing\n"
			 "%s needs at most %d. Now: sudo sysctl kernel.perf_event_paranoid=%d\n"
			 "For good: add kernel.perf_event_paranoid = %d to /etc/sysctl.conf; or %s",
			 level,
			 tid < 0 ? "watching all processes" : e->attr.exclude_kernel ? "this" :
			 "watching the kernel part of a process",
			 need, need, need, or_root);
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
		err_set(err, code, "cannot open event '%s': this kernel has no perf_event_open",
			event_typed(e));
		err_hint(err, "the kernel needs CONFIG_PERF_EVENTS; containers may hide it "
			      "(seccomp)");
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
