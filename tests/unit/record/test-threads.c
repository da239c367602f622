// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/record/threads.h"

/* "0-1/0-1:2/2", or the message. */
static void check(const struct os *os, const char *spec, const char *want)
{
	struct record_threads t = { { NULL, 0, 0 } };
	struct err err = ERR_INIT;
	struct str got = STR_INIT;
	const int ret = record_parse_threads(&t, spec, os, &err);

	for vec_each(one, &t.v) {
		str_add(&got, got.len ? ":" : "");
		str_add_int_list(&got, one->cpus.v, one->cpus.n);
		str_add(&got, "/");
		str_add_int_list(&got, one->may_run.v, one->may_run.n);
	}
	CHECK_EQ(ret != 0, err.code != 0);
	CHECK_EQ(ret != 0, t.v.n == 0);
	if (ret)
		str_add(&got, err.msg);
	CHECK_STR(str_cstr(&got), want);
	str_release(&got);
	err_release(&err);
	record_threads_release(&t);
}

TEST(threads_of_a_topology)
{
	struct os os;

	os_init_root(&os, "tests/roots/server-2s");
	check(&os, NULL, "0/0:1/1:2/2:3/3");
	check(&os, "", "0/0:1/1:2/2:3/3");
	check(&os, "cpu", "0/0:1/1:2/2:3/3");
	check(&os, "core", "0/0:1/1:2/2:3/3");
	check(&os, "package", "0-1/0-1:2-3/2-3");
	check(&os, "numa", "0-1/0-1:2-3/2-3");
	os_release(&os);
	os_init_root(&os, "tests/roots/laptop-hybrid");
	check(&os, "core", "0-1/0-1:2/2:3/3");
	check(&os, "package", "0-3/0-3");
	check(&os, "numa", "0-3/0-3");
	os_release(&os);
}

TEST(threads_of_masks)
{
	struct os os;

	os_init_root(&os, "tests/roots/server-2s");
	check(&os, "0,2-3/0-3:1/1", "0,2-3/0-3:1/1");
	check(&os, "3/0:0-2/0", "3/0:0-2/0");
	check(&os, "0-1/0:1/1", "--threads=0-1/0:1/1: two threads would read CPU 1");
	check(&os, "4/0", "--threads=4/0: there is no CPU 4, or it is offline");
	check(&os, "0/7", "--threads=0/7: there is no CPU 7, or it is offline");
	check(&os, "0:1", "'0:1' does not say which threads there shall be");
	check(&os, "0/0:", "'0/0:' does not say which threads there shall be");
	check(&os, "cpus", "'cpus' does not say which threads there shall be");
	check(&os, "1-0/0", "--threads=1-0/0: bad list '1-0': range 1-0 is reversed");
	os_release(&os);
}
