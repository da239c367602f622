// SPDX-License-Identifier: GPL-2.0-or-later
// filter CALL,CALL... PROGRAM [ARGUMENT...]: runs it under a seccomp filter that refuses these
// system calls (EPERM), as the default profiles of containers do. x86-64; without rights: the
// filter needs none once no_new_privs is set.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct { const char *name; unsigned nr; } calls[] = {
	{ "perf_event_open", SYS_perf_event_open }, { "bpf", SYS_bpf },
};

int main(int argc, char **argv)
{
	const struct sock_filter load = BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 offsetof(struct seccomp_data, nr));
	const struct sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_filter prog[16];
	unsigned short n = 0;

	if (argc < 3)
		return 2;
	prog[n++] = load;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (!strstr(argv[1], calls[i].name))
			continue;
		prog[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].nr,
							 0, 1);
		prog[n++] = refuse;
	}
	prog[n++] = allow;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){ n, prog })) {
		perror("seccomp");
		return 3;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 4;
}
