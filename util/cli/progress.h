/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
/*
 * One line on stderr while something takes long: "Processing events... 42%". Only on a terminal, at most ten times a second,
 * only after the first half second, and wiped at the end. One owner.
 */
#include "util/base/types.h"

struct progress {
	const char *title;	/* borrowed */
	u64 total, start_ns, next_ns;
	bool on, shown;
};

void progress_start(struct progress *p, const char *title, u64 total);	/* total 0: unknown, shows the count */
void progress_update(struct progress *p, u64 done);
void progress_finish(struct progress *p);

#endif
