// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/control-channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"

static int bad_spec(const char *spec, struct err *err)
{
	err_set(err, EINVAL, "'%s' is not a control channel", spec);
	err_hint(err, "use fd:NUMBER[,NUMBER] or fifo:PATH[,PATH]: the second one gets \"ack\" "
		      "after each command");
	return -EINVAL;
}

static int open_fifo(const char *path, int *fd, struct err *err)
{
	/* both ends, so that a client that comes and goes is no end of file */
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return *fd < 0 ? err_sys(err, errno, "cannot open the control FIFO '%s'", path) : 0;
}

static int use_fd(const char *number, int *fd, struct err *err)
{
	if (!parse_int(number, fd) || *fd < 0 || fcntl(*fd, F_GETFD) < 0)
		return err_set(err, EBADF, "'%s' is not an open file descriptor for --control",
			       number);
	return 0;
}

static int open_both(struct control_channel *c, const char *spec, const char *first,
		     const char *second, struct err *err)
{
	int (*how)(const char *text, int *fd, struct err *err) = open_fifo;
	int ret;

	if (str_has_prefix(spec, "fd:"))
		how = use_fd;
	else if (!str_has_prefix(spec, "fifo:"))
		return bad_spec(spec, err);
	c->own = how == open_fifo;
	ret = how(first, &c->fd, err);
	if (!ret && second)
		ret = how(second, &c->ack_fd, err);
	if (!c->own && c->fd >= 0)
		fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK);
	return ret;
}

int control_channel_open(struct control_channel *c, const char *spec, struct err *err)
{
	const char *rest = spec ? strchr(spec, ':') : NULL, *comma;
	char *first, *second = NULL;
	int ret;

	*c = (struct control_channel){ .fd = -1, .ack_fd = -1 };
	if (!spec)
		return 0;
	if (!rest)
		return bad_spec(spec, err);
	comma = strchrnul(++rest, ',');
	first = xstrndup(rest, (size_t)(comma - rest));
	if (*comma)
		second = xstrdup(comma + 1);
	ret = open_both(c, spec, first, second, err);
	free(first);
	free(second);
	return ret;
}

void control_channel_close(struct control_channel *c)
{
	if (c->own && c->fd >= 0)
		close(c->fd);
	if (c->own && c->ack_fd >= 0)
		close(c->ack_fd);
	*c = (struct control_channel){ .fd = -1, .ack_fd = -1 };
}

/* More of the text. False: there is none. */
static bool read_more(struct control_channel *c)
{
	ssize_t got;

	c->n -= c->from;
	memmove(c->text, c->text + c->from, c->n);
	c->from = 0;
	if (c->n == sizeof(c->text))
		c->n = 0;	/* an endless line is no command */
	if (c->fd < 0)
		return false;
	got = read(c->fd, c->text + c->n, sizeof(c->text) - c->n);
	if (got > 0) {
		c->n += (size_t)got;
		return true;
	}
	if (got == 0) {
		if (c->own)
			close(c->fd);
		c->fd = -1;
	}
	return false;
}

const char *control_channel_next(struct control_channel *c)
{
	do {
		const char *nl;

		while ((nl = memchr(c->text + c->from, '\n', c->n - c->from))) {
			char *line = c->text + c->from;

			c->from = (size_t)(nl - c->text) + 1;
			c->text[c->from - 1] = '\0';
			if (*line)
				return line;
		}
	} while (read_more(c));
	return NULL;
}

void control_channel_ack(const struct control_channel *c)
{
	if (c->ack_fd >= 0)
		io_write(c->ack_fd, "ack\n", 4);
}
