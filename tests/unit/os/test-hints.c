// SPDX-License-Identifier: GPL-2.0-or-later
// What is advised where the kernel hides its addresses: one step that works for this caller, on
// made trees.
#include "tests/unit/unit.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/procfs.h"
#include "util/os/rights.h"

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
	free(path);
}

/* A tree of a process; status: what follows its name. */
static const char *make_tree(const char *status, const char *map)
{
	static const char *const dirs[] = { "proc", "proc/self", "proc/sys", "proc/sys/kernel" };
	const char *dir = unit_tmpdir();
	char *text = xasprintf("Name:\tx\n%s\n", status);

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s/%s", dir, dirs[i]);

		mkdir(path, 0700);
		free(path);
	}
	put(dir, "proc/self/status", text);
	put(dir, "proc/self/uid_map", map);
	free(text);
	return dir;
}

static void check_hint(const char *caps, const char *map, const char *kptr, const char *paranoid,
		       const char *want)
{
	char *status = xasprintf("CapEff:\t%s", caps), *hint;
	const char *dir = make_tree(status, map);
	struct os os;

	put(dir, "proc/sys/kernel/kptr_restrict", kptr);
	put(dir, "proc/sys/kernel/perf_event_paranoid", paranoid);
	os_init_root(&os, dir);
	hint = os_addresses_hint(&os);
	CHECK_STR(hint, want);
	free(hint);
	free(status);
	os_release(&os);
}

#define ALL	"000001ffffffffff"
#define NO_SYSLOG "000001fbffffffff"
#define FIRST	"         0          0 4294967295\n"

TEST(kernel_addresses)
{
	check_hint(ALL, FIRST, "2\n", "2\n",
		   "kernel.kptr_restrict is 2, which hides them from root, too: sysctl "
		   "kernel.kptr_restrict=1");
	check_hint(ALL, "0 1000 1\n", "1\n", "2\n",
		   "only root outside of this user namespace (container) can see them");
	if (geteuid()) {
		check_hint("0", FIRST, "1\n", "1\n",
			   "run as root or with CAP_SYSLOG; or for all users: sudo sysctl "
			   "kernel.kptr_restrict=0");
		return;
	}
	check_hint(NO_SYSLOG, FIRST, "0\n", "2\n",
		   "the capability CAP_SYSLOG is missing (docker: --cap-add SYSLOG); or for all "
		   "users: "
		   "sysctl kernel.perf_event_paranoid=1");
	check_hint(NO_SYSLOG, FIRST, "1\n", "2\n",
		   "the capability CAP_SYSLOG is missing (docker: --cap-add SYSLOG); or for all "
		   "users: "
		   "sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
}

static void check_bpf(const char *status, const char *map, int code, const char *want)
{
	struct err err = ERR_INIT;
	struct os os;

	os_init_root(&os, make_tree(status, map));
	err_set(&err, code, "no");
	CHECK(os_bpf_hint(&os, code, &err));
	CHECK_STR(err.hint, want);
	CHECK(!os_may_bpf(&os));
	err_release(&err);
	os_release(&os);
}

#define BPF_ALONE	"0000008000000000"
#define BPF_AND_PERFMON	"000000c000000000"
#define FILTERED	"a seccomp filter, as containers have one, forbids bpf to this process: " \
	"allow it there (docker: --cap-add BPF --cap-add PERFMON"

TEST(why_no_bpf)
{
	const bool root = !geteuid();

	check_bpf("CapEff:\t0\nCapBnd:\t" ALL "\nSeccomp:\t0", FIRST, EPERM, root ?
		  "BPF programs need CAP_BPF and CAP_PERFMON (docker: --cap-add BPF --cap-add "
		  "PERFMON)" :
		  "BPF programs need root, or CAP_BPF and CAP_PERFMON");
	check_bpf("CapEff:\t" BPF_ALONE "\nCapBnd:\t" ALL, FIRST, EACCES, root ?
		  "BPF programs need CAP_BPF and CAP_PERFMON (docker: --cap-add PERFMON)" :
		  "BPF programs need root, or CAP_BPF and CAP_PERFMON: CAP_PERFMON is missing");
	check_bpf("CapEff:\t" ALL "\nSeccomp:\t0", "0 1000 1\n", EPERM,
		  "BPF programs need root of the machine (not of a container)");
	check_bpf("CapEff:\t" BPF_AND_PERFMON "\nSeccomp:\t2", FIRST, EPERM, root ?
		  FILTERED "; systemd: SystemCallFilter=bpf)" :
		  FILTERED ", and be root in it; systemd: SystemCallFilter=bpf)");
	check_bpf("CapEff:\t0", FIRST, ENOENT,
		  "BPF programs need the kernel's type information, /sys/kernel/btf/vmlinux: "
		  "there is no sysfs here: sudo mount -t sysfs sysfs /sys");
}

static void check_get(const char *status, const char *map, const char *want)
{
	struct os os;
	char *how;

	os_init_root(&os, make_tree(status, map));
	how = os_how_to_get(&os, CAP_PERFMON);
	CHECK_STR(how, want);
	free(how);
	os_release(&os);
}

TEST(how_to_get_a_capability)
{
	check_get("CapEff:\t0\nCapBnd:\t" ALL, FIRST, geteuid() ?
		  "run as root or with CAP_PERFMON" :
		  "give this root CAP_PERFMON (docker: --cap-add PERFMON)");
	check_get("CapEff:\t0\nCapBnd:\t00000000a80425fb", FIRST, geteuid() ?
		  "run as root of a container that has CAP_PERFMON (docker: --cap-add PERFMON)" :
		  "give this root CAP_PERFMON (docker: --cap-add PERFMON)");
	check_get("CapEff:\t" ALL, "65534 65534 1\n",
		  "run as root of the machine (not of a container)");
}

TEST(no_process_and_no_proc_are_two_things)
{
	struct err err = ERR_INIT;
	struct os os;

	os_init(&os);
	CHECK_EQ(procfs_missing(&os, "thread", 7, &err), -ESRCH);
	CHECK_STR(err.msg, "thread 7 does not exist");
	free(os.proc);
	os.proc = xasprintf("%s/none", unit_tmpdir());
	CHECK_EQ(procfs_missing(&os, "process", 7, &err), -ENOENT);
	CHECK(strstr(err.msg, "process 7 cannot be looked at: no processes are in "));
	CHECK(strstr(err.hint, "mount -t proc"));
	err_release(&err);
	os_release(&os);
}
