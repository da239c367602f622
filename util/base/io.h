/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_IO_H
#define BASE_IO_H
/*
 * Whole reads and writes on file descriptors, restarted on EINTR. Any thread.
 */
#include <signal.h>

#include "util/base/err.h"
#include "util/base/str.h"

/* Bytes read: less than n only at the end of the file; -errno on failure. */
ssize_t io_read(int fd, void *buf, size_t n);
ssize_t io_pread(int fd, void *buf, size_t n, u64 off);
/* 0, or -errno; all n bytes or an error. */
int io_write(int fd, const void *buf, size_t n);
int io_pwrite(int fd, const void *buf, size_t n, u64 off);
/* Descriptors 0 to 2 that are closed become /dev/null: a file that is opened later must not get
 * what is meant for them. What is printed to a standard output that was closed is still lost, and
 * writing to it fails. Once, at the start. */
void io_open_standard(void);
/* Appends all that is left to out; at most max_bytes, more is -EFBIG. path is for messages. */
int io_read_fd(int fd, const char *path, size_t max_bytes, struct str *out, struct err *err);
/* The same of a regular file (others: infile_read()). */
int io_read_file(const char *path, size_t max_bytes, struct str *out, struct err *err);
/* The signals that end what perf does, in order: it writes what it has, and ends its command.
 * HUP is none where perf was started with it ignored (nohup). See perf(1), SIGNALS. */
void io_end_signals(sigset_t *set);
/* Whether one of them is blocked and waiting; io_pause(): waits for some ms, then -EINTR if so.
 * For what can only be asked again. Signals that are not blocked act as they do. */
bool io_end_asked(void);
int io_pause(void);
/* mkdir -p of the directory (mode 0755). */
int io_mkdirs(const char *path, struct err *err);
/* mkdir -p of rel below dir. No part of rel may be a link: where others can write they decide
 * what it leads to (-ELOOP). */
int io_mkdirs_below(const char *dir, const char *rel, struct err *err);
/* Removes these files (NULL ends them) of a directory and, when nothing else is in it, the
 * directory. */
void io_remove_dir_of(const char *path, const char *const *names);

#endif
