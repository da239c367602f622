// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/progress.h"

#include <stddef.h>

/* Written once at start, before threads are made. */
static progress_fn *hook;

void progress_hook(progress_fn *fn)
{
	hook = fn;
}

void progress_step(const char *what, u64 done, u64 all)
{
	if (hook)
		hook(what, done, all);
}

void progress_end(void)
{
	if (hook)
		hook(NULL, 0, 0);
}
