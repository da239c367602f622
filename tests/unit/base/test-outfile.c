// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/outfile.h"

static const char *path_of(char *buf, size_t size, const char *name)
{
	snprintf(buf, size, "%s/%s", unit_tmpdir(), name);
	return buf;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

	CHECK(fd >= 0 && !io_write(fd, text, strlen(text)));
	close(fd);
}

static void check_text(const char *path, const char *text)
{
	struct str s = STR_INIT;

	CHECK_EQ(io_read_file(path, 1000, &s, NULL), 0);
	CHECK_STR(str_cstr(&s), text);
	str_release(&s);
}

static ino_t inode(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

static int n_files(void)
{
	DIR *d = opendir(unit_tmpdir());
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

TEST(whole_files_are_there_when_complete)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };
	char path[200];
	struct outfile f;
	struct stat st;

	put(path_of(path, sizeof(path), "f"), "old");
	CHECK_EQ(outfile_open(&f, path, &o, NULL), 0);
	CHECK(f.regular);
	CHECK_EQ(io_write(f.fd, "new", 3), 0);
	check_text(path, "old");
	CHECK_EQ(outfile_commit(&f, NULL), 0);
	check_text(path, "new");
	CHECK(!stat(path, &st));
	CHECK_EQ(st.st_mode & 0777, 0640);		/* as it was */
	CHECK_EQ(outfile_open(&f, path, &o, NULL), 0);
	CHECK_EQ(io_write(f.fd, "half", 4), 0);
	outfile_release(&f);
	check_text(path, "new");
	outfile_release(&f);
	CHECK_EQ(n_files(), 1);
}

TEST(live_files_are_there_at_once)
{
	const struct outfile_opts o = { .how = OUTFILE_LIVE, .mode = 0666 },
		append = { .how = OUTFILE_APPEND, .mode = 0666 };
	char path[200], other[200];
	struct outfile f;
	ino_t ino;

	put(path_of(path, sizeof(path), "f"), "old");
	ino = inode(path);
	CHECK_EQ(outfile_open(&f, path, &o, NULL), 0);
	check_text(path, "");
	CHECK_EQ(io_write(f.fd, "new", 3), 0);
	check_text(path, "new");
	CHECK_EQ(outfile_commit(&f, NULL), 0);
	CHECK_EQ(inode(path), ino);
	CHECK_EQ(outfile_write(path, &append, "er", 2, NULL), 0);
	check_text(path, "newer");
	CHECK_EQ(link(path, path_of(other, sizeof(other), "hard")), 0);
	/* what else has a name elsewhere is left alone */
	CHECK_EQ(outfile_write(path, &o, "mine", 4, NULL), 0);
	check_text(other, "newer");
	check_text(path, "mine");
	CHECK_EQ(n_files(), 2);
}

TEST(links_are_followed_but_not_those_of_others)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };
	char path[200], link1[200], link2[200];
	struct err err = ERR_INIT;

	path_of(path, sizeof(path), "f");
	CHECK_EQ(symlink("f", path_of(link1, sizeof(link1), "l1")), 0);
	CHECK_EQ(symlink(link1, path_of(link2, sizeof(link2), "l2")), 0);
	CHECK_EQ(outfile_write(link2, &o, "a", 1, NULL), 0);
	check_text(path, "a");
	CHECK_EQ(n_files(), 3);
	CHECK_EQ(symlink("loop", path_of(link1, sizeof(link1), "loop")), 0);
	CHECK_EQ(outfile_write(link1, &o, "b", 1, NULL), -ELOOP);
	if (lchown(link2, 12345, (gid_t)-1))
		return;		/* not root: t0014-outputs.sh has it */
	CHECK_EQ(outfile_write(link2, &o, "b", 1, &err), -EPERM);
	CHECK(err.msg && strstr(err.msg, "it is a link of user 12345"));
	check_text(path, "a");
	err_release(&err);
}

TEST(the_input_is_never_written)
{
	char path[200], other[200];
	struct err err = ERR_INIT;
	struct outfile_opts o = { .how = OUTFILE_LIVE, .mode = 0666 };

	put(path_of(path, sizeof(path), "in"), "input");
	o.input_fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK_EQ(symlink(path, path_of(other, sizeof(other), "l")), 0);
	CHECK_EQ(outfile_write(path, &o, "x", 1, &err), -EINVAL);
	CHECK(err.msg && strstr(err.msg, "it is the input"));
	CHECK_EQ(outfile_write(other, &o, "x", 1, NULL), -EINVAL);
	check_text(path, "input");
	close(o.input_fd);
	err_release(&err);
}

TEST(what_is_no_file_is_written_in_place_when_named)
{
	const struct outfile_opts named = { .how = OUTFILE_WHOLE, .named = true, .mode = 0666 };
	const struct outfile_opts own = { .how = OUTFILE_WHOLE, .mode = 0666 };
	char path[200], text[100];
	int pipes[2], fd;
	struct outfile f;
	sigset_t set;

	CHECK_EQ(outfile_write("/dev/null", &named, "x", 1, NULL), 0);
	CHECK_EQ(outfile_write("/dev/null", &own, "x", 1, NULL), -EINVAL);
	CHECK_EQ(outfile_write(unit_tmpdir(), &named, "x", 1, NULL), -EISDIR);
	CHECK_EQ(mkfifo(path_of(path, sizeof(path), "fifo"), 0600), 0);
	CHECK_EQ(outfile_write(path, &own, "x", 1, NULL), -EINVAL);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CHECK_EQ(outfile_write(path, &named, "x", 1, NULL), 0);
	CHECK_EQ(read(fd, text, sizeof(text)), 1);
	close(fd);
	signal(SIGHUP, SIG_DFL);		/* nohup ignores it */
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGHUP);
	CHECK_EQ(outfile_write(path, &named, "x", 1, NULL), -EINTR);	/* nobody reads */
	CHECK_EQ(pipe(pipes), 0);
	snprintf(text, sizeof(text), "/dev/fd/%d", pipes[1]);
	CHECK_EQ(outfile_open(&f, text, &named, NULL), 0);
	CHECK(!f.regular);
	CHECK_EQ(io_write(f.fd, "y", 1), 0);
	CHECK_EQ(outfile_commit(&f, NULL), 0);
	CHECK_EQ(read(pipes[0], text, sizeof(text)), 1);
}

TEST(an_open_file_keeps_its_position)
{
	const struct outfile_opts o = { .how = OUTFILE_LIVE, .named = true, .mode = 0666 };
	char path[200], name[40];
	int fd = open(path_of(path, sizeof(path), "f"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	CHECK_EQ(io_write(fd, "before ", 7), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	CHECK_EQ(outfile_write(name, &o, "perf", 4, NULL), 0);
	CHECK_EQ(io_write(fd, " after", 6), 0);
	check_text(path, "before perf after");
	close(fd);
}
