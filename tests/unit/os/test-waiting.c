// SPDX-License-Identifier: GPL-2.0-or-later
// What a session waits for: signals, descriptors, processes, and words on its control channel.
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/os/control-channel.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"

#define SOON_NS (os_now_ns() + 5 * NSEC_PER_SEC)

TEST(waiter_usr2_is_a_request_where_it_is_asked_for)
{
	struct os os;
	struct waiter w;

	os_init(&os);
	CHECK_EQ(waiter_init(&w, NULL), 0);
	w.usr2_asks = true;
	kill(getpid(), SIGUSR2);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_EVENT);
	CHECK(w.asked);
	CHECK_EQ(w.signal, 0);
	w.asked = false;
	CHECK_EQ(waiter_wait(&w, &os, os_now_ns() + 1000000), WAIT_TIME);
	/* both at once: the end is not forgotten over the request */
	kill(getpid(), SIGINT);
	kill(getpid(), SIGUSR2);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_SIGNAL);
	CHECK_EQ(w.signal, SIGINT);
	CHECK(w.sent && w.asked);
	waiter_release(&w);
	os_release(&os);
}

TEST(waiter_usr2_ends_where_nobody_asks_for_it)
{
	struct os os;
	struct waiter w;

	os_init(&os);
	CHECK_EQ(waiter_init(&w, NULL), 0);
	kill(getpid(), SIGUSR2);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_SIGNAL);
	CHECK_EQ(w.signal, SIGUSR2);
	waiter_release(&w);
	os_release(&os);
}

TEST(waiter_tells_a_place_that_hung_up)
{
	struct os os;
	struct waiter w;
	int a[2], b[2];
	size_t place;

	os_init(&os);
	CHECK_EQ(pipe(a) | pipe(b), 0);
	CHECK_EQ(waiter_init(&w, NULL), 0);
	place = waiter_add(&w, a[0]);
	close(a[1]);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_EVENT);
	CHECK(waiter_hung(&w, place) && !waiter_ready(&w, place));
	CHECK(!waiter_set(&w, place, b[0]));
	CHECK_EQ(write(b[1], "x", 1), 1);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_EVENT);
	CHECK(waiter_ready(&w, place) && !waiter_hung(&w, place));
	close(b[1]);
	CHECK(waiter_set(&w, place, b[0]));
	waiter_release(&w);
	close(a[0]);
	close(b[0]);
	os_release(&os);
}

TEST(workload_signal_ends_it_and_is_nothing_afterwards)
{
	struct os os;
	struct waiter w;
	struct workload work;
	const char *argv[] = { "sleep", "60", NULL };

	os_init(&os);
	CHECK_EQ(workload_prepare(&work, argv, false, NULL), 0);
	CHECK_EQ(waiter_init(&w, NULL), 0);
	waiter_watch(&w, work.pid);
	CHECK_EQ(workload_start(&work, NULL), 0);
	workload_signal(&work, SIGTERM);
	CHECK_EQ(waiter_wait(&w, &os, SOON_NS), WAIT_ENDED);
	CHECK_EQ(workload_poll(&work), 1);
	CHECK_EQ(workload_exit_code(&work), 128 + SIGTERM);
	workload_signal(&work, SIGTERM);
	workload_release(&work, true);
	workload_signal(&work, SIGTERM);	/* none: not a process group */
	waiter_release(&w);
	os_release(&os);
}

static void put(int fd, const char *text)
{
	CHECK_EQ(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

TEST(control_channel_hands_out_whole_lines)
{
	struct control_channel c;
	int to[2], ack[2];
	char spec[64], got[16] = "", longer[200];

	CHECK_EQ(pipe(to) | pipe(ack), 0);
	snprintf(spec, sizeof(spec), "fd:%d,%d", to[0], ack[1]);
	CHECK_EQ(control_channel_open(&c, spec, NULL), 0);
	CHECK(!control_channel_next(&c));
	put(to[1], "enable\n\nping\nsto");
	CHECK_STR(control_channel_next(&c), "enable");
	control_channel_ack(&c);
	CHECK_STR(control_channel_next(&c), "ping");
	CHECK(!control_channel_next(&c));
	put(to[1], "p\n");
	CHECK_STR(control_channel_next(&c), "stop");
	CHECK_EQ(read(ack[0], got, sizeof(got)), 4);
	CHECK_STR(got, "ack\n");
	/* an endless line is no command, and what comes after it is one */
	memset(longer, 'x', sizeof(longer));
	CHECK_EQ(write(to[1], longer, 128), 128);
	CHECK(!control_channel_next(&c));
	put(to[1], "stop\n");
	CHECK_STR(control_channel_next(&c), "stop");
	close(to[1]);
	CHECK_EQ(c.fd, to[0]);
	CHECK(!control_channel_next(&c));
	CHECK_EQ(c.fd, -1);
	control_channel_close(&c);
	CHECK_EQ(fcntl(to[0], F_GETFD), 0);	/* it is the caller's */
	close(to[0]);
	close(ack[0]);
	close(ack[1]);
}

TEST(control_channel_says_what_is_wrong)
{
	struct control_channel c;
	struct err err = ERR_INIT;

	CHECK_EQ(control_channel_open(&c, NULL, NULL), 0);
	CHECK_EQ(c.fd, -1);
	CHECK_EQ(control_channel_open(&c, "socket:x", &err), -EINVAL);
	CHECK_STR(err.msg, "'socket:x' is not a control channel");
	err_release(&err);
	CHECK_EQ(control_channel_open(&c, "fd:999", &err), -EBADF);
	CHECK_STR(err.msg, "'999' is not an open file descriptor for --control");
	err_release(&err);
	CHECK_EQ(control_channel_open(&c, "fifo:/nosuch/fifo", &err), -ENOENT);
	CHECK_STR(err.msg, "cannot open the control FIFO '/nosuch/fifo': No such file or "
			      "directory");
	err_release(&err);
	control_channel_close(&c);
}
