// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/vec.h"
#include "util/os/rights.h"

static int real_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		     unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	return fd < 0 ? -errno : (int)fd;
}

static int fake_open(struct perf_event_attr *attr UNUSED, pid_t pid UNUSED, int cpu UNUSED,
		     int group_fd UNUSED,
		     unsigned long flags UNUSED)
{
	return -ENOSYS;
}

void os_init(struct os *os)
{
	*os = (struct os){
		.proc = xstrdup("/proc"), .sys = xstrdup("/sys"), .root = xstrdup(""),
		.page_bytes = sysconf(_SC_PAGESIZE), .perf_event_open = real_open,
	};
}

void os_init_root(struct os *os, const char *root)
{
	*os = (struct os){
		.proc = xasprintf("%s/proc", root), .sys = xasprintf("%s/sys", root),
		.root = xstrdup(root), .fake = true,
		.page_bytes = 4096, .perf_event_open = fake_open,
	};
}

void os_release(struct os *os)
{
	free(os->proc);
	free(os->sys);
	free(os->root);
	free(os->tracefs);
	free(os->priv);
	*os = (struct os){ 0 };
}

char *os_path(const struct os *os, const char *path)
{
	if (str_has_prefix(path, "/proc/") || !strcmp(path, "/proc"))
		return xasprintf("%s%s", os->proc, path + 5);
	if (str_has_prefix(path, "/sys/") || !strcmp(path, "/sys"))
		return xasprintf("%s%s", os->sys, path + 4);
	if (str_has_prefix(path, "tracing:")) {
		if (os->tracefs)
			return xasprintf("%s/%s", os->tracefs, path + 8);
		return xasprintf("%s/kernel/tracing/%s", os->sys, path + 8);
	}
	if (os->root && (str_has_prefix(path, "/boot/") || str_has_prefix(path, "/lib/modules/") ||
			 str_has_prefix(path, "/var/lib/dpkg/")))
		return xasprintf("%s%s", os->root, path);
	return xstrdup(path);
}

/* What helps against EACCES and EROFS on such a path; only tracefs has a remedy other than being
 * root. */
static void hint_for(const struct os *os, struct err *err, int code, const char *path,
		     const char *real, bool writing)
{
	const char *who = geteuid() ? "root" : OS_OUTER_ROOT;

	if (code == EACCES || code == EPERM) {
		if (str_has_prefix(path, "tracing:") && !writing)
			err_hint(err, "run as %s, or let everybody read them: sudo chmod -R o+rX "
				      "'%s/events'", who,
				 os->tracefs ? os->tracefs : real);
		else
			err_hint(err, "run as %s%s", who, geteuid() ? " (sudo)" : "");
	}
}

int os_read_file(const struct os *os, const char *path, struct str *out, struct err *err)
{
	char *real = os_path(os, path);
	int fd = open(real, O_RDONLY | O_CLOEXEC), ret = 0;

	if (fd < 0) {
		ret = -errno;
	} else {
		for (;;) {
			str_reserve(out, 4096);
			ssize_t n = read(fd, out->buf + out->len, 4096);
			if (n > 0) {
				out->len += n;
				out->buf[out->len] = 0;
				continue;
			}
			if (n < 0 && errno == EINTR)
				continue;
			ret = n < 0 ? -errno : 0;
			break;
		}
		out->buf[out->len] = 0;
		close(fd);
	}
	if (ret) {
		err_sys(err, -ret, "cannot read '%s'", real);
		hint_for(os, err, -ret, path, real, false);
	}
	free(real);
	return ret;
}

int os_read_u64(const struct os *os, const char *path, u64 *out, struct err *err)
{
	struct str s = STR_INIT;
	int ret = os_read_file(os, path, &s, err);

	if (!ret) {
		while (s.len && strchr(" \t\n", s.buf[s.len - 1]))
			s.buf[--s.len] = 0;
		if (!parse_u64(str_cstr(&s), out)) {
			char *real = os_path(os, path);
			ret = err_set(err, EINVAL, "no number in '%s'", real);
			free(real);
		}
	}
	str_release(&s);
	return ret;
}

int os_write_file(const struct os *os, const char *path, const char *text, bool append,
		  struct err *err)
{
	char *real = os_path(os, path);
	int fd = open(real, O_WRONLY | O_CLOEXEC | (append ? O_APPEND : O_TRUNC)), ret = 0;

	if (fd < 0) {
		ret = -errno;
	} else {
		/* one write: control files act on each write(2) */
		ssize_t n = write(fd, text, strlen(text));
		if (n < 0 || (size_t)n != strlen(text))
			ret = n < 0 ? -errno : -EIO;
		if (close(fd) && !ret)
			ret = -errno;
	}
	if (ret) {
		err_sys(err, -ret, "cannot write '%s'", real);
		hint_for(os, err, -ret, path, real, true);
	}
	free(real);
	return ret;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int os_list_dir(const struct os *os, const char *path, os_names *out, struct err *err)
{
	char *real = os_path(os, path);
	DIR *d = opendir(real);
	int ret = 0;

	if (!d) {
		ret = -errno;
		err_sys(err, -ret, "cannot open directory '%s'", real);
		hint_for(os, err, -ret, path, real, false);
	} else {
		for (struct dirent *e; (e = readdir(d)); )
			if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
				vec_push(out, xstrdup(e->d_name));
		closedir(d);
		if (out->n)
			qsort(out->v, out->n, sizeof(*out->v), cmp_names);
	}
	free(real);
	return ret;
}

void os_names_release(os_names *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->v[i]);
	vec_free(n);
}

u64 os_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

u64 os_own_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

void os_want_locked_memory(void)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &unlimited);
}

void os_want_fds(size_t n)
{
	struct rlimit rl;
	rlim_t want = n + 64;

	if (getrlimit(RLIMIT_NOFILE, &rl) || rl.rlim_cur >= want)
		return;
	if (rl.rlim_max >= want) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
		return;
	}
	struct rlimit more = { .rlim_cur = want, .rlim_max = want };
	if (setrlimit(RLIMIT_NOFILE, &more)) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
	}
}

size_t os_max_fds(void)
{
	struct rlimit rl;

	return getrlimit(RLIMIT_NOFILE, &rl) ? 0 : (size_t)rl.rlim_cur;
}
