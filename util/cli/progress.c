// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_NS = 500000000, EVERY_NS = 100000000 };

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

void progress_start(struct progress *p, const char *title, u64 total)
{
	const char *term = getenv("TERM");

	*p = (struct progress){ .title = title, .total = total };
	p->on = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	if (p->on) {
		p->start_ns = now_ns();
		p->next_ns = p->start_ns + FIRST_NS;
	}
}

void progress_update(struct progress *p, u64 done)
{
	u64 now;

	if (!p->on)
		return;
	now = now_ns();
	if (now < p->next_ns)
		return;
	p->next_ns = now + EVERY_NS;
	p->shown = true;
	if (p->total)
		fprintf(stderr, "\r%s... %3.0f%%\033[K", p->title, 100.0 * (double)MIN(done, p->total) / (double)p->total);
	else
		fprintf(stderr, "\r%s... %llu\033[K", p->title, (unsigned long long)done);
	fflush(stderr);
}

void progress_finish(struct progress *p)
{
	if (p->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	p->on = p->shown = false;
}
