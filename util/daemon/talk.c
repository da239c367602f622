// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/talk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/daemon/base.h"
#include "util/os/local-socket.h"

#define ANSWER_MAX (1 << 20)
#define REQUEST_MAX 4096
#define ANSWER_S 60		/* the sessions may have much to write before they end */

static void add_text(struct str *out, const char *text)
{
	str_addn(out, text ? text : "", text ? strlen(text) : 0);
	str_addch(out, '\0');
}

void daemon_add_row(struct str *answer, const struct daemon_row *row)
{
	add_text(answer, row->kind);
	add_text(answer, row->number);
	add_text(answer, row->minutes);
	add_text(answer, row->name);
	add_text(answer, row->text);
}

int daemon_read_request(int fd, struct str *bytes, const char **verb, const char **session)
{
	int ret = io_read_fd(fd, "a request", REQUEST_MAX, bytes, NULL);
	struct rd r;

	if (ret < 0)
		return ret;
	rd_init(&r, str_cstr(bytes), bytes->len, false);
	*verb = rd_cstr(&r);
	*session = rd_cstr(&r);
	return rd_failed(&r) ? -EPROTO : 0;
}

static int read_rows(struct daemon_answer *a, const char *base, struct err *err)
{
	struct rd r;

	rd_init(&r, str_cstr(&a->bytes), a->bytes.len, false);
	while (rd_left(&r)) {
		struct daemon_row row;

		row.kind = rd_cstr(&r);
		row.number = rd_cstr(&r);
		row.minutes = rd_cstr(&r);
		row.name = rd_cstr(&r);
		row.text = rd_cstr(&r);
		if (!rd_failed(&r))
			vec_push(&a->rows, row);
	}
	if (!rd_failed(&r) && a->bytes.len)
		return 0;
	return err_set(err, EPROTO, "the daemon of '%s' has not answered as this perf's would: it "
				    "ended, or is of another version", base);
}

static int no_daemon(const char *base, int code, struct err *err)
{
	if (code != ECONNREFUSED && code != ENOENT)
		return -code;
	err_set(err, ECONNREFUSED, "no perf daemon runs on '%s'", base);
	err_hint(err, "start one with 'perf daemon start'");
	return -ECONNREFUSED;
}

int daemon_ask(const char *base, const char *verb, const char *session, struct daemon_answer *a,
	       struct err *err)
{
	struct str request = STR_INIT;
	const int fd = local_socket_connect(base, DAEMON_SOCKET, ANSWER_S, err);
	int ret = 0;

	if (fd < 0)
		return no_daemon(base, -fd, err);
	add_text(&request, verb);
	add_text(&request, session);
	ret = local_socket_send(fd, request.buf, request.len);
	local_socket_end(fd);
	if (!ret)
		ret = io_read_fd(fd, base, ANSWER_MAX, &a->bytes, NULL);
	if (ret < 0)
		err_sys(err, -ret, "cannot talk to the daemon of '%s'", base);
	else
		ret = read_rows(a, base, err);
	if (!ret && !strcmp(a->rows.v[0].kind, "error")) {
		ret = err_set(err, EINVAL, "%s", a->rows.v[0].name);
		if (*a->rows.v[0].text)
			err_hint(err, "%s", a->rows.v[0].text);
	}
	close(fd);
	str_release(&request);
	return ret;
}

void daemon_answer_release(struct daemon_answer *a)
{
	str_release(&a->bytes);
	vec_free(&a->rows);
}
