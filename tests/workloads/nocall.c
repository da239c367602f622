// SPDX-License-Identifier: GPL-2.0-or-later
// nocall CALL=ERROR COMMAND...
// Runs a command for which a system call fails: bpf, perf_event_open or mount, with EPERM, EINVAL
// or ENOSYS, as below a filter of a container or on a kernel that was built without it.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	int value;
} names[] = {
	{ "bpf", SYS_bpf },
	{ "perf_event_open", SYS_perf_event_open },
	{ "mount", SYS_mount },
	{ "EPERM", EPERM },
	{ "EINVAL", EINVAL },
	{ "ENOSYS", ENOSYS },
};

static int number(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].value;
	return -1;
}

int main(int argc, char **argv)
{
	char *error = argc > 2 ? strchr(argv[1], '=') : NULL;

	if (error)
		*error++ = '\0';
	if (!error || number(argv[1]) < 0 || number(error) < 0) {
		fprintf(stderr, "usage: nocall CALL=ERROR COMMAND...\n");
		return 127;
	}
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number(argv[1]), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | number(error)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog prog = { .len = sizeof(code) / sizeof(*code), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("nocall");
		return 127;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
