// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin-dump.h"

#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/vec.h"
#include "util/cli/pager.h"
#include "util/export/raw-dump.h"

int dump_recording(struct session *s)
{
	const struct source *src = s->source;
	struct raw_dump d;
	int rc, rc2;

	cli_pager_start();
	raw_dump_init(&d, src->once ? "pipe" : src->name, src->events,
		      machine_arch(stream_machine(s->stream)), STDOUT_FILENO);
	if (!src->once && src->reader->files.n == 1)
		raw_dump_with_aux(&d, src->reader->files.v[0].fd);
	rc = session_run(s, (struct sink *[]){ &d.sink }, 1);
	rc2 = raw_dump_finish(&d, rc ? NULL : &s->err);
	return rc ? rc : rc2;
}

int open_for_events(struct session *s, const struct session_opts *o, bool dump,
		    int (*need)(const struct event_list *events, const char *path,
				struct err *err),
		    const struct stream_opts *stream)
{
	const char *argv[] = { "script", "-D", NULL };
	int ret = session_open(s, o);

	if (!ret && dump) {
		(void)script_recording(o->path, 2, argv);
		fflush(stdout);
	}
	if (!ret && need && !s->source->once)
		ret = need(s->source->events, s->source->name, &s->err);
	return ret ? ret : session_prepare(s, stream);
}

int script_recording(const char *path, int argc, const char **argv)
{
	VEC(const char *) args = { 0 };
	int ret;

	vec_push(&args, "script");
	if (path) {
		vec_push(&args, "-i");
		vec_push(&args, path);
	}
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	ret = cmd_script((int)args.n - 1, args.v);
	vec_free(&args);
	return ret;
}
