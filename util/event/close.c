// SPDX-License-Identifier: GPL-2.0-or-later
// The descriptors of opened events are closed: those of tracepoints together, as each waits for
// the kernel.
#include "util/event/close.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/event/open-priv.h"

/* tracepoint counters from which on closing is left to os_close_slow() */
#define SLOW_CLOSE_MIN 8

size_t event_n_fds(const struct event *e)
{
	return (size_t)e->n_threads * e->n_cpus;
}

void event_close_fds(struct event *e)
{
	for (size_t i = 0; e->fds && i < event_n_fds(e); i++)
		if (e->fds[i] >= 0) {
			close(e->fds[i]);
			e->fds[i] = -1;
		}
}

void event_close(struct event *e)
{
	event_close_fds(e);
	free(e->fds);
	free(e->fd_ids);
	free(e->earlier);
	e->fds = NULL;
	e->fd_ids = NULL;
	e->earlier = NULL;
}

void event_list_detach_fds(struct event_list *l, int_vec *out)
{
	size_t slow = 0;

	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->attr.type == PERF_TYPE_TRACEPOINT)
			slow++;
	for (size_t i = 0; i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		for (size_t k = 0; slow >= SLOW_CLOSE_MIN && e->attr.type == PERF_TYPE_TRACEPOINT &&
		     e->fds && k < event_n_fds(e); k++)
			if (e->fds[k] >= 0) {
				vec_push(out, e->fds[k]);
				e->fds[k] = -1;
			}
		event_close(e);
	}
}

void event_list_close(struct event_list *l)
{
	int_vec slow = { 0 };

	event_list_detach_fds(l, &slow);
	os_close_slow(slow.v, slow.n);
	vec_free(&slow);
}
