// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/infile.h"

static const char *path_of(char *buf, size_t size, const char *name)
{
	snprintf(buf, size, "%s/%s", unit_tmpdir(), name);
	return buf;
}

TEST(only_regular_files_unless_named)
{
	char path[200];
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	CHECK_EQ(infile_open(path_of(path, sizeof(path), "none"), 0, &err), -ENOENT);
	CHECK_EQ(infile_open(unit_tmpdir(), INFILE_NAMED, &err), -EISDIR);
	CHECK_EQ(infile_open("/dev/null", 0, &err), -EINVAL);
	CHECK_STR(err.msg, "'/dev/null' is not a regular file");
	CHECK_EQ(infile_read("/dev/null", INFILE_NAMED, 100, &s, NULL), 0);
	CHECK_EQ(s.len, 0);
	CHECK_EQ(mkfifo(path_of(path, sizeof(path), "fifo"), 0600), 0);
	CHECK_EQ(infile_open(path, 0, NULL), -EINVAL);		/* and it does not wait */
	err_release(&err);
	str_release(&s);
}

TEST(a_named_fifo_is_waited_for)
{
	char path[200];
	struct str s = STR_INIT;
	int status;
	pid_t pid;

	CHECK_EQ(mkfifo(path_of(path, sizeof(path), "fifo"), 0600), 0);
	pid = fork();
	if (!pid) {
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		_exit(fd < 0 || write(fd, "hello", 5) != 5);
	}
	CHECK_EQ(infile_read(path, INFILE_NAMED, 100, &s, NULL), 0);
	CHECK_STR(str_cstr(&s), "hello");
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	str_release(&s);
}

TEST(a_blocked_signal_ends_the_wait)
{
	char path[200];
	struct err err = ERR_INIT;
	sigset_t set;

	CHECK_EQ(mkfifo(path_of(path, sizeof(path), "fifo"), 0600), 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGTERM);
	CHECK_EQ(infile_open(path, INFILE_NAMED, &err), -EINTR);
	CHECK(err.msg && strstr(err.msg, "had no writer"));
	err_release(&err);
}

TEST(files_of_others_are_not_trusted)
{
	const struct stat root = { .st_uid = 0 }, mine = { .st_uid = geteuid() },
		other = { .st_uid = geteuid() + 1 };
	char path[200];
	struct err err = ERR_INIT;
	int fd = open(path_of(path, sizeof(path), "f"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	CHECK(infile_is_trusted(&root) && infile_is_trusted(&mine) && !infile_is_trusted(&other));
	CHECK(fd >= 0);
	if (fchown(fd, 12345, (gid_t)-1)) {
		close(fd);
		return;		/* not root: t0012-config.sh has it */
	}
	CHECK_EQ(infile_open(path, INFILE_TRUSTED, &err), -EPERM);
	CHECK(err.msg && strstr(err.msg, "belongs to user 12345, neither to you nor to root"));
	CHECK(infile_open(path, 0, NULL) >= 0);
	close(fd);
	err_release(&err);
}
