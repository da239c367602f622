// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"

/* --- what the kernel says of this process --- */

/* A line of /proc/self/status: its number, in the base. false: there is none. */
static bool status_value(const struct os *os, const char *key, int base, u64 *out)
{
	struct str s = STR_INIT;
	const char *line = NULL;

	if (!os_read_file(os, "/proc/self/status", &s, NULL) &&
	    (line = strstr(str_cstr(&s), key)))
		*out = strtoull(line + strlen(key), NULL, base);
	str_release(&s);
	return line;
}

/* In a user namespace other than the first one capabilities are those of its own things only. */
bool os_in_user_ns(const struct os *os)
{
	struct str s = STR_INIT;
	unsigned long long from, to, n;
	bool first = os_read_file(os, "/proc/self/uid_map", &s, NULL) ||
		     (sscanf(str_cstr(&s), "%llu %llu %llu", &from, &to, &n) == 3 && !from && !to &&
		      n == UINT32_MAX);

	str_release(&s);
	return !first;
}

static bool has(const struct os *os, int capability)
{
	u64 set;

	return status_value(os, "\nCapEff:", 16, &set) ? set >> capability & 1 : !geteuid();
}

bool os_may(const struct os *os, int capability)
{
	return has(os, capability) && !os_in_user_ns(os);
}

/* Not even root of this container has it: that is its bounding set. */
static bool out_of_reach(const struct os *os, int capability)
{
	u64 set;

	return status_value(os, "\nCapBnd:", 16, &set) && !(set >> capability & 1);
}

bool os_without_sysfs(const struct os *os)
{
	char *dir = os_path(os, "/sys/kernel");
	const bool none = access(dir, F_OK) && errno == ENOENT;

	free(dir);
	return none;
}

/* --- filters of system calls --- */

#define FILTER_MODE 2			/* of "Seccomp:" */
#define TOO_LARGE (1U << 30)		/* an attr of bpf(2): E2BIG before all else */

/* Wrong in a way that the kernel notes before it looks at rights: another answer is not its own.
 * Kernels before 5.19 look at the rights on bpf(2) first; they are wanted there as well. */
bool os_call_is_filtered(const struct os *os, enum os_guarded call)
{
	u64 mode = 0;
	long ret;

	if (!status_value(os, "\nSeccomp:", 10, &mode) || mode != FILTER_MODE)
		return false;
	if (os->fake)
		return true;
	ret = call == OS_BPF ? syscall(SYS_bpf, 0, NULL, TOO_LARGE) :
		syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL);
	return ret < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS);
}

void os_filter_hint(enum os_guarded call, struct err *err)
{
	const char *name = call == OS_BPF ? "bpf" : "perf_event_open";
	const char *caps = call == OS_BPF ? "--cap-add BPF --cap-add PERFMON" :
		"--cap-add PERFMON";

	err_hint(err, "a seccomp filter, as containers have one, forbids %s to this process: allow "
		      "it there (docker: %s%s; systemd: SystemCallFilter=%s)", name, caps,
		 geteuid() ? ", and be root in it" : "", name);
}

/* --- what helps --- */

const char *os_root_who(const struct os *os)
{
	return geteuid() && !os_in_user_ns(os) ? "root" : OS_OUTER_ROOT;
}

const char *os_root_sudo(const struct os *os)
{
	const char *who = os_root_who(os);

	return strcmp(who, "root") ? who : "root (sudo)";
}

static const char *name_of(int capability)
{
	return capability == CAP_PERFMON ? "PERFMON" : capability == CAP_BPF ? "BPF" :
		capability == CAP_SYSLOG ? "SYSLOG" : "SYS_ADMIN";
}

char *os_how_to_get(const struct os *os, int capability)
{
	const char *name = name_of(capability);

	if (os_in_user_ns(os))
		return xasprintf("run as %s", os_root_who(os));
	if (!geteuid())
		return xasprintf("give this root CAP_%s (docker: --cap-add %s)", name, name);
	if (out_of_reach(os, capability))
		return xasprintf("run as root of a container that has CAP_%s (docker: --cap-add "
				 "%s)", name, name);
	return xasprintf("run as root or with CAP_%s", name);
}

bool os_is_readonly(const struct os *os, const char *path)
{
	char *dir = os_path(os, path);
	struct statvfs fs;
	const bool yes = !statvfs(dir, &fs) && fs.f_flag & ST_RDONLY;

	free(dir);
	return yes;
}

/* Containers see the settings, and may not change them. */
const char *os_sysctl_where(const struct os *os)
{
	return os_is_readonly(os, "/proc/sys") || os_in_user_ns(os) ?
		"  # outside of this container" : "";
}

/* --- BPF --- */

static void lacks_hint(const struct os *os, bool bpf, bool perfmon, struct err *err)
{
	const char *first = !bpf && !perfmon ? "BPF" : bpf ? "PERFMON" : "BPF";

	if (os_in_user_ns(os))
		err_hint(err, "BPF programs need %s", os_root_who(os));
	else if (!geteuid() || out_of_reach(os, CAP_BPF) || out_of_reach(os, CAP_PERFMON))
		err_hint(err, "BPF programs need CAP_BPF and CAP_PERFMON%s (docker: --cap-add "
			      "%s%s)", geteuid() ? ", as root of a container has them" : "", first,
			 !bpf && !perfmon ? " --cap-add PERFMON" : "");
	else
		err_hint(err, "BPF programs need root, or CAP_BPF and CAP_PERFMON%s%s%s",
			 bpf || perfmon ? ": CAP_" : "", bpf || perfmon ? first : "",
			 bpf || perfmon ? " is missing" : "");
}

static void refused_hint(const struct os *os, int code, struct err *err)
{
	if (os_call_is_filtered(os, OS_BPF))
		os_filter_hint(OS_BPF, err);
	else if (!os_may_bpf(os))
		lacks_hint(os, os_may(os, CAP_BPF), os_may(os, CAP_PERFMON), err);
	else if (code == EACCES)
		err_hint(err, "the kernel's verifier, which on older kernels knows less, or a "
			      "security module refuses them: -v bpf=2 shows what it says");
	else
		err_hint(err, "the kernel refuses BPF programs to root, too: lockdown or a "
			      "security module may forbid them");
}

bool os_may_bpf(const struct os *os)
{
	return (os_may(os, CAP_SYS_ADMIN) || (os_may(os, CAP_BPF) && os_may(os, CAP_PERFMON))) &&
		!os_call_is_filtered(os, OS_BPF);
}

bool os_bpf_hint(const struct os *os, int code, struct err *err)
{
	char *btf;
	bool there;

	if (code == EPERM || code == EACCES) {
		refused_hint(os, code, err);
		return true;
	}
	btf = os_path(os, OS_BTF);
	there = !access(btf, R_OK);
	free(btf);
	if (there)
		return false;
	if (os_without_sysfs(os))
		err_hint(err, "BPF programs need the kernel's type information, " OS_BTF ": %s",
			 OS_NO_SYSFS_HINT);
	else
		err_hint(err, "BPF programs need the kernel's type information, which is not "
			      "there: " OS_BTF " (CONFIG_DEBUG_INFO_BTF)");
	return true;
}
