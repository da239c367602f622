// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * futexcalls
 * Without a C library, so that it can be a program of 32 bits, too (-m32 -nostdlib -static). A
 * thread waits for a futex by one system call after the other, and another one lets it go on 20 ms
 * later, five times each; at last nobody does. A line for each kind says how often it waited, for
 * how many ns as it measured that itself, and the numbers of waiter and waker (0: none):
 *	word 5 100123456 1235 1234
 *
 *	word	futex (of 32 bits: with a timeout of 32 bits, then futex_time64, time64)
 *	many_b	futex_waitv for many_a, many_b, many_c
 *	many_a	the same, until a timeout
 *	newer	futex_wait, futex_wake
 *	moved	futex_wait, futex_requeue
 */
typedef unsigned u32;
typedef unsigned long long u64;

#define ROUNDS 5
#define STACK_BYTES (64 << 20)	/* its end is far from the code, as that of others is */
#define HOLD_NS 20000000
#define EAGAIN 11
#define ENOSYS 38

#ifdef __i386__
enum { NR_EXIT = 1, NR_WRITE = 4, NR_CLONE = 120, NR_YIELD = 158, NR_SLEEP = 162, NR_GETTID = 224,
       NR_FUTEX = 240, NR_EXIT_GROUP = 252, NR_CLOCK = 265 };

static long call(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
	return ret;
}

#define BEGIN "xor %ebp, %ebp\n and $-16, %esp\n call start\n"
#define IN_CHILD "test %%eax, %%eax\n jnz 1f\n xor %%ebp, %%ebp\n pop %%eax\n call *%%eax\n 1:"
#define SPAWN(ret, flags, sp) \
	__asm__ volatile("int $0x80\n" IN_CHILD : "=a"(ret) \
			 : "a"(NR_CLONE), "b"(flags), "c"(sp), "d"(0), "S"(0), "D"(0) : "memory")
#else
enum { NR_WRITE = 1, NR_YIELD = 24, NR_SLEEP = 35, NR_CLONE = 56, NR_EXIT = 60, NR_GETTID = 186,
       NR_FUTEX = 202, NR_CLOCK = 228, NR_EXIT_GROUP = 231 };

static long call(long nr, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return ret;
}

#define BEGIN "xor %ebp, %ebp\n and $-16, %rsp\n call start\n"
#define IN_CHILD "test %%eax, %%eax\n jnz 1f\n xor %%ebp, %%ebp\n pop %%rax\n call *%%rax\n 1:"
#define SPAWN(ret, flags, sp) \
	__asm__ volatile("xor %%r10d, %%r10d\n xor %%r8d, %%r8d\n syscall\n" IN_CHILD : "=a"(ret) \
			 : "a"(NR_CLONE), "D"(flags), "S"(sp), "d"(0) \
			 : "rcx", "r8", "r10", "r11", "memory")
#endif

enum { NR_FUTEX_TIME64 = 422, NR_WAITV = 449, NR_WAKE = 454, NR_WAIT = 455, NR_REQUEUE = 456 };
enum { WAIT = 128, WAKE = 129, SIZE_U32 = 2, PRIVATE = 128, NEW = SIZE_U32 | PRIVATE };

#define ANY ((long)0xffffffffUL)	/* bits */

struct waitv { u64 value, addr; u32 flags, reserved; };
struct time64 { long long s, ns; };

volatile u32 word, time64, many_a, many_b, many_c, newer, moved;
static volatile u32 wanted, round_nr, waiter, ended;
static volatile long ns_sum, n_waits;

static void set(struct waitv *v, volatile u32 *at)
{
	v->value = 0;
	v->addr = (unsigned long)at;
	v->flags = NEW;
	v->reserved = 0;
}

static void list(struct waitv *v)
{
	set(v, &many_a);
	set(v + 1, &many_b);
	set(v + 2, &many_c);
}

static u64 now_ns(void)
{
	long t[2] = { 0, 0 };

	call(NR_CLOCK, 1, (long)t, 0, 0, 0);
	return (u64)t[0] * 1000000000 + (u64)t[1];
}

static void pause(void)
{
	long t[2] = { 0, HOLD_NS };

	call(NR_SLEEP, (long)t, 0, 0, 0, 0);
}

/* --- each kind: what waits, and what lets it go on */

static long wait_word(void) { return call(NR_FUTEX, (long)&word, WAIT, 0, 0, 0); }
static long wake_word(void) { word = 1; return call(NR_FUTEX, (long)&word, WAKE, 1, 0, 0); }
#ifdef __i386__
static long wait_time64(void) { return call(NR_FUTEX_TIME64, (long)&time64, WAIT, 0, 0, 0); }
static long wake_time64(void)
{
	time64 = 1;
	return call(NR_FUTEX_TIME64, (long)&time64, WAKE, 1, 0, 0);
}
#endif

static long wait_many(void)
{
	struct waitv v[3];

	list(v);
	return call(NR_WAITV, (long)v, 3, 0, 0, 1);
}

static long wake_many(void) { many_b = 1; return call(NR_FUTEX, (long)&many_b, WAKE, 1, 0, 0); }

static long wait_too_long(void)
{
	const u64 end = now_ns() + HOLD_NS;
	struct time64 t = { 0, 0 };
	struct waitv v[3];
	u64 rest = end;

	many_b = 0;
	/* a division, without the library that has it */
	for (; rest >= 1000000000000ULL; rest -= 1000000000000ULL)
		t.s += 1000;
	for (; rest >= 1000000000; rest -= 1000000000)
		t.s++;
	t.ns = (long long)rest;
	list(v);
	return call(NR_WAITV, (long)v, 3, 0, (long)&t, 1);
}

static long wait_newer(void) { return call(NR_WAIT, (long)&newer, 0, ANY, NEW, 0); }
static long wake_newer(void) { newer = 1; return call(NR_WAKE, (long)&newer, ANY, 1, NEW, 0); }
static long wait_moved(void) { return call(NR_WAIT, (long)&moved, 0, ANY, NEW, 0); }

static long wake_moved(void)
{
	struct waitv v[2];

	moved = 1;
	set(v, &moved);
	set(v + 1, &newer);
	v[0].value = 1;
	return call(NR_REQUEUE, (long)v, 0, 1, 0, 0);
}

static const struct kind {
	const char *name;
	long (*wait)(void);
	long (*wake)(void);
	volatile u32 *at;
} kinds[] = {
	{ "word", wait_word, wake_word, &word },
#ifdef __i386__
	{ "time64", wait_time64, wake_time64, &time64 },
#endif
	{ "many_b", wait_many, wake_many, &many_b },
	{ "newer", wait_newer, wake_newer, &newer },
	{ "moved", wait_moved, wake_moved, &moved },
	{ "many_a", wait_too_long, 0, &many_a },
};
#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

static const struct kind *volatile kind = kinds;

/* --- text */

static void put(const char *s)
{
	long n = 0;

	while (s[n])
		n++;
	call(NR_WRITE, 1, (long)s, n, 0, 0);
}

static void put_number(unsigned long v)
{
	char text[24] = "", *p = text + 22;

	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	text[22] = ' ';
	put(p);
}

/* --- both threads */

static void wait_once(void)
{
	const u64 began = now_ns();
	long ret;

	wanted = round_nr;
	ret = kind->wait();
	/* what came too late did not wait */
	if (ret != -EAGAIN && ret != -ENOSYS) {
		n_waits++;
		ns_sum += (long)(now_ns() - began);
	}
	ended = round_nr;
}

static void waits(void)
{
	u32 done = 0;

	waiter = (u32)call(NR_GETTID, 0, 0, 0, 0, 0);
	for (;;) {
		while (round_nr == done)
			call(NR_YIELD, 0, 0, 0, 0, 0);
		done = round_nr;
		if (!kind)
			break;
		wait_once();
	}
	call(NR_EXIT, 0, 0, 0, 0, 0);
}

static void fight(const struct kind *k)
{
	n_waits = ns_sum = 0;
	kind = k;
	for (int i = 0; i < ROUNDS; i++) {
		*k->at = 0;
		round_nr++;
		while (wanted != round_nr)
			call(NR_YIELD, 0, 0, 0, 0, 0);
		pause();
		if (k->wake)
			k->wake();
		while (ended != round_nr)
			call(NR_YIELD, 0, 0, 0, 0, 0);
	}
	put(k->name);
	put(" ");
	put_number((unsigned long)n_waits);
	put_number((unsigned long)ns_sum);
	put_number(waiter);
	put_number(k->wake ? (unsigned long)call(NR_GETTID, 0, 0, 0, 0, 0) : 0);
	put("\n");
}

void start(void);
void start(void)
{
	static char stack[STACK_BYTES] __attribute__((aligned(16)));
	void **sp = (void **)(stack + STACK_BYTES - 64);
	long ret;

	*--sp = (void *)waits;
	SPAWN(ret, 0x10f00 | 0x40000, sp);	/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */
	for (unsigned long i = 0; ret > 0 && i < N_KINDS; i++)
		fight(&kinds[i]);
	call(NR_EXIT_GROUP, ret <= 0, 0, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n" BEGIN);
