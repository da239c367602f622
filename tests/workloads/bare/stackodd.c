// SPDX-License-Identifier: GPL-2.0-or-later
// Stacks that go on where a plain look does not find it. Argument 1 is the way, argument 2 how
// often:
//	signals	a signal's handler returns by a call that is its trampoline's last instruction
//	untold	the same on a trampoline without unwind tables, after work in the handler
//	deep	deep1() calls deep2() and so on up to deep5()
//	switch	a function calls another one on a stack of its own making, and its unwind tables
//		say so
//	endless	the CFA of a function is an expression that never ends
//	stale	code without tables, but with a frame pointer, on top of whose stack lies an old
//		return address
//	jit	code without tables or frame, named in a perf map, calls nothing
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

typedef unsigned long (*work_fn)(unsigned long);

static volatile unsigned long sink;

static NOINLINE unsigned long spin(unsigned long n)
{
	unsigned long a = n, b = n * 3;

	for (unsigned long i = 0; i < n; i++) {
		a = a * 6364136223846793005UL + b;
		b ^= a >> 7;
	}
	sink += a ^ b;
	return a;
}

unsigned long on_stack(work_fn fn, unsigned long n, void *top);
unsigned long endless(work_fn fn, unsigned long n);

__asm__(".text\n"
	".globl on_stack\n.type on_stack,@function\non_stack:\n"
	"	.cfi_startproc\n	push %rbp\n	.cfi_def_cfa_offset "
	"16\n	.cfi_offset %rbp,-16\n"
	"	mov %rsp,%rbp\n		.cfi_def_cfa_register %rbp\n"
	"	mov %rdx,%rsp\n		mov %rdi,%rax\n		mov %rsi,%rdi\n		call "
	"*%rax\n"
	"	mov %rbp,%rsp\n		pop %rbp\n	.cfi_def_cfa %rsp,8\n	ret\n"
	"	.cfi_endproc\n	.size on_stack, .-on_stack\n"
	/* DW_CFA_def_cfa_expression: DW_OP_nop, DW_OP_skip back to it */
	".globl endless\n.type endless,@function\nendless:\n"
	"	.cfi_startproc\n	sub $40,%rsp\n		.cfi_escape "
	"0x0f,4,0x96,0x2f,0xfc,0xff\n"
	"	mov %rdi,%rax\n		mov %rsi,%rdi\n		call *%rax\n"
	"	add $40,%rsp\n		.cfi_def_cfa %rsp,8\n	ret\n"
	"	.cfi_endproc\n	.size endless, .-endless\n");

static void on_signal(int sig)
{
	sink += (unsigned long)sig;
}

static NOINLINE void signals(int n)
{
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < n; i++)
		raise(SIGUSR1);
	sink += spin(10);
}

/* musl and Go bring such ones */
void untold_return(void);
__asm__(".text\n	nop\n.globl untold_return\n.type untold_return,@function\nuntold_return:\n"
	"	mov $15,%rax\n	syscall\n	.size untold_return, .-untold_return\n	nop\n");

static void at_work(int sig)
{
	sink += (unsigned long)sig + spin(200000);
}

static NOINLINE void untold(int n)
{
	struct { void (*handler)(int); unsigned long flags; void (*restorer)(void);
		 unsigned long mask; } act = {
		at_work, 0x04000000 /* SA_RESTORER */, untold_return, 0 };

	syscall(SYS_rt_sigaction, SIGUSR1, &act, NULL, sizeof(act.mask));
	for (int i = 0; i < n; i++)
		raise(SIGUSR1);
	sink += spin(10);
}

NOINLINE unsigned long deep5(unsigned long n);
NOINLINE unsigned long deep5(unsigned long n)
{
	return spin(n) + sink;
}

#define CALLS(name, other) \
	NOINLINE unsigned long name(unsigned long n); \
	NOINLINE unsigned long name(unsigned long n) { return other(n) + sink; }
CALLS(deep4, deep5)
CALLS(deep3, deep4)
CALLS(deep2, deep3)
CALLS(deep1, deep2)

static NOINLINE void deeply(int n)
{
	for (int i = 0; i < n; i++)
		sink += deep1(1000000);
}

static NOINLINE void switches(int n)
{
	/* far from the thread's own stack: where the heap is */
	char *top = (char *)(((unsigned long)sbrk(1 << 16) + (1 << 16) - 64) & ~63UL);

	for (int i = 0; i < n; i++)
		sink += on_stack(spin, 1000000, top) + 1;
}

static NOINLINE void endlessly(int n)
{
	for (int i = 0; i < n; i++)
		sink += endless(spin, 1000000) + 1;
}

void stale(unsigned long n, unsigned long old);
__asm__(".text\n.globl stale\n.type stale,@function\nstale:\n"
	"	push %rbp\n	mov %rsp,%rbp\n	sub $16,%rsp\n	mov %rsi,(%rsp)\n"
	"1:	dec %rdi\n	jne 1b\n	leave\n		ret\n	.size stale, .-stale\n");

static NOINLINE unsigned long return_address(void)
{
	return (unsigned long)__builtin_return_address(0);
}

static NOINLINE void stalely(int n)
{
	static unsigned long (*volatile fn)(void) = return_address;
	const unsigned long old = fn();

	for (int i = 0; i < n; i++)
		stale(5000000, old);
	sink += spin(10);
}

static NOINLINE void compiled(int n)
{
	/* mov %rdi,%rax; 1: dec %rax; jne 1b; ret */
	static const unsigned char code[] = { 0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb,
					      0xc3 };
	unsigned char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	work_fn fn = (work_fn)(unsigned long)at;
	char name[64];

	memcpy(at, code, sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	FILE *f = fopen(name, "w");

	fprintf(f, "%lx %zx jit_leaf\n", (unsigned long)at, sizeof(code));
	fclose(f);
	for (int i = 0; i < n; i++)
		sink += fn(5000000) + 1;
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(int); } ways[] = {
		{ "signals", signals }, { "untold", untold }, { "deep", deeply },
	       { "switch", switches }, { "endless", endlessly }, { "jit", compiled },
	       { "stale", stalely },
	};

	for (unsigned i = 0; argc > 2 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			ways[i].run((int)strtol(argv[2], NULL, 10));
	return 0;
}
