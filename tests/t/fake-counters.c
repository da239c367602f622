// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A library to be loaded before a perf (LD_PRELOAD): counters that know their values. None is
 * opened; that of an event of type T (60 or more), with config C, on CPU N has
 * (T * 1000000 + (C & 0xffff)) * (N + 1) events, all others have 1000, all of them from the start
 * on, and counted all the time. FAKE_LOG=FILE gets a line for each that is opened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 4096
#define MEMBERS 64

static struct { int on, n, members[MEMBERS]; unsigned long long value, format; } fds[MOST];

static int is_counter(int fd)
{
	return fd >= 0 && fd < MOST && fds[fd].on;
}

static void note(const struct perf_event_attr *a, int cpu, int fd)
{
	FILE *f = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "a") : NULL;

	if (!f)
		return;
	fprintf(f, "type=%u config=%llx cpu=%d fd=%d\n", a->type, a->config, cpu, fd);
	fclose(f);
}

static long open_counter(const struct perf_event_attr *a, int cpu, int group)
{
	const int fd = memfd_create("counter", MFD_CLOEXEC);

	if (fd < 0 || fd >= MOST)
		return -1;
	memset(&fds[fd], 0, sizeof(fds[fd]));
	fds[fd].on = 1;
	fds[fd].format = a->read_format;
	fds[fd].value = a->type < 60 ? 1000 :
		(a->type * 1000000ULL + (a->config & 0xffff)) * (unsigned)(cpu + 1);
	fds[fd].members[fds[fd].n++] = fd;
	if (is_counter(group) && fds[group].n < MEMBERS)
		fds[group].members[fds[group].n++] = fd;
	note(a, cpu, fd);
	return fd;
}

long syscall(long nr, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_perf_event_open)
		return open_counter((const void *)a[0], (int)a[2], (int)a[3]);
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* In the forms of perf_event_open(2): of one counter, or of a group. */
static ssize_t read_counter(int fd, void *to, size_t size)
{
	const unsigned long long format = fds[fd].format;
	const int group = !!(format & PERF_FORMAT_GROUP);
	unsigned long long v[4 + 2 * MEMBERS];
	size_t n = 0;

	v[n++] = group ? (unsigned)fds[fd].n : fds[fd].value;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		v[n++] = 1000000;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		v[n++] = 1000000;
	for (int i = 0; i < (group ? fds[fd].n : 1); i++) {
		if (group)
			v[n++] = fds[fds[fd].members[i]].value;
		if (format & PERF_FORMAT_ID)
			v[n++] = (unsigned)fds[fd].members[i];
		if (format & PERF_FORMAT_LOST)
			v[n++] = 0;
	}
	n *= sizeof(*v);
	if (n > size)
		n = size;
	memcpy(to, v, n);
	return (ssize_t)n;
}

ssize_t read(int fd, void *to, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);

	if (is_counter(fd))
		return read_counter(fd, to, size);
	if (!real)
		real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	return real(fd, to, size);
}

int ioctl(int fd, unsigned long what, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list ap;
	void *arg;

	va_start(ap, what);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (is_counter(fd)) {
		if (what == PERF_EVENT_IOC_ID)
			*(unsigned long long *)arg = (unsigned)fd;
		return 0;
	}
	if (!real)
		real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	return real(fd, what, arg);
}

int close(int fd)
{
	static int (*real)(int);

	if (is_counter(fd))
		fds[fd].on = 0;
	if (!real)
		real = (int (*)(int))dlsym(RTLD_NEXT, "close");
	return real(fd);
}
