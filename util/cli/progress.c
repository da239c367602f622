// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/base/log.h"

enum { FIRST_NS = 500000000, EVERY_NS = 100000000 };

/* There is one stderr. */
static struct {
	pthread_mutex_t lock;
	u64 next_ns;
	bool on, shown;
	cli_progress_fn *draw;		/* instead of the line */
	void *ctx;
} line = { .lock = PTHREAD_MUTEX_INITIALIZER };

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

static void wipe(void)
{
	if (line.shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	line.shown = false;
}

static void draw(const char *what, u64 done, u64 all)
{
	if (all)
		fprintf(stderr, "\r%s... %3.0f%%\033[K", what,
			100.0 * (double)MIN(done, all) / (double)all);
	else
		fprintf(stderr, "\r%s... %.1f MB\033[K", what, (double)done / 1e6);
	fflush(stderr);
	line.shown = true;
}

static void show(const char *what, u64 done, u64 all)
{
	u64 now;

	if (!what)
		pthread_mutex_lock(&line.lock);
	else if (pthread_mutex_trylock(&line.lock))
		return;		/* another thread draws just now */
	if (!what) {
		wipe();
	} else if (line.on && (now = now_ns()) >= line.next_ns) {
		line.next_ns = now + EVERY_NS;
		if (line.draw)
			line.draw(line.ctx, what, done, all);
		else
			draw(what, done, all);
	}
	pthread_mutex_unlock(&line.lock);
}

void cli_progress_start(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDERR_FILENO) || !term || !strcmp(term, "dumb"))
		return;
	line.on = true;
	line.next_ns = now_ns() + FIRST_NS;
	progress_hook(show);
}

void cli_progress_draw(cli_progress_fn *fn, void *ctx)
{
	pthread_mutex_lock(&line.lock);
	wipe();
	line.on = true;
	line.draw = fn;
	line.ctx = ctx;
	line.next_ns = now_ns() + FIRST_NS;
	pthread_mutex_unlock(&line.lock);
	progress_hook(show);
}

void cli_progress_wipe(void)
{
	pthread_mutex_lock(&line.lock);
	wipe();
	pthread_mutex_unlock(&line.lock);
}

void cli_progress_off(void)
{
	pthread_mutex_lock(&line.lock);
	wipe();
	line.on = false;
	line.draw = NULL;
	pthread_mutex_unlock(&line.lock);
}

void cli_output_begins(int fd)
{
	struct stat st;

	if (line.on && (fstat(fd, &st) < 0 ||
			!(S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(fd)))))
		cli_progress_off();
}
