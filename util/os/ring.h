/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_RING_H
#define OS_RING_H
/*
 * perf_event_open(2)'s mmap ring: mapping, reading in place, releasing. One owner per ring.
 */
#include "util/os/os.h"

struct ring {
	void *base;		/* struct perf_event_mmap_page */
	size_t data_bytes;	/* power of two */
	u64 tail;		/* next byte to read: the reader moves it */
	int fd;			/* borrowed */
	int cpu;		/* -1: any */
};

/* pages: power of two of data pages. -EPERM names perf_event_mlock_kb as remedy. */
int ring_map(struct ring *r, const struct os *os, int fd, unsigned pages, struct err *err);
/* The same for an event with write_backward: read-only, so the kernel overwrites the oldest
 * records (--overwrite). */
int ring_map_overwrite(struct ring *r, const struct os *os, int fd, unsigned pages,
		       struct err *err);
void ring_unmap(struct ring *r);	/* safe on zero */
/* The event writes into the ring of another one. -errno */
int ring_redirect(int event_fd, int ring_fd);
/* Its writers stop, or go on. */
void ring_pause(const struct ring *r, bool paused);
/* The number that the kernel gave an event. -errno */
int ring_event_id(int event_fd, u64 *id);
/* Tells the kernel that everything before tail is free. */
void ring_consume(struct ring *r);

#endif
