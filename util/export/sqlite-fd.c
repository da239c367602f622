// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/sqlite-fd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"

#define MAX_NAME 64
#define SECTOR 4096

struct sqlite_fd {
	sqlite3_vfs vfs;
	sqlite3_vfs *real;		/* for temporary files, and what has no file */
	sqlite3 *db;
	char name[MAX_NAME];		/* of vfs: no two are open under one */
	int fd, failed;
};

struct fd_file { sqlite3_file base; struct sqlite_fd *owner; };

static struct sqlite_fd *owner_of(sqlite3_file *f) { return ((struct fd_file *)f)->owner; }

static int failed(struct sqlite_fd *o, int sqlite_code)
{
	o->failed = errno;
	return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : sqlite_code;
}

static int fd_close(sqlite3_file *f UNUSED) { return SQLITE_OK; }

static int fd_read(sqlite3_file *f, void *buf, int n, sqlite3_int64 off)
{
	struct sqlite_fd *o = owner_of(f);
	const size_t want = (size_t)n;
	size_t got = 0;

	while (got < want) {
		ssize_t r = pread(o->fd, (char *)buf + got, want - got, off + (off_t)got);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return failed(o, SQLITE_IOERR_READ);
		if (!r)
			break;
		got += (size_t)r;
	}
	memset((char *)buf + got, 0, want - got);
	return got < want ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int fd_write(sqlite3_file *f, const void *buf, int n, sqlite3_int64 off)
{
	struct sqlite_fd *o = owner_of(f);

	for (int done = 0; done < n;) {
		ssize_t r = pwrite(o->fd, (const char *)buf + done, (size_t)(n - done), off + done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return failed(o, SQLITE_IOERR_WRITE);
		done += (int)r;
	}
	return SQLITE_OK;
}

static int fd_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	struct sqlite_fd *o = owner_of(f);

	return ftruncate(o->fd, size) ? failed(o, SQLITE_IOERR_TRUNCATE) : SQLITE_OK;
}

static int fd_sync(sqlite3_file *f UNUSED, int flags UNUSED) { return SQLITE_OK; }

static int fd_size(sqlite3_file *f, sqlite3_int64 *size)
{
	struct sqlite_fd *o = owner_of(f);
	struct stat st;

	if (fstat(o->fd, &st))
		return failed(o, SQLITE_IOERR_FSTAT);
	*size = st.st_size;
	return SQLITE_OK;
}

static int fd_lock(sqlite3_file *f UNUSED, int level UNUSED) { return SQLITE_OK; }

static int fd_is_locked(sqlite3_file *f UNUSED, int *out)
{
	*out = 0;
	return SQLITE_OK;
}

static int fd_control(sqlite3_file *f UNUSED, int op UNUSED, void *arg UNUSED)
{
	return SQLITE_NOTFOUND;
}

static int fd_sector(sqlite3_file *f UNUSED) { return SECTOR; }
static int fd_traits(sqlite3_file *f UNUSED) { return 0; }

static const sqlite3_io_methods methods = {
	.iVersion = 1, .xClose = fd_close, .xRead = fd_read, .xWrite = fd_write,
	.xTruncate = fd_truncate, .xSync = fd_sync, .xFileSize = fd_size, .xLock = fd_lock,
	.xUnlock = fd_lock, .xCheckReservedLock = fd_is_locked, .xFileControl = fd_control,
	.xSectorSize = fd_sector, .xDeviceCharacteristics = fd_traits,
};

/* ---- the file system around it ---- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
	struct sqlite_fd *o = vfs->pAppData;
	struct fd_file *file = (struct fd_file *)f;

	if (!(flags & SQLITE_OPEN_MAIN_DB) || !name || strcmp(name, o->name))
		return o->real->xOpen(o->real, name, f, flags, out_flags);
	file->base.pMethods = &methods;
	file->owner = o;
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	struct sqlite_fd *o = vfs->pAppData;

	return o->real->xDelete(o->real, name, sync);
}

/* There is no journal beside it. */
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	struct sqlite_fd *o = vfs->pAppData;

	*out = 0;
	return strncmp(name, o->name, strlen(o->name)) ? o->real->xAccess(o->real, name, flags, out)
		: SQLITE_OK;
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
	struct sqlite_fd *o = vfs->pAppData;

	if (strcmp(name, o->name))
		return o->real->xFullPathname(o->real, name, n, out);
	snprintf(out, (size_t)n, "%s", name);
	return SQLITE_OK;
}

static int vfs_random(sqlite3_vfs *vfs, int n, char *out)
{
	struct sqlite_fd *o = vfs->pAppData;

	return o->real->xRandomness(o->real, n, out);
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
	struct sqlite_fd *o = vfs->pAppData;

	return o->real->xSleep(o->real, us);
}

static int vfs_time(sqlite3_vfs *vfs, double *out)
{
	struct sqlite_fd *o = vfs->pAppData;

	return o->real->xCurrentTime(o->real, out);
}

static int vfs_error(sqlite3_vfs *vfs UNUSED, int n UNUSED, char *out UNUSED) { return 0; }

struct sqlite_fd *sqlite_fd_open(int fd, int flags, sqlite3 **db)
{
	struct sqlite_fd *o = xnew(struct sqlite_fd);

	o->fd = fd;
	o->real = sqlite3_vfs_find(NULL);
	snprintf(o->name, sizeof(o->name), "/perf-fd-%d", fd);
	o->vfs = (sqlite3_vfs){
		.iVersion = 1, .mxPathname = o->real->mxPathname,
		.szOsFile = MAX(o->real->szOsFile, (int)sizeof(struct fd_file)),
		.zName = o->name, .pAppData = o, .xOpen = vfs_open, .xDelete = vfs_delete,
		.xAccess = vfs_access, .xFullPathname = vfs_full_name, .xRandomness = vfs_random,
		.xSleep = vfs_sleep, .xCurrentTime = vfs_time, .xGetLastError = vfs_error,
	};
	sqlite3_vfs_register(&o->vfs, 0);
	if (sqlite3_open_v2(o->name, &o->db, flags, o->name) && !o->db) {
		sqlite_fd_close(o);
		return NULL;
	}
	*db = o->db;
	return o;
}

void sqlite_fd_close(struct sqlite_fd *o)
{
	if (!o)
		return;
	sqlite3_close(o->db);
	sqlite3_vfs_unregister(&o->vfs);
	free(o);
}

int sqlite_fd_errno(const struct sqlite_fd *o) { return o->failed; }
