// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"

int export_part_open(struct export_part *p, const char *path, bool force, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');
	int ret = 0;

	if (slash && slash > dir) {
		*slash = 0;
		ret = io_mkdirs(dir, err);
	}
	free(dir);
	if (!ret && !force && access(path, F_OK) == 0) {
		ret = err_set(err, EEXIST, "the file '%s' exists", path);
		err_hint(err, "--force overwrites it");
	}
	if (!ret)
		ret = outfile_open(&p->out, path, &o, err);
	if (ret)
		return ret;
	p->fp = fdopen(fcntl(p->out.fd, F_DUPFD_CLOEXEC, 3), "w");
	return p->fp ? 0 : err_sys(err, errno, "cannot write '%s'", path);
}

int export_part_commit(struct export_part *p, struct err *err)
{
	int ret = 0;

	if (fflush(p->fp) || ferror(p->fp))
		ret = err_sys(err, errno ? errno : EIO, "cannot write '%s'", p->out.path);
	if (!ret)
		ret = outfile_commit(&p->out, err);
	export_part_release(p);
	return ret;
}

void export_part_release(struct export_part *p)
{
	if (p->fp)
		fclose(p->fp);
	p->fp = NULL;
	outfile_release(&p->out);
}
