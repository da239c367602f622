// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/vec.h"
#include "util/os/rights.h"

/* 0 when the directory holds a readable tracefs; -ENOENT, -EACCES. */
static int look(const char *dir)
{
	struct stat st;
	char *events = xasprintf("%s/events", dir);
	int ret = 0;

	if (stat(events, &st))
		ret = errno == EACCES ? -EACCES : -ENOENT;
	else if (faccessat(AT_FDCWD, events, R_OK | X_OK, AT_EACCESS))
		ret = -EACCES;
	free(events);
	return ret;
}

/* A mount in an unusual place, from /proc/mounts: "nodev /mnt/t tracefs rw 0 0". */
static char *from_mounts(const struct os *os)
{
	struct str s = STR_INIT;
	char *found = NULL, *save = NULL;

	if (os->fake || os_read_file(os, "/proc/self/mounts", &s, NULL)) {
		str_release(&s);
		return NULL;
	}
	for (char *line = strtok_r(s.buf, "\n", &save); line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		char *dir = strchr(line, ' ');
		char *type = dir ? strchr(dir + 1, ' ') : NULL;

		if (!type || strncmp(type + 1, "tracefs ", 8))
			continue;
		*type = 0;
		found = xstrdup(dir + 1);
	}
	str_release(&s);
	return found;
}

static bool take_if_ok(struct os *os, char *dir, char **denied)
{
	int ret = dir ? look(dir) : -ENOENT;

	if (!ret) {
		os->tracefs = dir;
		return true;
	}
	if (ret == -EACCES && !*denied)
		*denied = dir;
	else
		free(dir);
	return false;
}

/* Readable files are not enough for a sample of them: that is said at once, not at the next try. */
static int not_readable(const struct os *os, const char *dir, struct err *err)
{
	struct str mount = STR_INIT;

	if (access(dir, X_OK))
		str_addf(&mount, "sudo mount -o remount,mode=755 %s && ", dir);
	err_sys(err, EACCES, "cannot read '%s/events'", dir);
	err_hint(err, "run as %s, or let everybody read the tracing files:\n"
		 "%ssudo chmod -R o+rX %s/events%s",
		 os_root_who(os), str_cstr(&mount), dir, os_paranoid(os) > 1 ?
		 "\nand: sudo sysctl kernel.perf_event_paranoid=1 for system calls of your own "
		 "programs and counts, -1 for all else" : os_paranoid(os) > -1 ?
		 "\nand, for more than counts and system calls of your own programs: "
		 "sudo sysctl kernel.perf_event_paranoid=-1" : "");
	str_release(&mount);
	return -EACCES;
}

/* code: why it could not be mounted; 0: this is for root. */
static int not_there(const struct os *os, const char *dir, int code, struct err *err)
{
	err_set(err, ENOENT, "cannot find tracefs: nothing is mounted on '%s' or "
			     "'%s/kernel/debug/tracing'", dir, os->sys);
	if (os_without_sysfs(os))
		err_hint(err, "%s && sudo mount -t tracefs nodev %s\n(in a container: docker -v "
			      "%s:%s)", OS_NO_SYSFS_HINT, dir, dir, dir);
	else if (code == EPERM || code == EACCES || os_in_user_ns(os) ||
		 os_is_readonly(os, "/sys"))
		err_hint(err, "it may not be mounted here: the machine must share it with this "
			      "container (docker: -v %s:%s)", dir, dir);
	else
		err_hint(err, "sudo mount -t tracefs nodev %s\n(needs a kernel with "
			      "CONFIG_FTRACE; in a container the machine must share it: docker "
			      "-v %s:%s)", dir, dir, dir);
	return -ENOENT;
}

int os_tracefs(struct os *os, struct err *err)
{
	char *denied = NULL, *dir;
	int ret = 0, code = 0;

	if (os->tracefs)
		return 0;
	if (os->fake) {
		dir = xasprintf("%.*stracing", (int)strlen(os->proc) - 4, os->proc);
		if (!take_if_ok(os, dir, &denied))
			ret = err_set(err, ENOENT, "no tracefs in this tree");
		free(denied);
		return ret;
	}
	if (take_if_ok(os, xasprintf("%s/kernel/tracing", os->sys), &denied) ||
	    take_if_ok(os, xasprintf("%s/kernel/debug/tracing", os->sys), &denied) ||
	    take_if_ok(os, from_mounts(os), &denied))
		goto out;
	if (denied) {
		ret = not_readable(os, denied, err);
		goto out;
	}
	dir = xasprintf("%s/kernel/tracing", os->sys);
	if (geteuid() == 0 && mount("nodev", dir, "tracefs", 0, NULL) == 0) {
		if (take_if_ok(os, dir, &denied))
			goto out;
		dir = xasprintf("%s/kernel/tracing", os->sys);
	} else if (geteuid() == 0) {
		code = errno;
	}
	ret = not_there(os, dir, code, err);
	free(dir);
out:
	free(denied);
	return ret;
}

bool os_has_tracepoint(const struct os *os, const char *system, const char *name)
{
	char *path = xasprintf("tracing:events/%s/%s/id", system, name);
	u64 id;
	const bool yes = !os_read_u64(os, path, &id, NULL);

	free(path);
	return yes;
}

bool os_add_tracepoint(const struct os *os, const char *system, const char *name, word_list *out)
{
	if (!os_has_tracepoint(os, system, name))
		return false;
	vec_push(out, xasprintf("%s:%s", system, name));
	return true;
}
