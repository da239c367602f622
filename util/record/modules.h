/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_MODULES_H
#define RECORD_MODULES_H
/*
 * Kernel modules that are loaded while a recording runs. The kernel writes no record for them (KSYMBOL is for BPF and ftrace
 * only), so their mappings are written here, with a time from which on they hold.
 *
 * 1. /proc/modules is read again when the number of folders in /sys/module is another one (looked at after each pass over
 *    the rings) or when a uevent came, which wakes the loop. So a module is seen that was there at the end of a pass, or
 *    when its uevent was handled; one that came and went within a millisecond is not.
 * 2. A module that is new at a look was not there at the one before: whatever had been read from the rings by then is older.
 *    The newest time of that is the time of its mapping: not later than its first sample, its init function's included.
 * 3. Where another module lay before, the mapping begins not before that one was found gone, with the rings emptied at that
 *    moment. Only if one goes and the other comes between two looks are a few samples of the one called the other's.
 *    Its init code is the second mapping of it: /sys still tells where that was when the init function is over. That memory is
 *    free then, and the next module may get it.
 * 4. What a module that is gone was called stays as it was: its mapping ends where another one begins.
 */
#include "util/record/synth.h"

struct modules;

/* What is loaded now; NULL: this kernel has no modules, or hides where they lie. os is borrowed. */
struct modules *modules_new(const struct os *os);
void modules_free(struct modules *m);
/* Becomes readable when a module came or went; -1: nothing tells, look after each pass. */
int modules_fd(const struct modules *m);
/* Whether it is time for modules_update(); also takes what modules_fd() has to tell. If not, now_ns is noted: the newest time
 * in all that was read from the rings. */
bool modules_changed(struct modules *m, u64 now_ns);
/* Reads what is loaded, and synthesizes mappings of what is new. The rings were emptied just now, up to now_ns. */
int modules_update(struct modules *m, struct synth *y, u64 now_ns);

#endif
