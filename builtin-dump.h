/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_DUMP_H
#define BUILTIN_DUMP_H
/*
 * -D of the commands that show rows: all records of the recording instead of them. And perf script
 * of a recording, as a part of other commands.
 */
struct session;

/* After session_prepare(). < 0: s->err says why. */
int dump_recording(struct session *s);
/* The same for commands that read the recording afterwards; path NULL: perf.data. */
void dump_with_script(const char *path);
/* perf script of that recording with the words of argv after the first one; the exit status. */
int script_recording(const char *path, int argc, const char **argv);

#endif
