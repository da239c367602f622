// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/uevent.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KERNEL_GROUP 1		/* 2 is udev's */

/* Disks and USB devices shall not wake us. */
#define WORD_IS(off, word, miss) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, off), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, miss)
/* "add@/module/..." and "remove@/module/..." */
static const struct sock_filter module_filter[] = {
	WORD_IS(0, 0x61646440, 3),	/* "add@" */
	WORD_IS(4, 0x2f6d6f64, 1),	/* "/mod" */
	BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	WORD_IS(0, 0x72656d6f, 5),	/* "remo" */
	WORD_IS(4, 0x7665402f, 3),	/* "ve@/" */
	WORD_IS(8, 0x6d6f6475, 1),	/* "modu" */
	BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	BPF_STMT(BPF_RET | BPF_K, 0),
};
/* "online@/devices/system/cpu/..." and "offline@..." */
static const struct sock_filter cpu_filter[] = {
	WORD_IS(0, 0x6f6e6c69, 5),	/* "onli" */
	WORD_IS(20, 0x656d2f63, 3),	/* "em/c" */
	WORD_IS(24, 0x70752f63, 1),	/* "pu/c" */
	BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	WORD_IS(0, 0x6f66666c, 5),	/* "offl" */
	WORD_IS(20, 0x74656d2f, 3),	/* "tem/" */
	WORD_IS(24, 0x6370752f, 1),	/* "cpu/" */
	BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	BPF_STMT(BPF_RET | BPF_K, 0),
};
#undef WORD_IS

static int open_filtered(const struct os *os, const struct sock_filter *code, size_t n)
{
	const struct sock_fprog prog = { .len = (unsigned short)n,
					 .filter = (struct sock_filter *)code };
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd, ret;

	if (os->fake)
		return -ENOENT;
	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
	if (fd < 0)
		return -errno;
	ret = setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)) ? -errno : 0;
	if (!ret && bind(fd, (const struct sockaddr *)&to, sizeof(to)))
		ret = -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

int os_uevent_modules(const struct os *os)
{
	return open_filtered(os, module_filter, ARRAY_SIZE(module_filter));
}

int os_uevent_cpus(const struct os *os)
{
	return open_filtered(os, cpu_filter, ARRAY_SIZE(cpu_filter));
}

/* Only the kernel sends from port 0. */
static bool next_message(int fd, char *text, size_t size)
{
	struct sockaddr_nl from = { .nl_pid = 0 };
	socklen_t len;
	ssize_t n;

	do {
		len = sizeof(from);
		n = recvfrom(fd, text, size - 1, 0, (struct sockaddr *)&from, &len);
	} while (n >= 0 && from.nl_pid);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

bool os_uevent_next_cpu(int fd, struct os_cpu_event *e)
{
	static const char place[] = "line@/devices/system/cpu/cpu";
	char text[256];

	while (next_message(fd, text, sizeof(text))) {
		const char *at = strstr(text, place);

		e->online = text[1] == 'n';
		if (at && parse_int(at + sizeof(place) - 1, &e->cpu) && e->cpu >= 0)
			return true;
	}
	return false;
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
