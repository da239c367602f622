/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_RINGS_H
#define RECORD_RINGS_H
/*
 * The rings of an open event list: one per CPU (all events and threads of that CPU write into it),
 * or one per thread where events follow their thread to any CPU. With --overwrite the sampled
 * events have rings of their own that are written backwards and read only when they are dumped; the
 * side-band event keeps an ordinary one.
 */
#include "util/event/event.h"
#include "util/os/ring.h"
#include "util/os/wait-set.h"

struct rings_slot {
	struct ring ring;
	/* of it: where that is stands beside what the kernel writes with each record */
	const u8 *data;
	bool backward;
	/* one event's fd of each thread: the ring has ended when all have hung up */
	int_vec fds;
	size_t polled;		/* index in fds */
	/* position up to which side-band was looked at ahead of the samples (live unwinding) */
	u64 seen;
};

struct rings {
	VEC(struct rings_slot) slots;
	unsigned pages;		/* of each forward ring */
};

/* pages 0: as large as useful (8 MB, with large stack dumps up to 32 MB, less with many CPUs;
 * about cap_bytes when that is not 0: a ring is looked at when it is half full, and files are
 * switched or ended then) and allowed; else exactly that many. */
int rings_map(struct rings *r, const struct event_list *l, const struct os *os, unsigned pages,
	      u64 cap_bytes, struct err *err);
/* After event_list_reopen_cpu(), before what is gone is closed: the ring of that CPU takes the
 * new events, a CPU that had none gets a ring (after the others). */
int rings_follow_cpu(struct rings *r, const struct event_list *l, const struct os *os, int cpu,
		     struct err *err);
/* The largest stack dump between least and most (bytes) of which a CPU's ring holds a tenth of a
 * second at hz. pages and cap_bytes as for rings_map(). */
u32 rings_dump_bytes(const struct os *os, unsigned pages, u64 cap_bytes, u64 hz, u32 least,
		     u32 most);
void rings_release(struct rings *r);
u64 rings_bytes(const struct rings *r);

/* The data of a ring up to head (a value of rings_head()), as one or two spans; their number.
 * Nothing is consumed. */
u64 rings_head(const struct rings_slot *s);
int rings_span(const struct rings_slot *s, u64 from, u64 head, struct span out[2]);
/* The word at pos. Records are aligned, so it does not wrap. */
static inline const u64 *rings_word(const struct rings_slot *s, u64 pos)
{
	return (const u64 *)(s->data + (pos & (s->ring.data_bytes - 1)));
}
/* What waits in an ordinary ring, up to *head; false: less than least bytes, or nothing. */
bool rings_waiting(const struct rings_slot *s, u64 least, struct span out[2], u64 *head);
/* Whose end is waited for; -1: all that wrote into it have ended. */
static inline int rings_polled_fd(const struct rings_slot *s)
{
	return s->polled < s->fds.n ? s->fds.v[s->polled] : -1;
}
/* A ring's thread has ended: the next one that writes into it is waited for, at that place. */
void rings_follow_threads(struct rings_slot *slot, struct waiter *w, size_t place);
/* Everything before head is free for the kernel. */
void rings_free_to(struct rings_slot *s, u64 head);

/* Backward rings: stops their writers, yields what is in them (newest record first, whole
 * records), and goes on. */
int rings_dump_backward(struct rings_slot *s, int (*fn)(void *ctx, struct span a, struct span b),
			void *ctx);

#endif
