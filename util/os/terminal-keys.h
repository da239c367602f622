/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_TERMINAL_KEYS_H
#define OS_TERMINAL_KEYS_H
/*
 * Keys of a terminal that come one by one, without being shown. Ctrl-C and Ctrl-Z remain signals.
 * One owner, who has to end it before the process ends.
 */
#include <termios.h>

#include "util/base/types.h"

struct terminal_keys {
	int fd;
	bool on;
	struct termios before, ours;
};

/* false: fd is no terminal, or others are in front of it; nothing was changed. */
bool terminal_keys_begin(struct terminal_keys *t, int fd);
/* After others may have had the terminal (Ctrl-Z, fg): as begun, if we are in front again. */
void terminal_keys_again(struct terminal_keys *t);
/* What was typed so far, without waiting; 0: nothing, < 0: there will be none. */
ssize_t terminal_keys_read(const struct terminal_keys *t, char *buf, size_t bytes);
/* As it was before. Safe on a zeroed one. */
void terminal_keys_end(struct terminal_keys *t);
/* Lines and columns of the terminal; 0: fd is none, or it does not say. */
void terminal_keys_size(int fd, unsigned *lines, unsigned *columns);

#endif
