// SPDX-License-Identifier: GPL-2.0-or-later
// What may have been meant by the name of a program that is not there.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/os/procfs.h"
#include "util/probe/probe-priv.h"

/* A process to which the path leads somewhere: it has another root, as those of containers. 0:
 * none that we may look into. */
static pid_t process_with(const struct os *os, const char *path)
{
	int_vec pids = { 0 };
	struct stat st;
	pid_t found = 0;

	procfs_pids(os, &pids, NULL);
	for (size_t i = 0; i < pids.n && !found; i++) {
		char *at = xasprintf("%s/%d/root%s", os->proc, pids.v[i], path);

		if (!stat(at, &st) && S_ISREG(st.st_mode))
			found = pids.v[i];
		free(at);
	}
	vec_free(&pids);
	return found;
}

/* The nearest name in the directories of list (parted by ':'), as it is written; NULL: none. The
 * caller frees. */
static char *near_command(const struct os *os, const char *name, const char *list)
{
	os_names all = { 0 };
	const char *near;
	char *out;

	for (const char *p = list; p && *p;) {
		size_t n = strcspn(p, ":");
		char *dir = xasprintf("%.*s", n ? (int)n : 1, n ? p : ".");

		os_list_dir(os, dir, &all, NULL);
		free(dir);
		p += n + (p[n] == ':');
	}
	near = nearest_name(name, (const char *const *)all.v, all.n);
	out = near ? xstrdup(near) : NULL;
	os_names_release(&all);
	return out;
}

/* The path with its first component that does not exist replaced by the nearest one that does;
 * NULL: that leads nowhere, either.
 * *missing: how many bytes of the path lead up to what does not exist, with that. The caller
 * frees. */
static char *near_path(const struct os *os, const char *path, size_t *missing)
{
	size_t start = 0, end = 0;
	char *part, *dir, *name, *near, *out = NULL;

	do {		/* up to the first component that is not there */
		start = end + strspn(path + end, "/");
		end = start + strcspn(path + start, "/");
		part = xstrndup(path, end);
		bool there = !access(part, F_OK);

		free(part);
		if (!there)
			break;
	} while (path[end]);
	*missing = end;
	dir = start ? xstrndup(path, start) : xstrdup(".");
	name = xstrndup(path + start, end - start);
	near = near_command(os, name, dir);
	if (near)
		out = xasprintf("%.*s%s%s", (int)start, path, near, path + end);
	if (out && access(out, F_OK)) {
		free(out);
		out = NULL;
	}
	free(near);
	free(name);
	free(dir);
	return out;
}

/* "at" is where the file was looked for; "path" what the user wrote, at's end below other roots. */
void hint_program(const struct probe_opts *o, const char *path, const char *at, struct err *err)
{
	const size_t skip = strlen(at) - MIN(strlen(at), strlen(path));
	size_t missing = 0;
	pid_t pid = path[0] == '/' && !o->target_ns ? process_with(o->os, path) : 0;
	char *near = NULL;

	if (pid) {
		err_hint(err, "process %d has it, in a root of its own (a container): --target-ns "
			      "%d -x %s", pid, pid, path);
		return;
	}
	if (!strchr(path, '/')) {
		near = near_path(o->os, path, &missing);
		near = near ? near : near_command(o->os, path, getenv("PATH"));
		if (near)
			err_hint(err, "did you mean '%s'?", near);
		else
			err_hint(err, "it is neither in this directory nor in one of PATH");
		free(near);
		return;
	}
	near = near_path(o->os, at, &missing);
	/* not another process */
	if (near && !procfs_is_path(path) && strlen(near) > skip &&
	    !strncmp(near, at, skip))
		err_hint(err, "did you mean '%s'?", near + skip);
	else if (at[missing])
		err_hint(err, "there is no directory '%.*s'", (int)missing, at);
	free(near);
}
