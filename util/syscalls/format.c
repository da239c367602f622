// SPDX-License-Identifier: GPL-2.0-or-later
// Arguments and results of one call, as text.
#include "util/syscalls/syscalls-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

bool fmt_chunk(const struct fmt *f, unsigned arg, u8 kind, struct span *out)
{
	const struct syschunk *c = arg < ARRAY_SIZE(f->by_arg) ? f->by_arg[arg] : NULL;

	if (!c || c->kind != kind)
		return false;
	*out = (struct span){ (const u8 *)(c + 1), c->len };
	return true;
}

void fmt_ptr(const struct fmt *f, u64 p)
{
	if (!p) {
		str_add(f->s, "NULL");
		return;
	}
	str_add(f->s, "0x");
	str_add_hex(f->s, p, 1);
}

void fmt_s64(struct str *s, s64 v)
{
	if (v < 0)
		str_addch(s, '-');
	str_add_u64(s, v < 0 ? -(u64)v : (u64)v);
}

void fmt_hex(struct str *s, u64 v)
{
	if (!v) {
		str_addch(s, '0');
		return;
	}
	str_add(s, "0x");
	str_add_hex(s, v, 1);
}

void fmt_oct(struct str *s, u64 v)
{
	char text[24], *p = text + sizeof(text);

	for (; v; v >>= 3)
		*--p = (char)('0' + (v & 7));
	*--p = '0';
	str_addn(s, p, (size_t)(text + sizeof(text) - p));
}

static void add_escaped(struct str *s, struct span t)
{
	static const char esc[] = "\t\n\v\f\r\"\\", letter[] = "tnvfr\"\\";
	size_t plain = 0;

	for (size_t i = 0; i < t.len; i++) {
		u8 c = t.ptr[i];
		const char *e;

		if (c >= ' ' && c < 127 && c != '"' && c != '\\')
			continue;
		str_addn(s, t.ptr + plain, i - plain);
		plain = i + 1;
		e = c ? strchr(esc, c) : NULL;
		if (e) {
			char pair[2] = { '\\', letter[e - esc] };

			str_addn(s, pair, 2);
		} else {
			bool digit = i + 1 < t.len && t.ptr[i + 1] >= '0' && t.ptr[i + 1] <= '7';
			char octal[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
					  (char)('0' + (c & 7)) };
			int skip = digit ? 0 : c < 8 ? 2 : c < 64 ? 1 : 0;

			octal[skip] = '\\';
			str_addn(s, octal + skip, sizeof(octal) - skip);
		}
	}
	str_addn(s, t.ptr + plain, t.len - plain);
}

void syscall_add_quoted(struct str *s, struct span t, bool more)
{
	str_addch(s, '"');
	add_escaped(s, t);
	str_addch(s, '"');
	if (more)
		str_add(s, "...");
}

static void add_string(const struct fmt *f, unsigned i)
{
	struct span t;

	if (fmt_chunk(f, i, SYSCHUNK_STR, &t))
		syscall_add_quoted(f->s, t, false);
	else if (fmt_chunk(f, i, SYSCHUNK_STR_CUT, &t))
		syscall_add_quoted(f->s, t, true);
	else
		fmt_ptr(f, f->v->args[i]);
}

static void add_buffer(const struct fmt *f, unsigned i, u64 whole)
{
	struct span t;

	if (!fmt_chunk(f, i, SYSCHUNK_MEM, &t)) {
		fmt_ptr(f, f->v->args[i]);
		return;
	}
	if (!syscall_values_only(f->style)) {
		syscall_add_quoted(f->s, t, whole > t.len);
		return;
	}
	add_escaped(f->s, t);
	if (whole > t.len)
		str_add(f->s, "...");
}

/* A string whose NUL is counted in the result. */
static void add_name_buffer(const struct fmt *f, unsigned i)
{
	struct span t;

	if (!fmt_chunk(f, i, SYSCHUNK_MEM, &t)) {
		fmt_ptr(f, f->v->args[i]);
		return;
	}
	syscall_add_quoted(f->s, (struct span){ t.ptr, strnlen((const char *)t.ptr, t.len) },
			   (u64)f->v->ret > t.len);
}

/* The name of a descriptor: by the key in its chunk, else whoever asks knows it by number. */
void fmt_fd(const struct fmt *f, unsigned slot, s32 fd)
{
	const struct syschunk *c = slot < ARRAY_SIZE(f->by_arg) ? f->by_arg[slot] : NULL;
	const char *name;
	u64 key = 0;

	fmt_s64(f->s, fd);
	if (fd < 0 || !f->style->fd_name)
		return;
	if (c && c->kind == SYSCHUNK_FDKEY && c->len == sizeof(key))
		memcpy(&key, c + 1, sizeof(key));
	name = f->style->fd_name(f->style->ctx, key, f->v->tgid, fd);
	if (!name || (syscall_values_only(f->style) && name[0] != '/'))
		return;
	str_addch(f->s, '<');
	str_add_safe(f->s, name);
	str_addch(f->s, '>');
}

static void add_mode(struct str *s, u32 m, bool strace)
{
	static const struct { const char *name; u32 bits; } names[] = {
		{ "IALLUGO", 07777 }, { "IRWXUGO", 0777 }, { "IRUGO", 0444 }, { "IWUGO", 0222 },
			{ "IXUGO", 0111 },
		{ "IFSOCK", 0140000 }, { "IFLNK", 0120000 }, { "IFBLK", 060000 },
		{ "IFREG", 0100000 }, { "IFDIR", 040000 },
		{ "IFCHR", 020000 }, { "IFIFO", 010000 }, { "ISUID", 04000 }, { "ISGID", 02000 },
		{ "ISVTX", 01000 },
		{ "IRWXU", 0700 }, { "IRUSR", 0400 }, { "IWUSR", 0200 }, { "IXUSR", 0100 },
		{ "IRWXG", 070 }, { "IRGRP", 040 },
		{ "IWGRP", 020 }, { "IXGRP", 010 }, { "IRWXO", 07 }, { "IROTH", 04 },
		{ "IWOTH", 02 }, { "IXOTH", 01 },
	};
	bool any = false;

	if (strace) {
		str_addf(s, "%#03o", m);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names) && m; i++) {
		u32 bits = names[i].bits;

		if ((m & bits) != bits || (bits & S_IFMT && (m & S_IFMT) != bits))
			continue;
		if (any)
			str_addch(s, '|');
		str_add(s, names[i].name);
		m &= ~bits;
		any = true;
	}
	if (m || !any)
		str_addf(s, any ? "|%#o" : "%#o", m);
}

void fmt_signal(struct str *s, int sig, bool prefix)
{
	const char *name = signal_name(sig);

	if (!name && sig > 32 && sig <= 64) {
		str_addf(s, "%sRT_%d", prefix ? "SIG" : "", sig - 32);
		return;
	}
	if (!name) {
		fmt_s64(s, sig);
		return;
	}
	if (prefix)
		str_add(s, "SIG");
	str_add(s, name);
}

static void add_pid(const struct fmt *f, s32 pid)
{
	const char *comm = pid > 0 && f->style->comm && !f->style->strace ?
		f->style->comm(f->style->ctx, pid) : NULL;

	fmt_s64(f->s, pid);
	if (!comm)
		return;
	str_add(f->s, " (");
	str_add_safe(f->s, comm);
	str_addch(f->s, ')');
}

static void add_clone(const struct fmt *f, u64 v)
{
	size_t before;
	u64 flags = v & ~0xffULL;

	if (flags || !(v & 0xff)) {
		before = f->s->len;
		sysx_add_bits(f->s, &sysx_clone, flags, fmt_how(f));
		if (f->s->len > before && v & 0xff)
			str_addch(f->s, '|');
	}
	if (v & 0xff)
		fmt_signal(f->s, v & 0xff, true);
}

static void add_sock_type(const struct fmt *f, u32 v)
{
	bool named = sysx_find(&sysx_socktype, v & 15) || !f->style->strace;

	if (named || !v)
		sysx_add_value(f->s, &sysx_socktype, v & 15, v ? fmt_how(f) : SYSX_SHORT);
	if (!named && v) {
		sysx_add_bits(f->s, &sysx_sock, v, fmt_how(f));
	} else if (v & ~15u) {
		str_addch(f->s, '|');
		sysx_add_bits(f->s, &sysx_sock, v & ~15u, fmt_how(f));
	}
}

static void add_protocol(const struct fmt *f, u32 family, u32 v)
{
	if (family == AF_INET || family == AF_INET6)
		sysx_add_value(f->s, &sysx_ipproto, v, fmt_how(f));
	else if (family == AF_NETLINK)
		sysx_add_value(f->s, &sysx_netlink, v, fmt_how(f));
	else
		str_add_u64(f->s, v);
}

static void add_sockopt(const struct fmt *f, u32 level, u32 v)
{
	const struct sysx *x = level == SOL_SOCKET ? &sysx_so : level == 6 ? &sysx_tcp :
		level == 0 ? &sysx_ip :
			       level == 41 ? &sysx_ipv6 : level == 17 ? &sysx_udp : level == 263 ?
				       &sysx_packet :
			       level == 270 ? &sysx_netlink_opt : NULL;

	if (x)
		sysx_add_value(f->s, x, v, fmt_how(f));
	else
		str_add_u64(f->s, v);
}

static void add_uid(struct str *s, u32 v)
{
	if (v == UINT32_MAX)
		str_add(s, "-1");
	else
		str_add_u64(s, v);
}

/* "QCMD(Q_GETQUOTA, USRQUOTA)" */
static void add_quota_cmd(const struct fmt *f, u32 v)
{
	str_add(f->s, f->style->strace ? "QCMD(" : "(");
	sysx_add_value(f->s, &sysx_quota, v >> 8, fmt_how(f));
	str_add(f->s, ", ");
	sysx_add_value(f->s, &sysx_quota_type, v & 255, fmt_how(f));
	str_addch(f->s, ')');
}

static void add_ioprio(const struct fmt *f, u32 v)
{
	str_add(f->s, f->style->strace ? "IOPRIO_PRIO_VALUE(" : "(");
	sysx_add_value(f->s, &sysx_ioprio_class, v >> 13, fmt_how(f));
	str_addf(f->s, ", %u)", v & 0x1fff);
}

/* A mode and flags above it. */
static void add_mempolicy(const struct fmt *f, u32 v)
{
	sysx_add_value(f->s, &sysx_mpol, v & 0x1fff, fmt_how(f));
	if (v >> 13) {
		str_addch(f->s, '|');
		sysx_add_bits(f->s, &sysx_mpol_mode, v & ~0x1fffu, fmt_how(f));
	}
}

static void add_swap_flags(const struct fmt *f, u32 v)
{
	if (v & ~0x7fffu)
		sysx_add_bits(f->s, &sysx_swap, v & ~0x7fffu, fmt_how(f));
	if (v & 0x7fff || !v || v & 0x8000)	/* with a priority it is said, though it is 0 */
		str_addf(f->s, v & ~0x7fffu ? "|%u" : "%u", v & 0x7fff);
}

static void add_syslog(const struct fmt *f, u32 v)
{
	const struct sysx_item *i;

	if (!f->style->strace) {
		sysx_add_value(f->s, &sysx_syslog, v, fmt_how(f));
		return;
	}
	i = sysx_find(&sysx_syslog, v);	/* strace has the number first */
	str_addf(f->s, i ? "%u /* SYSLOG_ACTION_%s */" : "%#x /* SYSLOG_ACTION_%s */", v,
		 i ? i->name : "???");
}

#define FUTEX_OP_BITS (~384u)	/* FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME */
static void add_futex_op(const struct fmt *f, u32 v)
{
	enum sysx_how p = fmt_how(f);

	sysx_add_value(f->s, &sysx_futex, v & FUTEX_OP_BITS, p);
	if (v & 128)
		str_add(f->s, p ? "_PRIVATE" : "|PRIVATE_FLAG");
	if (v & 256)
		str_add(f->s, p ? "|FUTEX_CLOCK_REALTIME" : "|CLKRT");
}

static void add_fcntl_arg(const struct fmt *f, u32 cmd, u64 v)
{
	enum sysx_how p = fmt_how(f);
	struct span t;

	switch (cmd) {
	case F_SETFD:
		sysx_add_bits(f->s, &sysx_fdflag, v, p);
		break;
	case F_SETFL:
		sysx_add_bits(f->s, &sysx_open, v, p);
		break;
	case F_ADD_SEALS:
		sysx_add_bits(f->s, &sysx_seal, v, p);
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETSIG:
	case F_SETPIPE_SZ:
	case F_NOTIFY:
	case F_SETLEASE:
		fmt_s64(f->s, (s64)v);
		break;
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		if (!fmt_chunk(f, 2, SYSCHUNK_MEM, &t) || !fmt_layout(f, SYS_FCNTLARG, t))
			fmt_ptr(f, v);
		break;
	default:
		fmt_hex(f->s, v);
	}
}

#define SET_PDEATHSIG 1
#define SET_NAME 15
#define GET_NAME 16
#define SET_KEEPCAPS 8
#define CAPBSET_READ 23
#define CAPBSET_DROP 24
#define SET_TIMERSLACK 29
#define SET_CHILD_SUBREAPER 36
#define SET_NO_NEW_PRIVS 38
static void add_prctl_arg(const struct fmt *f, u32 option, unsigned i)
{
	u64 v = f->v->args[i];

	switch (option) {
	case SET_NAME:
	case GET_NAME:
		add_string(f, i);
		break;
	case SET_PDEATHSIG:
		fmt_signal(f->s, v, f->style->prefix);
		break;
	case CAPBSET_READ:
	case CAPBSET_DROP:
		sysx_add_value(f->s, &sysx_cap, v, fmt_how(f));
		break;
	case SET_KEEPCAPS:
	case SET_TIMERSLACK:
	case SET_CHILD_SUBREAPER:
	case SET_NO_NEW_PRIVS:
		str_add_u64(f->s, v);
		break;
	default:
		fmt_hex(f->s, v);
	}
}

static void add_rights(const struct fmt *f, u64 v)
{
	if (f->style->prefix) {
		sysx_add_bits(f->s, &sysx_access, (u32)v, fmt_how(f));
		return;
	}
	if (!v)
		str_addch(f->s, 'F');
	if (v & 4)
		str_addch(f->s, 'R');
	if (v & 2)
		str_addch(f->s, 'W');
	if (v & 1)
		str_addch(f->s, 'X');
}

static u64 whole_bytes(const struct fmt *f, const struct sys_arg *a)
{
	if (a->other == 6)
		return f->v->ret > 0 ? (u64)f->v->ret : 0;
	return a->other >= 0 ? f->v->args[a->other] : 0;
}

static void add_argv(const struct fmt *f, unsigned i)
{
	struct span t;
	bool cut = fmt_chunk(f, i, SYSCHUNK_ARGV_CUT, &t);

	if (!cut && !fmt_chunk(f, i, SYSCHUNK_ARGV, &t)) {
		fmt_ptr(f, f->v->args[i]);
		return;
	}
	str_addch(f->s, '[');
	for (size_t at = 0; at < t.len;) {
		size_t n = strnlen((const char *)t.ptr + at, t.len - at);

		size_t shown = f->style->strace && n > f->style->max_string ? f->style->max_string :
			n;

		if (at)
			str_add(f->s, ", ");
		syscall_add_quoted(f->s, (struct span){ t.ptr + at, shown }, shown < n);
		at += n + 1;
	}
	str_add(f->s, cut ? ", ...]" : "]");
}

/* Random bytes: strace has them all in hexadecimal. */
static void add_random(const struct fmt *f, unsigned i, u64 whole)
{
	struct span t;

	if (!f->style->strace || !fmt_chunk(f, i, SYSCHUNK_MEM, &t)) {
		add_buffer(f, i, whole);
		return;
	}
	str_addch(f->s, '"');
	for (size_t k = 0; k < t.len; k++)
		str_addf(f->s, "\\x%02x", t.ptr[k]);
	str_add(f->s, whole > t.len ? "\"..." : "\"");
}

static void add_option(const struct fmt *f, unsigned i)
{
	struct span t;

	if (fmt_chunk(f, i, SYSCHUNK_MEM, &t) || fmt_chunk(f, i, SYSCHUNK_ADDR, &t))
		fmt_sockopt(f, f->v->args[1], f->v->args[2], t);
	else
		fmt_ptr(f, f->v->args[i]);
}

/* The time that a futex waits; in other operations the argument is a number. */
static void add_futex_time(const struct fmt *f, u64 op, unsigned i)
{
	struct span t;

	op &= FUTEX_OP_BITS;
	if (op == 3 || op == 4 || op == 5 || op == 12)
		str_add_u64(f->s, (u32)f->v->args[i]);
	else if (!f->v->args[i] || !fmt_chunk(f, i, SYSCHUNK_MEM, &t) ||
		 !fmt_layout(f, SYS_FUTEXTIME, t))
		fmt_ptr(f, f->v->args[i]);
}

/* A pointer to something that was copied: the content, else the address. */
static void add_pointed(const struct fmt *f, const struct sys_arg *a, unsigned i)
{
	struct span t;

	if (f->v->args[i] && (fmt_chunk(f, i, SYSCHUNK_MEM, &t) ||
			      fmt_chunk(f, i, SYSCHUNK_IOV, &t) ||
	     fmt_chunk(f, i, SYSCHUNK_MMSG, &t) ||
	     ((a->kind == SYS_MSGHDR || a->kind == SYS_OMSGHDR) &&
	      fmt_chunk(f, i, SYSCHUNK_ADDR, &t))) &&
	    fmt_struct(f, i, a->kind, t))
		return;
	fmt_ptr(f, f->v->args[i]);
}

static void add_number(const struct fmt *f, const struct sys_arg *a, unsigned i)
{
	u64 v = f->v->args[i];

	switch (a->kind) {
	case SYS_INT:
	case SYS_FUTEXVAL:
		fmt_s64(f->s, (s32)v);
		break;
	case SYS_UINT:
		str_add_u64(f->s, (u32)v);
		break;
	case SYS_LONG:
	case SYS_POSHIGH:
		fmt_s64(f->s, f->v->compat ? (s32)v : (s64)v);
		break;
	case SYS_ULONG:
		str_add_u64(f->s, v);
		break;
	case SYS_SIZE:
		if (f->style->strace)
			fmt_hex(f->s, v);
		else
			str_add_u64(f->s, v);
		break;
	case SYS_DEV:
		str_addf(f->s, f->style->strace ? "makedev(%#x, %#x)" : "%u:%u", major(v),
			 minor(v));
		break;
	default:
		fmt_hex(f->s, v);
	}
}

/* Macros have no name in the kernel's type information. */
static void add_named(const struct fmt *f, const struct sys_arg *a, u32 v)
{
	if (f->style->force_types && syscall_values_only(f->style))
		str_add_u64(f->s, v);
	else
		sysx_add_value(f->s, a->table, v, fmt_how(f));
}

static void add_coded(const struct fmt *f, const struct sys_arg *a, unsigned i)
{
	const u64 *args = f->v->args;
	u64 v = args[i], other = a->other >= 0 && a->other < 6 ? args[a->other] : 0;
	enum sysx_how p = fmt_how(f);

	switch (a->kind) {
	case SYS_BITS:
		sysx_add_bits(f->s, f->style->strace && a->table == &sysx_at &&
			      !strcmp(f->v->info->base, "statx") ? &sysx_at_statx :
			      a->table, (u32)v, p);
		break;
	case SYS_VALUE: add_named(f, a, (u32)v); break;
	case SYS_MODE:
	case SYS_OPENMODE: add_mode(f->s, v & 0xffff, p); break;
	case SYS_SIG: fmt_signal(f->s, v, p); break;
	case SYS_PID: add_pid(f, v); break;
	case SYS_SOCKTYPE: add_sock_type(f, v); break;
	case SYS_CLONE: add_clone(f, v); break;
	case SYS_ACCESS: add_rights(f, v); break;
	case SYS_SOCKOPT: add_sockopt(f, other, v); break;
	case SYS_PROTO: add_protocol(f, args[0], v); break;
	case SYS_FUTEXOP: add_futex_op(f, v); break;
	case SYS_FCNTLARG: add_fcntl_arg(f, other, v); break;
	case SYS_PRCTLARG: add_prctl_arg(f, other, i); break;
	case SYS_IOCTL: fmt_ioctl_request(f, v); break;
	case SYS_UID: add_uid(f->s, v); break;
	case SYS_NODEMODE:
		if (f->style->strace)
			fmt_file_mode(f, v & 0xffff);
		else
			add_mode(f->s, v & 0xffff, p);
		break;
	case SYS_QUOTACMD: add_quota_cmd(f, v); break;
	case SYS_IOPRIO: add_ioprio(f, v); break;
	case SYS_MPOLMODE: add_mempolicy(f, v); break;
	case SYS_SWAPFLAGS: add_swap_flags(f, v); break;
	case SYS_SYSLOG: add_syslog(f, v); break;
	case SYS_WAITFOR:
		if (other == 3 /* P_PIDFD */)
			fmt_fd(f, i, v);
		else
			add_pid(f, v);
		break;
	case SYS_KEYARG:
		if (other == 1 /* JOIN_SESSION_KEYRING */)
			fmt_ptr(f, v);
		else if ((s32)v < 0)
			sysx_add_value(f->s, &sysx_key_spec, (u64)(s64)(s32)v, p);
		else
			str_add_u64(f->s, (u32)v);
		break;
	case SYS_IPCFLAG:
		if (v & ~0777ULL) {
			sysx_add_bits(f->s, !strcmp(f->v->info->base, "shmget") ? &sysx_shmget :
				      &sysx_ipc, v & ~0777ULL, p);
			str_addch(f->s, '|');
		}
		str_addf(f->s, "%#03o", (unsigned)v & 0777);
		break;
	default: add_number(f, a, i);
	}
}

static void add_arg(const struct fmt *f, const struct sys_arg *a, unsigned i)
{
	u64 v = f->v->args[i];
	struct span t;

	switch (a->kind) {
	case SYS_ATFD:
		if ((s32)v == AT_FDCWD)
			str_add(f->s, f->style->prefix ? "AT_FDCWD" : "CWD");
		else
			fmt_fd(f, i, v);
		break;
	case SYS_FD:
		fmt_fd(f, i, v);
		break;
	case SYS_PATH:
	case SYS_STR:
		add_string(f, i);
		break;
	case SYS_IN:
	case SYS_OUT:
		add_buffer(f, i, whole_bytes(f, a));
		break;
	case SYS_ADDR_IN:
	case SYS_ADDR_OUT:
		if (v && fmt_chunk(f, i, SYSCHUNK_ADDR, &t) && t.len)
			fmt_sockaddr(f, t);
		else
			fmt_ptr(f, v);
		break;
	case SYS_ARGV:
		add_argv(f, i);
		break;
	case SYS_PTR:
	case SYS_ADDR:
		fmt_ptr(f, v);
		break;
	case SYS_OUTZ:
		add_name_buffer(f, i);
		break;
	case SYS_OPTIN:
	case SYS_OPTBUF:
		add_option(f, i);
		break;
	case SYS_RANDBUF:
		add_random(f, i, whole_bytes(f, a));
		break;
	case SYS_IOCTLARG:
		fmt_ioctl_arg(f, i, f->v->args[a->other]);
		break;
	case SYS_FUTEXTIME:
		add_futex_time(f, f->v->args[a->other], i);
		break;
	default:
		if (a->kind >= SYS_TIMESPEC)
			add_pointed(f, a, i);
		else
			add_coded(f, a, i);
	}
}

static unsigned used_by_futex(u64 op)
{
	switch (op & FUTEX_OP_BITS) {
	case 1: return 3;
	case 0: case 6: case 13: return 4;
	case 7: case 8: return 2;
	case 3: return 5;
	}
	return 6;
}

static unsigned used_by_fcntl(u64 cmd)
{
	return cmd == F_GETFD || cmd == F_GETFL || cmd == F_GETOWN || cmd == F_GETSIG ||
		cmd == F_GETLEASE || cmd == F_GETPIPE_SZ ||
		cmd == F_GET_SEALS ? 2 : 3;
}

static unsigned used_by_prctl(u64 option)
{
	static const u8 two[] = { SET_PDEATHSIG, 2 /* GET_PDEATHSIG */, 4 /* SET_DUMPABLE */,
				  8 /* SET_KEEPCAPS */, SET_NAME, GET_NAME,
				  CAPBSET_READ, CAPBSET_DROP, 28 /* SET_SECUREBITS */,
				  36 /* SET_CHILD_SUBREAPER */ };

	for (size_t i = 0; i < ARRAY_SIZE(two); i++)
		if (option == two[i])
			return 2;
	/* GET_ */
	return option == 3 || option == 7 || option == 21 || option == 27 || option == 30 ? 1 : 5;
}

static unsigned used_by_keyctl(u64 option)
{
	static const u8 used[] = { 3, 2, 4, 2, 4, 3, 4, 2, 3, 3, 5, 4, 5, 4, 2, 3, 2, 4, 1, 5, 5, 2,
				   3, 5, 2, 4, 5, 5, 5, 5, 4, 3, 2 };

	return option < ARRAY_SIZE(used) ? used[option] : 5;
}

/* The same for calls whose last arguments strace leaves out, and upstream perf does not. */
static unsigned used_as_strace(const struct syscall_info *info, const u64 *args)
{
	static const struct { const struct sysx *table; u64 mask, value; bool differs; } last[] = {
		{ &sysx_mremap, 6, 0, false },	/* neither MREMAP_FIXED nor MREMAP_DONTUNMAP */
		{ &sysx_membarrier_flag, ~0ULL, 1 /* MEMBARRIER_CMD_FLAG_CPU */, true },
		{ &sysx_reboot_cmd, UINT32_MAX, 0xa1b2c3d4 /* LINUX_REBOOT_CMD_RESTART2 */, true },
	};

	if (info->n_args && info->args[0].kind == SYS_SYSLOG && args[0] != 8 &&
	    (args[0] < 2 || args[0] > 4))
		return 1;	/* nothing is read, and it is not CONSOLE_LEVEL */
	for (unsigned i = 1; i < info->n_args; i++) {
		const struct sys_arg *a = &info->args[i];

		if (a->kind == SYS_NODEMODE && (args[i] & S_IFMT) != S_IFCHR &&
		    (args[i] & S_IFMT) != S_IFBLK)
			return i + 1;
		/* KCMP_FILE, KCMP_EPOLL_TFD */
		if (a->table == &sysx_kcmp && args[i] && args[i] != 7)
			return i + 1;
		for (size_t k = 0; k < ARRAY_SIZE(last) && a->table; k++)
			if (a->table == last[k].table && ((args[i] & last[k].mask) ==
							  last[k].value) != last[k].differs)
				return i + 1;
	}
	return info->n_args;
}

/* How many arguments the call looks at, given the others. In the way of every line: no names are
 * compared. */
static unsigned used_args(const struct syscall_info *info, const u64 *args, bool strace)
{
	for (unsigned i = 1; i < info->n_args; i++) {
		switch (info->args[i].kind) {
		case SYS_OPENMODE:
			if (!(args[info->args[i].other] & (O_CREAT | (__O_TMPFILE & ~O_DIRECTORY))))
				return i;
			break;
		case SYS_FUTEXOP:
			return MIN(used_by_futex(args[i]), (unsigned)info->n_args);
		case SYS_FCNTLARG:
			return used_by_fcntl(args[1]);
		case SYS_PRCTLARG:
			return used_by_prctl(args[0]);
		case SYS_KEYARG:
			return used_by_keyctl(args[0]);
		}
	}
	return strace ? used_as_strace(info, args) : info->n_args;
}

/* Does the kernel fill what it points to? */
static bool is_filled(const struct syscall_values *v, unsigned i)
{
	bool out = false;

	switch (v->info->args[i].kind) {
	case SYS_PRCTLARG:
		return v->args[0] == GET_NAME;
	case SYS_OUT: case SYS_OUTZ: case SYS_RANDBUF: case SYS_OPTBUF: case SYS_ADDR_OUT:
	case SYS_EPOLL_EVENTS: case SYS_FDPAIR:
	case SYS_OIOV: case SYS_OMSGHDR: case SYS_OMMSGHDRS: case SYS_OSTRUCT:
		return true;
	case SYS_FCNTLARG:
		return false;
	}
	sys_struct_bytes(v->info, v->info->args[i].kind, v->compat, &out);
	return out;
}

/* Is this argument written in this part? */
static bool in_part(const struct fmt *f, unsigned i, unsigned first_filled)
{
	switch (f->v->part) {
	case SYS_PART_BEGUN: return i < first_filled;
	case SYS_PART_REST: return i >= first_filled;
	case SYS_PART_FILLED: return f->v->info && i >= first_filled && is_filled(f->v, i) &&
		f->by_arg[i];
	default: return true;
	}
}

/* strace leaves out what the operation does not look at, although more arguments follow. */
static bool skipped_by_strace(const struct syscall_info *info, const u64 *args, unsigned i)
{
	u64 op = args[1] & FUTEX_OP_BITS;

	return info && i >= 3 && info->args[1].kind == SYS_FUTEXOP &&
		((op == 9 && i == 4) || (op == 10 && i < 5));
}

static void index_chunks(struct fmt *f)
{
	struct span t = f->v->chunks;

	for (size_t at = 0; at + sizeof(struct syschunk) <= t.len;) {
		const struct syschunk *c = (const struct syschunk *)(t.ptr + at);

		if (c->len > t.len - at - sizeof(*c))
			break;
		/* read again at the end */
		if (c->arg < ARRAY_SIZE(f->by_arg) &&
		    (!f->by_arg[c->arg] || c->kind <= SYSCHUNK_MEM))
			f->by_arg[c->arg] = c;
		at += sizeof(*c) + c->len;
	}
}

static bool left_out(const struct fmt *f, unsigned i)
{
	const struct sys_arg *a = f->v->info ? &f->v->info->args[i] : NULL;

	if (f->style->strace && a && (a->kind == SYS_POSHIGH ||
				      skipped_by_strace(f->v->info, f->v->args, i)))
		return true;
	return f->style->hide_zeros && !f->v->args[i] &&
		!(a && (a->kind == SYS_FD || (a->table && (a->table->zero ||
		sysx_find(a->table, 0)))));
}

/* As strace has it: names, and an order of its own. */
static void clone_as_strace(const struct fmt *f)
{
	const u64 *a = f->v->args;

	str_add(f->s, "child_stack=");
	fmt_ptr(f, a[1]);
	str_add(f->s, ", flags=");
	add_clone(f, (u32)a[0]);
	if (a[0] & (CLONE_PARENT_SETTID | CLONE_PIDFD)) {
		str_add(f->s, ", parent_tid=");
		if (a[2] && f->v->returned && f->v->ret > 0 && !(a[0] & CLONE_PIDFD))
			str_addf(f->s, "[%d]", (s32)f->v->ret);
		else
			fmt_ptr(f, a[2]);
	}
	if (a[0] & CLONE_SETTLS) {
		str_add(f->s, ", tls=");
		fmt_ptr(f, a[4]);
	}
	if (a[0] & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
		str_add(f->s, ", child_tidptr=");
		fmt_ptr(f, a[3]);
	}
}

void syscall_add_args(struct str *s, const struct syscall_values *v,
		      const struct syscall_style *style)
{
	struct fmt f = { .s = s, .v = v, .style = style };
	unsigned n = v->info ? used_args(v->info, v->args, style->strace) : 6, first_filled = 0;
	bool any = false;

	index_chunks(&f);
	if (v->part != SYS_PART_ALL)
		while (first_filled < n && !(v->info && is_filled(v, first_filled)))
			first_filled++;
	if (style->strace && v->info && v->info->n_args && v->info->args[0].kind == SYS_CLONE &&
	    !strcmp(v->info->base, "clone")) {
		if (v->part != SYS_PART_REST)
			clone_as_strace(&f);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct sys_arg *a = v->info ? &v->info->args[i] : NULL;

		if (left_out(&f, i) || !in_part(&f, i, first_filled))
			continue;
		if (any)
			str_add(s, ", ");
		any = true;
		if (i == 5 && style->strace && skipped_by_strace(v->info, v->args, 4) &&
		    (u32)v->args[i] == UINT32_MAX) {
			str_add(s, "FUTEX_BITSET_MATCH_ANY");
			continue;
		}
		if (!a) {
			if (!style->no_names)
				str_addf(s, "arg%u: ", i);
			fmt_hex(s, v->args[i]);
			continue;
		}
		if (!style->no_names) {
			str_add(s, a->name);
			str_addn(s, ": ", 2);
		}
		add_arg(&f, a, i);
	}
	if (v->part == SYS_PART_BEGUN && any && first_filled < n)
		str_add(s, ", ");
}

/* Results that the kernel keeps to itself, with strace's words. */
static const char *restart_words(s64 ret)
{
	switch (ret) {
	case -512: return "To be restarted if SA_RESTART is set";
	case -513: return "To be restarted";
	case -514: return "To be restarted if no handler";
	case -516: return "Interrupted by signal";
	}
	return NULL;
}

static void add_error(struct str *s, s64 ret, bool strace)
{
	const char *name = errno_name(-ret), *restart = restart_words(ret);

	if (strace && restart) {
		str_addf(s, "? %s (%s)", name, restart);
		return;
	}
	str_add(s, "-1 ");
	if (name)
		str_add(s, name);
	else
		str_addf(s, "errno %lld", -(long long)ret);
	if (restart)
		str_addf(s, " (%s)", restart);
	else if (name && strerrordesc_np(-ret))
		str_addf(s, " (%s)", strerrordesc_np(-ret));
}

void syscall_add_ret(struct str *s, const struct syscall_values *v,
		     const struct syscall_style *style)
{
	struct fmt f = { .s = s, .v = v, .style = style };
	s64 ret = v->compat && v->ret > INT32_MAX ? (s64)(s32)v->ret : v->ret;
	u8 kind = v->info ? v->info->ret : SYS_RET_LONG;

	if (kind == SYS_RET_FCNTL) {
		u32 cmd = v->args[1];

		kind = cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? SYS_RET_FD : SYS_RET_LONG;
		if (ret >= 0 && (cmd == F_GETFL || cmd == F_GETFD)) {
			if (style->strace && !ret && cmd == F_GETFD) {
				str_addch(s, '0');
				return;
			}
			if (style->strace)
				str_addf(s, ret ? "%#llx (flags " : "%llu (flags ",
					 (unsigned long long)ret);
			sysx_add_bits(s, cmd == F_GETFL ? &sysx_open : &sysx_fdflag, ret,
				      fmt_how(&f));
			if (style->strace)
				str_addch(s, ')');
			return;
		}
	}
	if (ret < 0 && ret >= -4095) {
		add_error(s, ret, style->strace);
		return;
	}
	switch (kind) {
	case SYS_RET_ADDR:
		fmt_hex(s, v->compat ? (u32)ret : (u64)ret);
		break;
	case SYS_RET_FD:
		if (f.style->strace || v->chunks.len)
			index_chunks(&f);
		fmt_fd(&f, SYSCHUNK_RET, ret);
		break;
	case SYS_RET_PID:
		add_pid(&f, ret);
		break;
	case SYS_RET_MODE:
		add_mode(s, ret, style->strace);
		break;
	case SYS_RET_SIG:
		if (style->strace)
			str_addf(s, "%lld (", (long long)ret);
		fmt_signal(s, ret, style->prefix);
		if (style->strace)
			str_addch(s, ')');
		break;
	case SYS_RET_SCHEDPOL:
		sysx_add_value(s, &sysx_sched, ret, fmt_how(&f));
		break;
	case SYS_RET_POLL:
		fmt_s64(s, ret);
		index_chunks(&f);
		if (!ret)
			str_add(s, " (Timeout)");
		else if (style->strace && v->info->args[0].kind == SYS_POLLFDS)
			fmt_revents(&f);
		break;
	default:
		fmt_s64(s, ret);
	}
}
