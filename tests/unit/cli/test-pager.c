// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"

TEST(colour_words)
{
	enum cli_color c = CLI_COLOR_NEVER;

	CHECK(cli_color_parse("auto", &c));
	CHECK_EQ((int)c, CLI_COLOR_AUTO);
	CHECK(cli_color_parse("always", &c));
	CHECK_EQ((int)c, CLI_COLOR_ALWAYS);
	CHECK(cli_color_parse("never", &c));
	CHECK_EQ((int)c, CLI_COLOR_NEVER);
	CHECK(!cli_color_parse("red", &c));
}

TEST(no_colour_without_a_terminal)
{
	int fds[2];

	CHECK(pipe(fds) == 0);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	CHECK(!cli_color_on(CLI_COLOR_AUTO, fds[1]));
	CHECK(cli_color_on(CLI_COLOR_ALWAYS, fds[1]));
	CHECK(!cli_color_on(CLI_COLOR_NEVER, fds[1]));
	CHECK(!cli_pager_active());
}

TEST(columns_of_the_environment_win)
{
	int fds[2];

	CHECK(pipe(fds) == 0);
	setenv("COLUMNS", "77", 1);
	CHECK_EQ(cli_columns(fds[1]), 77);
	setenv("COLUMNS", "x", 1);
	CHECK_EQ(cli_columns(fds[1]), 0);
}

TEST(progress_is_silent_without_a_terminal)
{
	int fds[2];

	CHECK(pipe(fds) == 0);
	CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
	setenv("TERM", "xterm", 1);
	cli_progress_start();
	usleep(600000);
	progress_step("Reading", 5, 10);
	progress_end();
	cli_progress_wipe();
	close(fds[1]);
	close(STDERR_FILENO);
	char c;
	CHECK_EQ(read(fds[0], &c, 1), 0);
}

/* What comes out of the terminal after steps of "Reading", from the first half second on. */
static void on_terminal(void (*before)(void), const char *want)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	char got[200];
	ssize_t n, all = 0;

	CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	CHECK(slave >= 0 && dup2(slave, STDERR_FILENO) >= 0);
	setenv("TERM", "xterm", 1);
	cli_progress_start();
	progress_step("Reading", 1, 10);	/* too early */
	usleep(600000);
	if (before)
		before();
	progress_step("Reading", 5, 10);
	progress_step("Reading", 6, 10);	/* too soon after it */
	progress_end();
	progress_end();
	CHECK_EQ(write(slave, "|", 1), 1);	/* the end of what is read */
	do {
		n = read(master, got + all, sizeof(got) - 1 - (size_t)all);
		all += MAX(n, (ssize_t)0);
	} while (n > 0 && got[all - 1] != '|');
	CHECK(n > 0);
	got[all] = '\0';
	CHECK_STR(got, want);
	close(master);
}

TEST(progress_is_one_line_that_is_wiped)
{
	on_terminal(NULL, "\rReading...  50%\033[K\r\033[K|");
}

static void output_to_file(void)
{
	cli_output_begins(open("/dev/null", O_WRONLY));
}

static void output_to_pipe(void)
{
	int fds[2];

	CHECK(pipe(fds) == 0);
	cli_output_begins(fds[1]);
}

static void output_to_terminal(void)
{
	cli_output_begins(STDERR_FILENO);
}

TEST(progress_goes_on_beside_output_to_files)
{
	on_terminal(output_to_file, "\rReading...  50%\033[K\r\033[K|");
}

TEST(progress_does_not_mix_with_output_to_pipes)
{
	on_terminal(output_to_pipe, "|");
}

TEST(progress_does_not_mix_with_output_to_the_terminal)
{
	on_terminal(output_to_terminal, "|");
}
