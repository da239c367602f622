// SPDX-License-Identifier: GPL-2.0-or-later
// dockerlike [+perfmon] [+bpf] [+syslog] COMMAND...
// Runs a command below a seccomp filter as the default profile of Docker (and of Podman) makes it:
// what is for CAP_SYS_ADMIN, CAP_PERFMON, CAP_BPF or CAP_SYSLOG fails with EPERM; +NAME: the
// container was given that capability, and then the profile allows its calls. Sets no capabilities.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CALLS 32

static struct sock_filter code[2 * MAX_CALLS + 4];
static size_t n;

static void add(struct sock_filter f)
{
	code[n++] = f;
}

static void forbid(int nr)
{
	add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1));
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

int main(int argc, char **argv)
{
	static const struct { const char *cap; int nr; } calls[] = {
		{ "perfmon", SYS_perf_event_open }, { "bpf", SYS_bpf }, { "syslog", SYS_syslog },
		{ "", SYS_mount }, { "", SYS_umount2 }, { "", SYS_setns }, { "", SYS_unshare },
		{ "", SYS_fsopen }, { "", SYS_fsconfig }, { "", SYS_fsmount }, { "", SYS_fspick },
		{ "", SYS_move_mount }, { "", SYS_open_tree }, { "", SYS_pivot_root },
		{ "", SYS_quotactl }, { "", SYS_fanotify_init }, { "", SYS_swapon },
		{ "", SYS_swapoff }, { "", SYS_init_module }, { "", SYS_finit_module },
		{ "", SYS_delete_module }, { "", SYS_add_key }, { "", SYS_request_key },
		{ "", SYS_keyctl }, { "", SYS_userfaultfd }, { "", SYS_open_by_handle_at },
	};
	int at = 1;

	add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					 offsetof(struct seccomp_data, nr)));
	while (at < argc && argv[at][0] == '+')
		at++;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int given = 0;

		for (int k = 1; k < at; k++)
			given |= !strcmp(argv[k] + 1, calls[i].cap);
		if (!given)
			forbid(calls[i].nr);
	}
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));

	const struct sock_fprog prog = { .len = (unsigned short)n, .filter = code };

	if (at == argc || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("dockerlike");
		return 127;
	}
	execvp(argv[at], argv + at);
	perror(argv[at]);
	return 127;
}
