/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_LOCAL_SOCKET_H
#define OS_LOCAL_SOCKET_H
/*
 * A socket of this machine below a directory, whatever the length of its path; who connects must
 * be the caller's user, or root. One owner.
 */
#include "util/base/err.h"

/* A descriptor that becomes readable when somebody connects; a socket that was left there goes. */
int local_socket_listen(const char *directory, const char *name, struct err *err);
/* The next one who connected: a descriptor, or -EAGAIN; -EPERM for other users. Reads and writes
 * end after timeout_s seconds (-EAGAIN). */
int local_socket_accept(int fd, unsigned timeout_s);
/* -ECONNREFUSED and -ENOENT: nobody listens. */
int local_socket_connect(const char *directory, const char *name, unsigned timeout_s,
			 struct err *err);
/* All of it, or -errno: also when nobody reads any more. */
int local_socket_send(int fd, const void *bytes, size_t n);
/* No more is written: the other end reads the end of the file. */
void local_socket_end(int fd);

#endif
