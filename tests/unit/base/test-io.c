// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"

static const char *path_of(char *buf, size_t size, const char *name)
{
	snprintf(buf, size, "%s/%s", unit_tmpdir(), name);
	return buf;
}

TEST(write_and_read_back)
{
	char path[200], buf[16];
	int fd = open(path_of(path, sizeof(path), "f"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	CHECK_EQ(io_write(fd, "hello world", 11), 0);
	CHECK_EQ(io_pwrite(fd, "W", 1, 6), 0);
	CHECK_EQ(io_pread(fd, buf, 5, 6), 5);
	CHECK_MEM(buf, "World", 5);
	CHECK_EQ(io_pread(fd, buf, sizeof(buf), 6), 5);		/* short at the end */
	CHECK_EQ(io_pread(fd, buf, sizeof(buf), 100), 0);
	lseek(fd, 0, SEEK_SET);
	CHECK_EQ(io_read(fd, buf, sizeof(buf)), 11);
	CHECK_EQ(io_read(fd, buf, sizeof(buf)), 0);
	close(fd);
	CHECK_EQ(io_read(fd, buf, 1), -EBADF);
	CHECK_EQ(io_write(fd, buf, 1), -EBADF);
}

TEST(pipe_gives_pieces)
{
	int fds[2];
	char buf[8];

	CHECK_EQ(pipe(fds), 0);
	CHECK_EQ(io_write(fds[1], "abc", 3), 0);
	CHECK_EQ(io_write(fds[1], "def", 3), 0);
	close(fds[1]);
	CHECK_EQ(io_read(fds[0], buf, sizeof(buf)), 6);
	CHECK_MEM(buf, "abcdef", 6);
	close(fds[0]);
}

static void make_file(const char *path, size_t n)
{
	char *data = calloc(1, n + 1);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	for (size_t i = 0; i < n; i++)
		data[i] = (char)('a' + i % 26);
	CHECK_EQ(io_write(fd, data, n), 0);
	close(fd);
	free(data);
}

/* Sizes around the read chunks, against limits around the size. */
TEST(whole_file)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 12288, 12289, 100000 };
	char path[200];

	path_of(path, sizeof(path), "f");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		make_file(path, sizes[i]);
		for (size_t limit = sizes[i] ? sizes[i] - 1 : 0; limit <= sizes[i] + 1; limit++) {
			struct str s = STR_INIT;
			struct err err = ERR_INIT;

			str_add(&s, "<");
			int rc = io_read_file(path, limit, &s, &err);

			CHECK_EQ(rc, limit < sizes[i] ? -EFBIG : 0);
			CHECK_EQ(s.len, 1 + (rc ? 0 : sizes[i]));
			CHECK_EQ(s.buf[s.len], 0);
			if (!rc && sizes[i])
				CHECK_EQ(s.buf[s.len - 1], 'a' + (sizes[i] - 1) % 26);
			str_release(&s);
			err_release(&err);
		}
	}
}

TEST(missing_file_says_so)
{
	struct str s = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_EQ(io_read_file("/nonexistent/file", 100, &s, &err), -ENOENT);
	CHECK_STR(err.msg, "cannot open '/nonexistent/file': No such file or directory");
	err_release(&err);
	CHECK_EQ(io_read_file("/", 100, &s, &err), -EISDIR);
	err_release(&err);
	str_release(&s);
}

TEST(directories)
{
	char path[200];
	struct err err = ERR_INIT;
	struct stat st;

	path_of(path, sizeof(path), "a//b/c/");
	CHECK_EQ(io_mkdirs(path, &err), 0);
	CHECK_EQ(stat(path, &st), 0);
	CHECK(S_ISDIR(st.st_mode));
	CHECK_EQ(io_mkdirs(path, &err), 0);
	CHECK_EQ(io_mkdirs("/", &err), 0);
	make_file(path_of(path, sizeof(path), "f"), 1);
	CHECK(io_mkdirs(path, &err) < 0);
	CHECK(err.msg != NULL);
	err_release(&err);
	CHECK(io_mkdirs(path_of(path, sizeof(path), "f/sub"), &err) < 0);
	err_release(&err);
}
