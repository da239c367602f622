// SPDX-License-Identifier: GPL-2.0-or-later
// What is advised where the kernel hides its addresses: one step that works for this caller, on
// made trees.
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/os.h"
#include "util/os/procfs.h"

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
	free(path);
}

static void check_hint(const char *caps, const char *map, const char *kptr, const char *paranoid,
		       const char *want)
{
	static const char *const dirs[] = { "proc", "proc/self", "proc/sys", "proc/sys/kernel" };
	const char *dir = unit_tmpdir();
	char *status = xasprintf("Name:\tx\nCapEff:\t%s\n", caps), *hint;
	struct os os;

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s/%s", dir, dirs[i]);

		mkdir(path, 0700);
		free(path);
	}
	put(dir, "proc/self/status", status);
	put(dir, "proc/self/uid_map", map);
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
