/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_MODULES_H
#define RECORD_MODULES_H
/*
 * Kernel modules that are loaded while a recording runs. The kernel writes no record for them
 * (KSYMBOL is for BPF and ftrace only), so their mappings are written here, with a time from which
 * on they hold.
 *
 * 1. The kernel tells at once when one comes, before its init function runs, and when one goes
 * (os/module-watch.h), and so wakes the
 *    loop. Where that is not allowed: /proc/modules is read again when the number of directories
 *    in /sys/module is another one (looked
 *    at after each pass over the rings) or when a uevent came; so a module is seen that was there
 *    at the end of a pass, or when
 *    its uevent was handled, which comes when the init function is over. Then one whose init
 *    function fails may be missed.
 * 2. A module that is new at a look was not there at the one before: whatever had been read from
 * the rings by then is older.
 *    The newest time of that is the time of its mapping: not later than its first sample, its
 *    init function's included.
 *    Its init code is the second mapping of it: /sys still tells where that was when the init
 *    function is over. That memory is
 *    free then, and the next module often gets it: its mapping begins when it came, if that is
 *    known.
 * 3. Where another module lay before, the mapping begins not before that one went, as was reported;
 * or else was found gone, with the
 *    rings emptied at that moment: if one goes and the other comes between two looks a few
 *    samples of the one are called the
 *    other's.
 * 4. What a module that is gone was called stays as it was: its mapping ends where another one
 * begins.
 * 5. One that has come and gone before the loop runs once is not seen: nothing tells then where it
 * was.
 */
#include "util/os/module-watch.h"
#include "util/record/synth.h"

struct modules;

/* What is loaded now; NULL: this kernel has no modules, or hides where they lie. os is borrowed. */
struct modules *modules_new(const struct os *os);
void modules_free(struct modules *m);
/* Becomes readable when a module came or went; -1: nothing tells, look after each pass. */
int modules_fd(const struct modules *m);
/* Whether it is time for modules_update(); also takes what modules_fd() has to tell. If not,
 * now_ns is noted: the newest time in all that was read from the rings. */
bool modules_changed(struct modules *m, u64 now_ns);
/* What the watch reported. */
void modules_note(struct modules *m, const struct os_module_event *e);
/* Reads what is loaded, and synthesizes mappings of what is new. The rings were emptied just
 * now, up to now_ns. */
int modules_update(struct modules *m, struct synth *y, u64 now_ns);

#endif
