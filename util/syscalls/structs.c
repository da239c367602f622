// SPDX-License-Identifier: GPL-2.0-or-later
// Structs that arguments point to.
#include "util/syscalls/syscalls-priv.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

static const struct { u8 kind; u8 out; u16 bytes; } sizes[] = {
	{ SYS_TIMESPEC, 0, 16 }, { SYS_OTIMESPEC, 1, 16 }, { SYS_TIMESPEC2, 0, 32 }, { SYS_TIMEVAL, 0, 16 }, { SYS_OTIMEVAL, 1, 16 },
	{ SYS_ITIMERVAL, 0, 32 }, { SYS_OITIMERVAL, 1, 32 }, { SYS_ITIMERSPEC, 0, 32 }, { SYS_OITIMERSPEC, 1, 32 },
	{ SYS_RLIMIT, 0, 16 }, { SYS_ORLIMIT, 1, 16 }, { SYS_SIGSET, 0, 8 }, { SYS_OSIGSET, 1, 8 }, { SYS_SIGACTION, 0, 32 },
	{ SYS_OSIGACTION, 1, 32 }, { SYS_OSTAT, 1, 144 }, { SYS_OSTATX, 1, 64 }, { SYS_ORUSAGE, 1, 32 }, { SYS_OUTSNAME, 1, 325 },
	{ SYS_EPOLL_EVENT, 0, 12 }, { SYS_CLONE_ARGS, 0, 64 }, { SYS_OPEN_HOW, 0, 24 }, { SYS_PINT, 0, 4 }, { SYS_OPINT, 1, 4 },
	{ SYS_OPOS, 0, 8 }, { SYS_OWSTATUS, 1, 4 }, { SYS_CPUMASK, 0, 8 }, { SYS_OCPUMASK, 1, 8 },
};

unsigned sys_struct_bytes(u8 kind, bool *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].kind != kind)
			continue;
		*out = sizes[i].out;
		return sizes[i].bytes;
	}
	return 0;
}

/* "{ .a: 1, .b: 2 }", for strace "{a=1, b=2}" */
static void open_struct(const struct fmt *f)
{
	str_add(f->s, f->style->strace ? "{" : "{ ");
}

static void close_struct(const struct fmt *f)
{
	str_add(f->s, f->style->strace ? "}" : " }");
}

static void field(const struct fmt *f, const char *name, bool first)
{
	if (!first)
		str_add(f->s, ", ");
	if (!f->style->strace)
		str_addch(f->s, '.');
	str_add(f->s, name);
	str_add(f->s, f->style->strace ? "=" : ": ");
}

static void two(const struct fmt *f, const char *a, const char *b, struct rd *r)
{
	open_struct(f);
	field(f, a, true);
	str_addf(f->s, "%lld", (long long)rd_u64(r));
	field(f, b, false);
	str_addf(f->s, "%lld", (long long)rd_u64(r));
	close_struct(f);
}

static void timer_pair(const struct fmt *f, const char *sub, struct rd *r)
{
	open_struct(f);
	field(f, "it_interval", true);
	two(f, "tv_sec", sub, r);
	field(f, "it_value", false);
	two(f, "tv_sec", sub, r);
	close_struct(f);
}

static void limit(const struct fmt *f, u64 v)
{
	if (v == ~0ULL)
		str_add(f->s, f->style->strace ? "RLIM64_INFINITY" : "INFINITY");
	else if (f->style->strace && v > 1024 && v % 1024 == 0)
		str_addf(f->s, "%llu*1024", (unsigned long long)v / 1024);
	else
		str_add_u64(f->s, v);
}

static void rlimit(const struct fmt *f, struct rd *r)
{
	open_struct(f);
	field(f, "rlim_cur", true);
	limit(f, rd_u64(r));
	field(f, "rlim_max", false);
	limit(f, rd_u64(r));
	close_struct(f);
}

void fmt_sigset(struct str *s, struct span bytes, bool prefix)
{
	struct rd r;
	u64 set;
	bool any = false;
	int on = 0;

	(void)prefix;
	rd_init(&r, bytes.ptr, bytes.len, false);
	set = rd_u64(&r);
	for (int i = 1; i <= 64; i++)
		on += set >> (i - 1) & 1;
	if (on > 32) {
		str_addch(s, '~');
		set = ~set;
	}
	str_addch(s, '[');
	for (int i = 1; i <= 64; i++) {
		if (!(set >> (i - 1) & 1))
			continue;
		if (any)
			str_addch(s, ' ');
		fmt_signal(s, i, false);
		any = true;
	}
	str_addch(s, ']');
}

static void sigaction_struct(const struct fmt *f, struct rd *r)
{
	u64 handler = rd_u64(r), flags = rd_u64(r);
	const void *mask;

	rd_u64(r);	/* the restorer */
	mask = rd_bytes(r, 8);
	if (!mask)
		return;
	open_struct(f);
	field(f, "sa_handler", true);
	if (handler == (u64)(uintptr_t)SIG_DFL)
		str_add(f->s, "SIG_DFL");
	else if (handler == (u64)(uintptr_t)SIG_IGN)
		str_add(f->s, "SIG_IGN");
	else
		fmt_ptr(f, handler);
	field(f, "sa_mask", false);
	fmt_sigset(f->s, (struct span){ mask, 8 }, f->style->strace);
	field(f, "sa_flags", false);
	sysx_add_bits(f->s, &sysx_sa, flags, f->style->strace);
	close_struct(f);
}

/* Offsets of the 64-bit struct stat; x86 has st_nlink before st_mode. */
static void stat_struct(const struct fmt *f, struct rd *r)
{
	u32 mode;
	s64 size;

#if defined(__x86_64__)
	rd_seek(r, 24);
#else
	rd_seek(r, 16);
#endif
	mode = rd_u32(r);
	rd_seek(r, 48);
	size = rd_u64(r);
	if (rd_failed(r))
		return;
	open_struct(f);
	field(f, "st_mode", true);
	if (f->style->strace) {
		static const char *const types[16] = { "0", "S_IFIFO", "S_IFCHR", NULL, "S_IFDIR", NULL, "S_IFBLK", NULL, "S_IFREG",
						       NULL, "S_IFLNK", NULL, "S_IFSOCK" };

		str_addf(f->s, "%s|%#03o", types[mode >> 12 & 15] ? types[mode >> 12 & 15] : "?", mode & 07777);
	} else {
		str_addf(f->s, "%#o", mode);
	}
	field(f, "st_size", false);
	str_addf(f->s, "%lld", (long long)size);
	str_add(f->s, ", ...");
	close_struct(f);
}

static void statx_struct(const struct fmt *f, struct rd *r)
{
	rd_seek(r, 28);
	u32 mode = rd_u16(r);

	rd_seek(r, 40);
	open_struct(f);
	field(f, "stx_mode", true);
	str_addf(f->s, "%#o", mode);
	field(f, "stx_size", false);
	str_add_u64(f->s, rd_u64(r));
	str_add(f->s, ", ...");
	close_struct(f);
}

static void utsname_struct(const struct fmt *f, struct rd *r)
{
	const char *sys = rd_strn(r, 65), *node = rd_strn(r, 65);

	open_struct(f);
	field(f, "sysname", true);
	syscall_add_quoted(f->s, (struct span){ (const u8 *)(sys ? sys : ""), sys ? strlen(sys) : 0 }, false);
	field(f, f->style->strace ? "nodename" : "nodename", false);
	syscall_add_quoted(f->s, (struct span){ (const u8 *)(node ? node : ""), node ? strlen(node) : 0 }, false);
	str_add(f->s, ", ...");
	close_struct(f);
}

static void pollfds(const struct fmt *f, struct span bytes, u64 whole)
{
	struct rd r;

	rd_init(&r, bytes.ptr, bytes.len, false);
	str_addch(f->s, '[');
	for (size_t i = 0; rd_left(&r) >= 8; i++) {
		s32 fd = rd_u32(&r);
		u16 events = rd_u16(&r), revents = rd_u16(&r);

		if (i)
			str_add(f->s, ", ");
		open_struct(f);
		field(f, "fd", true);
		str_addf(f->s, "%d", fd);
		field(f, "events", false);
		sysx_add_bits(f->s, &sysx_poll_events, events, f->style->strace);
		if (f->v->returned && f->v->ret > 0) {
			field(f, "revents", false);
			sysx_add_bits(f->s, &sysx_poll_events, revents, f->style->strace);
		}
		close_struct(f);
	}
	str_add(f->s, bytes.len < whole * 8 ? ", ...]" : "]");
}

static void epoll_one(const struct fmt *f, struct rd *r)
{
	open_struct(f);
	field(f, "events", true);
	sysx_add_bits(f->s, &sysx_epoll_events, rd_u32(r), f->style->strace);
	field(f, "data", false);
	str_addf(f->s, "%#llx", (unsigned long long)rd_u64(r));
	close_struct(f);
}

static void epoll_many(const struct fmt *f, struct rd *r)
{
	str_addch(f->s, '[');
	for (size_t i = 0; rd_left(r) >= 12; i++) {
		if (i)
			str_add(f->s, ", ");
		epoll_one(f, r);
	}
	str_addch(f->s, ']');
}

static const struct syschunk *next_chunk(const struct fmt *f, const struct syschunk *c)
{
	const u8 *end = f->v->chunks.ptr + f->v->chunks.len, *p = (const u8 *)(c + 1) + c->len;

	if ((size_t)(end - p) < sizeof(*c))
		return NULL;
	c = (const struct syschunk *)p;
	return (size_t)(end - p) >= sizeof(*c) + c->len ? c : NULL;
}

static void iovecs(const struct fmt *f, struct span bytes, const struct syschunk *c)
{
	struct rd r;
	u64 left = f->v->returned && f->v->ret >= 0 ? (u64)f->v->ret : ~0ULL;

	rd_init(&r, bytes.ptr, bytes.len, false);
	str_addch(f->s, '[');
	for (size_t i = 0; rd_left(&r) >= (f->v->compat ? 8 : 16); i++) {
		u64 base = f->v->compat ? rd_u32(&r) : rd_u64(&r), len = f->v->compat ? rd_u32(&r) : rd_u64(&r);

		if (i)
			str_add(f->s, ", ");
		open_struct(f);
		field(f, f->style->strace ? "iov_base" : "base", true);
		c = c ? next_chunk(f, c) : NULL;
		if (c && c->kind == SYSCHUNK_IOVDATA)
			syscall_add_quoted(f->s, (struct span){ (const u8 *)(c + 1), c->len }, MIN(len, left) > c->len);
		else
			fmt_ptr(f, base);
		left -= MIN(len, left);
		field(f, f->style->strace ? "iov_len" : "len", false);
		str_add_u64(f->s, len);
		close_struct(f);
	}
	str_addch(f->s, ']');
}

static void msghdr(const struct fmt *f, unsigned arg)
{
	const struct syschunk *c = f->by_arg[arg];

	open_struct(f);
	if (c->kind == SYSCHUNK_ADDR) {
		field(f, "name", true);
		fmt_sockaddr(f, (struct span){ (const u8 *)(c + 1), c->len });
		c = next_chunk(f, c);
		if (!c || c->kind != SYSCHUNK_IOV) {
			close_struct(f);
			return;
		}
		field(f, "iov", false);
	} else {
		field(f, "iov", true);
	}
	iovecs(f, (struct span){ (const u8 *)(c + 1), c->len }, c);
	close_struct(f);
}

static void clone_args(const struct fmt *f, struct rd *r)
{
	u64 flags = rd_u64(r);
	u64 sig;

	rd_seek(r, 32);
	sig = rd_u64(r);
	open_struct(f);
	field(f, "flags", true);
	sysx_add_bits(f->s, &sysx_clone, flags, f->style->strace);
	field(f, "exit_signal", false);
	fmt_signal(f->s, sig, true);
	str_add(f->s, ", ...");
	close_struct(f);
}

static void open_how(const struct fmt *f, struct rd *r)
{
	open_struct(f);
	field(f, "flags", true);
	sysx_add_bits(f->s, &sysx_open, rd_u64(r), f->style->strace);
	field(f, "mode", false);
	str_addf(f->s, "%#llo", (unsigned long long)rd_u64(r));
	field(f, "resolve", false);
	sysx_add_bits(f->s, &sysx_resolve, rd_u64(r), f->style->strace);
	close_struct(f);
}

static void wait_status(const struct fmt *f, u32 st)
{
	if (!f->v->returned || f->v->ret <= 0)
		str_addf(f->s, "%#x", st);
	else if (WIFEXITED(st))
		str_addf(f->s, f->style->strace ? "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]" : "{ exited: %d }", WEXITSTATUS(st));
	else if (WIFSIGNALED(st) || WIFSTOPPED(st)) {
		int sig = WIFSIGNALED(st) ? WTERMSIG(st) : WSTOPSIG(st);

		str_add(f->s, f->style->strace ? (WIFSIGNALED(st) ? "[{WIFSIGNALED(s) && WTERMSIG(s) == "
				"" : "[{WIFSTOPPED(s) && WSTOPSIG(s) == ")
			: WIFSIGNALED(st) ? "{ killed: " : "{ stopped: ");
		fmt_signal(f->s, sig, true);
		str_add(f->s, f->style->strace ? "}]" : " }");
	} else {
		str_addf(f->s, "%#x", st);
	}
}

static void fd_pair(const struct fmt *f, struct rd *r)
{
	str_addch(f->s, '[');
	fmt_fd(f, SYSCHUNK_PIPE0, rd_u32(r));
	str_add(f->s, ", ");
	fmt_fd(f, SYSCHUNK_PIPE1, rd_u32(r));
	str_addch(f->s, ']');
}

static void inet(const struct fmt *f, int family, struct rd *r)
{
	char text[INET6_ADDRSTRLEN];
	u16 port = ntohs(rd_u16(r));
	const void *addr;

	if (family == AF_INET6)
		rd_u32(r);	/* flow */
	addr = rd_bytes(r, family == AF_INET ? 4 : 16);
	if (!addr)
		return;
	inet_ntop(family, addr, text, sizeof(text));
	if (f->style->strace)
		str_addf(f->s, family == AF_INET ? ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")" :
			 ", sin6_port=htons(%u), inet_pton(AF_INET6, \"%s\", &sin6_addr)", port, text);
	else
		str_addf(f->s, ", port: %u, addr: %s", port, text);
}

static void unix_path(const struct fmt *f, struct rd *r)
{
	size_t n = rd_left(r);
	const u8 *p = rd_bytes(r, n);
	bool abstract = n && !p[0];

	if (!n)
		return;
	str_add(f->s, f->style->strace ? ", sun_path=" : ", path: ");
	if (f->style->strace) {
		if (abstract)
			str_addch(f->s, '@');
		syscall_add_quoted(f->s, abstract ? (struct span){ p + 1, n - 1 } : (struct span){ p, strnlen((const char *)p, n) }, false);
		return;
	}
	if (abstract)
		str_addch(f->s, '@');
	str_add_safen(f->s, (const char *)p + abstract, abstract ? n - 1 : strnlen((const char *)p, n));
}

void fmt_sockaddr(const struct fmt *f, struct span bytes)
{
	struct rd r;
	int family;

	rd_init(&r, bytes.ptr, bytes.len, false);
	family = rd_u16(&r);
	if (rd_failed(&r)) {
		str_add(f->s, "{}");
		return;
	}
	open_struct(f);
	field(f, f->style->strace ? "sa_family" : "family", true);
	sysx_add_value(f->s, &sysx_family, family, f->style->strace);
	if (family == AF_INET || family == AF_INET6)
		inet(f, family, &r);
	else if (family == AF_UNIX)
		unix_path(f, &r);
	close_struct(f);
}

bool fmt_struct(const struct fmt *f, unsigned arg, u8 kind, struct span bytes)
{
	struct rd r;
	bool out;

	if (bytes.len < sys_struct_bytes(kind, &out))
		return false;
	rd_init(&r, bytes.ptr, bytes.len, false);
	switch (kind) {
	case SYS_TIMESPEC: case SYS_OTIMESPEC: two(f, "tv_sec", "tv_nsec", &r); return true;
	case SYS_TIMEVAL: case SYS_OTIMEVAL: two(f, "tv_sec", "tv_usec", &r); return true;
	case SYS_TIMESPEC2:
		str_addch(f->s, '[');
		two(f, "tv_sec", "tv_nsec", &r);
		str_add(f->s, ", ");
		two(f, "tv_sec", "tv_nsec", &r);
		str_addch(f->s, ']');
		return true;
	case SYS_ITIMERVAL: case SYS_OITIMERVAL: timer_pair(f, "tv_usec", &r); return true;
	case SYS_ITIMERSPEC: case SYS_OITIMERSPEC: timer_pair(f, "tv_nsec", &r); return true;
	case SYS_RLIMIT: case SYS_ORLIMIT: rlimit(f, &r); return true;
	case SYS_SIGSET: case SYS_OSIGSET: fmt_sigset(f->s, bytes, f->style->strace); return true;
	case SYS_SIGACTION: case SYS_OSIGACTION: sigaction_struct(f, &r); return true;
	case SYS_OSTAT: stat_struct(f, &r); return true;
	case SYS_OSTATX: statx_struct(f, &r); return true;
	case SYS_ORUSAGE:
		open_struct(f);
		field(f, "ru_utime", true);
		two(f, "tv_sec", "tv_usec", &r);
		field(f, "ru_stime", false);
		two(f, "tv_sec", "tv_usec", &r);
		str_add(f->s, ", ...");
		close_struct(f);
		return true;
	case SYS_OUTSNAME: utsname_struct(f, &r); return true;
	case SYS_POLLFDS: pollfds(f, bytes, f->v->args[1]); return true;
	case SYS_EPOLL_EVENT: epoll_one(f, &r); return true;
	case SYS_EPOLL_EVENTS: epoll_many(f, &r); return true;
	case SYS_IOV: case SYS_OIOV: iovecs(f, bytes, f->by_arg[arg]); return true;
	case SYS_MSGHDR: case SYS_OMSGHDR: msghdr(f, arg); return true;
	case SYS_CLONE_ARGS: clone_args(f, &r); return true;
	case SYS_OPEN_HOW: open_how(f, &r); return true;
	case SYS_FDPAIR: fd_pair(f, &r); return true;
	case SYS_PINT: case SYS_OPINT: str_addf(f->s, "[%d]", (s32)rd_u32(&r)); return true;
	case SYS_OPOS: str_addf(f->s, "[%lld]", (long long)rd_u64(&r)); return true;
	case SYS_OWSTATUS: wait_status(f, rd_u32(&r)); return true;
	case SYS_CPUMASK: case SYS_OCPUMASK: str_addf(f->s, "[%#llx]", (unsigned long long)rd_u64(&r)); return true;
	}
	return false;
}
