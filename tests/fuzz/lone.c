// SPDX-License-Identifier: GPL-2.0-or-later
/* Targets that run commands: what perf.c has of its own, for a program without it. */
#include "builtin.h"

const struct perf_command perf_commands[] = { { NULL, NULL, NULL } };

int absent_command(const char *name)
{
	(void)name;
	return 0;
}

const struct perf_command *find_command(const char *name UNUSED)
{
	return NULL;
}
