// SPDX-License-Identifier: GPL-2.0-or-later
/* sysends: signals of many kinds, each taken by a handler, and children that end in different
 * ways, one after the other. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int sig)
{
	(void)sig;
}

static void child(void (*end)(void))
{
	pid_t pid = fork();

	if (!pid) {
		end();
		_exit(99);
	}
	while (waitpid(pid, NULL, 0) < 0)
		;
}

static void leave(void)
{
	_exit(3);
}

static void fault(void)
{
	volatile int *nowhere = (int *)16;

	*nowhere = 1;
}

static void suicide(void)
{
	kill(getpid(), SIGKILL);
}

static void terminate(void)
{
	raise(SIGTERM);
}

int main(void)
{
	const int sigs[] = { SIGUSR1, SIGCHLD, SIGALRM, SIGRTMIN + 2 };
	struct sigaction act = { .sa_handler = handler };
	struct itimerval timer = { .it_value.tv_usec = 10000 };
	union sigval value = { .sival_int = 77 };
	sigset_t set, before;

	for (unsigned i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], &act, NULL))
			return 99;
	kill(getpid(), SIGUSR1);
	raise(SIGUSR1);
	sigqueue(getpid(), SIGRTMIN + 2, value);
	child(leave);
	child(fault);
	child(suicide);
	child(terminate);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &before);
	setitimer(ITIMER_REAL, &timer, NULL);
	sigsuspend(&before);
	return 5;
}
