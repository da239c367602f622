// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "include/abi/perf_event.h"
#include "util/event/event.h"

/* A kernel made of one function: it answers by the attr alone, with real (but dead) descriptors. */
static int dead_fd(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int vm_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED, int group UNUSED,
		     unsigned long flags UNUSED)
{
	return a->type == PERF_TYPE_SOFTWARE ? dead_fd() : -ENOENT;
}

static int old_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED, int group UNUSED,
		      unsigned long flags UNUSED)
{
	return a->build_id || a->cgroup || a->read_format & 16 ? -EINVAL : dead_fd();
}

/* 5.10 in a virtual machine without counters, perf_event_paranoid at 2 */
static int old_vm_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED,
			 int group UNUSED, unsigned long flags UNUSED)
{
	if (a->build_id || a->read_format & 16)
		return -EINVAL;
	if (!a->exclude_kernel)
		return -EACCES;
	return a->type == PERF_TYPE_SOFTWARE ? dead_fd() : -ENOENT;
}

/* A PMU that refuses branch stacks, whatever else is asked for. */
static int no_branches_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED,
			      int group UNUSED, unsigned long flags UNUSED)
{
	return a->sample_type & PERF_SAMPLE_BRANCH_STACK ? -EINVAL : dead_fd();
}

static int strict_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED,
			 int group UNUSED, unsigned long flags UNUSED)
{
	return a->exclude_kernel ? dead_fd() : -EACCES;
}

static int imprecise_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED,
			    int group UNUSED, unsigned long flags UNUSED)
{
	return a->precise_ip > 1 ? -EOPNOTSUPP : dead_fd();
}

static int small_group_kernel(struct perf_event_attr *a UNUSED, pid_t pid UNUSED, int cpu UNUSED,
			      int group, unsigned long flags UNUSED)
{
	return group >= 0 ? -EINVAL : dead_fd();
}

static int losing_kernel(struct perf_event_attr *a UNUSED, pid_t pid, int cpu UNUSED,
			 int group UNUSED, unsigned long flags UNUSED)
{
	return pid == 7 ? -ESRCH : dead_fd();
}

/* Each open as "type:config pid@cpu", * for those that an exec enables. */
static struct str opens;

static int noting_kernel(struct perf_event_attr *a, pid_t pid, int cpu, int group UNUSED,
			 unsigned long flags UNUSED)
{
	str_addf(&opens, "%u:%llx %d@%d%s ", a->type, (unsigned long long)a->config, pid, cpu,
		 a->enable_on_exec ? "*" : "");
	return dead_fd();
}

struct opened {
	struct os os;
	struct event_list l;
	struct open_report report;
	struct err err;
	struct target target;
	int ret;
};

static struct opened try_open(const char *root, const char *text, struct open_policy p,
			      int (*kernel)(struct perf_event_attr *, pid_t, int, int,
					    unsigned long))
{
	struct opened o = { 0 };
	char *dir = xasprintf("tests/roots/%s", root);

	os_init_root(&o.os, dir);
	free(dir);
	o.os.perf_event_open = kernel;
	event_list_init(&o.l);
	CHECK_EQ(event_parse(&o.l, text, &o.os, unit_keep(pmu_db_new(&o.os)), NULL), 0);
	if (!o.target.tids.n)
		vec_push(&o.target.tids, 5);
	vec_push(&o.target.tids, 7);
	vec_push(&o.target.cpus, -1);
	p.target = &o.target;
	o.ret = event_list_open(&o.l, &p, &o.os, &o.report, &o.err);
	return o;
}

static void done(struct opened *o)
{
	event_list_release(&o->l);
	open_report_release(&o->report);
	err_release(&o->err);
	target_release(&o->target);
	os_release(&o->os);
}

static const struct open_policy stat_policy =
	{ .use = OPEN_COUNT, .skip_unsupported = true, .allow_fallback = true, .inherit = true };

TEST(stat_skips_what_is_not_there)
{
	struct opened o = try_open("vm", "cs,cycles,faults", stat_policy, vm_kernel);

	CHECK_EQ(o.ret, 0);
	CHECK(o.l.events.v[0]->supported);
	CHECK(!o.l.events.v[1]->supported);
	CHECK(o.l.events.v[2]->supported);
	CHECK_EQ(o.l.events.v[0]->n_threads, 2);
	CHECK(o.l.events.v[0]->fds[1] >= 0);
	CHECK_EQ(o.l.events.v[1]->fds[0], -1);
	CHECK_EQ(o.report.changes.n, 1);
	CHECK_EQ(o.report.changes.v[0].what, OPEN_UNSUPPORTED);
	done(&o);
}

TEST(group_without_its_leader_is_broken_up)
{
	struct opened o = try_open("vm", "{cycles,cs,faults}", stat_policy, vm_kernel);

	CHECK_EQ(o.ret, 0);
	CHECK(!o.l.events.v[0]->supported);
	CHECK(o.l.events.v[1]->supported);
	CHECK(o.l.events.v[1]->leader == o.l.events.v[1]);
	CHECK(o.l.events.v[2]->fds[0] >= 0);
	done(&o);
}

TEST(weak_group_is_broken_up)
{
	struct opened o = try_open("vm", "{cs,faults}:W,dummy", stat_policy, small_group_kernel);

	CHECK_EQ(o.ret, 0);
	for (int i = 0; i < 3; i++) {
		CHECK(o.l.events.v[i]->supported);
		CHECK(o.l.events.v[i]->leader == o.l.events.v[i]);
		CHECK(o.l.events.v[i]->fds[1] >= 0);
	}
	CHECK_EQ(o.report.changes.v[0].what, OPEN_BROKE_GROUP);
	done(&o);
}

/* ids cannot be read from dead descriptors: opening for samples fails after the open loop, the
 * changes are what counts here */
TEST(sampling_cycles_falls_back_to_the_clock)
{
	struct open_policy p = { .use = OPEN_SAMPLE, .allow_fallback = true };
	struct opened o = try_open("vm", "cycles:u", p, vm_kernel);

	CHECK_EQ(o.report.changes.v[0].what, OPEN_CHANGED_EVENT);
	CHECK_STR(o.report.changes.v[0].detail, "The event 'cycles:u' is not supported by this "
		  "machine: 'cpu-clock' is recorded instead");
	CHECK_STR(o.l.events.v[0]->name, "cpu-clock:u");
	CHECK_EQ(o.l.events.v[0]->attr.type, PERF_TYPE_SOFTWARE);
	CHECK(o.l.events.v[0]->attr.exclude_kernel);
	done(&o);
	o = try_open("vm", "cache-misses", p, vm_kernel);
	CHECK_EQ(o.ret, -ENOENT);
	CHECK_STR(o.err.msg, "the event 'cache-misses' is not supported by this machine");
	done(&o);
}

TEST(kernel_is_excluded_when_forbidden)
{
	struct open_policy p = stat_policy;
	struct opened o = try_open("vm", "cycles,cs:pp", p, strict_kernel);

	CHECK_EQ(o.ret, 0);
	CHECK_STR(o.l.events.v[0]->name, "cycles:u");
	CHECK(o.l.events.v[0]->attr.exclude_kernel);
	CHECK_STR(o.l.events.v[1]->name, "cs:ppu");
	CHECK_EQ(o.report.changes.v[0].what, OPEN_EXCLUDED_KERNEL);
	done(&o);
	p.allow_fallback = false;
	o = try_open("vm", "cycles", p, strict_kernel);
	CHECK_EQ(o.ret, -EACCES);
	CHECK(strstr(o.err.hint, "perf_event_paranoid is 2"));
	done(&o);
}

static int closed_kernel(struct perf_event_attr *a UNUSED, pid_t pid UNUSED, int cpu UNUSED,
			 int group UNUSED, unsigned long flags UNUSED)
{
	return -EPERM;
}

/* The filter of a container answers, whatever perf_event_paranoid is: it is 2 there. */
TEST(a_filter_of_calls_is_blamed)
{
	struct opened o = try_open("filtered", "task-clock", stat_policy, closed_kernel);

	CHECK_EQ(o.ret, -EPERM);
	CHECK_STR(o.err.msg,
		  "cannot open event 'task-clock' for thread 5: Operation not permitted");
	CHECK(str_has_prefix(o.err.hint, "a seccomp filter, as containers have one, forbids "
			     "perf_event_open to this process: "));
	CHECK_EQ(o.report.changes.n, 0);	/* without the kernel it would be no better */
	done(&o);
}

TEST(precision_is_lowered)
{
	struct opened o = try_open("vm", "cycles:P,cs:pp", stat_policy, imprecise_kernel);

	CHECK_EQ(o.ret, 0);
	CHECK_EQ(o.l.events.v[0]->attr.precise_ip + 0, 0);	/* P is about samples */
	CHECK_EQ(o.l.events.v[1]->attr.precise_ip + 0, 1);
	done(&o);
}

TEST(old_kernels_get_fewer_attr_bits)
{
	struct open_policy p = { .use = OPEN_SAMPLE };
	struct opened o = { 0 };

	os_init_root(&o.os, "tests/roots/vm");
	o.os.perf_event_open = old_kernel;
	event_list_init(&o.l);
	CHECK_EQ(event_parse(&o.l, "cs,faults", &o.os, NULL, NULL), 0);
	for (int i = 0; i < 2; i++) {
		o.l.events.v[i]->attr.build_id = 1;
		o.l.events.v[i]->attr.cgroup = 1;
		o.l.events.v[i]->attr.mmap2 = 1;
		o.l.events.v[i]->attr.read_format = 16 | PERF_FORMAT_ID;
	}
	vec_push(&o.target.tids, 5);
	vec_push(&o.target.cpus, -1);
	p.target = &o.target;
	event_list_open(&o.l, &p, &o.os, &o.report, &o.err);
	CHECK_EQ(o.l.events.v[1]->attr.build_id + 0, 0);
	CHECK_EQ(o.l.events.v[1]->attr.cgroup + 0, 0);
	CHECK_EQ(o.l.events.v[1]->attr.mmap2 + 0, 1);
	CHECK_EQ(o.l.events.v[1]->attr.read_format, PERF_FORMAT_ID);
	CHECK_EQ(o.report.changes.v[0].what, OPEN_DROPPED_FLAG);
	CHECK_STR(o.report.changes.v[0].detail,
		  "cs: this kernel has no lost counts, build ids in mmap records, cgroup records");
	done(&o);
}

/* Two bits this kernel does not know, an event it does not have, and a right that is missing:
 * each hides the next. */
TEST(what_an_old_kernel_says_behind_its_missing_bits)
{
	struct open_policy p = { .use = OPEN_SAMPLE, .allow_fallback = true };
	struct opened o = { 0 };

	os_init_root(&o.os, "tests/roots/vm");
	o.os.perf_event_open = old_vm_kernel;
	event_list_init(&o.l);
	CHECK_EQ(event_parse(&o.l, "cycles:P,faults", &o.os, NULL, NULL), 0);
	for (int i = 0; i < 2; i++) {
		o.l.events.v[i]->attr.build_id = 1;
		o.l.events.v[i]->attr.read_format = 16 | PERF_FORMAT_ID;
	}
	vec_push(&o.target.tids, 5);
	vec_push(&o.target.cpus, -1);
	p.target = &o.target;
	event_list_open(&o.l, &p, &o.os, &o.report, &o.err);
	CHECK_STR(o.l.events.v[0]->name, "cpu-clock:u");
	CHECK_STR(o.l.events.v[1]->name, "faults:u");
	CHECK_EQ(o.l.events.v[0]->attr.build_id + 0, 0);
	CHECK_EQ(o.l.events.v[0]->attr.read_format, PERF_FORMAT_ID);
	CHECK_EQ(o.report.changes.v[0].what, OPEN_DROPPED_FLAG);
	CHECK_STR(o.report.changes.v[0].detail,
		  "cycles:P: this kernel has no lost counts, build ids in mmap records");
	done(&o);
}

static const u64 defer = ABI_ATTR_DEFER_CALLCHAIN | ABI_ATTR_DEFER_OUTPUT;

/* Linux 6.18 */
static int no_defer_kernel(struct perf_event_attr *a, pid_t pid UNUSED, int cpu UNUSED,
			   int group UNUSED, unsigned long flags UNUSED)
{
	return abi_attr_flags(a) & defer ? -EINVAL : dead_fd();
}

TEST(deferred_chains_are_asked_for_where_the_kernel_has_them)
{
	for (int has = 0; has < 2; has++) {
		struct open_policy p = { .use = OPEN_SAMPLE };
		struct opened o = { 0 };
		struct perf_event_attr *a;

		os_init_root(&o.os, "tests/roots/vm");
		o.os.perf_event_open = has ? noting_kernel : no_defer_kernel;
		event_list_init(&o.l);
		CHECK_EQ(event_parse(&o.l, "cs", &o.os, NULL, NULL), 0);
		a = &o.l.events.v[0]->attr;
		abi_attr_set_flags(a, abi_attr_flags(a) | defer);
		vec_push(&o.target.tids, 5);
		vec_push(&o.target.cpus, -1);
		p.target = &o.target;
		event_list_open(&o.l, &p, &o.os, &o.report, &o.err);
		CHECK_EQ(abi_attr_flags(a) & defer, has ? defer : 0);
		CHECK_EQ(o.report.changes.n, has ? 0 : 1);
		if (!has)
			CHECK_STR(o.report.changes.v[0].detail,
				  "cs: this kernel has no deferred call chains");
		done(&o);
	}
	str_release(&opens);
}

TEST(a_refusal_that_no_bit_explains_stays)
{
	struct open_policy p = { .use = OPEN_SAMPLE };
	struct opened o = { 0 };

	os_init_root(&o.os, "tests/roots/vm");
	o.os.perf_event_open = no_branches_kernel;
	event_list_init(&o.l);
	CHECK_EQ(event_parse(&o.l, "cs", &o.os, NULL, NULL), 0);
	o.l.events.v[0]->attr.build_id = 1;
	o.l.events.v[0]->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK;
	vec_push(&o.target.tids, 5);
	vec_push(&o.target.cpus, -1);
	p.target = &o.target;
	CHECK_EQ(event_list_open(&o.l, &p, &o.os, &o.report, &o.err), -EINVAL);
	CHECK_EQ(o.l.events.v[0]->attr.build_id + 0, 1);
	CHECK_EQ(o.report.changes.n, 0);
	done(&o);
}

TEST(a_thread_that_ended_is_no_error)
{
	struct opened o = try_open("vm", "cs,faults", stat_policy, losing_kernel);

	CHECK_EQ(o.ret, 0);
	CHECK(o.l.events.v[1]->fds[0] >= 0);
	CHECK_EQ(o.l.events.v[1]->fds[1], -1);
	CHECK_EQ(o.report.changes.n, 1);
	CHECK_EQ(o.report.changes.v[0].what, OPEN_THREAD_GONE);
	done(&o);
}

TEST(events_of_cpus_are_opened_there)
{
	static const struct { const char *root, *text, *opens; } t[] = {
		{ "server-2s", "cs,power/energy-pkg/", "1:3 5@-1* 1:3 7@-1* 22:2 -1@0 22:2 -1@2 " },
		{ "server-2s", "imc/event=1/", "20:1 -1@0 20:1 -1@2 21:1 -1@0 21:1 -1@2 " },
		{ "server-2s", "cs/cpu=3,cpu=1/", "1:3 5@3* 1:3 5@1* 1:3 7@3* 1:3 7@1* " },
		{ "laptop-hybrid", "cycles", "0:400000000 5@-1* 0:400000000 7@-1* 0:a00000000 "
					     "5@-1* 0:a00000000 7@-1* " },
		{ "laptop-hybrid", "cycles/cpu=2/", "0:a00000000 5@2* 0:a00000000 7@2* " },
	};
	struct open_policy p = stat_policy;

	p.enable_on_exec = true;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		str_reset(&opens);
		struct opened o = try_open(t[i].root, t[i].text, p, noting_kernel);

		CHECK_EQ(o.ret, 0);
		CHECK_STR(opens.buf, t[i].opens);
		done(&o);
	}
	str_release(&opens);
}

static char *names_on(const char *text, int cpu, int *ret)
{
	struct open_policy p = { .use = OPEN_SAMPLE, .allow_fallback = true };
	struct opened o = { 0 };
	struct str s = STR_INIT;

	os_init_root(&o.os, "tests/roots/laptop-hybrid");
	o.os.perf_event_open = noting_kernel;
	event_list_init(&o.l);
	CHECK_EQ(event_parse(&o.l, text, &o.os, unit_keep(pmu_db_new(&o.os)), NULL), 0);
	vec_push(&o.target.tids, -1);
	vec_push(&o.target.cpus, cpu);
	p.target = &o.target;
	*ret = event_list_open(&o.l, &p, &o.os, &o.report, &o.err);
	for (size_t i = 0; i < o.l.events.n; i++)
		str_addf(&s, "%s:%d:%d ", o.l.events.v[i]->name, o.l.events.v[i]->leader->index,
			 o.l.events.v[i]->n_members);
	done(&o);
	return unit_keep(str_detach(&s));
}

TEST(events_of_other_cpus_are_not_recorded)
{
	int ret;

	CHECK_STR(names_on("cycles,cs", 2, &ret), "cpu_atom/cycles/:0:1 cs:1:1 ");
	CHECK_STR(names_on("cs,cycles", 1, &ret), "cs:0:1 cpu_core/cycles/:1:1 ");
	CHECK_STR(names_on("{cycles,instructions,cs,faults}", 3, &ret),
		  "cs:0:2 faults:0:1 cpu_atom/cycles/:2:2 cpu_atom/instructions/:2:1 ");
	CHECK_STR(names_on("cpu_core/cycles/", 2, &ret), "cpu_core/cycles/:0:1 ");
	CHECK_EQ(ret, -ENODEV);
	str_release(&opens);
}
