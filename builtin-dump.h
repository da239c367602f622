/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_DUMP_H
#define BUILTIN_DUMP_H
/*
 * -D of the commands that show rows: all records of the recording instead of them.
 */
struct session;

/* After session_prepare(). < 0: s->err says why. */
int dump_recording(struct session *s);

#endif
