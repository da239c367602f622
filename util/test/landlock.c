// SPDX-License-Identifier: GPL-2.0-or-later
// Two system calls with enums in their arguments. The ruleset does not exist: they fail, and
// change nothing.
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/types.h"
#include "util/test/workloads-priv.h"

/* linux/landlock.h, which older systems lack */
struct path_beneath { u64 allowed_access; s32 parent_fd; } __attribute__((packed));
struct net_port { u64 allowed_access, port; };
enum { RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2 };
enum { ACCESS_FS_READ_FILE = 1 << 2, ACCESS_NET_CONNECT_TCP = 1 << 1 };

int run_landlock(int n, const char **args, struct err *err)
{
#ifdef __NR_landlock_add_rule
	const struct path_beneath path = { ACCESS_FS_READ_FILE, 14 };
	const struct net_port port = { ACCESS_NET_CONNECT_TCP, 19 };
	const int ruleset_fd = 11, flags = 45;

	syscall(__NR_landlock_add_rule, ruleset_fd, RULE_PATH_BENEATH, &path, flags);
	syscall(__NR_landlock_add_rule, ruleset_fd, RULE_NET_PORT, &port, flags);
#endif
	(void)n;
	(void)args;
	(void)err;
	return 0;
}
