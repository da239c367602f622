// SPDX-License-Identifier: GPL-2.0-or-later
// From what the arguments mean to what the capture copies.
#include "util/syscalls/syscalls-priv.h"

#define PATH_BYTES 2048
#define STRING_BYTES 1024
#define ARRAY_ELEMS 8		/* structs of an array that are copied */
#define LIST_ELEMS 32		/* numbers of a list */

static void add(struct sysplan *p, bool out, u8 op, u8 arg, int len_arg, unsigned size,
		unsigned cap)
{
	unsigned at = p->n_in + p->n_out;

	if (at >= SYSPLAN_OPS)
		return;
	p->ops[at] = (struct sysplan_op){ .op = op, .arg = arg, .len_arg = len_arg < 0 ? 0 :
					  len_arg, .size = size, .cap = cap };
	if (out)
		p->n_out++;
	else
		p->n_in++;
}

static void add_buffer(struct sysplan *p, bool out, const struct sys_arg *a, unsigned i,
		       unsigned elem, unsigned cap)
{
	if (a->other == 6)
		add(p, out, SYSOP_BUFRET, i, 0, elem, cap);
	else
		add(p, out, SYSOP_BUF, i, a->other, elem, cap);
}

static void plan_arg(struct sysplan *p, bool out, const struct syscall_info *info, unsigned i,
		     bool compat, unsigned max_string)
{
	const struct sys_arg *a = &info->args[i];
	bool filled = false;
	unsigned bytes = sys_struct_bytes(info, a->kind, compat, &filled);

	if (bytes) {
		if (filled == out || (out && a->kind == SYS_FCNTLARG))	/* F_GETLK */
			add(p, out, SYSOP_MEM, i, 0, bytes, 0);
		return;
	}
	switch (a->kind) {
	case SYS_STRUCT:
	case SYS_OSTRUCT:
		if (compat || out != (a->kind == SYS_OSTRUCT))
			break;
		if (a->other >= 0)
			add_buffer(p, out, a, i, a->bytes, a->bytes * ARRAY_ELEMS);
		else
			add(p, out, SYSOP_MEM, i, 0, a->bytes, 0);
		break;
	case SYS_PATH:
	case SYS_STR:
		if (!out)
			add(p, out, SYSOP_STR, i, 0, a->kind == SYS_PATH ? PATH_BYTES :
			    STRING_BYTES, 0);
		break;
	case SYS_IN:
	case SYS_OUT:
		if (out == (a->kind == SYS_OUT))
			add_buffer(p, out, a, i, 1, max_string);
		break;
	case SYS_PRCTLARG:	/* a name in SET_NAME and GET_NAME */
		add(p, out, SYSOP_STR, i, 0, 17, 0);
		break;
	case SYS_OPTIN:
		if (!out)
			add_buffer(p, out, a, i, 1, 128);
		break;
	case SYS_OUTZ:
	case SYS_RANDBUF:
		if (out)
			add_buffer(p, out, a, i, 1, max_string);
		break;
	case SYS_GIDS:
		if (!out)
			add_buffer(p, out, a, i, 4, 4 * LIST_ELEMS);
		break;
	case SYS_OGIDS:
		if (out)
			add_buffer(p, out, a, i, 4, 4 * LIST_ELEMS);
		break;
	case SYS_RIOV:	/* the addresses are another process's */
		if (!out)
			add_buffer(p, out, a, i, compat ? 8 : 16, 16 * ARRAY_ELEMS);
		break;
	case SYS_FDSET:	/* n descriptors are n / 8 bytes, and whole words */
		if (!out)
			add_buffer(p, out, a, i, 1, 128);
		break;
	case SYS_POLLFDS:
		add_buffer(p, out, a, i, 8, 128);
		break;
	case SYS_EPOLL_EVENTS:
		if (out)
			add(p, out, SYSOP_BUFRET, i, 0, sys_epoll_bytes(compat), 12 * 16);
		break;
	case SYS_ADDR_IN:
		if (!out)
			add(p, out, SYSOP_ADDR, i, a->other, 0, 0);
		break;
	case SYS_ADDR_OUT:
	case SYS_OPTBUF:
		if (out)
			add(p, out, SYSOP_ADDRP, i, a->other, 0, 0);
		break;
	case SYS_ARGV:
		if (!out)
			add(p, out, SYSOP_ARGV, i, 0, 0, 0);
		break;
	case SYS_IOV:
	case SYS_OIOV:
		if (out == (a->kind == SYS_OIOV))
			add(p, out, SYSOP_IOV, i, a->other, 0, max_string);
		break;
	case SYS_MSGHDR:
	case SYS_OMSGHDR:
		if (out == (a->kind == SYS_OMSGHDR))
			add(p, out, SYSOP_MSG, i, 0, 0, max_string);
		break;
	case SYS_OMMSGHDRS:
		if (out)
			add(p, out, SYSOP_MMSG, i, 0, 0, max_string);
		break;
	case SYS_IOCTLARG:
		add(p, out, SYSOP_IOCTL, i, a->other, out, 0);
		break;
	case SYS_FDPAIR:
		if (out)
			add(p, out, SYSOP_FDPAIR, i, 0, 0, 0);
		break;
	}
}

/* May a descriptor stand for another file, or a file have another name, after it? */
static bool changes_fds(const struct syscall_info *info)
{
	static const char *const calls[] = { "close", "close_range", "dup2", "dup3", "unshare",
					     "recvmsg", "recvmmsg", "rename", "renameat",
					     "renameat2", "unlink", "unlinkat", "execve",
					     "execveat", "io_uring_enter",
							"pidfd_getfd", "rmdir",
					     "pipe", "pipe2", "socketpair", "chroot", "pivot_root",
					     "mount", "umount2", "fcntl", "ioctl" };

	if (info->ret == SYS_RET_FD)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(info->base, calls[i]))
			return true;
	return false;
}

/* Memory that the call reads at its beginning and has written to at its end: sets of
 * descriptors, and times that are left. */
static void mark_changed(const struct syscall_info *info, struct sysplan *p)
{
	bool waits = info->ret == SYS_RET_POLL || !strcmp(info->base, "recvmmsg");

	for (unsigned i = 0; i < p->n_in; i++) {
		u8 kind = info->args[p->ops[i].arg].kind;

		if (kind == SYS_FDSET || (waits && (kind == SYS_TIMESPEC || kind == SYS_TIMEVAL)))
			p->ops[i].flags |= SYSOP_F_CHANGED;
	}
}

void syscall_plan(const struct syscall_entry *e, bool compat, unsigned max_string, bool fd_names,
		  struct sysplan *out)
{
	const struct syscall_info *info = e->info;
	u8 flags = out->flags;

	memset(out, 0, sizeof(*out));
	out->flags = flags;
	if (!info)
		return;
	if (!strcmp(info->base, "exit") || !strcmp(info->base, "exit_group"))
		out->flags |= SYSPLAN_NO_RETURN;
	if (!strcmp(info->base, "execve") || !strcmp(info->base, "execveat"))
		out->flags |= SYSPLAN_EXEC;
	if (!strcmp(info->base, "clone") || !strcmp(info->base, "clone3") ||
	    !strcmp(info->base, "fork") || !strcmp(info->base, "vfork"))
		out->flags |= SYSPLAN_FORK;
	if (changes_fds(info))
		out->flags |= SYSPLAN_FDS;
	for (unsigned i = 0; i < info->n_args; i++) {
		if (fd_names && (info->args[i].kind == SYS_FD || info->args[i].kind == SYS_ATFD))
			add(out, false, SYSOP_FD, i, 0, 0, 0);
		plan_arg(out, false, info, i, compat, max_string);
	}
	mark_changed(info, out);
	for (unsigned i = 0; i < info->n_args; i++)
		plan_arg(out, true, info, i, compat, max_string);
	/* F_DUPFD */
	if (fd_names && (info->ret == SYS_RET_FD || info->ret == SYS_RET_FCNTL))
		add(out, true, SYSOP_FDRET, 0, 0, 0, 0);
}
