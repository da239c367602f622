// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/output.h"

#include <errno.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/cli/progress.h"

int cli_output_open(struct cli_output *o, const char *path, int input_fd, struct err *err)
{
	const struct outfile_opts how = { .how = OUTFILE_LIVE, .named = true, .mode = 0666,
					  .input_fd = input_fd };
	int fd = path ? outfile_fd(path, &how, err) : STDERR_FILENO;

	*o = (struct cli_output){ path, MAX(fd, 0), 0 };
	return MIN(fd, 0);
}

void cli_output_write(struct cli_output *o, const struct str *text)
{
	if (!text->len)
		return;
	cli_output_begins(o->fd);
	if (!o->failed)
		o->failed = -io_write(o->fd, text->buf, text->len);
}

int cli_output_check(const struct cli_output *o, struct err *err)
{
	if (!o->failed || o->failed == EPIPE)
		return 0;
	return err_sys(err, o->failed, "cannot write '%s'", o->path ? o->path : "standard error");
}

void cli_output_close(struct cli_output *o)
{
	if (o->fd > STDERR_FILENO)
		close(o->fd);
}
