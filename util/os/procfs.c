// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/procfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int procfs_missing(const struct os *os, const char *what, pid_t pid, struct err *err)
{
	char *self = os_path(os, "/proc/self");
	const bool mounted = os->fake || !access(self, F_OK);

	free(self);
	if (mounted)
		return err_set(err, ESRCH, "%s %d does not exist", what, pid);
	err_set(err, ENOENT, "%s %d cannot be looked at: no processes are in '%s'", what, pid,
		os->proc);
	err_hint(err, "as root: mount -t proc proc %s", os->proc);
	return -ENOENT;
}

/* ENOENT of /proc/PID/... means that the process is gone, where there is a /proc. */
static int gone(const struct os *os, int ret, pid_t pid, struct err *err)
{
	return ret == -ENOENT || ret == -ESRCH ? procfs_missing(os, "process", pid, err) : ret;
}

static u64 hex_up_to(char **p, char end)
{
	u64 v = 0;

	for (; isxdigit((unsigned char)**p); ++*p)
		v = v << 4 | (**p <= '9' ? **p - '0' : (**p | 32) - 'a' + 10);
	if (**p == end)
		++*p;
	return v;
}

/* "7f00-7f10 r-xp 00001000 08:01 1234      /path"; false when it is no such line. */
static bool parse_map(char *p, struct procfs_map *m)
{
	*m = (struct procfs_map){ 0 };
	m->start_va = hex_up_to(&p, '-');
	m->end_va = hex_up_to(&p, ' ');
	if (m->end_va <= m->start_va || strlen(p) < 5)
		return false;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		(p[2] == 'x' ? PROT_EXEC : 0);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	p += 5;
	m->off = hex_up_to(&p, ' ');
	m->maj = (u32)hex_up_to(&p, ':');
	m->min = (u32)hex_up_to(&p, ' ');
	for (; isdigit((unsigned char)*p); p++)
		m->ino = m->ino * 10 + (*p - '0');
	p += strspn(p, " ");
	m->path = *p ? p : "//anon";
	return true;
}

/* Reads in large pieces: the kernel gives at most a page of whole lines a read. */
static int read_maps(int fd, u64 until_ns, struct str *s)
{
	for (;;) {
		str_reserve(s, 16384);
		ssize_t n = read(fd, s->buf + s->len, 16384);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		s->len += n;
		s->buf[s->len] = 0;
		if (until_ns && os_now_ns() > until_ns)
			return -ETIMEDOUT;
	}
	return 0;
}

int procfs_maps(const struct os *os, pid_t pid, unsigned timeout_ms,
		int (*fn)(void *ctx, const struct procfs_map *m),
		void *ctx, struct err *err)
{
	char *path = xasprintf("%s/%d/maps", os->proc, pid);
	u64 until_ns = timeout_ms ? os_now_ns() + timeout_ms * 1000000ULL : 0;
	struct str s = STR_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;

	if (fd < 0 || (ret = read_maps(fd, until_ns, &s)) < 0) {
		ret = fd < 0 ? -errno : ret;
		if (ret == -ETIMEDOUT) {
			err_set(err, ETIMEDOUT, "reading '%s' took longer than %u ms", path,
				timeout_ms);
			err_hint(err, "allow more time: --proc-map-timeout %u", timeout_ms * 4);
		} else {
			err_sys(err, -ret, "cannot read '%s'", path);
		}
		ret = gone(os, ret, pid, err);
	}
	for (char *line = s.buf, *end; !ret && line && *line; line = end) {
		struct procfs_map m;

		end = strchr(line, '\n');
		if (end)
			*end++ = 0;
		else
			end = line + strlen(line);
		if (parse_map(line, &m))
			ret = fn(ctx, &m);
	}
	if (fd >= 0)
		close(fd);
	str_release(&s);
	free(path);
	return ret;
}

/* "123 (a) b) S 1 ..." : comm stands between the first and the last parenthesis. */
static int parse_stat(char *text, struct procfs_status *out)
{
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	size_t n;
	char *p;

	if (!open || !close || close < open || strlen(close) < 4)
		return -EINVAL;
	n = MIN((size_t)(close - open - 1), sizeof(out->comm) - 1);
	memcpy(out->comm, open + 1, n);
	out->comm[n] = 0;
	out->state = close[2];
	p = close + 3;
	for (int field = 4; *p; field++) {
		char *end;
		long long v = strtoll(p, &end, 10);

		if (end == p)
			break;
		if (field == 4)
			out->ppid = (pid_t)v;
		if (field == 6)
			out->session = (pid_t)v;
		if (field == 7)
			out->tty = makedev(v >> 8 & 0xff, (v & 0xff) | (v >> 12 & 0xfff00));
		if (field == 22)
			out->start_ticks = (u64)v;
		p = end;
	}
	return 0;
}

static long long status_value(const char *text, const char *key, bool last)
{
	const char *p = strstr(text, key);
	char *end;
	long long v = -1;

	if (!p)
		return -1;
	p += strlen(key);
	for (;;) {
		p += strspn(p, " \t");
		if (!isdigit((unsigned char)*p))
			return v;
		v = strtoll(p, &end, 10);
		if (!last)
			return v;
		p = end;
	}
}

int procfs_status(const struct os *os, pid_t tid, struct procfs_status *out, struct err *err)
{
	char path[64];
	struct str s = STR_INIT;
	int ret;

	*out = (struct procfs_status){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	ret = os_read_file(os, path, &s, err);
	if (!ret && parse_stat(s.buf, out))
		ret = err_set(err, EINVAL, "'%s' is not understood", path);
	if (!ret) {
		str_reset(&s);
		snprintf(path, sizeof(path), "/proc/%d/status", tid);
		ret = os_read_file(os, path, &s, err);
	}
	if (!ret) {
		long long ns = status_value(s.buf, "\nNSpid:", true);

		out->tgid = (pid_t)status_value(s.buf, "\nTgid:", false);
		out->uid = (uid_t)status_value(s.buf, "\nUid:", false);
		out->ns_pid = ns > 0 ? (pid_t)ns : tid;
	}
	str_release(&s);
	return gone(os, ret, tid, err);
}

u64 procfs_booted_s(const struct os *os)
{
	struct str s = STR_INIT;
	long long at = os_read_file(os, "/proc/stat", &s, NULL) ? 0 :
		status_value(str_cstr(&s), "\nbtime", false);

	str_release(&s);
	return at > 0 ? (u64)at : 0;
}

u64 procfs_started_s(const struct os *os, const struct procfs_status *st)
{
	const u64 booted = procfs_booted_s(os);
	const long hz = sysconf(_SC_CLK_TCK);

	return booted && hz > 0 ? booted + st->start_ticks / (u64)hz : 0;
}

static int cmp_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int list_numbers(const struct os *os, const char *path, int_vec *out, struct err *err)
{
	os_names names = { 0 };
	int ret = os_list_dir(os, path, &names, err), n;
	size_t from = out->n;

	for (size_t i = 0; i < names.n; i++)
		if (isdigit((unsigned char)names.v[i][0]) && parse_int(names.v[i], &n))
			vec_push(out, n);
	if (out->n > from)
		qsort(out->v + from, out->n - from, sizeof(int), cmp_int);
	os_names_release(&names);
	return ret;
}

int procfs_tasks(const struct os *os, pid_t pid, int_vec *tids, struct err *err)
{
	char path[64];
	size_t before = tids->n;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	ret = list_numbers(os, path, tids, err);
	if (!ret && tids->n == before)
		ret = -ESRCH;
	return gone(os, ret, pid, err);
}

int procfs_pids(const struct os *os, int_vec *pids, struct err *err)
{
	return list_numbers(os, "/proc", pids, err);
}

bool procfs_alive(const struct os *os, pid_t pid)
{
	char *path = xasprintf("%s/%d", os->proc, pid);
	bool alive = access(path, F_OK) == 0;

	free(path);
	return alive;
}

/* /proc/PID/fd/N */
static bool is_event(const struct os *os, pid_t pid, const char *fd)
{
	char *path = xasprintf("%s/%d/fd/%s", os->proc, pid, fd), link[64];
	ssize_t n = readlink(path, link, sizeof(link) - 1);

	link[n > 0 ? n : 0] = 0;
	free(path);
	return !strcmp(link, "anon_inode:[perf_event]");
}

bool procfs_has_events(const struct os *os, pid_t pid)
{
	os_names fds = { 0 };
	char *dir = xasprintf("/proc/%d/fd", pid);
	bool has = false;

	if (!os_list_dir(os, dir, &fds, NULL))
		for (size_t i = 0; i < fds.n && !has; i++)
			has = is_event(os, pid, fds.v[i]);
	os_names_release(&fds);
	free(dir);
	return has;
}

int procfs_comm(const struct os *os, pid_t pid, pid_t tid, struct str *out)
{
	char path[64], *nl;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);
	str_reset(out);
	ret = os_read_file(os, path, out, NULL);
	nl = !ret && out->len ? strrchr(out->buf, '\n') : NULL;
	if (nl)
		*nl = '\0';
	return ret;
}

bool procfs_namespace(const struct os *os, pid_t tid, const char *name, u64 *dev, u64 *ino)
{
	char link[64], *path;
	struct stat st;
	bool known;

	snprintf(link, sizeof(link), "/proc/%d/ns/%s", (int)tid, name);
	path = os_path(os, link);
	known = path && stat(path, &st) == 0;
	if (known) {
		*dev = st.st_dev;
		*ino = st.st_ino;
	}
	free(path);
	return known;
}

char *procfs_fd_name(int fd)
{
	return xasprintf("/proc/self/fd/%d", fd);
}

char *procfs_root_name(pid_t pid, const char *path)
{
	return xasprintf("/proc/%d/root/%s", pid, path + strspn(path, "/"));
}

char *procfs_mapping_name(pid_t pid, u64 start_va, u64 end_va)
{
	return xasprintf("/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)start_va,
			 (unsigned long long)end_va);
}

bool procfs_is_path(const char *path)
{
	return str_has_prefix(path, "/proc/");
}

int procfs_open_in_root(const struct os *os, pid_t pid, const char *path)
{
	char *name = xasprintf("/proc/%d/root", pid), *root = os_path(os, name);
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, code;

	code = errno;
	free(root);
	free(name);
	if (dir < 0)
		return -code;
	fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	code = errno;
	close(dir);
	return fd < 0 ? -code : fd;
}

bool procfs_has(pid_t pid)
{
	return !kill(pid, 0) || errno != ESRCH;
}
