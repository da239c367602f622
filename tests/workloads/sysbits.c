// SPDX-License-Identifier: GPL-2.0-or-later
/* sysbits: every system call with each small number and each bit in each argument, all others 0.
 * A seccomp filter refuses all of them, so nothing happens: what a tracer writes of the arguments
 * can be compared with what another one does. x86-64 only. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define END 200	/* the argument of the only exit_group that is let through */

#if defined(__x86_64__)
static long raw(long nr, const long *a)
{
	register long r10 __asm__("r10") = a[3];
	register long r8 __asm__("r8") = a[4];
	register long r9 __asm__("r9") = a[5];
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10),
			 "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

static void each_value(long nr, int arg)
{
	long a[6] = { 0 };

	for (long k = 0; k < 34; k++) {
		a[arg] = k;
		raw(nr, a);
	}
	for (int bit = 6; bit < 32; bit++) {
		a[arg] = 1L << bit;
		raw(nr, a);
	}
}

int main(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, END, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };
	long end[6] = { END };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("seccomp");
		return 77;
	}
	for (long nr = 0; nr < 451; nr++)	/* what is between is not used */
		for (int i = 0; i < 6 && (nr < 335 || nr >= 424); i++)
			each_value(nr, i);
	return (int)raw(__NR_exit_group, end);
}
#else
int main(void)
{
	return 77;
}
#endif
