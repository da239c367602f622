// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/uevent.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#define KERNEL_GROUP 1		/* 2 is udev's */

/* Only "add@/module/..." and "remove@/module/...": disks and USB devices shall not wake us. */
static int attach_filter(int fd)
{
#define WORD_IS(off, word, miss) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, off), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, miss)
	struct sock_filter code[] = {
		WORD_IS(0, 0x61646440, 3),	/* "add@" */
		WORD_IS(4, 0x2f6d6f64, 1),	/* "/mod" */
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		WORD_IS(0, 0x72656d6f, 5),	/* "remo" */
		WORD_IS(4, 0x7665402f, 3),	/* "ve@/" */
		WORD_IS(8, 0x6d6f6475, 1),	/* "modu" */
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
#undef WORD_IS
	const struct sock_fprog prog = { .len = ARRAY_SIZE(code), .filter = code };

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)) ? -errno : 0;
}

int os_uevent_modules(const struct os *os)
{
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd, ret;

	if (os->fake)
		return -ENOENT;
	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
	if (fd < 0)
		return -errno;
	ret = attach_filter(fd);
	if (!ret && bind(fd, (const struct sockaddr *)&to, sizeof(to)))
		ret = -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

/* Too many at once (ENOBUFS) is a change as well. */
bool os_uevent_drain(int fd)
{
	char message[64];
	bool any = false;

	while (recv(fd, message, sizeof(message), 0) >= 0 || errno == ENOBUFS)
		any = true;
	return any;
}
