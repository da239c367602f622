// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#include "util/base/log.h"

TEST(levels_by_domain)
{
	CHECK(!log_on(LOG_OS, 1));
	CHECK(log_set_domain("symbols=2"));
	CHECK(log_on(LOG_SYMBOLS, 2));
	CHECK(!log_on(LOG_SYMBOLS, 3));
	CHECK(!log_on(LOG_OS, 1));
	CHECK(log_set_domain("os"));
	CHECK(log_on(LOG_OS, 1));
	CHECK(!log_set_domain("nothing"));
	CHECK(!log_set_domain("symbol=2"));
	CHECK(!log_set_domain("os=x"));
	CHECK(!log_set_domain(""));
	log_set_level(0);
	CHECK(!log_on(LOG_SYMBOLS, 1));
}

TEST(one_line_on_stderr)
{
	int fds[2];
	char buf[100] = "";

	CHECK_EQ(pipe(fds), 0);
	CHECK(dup2(fds[1], 2) == 2);
	log_printf(LOG_DATA, 1, "off");
	log_set_level(1);
	log_printf(LOG_DATA, 1, "read %d", 7);
	log_printf(LOG_DATA, 2, "too much");
	CHECK(read(fds[0], buf, sizeof(buf) - 1) > 0);
	CHECK_STR(buf, "data: read 7\n");
}
