// SPDX-License-Identifier: GPL-2.0-or-later
// A stack that ended early goes on by the chain that the kernel made of frame pointers.
#include "util/unwind/unwind-priv.h"

/* How many of a chain's words are addresses of code. */
static size_t sound_frames(struct unwinding *u, const u64 *va, size_t n)
{
	size_t i = 0;

	while (i < n && va[i] && va[i] < PERF_CONTEXT_MAX && unwind_code(u, i ? va[i] - 1 : va[i]))
		i++;
	return i;
}

/* The place of a frame in the other chain, which is nearest to its own: functions may call
 * themselves. -1: it is not there. */
static int place_of(u64 va, int at, const u64 *frames, int n)
{
	for (int by = 0; by <= MAX(at, n); by++) {
		if (at - by >= 0 && at - by < n && frames[at - by] == va)
			return at - by;
		if (at + by < n && frames[at + by] == va)
			return at + by;
	}
	return -1;
}

int unwind_join(struct unwind_ctx *c, const struct sample *s, struct thread *th,
		struct unwind_frame *out, int n, int max)
{
	struct unwinding u = { .ctx = c, .arch = machine_arch(c->m), .th = th,
			       .swap = machine_swapped(c->m),
			       .t_ns = s->time_ns, .space = thread_space_at(th, s->time_ns) };
	const u64 kernel = unwind_kernel_words(s);
	const u64 *frames = s->chain + kernel + 1;
	int m, i, k = -1;

	if (s->chain_n <= kernel + 1)
		return n;
	m = (int)sound_frames(&u, frames, MIN((size_t)(s->chain_n - kernel - 1), (size_t)max));
	for (i = n - 1; i >= 0 && k < 0; i--)
		k = place_of(out[i].va, i, frames, m);
	i += n && k >= 0;		/* the frame that both have */
	if (n && k < 0)
		return n;
	if (m - k <= n - i)
		return n;
	for (n = n ? i + 1 : 0, k++; k < m && n < max; k++)
		out[n++] = (struct unwind_frame){ .va = frames[k] };
	return n;
}
