// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/rings.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define USEFUL_BYTES (8u << 20)
/* with stack dumps: at 10 kHz 200 ms, at the default 4 kHz half a second, where there is room */
#define RING_SAMPLES 2048
#define MOST_BYTES (32u << 20)
/* of memory for all rings together, unless -m says otherwise */
#define ALL_BYTES (256u << 20)
#define LEAST_BYTES (128u << 10)
#define SIDEBAND_BYTES (512u << 10)	/* where nothing else is in it */

static unsigned pow2_below(u64 n)
{
	unsigned p = 1;

	while ((u64)p * 2 <= n)
		p *= 2;
	return p;
}

static const struct perf_event_mmap_page *page_of(const struct rings_slot *s)
{
	return s->ring.base;
}

u64 rings_head(const struct rings_slot *s)
{
	return __atomic_load_n(&page_of(s)->data_head, __ATOMIC_ACQUIRE);
}

int rings_span(const struct rings_slot *s, u64 from, u64 head, struct span out[2])
{
	u64 bytes = head - from, at = from & (s->ring.data_bytes - 1),
		first = MIN(bytes, s->ring.data_bytes - at);

	out[0] = (struct span){ s->data + at, first };
	out[1] = (struct span){ s->data, bytes - first };
	return bytes > first ? 2 : bytes ? 1 : 0;
}

bool rings_waiting(const struct rings_slot *s, u64 least, struct span out[2], u64 *head)
{
	if (s->backward)
		return false;
	*head = rings_head(s);
	out[0] = out[1] = (struct span){ NULL, 0 };
	if (*head == s->ring.tail || *head - s->ring.tail < least)
		return false;
	rings_span(s, s->ring.tail, *head, out);
	return true;
}

void rings_free_to(struct rings_slot *s, u64 head)
{
	s->ring.tail = head;
	ring_consume(&s->ring);
}

static int fd_at(const struct event *e, int thread, int cpu)
{
	return e->fds && thread < e->n_threads && cpu < e->n_cpus ?
		e->fds[(size_t)thread * (size_t)e->n_cpus + (size_t)cpu] : -1;
}

/* Nothing is sampled on that CPU (-C). */
static bool only_sideband(const struct event_list *l, int t_from, int t_to, int cpu)
{
	for (size_t i = 0; i < l->events.n; i++)
		for (int t = t_from; !l->events.v[i]->dummy &&
		     t < MIN(t_to, l->events.v[i]->n_threads); t++)
			if (fd_at(l->events.v[i], t, cpu) >= 0)
				return false;
	return true;
}

/* The fds that share a ring: those of one CPU, or (events without a CPU) those of one thread. */
static int add_slot(struct rings *r, const struct event_list *l, const struct os *os,
		    unsigned pages, bool backward, int thread,
		    int cpu, struct err *err)
{
	struct rings_slot slot = { .backward = backward };
	const int t_from = thread < 0 ? 0 : thread;
	const struct event *polled = NULL;
	int out = -1, ret = 0;

	if (!backward && only_sideband(l, t_from, thread < 0 ? INT_MAX : thread + 1, cpu))
		pages = MIN(pages, MAX(pow2_below(SIDEBAND_BYTES / os->page_bytes), 1u));

	for (size_t i = 0; i < l->events.n && !ret; i++) {
		const struct event *e = l->events.v[i];
		const int t_to = thread < 0 ? e->n_threads : thread + 1;

		if ((bool)e->attr.write_backward != backward)
			continue;
		for (int t = t_from; t < t_to && !ret; t++) {
			const int fd = fd_at(e, t, cpu);

			if (fd < 0)
				continue;
			if (out < 0) {
				out = fd;
				polled = e;
				ret = (backward ? ring_map_overwrite :
				       ring_map)(&slot.ring, os, fd, pages, err);
				slot.ring.cpu = l->cpus.n ? l->cpus.v[cpu] : -1;
			} else if ((ret = ring_redirect(fd, out))) {
				ret = err_sys(err, -ret, "cannot send event '%s' to the ring "
							  "buffer of cpu %d", e->name,
					      slot.ring.cpu);
			}
			if (e == polled)
				vec_push(&slot.fds, fd);
		}
	}
	slot.seen = slot.ring.tail;
	if (out >= 0 && !ret)
		slot.data = (const u8 *)slot.ring.base + page_of(&slot)->data_offset;
	if (out >= 0)
		vec_push(&r->slots, slot);
	else
		vec_free(&slot.fds);
	return ret;
}

static int map_all(struct rings *r, const struct event_list *l, const struct os *os, unsigned pages,
		   struct err *err)
{
	const bool per_thread = l->cpus.n == 1 && l->cpus.v[0] == -1;
	int n_cpus = 0, n_threads = 0, ret = 0;

	for (size_t i = 0; i < l->events.n; i++) {
		n_cpus = MAX(n_cpus, l->events.v[i]->n_cpus);
		n_threads = MAX(n_threads, l->events.v[i]->n_threads);
	}
	r->pages = pages;
	for (int back = 0; back < 2; back++) {
		for (int i = 0; i < (per_thread ? n_threads : n_cpus) && !ret; i++)
			ret = add_slot(r, l, os, pages, back, per_thread ? i : -1, per_thread ? 0 :
				       i, err);
	}
	if (!ret && !r->slots.n)
		ret = err_set(err, EINVAL, "no event is open: there is nothing to read");
	return ret;
}

/* The events of the ring's CPU that are there now write into it, too; those before them have
 * ended. */
static int redirect(struct rings_slot *slot, const struct event_list *l, int c, struct err *err)
{
	const struct event *polled = NULL;
	int first = -1, ret;

	vec_clear(&slot->fds);
	slot->polled = 0;
	for vec_each(p, &l->events) {
		const struct event *e = *p;

		for (int t = 0; (bool)e->attr.write_backward == slot->backward && t < e->n_threads;
		     t++) {
			const int fd = fd_at(e, t, c);

			if (fd < 0)
				continue;
			ret = ring_redirect(fd, slot->ring.fd);
			if (ret)
				return err_sys(err, -ret, "cannot send event '%s' to the ring "
							   "buffer of cpu %d", e->name,
							   slot->ring.cpu);
			if (!polled) {
				polled = e;
				first = fd;
			}
			if (e == polled)
				vec_push(&slot->fds, fd);
		}
	}
	slot->ring.fd = first < 0 ? slot->ring.fd : first;
	return 0;
}

int rings_follow_cpu(struct rings *r, const struct event_list *l, const struct os *os, int cpu,
		     struct err *err)
{
	bool any = false;
	int c = 0, ret = 0;

	while ((size_t)c < l->cpus.n && l->cpus.v[c] != cpu)
		c++;
	for (size_t i = 0; i < r->slots.n && !ret; i++)
		if (r->slots.v[i].ring.cpu == cpu) {
			any = true;
			ret = redirect(&r->slots.v[i], l, c, err);
		}
	for (int back = 0; back < 2 && !any && !ret; back++)
		ret = add_slot(r, l, os, r->pages, back, -1, c, err);
	return ret;
}

void rings_follow_threads(struct rings_slot *slot, struct waiter *w, size_t place)
{
	bool hung = waiter_hung(w, place);

	while (hung && slot->polled < slot->fds.n)
		if (++slot->polled < slot->fds.n)
			hung = waiter_set(w, place, slot->fds.v[slot->polled]);
}

static u64 useful_bytes(const struct event_list *l)
{
	u64 dump = 0, n = USEFUL_BYTES;

	for vec_each(e, &l->events)
		dump = MAX(dump, (u64)(*e)->attr.sample_stack_user);
	while (n < dump * RING_SAMPLES && n < MOST_BYTES)
		n *= 2;
	return n;
}

static bool may_lock(const struct os *os)
{
	return os_may(os, CAP_IPC_LOCK) || os_paranoid(os) < 0;
}

u32 rings_dump_bytes(const struct os *os, unsigned pages, u64 cap_bytes, u64 hz, u32 least,
		     u32 most)
{
	int_vec cpus = { 0 };
	u64 bytes = (u64)pages * os->page_bytes;

	if (!pages) {
		os_online_cpus(os, &cpus, NULL);
		bytes = may_lock(os) ? MIN(pow2_below(ALL_BYTES / MAX(cpus.n, (size_t)1)),
					   MOST_BYTES) : 0;
		if (cap_bytes)
			bytes = MIN(bytes, cap_bytes * 2);
		vec_free(&cpus);
	}
	return (u32)MIN(MAX(bytes / MAX(hz / 10, (u64)1), (u64)least), (u64)most) & ~7u;
}

int rings_map(struct rings *r, const struct event_list *l, const struct os *os, unsigned pages,
	      u64 cap_bytes, struct err *err)
{
	const bool per_thread = l->cpus.n == 1 && l->cpus.v[0] == -1;
	const u64 useful = useful_bytes(l);
	size_t n = per_thread ? l->tids.n : l->cpus.n;
	unsigned want;
	int ret;

	*r = (struct rings){ { NULL, 0, 0 }, 0 };
	if (pages)
		return map_all(r, l, os, pages, err);
	if (cap_bytes && cap_bytes < useful)
		want = pow2_below(MAX(cap_bytes * 2, (u64)2 * LEAST_BYTES) / os->page_bytes);
	else
		want = pow2_below(MIN(useful, MAX((u64)ALL_BYTES / MAX(n, (size_t)1),
						  (u64)1 << 20)) /
				  os->page_bytes);
	for (;;) {
		ret = map_all(r, l, os, want, err);
		if (ret != -EPERM && ret != -ENOMEM)
			return ret;
		if ((u64)want * os->page_bytes <= LEAST_BYTES)
			return ret;
		rings_release(r);
		err_release(err);
		want /= 2;
	}
}

void rings_release(struct rings *r)
{
	for (size_t i = 0; i < r->slots.n; i++) {
		ring_unmap(&r->slots.v[i].ring);
		vec_free(&r->slots.v[i].fds);
	}
	vec_free(&r->slots);
}

u64 rings_bytes(const struct rings *r)
{
	u64 n = 0;

	for (size_t i = 0; i < r->slots.n; i++)
		n += r->slots.v[i].ring.data_bytes;
	return n;
}

/* From head upwards lie the records, newest first; the last one may be overwritten in part, and
 * where nothing was written yet there are zeros. */
static u64 backward_end(const struct rings_slot *s, const u8 *data, u64 head)
{
	const u64 size = s->ring.data_bytes, end = head + size;
	u64 at = head;

	for (;;) {
		const struct perf_event_header *h = (const void *)(data + (at & (size - 1)));

		if (end - at < sizeof(*h) || h->size < sizeof(*h) || h->size > end - at)
			return at;
		at += h->size;
	}
}

int rings_dump_backward(struct rings_slot *s, int (*fn)(void *ctx, struct span a, struct span b),
			void *ctx)
{
	struct span sp[2] = { { NULL, 0 }, { NULL, 0 } };
	u64 head, end;
	int ret = 0;

	ring_pause(&s->ring, true);
	head = rings_head(s);
	end = backward_end(s, s->data, head);
	/* what was dumped before is not dumped again: it lies above the head of that time */
	if (s->seen && end - head > s->seen - head)
		end = s->seen;
	if (end != head && rings_span(s, head, end, sp))
		ret = fn(ctx, sp[0], sp[1]);
	s->seen = head;
	ring_pause(&s->ring, false);
	return ret;
}
