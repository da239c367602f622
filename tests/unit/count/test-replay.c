// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts as records: what "perf stat report" makes of them, and what it refuses; and what "perf
 * stat record" writes, read back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/count/file.h"
#include "util/data/reader.h"
#include "util/wire/user.h"

struct played {
	struct data_reader r;
	struct count_opts o;
	struct count_result res;
	struct count_replay *p;
	struct metric_set set;
	struct stat_formulas formulas;
	struct str recs;
	struct err err;
	VEC(double) intervals;		/* the first row's value, in each */
	u64 last_ns;
};

static void on_interval(void *ctx, const struct stat_row *rows, size_t n, u64 time_ns)
{
	struct played *x = ctx;

	CHECK(n > 0);
	vec_push(&x->intervals, rows[0].value);
	x->last_ns = time_ns;
}

/* Two events of a group with one counter a CPU: ids 10 and 11, 20 and 21. */
static void add_events(struct event_list *l)
{
	static const u64 ids[] = { 10, 11, 20, 21 };
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(a),
				     .config = PERF_COUNT_SW_CONTEXT_SWITCHES };

	event_list_init(l);
	event_add_ids(event_list_add(l, &a, "cs"), ids, 2);
	a.config = PERF_COUNT_SW_PAGE_FAULTS;
	event_add_ids(event_list_add(l, &a, "faults"), ids + 2, 2);
	l->events.v[0]->n_members = 2;
	l->events.v[1]->leader = l->events.v[0];
	for vec_each(e, &l->events)
		(*e)->scale = 1;
	event_list_index(l);
}

static struct played *start(int aggr)
{
	struct played *x = unit_keep(xnew(struct played));

	*x = (struct played){ .err = ERR_INIT, .recs = STR_INIT };
	x->r.path = xstrdup("made");
	x->r.file_bytes = 1 << 20;
	add_events(&x->r.events);
	x->o.on_interval = on_interval;
	x->o.ctx = x;
	x->p = count_replay_new(&x->r, aggr, &x->o,
				&(struct count_metrics_of){ &x->set, &x->formulas }, &x->res);
	return x;
}

/* What was added to x->recs since; the first failure. */
static int play(struct played *x)
{
	int ret = 0;

	for (size_t at = 0; at < x->recs.len && !ret;) {
		const struct perf_event_header *h = (const void *)(x->recs.buf + at);

		ret = count_replay_record(x->p, h, at, &x->err);
		at += h->size;
	}
	str_reset(&x->recs);
	return ret;
}

static void stop(struct played *x)
{
	count_replay_free(x->p);
	stat_formulas_release(&x->formulas);
	metric_set_release(&x->set);
	count_result_release(&x->res);
	vec_free(&x->intervals);
	str_release(&x->recs);
	err_release(&x->err);
	event_list_release(&x->r.events);
	free(x->r.path);
}

static void head(struct played *x, u64 aggr, u64 interval_ms, const int *cpus, size_t n)
{
	const struct wire_tag tags[] = { { 0, aggr }, { 1, interval_ms }, { 2, 1 } };

	wire_add_thread_map(&x->recs, &(struct wire_thread){ -1, "" }, 1);
	wire_add_cpu_map(&x->recs, cpus, n);
	wire_add_stat_config(&x->recs, tags, ARRAY_SIZE(tags));
}

static void value(struct played *x, u64 id, u32 cpu, u64 v, u64 enabled, u64 running)
{
	wire_add_stat(&x->recs, &(struct wire_stat){ id, cpu, 0, v, enabled, running });
}

static void end(struct played *x)
{
	struct str title = STR_INIT;

	CHECK_EQ(count_replay_end(x->p, &title, &x->err), 0);
	str_release(&title);
}

static const int cpus[] = { 0, 2 };

/* Counters that ran a part of their time are scaled up, beyond 64 bits if it must be. */
TEST(scaled_beyond_64_bits)
{
	struct played *x = start(-1);

	head(x, 1, 0, cpus, 2);
	value(x, 10, 0, 1ULL << 62, 4000, 1000);
	value(x, 20, 0, 100, 4000, 1000);
	value(x, 21, 2, 0, 4000, 0);		/* never ran: as often as the other, perhaps */
	wire_add_stat_round(&x->recs, 1, 2000000000);
	CHECK_EQ(play(x), 0);
	end(x);
	CHECK_EQ(x->res.rows.n, 2);
	CHECK_EQ(x->res.rows.v[0].value, 18446744073709551616.0);
	CHECK_EQ(x->res.rows.v[0].running_pct, 25.0);
	CHECK_EQ(x->res.rows.v[1].state, STAT_COUNTED);
	CHECK_EQ(x->res.rows.v[1].value, 800.0);
	CHECK_EQ(x->res.rows.v[1].running_pct, 12.5);
	CHECK_EQ(x->res.seconds.v[0], 2.0);
	stop(x);
}

TEST(each_cpu_has_its_row)
{
	struct played *x = start(STAT_CPU);

	head(x, 1, 0, cpus, 2);		/* as it was recorded does not matter */
	value(x, 10, 0, 5, 10, 10);
	value(x, 11, 2, 7, 10, 10);
	value(x, 21, 2, 9, 10, 10);	/* nothing of CPU 0 */
	wire_add_stat_round(&x->recs, 1, 1000);
	CHECK_EQ(play(x), 0);
	end(x);
	CHECK_EQ(x->o.stat.aggr, STAT_CPU);
	CHECK_EQ(x->res.rows.n, 4);
	for vec_each(r, &x->res.rows) {
		const bool second = r->event->index == 1;

		CHECK(r->cpu == 0 || r->cpu == 2);
		CHECK_EQ(r->state, second && !r->cpu ? STAT_NOT_COUNTED : STAT_COUNTED);
		CHECK_EQ(r->value, r->cpu ? (second ? 9.0 : 7.0) : second ? 0.0 : 5.0);
	}
	stop(x);
}

/* Records have totals: an interval is what came since the last one. */
TEST(intervals_are_differences)
{
	struct played *x = start(-1);

	head(x, 1, 100, cpus, 1);
	value(x, 10, 0, 5, 10, 10);
	wire_add_stat_round(&x->recs, 0, 100000000);
	value(x, 10, 0, 12, 20, 20);
	wire_add_stat_round(&x->recs, 0, 200000000);
	wire_add_stat_round(&x->recs, 0, 300000000);	/* nothing was read */
	value(x, 10, 0, 13, 30, 30);
	wire_add_stat_round(&x->recs, 1, 350000000);
	CHECK_EQ(play(x), 0);
	CHECK_EQ(x->intervals.n, 4);
	CHECK_EQ(x->intervals.v[0], 5.0);
	CHECK_EQ(x->intervals.v[1], 7.0);
	CHECK_EQ(x->intervals.v[2], 0.0);
	CHECK_EQ(x->intervals.v[3], 1.0);
	CHECK_EQ(x->last_ns, 350000000);
	end(x);
	CHECK_EQ(x->res.rows.v[0].value, 13.0);
	CHECK_EQ(x->res.n_intervals, 4);
	CHECK(x->o.interval_ns > 0);
	stop(x);
}

TEST(no_scaling_where_it_was_not_wanted)
{
	const struct wire_tag off = { 2, 0 };
	struct played *x = start(-1);

	head(x, 1, 0, cpus, 1);
	wire_add_stat_config(&x->recs, &off, 1);
	value(x, 10, 0, 100, 4000, 1000);
	wire_add_stat_round(&x->recs, 1, 1);
	CHECK_EQ(play(x), 0);
	end(x);
	CHECK_EQ(x->res.rows.v[0].value, 100.0);
	stop(x);
}

static void refused(struct played *x, const char *reason)
{
	CHECK(play(x) < 0);
	CHECK(strstr(x->err.msg, reason));
	CHECK(str_has_prefix(x->err.msg, "'made' at offset 0x"));
	stop(x);
}

TEST(counts_of_what_is_not_there)
{
	struct played *x = start(-1);

	head(x, 1, 0, cpus, 2);
	value(x, 10, 1, 5, 10, 10);
	refused(x, "a count of a CPU or thread that the file does not list");
	x = start(-1);
	head(x, 1, 0, cpus, 2);
	wire_add_stat(&x->recs, &(struct wire_stat){ 10, 0, 1, 5, 10, 10 });
	refused(x, "a count of a CPU or thread that the file does not list");
	x = start(-1);
	head(x, 1, 0, cpus, 2);
	value(x, 99, 0, 5, 10, 10);
	refused(x, "a count of no event");
}

/* The last map of CPUs holds, and none is as large as a file may claim. */
TEST(maps_of_cpus)
{
	int *many = unit_keep(xcalloc(9000, sizeof(int)));
	struct played *x = start(-1);

	for (int i = 0; i < 9000; i++)
		many[i] = i;
	head(x, 1, 0, many, 9000);
	value(x, 10, 0, 5, 10, 10);
	refused(x, "too many CPUs and threads to be true");
	x = start(-1);
	head(x, 1, 0, many, 9000);
	wire_add_cpu_map(&x->recs, cpus, 2);
	value(x, 11, 2, 5, 10, 10);
	CHECK_EQ(play(x), 0);
	CHECK_EQ(x->r.events.cpus.n, 2);
	stop(x);
}

TEST(nothing_was_counted)
{
	struct played *x = start(-1);
	struct str title = STR_INIT;

	head(x, 1, 0, cpus, 2);
	CHECK_EQ(play(x), 0);
	CHECK_EQ(count_replay_end(x->p, &title, &x->err), -ENODATA);
	CHECK_STR(x->err.msg, "'made' has no counts");
	CHECK_STR(title.len ? title.buf : "", "");
	stop(x);
}

/* An event without ids was not opened. */
TEST(not_supported)
{
	struct played *x = start(-1);

	x->r.events.events.v[1]->n_ids = 0;
	head(x, 1, 0, cpus, 1);
	value(x, 10, 0, 0, 10, 10);
	wire_add_stat_round(&x->recs, 1, 1);
	CHECK_EQ(play(x), 0);
	end(x);
	CHECK_EQ(x->res.rows.v[0].state, STAT_COUNTED);
	CHECK_EQ(x->res.rows.v[1].state, STAT_NOT_SUPPORTED);
	x->r.events.events.v[1]->n_ids = 2;
	stop(x);
}

/* Open counters of two CPUs, but that of the first event on the first one. */
static void open_list(struct event_list *l)
{
	add_events(l);
	vec_push(&l->tids, -1);
	vec_push(&l->cpus, 0);
	vec_push(&l->cpus, 2);
	for vec_each(p, &l->events) {
		struct event *e = *p;

		e->n_threads = 1;
		e->n_cpus = 2;
		e->fds = xcalloc(2, sizeof(int));
		e->fds[0] = e->index ? open("/dev/null", O_RDONLY) : -1;
		e->fds[1] = open("/dev/null", O_RDONLY);
		e->supported = true;
	}
}

/* What is written is read as it was: the ids of counters are those of the open ones in order. */
TEST(written_and_read)
{
	static const char *const argv[] = { "perf", "stat", "record" };
	char *path = unit_keep(xasprintf("%s/stat.data", unit_tmpdir()));
	const struct count_file_opts fo = { path, "1", 3, argv };
	struct count_opts o = { .stat.aggr = STAT_CPU };
	struct played x = { .err = ERR_INIT };
	struct event_list l;
	struct os os;
	struct count_file *f;
	struct data_cursor c;
	struct data_record rec;
	struct str title = STR_INIT;

	os_init_root(&os, "tests/roots/server-2s");
	open_list(&l);
	f = count_file_new(&fo, NULL);
	CHECK(f);
	CHECK_EQ(count_file_begin(f, &l, &os, &o, NULL), 0);
	CHECK_EQ(count_file_begin(f, &l, &os, &o, NULL), 0);	/* of a second run: nothing again */
	count_file_value(f, l.events.v[0], 0, 1, &(struct event_count){ UINT64_MAX, 10, 10 });
	count_file_value(f, l.events.v[1], 0, 0, &(struct event_count){ 3, 10, 10 });
	count_file_value(f, l.events.v[1], 0, 1, &(struct event_count){ 4, 10, 10 });
	count_file_round(f, 1500000000, true);
	CHECK_EQ(count_file_finish(f, &l, &os, NULL), 0);
	count_file_free(f);
	event_list_release(&l);

	CHECK_EQ(data_open(&x.r, path, 0, NULL), 0);
	x.p = count_replay_new(&x.r, -1, &x.o,
			       &(struct count_metrics_of){ &x.set, &x.formulas }, &x.res);
	data_cursor_init(&c, &x.r);
	while (data_cursor_next(&c, &rec, NULL) > 0)
		CHECK_EQ(count_replay_record(x.p, rec.hdr, rec.off, &x.err), 0);
	data_cursor_release(&c);
	CHECK_EQ(count_replay_end(x.p, &title, NULL), 0);
	CHECK_STR(str_cstr(&title), "perf stat record");
	CHECK_EQ(x.o.stat.aggr, STAT_CPU);
	CHECK_EQ(x.res.rows.n, 4);
	for vec_each(r, &x.res.rows)
		CHECK_EQ(r->value, r->event->index ? (r->cpu ? 4.0 : 3.0) :
			 r->cpu ? 18446744073709551615.0 : 0.0);
	CHECK_EQ(x.res.seconds.v[0], 1.5);
	str_release(&title);
	count_replay_free(x.p);
	count_result_release(&x.res);
	data_close(&x.r);
	os_release(&os);
}
