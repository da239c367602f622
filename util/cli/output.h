/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H
/*
 * Where a command writes text while it goes on: the file of -o, or the standard error. After the
 * first failure nothing more is written. One owner.
 */
#include "util/base/err.h"
#include "util/base/str.h"

struct cli_output {
	const char *path;	/* as given, borrowed; NULL: the standard error */
	int fd;
	int failed;		/* errno */
};
/* input_fd: of the recording that is shown, which it must not be; 0: none. */
int cli_output_open(struct cli_output *o, const char *path, int input_fd, struct err *err);
void cli_output_write(struct cli_output *o, const struct str *text);
/* The first failure. A reader that went away has seen what it wanted: that is none. */
int cli_output_check(const struct cli_output *o, struct err *err);
void cli_output_close(struct cli_output *o);	/* safe on a zeroed one */

#endif
