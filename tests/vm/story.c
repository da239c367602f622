// SPDX-License-Identifier: GPL-2.0-or-later
// Runs in the test VM, linked statically: makes known system calls and says in the words of the
// probes' arguments what they must
// show. story [loop]: with "loop" also calls of the module that owns /dev/loop-control.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static FILE *said;

static int try(const char *path, int flags)
{
	int fd = openat(AT_FDCWD, path, flags);

	/* the kernel adds O_LARGEFILE (0100000) */
	fprintf(said, "open path=\"%s\" flags=0x%x\nopenret ret=%d\n", path, flags | 0100000,
		fd < 0 ? -errno : fd);
	return fd;
}

static void take(int fd, size_t count)
{
	static char buf[4096];
	ssize_t n = read(fd, buf, count);

	fprintf(said, "read count=%zu\nreadret ret=%zd\n", count, n < 0 ? (ssize_t)-errno : n);
}

static void loops(void)
{
	int fd = open("/dev/loop-control", O_RDWR), ret;

	for (long i = 40; i < 43; i++) {
		ret = ioctl(fd, 0x4c80, i);	/* LOOP_CTL_ADD: answers with the number */
		fprintf(said, "ctl cmd=%d parm=%ld\nctlret ret=%d\n", 0x4c80, i, ret < 0 ? -errno :
			ret);
	}
	ret = ioctl(fd, 0x4c80, 41L);
	fprintf(said, "ctl cmd=%d parm=41\nctlret ret=%d\n", 0x4c80, ret < 0 ? -errno : ret);
}

int main(int argc, char **argv)
{
	char text[4096] = "";
	int fd;

	said = fmemopen(text, sizeof(text), "w");
	if (argc > 1 && !strcmp(argv[1], "loop")) {
		loops();
	} else {
		try("/no/such/file", O_RDONLY);
		try("/root/./none", O_RDWR | O_NOFOLLOW);
		fd = try("/dev/zero", O_RDONLY | O_CLOEXEC);
		for (int i = 1; i <= 5; i++)
			take(fd, 100 * i);
		close(fd);
	}
	fclose(said);
	return write(1, text, strlen(text)) < 0;
}
