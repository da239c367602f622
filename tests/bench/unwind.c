// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench-unwind FILE [ENGINE [PASSES [STACKS]]]: the stacks of a recording with dumps through
 * unwind_users() alone, on one core: frames a second of CPU time, and a sum over all frames that
 * must not change with the speed. The first pass also compiles the rules. With few STACKS all of
 * them lie in near caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "util/base/xalloc.h"
#include "util/data/reader.h"
#include "util/os/os.h"
#include "util/unwind/unwind.h"

enum { MAX_FRAMES = 1024, FRAMES_APART = MAX_FRAMES + 36 };

struct stack { struct sample s; struct thread *th; };
typedef VEC(struct stack) stacks;

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int side_band(struct data_reader *r, struct machine *m, struct err *err)
{
	struct data_record rec;
	struct data_cursor c;
	const char *reason;
	int ret;

	data_cursor_init(&c, r);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		const struct event *ev = event_of_record(&r->events, rec.hdr);
		struct sample_id id = { 0 };

		if (rec.hdr->type == PERF_RECORD_SAMPLE || !ev)
			continue;
		if (!wire_decode_id(&ev->attr, rec.hdr, &id, &reason))
			machine_apply(m, rec.hdr, id.time_ns, &reason);
	}
	data_cursor_release(&c);
	machine_freeze(m);
	return ret;
}

static int load(struct data_reader *r, struct machine *m, stacks *out, struct err *err)
{
	struct data_record rec;
	struct data_cursor c;
	struct stack st;
	const char *reason;
	int ret;

	data_cursor_init(&c, r);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		const struct event *ev = event_of_record(&r->events, rec.hdr);

		if (rec.hdr->type != PERF_RECORD_SAMPLE || !ev || !rec.stays ||
		    wire_decode_sample(&ev->attr, rec.hdr, &st.s, &reason))
			continue;
		st.th = machine_thread_at(m, st.s.pid, st.s.tid, st.s.time_ns);
		if (st.s.stack.len)
			vec_push(out, st);
	}
	data_cursor_release(&c);
	return ret;
}

/* As the recorder and the reader do. */
static void fetch(const struct stack *st, u64 reach)
{
	for (u64 at = 0; at < MIN(reach, (u64)8192); at += 64)
		__builtin_prefetch(st->s.stack.ptr + at);
}

static void pass(struct unwind_ctx *ctx, const stacks *all)
{
	struct unwind_frame *f = xcalloc(UNWIND_BATCH, FRAMES_APART * sizeof(*f));
	struct unwind_job jobs[UNWIND_BATCH];
	u64 n_frames = 0, sum = 0;
	double start = cpu_s(), took;
	int n;

	for (size_t at = 0; at < all->n; at += (size_t)n) {
		for (n = 0; n < UNWIND_BATCH && at + (size_t)n < all->n; n++) {
			const struct stack *st = &all->v[at + (size_t)n];

			jobs[n] = (struct unwind_job){ &st->s, st->th, f + n * FRAMES_APART,
						       MAX_FRAMES, 0, 0 };
			fetch(st, unwind_reach(ctx));
		}
		unwind_users(ctx, jobs, n);
		for (int k = 0; k < n; k++) {
			for (int i = 0; i < jobs[k].n; i++)
				sum = sum * 31 + jobs[k].out[i].va + jobs[k].out[i].signal;
			sum = sum * 31 + jobs[k].reason;
			n_frames += (u64)jobs[k].n;
		}
	}
	took = cpu_s() - start;
	printf("%zu stacks, %llu frames, sum %016llx: %.3f s, %.1f M frames/s, %.0f ns a stack\n",
	       all->n,
	       (unsigned long long)n_frames, (unsigned long long)sum, took,
	       (double)n_frames / took / 1e6,
	       took / (double)(all->n ? all->n : 1) * 1e9);
	free(f);
}

int main(int argc, char **argv)
{
	const struct unwind_opts uo = { .engine = argc > 2 ? argv[2] : NULL };
	const struct machine_opts mo = { .keep_comm_after_exit = true };
	const struct symbols_opts so = { 0 };
	struct data_reader r = { 0 };
	struct unwind_ctx *ctx = NULL;
	struct err err = ERR_INIT;
	struct dso_store *store;
	struct machine *m;
	stacks all = { 0 };
	struct os os;
	int ret;

	if (argc < 2)
		return fprintf(stderr, "usage: %s FILE [ENGINE [PASSES [STACKS]]]\n", argv[0]), 2;
	os_init(&os);
	store = dso_store_new(&os, &so);
	m = machine_new(store, &mo);
	ret = data_open(&r, argv[1], DATA_FORCE, &err);
	if (!ret)
		ret = side_band(&r, m, &err);
	if (!ret)
		ret = load(&r, m, &all, &err);
	if (!ret && !(ctx = unwind_new(m, &uo, &err)))
		ret = -1;
	if (argc > 4)
		all.n = MIN(all.n, (size_t)strtoul(argv[4], NULL, 10));
	for (int i = 0; !ret && i < (argc > 3 ? (int)strtol(argv[3], NULL, 10) : 3); i++)
		pass(ctx, &all);
	if (ret)
		fprintf(stderr, "%s\n", err.msg ? err.msg : "cannot read it");
	unwind_free(ctx);
	vec_free(&all);
	machine_free(m);
	dso_store_free(store);
	data_close(&r);
	err_release(&err);
	return ret ? 1 : 0;
}
