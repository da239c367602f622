// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/kernel.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/rights.h"

static s64 setting(const struct os *os, const char *path, s64 otherwise)
{
	struct str s = STR_INIT;
	s64 v = otherwise;

	if (!os_read_file(os, path, &s, NULL)) {
		while (s.len && (s.buf[s.len - 1] == '\n' || s.buf[s.len - 1] == ' '))
			s.buf[--s.len] = 0;
		if (!parse_s64(str_cstr(&s), &v))
			v = otherwise;
	}
	str_release(&s);
	return v;
}

int os_paranoid(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/perf_event_paranoid", 2);
}

u64 os_mlock_kb(const struct os *os)
{
	return (u64)setting(os, "/proc/sys/kernel/perf_event_mlock_kb", 516);
}

u64 os_max_sample_rate(const struct os *os)
{
	return (u64)setting(os, "/proc/sys/kernel/perf_event_max_sample_rate", 100000);
}

int os_kptr_restrict(const struct os *os)
{
	return (int)setting(os, "/proc/sys/kernel/kptr_restrict", 0);
}

int os_freeze_on_smi(const struct os *os, bool on, bool *changed, struct err *err)
{
	static const char path[] = "/sys/bus/event_source/devices/cpu/freeze_on_smi";
	u64 is;
	int ret;

	*changed = false;
	if (os_read_u64(os, path, &is, NULL)) {
		err_set(err, ENOTSUP, "this machine has no freeze_on_smi, which is needed to tell "
			"the cycles of system management interrupts");
		err_hint(err, "only Intel processors have it, and no virtual machine: %s", path);
		return -ENOTSUP;
	}
	if (!is == !on)
		return 0;
	ret = os_write_file(os, path, on ? "1" : "0", false, err);
	*changed = !ret;
	return ret;
}

/* The kernel's kallsyms_show_value(): everybody where kptr_restrict is 0 and perf_event_paranoid
 * at most 1, CAP_SYSLOG where kptr_restrict is at most 1. */
char *os_addresses_hint(const struct os *os)
{
	const int hidden = os_kptr_restrict(os), paranoid = os_paranoid(os);
	const char *all = hidden && paranoid > 1 ?
		"kernel.kptr_restrict=0 kernel.perf_event_paranoid=1" :
			  hidden ? "kernel.kptr_restrict=0" : "kernel.perf_event_paranoid=1";
	char *how, *text;

	if (os_may(os, CAP_SYSLOG))
		return hidden > 1 ? xasprintf("kernel.kptr_restrict is %d, which hides them from "
					      "root, too: sysctl kernel.kptr_restrict=1",
					      hidden) : xstrdup("the kernel was built, or booted, "
								"not to show them");
	if (os_in_user_ns(os))
		return xstrdup("only root outside of this user namespace (container) can see them");
	if (!geteuid())
		return xasprintf("the capability CAP_SYSLOG is missing (docker: --cap-add SYSLOG); "
				 "or for all users: sysctl %s%s", all, os_sysctl_where(os));
	if (hidden > 1)
		return xasprintf("kernel.kptr_restrict is %d, which hides them from root, too: "
				 "sudo sysctl %s%s", hidden, all, os_sysctl_where(os));
	how = os_how_to_get(os, CAP_SYSLOG);
	text = xasprintf("%s; or for all users: sudo sysctl %s%s", how, all, os_sysctl_where(os));
	free(how);
	return text;
}

int os_kernel_btf(const struct os *os, struct str *out, struct err *err)
{
	return os_read_file(os, OS_BTF, out, err);
}

int os_kernel_config(const struct os *os, struct str *out, bool *packed, struct err *err)
{
	struct str release = STR_INIT;
	int ret = os_read_file(os, "/proc/sys/kernel/osrelease", &release, NULL);

	for (int i = 0; !ret && i < 2 && !out->len; i++) {
		char *path = xasprintf(i ? "/lib/modules/%.*s/config" : "/boot/config-%.*s",
				       (int)strcspn(str_cstr(&release), "\n/"),
				       str_cstr(&release));

		os_read_file(os, path, out, NULL);
		free(path);
	}
	str_release(&release);
	*packed = !out->len;
	if (out->len)
		return 0;
	return os_read_file(os, "/proc/config.gz", out, err);
}

bool os_fd_limits(const struct os *os, u64 *soft, u64 *hard)
{
	unsigned long long now, most = UINT64_MAX;
	struct str s = STR_INIT;
	const char *line;
	bool ok = false;

	if (!os_read_file(os, "/proc/self/limits", &s, NULL) &&
	    (line = strstr(str_cstr(&s), "Max open files")))
		ok = sscanf(line + strlen("Max open files"), "%llu %llu", &now, &most) >= 1;
	if (ok) {
		*soft = now;
		*hard = most;
	}
	str_release(&s);
	return ok;
}

bool os_is_running(const struct os *os, const char *hostname, const char *release)
{
	struct utsname u;

	return !os->fake && hostname && release && !uname(&u) && !strcmp(release, u.release) &&
		!strcmp(hostname, u.nodename);
}
