// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/priority.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

bool os_may_be_realtime(void)
{
	struct sched_param before, first = { .sched_priority = 1 };
	const int policy = sched_getscheduler(0);

	if (policy < 0 || sched_getparam(0, &before) || sched_setscheduler(0, SCHED_FIFO, &first))
		return false;
	sched_setscheduler(0, policy, &before);
	return true;
}

int os_realtime(int priority, struct err *err)
{
	const struct sched_param p = { .sched_priority = priority };

	if (!sched_setscheduler(0, SCHED_FIFO, &p))
		return 0;
	err_sys(err, errno, "cannot set the realtime priority %d", priority);
	err_hint(err, "it needs root or CAP_SYS_NICE, and a number between 1 and 99");
	return -EPERM;
}

int os_quick(void)
{
	const struct sched_param p = { .sched_priority = 1 };
	const int before = getpriority(PRIO_PROCESS, 0);

	setpriority(PRIO_PROCESS, 0, -20);
	sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &p);
	return before;
}

void os_normal(int nice_before)
{
	const struct sched_param p = { .sched_priority = 0 };

	sched_setscheduler(0, SCHED_OTHER, &p);
	setpriority(PRIO_PROCESS, 0, nice_before);
}

int os_run_on(const int_vec *cpus)
{
	const int n = cpus->n ? cpus->v[cpus->n - 1] + 1 : 1;
	cpu_set_t *set = CPU_ALLOC((size_t)n);
	int ret;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(CPU_ALLOC_SIZE((size_t)n), set);
	for vec_each(c, cpus)
		CPU_SET_S((size_t)*c, CPU_ALLOC_SIZE((size_t)n), set);
	ret = sched_setaffinity(0, CPU_ALLOC_SIZE((size_t)n), set) ? -errno : 0;
	CPU_FREE(set);
	return ret;
}

#define MOST_CPUS 65536		/* the kernel refuses a set that is smaller than its own */

int os_may_run_on(int_vec *cpus)
{
	const size_t bytes = CPU_ALLOC_SIZE(MOST_CPUS);
	cpu_set_t *set = CPU_ALLOC(MOST_CPUS);
	int ret;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(bytes, set);
	ret = sched_getaffinity(0, bytes, set) ? -errno : 0;
	for (int i = 0; !ret && i < MOST_CPUS; i++)
		if (CPU_ISSET_S((size_t)i, bytes, set))
			vec_push(cpus, i);
	CPU_FREE(set);
	return ret;
}
