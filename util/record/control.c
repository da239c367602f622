// SPDX-License-Identifier: GPL-2.0-or-later
// --control: commands in lines ("enable", "disable", "ping", "stop", "snapshot") on a descriptor
// or FIFO.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/record/session.h"

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

int control_open(struct control *c, const char *spec, struct err *err)
{
	const char *rest = strchr(spec, ':'), *comma;
	char *first = NULL, *second = NULL;
	int ret;

	if (!rest)
		return bad_spec(spec, err);
	comma = strchrnul(++rest, ',');
	first = xstrndup(rest, (size_t)(comma - rest));
	if (*comma)
		second = xstrdup(comma + 1);
	if (str_has_prefix(spec, "fd:")) {
		ret = use_fd(first, &c->fd, err);
		if (!ret && second)
			ret = use_fd(second, &c->ack_fd, err);
		if (!ret)
			fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK);
	} else if (str_has_prefix(spec, "fifo:")) {
		c->own = true;
		ret = open_fifo(first, &c->fd, err);
		if (!ret && second)
			ret = open_fifo(second, &c->ack_fd, err);
	} else {
		ret = bad_spec(spec, err);
	}
	free(first);
	free(second);
	return ret;
}

void control_close(struct control *c)
{
	if (c->own && c->fd >= 0)
		close(c->fd);
	if (c->own && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}

static void obey(struct record_session *s, const char *cmd)
{
	bool known = true;

	if (!strcmp(cmd, "enable"))
		record_set_enabled(s, true);
	else if (!strcmp(cmd, "disable"))
		record_set_enabled(s, false);
	else if (!strcmp(cmd, "stop"))
		s->stop = true;
	else if (!strcmp(cmd, "snapshot"))
		s->rotate = s->o->switch_on_signal;
	else
		known = !strcmp(cmd, "ping");
	if (!known)
		record_say(s, RECORD_WARNING, "unknown command '%s' on the control channel "
					      "(enable, disable, snapshot, ping, stop)", cmd);
	else if (s->control.ack_fd >= 0)
		io_write(s->control.ack_fd, "ack\n", 4);
}

void control_handle(struct record_session *s)
{
	struct control *c = &s->control;
	ssize_t n;

	while ((n = read(c->fd, c->line + c->n, sizeof(c->line) - 1 - c->n)) > 0) {
		char *from = c->line, *nl;

		c->n += (size_t)n;
		c->line[c->n] = '\0';
		for (; (nl = strpbrk(from, "\n")); from = nl + 1) {
			*nl = '\0';
			if (*from)
				obey(s, from);
		}
		c->n -= (size_t)(from - c->line);
		memmove(c->line, from, c->n);
		if (c->n == sizeof(c->line) - 1)
			c->n = 0;	/* an endless line is no command */
	}
	/* the other end is closed for good: a descriptor that was passed */
	if (n == 0 && c->fd >= 0) {
		if (c->own)
			close(c->fd);
		c->fd = -1;
	}
}
