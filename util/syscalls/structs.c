// SPDX-License-Identifier: GPL-2.0-or-later
// Structs that arguments point to.
#include "util/syscalls/syscalls-priv.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* The bits and the data; packed on x86 alone (sys/epoll.h). */
#define EPOLL_BYTES_32 12

unsigned sys_epoll_bytes(bool compat)
{
	return compat ? EPOLL_BYTES_32 : sizeof(struct epoll_event);
}

static const struct { u8 kind, out; u16 bytes, bytes32; } sizes[] = {
	{ SYS_SIGSET, 0, 8, 8 }, { SYS_OSIGSET, 1, 8, 8 },
	{ SYS_OSTAT, 1, sizeof(struct stat), 96 }, { SYS_OSTATX, 1, 64, 64 },
	{ SYS_EPOLL_EVENT, 0, sizeof(struct epoll_event), EPOLL_BYTES_32 },
	{ SYS_PINT, 0, 4, 4 }, { SYS_OPINT, 1, 4, 4 },
	{ SYS_OPOS, 0, 8, 4 },
	{ SYS_OWSTATUS, 1, 4, 4 }, { SYS_CPUMASK, 0, 8, 4 }, { SYS_OCPUMASK, 1, 8, 4 },
	{ SYS_SIGINFO, 0, 48, 32 },
	{ SYS_OSIGINFO, 1, 48, 32 }, { SYS_BPF_ATTR, 0, 48, 48 },
	{ SYS_CAPHDR, 0, 8, 8 }, { SYS_CAPDATA, 0, 24, 24 }, { SYS_OCAPDATA, 1, 24, 24 },
};

unsigned sys_struct_bytes(const struct syscall_info *info, u8 kind, bool compat, bool *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].kind != kind)
			continue;
		*out = sizes[i].out;
		return compat ? sizes[i].bytes32 : sizes[i].bytes;
	}
	return sys_layout_bytes(info, kind, compat, out);
}

/* "{ .a: 1, .b: 2 }", for strace "{a=1, b=2}" */
void fmt_open(const struct fmt *f)
{
	str_add(f->s, f->style->strace ? "{" : "{ ");
}

void fmt_close(const struct fmt *f)
{
	str_add(f->s, f->style->strace ? "}" : " }");
}

void fmt_field(const struct fmt *f, const char *name, bool first)
{
	if (!first)
		str_add(f->s, ", ");
	if (!f->style->strace)
		str_addch(f->s, '.');
	str_add(f->s, name);
	str_add(f->s, f->style->strace ? "=" : ": ");
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

/* Where a struct stat has what; x86-64 has st_nlink before st_mode. Of the 32-bit ABI: struct
 * stat64, and the one before it. */
static const struct stat_at { u16 mode, size, rdev, bytes; } stat_native = {
#if defined(__x86_64__)
	24, 48, 40, 56
#else
	16, 48, 32, 56
#endif
}, stat_64_of_32 = { 16, 44, 32, 52 }, stat_32 = { 8, 20, 16, 24 };

static u64 at(struct rd *r, u16 off, unsigned bytes)
{
	rd_seek(r, off);
	return bytes == 8 ? rd_u64(r) : bytes == 4 ? rd_u32(r) : rd_u16(r);
}

void fmt_file_mode(const struct fmt *f, u32 mode)
{
	static const char *const types[16] = { NULL, "S_IFIFO", "S_IFCHR", NULL, "S_IFDIR", NULL,
					       "S_IFBLK", NULL, "S_IFREG",
					       NULL, "S_IFLNK", NULL, "S_IFSOCK" };
	const char *type = types[mode >> 12 & 15];

	if (!f->style->strace)
		fmt_oct(f->s, mode);
	else
		str_addf(f->s, "%s%s%s%#03o", type ? type : "", type ? "|" : "", mode & 04000 ?
			 "S_ISUID|" : mode & 02000 ? "S_ISGID|" :
			 mode & 01000 ? "S_ISVTX|" : "", mode & 0777);
}

static void stat_struct(const struct fmt *f, struct rd *r)
{
	const char *name = f->v->info ? f->v->info->name : "";
	const struct stat_at *s = !f->v->compat ? &stat_native : strstr(name, "64") ?
		&stat_64_of_32 : &stat_32;
	unsigned each = s == &stat_native || s == &stat_64_of_32 ? 8 : 4;
	u32 mode = at(r, s->mode, s == &stat_32 ? 2 : 4);
	u64 size = at(r, s->size, each), rdev = at(r, s->rdev, each);

	fmt_open(f);
	fmt_field(f, "st_mode", true);
	fmt_file_mode(f, mode);
	if (f->style->strace && ((mode & S_IFMT) == S_IFCHR || (mode & S_IFMT) == S_IFBLK)) {
		fmt_field(f, "st_rdev", false);
		str_addf(f->s, "makedev(%#x, %#x)", major(rdev), minor(rdev));
	} else {
		fmt_field(f, "st_size", false);
		fmt_s64(f->s, (s64)size);
	}
	str_add(f->s, ", ...");
	fmt_close(f);
}

static void statx_struct(const struct fmt *f, struct rd *r)
{
	u32 mask = rd_u32(r), mode;
	u64 attributes = at(r, 8, 8);

	fmt_open(f);
	if (f->style->strace) {
		fmt_field(f, "stx_mask", true);
		sysx_add_bits(f->s, &sysx_statx_mask, mask, fmt_how(f));
		fmt_field(f, "stx_attributes", false);
		sysx_add_bits(f->s, &sysx_statx_attr, attributes, fmt_how(f));
	}
	mode = at(r, 28, 2);
	fmt_field(f, "stx_mode", !f->style->strace);
	fmt_file_mode(f, mode);
	fmt_field(f, "stx_size", false);
	str_add_u64(f->s, at(r, 40, 8));
	str_add(f->s, ", ...");
	fmt_close(f);
}

/* Why the kernel sent it, by signal; what follows differs. */
static const struct sysx *codes_of(int sig)
{
	switch (sig) {
	case SIGCHLD: return &sysx_cld;
	case SIGSEGV: return &sysx_segv_code;
	case SIGBUS: return &sysx_bus_code;
	case SIGILL: return &sysx_ill_code;
	case SIGFPE: return &sysx_fpe_code;
	case SIGTRAP: return &sysx_trap_code;
	case SIGSYS: return &sysx_sys_code;
	case SIGIO: return &sysx_poll_code;
	}
	return &sysx_sicode;
}

static void add_ticks(const struct fmt *f, const char *name, u64 ticks)
{
	fmt_field(f, name, false);
	str_add_u64(f->s, ticks);
	if (ticks && f->style->strace)
		str_addf(f->s, " /* %llu.%02llu s */", (unsigned long long)ticks / 100,
			 (unsigned long long)ticks % 100);
}

/* A child's end. */
static void siginfo_child(const struct fmt *f, struct rd *r, s32 code)
{
	bool narrow = f->v->compat;
	s32 status = at(r, narrow ? 20 : 24, 4);

	fmt_field(f, "si_status", false);
	if (code == CLD_EXITED)
		str_addf(f->s, "%d", status);
	else
		fmt_signal(f->s, status, true);
	if (f->style->strace) {
		add_ticks(f, "si_utime", at(r, narrow ? 24 : 32, narrow ? 4 : 8));
		add_ticks(f, "si_stime", at(r, narrow ? 28 : 40, narrow ? 4 : 8));
	} else {
		str_add(f->s, ", ...");
	}
}

/* What the sender gave along. */
static void siginfo_value(const struct fmt *f, struct rd *r)
{
	u64 v = at(r, f->v->compat ? 20 : 24, f->v->compat ? 4 : 8);

	fmt_field(f, "si_int", false);
	str_addf(f->s, "%d", (s32)v);
	fmt_field(f, "si_ptr", false);
	fmt_ptr(f, v);
}

static void siginfo(const struct fmt *f, struct rd *r)
{
	bool narrow = f->v->compat, fault;
	s32 sig = rd_u32(r), code = at(r, 8, 4), first = at(r, narrow ? 12 : 16, 4),
		second = at(r, narrow ? 16 : 20, 4);

	if (!sig) {
		str_add(f->s, "{}");
		return;
	}
	fault = sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP;
	fmt_open(f);
	fmt_field(f, "si_signo", true);
	fmt_signal(f->s, sig, true);
	fmt_field(f, "si_code", false);
	sysx_add_value(f->s, code > 0 && code < 0x80 ? codes_of(sig) : &sysx_sicode, (u64)(s64)code,
		       f->style->strace ? SYSX_STRACE : SYSX_PREFIX);
	if (code == SI_TIMER) {
		fmt_field(f, "si_timerid", false);
		str_addf(f->s, "%#x", (u32)first);
		fmt_field(f, "si_overrun", false);
		str_addf(f->s, "%d", second);
		siginfo_value(f, r);
	} else if (code <= 0 || sig == SIGCHLD) {
		fmt_field(f, "si_pid", false);
		str_addf(f->s, "%d", first);
		fmt_field(f, "si_uid", false);
		str_addf(f->s, "%u", (u32)second);
		if (code == SI_QUEUE)
			siginfo_value(f, r);
	} else if (fault && code < 0x80) {
		fmt_field(f, "si_addr", false);
		fmt_ptr(f, at(r, narrow ? 12 : 16, narrow ? 4 : 8));
	}
	if (sig == SIGCHLD && code > 0)
		siginfo_child(f, r, code);
	else if (code > 0 && !f->style->strace)
		str_add(f->s, ", ...");
	fmt_close(f);
}

void syscall_add_signal(struct str *s, int sig, struct span info)
{
	static const u64 args[6];
	const struct syscall_style style = { .strace = true, .prefix = true };
	const struct syscall_values v = { .args = args };
	const struct fmt f = { .s = s, .v = &v, .style = &style };
	struct rd r;

	fmt_signal(s, sig, true);
	if (info.len < SYSREC_INFO_BYTES)
		return;
	rd_init(&r, info.ptr, info.len, false);
	str_addch(s, ' ');
	siginfo(&f, &r);
}

/* Descriptors whose bit is set. */
static void fd_set_bits(const struct fmt *f, struct span bytes, u64 n)
{
	bool any = false;

	str_addch(f->s, '[');
	for (u64 i = 0; i < n && i / 8 < bytes.len; i++) {
		if (!(bytes.ptr[i / 8] >> (i & 7) & 1))
			continue;
		if (any)
			str_addch(f->s, ' ');
		str_add_u64(f->s, i);
		any = true;
	}
	str_addch(f->s, ']');
}

static void int_field(const struct fmt *f, const char *name, bool first, u32 v)
{
	fmt_field(f, name, first);
	fmt_s64(f->s, (s32)v);
}

/* The part of union bpf_attr that the command looks at. */
static void bpf_attr(const struct fmt *f, struct rd *r)
{
	u32 cmd = f->v->args[0];
	u32 w0 = rd_u32(r), w1 = rd_u32(r), w2 = rd_u32(r), w3 = rd_u32(r), w4 = rd_u32(r);
	u64 q1 = at(r, 8, 8), q2 = at(r, 16, 8);

	fmt_open(f);
	if (cmd == 0) {	/* MAP_CREATE */
		fmt_field(f, "map_type", true);
		sysx_add_value(f->s, &sysx_bpf_map, w0, fmt_how(f));
		int_field(f, "key_size", false, w1);
		int_field(f, "value_size", false, w2);
		int_field(f, "max_entries", false, w3);
		fmt_field(f, "map_flags", false);
		str_addf(f->s, w4 ? "%#x" : "%u", w4);
	} else if (cmd <= 4) {	/* *_ELEM, GET_NEXT_KEY */
		int_field(f, "map_fd", true, w0);
		fmt_field(f, "key", false);
		fmt_ptr(f, q1);
		fmt_field(f, cmd == 4 ? "next_key" : "value", false);
		fmt_ptr(f, q2);
	} else if (cmd == 5) {	/* PROG_LOAD */
		fmt_field(f, "prog_type", true);
		sysx_add_value(f->s, &sysx_bpf_prog, w0, fmt_how(f));
		int_field(f, "insn_cnt", false, w1);
		fmt_field(f, "insns", false);
		fmt_ptr(f, q1);
	} else {
		str_addf(f->s, f->style->strace ? "%#x, %#x, %#x, %#x" : "%#x %#x %#x %#x", w0, w1,
			 w2, w3);
	}
	str_add(f->s, ", ...");
	fmt_close(f);
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
		fmt_open(f);
		fmt_field(f, "fd", true);
		fmt_s64(f->s, fd);
		fmt_field(f, "events", false);
		sysx_add_bits(f->s, &sysx_poll_events, events, fmt_how(f));
		if (f->v->returned && f->v->ret > 0 && !f->style->strace) {
			fmt_field(f, "revents", false);
			sysx_add_bits(f->s, &sysx_poll_events, revents, fmt_how(f));
		}
		fmt_close(f);
	}
	str_add(f->s, bytes.len < whole * 8 ? ", ...]" : "]");
}

/* " ([{fd=3, revents=POLLIN}])" */
void fmt_revents(const struct fmt *f)
{
	struct span bytes;
	bool any = false;
	struct rd r;

	if (!fmt_chunk(f, 0, SYSCHUNK_MEM, &bytes))
		return;
	rd_init(&r, bytes.ptr, bytes.len, false);
	str_add(f->s, " ([");
	while (rd_left(&r) >= 8) {
		s32 fd = rd_u32(&r);
		u16 revents = rd_u32(&r) >> 16;

		if (!revents)
			continue;
		str_addf(f->s, "%s{fd=%d, revents=", any ? ", " : "", fd);
		sysx_add_bits(f->s, &sysx_poll_events, revents, fmt_how(f));
		str_addch(f->s, '}');
		any = true;
	}
	str_add(f->s, "])");
}

static void epoll_one(const struct fmt *f, struct rd *r)
{
	u64 data;

	fmt_open(f);
	fmt_field(f, "events", true);
	sysx_add_bits(f->s, &sysx_epoll_events, rd_u32(r), fmt_how(f));
	rd_skip(r, sys_epoll_bytes(f->v->compat) - 12);
	data = rd_u64(r);
	fmt_field(f, "data", false);
	if (f->style->strace)
		str_addf(f->s, "{u32=%u, u64=%llu}", (u32)data, (unsigned long long)data);
	else
		str_addf(f->s, "%#llx", (unsigned long long)data);
	fmt_close(f);
}

static void epoll_many(const struct fmt *f, struct rd *r)
{
	str_addch(f->s, '[');
	for (size_t i = 0; rd_left(r) >= sys_epoll_bytes(f->v->compat); i++) {
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

/* left: bytes that may be in them */
static void iovecs(const struct fmt *f, struct span bytes, const struct syschunk *c, u64 left)
{
	struct rd r;

	rd_init(&r, bytes.ptr, bytes.len, false);
	str_addch(f->s, '[');
	for (size_t i = 0; rd_left(&r) >= (f->v->compat ? 8 : 16); i++) {
		u64 base = f->v->compat ? rd_u32(&r) : rd_u64(&r), len = f->v->compat ? rd_u32(&r) :
			rd_u64(&r);

		if (i)
			str_add(f->s, ", ");
		fmt_open(f);
		fmt_field(f, f->style->strace ? "iov_base" : "base", true);
		c = c ? next_chunk(f, c) : NULL;
		if (c && c->kind == SYSCHUNK_IOVDATA)
			syscall_add_quoted(f->s, (struct span){ (const u8 *)(c + 1), c->len },
					   MIN(len, left) > c->len);
		else
			fmt_ptr(f, base);
		left -= MIN(len, left);
		fmt_field(f, f->style->strace ? "iov_len" : "len", false);
		str_add_u64(f->s, len);
		fmt_close(f);
	}
	str_addch(f->s, ']');
}

/* What a struct msghdr has besides the name and the iovecs. */
static void msghdr_rest(const struct fmt *f, struct span bytes, bool any)
{
	bool narrow = f->v->compat, st = f->style->strace;
	u64 iovlen, control, controllen;
	u32 flags;
	struct rd r;

	rd_init(&r, bytes.ptr, bytes.len, false);
	iovlen = at(&r, narrow ? 12 : 24, narrow ? 4 : 8);
	control = at(&r, narrow ? 16 : 32, narrow ? 4 : 8);
	controllen = at(&r, narrow ? 20 : 40, narrow ? 4 : 8);
	flags = at(&r, narrow ? 24 : 48, 4);
	if (rd_failed(&r))
		return;
	if (st) {
		fmt_field(f, "msg_iovlen", !any);
		str_add_u64(f->s, iovlen);
		any = true;
	}
	if (controllen && control) {
		fmt_field(f, st ? "msg_control" : "control", !any);
		fmt_ptr(f, control);
		any = true;
	}
	if (st || controllen) {
		fmt_field(f, st ? "msg_controllen" : "controllen", !any);
		str_add_u64(f->s, controllen);
		any = true;
	}
	if (st || flags) {
		fmt_field(f, st ? "msg_flags" : "flags", !any);
		sysx_add_bits(f->s, &sysx_msg, flags, fmt_how(f));
	}
}

static void msghdr(const struct fmt *f, const struct syschunk *c, u64 left)
{
	unsigned arg = c->arg;
	bool any = false, st = f->style->strace;
	struct span head = { NULL, 0 };
	struct rd r;

	fmt_open(f);
	if (c->kind == SYSCHUNK_MEM || c->kind == SYSCHUNK_MMSG) {
		head = (struct span){ (const u8 *)(c + 1), c->len };
		c = next_chunk(f, c);
	}
	rd_init(&r, head.ptr, head.len, false);
	if ((c && c->arg == arg && c->kind == SYSCHUNK_ADDR) || (st && head.len)) {
		fmt_field(f, st ? "msg_name" : "name", true);
		any = true;
		if (c && c->arg == arg && c->kind == SYSCHUNK_ADDR) {
			fmt_sockaddr(f, (struct span){ (const u8 *)(c + 1), c->len });
			c = next_chunk(f, c);
		} else {
			fmt_ptr(f, at(&r, 0, f->v->compat ? 4 : 8));
		}
		if (st && head.len) {
			fmt_field(f, "msg_namelen", false);
			str_add_u64(f->s, at(&r, f->v->compat ? 4 : 8, 4));
		}
	}
	if (c && c->arg == arg && c->kind == SYSCHUNK_IOV) {
		fmt_field(f, st ? "msg_iov" : "iov", !any);
		any = true;
		iovecs(f, (struct span){ (const u8 *)(c + 1), c->len }, c, left);
	}
	if (head.len)
		msghdr_rest(f, head, any);
	fmt_close(f);
}

/* The messages of sendmmsg and recvmmsg that went through. */
static void mmsghdrs(const struct fmt *f, unsigned arg)
{
	const struct syschunk *c = f->by_arg[arg];
	s64 n = 0;

	str_addch(f->s, '[');
	for (; c; c = next_chunk(f, c)) {
		struct rd r;
		u32 len;

		if (c->arg != arg || c->kind != SYSCHUNK_MMSG)
			continue;
		rd_init(&r, (const u8 *)(c + 1), c->len, false);
		len = at(&r, f->v->compat ? 28 : 56, 4);
		if (n++)
			str_add(f->s, ", ");
		fmt_open(f);
		fmt_field(f, "msg_hdr", true);
		msghdr(f, c, len);
		fmt_field(f, "msg_len", false);
		str_add_u64(f->s, len);
		fmt_close(f);
	}
	str_add(f->s, n < f->v->ret ? ", ...]" : "]");
}

static u64 moved(const struct fmt *f)
{
	return f->v->returned && f->v->ret >= 0 ? (u64)f->v->ret : ~0ULL;
}

static void wait_status(const struct fmt *f, u32 st)
{
	if (!f->v->returned || f->v->ret <= 0)
		str_addf(f->s, "%#x", st);
	else if (WIFEXITED(st))
		str_addf(f->s, f->style->strace ? "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]" :
			 "{ exited: %d }", WEXITSTATUS(st));
	else if (WIFSIGNALED(st) || WIFSTOPPED(st)) {
		int sig = WIFSIGNALED(st) ? WTERMSIG(st) : WSTOPSIG(st);

		str_add(f->s, f->style->strace ? (WIFSIGNALED(st) ?
						  "[{WIFSIGNALED(s) && WTERMSIG(s) == "
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
		str_addf(f->s, family == AF_INET ? ", sin_port=htons(%u), "
						   "sin_addr=inet_addr(\"%s\")" :
			 ", sin6_port=htons(%u), inet_pton(AF_INET6, \"%s\", &sin6_addr)", port,
				 text);
	else
		str_addf(f->s, ", port: %u, addr: %s", port, text);
}

static void netlink(const struct fmt *f, struct rd *r)
{
	u32 pid, groups;

	rd_u16(r);	/* padding */
	pid = rd_u32(r);
	groups = rd_u32(r);
	if (rd_failed(r))
		return;
	if (f->style->strace)
		str_addf(f->s, ", nl_pid=%u, nl_groups=%08x", pid, groups);
	else
		str_addf(f->s, groups ? ", pid: %u, groups: %#x" : ", pid: %u, groups: %u", pid,
			 groups);
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
		syscall_add_quoted(f->s, abstract ? (struct span){ p + 1, n - 1 } :
				   (struct span){ p, strnlen((const char *)p, n) }, false);
		return;
	}
	if (abstract)
		str_addch(f->s, '@');
	str_add_safen(f->s, (const char *)p + abstract, abstract ? n - 1 :
		      strnlen((const char *)p, n));
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
	fmt_open(f);
	fmt_field(f, f->style->strace ? "sa_family" : "family", true);
	sysx_add_value(f->s, &sysx_family, family, fmt_how(f));
	if (family == AF_INET || family == AF_INET6)
		inet(f, family, &r);
	else if (family == AF_UNIX)
		unix_path(f, &r);
	else if (family == AF_NETLINK)
		netlink(f, &r);
	fmt_close(f);
}

/* The value of a socket option: an int, or one of the few structs. */
void fmt_sockopt(const struct fmt *f, u32 level, u32 option, struct span bytes)
{
	struct rd r;

	rd_init(&r, bytes.ptr, bytes.len, false);
	if (level == SOL_SOCKET && option == SO_LINGER && bytes.len >= 8) {
		fmt_open(f);
		int_field(f, "l_onoff", true, rd_u32(&r));
		int_field(f, "l_linger", false, rd_u32(&r));
		fmt_close(f);
	} else if (level == SOL_SOCKET && option == SO_PEERCRED && bytes.len >= 12) {
		fmt_open(f);
		int_field(f, "pid", true, rd_u32(&r));
		int_field(f, "uid", false, rd_u32(&r));
		int_field(f, "gid", false, rd_u32(&r));
		fmt_close(f);
	} else if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO) &&
		   bytes.len >= 16) {
		fmt_layout(f, SYS_TIMEVAL, bytes);
	} else if (level == SOL_SOCKET && option == SO_ERROR && bytes.len == 4) {
		u32 code = rd_u32(&r);

		if (errno_name(code))
			str_addf(f->s, "[%s]", errno_name(code));
		else
			str_addf(f->s, "[%u]", code);
	} else if (bytes.len == 4) {
		str_addf(f->s, "[%d]", (s32)rd_u32(&r));
	} else {
		syscall_add_quoted(f->s, bytes, false);
	}
}

/* By the kernel's type information: one, or an array whose length another argument or the result
 * has. */
static bool typed(const struct fmt *f, const struct sys_arg *a, struct span bytes)
{
	size_t n = a->other >= 0 && a->bytes ? bytes.len / a->bytes : 1;
	u64 whole = a->other == 6 ? (u64)f->v->ret : a->other >= 0 ? f->v->args[a->other] : 1;
	size_t before = f->s->len;

	if (!f->style->add_type)
		return false;
	if (a->other >= 0)
		str_addch(f->s, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			str_add(f->s, ", ");
		if (f->style->add_type(f->style->ctx, a->type,
				       (struct span){ bytes.ptr + i * a->bytes,
						      MIN(bytes.len, a->bytes) }, f->s))
			continue;
		f->s->len = before;
		return false;
	}
	if (a->other >= 0)
		str_add(f->s, n < whole ? n ? ", ...]" : "...]" : "]");
	return true;
}

static void numbers(const struct fmt *f, struct span bytes, u64 whole)
{
	struct rd r;
	u64 n = 0;

	rd_init(&r, bytes.ptr, bytes.len, false);
	str_addch(f->s, '[');
	for (; rd_left(&r) >= 4; n++)
		str_addf(f->s, n ? ", %u" : "%u", rd_u32(&r));
	str_add(f->s, n < whole ? n ? ", ...]" : "...]" : "]");
}

static void cap_header(const struct fmt *f, struct rd *r)
{
	u32 version = rd_u32(r);
	int v = version == 0x19980330 ? 1 : version == 0x20071026 ? 2 : version == 0x20080522 ? 3 :
		0;

	fmt_open(f);
	fmt_field(f, "version", true);
	if (v)
		str_addf(f->s, "%s_%d", f->style->strace || f->style->prefix ?
			 "_LINUX_CAPABILITY_VERSION" : "VERSION", v);
	else
		str_addf(f->s, "%#x", version);
	int_field(f, "pid", false, rd_u32(r));
	fmt_close(f);
}

static void cap_set(const struct fmt *f, const char *name, bool first, u64 set)
{
	bool any = false;

	fmt_field(f, name, first);
	/* nobody reads forty names */
	if (!f->style->strace && __builtin_popcountll(set) > 8) {
		str_addf(f->s, "%#llx", (unsigned long long)set);
		return;
	}
	for (unsigned i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		if (any)
			str_addch(f->s, '|');
		any = true;
		if (!sysx_find(&sysx_cap, i)) {	/* the rest has no names */
			str_addf(f->s, "%#llx", (unsigned long long)(set >> i << i));
			break;
		}
		if (f->style->strace)
			str_add(f->s, "1<<");
		sysx_add_value(f->s, &sysx_cap, i, fmt_how(f));
	}
	if (!any)
		str_addch(f->s, '0');
}

/* The first version of the interface has one word a set, the others two. */
static void cap_data(const struct fmt *f, struct span bytes)
{
	static const char *const names[] = { "effective", "permitted", "inheritable" };
	struct span head;
	struct rd r;
	bool wide = fmt_chunk(f, 0, SYSCHUNK_MEM, &head) && head.len >= 4 &&
		memcmp(head.ptr, "\x30\x03\x98\x19", 4) != 0;

	rd_init(&r, bytes.ptr, bytes.len, false);
	fmt_open(f);
	for (u16 i = 0; i < 3; i++)
		cap_set(f, names[i], !i, at(&r, 4 * i, 4) |
			(wide ? at(&r, 12 + 4 * i, 4) << 32 : 0));
	fmt_close(f);
}

bool fmt_struct(const struct fmt *f, unsigned arg, u8 kind, struct span bytes)
{
	struct rd r;
	bool out;

	if (bytes.len < sys_struct_bytes(f->v->info, kind, f->v->compat, &out))
		return false;
	if (fmt_layout(f, kind, bytes))
		return true;
	rd_init(&r, bytes.ptr, bytes.len, false);
	switch (kind) {
	case SYS_SIGSET: case SYS_OSIGSET: fmt_sigset(f->s, bytes, f->style->strace); return true;
	case SYS_OSTAT: stat_struct(f, &r); return true;
	case SYS_OSTATX: statx_struct(f, &r); return true;
	case SYS_SIGINFO: case SYS_OSIGINFO: siginfo(f, &r); return true;
	case SYS_FDSET: fd_set_bits(f, bytes, f->v->args[0]); return true;
	case SYS_BPF_ATTR: bpf_attr(f, &r); return true;
	case SYS_STRUCT: case SYS_OSTRUCT: return typed(f, &f->v->info->args[arg], bytes);
	case SYS_POLLFDS: pollfds(f, bytes, f->v->args[1]); return true;
	case SYS_EPOLL_EVENT: epoll_one(f, &r); return true;
	case SYS_EPOLL_EVENTS: epoll_many(f, &r); return true;
	case SYS_IOV: case SYS_OIOV: iovecs(f, bytes, f->by_arg[arg], moved(f)); return true;
	case SYS_MSGHDR: case SYS_OMSGHDR: msghdr(f, f->by_arg[arg], moved(f)); return true;
	case SYS_OMMSGHDRS: mmsghdrs(f, arg); return true;
	case SYS_FDPAIR: fd_pair(f, &r); return true;
	case SYS_PINT: case SYS_OPINT: str_addf(f->s, "[%d]", (s32)rd_u32(&r)); return true;
	case SYS_OPOS: str_addf(f->s, "[%lld]", f->v->compat ? (long long)(s32)rd_u32(&r) :
				(long long)rd_u64(&r)); return true;
	case SYS_OWSTATUS: wait_status(f, rd_u32(&r)); return true;
	case SYS_GIDS: case SYS_OGIDS: numbers(f, bytes, kind == SYS_GIDS ? f->v->args[0] :
					       (u64)f->v->ret); return true;
	case SYS_RIOV: iovecs(f, bytes, NULL, 0); return true;
	case SYS_CAPHDR: cap_header(f, &r); return true;
	case SYS_CAPDATA: case SYS_OCAPDATA: cap_data(f, bytes); return true;
	case SYS_CPUMASK: case SYS_OCPUMASK:
		if (f->style->strace) {
			fd_set_bits(f, bytes, 64);
			return true;
		}
		str_addf(f->s, "[%#llx]", f->v->compat ? rd_u32(&r) :
			 (unsigned long long)rd_u64(&r));
		return true;
	}
	return false;
}
