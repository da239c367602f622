// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>

#include "util/base/xalloc.h"
#include "util/syscalls/syscalls.h"
#include <stdlib.h>

static void chunk(struct str *s, u8 arg, u8 kind, const void *p, u16 n)
{
	const struct syschunk c = { arg, kind, n };

	str_addn(s, &c, sizeof(c));
	str_addn(s, p, n);
}

static const char *args(const char *name, const u64 *a, const struct str *chunks, bool returned,
			s64 ret, bool strace)
{
	static struct str out;
	const struct syscall_style style = { .strace = strace, .no_names = strace, .prefix = strace,
					     .max_string = 32 };
	const struct syscall_values v = { .info = syscall_by_name(name), .args = a, .ret = ret,
					  .returned = returned,
					  .chunks = chunks ? (struct span){ (const u8 *)chunks->buf,
							chunks->len } : (struct span){ NULL, 0 } };

	str_reset(&out);
	syscall_add_args(&out, &v, &style);
	str_add(&out, " = ");
	if (returned)
		syscall_add_ret(&out, &v, &style);
	return str_cstr(&out);
}

TEST(flags_and_modes)
{
	const u64 open[6] = { (u32)-100, 0x1000, 01101, 0644, 0, 0 },
		rdonly[6] = { 3, 0x1000, 02000000, 0x7777, 0, 0 };
	const u64 map[6] = { 0, 4096, 3, 0x22, ~0ULL, 0 };

	CHECK_STR(args("openat", open, NULL, true, 3, false),
		  "dfd: CWD, filename: 0x1000, flags: WRONLY|CREAT|TRUNC, mode: IRUGO|IWUSR = 3");
	CHECK_STR(args("openat", rdonly, NULL, true, -2, false),
		  "dfd: 3, filename: 0x1000, flags: RDONLY|CLOEXEC = -1 ENOENT (No such file or "
		  "directory)");
	CHECK_STR(args("openat", open, NULL, true, 3, true),
		  "AT_FDCWD, 0x1000, O_WRONLY|O_CREAT|O_TRUNC, 0644 = 3");
	CHECK_STR(args("mmap", map, NULL, true, 0x7f0000001000, false),
		  "addr: NULL, len: 4096, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS, fd: -1, off: "
		  "0 = 0x7f0000001000");
}

TEST(strings_and_buffers)
{
	const u64 a[6] = { 1, 0x2000, 100, 0, 0, 0 };
	struct str c = STR_INIT;

	chunk(&c, 1, SYSCHUNK_MEM, "a\n\"\\\0001\x7f\xff", 8);
	CHECK_STR(args("write", a, &c, true, 100, false),
		  "fd: 1, buf: \"a\\n\\\"\\\\\\0001\\177\\377\"..., count: 100 = 100");
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_STR_CUT, "/very/long", 10);
	CHECK_STR(args("openat", a, &c, false, 0, false),
		  "dfd: 1, filename: \"/very/long\"..., flags: RDONLY|CREAT|0x24, mode: 0 = ");
	str_release(&c);
}

TEST(argv)
{
	const u64 a[6] = { 0x1000, 0x2000, 0x3000, 0, 0, 0 };
	struct str c = STR_INIT;

	chunk(&c, 0, SYSCHUNK_STR, "/bin/sh", 7);
	chunk(&c, 1, SYSCHUNK_ARGV, "sh\0-c\0\0x y", 11);
	CHECK_STR(args("execve", a, &c, true, 0, false),
		  "filename: \"/bin/sh\", argv: [\"sh\", \"-c\", \"\", \"x y\"], envp: 0x3000 = 0");
	str_release(&c);
}

TEST(sockets)
{
	const u64 a[6] = { 5, 0x1000, 16, 0, 0, 0 }, s[6] = { 1, 1 | 02000000, 0, 0, 0, 0 };
	static const u8 in4[16] = { 2, 0, 0, 80, 127, 0, 0, 1 }, un[] = { 1, 0, '/', 'x', 0, 'y' },
		abstract[] = { 1, 0, 0, 'z' };
	struct str c = STR_INIT;

	chunk(&c, 1, SYSCHUNK_ADDR, in4, sizeof(in4));
	CHECK_STR(args("connect", a, &c, true, -115, false),
		  "fd: 5, uservaddr: { .family: INET, port: 80, addr: "
			"127.0.0.1 }, addrlen: 16 = "
		  "-1 EINPROGRESS (Operation now in progress)");
	CHECK_STR(args("connect", a, &c, true, 0, true),
		  "5, {sa_family=AF_INET, sin_port=htons(80), "
			"sin_addr=inet_addr(\"127.0.0.1\")}, 16 = 0");
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_ADDR, un, sizeof(un));
	CHECK_STR(args("bind", a, &c, true, 0, false),
		  "fd: 5, umyaddr: { .family: LOCAL, path: /x }, addrlen: 16 = 0");
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_ADDR, abstract, sizeof(abstract));
	CHECK_STR(args("bind", a, &c, true, 0, false),
		  "fd: 5, umyaddr: { .family: LOCAL, path: @z }, addrlen: 16 = 0");
	CHECK_STR(args("socket", s, NULL, true, 4, false),
		  "family: LOCAL, type: STREAM|CLOEXEC, protocol: 0 = 4");
	str_release(&c);
}

TEST(commands_decide_arguments)
{
	const u64 getfl[6] = { 3, 3, 99, 0, 0, 0 }, wake[6] = { 0x1000, 129, 1, 5, 6, 7 },
		sig[6] = { 26460, 10, 0, 0, 0, 0 };
	const u64 tty[6] = { 1, 0x5413, 0x1000, 0, 0, 0 },
		unknown[6] = { 1, 0xc0104501, 0, 0, 0, 0 };

	CHECK_STR(args("fcntl", getfl, NULL, true, 0100002, false),
		  "fd: 3, cmd: GETFL = RDWR|LARGEFILE");
	CHECK_STR(args("futex", wake, NULL, true, 1, false),
		  "uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1 = 1");
	CHECK_STR(args("kill", sig, NULL, true, 0, false), "pid: 26460, sig: USR1 = 0");
	CHECK_STR(args("ioctl", tty, NULL, true, -25, false),
			"fd: 1, cmd: TIOCGWINSZ, arg: 0x1000 = -1 ENOTTY (Inappropriate ioctl for "
			"device)");
	CHECK_STR(args("ioctl", unknown, NULL, true, 0, false),
		  "fd: 1, cmd: (READ|WRITE, 0x45, 0x1, 0x10), arg: 0 = 0");
}

TEST(structs)
{
	const u64 a[6] = { 0x1000, 0x2000, 8, 0, 0, 0 }, mask[6] = { 0, 0x1000, 0, 8, 0, 0 };
	const u64 ts[2] = { 1, 500000000 }, set = 1 << 1 | 1 << 16, most = ~(1ULL << 8);
	struct str c = STR_INIT;

	chunk(&c, 0, SYSCHUNK_MEM, ts, sizeof(ts));
	CHECK_STR(args("nanosleep", a, &c, true, -516, false),
		  "rqtp: { .tv_sec: 1, .tv_nsec: 500000000 }, rmtp: 0x2000 = -1 "
		  "ERESTART_RESTARTBLOCK (Interrupted by signal)");
	CHECK_STR(args("nanosleep", a, &c, true, 0, true),
		  "{tv_sec=1, tv_nsec=500000000}, 0x2000 = 0");
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_MEM, &set, sizeof(set));
	CHECK_STR(args("rt_sigprocmask", mask, &c, true, 0, false),
		  "how: BLOCK, nset: [INT CHLD], oset: NULL, sigsetsize: 8 = 0");
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_MEM, &most, sizeof(most));
	CHECK_STR(args("rt_sigprocmask", mask, &c, true, 0, false),
		  "how: BLOCK, nset: ~[KILL], oset: NULL, sigsetsize: 8 = 0");
	str_release(&c);
}

static u32 roll(u64 *seed, u32 below)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*seed >> 33) % below;
}

static void random_chunks(struct str *c, u64 *seed)
{
	for (u32 k = roll(seed, 5); k; k--) {
		struct syschunk h = { roll(seed, 9), 1 + roll(seed, 9), roll(seed, 2) ?
				      1u << roll(seed, 9) : roll(seed, 400) };

		str_addn(c, &h, sizeof(h));
		for (u32 i = 0; i < h.len; i++)
			str_addch(c, roll(seed, 3) ? 0 : (char)roll(seed, 256));
	}
}

/* Every call in every form, also those that have no arguments known, with arguments and memory
 * that make no sense. */
TEST(nonsense_for_every_call)
{
	struct syscall_set *set = xnew(struct syscall_set);
	struct str out = STR_INIT, c = STR_INIT;
	u64 seed = 7, a[6];

	syscall_set_init(set, arch_host());
	for (u32 i = 0; i < 40000; i++) {
		const struct syscall_style style = { .strace = i & 1, .no_names = i & 1,
						     .prefix = i & 2, .hide_zeros = i & 4,
						     .max_string = 32 };
		struct syscall_values v = { .info = set->e[i % (2 * SYSPLAN_NRS)].info,
					    .compat = i % (2 * SYSPLAN_NRS) >= SYSPLAN_NRS,
					    .args = a, .ret = (s64)roll(&seed, 600) - 530,
					    .returned = i & 8, .part = roll(&seed, 4) };
		u8 *exact;
		size_t len;

		for (int k = 0; k < 6; k++)
			a[k] = roll(&seed, 3) ? roll(&seed, 1024) : ~0ULL >> roll(&seed, 64);
		str_reset(&c);
		random_chunks(&c, &seed);
		len = c.len && !roll(&seed, 4) ? roll(&seed, c.len) : c.len;
		exact = xmalloc(len + 1);
		memcpy(exact, str_cstr(&c), len);
		v.chunks = (struct span){ exact, len };
		str_reset(&out);
		syscall_add_args(&out, &v, &style);
		syscall_add_ret(&out, &v, &style);
		CHECK(out.len < 20000);
		free(exact);
	}
	str_release(&c);
	str_release(&out);
	free(set);
}

/* As the C library of this machine has them: a struct epoll_event is packed on x86 alone. */
TEST(structs_of_this_machine)
{
	const u64 wait[6] = { 7, 0x1000, 4, 100, 0, 8 }, ctl[6] = { 7, 1, 5, 0x1000, 0, 0 };
	const struct epoll_event ev[2] = { { EPOLLOUT | EPOLLET, { .u64 = 0x123456789a } },
					   { EPOLLIN, { .u64 = 3 } } };
	const u64 path[6] = { 5, 0x1000, 0, 0, 0, 0 };
	struct stat st;
	struct str c = STR_INIT;

	chunk(&c, 1, SYSCHUNK_MEM, ev, sizeof(ev));
	CHECK_STR(args("epoll_pwait", wait, &c, true, 2, false),
		  "epfd: 7, events: [{ .events: OUT|ET, .data: 0x123456789a }, { .events: IN, "
		  ".data: 0x3 }], maxevents: 4, timeout: 100, sigmask: NULL, sigsetsize: 8 = 2");
	str_reset(&c);
	chunk(&c, 3, SYSCHUNK_MEM, ev, sizeof(ev[0]));
	CHECK_STR(args("epoll_ctl", ctl, &c, true, 0, false),
		  "epfd: 7, op: ADD, fd: 5, event: { .events: OUT|ET, .data: 0x123456789a } = 0");
	memset(&st, 0, sizeof(st));
	st.st_mode = 0100640;
	st.st_size = 4711;
	str_reset(&c);
	chunk(&c, 1, SYSCHUNK_MEM, &st, sizeof(st));
	CHECK_STR(args("fstat", path, &c, true, 0, false),
		  "fd: 5, statbuf: { .st_mode: 0100640, .st_size: 4711, ... } = 0");
	str_release(&c);
}

/* Whatever the bytes are, nothing is read beyond them. */
TEST(lying_chunks)
{
	const u64 a[6] = { 1, 2, 3, 4, 5, 6 };
	u64 seed = 12345;

	for (int i = 0; i < 20000; i++) {
		static const char *const names[] = { "writev", "sendmsg", "poll", "epoll_wait",
						     "execve", "stat",
				"wait4", "clone3", "pipe2", "uname" };
		u8 *bytes;
		struct str c = STR_INIT;
		size_t n;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		n = seed >> 33 & 63;
		bytes = xmalloc(n + 1);
		for (size_t k = 0; k < n; k++)
			bytes[k] = (seed = seed * 6364136223846793005ULL +
				    1442695040888963407ULL) >> 60;
		c.buf = (char *)bytes;
		c.len = n;
		args(names[i % ARRAY_SIZE(names)], a, &c, true, 3, i & 1);
		free(bytes);
	}
}

/* The table is searched by halves: one entry out of order, and names are not found. */
TEST(requests_of_ioctl)
{
	static const struct { u32 value; const char *name; } known[] = {
		{ 0x2, "FIGETBSZ" }, { 0x5401, "TCGETS" }, { 0x5413, "TIOCGWINSZ" },
			{ 0x541b, "FIONREAD" }, { 0x8912, "SIOCGIFCONF" },
		{ 0x2400, "PERF_EVENT_IOC_ENABLE" }, { 0xae80, "KVM_RUN" },
		{ 0x40049409, "BTRFS_IOC_CLONE or FICLONE" },
		{ 0x400454ca, "TUNSETIFF" }, { 0x80081272, "BLKGETSIZE64" },
		{ 0xc0502100, "SECCOMP_IOCTL_NOTIF_RECV" },
		{ 0xc020660b, "FS_IOC_FIEMAP" },
	};
	u32 n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		CHECK(ioctl_name(known[i].value));
		CHECK_STR(ioctl_name(known[i].value), known[i].name);
	}
	CHECK(!ioctl_name(0) && !ioctl_name(0xffffffff) && !ioctl_name(0x12345678));
	for (u32 request = 0x5400; request < 0x5470; request++)
		n += ioctl_name(request) != NULL;
	CHECK(n > 50);
}

TEST(unknown_call)
{
	const u64 a[6] = { 1, 0xff, 0, 0, 0, 0 };

	CHECK(!syscall_by_name("nosuchcall"));
	CHECK_STR(args("nosuchcall", a, NULL, true, 7, false),
		  "arg0: 0x1, arg1: 0xff, arg2: 0, arg3: 0, arg4: 0, arg5: 0 = 7");
}

TEST(every_call_has_arguments)
{
	struct syscall_set *s = xmalloc(sizeof(*s));
	struct sysplan p = { 0 };
	int without = 0;

	syscall_set_init(s, arch_by_name("x86_64"));
	for (int i = 0; i < 2 * SYSPLAN_NRS; i++) {
		if (i < SYSPLAN_NRS && s->e[i].name && !s->e[i].info)
			without++;
		syscall_plan(&s->e[i], i >= SYSPLAN_NRS, 32, true, &p);
		CHECK(p.n_in + p.n_out <= SYSPLAN_OPS);
	}
	CHECK(without < 20);	/* those that no kernel has any more */
	CHECK_STR(s->e[0].name, "read");
	CHECK_STR(s->e[SYSPLAN_NRS + 3].name, "read");
	free(s);
}
