/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_CONTROL_CHANNEL_H
#define OS_CONTROL_CHANNEL_H
/*
 * --control: commands of another process, in lines, on a descriptor or a FIFO, and the answer to
 * each. What the words mean is the caller's. One owner.
 */
#include "util/os/os.h"

struct control_channel {
	int fd, ack_fd;		/* -1: none */
	bool own;		/* opened here */
	char text[128];
	size_t from, n;		/* of the text: what was not handed out begins there; its end */
};

/* "fd:3,4" or "fifo:path,path"; NULL: none. -EINVAL and -EBADF with a hint or what is wrong. */
int control_channel_open(struct control_channel *c, const char *spec, struct err *err);
void control_channel_close(struct control_channel *c);
/* The next command that has come, borrowed until the next call; NULL: no more for now. A descriptor
 * whose other end was closed for good is forgotten: fd is -1 from there on. */
const char *control_channel_next(struct control_channel *c);
/* "ack" to whoever sent the last one, if it has asked for that. */
void control_channel_ack(const struct control_channel *c);

#endif
