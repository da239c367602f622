// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test's own stack, taken as the kernel would: registers, a copy of the stack, the mappings as
 * records. The answer is what backtrace(3) of the C library says at the same place.
 */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/os/procfs.h"
#include "util/unwind/unwind.h"

#define MAX_FRAMES 256
#define STACK_BYTES 32768

/* Registers by perf's number (uapi/asm/perf_regs.h). */
#if defined(__aarch64__)
enum { N_REGS = 33, REG_OF_SP = 31 };
#else
enum { N_REGS = 24, REG_OF_SP = 7 };
#endif

struct shot {
	u64 regs[N_REGS];
	u64 stack_bytes;
	u64 words[STACK_BYTES / 8];
	void *trace[MAX_FRAMES];
	int n_trace;
	int n_signals;
};

/* False: not of this machine. */
static bool take_regs(const ucontext_t *uc, u64 *regs)
{
#if defined(__x86_64__)
	static const u8 from[N_REGS] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
					 REG_RBP, REG_RSP, REG_RIP, REG_EFL, 0, 0, 0,
					 0, 0, 0, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12,
					 REG_R13, REG_R14, REG_R15 };

	for (int i = 0; i < N_REGS; i++)
		regs[i] = uc->uc_mcontext.gregs[from[i]];
	return true;
#elif defined(__aarch64__)
	for (int i = 0; i < 31; i++)
		regs[i] = uc->uc_mcontext.regs[i];
	regs[REG_OF_SP] = uc->uc_mcontext.sp;
	regs[REG_OF_SP + 1] = uc->uc_mcontext.pc;
	return true;
#else
	(void)uc;
	(void)regs;
	return false;
#endif
}

/* Word by word, and unseen by ASan: gaps between the variables of others are read, too. */
__attribute__((noinline, no_sanitize("address"))) static void copy_stack(struct shot *s, u64 sp,
									 u64 top)
{
	const volatile u64 *p = (const volatile u64 *)sp;

	s->stack_bytes = MIN((u64)STACK_BYTES, top - sp) & ~7ULL;
	for (u64 i = 0; i < s->stack_bytes / 8; i++)
		s->words[i] = p[i];
}

static int find_top(void *ctx, const struct procfs_map *m)
{
	u64 *top = ctx, here = (u64)__builtin_frame_address(0);

	if (here < m->start_va || here >= m->end_va)
		return 0;
	*top = m->end_va;
	return 1;
}

__attribute__((noinline)) static void capture(struct shot *s, u64 top)
{
	ucontext_t uc;

	getcontext(&uc);
	if (!take_regs(&uc, s->regs))
		return;
	copy_stack(s, s->regs[REG_OF_SP], top);
	s->n_trace = backtrace(s->trace, MAX_FRAMES);
}

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; struct machine *m;
		 };

static int add_map(void *ctx, const struct procfs_map *m)
{
	struct fixture *f = ctx;
	struct wire_mmap mm = { .pid = getpid(), .tid = getpid(), .start_va = m->start_va,
				.bytes = m->end_va - m->start_va,
				.off = m->off, .maj = m->maj, .min = m->min, .ino = m->ino,
				.prot = m->prot, .path = m->path };
	u64 buf[600];
	const char *reason;
	int n;

	if (!(m->prot & PROT_EXEC))
		return 0;
	n = wire_encode_mmap2(NULL, &mm, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf));
	CHECK(n > 0);
	CHECK_EQ(machine_apply(f->m, (struct perf_event_header *)buf, 1, &reason), 0);
	return 0;
}

static void setup(struct fixture *f)
{
	struct machine_opts mo = { 0 };

	memset(f, 0, sizeof(*f));
	os_init(&f->os);
	f->opts.live = true;
	f->store = dso_store_new(&f->os, &f->opts);
	f->m = machine_new(f->store, &mo);
	CHECK_EQ(procfs_maps(&f->os, getpid(), 0, add_map, f, NULL), 0);
}

static void teardown(struct fixture *f)
{
	machine_free(f->m);
	dso_store_free(f->store);
	os_release(&f->os);
}

static int run(struct fixture *f, const char *engine, const struct shot *s,
	       struct unwind_frame *out, enum unwind_end *reason)
{
	struct sample smp = { .pid = getpid(), .tid = getpid(), .time_ns = 2 };
	struct unwind_opts opts = { .engine = engine };
	u64 regs[N_REGS];
	int n = 0;
	struct unwind_ctx *c = unwind_new(f->m, &opts, NULL);

	CHECK(c != NULL);
	smp.user_regs.abi = PERF_SAMPLE_REGS_ABI_64;
	smp.user_regs.mask = arch_host()->user_regs_mask;
	for (int i = 0; i < N_REGS; i++)
		if (smp.user_regs.mask >> i & 1)
			regs[n++] = s->regs[i];
	smp.user_regs.regs = regs;
	smp.stack = (struct span){ (const u8 *)s->words, s->stack_bytes };
	n = unwind_user(c, &smp, machine_thread_at(f->m, getpid(), getpid(), 2), out, MAX_FRAMES,
			reason);
	CHECK_EQ(unwind_ended(c, *reason), 1);
	unwind_free(c);
	return n;
}

/* All but the first: there the two stand at different places of capture(). ASan puts a frame of
 * its own before backtrace(). The C library of arm64 gives addresses within the calls, not of where
 * they go on; that of what a signal interrupted is exact in both. */
static void check_trace(const struct shot *s, const struct unwind_frame *f, int n)
{
	CHECK(n > 3);
	const u64 within = f[n - 1].va - 1 == (u64)s->trace[s->n_trace - 1];
	int more = s->n_trace - n;

	CHECK(more == 0 || more == 1);
	for (int i = 1; i < n; i++) {
		const bool exact = f[i - 1].signal;

		CHECK_EQ(f[i].va - (exact ? 0 : within), (u64)s->trace[i + more]);
	}
}

__attribute__((noinline)) static int descend(struct shot *s, u64 top, int n)
{
	volatile char pad[100];

	pad[0] = n;
	if (n == 0)
		capture(s, top);
	else
		descend(s, top, n - 1);
	return pad[0];
}

static struct shot *shoot(void)
{
	struct shot *s = xnew(struct shot);
	struct os os;
	u64 top = 0;

	os_init(&os);
	CHECK_EQ(procfs_maps(&os, getpid(), 0, find_top, &top, NULL), 1);
	os_release(&os);
	descend(s, top, 20);
	if (!s->n_trace) {
		free(s);
		SKIP("takes registers of x86-64 and arm64 only");
	}
	return s;
}

static void check_engine(const char *engine)
{
	struct shot *s = shoot();
	struct unwind_frame out[MAX_FRAMES];
	enum unwind_end reason;
	struct fixture f;

	setup(&f);
	int n = run(&f, engine, s, out, &reason);

	CHECK_STR(unwind_end_text(reason), "complete");
	check_trace(s, out, n);
	teardown(&f);
	free(s);
}

TEST(cfi)
{
	check_engine("cfi");
}

TEST(libdw)
{
	check_engine("libdw");
}

TEST(libunwind)
{
	check_engine("libunwind");
}

static struct shot *caught;
static u64 caught_top;

static void on_signal(int sig UNUSED)
{
	caught->n_signals++;
	capture(caught, caught_top);
}

TEST(signal_frame)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct unwind_frame out[MAX_FRAMES];
	enum unwind_end reason;
	struct fixture f;
	struct os os;

	free(shoot());			/* is this machine one of them? */
#if defined(__aarch64__)
	if (!getauxval(AT_SYSINFO_EHDR))	/* as where qemu emulates one program */
		SKIP("needs a vdso, which describes the frame of a signal");
#endif
	caught = xnew(struct shot);
	os_init(&os);
	CHECK_EQ(procfs_maps(&os, getpid(), 0, find_top, &caught_top, NULL), 1);
	os_release(&os);
	CHECK_EQ(sigaction(SIGUSR1, &sa, NULL), 0);
	CHECK_EQ(raise(SIGUSR1), 0);
	CHECK_EQ(caught->n_signals, 1);
	setup(&f);
	int n = run(&f, "cfi", caught, out, &reason), signals = 0;

	CHECK_STR(unwind_end_text(reason), "complete");
	check_trace(caught, out, n);
	for (int i = 0; i < n; i++)
		signals += out[i].signal;
	CHECK_EQ(signals, 1);
	teardown(&f);
	free(caught);
}

TEST(short_copy)
{
	struct shot *s = shoot();
	struct unwind_frame out[MAX_FRAMES];
	enum unwind_end reason;
	struct fixture f;

	setup(&f);
	int all = run(&f, NULL, s, out, &reason);

	s->stack_bytes = s->stack_bytes > 2048 ? 2048 : s->stack_bytes / 2;
	int n = run(&f, NULL, s, out, &reason);

	CHECK_EQ(reason, UNWIND_STACK_CUT);
	CHECK(n > 1 && n < all);
	s->stack_bytes = 0;
	CHECK_EQ(run(&f, NULL, s, out, &reason), 1);
	CHECK_EQ(reason, UNWIND_STACK_CUT);
	teardown(&f);
	free(s);
}

TEST(limits)
{
	struct shot *s = shoot();
	struct unwind_opts opts = { .max_frames = 3 }, bad = { .engine = "nope" };
	struct err err = ERR_INIT;
	struct sample smp = { .pid = getpid(), .tid = getpid(), .time_ns = 2 };
	struct unwind_frame out[MAX_FRAMES];
	enum unwind_end reason;
	struct fixture f;

	setup(&f);
	CHECK(unwind_new(f.m, &bad, &err) == NULL);
	CHECK_STR(err.msg, "unknown unwinder 'nope'");
	err_release(&err);
	struct unwind_ctx *c = unwind_new(f.m, &opts, NULL);
	struct thread *th = machine_thread_at(f.m, getpid(), getpid(), 2);

	CHECK_EQ(unwind_user(c, &smp, th, out, MAX_FRAMES, &reason), 0);
	CHECK_EQ(reason, UNWIND_NO_REGS);
	smp.user_regs = (struct regs_view){ .abi = PERF_SAMPLE_REGS_ABI_64,
					    .mask = (1ULL << N_REGS) - 1, .regs = s->regs };
	smp.stack = (struct span){ (const u8 *)s->words, s->stack_bytes };
	CHECK_EQ(unwind_user(c, &smp, th, out, MAX_FRAMES, &reason), 3);
	CHECK_EQ(reason, UNWIND_MAX_FRAMES);
	/* registers that point nowhere */
	for (int i = 0; i < N_REGS; i++)
		s->regs[i] = 0x4141414141414141;
	CHECK_EQ(unwind_user(c, &smp, th, out, MAX_FRAMES, &reason), 1);
	CHECK(reason != UNWIND_COMPLETE);
	unwind_free(c);
	teardown(&f);
	free(s);
}
