/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SQLITE_FD_H
#define EXPORT_SQLITE_FD_H
/*
 * SQLite over a file that is open already, and may have no name: so an output is in place only when
 * it is complete. Without locks and journal. One owner.
 */
#include <sqlite3.h>

struct sqlite_fd;
/* fd is borrowed. The database is opened by *db; NULL: there was no memory. */
struct sqlite_fd *sqlite_fd_open(int fd, int flags, sqlite3 **db);
/* Closes the database; NULL is fine. */
void sqlite_fd_close(struct sqlite_fd *f);
/* Of the last write or read that failed; 0: none did. */
int sqlite_fd_errno(const struct sqlite_fd *f);

#endif
