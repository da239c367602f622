// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin-dump.h"

#include <unistd.h>

#include "util/cli/pager.h"
#include "util/export/raw-dump.h"
#include "util/session/session.h"

int dump_recording(struct session *s)
{
	const struct source *src = s->source;
	struct raw_dump d;
	int rc, rc2;

	cli_pager_start();
	raw_dump_init(&d, src->once ? "pipe" : src->name, src->events,
		      machine_arch(stream_machine(s->stream)), STDOUT_FILENO);
	rc = session_run(s, (struct sink *[]){ &d.sink }, 1);
	rc2 = raw_dump_finish(&d, rc ? NULL : &s->err);
	return rc ? rc : rc2;
}
