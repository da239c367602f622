/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_WINDOWS_H
#define BASE_WINDOWS_H
/*
 * -D: the parts of a run in which something is on. Times are since the start of the run. Nothing is
 * switched here: whoever owns the clock asks when the next change is due, and what it is.
 */
#include "util/base/err.h"
#include "util/base/vec.h"

struct window { u64 from_ns, to_ns; };	/* to 0: until the end */
typedef VEC(struct window) window_vec;

/* where a run is in them */
struct windows {
	const window_vec *all;		/* borrowed, in order */
	size_t at;			/* the next or current one */
	bool on;			/* of the last change; the owner may set it */
};

/* "10-20,30-40", "100", in ms; "0" leaves out empty. */
int windows_parse(window_vec *out, const char *text, struct err *err);
/* When the next change is due; UINT64_MAX: never. */
u64 windows_due_ns(const struct windows *w);
/* It has come: w->on is what is to be from here on. */
void windows_step(struct windows *w);

#endif
