// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int os_cgroup_mount(const struct os *os, struct str *out, struct err *err)
{
	struct str text = STR_INIT;
	bool v1 = false;
	int ret = os_read_file(os, "/proc/mounts", &text, err);

	str_reset(out);
	for (char *p = text.buf, *nl; !ret && p && *p && !v1; p = nl + 1) {
		char dir[4096], type[64], opts[1024];

		nl = strchr(p, '\n');
		if (!nl)
			break;
		*nl = '\0';
		if (sscanf(p, "%*s %4095s %63s %1023s", dir, type, opts) != 3)
			continue;
		v1 = !strcmp(type, "cgroup") && strstr(opts, "perf_event");
		if (v1 || (!strcmp(type, "cgroup2") && !out->len)) {
			str_reset(out);
			str_add(out, dir);
		}
	}
	str_release(&text);
	if (!ret && !out->len) {
		ret = err_set(err, ENOENT, "no cgroup hierarchy is mounted");
		err_hint(err, "mount one: sudo mount -t cgroup2 none /sys/fs/cgroup");
	}
	return ret;
}

int os_cgroup_open(const struct os *os, const char *name, struct err *err)
{
	struct str path = STR_INIT;
	int ret = os_cgroup_mount(os, &path, err);

	if (!ret) {
		size_t n = path.len;

		str_addf(&path, "%s%s", name[0] == '/' ? "" : "/", name);
		ret = open(str_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (ret < 0) {
			ret = err_sys(err, errno, "no access to cgroup '%s'", name);
			err_hint(err, "looked for %s; cgroups are named by their path below %.*s", str_cstr(&path), (int)n, path.buf);
		}
	}
	str_release(&path);
	return ret;
}
