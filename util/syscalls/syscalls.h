/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYSCALLS_SYSCALLS_H
#define SYSCALLS_SYSCALLS_H
/*
 * What the arguments of system calls mean, by the name of the call: which memory they lead to (for
 * the capture), and how they are written. Knows nothing of time, threads or output. All tables are
 * const; any thread.
 */
#include "arch/arch.h"
#include "util/base/str.h"
#include "util/wire/sysrec.h"

enum sys_kind {
	SYS_INT, SYS_UINT, SYS_LONG, SYS_ULONG, SYS_HEX, SYS_PTR, SYS_ADDR,
	SYS_FD, SYS_ATFD,
	SYS_PATH, SYS_STR,		/* strings */
	/* buffers, read or filled by the kernel; the length in another argument or the result */
	SYS_IN, SYS_OUT,
	SYS_OUTZ,			/* the same, with its NUL */
	SYS_OPTIN, SYS_OPTBUF, SYS_RANDBUF, SYS_SIZE,
	SYS_BITS, SYS_VALUE,		/* by table */
	SYS_MODE, SYS_OPENMODE, SYS_SIG, SYS_PID, SYS_SOCKTYPE, SYS_CLONE, SYS_ACCESS, SYS_SOCKOPT,
		SYS_PROTO,
	SYS_FUTEXOP, SYS_FUTEXVAL, SYS_FUTEXTIME, SYS_FCNTLARG, SYS_PRCTLARG, SYS_IOCTL,
	SYS_IPCFLAG, SYS_DEV,
	SYS_UID, SYS_NODEMODE, SYS_SYSLOG, SYS_QUOTACMD, SYS_IOPRIO, SYS_MPOLMODE, SYS_SWAPFLAGS,
	SYS_WAITFOR, SYS_POSHIGH, SYS_KEYARG,
	SYS_ADDR_IN, SYS_ADDR_OUT,	/* socket addresses */
	SYS_TIMESPEC, SYS_OTIMESPEC, SYS_TIMESPEC2, SYS_TIMEVAL, SYS_OTIMEVAL, SYS_ITIMERVAL,
		SYS_OITIMERVAL,
	SYS_ITIMERSPEC, SYS_OITIMERSPEC, SYS_RLIMIT, SYS_ORLIMIT, SYS_SIGSET, SYS_OSIGSET,
	SYS_SIGACTION, SYS_OSIGACTION,
	SYS_OSTAT, SYS_OSTATX, SYS_ORUSAGE, SYS_OUTSNAME, SYS_POLLFDS, SYS_EPOLL_EVENT,
	SYS_EPOLL_EVENTS,
	SYS_IOV, SYS_OIOV, SYS_MSGHDR, SYS_OMSGHDR, SYS_CLONE_ARGS, SYS_OPEN_HOW, SYS_FDPAIR,
	SYS_PINT, SYS_OPINT, SYS_OPOS,
	SYS_OWSTATUS, SYS_CPUMASK, SYS_OCPUMASK, SYS_ARGV,
	SYS_TIMEVAL2, SYS_OSYSINFO, SYS_OSTATFS, SYS_OSTATFS64, SYS_STACK, SYS_OSTACK, SYS_UTIMBUF,
	SYS_OTMS, SYS_PERF_ATTR, SYS_OURING,
	SYS_STRUCT, SYS_OSTRUCT,	/* by the kernel's type information */
	SYS_SCHED_ATTR, SYS_OSCHED_ATTR, SYS_SIGINFO, SYS_OSIGINFO, SYS_FDSET, SYS_BPF_ATTR,
		SYS_OMMSGHDRS, SYS_IOCTLARG,
	SYS_GIDS, SYS_OGIDS, SYS_RIOV, SYS_CAPHDR, SYS_CAPDATA, SYS_OCAPDATA,
	SYS_KIND_NR
};

enum sys_ret { SYS_RET_LONG, SYS_RET_INT, SYS_RET_FD, SYS_RET_ADDR, SYS_RET_PID, SYS_RET_MODE,
	       SYS_RET_FCNTL, SYS_RET_POLL, SYS_RET_SIG,
	       SYS_RET_SCHEDPOL };

enum sys_class {
	SYS_CLASS_FILE = 1, SYS_CLASS_NET = 2, SYS_CLASS_PROCESS = 4, SYS_CLASS_SIGNAL = 8,
		SYS_CLASS_IPC = 16,
	SYS_CLASS_MEMORY = 32, SYS_CLASS_DESC = 64,
};

struct sysx_item {
	const char *name;
	u64 value;
	const char *strace_name;	/* "+X": without the prefix */
};
struct sysx {			/* names of bits or values; items end with a NULL name */
	const struct sysx_item *items;
	const char *prefix;	/* what the headers have before the name */
	const char *zero;	/* for no bit, or NULL */
	bool is_bits;
	/* zero is said when none of these is set; 0: when no bit at all is */
	u64 zero_mask;
	const char *unknown;	/* strace's comment on values without a name, or NULL */
};

struct sys_arg {
	const char *name;
	u8 kind;		/* enum sys_kind */
	/* the argument with the length, command...; 6: the result; -1: none */
	s8 other;
	const struct sysx *table;
	/* STRUCT: its name in the kernel, and how many bytes of it are copied */
	const char *type;
	u16 bytes;
};

struct syscall_info {
	const char *name;
	const char *base;	/* the call whose arguments these are */
	u8 n_args, ret, classes;	/* enum sys_ret, enum sys_class */
	struct sys_arg args[6];
};

/* NULL: arguments are not known. */
const struct syscall_info *syscall_by_name(const char *name);
/* "file", "%file" or "desc" ... -> enum sys_class, 0 when unknown. */
unsigned syscall_class(const char *name);
/* Their names, from i = 0 on; NULL: there are no more. */
const char *syscall_class_name(size_t i);
/* The number of a signal by name with or without SIG; 0 unknown. */
const char *signal_name(int sig);	/* without SIG; NULL when unknown */
const char *ioctl_name(u32 request);	/* "TCGETS"; NULL when unknown */
const char *errno_name(int code);	/* "ENOENT"; NULL when unknown */

/* By number, for one machine and its 32-bit companion. */
struct syscall_entry {
	const char *name;			/* NULL: no such number */
	const struct syscall_info *info;	/* NULL: arguments are not known */
};
struct syscall_set {
	struct syscall_entry e[2 * SYSPLAN_NRS];	/* compat * SYSPLAN_NRS + nr */
	bool open_differs;	/* its flags of open() have other values than this machine's */
};
void syscall_set_init(struct syscall_set *s, const struct arch_info *arch);
/* Arguments of a recorded call, in place, to the values that they have on this machine. */
void syscall_host_args(const struct syscall_set *s, u32 nr, bool compat, __u64 args[6]);
static inline const struct syscall_entry *syscall_entry(const struct syscall_set *s, u32 nr,
							bool compat)
{
	return &s->e[(compat ? SYSPLAN_NRS : 0) + (nr < SYSPLAN_NRS ? nr : SYSPLAN_NRS - 1)];
}

/* What the capture has to copy for it; max_string: bytes of buffers. Leaves flags alone but for
 * those that the call itself asks for. */
void syscall_plan(const struct syscall_entry *e, bool compat, unsigned max_string, bool fd_names,
		  struct sysplan *out);

/* ---- writing ---- */
struct syscall_style {
	bool strace;			/* as strace writes */
	bool no_names;			/* without names of arguments */
	/* constants as the headers have them: O_RDONLY, not RDONLY */
	bool prefix;
	bool hide_zeros;		/* leave out arguments that are 0 */
	/* of tracepoints of calls the same, of others what is false */
	bool hide_event_zeros;
	unsigned max_string;
	/* the file behind a key (0: unknown) or a descriptor of a process; NULL: not known */
	const char *(*fd_name)(void *ctx, u64 key, u32 tgid, int fd);
	const char *(*comm)(void *ctx, int pid);
	/* A struct of the kernel by its name; false: not known. NULL: none is */
	bool (*add_type)(void *ctx, const char *type, struct span bytes, struct str *out);
	/* The name of an enumerator of the kernel; NULL: not known. NULL: none is */
	const char *(*enumerator)(void *ctx, const char *type, u64 value);
	bool force_types;		/* also those that have a printer */
	void *ctx;
};

/* Upstream's trace.show_arg_names=false: no names of arguments, of members of structs by the
 * kernel's types, of pipes and sockets, and no quotes round buffers. */
static inline bool syscall_values_only(const struct syscall_style *style)
{
	return style->no_names && !style->strace;
}

/* Which arguments are written: those that are known before the call returns, up to the first one
 * that the kernel fills; the rest of them; or only what the kernel filled in. */
enum sys_part { SYS_PART_ALL, SYS_PART_BEGUN, SYS_PART_REST, SYS_PART_FILLED };

struct syscall_values {
	const struct syscall_info *info;	/* NULL: args are written as numbers */
	bool compat;
	u32 tgid;
	const u64 *args;		/* six */
	s64 ret;
	/* ret is valid, and what the kernel filled in can be written */
	bool returned;
	struct span chunks;		/* of struct syschunk */
	enum sys_part part;
};

/* "fd: 3</etc/passwd>, buf: ..." without parentheses. With SYS_PART_BEGUN and more arguments to
 * come it ends in ", ". */
void syscall_add_args(struct str *s, const struct syscall_values *v,
		      const struct syscall_style *style);
/* "3", "-1 ENOENT (No such file or directory)", "0x7f..", "0 (Timeout)". */
void syscall_add_ret(struct str *s, const struct syscall_values *v,
		     const struct syscall_style *style);
/* "SIGCHLD {si_signo=SIGCHLD, ...}" as strace has it; info: the beginning of siginfo_t, may be
 * empty. */
void syscall_add_signal(struct str *s, int sig, struct span info);
/* "text\n"... ; more: the string goes on */
void syscall_add_quoted(struct str *s, struct span text, bool more);

#endif
