// SPDX-License-Identifier: GPL-2.0-or-later
// The cgroups, by their numbers.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "util/os/cgroup.h"
#include "util/record/synth-priv.h"

static int put_cgroup(struct synth *s, const char *mount, const char *rel)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0,
	};
	struct wire_cgroup c = { .path = *rel ? rel : "/" };
	char *path = xasprintf("%s%s", mount, rel);
	u64 buf[1024];
	const int ret = os_cgroup_dir_id(path, &c.id);

	free(path);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return synth_put(s, buf, wire_encode_cgroup(s->attr, &c, &sid, buf, sizeof(buf)));
}

static int walk_cgroups(struct synth *s, const char *mount, const char *rel, int depth)
{
	char *path = xasprintf("%s%s", mount, rel);
	DIR *d = opendir(path);
	int ret = put_cgroup(s, mount, rel);

	free(path);
	for (struct dirent *e; d && !ret && depth < 64 && (e = readdir(d));) {
		if (e->d_type == DT_DIR && e->d_name[0] != '.') {
			char *sub = xasprintf("%s/%s", rel, e->d_name);

			ret = walk_cgroups(s, mount, sub, depth + 1);
			free(sub);
		}
	}
	if (d)
		closedir(d);
	return ret;
}

int synth_cgroups(struct synth *s, struct err *err)
{
	struct str mount = STR_INIT;
	int ret = 0;

	if (s->os->fake)
		return 0;
	ret = os_cgroup_mount(s->os, &mount, err);
	if (!ret) {
		ret = walk_cgroups(s, str_cstr(&mount), "", 0);
		if (ret < 0)
			err_sys(err, -ret, "cannot read the cgroups below %s", str_cstr(&mount));
	}
	str_release(&mount);
	return ret;
}
