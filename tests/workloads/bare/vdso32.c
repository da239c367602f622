// SPDX-License-Identifier: GPL-2.0-or-later
// A 32-bit program without a library that calls the kernel through its vdso, and whose signal
// handler returns through that:
// cc -m32 -nostdlib -static -no-pie -fno-pic. Each of 20000 rounds is a getppid() in ask() and a
// signal.
typedef unsigned int u32;

#define NOINLINE __attribute__((noinline))

enum { EXIT = 1, GETPID = 20, KILL = 37, GETPPID = 64, SIGACTION = 67, SIGUSR1 = 10,
       AT_SYSINFO = 32 };

static u32 vdso_call;
static volatile u32 sink;

static NOINLINE u32 call(u32 nr, u32 a, u32 b, u32 c)
{
	u32 ret;

	__asm__ volatile("call *%1" : "=a"(ret) : "m"(vdso_call), "a"(nr), "b"(a), "c"(b),
			 "d"(c) : "memory");
	return ret;
}

static void on_signal(int sig)
{
	sink += (u32)sig + call(GETPPID, 0, 0, 0);
}

static NOINLINE u32 ask(u32 depth, u32 pid)
{
	u32 v = depth ? ask(depth - 1, pid) : call(GETPPID, 0, 0, 0) + call(KILL, pid, SIGUSR1, 0);

	return v + sink;
}

int bare_main(u32 *sp);
int bare_main(u32 *sp)
{
	struct { u32 handler, mask, flags, restorer; } act =
		{ (u32)(unsigned long)on_signal, 0, 0, 0 };
	u32 *at = sp + 1 + *sp + 1;	/* after argc and argv */

	while (*at++)
		;
	for (; *at; at += 2)
		if (*at == AT_SYSINFO)
			vdso_call = at[1];
	if (!vdso_call)
		return 1;
	call(SIGACTION, SIGUSR1, (u32)(unsigned long)&act, 0);
	for (u32 i = 0; i < 20000; i++)
		sink += ask(3, call(GETPID, 0, 0, 0));
	return 0;
}

__asm__(".text\n.globl _start\n.type _start,@function\n_start:\n"
	"	.cfi_startproc\n	.cfi_undefined %eip\n"
	"	mov %esp,%eax\n	push %eax\n	call bare_main\n	mov %eax,%ebx\n	mov "
	"$1,%eax\n	int $0x80\n"
	"	.cfi_endproc\n	.size _start, .-_start\n");
