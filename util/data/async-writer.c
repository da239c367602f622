// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing behind. A write() to a file on a disk may stop for a second or more while the file system
 * commits or somebody calls sync(): whoever reads rings of the kernel cannot wait that long
 * (measured: two such stops, 68% of 3.6 M events lost).
 *
 * Invariants
 *  1. Bytes reach the file in the order in which they were put; after a failed write none follow.
 *  2. "cur" belongs to the caller; queued chunks belong to the thread, from the oldest on; idle
 *     ones are under the lock.
 *  3. The thread exists once a chunk was full, or pushed: small and short recordings are written by
 *     the caller alone.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/data/data-priv.h"

enum { CHUNK_BYTES = 1 << 20, MAX_IDLE = 8 };

struct chunk {
	struct chunk *next;
	size_t used;
	u8 bytes[CHUNK_BYTES];
};

struct data_async_writer {
	int fd;
	u64 max_bytes;
	struct chunk *cur;
	pthread_mutex_t lock;
	pthread_cond_t more, less;	/* for the thread; for the caller */
	struct chunk *first, **last;	/* to be written; the first may be in the middle of it */
	struct chunk *idle;
	size_t n_idle;
	u64 queued_bytes, written;
	int failed;			/* errno */
	bool started, end;
	pthread_t thread;
};

struct data_async_writer *data_async_new(int fd, unsigned n_sharers)
{
	const u64 ram = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
	struct data_async_writer *b = xnew(struct data_async_writer);

	b->fd = fd;
	b->max_bytes = MAX(MIN(ram / 8 / n_sharers, (u64)512 << 20), (u64)2 * CHUNK_BYTES);
	b->last = &b->first;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->more, NULL);
	pthread_cond_init(&b->less, NULL);
	return b;
}

/* The number of bytes that were written; fewer than asked for: *failed says why. */
static size_t write_all(int fd, const u8 *p, size_t n, int *failed)
{
	size_t all = 0;

	while (all < n) {
		ssize_t done = write(fd, p + all, n - all);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			*failed = done ? errno : EIO;
			break;
		}
		all += (size_t)done;
	}
	return all;
}

/* Under the lock, which is let go while it writes. */
static void write_first(struct data_async_writer *b)
{
	struct chunk *c = b->first;
	size_t done = 0;
	int failed = b->failed;

	if (!failed) {
		pthread_mutex_unlock(&b->lock);
		done = write_all(b->fd, c->bytes, c->used, &failed);
		pthread_mutex_lock(&b->lock);
	}
	b->failed = failed;
	b->written += done;
	b->queued_bytes -= c->used;
	b->first = c->next;
	if (!b->first)
		b->last = &b->first;
	if (b->n_idle < MAX_IDLE) {
		c->next = b->idle;
		b->idle = c;
		b->n_idle++;
	} else {
		free(c);
	}
	pthread_cond_signal(&b->less);
}

static void *writer(void *ctx)
{
	struct data_async_writer *b = ctx;

	pthread_mutex_lock(&b->lock);
	for (;;) {
		if (b->first)
			write_first(b);
		else if (b->end)
			break;
		else
			pthread_cond_wait(&b->more, &b->lock);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* Signals are the caller's. */
static void start_thread(struct data_async_writer *b)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	b->started = !pthread_create(&b->thread, NULL, writer, b);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void queue_cur(struct data_async_writer *b)
{
	struct chunk *c = b->cur;

	b->cur = NULL;
	if (!b->started)
		start_thread(b);
	pthread_mutex_lock(&b->lock);
	c->next = NULL;
	*b->last = c;
	b->last = &c->next;
	b->queued_bytes += c->used;
	if (!b->started) {		/* no thread can be made: then at once */
		write_first(b);
	} else {
		pthread_cond_signal(&b->more);
		while (b->queued_bytes > b->max_bytes)
			pthread_cond_wait(&b->less, &b->lock);
	}
	pthread_mutex_unlock(&b->lock);
}

static void need_cur(struct data_async_writer *b)
{
	if (b->cur)
		return;
	pthread_mutex_lock(&b->lock);
	b->cur = b->idle;
	if (b->cur) {
		b->idle = b->cur->next;
		b->n_idle--;
	}
	pthread_mutex_unlock(&b->lock);
	if (!b->cur)
		b->cur = xmalloc(sizeof(*b->cur));
	b->cur->used = 0;
}

static int status(struct data_async_writer *b, u64 *written)
{
	int failed;

	pthread_mutex_lock(&b->lock);
	failed = b->failed;
	*written = b->written;
	pthread_mutex_unlock(&b->lock);
	return -failed;
}

int data_async_put(struct data_async_writer *b, const void *bytes, size_t n, u64 *written)
{
	const u8 *p = bytes;

	while (n) {
		size_t now;

		need_cur(b);
		now = MIN(n, CHUNK_BYTES - b->cur->used);
		memcpy(b->cur->bytes + b->cur->used, p, now);
		b->cur->used += now;
		p += now;
		n -= now;
		if (b->cur->used == CHUNK_BYTES)
			queue_cur(b);
	}
	return status(b, written);
}

int data_async_push(struct data_async_writer *b, u64 *written)
{
	if (b->cur && b->cur->used)
		queue_cur(b);
	return status(b, written);
}

int data_async_drain(struct data_async_writer *b, u64 *written)
{
	pthread_mutex_lock(&b->lock);
	while (b->first)
		pthread_cond_wait(&b->less, &b->lock);
	if (b->cur && !b->failed)
		b->written += write_all(b->fd, b->cur->bytes, b->cur->used, &b->failed);
	pthread_mutex_unlock(&b->lock);
	if (b->cur)
		b->cur->used = 0;
	return status(b, written);
}

void data_async_free(struct data_async_writer *b)
{
	u64 written;

	if (!b)
		return;
	data_async_drain(b, &written);
	if (b->started) {
		pthread_mutex_lock(&b->lock);
		b->end = true;
		pthread_cond_signal(&b->more);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	while (b->idle) {
		struct chunk *c = b->idle;

		b->idle = c->next;
		free(c);
	}
	free(b->cur);
	pthread_cond_destroy(&b->more);
	pthread_cond_destroy(&b->less);
	pthread_mutex_destroy(&b->lock);
	free(b);
}
