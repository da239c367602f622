// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/terminal-keys.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Whoever sets a terminal from behind is stopped. */
static bool in_front(int fd)
{
	return tcgetpgrp(fd) == getpgrp();
}

bool terminal_keys_begin(struct terminal_keys *t, int fd)
{
	*t = (struct terminal_keys){ .fd = fd };
	if (!isatty(fd) || !in_front(fd) || tcgetattr(fd, &t->before))
		return false;
	t->ours = t->before;
	t->ours.c_lflag &= (tcflag_t)~(ICANON | ECHO);
	t->ours.c_cc[VMIN] = 0;
	t->ours.c_cc[VTIME] = 0;
	t->on = !tcsetattr(fd, TCSADRAIN, &t->ours);
	return t->on;
}

void terminal_keys_again(struct terminal_keys *t)
{
	struct termios now;

	if (!t->on || !in_front(t->fd) || tcgetattr(t->fd, &now) ||
	    !(now.c_lflag & (ICANON | ECHO)))
		return;
	tcsetattr(t->fd, TCSADRAIN, &t->ours);
}

ssize_t terminal_keys_read(const struct terminal_keys *t, char *buf, size_t bytes)
{
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	ssize_t n;

	if (!t->on)
		return -1;
	if (!in_front(t->fd) || poll(&p, 1, 0) <= 0)
		return 0;
	if (p.revents & (POLLERR | POLLNVAL) || (p.revents & POLLHUP && !(p.revents & POLLIN)))
		return -1;
	n = read(t->fd, buf, bytes);
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : n;
}

void terminal_keys_end(struct terminal_keys *t)
{
	if (t->on && in_front(t->fd))
		tcsetattr(t->fd, TCSADRAIN, &t->before);
	t->on = false;
}

void terminal_keys_size(int fd, unsigned *lines, unsigned *columns)
{
	struct winsize w = { 0 };

	if (ioctl(fd, TIOCGWINSZ, &w))
		w = (struct winsize){ 0 };
	*lines = w.ws_row;
	*columns = w.ws_col;
}
