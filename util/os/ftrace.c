// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/ftrace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"

#define PREFIX "perf-ftrace-"	/* of our instances */

/* --- control files */

static char *name_of(const char *dir, const char *file)
{
	return xasprintf("tracing:%s%s", dir, file);
}

static bool exists(const struct os *os, const char *dir, const char *file)
{
	char *name = name_of(dir, file), *real = os_path(os, name);
	const bool there = !access(real, F_OK);

	free(name);
	free(real);
	return there;
}

static int write_to(const struct os *os, const char *dir, const char *file, const char *text,
		    bool add, struct err *err)
{
	char *name = name_of(dir, file);
	const int ret = os_write_file(os, name, text, add, err);

	free(name);
	return ret;
}

static int read_from(const struct os *os, const char *dir, const char *file, struct str *out)
{
	char *name = name_of(dir, file);
	const int ret = os_read_file(os, name, out, NULL);

	free(name);
	return ret;
}

static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);

	for (const char *p = words; *p; p += strcspn(p, " \n"), p += strspn(p, " \n"))
		if (strcspn(p, " \n") == len && !memcmp(p, word, len))
			return true;
	return false;
}

static bool offers(const struct os *os, const char *dir, const char *tracer)
{
	struct str s = STR_INIT;
	const bool has = !read_from(os, dir, "available_tracers", &s) &&
		has_word(str_cstr(&s), tracer);

	str_release(&s);
	return has;
}

static int has_tracer(const struct os *os, const char *tracer, struct err *err)
{
	struct str config = STR_INIT;
	const bool has_function = offers(os, "", "function");
	int ret;

	if (offers(os, "", tracer))
		return 0;
	for (const char *p = tracer; *p; p++)
		str_addch(&config, (char)toupper((unsigned char)*p));
	ret = err_set(err, ENOTSUP, "this kernel has no tracer '%s'", tracer);
	err_hint(err, "it needs a kernel with CONFIG_%s_TRACER=y%s", str_cstr(&config),
		 strcmp(tracer, "function_graph") || !has_function ? "" :
		 "; -t function shows calls, without their durations");
	str_release(&config);
	return ret;
}

/* --- what was there, for who comes after a crash
 *
 * "= FILE" and then its lines, each with a + before it. */

static char *state_path(const struct os *os)
{
	return xasprintf("%s/run/perf-ftrace", os->root ? os->root : "");
}

static void write_lines(const struct os *os, const char *file, const char *text)
{
	/* an empty write is what empties a filter */
	write_to(os, "", file, "", false, NULL);
	for (const char *p = text; *p; ) {
		/* "7 (expanded: 1408)" is a size of 7 */
		const char *extra = strstr(p, " (expanded");
		const size_t n = strcspn(p, "\n");
		char *line = xasprintf("%.*s\n", extra && extra < p + n ? (int)(extra - p) :
				       (int)n, p);

		/* "#### all functions enabled ####" stands for none */
		if (*line != '#' && *line != '\n')
			write_to(os, "", file, line, true, NULL);
		p += n + (p[n] == '\n');
		free(line);
	}
}

static void restore_text(const struct os *os, const char *text)
{
	struct str file = STR_INIT, lines = STR_INIT;

	for (const char *p = text; ; ) {
		const size_t n = strcspn(p, "\n");

		if ((!*p || str_has_prefix(p, "= ")) && file.len) {
			write_lines(os, str_cstr(&file), str_cstr(&lines));
			str_reset(&file);
			str_reset(&lines);
		}
		if (!*p)
			break;
		if (str_has_prefix(p, "= ")) {
			str_addn(&file, p + 2, n - 2);
		} else if (*p == '+') {
			str_addn(&lines, p + 1, n - 1);
			str_addch(&lines, '\n');
		}
		p += n + (p[n] == '\n');
	}
	str_release(&file);
	str_release(&lines);
}

/* The file's lock says whether its owner lives. */
static int lock_state(struct ftrace *f, struct err *err)
{
	char *path = state_path(f->os);
	struct str left = STR_INIT;
	int ret = 0;

	f->state_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (f->state_fd < 0)
		ret = err_sys(err, errno, "cannot open '%s'", path);
	else if (flock(f->state_fd, LOCK_EX | LOCK_NB))
		ret = err_set(err, EBUSY, "another perf ftrace uses the kernel's tracer");
	else if (!os_read_file(f->os, path, &left, NULL) && left.len) {
		restore_text(f->os, str_cstr(&left));
		ret = ftruncate(f->state_fd, 0) ? err_sys(err, errno, "cannot write '%s'", path) :
			0;
	}
	if (ret && f->state_fd >= 0) {
		close(f->state_fd);
		f->state_fd = -1;
	}
	str_release(&left);
	free(path);
	return ret;
}

static int save(struct ftrace *f, const char *file, struct err *err)
{
	struct str now = STR_INIT, note = STR_INIT;
	int ret = 0;

	for vec_each(s, &f->saved)
		if (!strcmp(s->file, file))
			return 0;
	if (!read_from(f->os, "", file, &now)) {
		str_addf(&note, "= %s\n", file);
		for (const char *p = str_cstr(&now); *p; p += strcspn(p, "\n"), p += *p == '\n')
			str_addf(&note, "+%.*s\n", (int)strcspn(p, "\n"), p);
		if (write(f->state_fd, note.buf, note.len) != (ssize_t)note.len)
			ret = err_sys(err, errno, "cannot note the tracer's settings");
		else
			*vec_add(&f->saved) = (struct ftrace_saved){
				xstrdup(file), xstrdup(str_cstr(&now)) };
	}
	str_release(&now);
	str_release(&note);
	return ret;
}

/* --- places */

static int open_locked(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Instances whose lock nobody holds any more. */
static void remove_stale(const struct os *os)
{
	os_names names = { NULL, 0, 0 };

	if (os_list_dir(os, "tracing:instances", &names, NULL))
		return;
	for vec_each(n, &names) {
		char *path;
		int fd;

		if (!str_has_prefix(*n, PREFIX))
			continue;
		path = xasprintf("%s/instances/%s", os->tracefs, *n);
		fd = open_locked(path);
		if (fd >= 0) {
			close(fd);
			rmdir(path);
		}
		free(path);
	}
	os_names_release(&names);
}

/* The filters of function_graph are those of the main buffer, for all instances. */
static bool main_filters(const struct os *os)
{
	static const char *const files[] = { "set_graph_function", "set_graph_notrace",
					     "max_graph_depth", "tracing_thresh" };
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct str s = STR_INIT;

		if (!read_from(os, "", files[i], &s) && s.len)
			any = any || (s.buf[0] != '#' && s.buf[0] != '0');
		str_release(&s);
	}
	return any;
}

static bool suits(const struct ftrace *f, const char *tracer, const char *const *needs)
{
	bool all = offers(f->os, f->dir, tracer) &&
		(strcmp(tracer, "function_graph") || !main_filters(f->os));

	for (; *needs && all; needs++)
		all = exists(f->os, f->dir, *needs);
	return all;
}

/* 0; -ENOTSUP: not in an instance. */
static int open_instance(struct ftrace *f, const char *tracer, const char *const *needs)
{
	char *all = xasprintf("%s/instances", f->os->tracefs);
	char *path = xasprintf("%s/" PREFIX "%d", all, (int)getpid());
	const int all_fd = open(all, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	f->dir = xasprintf("instances/" PREFIX "%d/", (int)getpid());
	if (all_fd >= 0)
		flock(all_fd, LOCK_EX);		/* no one takes a new one for a stale one */
	remove_stale(f->os);
	if (!mkdir(path, 0700)) {
		if (suits(f, tracer, needs))
			f->lock_fd = open_locked(path);
		if (f->lock_fd < 0)
			rmdir(path);
	}
	if (all_fd >= 0)
		close(all_fd);
	if (f->lock_fd < 0) {
		free(f->dir);
		f->dir = NULL;
	}
	free(path);
	free(all);
	return f->lock_fd < 0 ? -ENOTSUP : 0;
}

/* They are of somebody else, and for other purposes. The tracer is first: after a crash it is the
 * first to be put back. */
static int reset_main(struct ftrace *f, struct err *err)
{
	static const struct { const char *file, *text; } settings[] = {
		{ "current_tracer", "nop" }, { "tracing_on", "0" }, { "set_ftrace_filter", "" },
		{ "set_ftrace_notrace", "" }, { "set_graph_function", "" },
		{ "set_graph_notrace", "" }, { "set_ftrace_pid", "" }, { "max_graph_depth", "0" },
		{ "tracing_thresh", "0" } };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(settings) && !ret; i++)
		if (ftrace_has(f, settings[i].file))
			ret = ftrace_set(f, settings[i].file, settings[i].text, false, err);
	return ret;
}

static int open_main(struct ftrace *f, struct err *err)
{
	struct str now = STR_INIT;
	int ret = lock_state(f, err);

	if (ret)
		return ret;
	f->dir = xstrdup("");
	f->main = true;
	if (read_from(f->os, "", "current_tracer", &now) ||
	    !str_has_prefix(str_cstr(&now), "nop")) {
		ret = err_set(err, EBUSY, "the kernel's tracer is in use: current_tracer is '%.*s'",
			      (int)strcspn(str_cstr(&now), "\n"), str_cstr(&now));
		err_hint(err, "if nobody needs it: echo nop > %s/current_tracer", f->os->tracefs);
	}
	str_release(&now);
	return ret ? ret : reset_main(f, err);
}

int ftrace_open(struct ftrace *f, struct os *os, const char *tracer, const char *const *needs,
		struct err *err)
{
	int ret = has_tracer(os, tracer, err);

	*f = (struct ftrace){ .os = os, .lock_fd = -1, .state_fd = -1 };
	if (ret)
		return ret;
	if (open_instance(f, tracer, needs)) {
		ret = open_main(f, err);
	} else {
		/* what one that had no instance left */
		if (!lock_state(f, NULL)) {
			close(f->state_fd);
			f->state_fd = -1;
		}
	}
	if (!ret && !f->main)
		ret = ftrace_set(f, "tracing_on", "0", false, err);
	if (ret)
		ftrace_close(f, NULL);
	return ret;
}

int ftrace_set(struct ftrace *f, const char *file, const char *text, bool add, struct err *err)
{
	int ret = 0;

	if (!exists(f->os, f->dir, file))
		return err_set(err, ENOENT, "this kernel's tracer has no '%s'", file);
	if (f->main)
		ret = save(f, file, err);
	if (!ret)
		ret = write_to(f->os, f->dir, file, text, add, err);
	if (ret == -EPERM && !geteuid())
		err_hint(err, "this machine (a container's rules, a security module, lockdown) "
			 "keeps function tracing even from root");
	return ret;
}

bool ftrace_has(const struct ftrace *f, const char *file)
{
	return exists(f->os, f->dir, file);
}

int ftrace_pipe(const struct ftrace *f, struct err *err)
{
	char *path = xasprintf("%s/%strace_pipe", f->os->tracefs, f->dir);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		fd = err_sys(err, errno, "cannot open '%s'", path);
	free(path);
	return fd;
}

u64 ftrace_n_lost(const struct ftrace *f)
{
	char *dir = xasprintf("tracing:%sper_cpu", f->dir);
	os_names names = { NULL, 0, 0 };
	u64 lost = 0;

	if (!os_list_dir(f->os, dir, &names, NULL))
		for vec_each(n, &names) {
			struct str s = STR_INIT;
			char *stats = xasprintf("per_cpu/%s/stats", *n);
			const char *at = NULL;

			if (!read_from(f->os, f->dir, stats, &s))
				at = strstr(str_cstr(&s), "overrun: ");
			lost += at ? strtoull(at + strlen("overrun: "), NULL, 10) : 0;
			free(stats);
			str_release(&s);
		}
	os_names_release(&names);
	free(dir);
	return lost;
}

/* --- the end */

static int close_instance(struct ftrace *f, struct err *err)
{
	char *path = xasprintf("%s/%s", f->os->tracefs, f->dir);
	int ret = 0;

	write_to(f->os, f->dir, "tracing_on", "0", false, NULL);
	write_to(f->os, f->dir, "current_tracer", "nop", false, NULL);
	path[strlen(path) - 1] = 0;
	if (rmdir(path) && !f->os->fake)
		ret = err_sys(err, errno, "cannot remove '%s'", path);
	close(f->lock_fd);
	free(path);
	return ret;
}

int ftrace_close(struct ftrace *f, struct err *err)
{
	int ret = 0;

	if (!f->os)
		return 0;
	if (f->dir && !f->main)
		ret = close_instance(f, err);
	if (f->saved.n)
		write_to(f->os, f->dir, "current_tracer", "nop", false, NULL);
	while (f->saved.n) {		/* the last change first: the tracer before its filters */
		struct ftrace_saved s = vec_pop(&f->saved);

		write_lines(f->os, s.file, s.text);
		free(s.file);
		free(s.text);
	}
	if (f->state_fd >= 0) {
		if (ftruncate(f->state_fd, 0) && !ret)
			ret = err_sys(err, errno, "cannot empty the note of the tracer's settings");
		close(f->state_fd);
	}
	vec_free(&f->saved);
	free(f->dir);
	*f = (struct ftrace){ .lock_fd = -1, .state_fd = -1 };
	return ret;
}
