// SPDX-License-Identifier: GPL-2.0-or-later
// Names of calls, flags, signals and errors. tables.inc is made from calls.in and flags.in.
#include "util/syscalls/syscalls-priv.h"

#include <arpa/inet.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <linux/netlink.h>

#undef O_LARGEFILE
#include "util/syscalls/tables.inc"

static int cmp_name(const void *name, const void *info)
{
	return strcmp(name, ((const struct syscall_info *)info)->name);
}

const struct syscall_info *syscall_by_name(const char *name)
{
	return bsearch(name, calls, ARRAY_SIZE(calls), sizeof(calls[0]), cmp_name);
}

static const char *const class_names[] = { "file", "net", "process", "signal", "ipc", "memory",
					   "desc" };

const char *syscall_class_name(size_t i)
{
	return i < ARRAY_SIZE(class_names) ? class_names[i] : NULL;
}

unsigned syscall_class(const char *name)
{
	name += *name == '%';
	if (!strcmp(name, "network"))
		return SYS_CLASS_NET;
	for (unsigned i = 0; i < ARRAY_SIZE(class_names); i++)
		if (!strcmp(name, class_names[i]))
			return 1u << i;
	return 0;
}

const struct sysx_item *sysx_find(const struct sysx *x, u64 value)
{
	for (const struct sysx_item *i = x->items; i->name; i++)
		if (i->value == value)
			return i;
	return NULL;
}

static void add_name(struct str *s, const struct sysx *x, const char *name, enum sysx_how how)
{
	if (*name == '+')
		name++;
	else if (how != SYSX_SHORT)
		str_add(s, x->prefix);
	str_add(s, name);
}

static void add_item(struct str *s, const struct sysx *x, const struct sysx_item *i,
		     enum sysx_how how)
{
	add_name(s, x, how == SYSX_STRACE ? i->strace_name : i->name, how);
}

static void add_unknown(struct str *s, const struct sysx *x, u64 value, enum sysx_how how)
{
	str_addf(s, value ? "%#llx" : "%llu", (unsigned long long)value);
	if (how == SYSX_STRACE && x->unknown)
		str_addf(s, " /* %s */", x->unknown);
}

void sysx_add_value(struct str *s, const struct sysx *x, u64 value, enum sysx_how how)
{
	const struct sysx_item *i = sysx_find(x, value);

	if (i)
		add_item(s, x, i, how);
	else if (value < 4096 && how != SYSX_STRACE)
		str_add_u64(s, value);
	else
		add_unknown(s, x, value, how);
}

void sysx_add_bits(struct str *s, const struct sysx *x, u64 value, enum sysx_how how)
{
	u64 whole = value;
	bool any = false;

	if (x->zero_mask && !(value & x->zero_mask)) {	/* reading is no bit, but always said */
		add_name(s, x, x->zero, how);
		any = true;
	}
	for (const struct sysx_item *i = x->items; i->name && value; i++) {
		if (!i->value || (value & i->value) != i->value)
			continue;
		if (any)
			str_addch(s, '|');
		add_item(s, x, i, how);
		value &= ~i->value;
		any = true;
	}
	if (value && any)
		str_addf(s, "|%#llx", (unsigned long long)value);
	else if (any)
		return;
	else if (!whole && x->zero)
		add_name(s, x, x->zero, how);
	else if (!whole)
		str_addch(s, '0');
	else
		add_unknown(s, x, whole, how);
}

const char *signal_name(int sig)
{
	const struct sysx_item *i = sig > 0 ? sysx_find(&sysx_signal, sig) : NULL;

	return i ? i->name : NULL;
}

const char *errno_name(int code)
{
	switch (code) {	/* results that only tracers see */
	case 512: return "ERESTARTSYS";
	case 513: return "ERESTARTNOINTR";
	case 514: return "ERESTARTNOHAND";
	case 515: return "ENOIOCTLCMD";
	case 516: return "ERESTART_RESTARTBLOCK";
	case 524: return "ENOTSUPP";
	}
	return code > 0 ? strerrorname_np(code) : NULL;
}

/* Calls whose arguments come in another order (clone(2), "C library/kernel differences"), or in
 * memory (mmap of s390: asm/syscall.h): the line of calls.in that has them. */
static const struct { const char *isa, *name, *line; } others[] = {
	{ "s390x", "clone", "clone_stack_first" }, { "s390x", "mmap", "mmap_in_memory" },
	{ "i686", "clone", "clone_tls_first" }, { "aarch64", "clone", "clone_tls_first" },
	{ "arm", "clone", "clone_tls_first" }, { "ppc64le", "clone", "clone_tls_first" },
	{ "ppc64", "clone", "clone_tls_first" }, { "riscv64", "clone", "clone_tls_first" },
};

static const struct syscall_info *info_of(const struct arch_info *a, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i].isa, a->name) && !strcmp(others[i].name, name))
			return syscall_by_name(others[i].line);
	return syscall_by_name(name);
}

/* ARM and PowerPC have O_DIRECTORY and O_NOFOLLOW where others have O_DIRECT and O_LARGEFILE
 * (asm/fcntl.h): 0x4000 and 0x8000, and those two bits above. */
#define OPEN_LOW 0xc000u
#define OPEN_SHIFT 2

static bool open_is_low(const struct arch_info *a)
{
	return a->elf_machine == EM_ARM || a->elf_machine == EM_AARCH64 ||
		a->elf_machine == EM_PPC64;
}

void syscall_host_args(const struct syscall_set *s, u32 nr, bool compat, __u64 args[6])
{
	const struct syscall_info *info = syscall_entry(s, nr, compat)->info;

	for (unsigned i = 0; s->open_differs && info && i < info->n_args; i++) {
		const u64 v = args[i];

		if (info->args[i].table == &sysx_open)
			args[i] = (v & ~(u64)(OPEN_LOW | OPEN_LOW << OPEN_SHIFT)) |
				(v & OPEN_LOW) << OPEN_SHIFT | (v >> OPEN_SHIFT & OPEN_LOW);
	}
}

void syscall_set_init(struct syscall_set *s, const struct arch_info *arch)
{
	const struct arch_info *companion = !strcmp(arch->name, "x86_64") ? arch_by_name("i686") :
		NULL;

	memset(s, 0, sizeof(*s));
	s->open_differs = !arch_is_unknown(arch) && open_is_low(arch) != open_is_low(arch_host());
	for (int compat = 0; compat < 2; compat++) {
		const struct arch_info *a = compat ? companion : arch;

		for (unsigned nr = 0; a && nr < a->n_syscalls && nr < SYSPLAN_NRS; nr++) {
			struct syscall_entry *e = &s->e[compat * SYSPLAN_NRS + nr];

			e->name = a->syscall_names[nr];
			e->info = e->name ? info_of(a, e->name) : NULL;
		}
	}
}
