// SPDX-License-Identifier: GPL-2.0-or-later
/* steps PROGRAM: runs it one instruction at a time, and prints the address of each. x86-64 only. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
int main(int argc, char **argv)
{
	struct user_regs_struct regs;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
			return 1;
		printf("%llx\n", (unsigned long long)regs.rip);
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			return 1;
	}
	return WIFEXITED(status) ? 0 : 1;
}
#else
int main(void)
{
	return 77;
}
#endif
