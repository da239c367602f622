// SPDX-License-Identifier: GPL-2.0-or-later
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
	struct progress p;
	int fds[2];

	CHECK(pipe(fds) == 0);
	CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
	progress_start(&p, "Reading", 10);
	CHECK(!p.on);
	progress_update(&p, 5);
	progress_finish(&p);
	close(fds[1]);
	close(STDERR_FILENO);
	char c;
	CHECK_EQ(read(fds[0], &c, 1), 0);
}
