/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_DUMP_H
#define BUILTIN_DUMP_H
/*
 * -D of the commands that show rows: all records of the recording instead of them, or before them.
 * And perf script of a recording, as a part of other commands.
 */
#include "util/session/session.h"

/* After session_prepare(). < 0: s->err says why. */
int dump_recording(struct session *s);
/* Opens a recording for a command that sums up some of its events, and prepares it; with dump all
 * records are printed first. need: whether the events are there, or NULL. < 0: s->err says why.
 * session_close() is due in any case. */
int open_for_events(struct session *s, const struct session_opts *o, bool dump,
		    int (*need)(const struct event_list *events, const char *path,
				struct err *err),
		    const struct stream_opts *stream);
/* perf script of that recording with the words of argv after the first one; the exit status. */
int script_recording(const char *path, int argc, const char **argv);

#endif
