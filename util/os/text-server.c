// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/text-server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/base/str.h"
#include "util/os/os.h"
#include "util/os/wait-set.h"

#define MOST_CLIENTS 32
#define REQUEST_BYTES 8192
#define CLIENT_NS 5000000000ULL

/* A request comes, then the answer goes. */
struct client {
	int fd;
	u64 until_ns;
	struct str in, out;
	size_t sent;
	bool ended;			/* all is said; what comes is read away, else it would be lost */
};

struct text_server {
	struct text_server_opts o;
	char *where, *path;
	int fd, stop_fd;
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;		/* of text */
	struct str text;
	VEC(struct client *) clients;	/* of the thread */
};

/* --- the address --- */

static int no_address(const char *text, struct err *err)
{
	err_set(err, EINVAL, "'%s' is no address to listen on", text);
	err_hint(err, "127.0.0.1:9100 is for this machine alone, [::1]:9100 the same in IPv6, and "
		 "the address of an interface, or 0.0.0.0:9100, for others, too");
	return -EINVAL;
}

static int look_up(const char *text, struct addrinfo **out, struct err *err)
{
	const struct addrinfo want = { .ai_socktype = SOCK_STREAM,
				       .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	const char *colon = strrchr(text, ':');
	const bool braces = text[0] == '[' && colon && colon[-1] == ']';
	char *host;
	u64 port;
	int ret = 0;

	if (!colon || colon == text || !parse_u64(colon + 1, &port) || port > 65535)
		return no_address(text, err);
	host = xstrndup(text + braces, (size_t)(colon - text) - 2 * braces);
	if (getaddrinfo(host, colon + 1, &want, out))
		ret = no_address(text, err);
	free(host);
	return ret;
}

static char *name_of(int fd)
{
	struct sockaddr_storage at = { 0 };
	socklen_t n = sizeof(at);
	char host[64] = "?", port[16] = "?";

	if (!getsockname(fd, (struct sockaddr *)&at, &n))
		getnameinfo((struct sockaddr *)&at, n, host, sizeof(host), port, sizeof(port),
			    NI_NUMERICHOST | NI_NUMERICSERV);
	return xasprintf(strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

static int open_socket(struct text_server *s, struct err *err)
{
	struct addrinfo *a = NULL;
	const int one = 1;
	int ret = look_up(s->o.address, &a, err);

	if (ret)
		return ret;
	s->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd >= 0)
		setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (s->fd < 0 || bind(s->fd, a->ai_addr, a->ai_addrlen) || listen(s->fd, MOST_CLIENTS)) {
		ret = err_sys(err, errno, "cannot listen on '%s'", s->o.address);
		if (ret == -EADDRINUSE)
			err_hint(err, "another program has this port: take another one, or 0 for "
				 "one that is free");
		else if (ret == -EADDRNOTAVAIL)
			err_hint(err, "no interface of this machine has this address");
	}
	freeaddrinfo(a);
	return ret;
}

/* --- requests --- */

static void answer(struct client *c, const char *status, const char *type, const char *body,
		   size_t n, bool with_body)
{
	str_addf(&c->out, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		 "Connection: close\r\n\r\n", status, type, n);
	if (with_body)
		str_addn(&c->out, body, n);
}

static void refuse(struct client *c, const char *status, bool with_body)
{
	char *body = xasprintf("%s\n", status);

	answer(c, status, "text/plain; charset=utf-8", body, strlen(body), with_body);
	free(body);
}

/* The first line is there: "GET /metrics HTTP/1.1". */
static void serve(struct text_server *s, struct client *c)
{
	const char *line = str_cstr(&c->in);
	const bool head = str_has_prefix(line, "HEAD "), get = str_has_prefix(line, "GET ");
	const char *path = line + (head ? 5 : 4);
	const size_t n = strcspn(path, " ?\r\n");

	if (!head && !get) {
		refuse(c, "405 Method Not Allowed", true);
	} else if (n != strlen(s->path) || strncmp(path, s->path, n)) {
		refuse(c, "404 Not Found", !head);
	} else {
		pthread_mutex_lock(&s->lock);
		answer(c, "200 OK", s->o.type, str_cstr(&s->text), s->text.len, !head);
		pthread_mutex_unlock(&s->lock);
	}
}

/* False: the connection is over. */
static bool read_request(struct text_server *s, struct client *c)
{
	char buf[2048];
	const ssize_t n = recv(c->fd, buf, sizeof(buf), 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!n)
		return false;
	if (c->ended)
		return true;
	str_addn(&c->in, buf, (size_t)n);
	if (c->in.len > REQUEST_BYTES)
		refuse(c, "431 Request Header Fields Too Large", true);
	else if (memmem(c->in.buf, c->in.len, "\r\n\r\n", 4) ||
	    memmem(c->in.buf, c->in.len, "\n\n", 2))
		serve(s, c);
	return true;
}

static bool write_answer(struct client *c)
{
	const ssize_t n = send(c->fd, c->out.buf + c->sent, c->out.len - c->sent, MSG_NOSIGNAL);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	c->sent += (size_t)n;
	if (c->sent == c->out.len) {
		c->ended = true;
		shutdown(c->fd, SHUT_WR);
	}
	return true;
}

/* --- the thread --- */

static bool writes(const struct client *c)
{
	return c->out.len && !c->ended;
}

static void client_free(struct client *c)
{
	close(c->fd);
	str_release(&c->in);
	str_release(&c->out);
	free(c);
}

static void accept_clients(struct text_server *s, u64 now_ns)
{
	while (s->clients.n < MOST_CLIENTS) {
		const int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct client *c;

		if (fd < 0)
			return;
		c = xnew(struct client);
		*c = (struct client){ .fd = fd, .until_ns = now_ns + CLIENT_NS };
		vec_push(&s->clients, c);
	}
}

static void look_at_clients(struct text_server *s, const struct pollfd *p, u64 now_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->clients.n; i++) {
		struct client *c = s->clients.v[i];
		bool on = now_ns < c->until_ns;

		if (on && p[i].revents)
			on = writes(c) ? write_answer(c) : read_request(s, c);
		if (on)
			s->clients.v[kept++] = c;
		else
			client_free(c);
	}
	s->clients.n = kept;
}

static void *run(void *ctx)
{
	struct text_server *s = ctx;
	struct pollfd p[MOST_CLIENTS + 2];

	for (;;) {
		const size_t n = s->clients.n;
		u64 now;

		p[0] = (struct pollfd){ .fd = s->stop_fd, .events = POLLIN };
		p[1] = (struct pollfd){ .fd = n < MOST_CLIENTS ? s->fd : -1, .events = POLLIN };
		for (size_t i = 0; i < n; i++) {
			const struct client *c = s->clients.v[i];

			p[i + 2] = (struct pollfd){ .fd = c->fd,
						    .events = writes(c) ? POLLOUT : POLLIN };
		}
		if (poll(p, n + 2, n ? 1000 : -1) < 0 && errno != EINTR)
			break;
		if (p[0].revents)
			break;
		now = os_now_ns();
		look_at_clients(s, p + 2, now);
		if (p[1].revents)
			accept_clients(s, now);
	}
	return NULL;
}

/* Signals are for the thread that counts. */
static int start_thread(struct text_server *s, struct err *err)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&s->thread, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->started = !code;
	return code ? err_sys(err, code, "cannot start the thread that serves '%s'",
			      s->o.address) : 0;
}

int text_server_start(struct text_server **out, const struct text_server_opts *o, struct err *err)
{
	struct text_server *s = xnew(struct text_server);
	int ret;

	*s = (struct text_server){ .o = *o, .fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER };
	s->path = xstrdup(o->path);
	s->stop_fd = wake_open();
	ret = s->stop_fd < 0 ? err_sys(err, -s->stop_fd, "cannot listen on '%s'", o->address) :
		open_socket(s, err);
	if (!ret) {
		s->where = name_of(s->fd);
		ret = start_thread(s, err);
	}
	if (ret)
		text_server_stop(s);
	else
		*out = s;
	return ret;
}

const char *text_server_where(const struct text_server *s)
{
	return s->where;
}

void text_server_set(struct text_server *s, const char *text, size_t n)
{
	pthread_mutex_lock(&s->lock);
	str_reset(&s->text);
	str_addn(&s->text, text, n);
	pthread_mutex_unlock(&s->lock);
}

void text_server_stop(struct text_server *s)
{
	if (!s)
		return;
	if (s->started) {
		wake_ring(s->stop_fd);
		pthread_join(s->thread, NULL);
	}
	for vec_each(c, &s->clients)
		client_free(*c);
	vec_free(&s->clients);
	if (s->fd >= 0)
		close(s->fd);
	if (s->stop_fd >= 0)
		close(s->stop_fd);
	str_release(&s->text);
	free(s->where);
	free(s->path);
	free(s);
}
