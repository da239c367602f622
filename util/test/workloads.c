// SPDX-License-Identifier: GPL-2.0-or-later
// What the workloads share; their table is in table.c.
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "util/base/num.h"
#include "util/test/workloads-priv.h"

double workload_arg(int n, const char **args, int i, double dflt)
{
	double v;

	return i < n && parse_double(args[i], &v) ? v : dflt;
}

static volatile sig_atomic_t *stop_flag;

static void stop(int sig)
{
	(void)sig;
	*stop_flag = 1;
}

void workload_stop_after(double seconds, volatile sig_atomic_t *done)
{
	struct itimerval t = { .it_value = { .tv_sec = (time_t)seconds } };
	struct sigaction sa = { .sa_handler = stop };

	t.it_value.tv_usec = (suseconds_t)((seconds - (double)t.it_value.tv_sec) * 1e6);
	stop_flag = done;
	*done = t.it_value.tv_sec == 0 && t.it_value.tv_usec == 0;
	sigaction(SIGALRM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

void workload_name_task(const char *name)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "perf-%s", name);
	prctl(PR_SET_NAME, comm);
}
