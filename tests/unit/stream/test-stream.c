// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Synthesized recordings whose side-band stands in other places than the samples that need it: the
 * same answer in file order, in time order, and with any number of threads.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/progress.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/stream/stream.h"
#include "util/wire/user.h"

enum { N_PROCS = 40, N_ROUNDS = 30, PER_RING = 120, DUMP_BYTES = 2048 };

struct file {
	struct event_list events;
	struct data_writer w;
	char path[256];
	u64 n_samples;
	size_t dump_bytes;	/* of the stack in each sample, when they have one */
};

static void file_begin_attr(struct file *f, const char *name, const struct perf_event_attr *attr)
{
	struct data_writer_opts wo = { 0 };
	struct err err = ERR_INIT;

	memset(f, 0, sizeof(*f));
	snprintf(f->path, sizeof(f->path), "%s/%s", unit_tmpdir(), name);
	event_list_init(&f->events);
	for (u64 i = 0; i < 2; i++) {
		struct event *e = event_list_add(&f->events, attr, i ? "second" : "first");
		u64 ids[1] = { 100 + i };

		event_add_ids(e, ids, 1);
	}
	event_list_index(&f->events);
	CHECK_EQ(data_writer_open(&f->w, f->path, &wo, &err), 0);
	CHECK_EQ(data_writer_events(&f->w, &f->events, (struct span){ NULL, 0 }, &err), 0);
}

static void file_begin_read(struct file *f, const char *name, u64 sample_type, bool id_all,
			    u64 read_format)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK, .size = sizeof(attr),
					.sample_type = sample_type, .sample_id_all = id_all,
					.read_format = read_format,
					.inherit = read_format != 0,
					.sample_stack_user = sample_type & PERF_SAMPLE_STACK_USER ?
					DUMP_BYTES : 0 };

	file_begin_attr(f, name, &attr);
}

static void file_begin(struct file *f, const char *name, u64 sample_type, bool id_all)
{
	file_begin_read(f, name, sample_type, id_all, 0);
}

static void add(struct file *f, const void *rec, int bytes)
{
	CHECK(bytes > 0);
	CHECK_EQ(data_write(&f->w, rec, bytes, NULL), 0);
}

static void file_end(struct file *f)
{
	struct data_features feat;

	data_features_init(&feat);
	CHECK_EQ(data_writer_finish(&f->w, &feat, &f->events, NULL), 0);
	data_writer_release(&f->w);
	data_features_release(&feat);
	event_list_release(&f->events);
}

static const struct perf_event_attr *attr_of(struct file *f)
{
	return &f->events.events.v[0]->attr;
}

static struct sample_id id_at(u32 pid, u32 tid, u64 t)
{
	return (struct sample_id){ .time_ns = t, .id = 100, .pid = pid, .tid = tid,
				   .present = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				   PERF_SAMPLE_IDENTIFIER };
}

static void add_sample(struct file *f, u32 pid, u32 tid, u64 t, u64 ip, u64 id)
{
	u64 chain[4] = { (u64)PERF_CONTEXT_USER, ip, 0x401100, 0x401200 };
	struct sample s = { .present = attr_of(f)->sample_type, .id = id, .time_ns = t, .ip = ip,
			    .pid = pid, .tid = tid,
			    .period = 1, .misc = PERF_RECORD_MISC_USER, .chain = chain,
			    .chain_n = 4 };
	static const u8 stack[DUMP_BYTES];
	u64 buf[64 + DUMP_BYTES / 8];

	if (f->dump_bytes) {
		s.stack = (struct span){ stack, f->dump_bytes };
		s.stack_dyn_bytes = f->dump_bytes;
	}

	add(f, buf, wire_encode_sample(attr_of(f), &s, buf, sizeof(buf)));
	f->n_samples++;
}

static void add_comm(struct file *f, u32 pid, u64 t, const char *comm, bool exec)
{
	struct wire_comm c = { pid, pid, exec, comm };
	struct sample_id id = id_at(pid, pid, t);
	u64 buf[64];

	add(f, buf, wire_encode_comm(attr_of(f), &c, &id, buf, sizeof(buf)));
}

static void add_mmap(struct file *f, u32 pid, u64 t, u64 start, u64 bytes, u64 off,
		     const char *path)
{
	struct wire_mmap m = { .pid = pid, .tid = pid, .start_va = start, .bytes = bytes,
			       .off = off, .prot = 5, .path = path };
	struct sample_id id = id_at(pid, pid, t);
	u64 buf[64];

	add(f, buf, wire_encode_mmap2(attr_of(f), &m, PERF_RECORD_MISC_USER, &id, buf,
				      sizeof(buf)));
}

static void add_task(struct file *f, u32 type, u32 pid, u32 ppid, u64 t)
{
	struct wire_task k = { pid, ppid, pid, ppid, t };
	struct sample_id id = id_at(ppid, ppid, t);
	u64 buf[64];

	add(f, buf, wire_encode_task(attr_of(f), type, &k, &id, buf, sizeof(buf)));
}

static void add_round(struct file *f)
{
	struct str s = STR_INIT;

	wire_add_finished_round(&s);
	CHECK_EQ(data_write(&f->w, s.buf, s.len, NULL), 0);
	str_release(&s);
}

#define FLAT_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		   PERF_SAMPLE_PERIOD)
#define SAMPLE_TYPE (FLAT_TYPE | PERF_SAMPLE_CALLCHAIN)

/*
 * Each round is two rings over the same time: the samples of all processes in the first, and in the
 * second, written after it, the side-band that these samples need. A process lives for one round
 * (with pids used again), execs in its middle.
 */
static void write_events(struct file *f)
{
	u64 t0 = 1000000;

	add_comm(f, 1, 0, "init", false);
	add_mmap(f, 1, 0, 0x400000, 0x100000, 0, "/nowhere/init");
	for (u32 r = 0; r < N_ROUNDS; r++, t0 += 1000000) {
		for (u32 i = 0; i < PER_RING; i++)
			add_sample(f, 10 + r % N_PROCS / 2, 10 + r % N_PROCS / 2, t0 + i * 1000,
				   0x401000 + i, 100 + i % 2);
		for (u32 i = 0; i < PER_RING; i++)
			add_sample(f, 1, 1, t0 + i * 1000 + 300, 0x402000 + i, 100);
		add_task(f, PERF_RECORD_FORK, 10 + r % N_PROCS / 2, 1, t0 - 500);
		add_comm(f, 10 + r % N_PROCS / 2, t0 + 60000 - 1, r % 2 ? "odd" : "even", true);
		add_mmap(f, 10 + r % N_PROCS / 2, t0 + 60000 - 1, 0x400000, 0x100000, r << 12,
			 r % 2 ? "/nowhere/odd" : "/nowhere/even");
		add_mmap(f, 10 + r % N_PROCS / 2, t0 + 60000 - 1, 0x7000000, 0x1000, 0, "[vdso]");
		add_mmap(f, 10 + r % N_PROCS / 2, t0 + 80000 - 1, 0x8000000, 0x1000, 0,
			 "/nowhere/lib");
		add_task(f, PERF_RECORD_EXIT, 10 + r % N_PROCS / 2, 1, t0 + PER_RING * 1000);
		add_round(f);
	}
}

/* ---- a sink that writes down everything it is told ---- */

struct text_sink { struct sink s; struct str out; };

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct text_sink *ts = (struct text_sink *)sink;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct resolved *r = items[i].res;

		str_addf(&ts->out, "%llu %s %d %s", (unsigned long long)s->time_ns, s->event->name,
			 (int)s->tid,
			 r->comm ? r->comm->name : "?");
		for (u32 k = 0; k < r->n_frames; k++)
			str_addf(&ts->out, " %s+%llx", r->frames[k].dso ? r->frames[k].dso->path :
				 "-",
				 (unsigned long long)r->frames[k].rva);
		str_addch(&ts->out, '\n');
	}
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 off UNUSED)
{
	struct text_sink *ts = (struct text_sink *)sink;

	str_addf(&ts->out, "record %u at %llu\n", rec->type, (unsigned long long)id->time_ns);
}

static struct sink *clone_text(struct sink *from)
{
	struct text_sink *ts = xnew(struct text_sink);

	ts->s = *from;
	return &ts->s;
}

static void merge_text(struct sink *to, struct sink *from)
{
	struct text_sink *a = (struct text_sink *)to, *b = (struct text_sink *)from;

	str_addn(&a->out, str_cstr(&b->out), b->out.len);
	str_release(&b->out);
	free(b);
}

static char *run_sink(const struct sink *like, const char *path, unsigned threads,
		      const struct stream_filter *filter,
		      struct stream_stats *st)
{
	struct text_sink ts = { .s = *like };
	struct sink *sinks[] = { &ts.s };
	struct stream_opts so = { .threads = threads };
	struct data_reader r;
	struct source src;
	struct stream *s;
	struct err err = ERR_INIT;
	static char none[] = "/nonexistent";
	struct os os = { .proc = none, .sys = none };

	if (filter)
		so.filter = *filter;
	CHECK_EQ(data_open(&r, path, 0, &err), 0);
	src = source_of_reader(&r);
	s = stream_new(&src, &os, &so, &err);
	CHECK(s != NULL);
	CHECK_EQ(stream_run(s, sinks, 1, &err), 0);
	*st = *stream_get_stats(s);
	st->first_bad = st->first_bad ? xstrdup(st->first_bad) : NULL;
	stream_free(s);
	data_close(&r);
	return str_detach(&ts.out);
}

static char *run_file(const char *path, unsigned wants, unsigned threads,
		      const struct stream_filter *filter,
		      struct stream_stats *st)
{
	const struct sink like = { .wants = wants, .samples = on_samples, .record = on_record,
				   .clone = clone_text,
				   .merge = merge_text };

	return run_sink(&like, path, threads, filter, st);
}

static size_t count_lines(const char *text, const char *with)
{
	const char *end = text + strlen(text);
	size_t n = 0;

	/* memmem(): under ASan strstr() looks through all of the text each time */
	for (const char *p = text; (p = memmem(p, (size_t)(end - p), with, strlen(with))) != NULL;
	     p += strlen(with))
		n++;
	return n;
}

TEST(same_text_with_any_threads)
{
	static const unsigned modes[] = { SINK_CHAIN, SINK_CHAIN | SINK_ORDER,
					  SINK_CHAIN | SINK_ORDER | SINK_BATCHES,
					  SINK_CHAIN | SINK_ORDER | SINK_BATCHES | SINK_SIDEBAND,
					  SINK_CHAIN | SINK_SIDEBAND };
	struct stream_stats st, st2;
	struct file f;

	file_begin(&f, "events", SAMPLE_TYPE, true);
	write_events(&f);
	file_end(&f);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		char *one = run_file(f.path, modes[i], 1, NULL, &st);

		CHECK_EQ(st.n_samples, f.n_samples);
		CHECK_EQ(st.n_no_map, 0);
		for (unsigned threads = 2; threads <= 8; threads *= 4) {
			char *many = run_file(f.path, modes[i], threads, NULL, &st2);

			CHECK_STR(many, one);
			CHECK_EQ(st2.n_samples, st.n_samples);
			CHECK_EQ(st2.n_records, st.n_records);
			free(many);
		}
		free(one);
	}
}

/* Every sample of the story is resolved, against what was mapped at its time. */
TEST(sideband_in_another_ring)
{
	struct stream_stats st;
	struct file f;
	char *text;

	file_begin(&f, "events", SAMPLE_TYPE, true);
	write_events(&f);
	file_end(&f);
	text = run_file(f.path, SINK_CHAIN | SINK_ORDER, 2, NULL, &st);
	CHECK_EQ(count_lines(text, "\n"), f.n_samples);
	CHECK_EQ(count_lines(text, " even /nowhere/even+"), N_ROUNDS / 2 * (PER_RING - 60));
	CHECK_EQ(count_lines(text, " odd /nowhere/odd+"), N_ROUNDS / 2 * (PER_RING - 60));
	CHECK_EQ(count_lines(text, " init /nowhere/init+"), N_ROUNDS * (PER_RING + 60));
	/* a caller is where the call instruction is */
	CHECK(strstr(text, "1000000 first 10 init /nowhere/init+1000 /nowhere/init+10ff "
			   "/nowhere/init+11ff\n") != NULL);
	CHECK(strstr(text, "2060000 first 10 odd /nowhere/odd+203c /nowhere/odd+20ff "
			   "/nowhere/odd+21ff\n") != NULL);
	CHECK_EQ(st.n_unordered, 0);
	free(text);
}

TEST(time_order)
{
	struct stream_stats st;
	struct file f;
	unsigned long long last = 0, t;
	char *text;

	file_begin(&f, "events", SAMPLE_TYPE, true);
	write_events(&f);
	file_end(&f);
	text = run_file(f.path, SINK_ORDER, 1, NULL, &st);
	for (char *p = text; p && *p; p = strchr(p, '\n'), p += p != NULL) {
		CHECK_EQ(sscanf(p, "%llu", &t), 1);
		CHECK(t >= last);
		last = t;
	}
	CHECK_EQ(last, st.last_ns);
	CHECK_EQ(st.first_ns, 1000000);
	free(text);
}

/* A ring that was read long after the others: nothing may come late. */
TEST(rings_far_apart)
{
	struct stream_stats st;
	struct file f;
	unsigned long long last = 0, t;
	char *text;

	file_begin(&f, "apart", SAMPLE_TYPE, true);
	for (u32 ring = 0; ring < 3; ring++) {
		for (u32 i = 0; i < 9000; i++)
			add_sample(&f, 1, 1, 1000 + i * 10 + (2 - ring), 0x401000, 100);
		add_round(&f);
	}
	file_end(&f);
	text = run_file(f.path, SINK_ORDER | SINK_THREAD, 2, NULL, &st);
	CHECK_EQ(count_lines(text, "\n"), 27000);
	for (char *p = text; p && *p; p = strchr(p, '\n'), p += p != NULL) {
		CHECK_EQ(sscanf(p, "%llu", &t), 1);
		CHECK(t > last);
		last = t;
	}
	free(text);
}

static bool takes_first(const struct sink *s UNUSED, const struct event *ev)
{
	return !strcmp(ev->name, "first");
}

/* The lines of text without those that have the word. */
static char *lines_without(const char *text, const char *word)
{
	struct str out = STR_INIT;

	for (const char *p = text, *end; *p; p = end) {
		end = strchr(p, '\n') + 1;
		/* strstr() looks through all of the text under ASan */
		if (!memmem(p, (size_t)(end - p), word, strlen(word)))
			str_addn(&out, p, (size_t)(end - p));
	}
	return str_detach(&out);
}

/* Where two texts begin to differ; -1: nowhere. */
static long first_difference(const char *a, const char *b)
{
	long i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	return a[i] == b[i] ? -1 : i;
}

/* Of a sink that says which events it takes, the file is read once, by its rounds: the same in
 * the same order, and all is counted. */
TEST(by_rounds_as_by_order)
{
	static const u64 types[] = { FLAT_TYPE, SAMPLE_TYPE };

	for (size_t k = 0; k < ARRAY_SIZE(types); k++) {
		struct sink like = { .wants = SINK_ORDER | SINK_SIDEBAND, .samples = on_samples,
				     .record = on_record };
		struct stream_stats all, st;
		char *text, *want, *got, *events;
		struct file f;
		u64 t = 1000;

		file_begin(&f, "rounds", types[k], true);
		for (int round = 0; round < 40; round++, t += 3000) {
			for (u32 ring = 0; ring < 3; ring++) {
				for (u32 i = 0; i < 1000; i++)
					add_sample(&f, ring, ring, t + i * 3 + ring, 0x401000,
						   100 + (i * i + ring) / 7 % 2);
				add_comm(&f, ring, t + 2990, "x", false);
			}
			add_round(&f);
		}
		file_end(&f);
		text = run_sink(&like, f.path, 1, NULL, &all);
		like.takes = takes_first;
		got = run_sink(&like, f.path, 1, NULL, &st);
		events = lines_without(text, " second ");
		want = lines_without(events, "record 68 ");	/* FINISHED_ROUND: has no time */
		free(events);
		events = lines_without(got, "record 68 ");
		CHECK_EQ(count_lines(got, " first "), count_lines(text, " first "));
		CHECK_EQ(count_lines(got, "record 3 "), 120);
		CHECK_EQ(first_difference(events, want), -1);
		CHECK_EQ(st.n_samples, f.n_samples);
		CHECK_EQ(st.n_samples, all.n_samples);
		CHECK_EQ(st.n_records, all.n_records);
		CHECK_EQ(st.first_ns, all.first_ns);
		CHECK_EQ(st.last_ns, all.last_ns);
		CHECK_EQ(st.n_unordered, 0);
		free(text);
		free(want);
		free(got);
		free(events);
	}
}

/* Files with stack dumps are mapped, and put in order in the walk that looks for side-band: the
 * same text as of those that are read twice. */
TEST(mapped_at_once)
{
	static const unsigned modes[] = { SINK_CHAIN | SINK_ORDER, SINK_CHAIN | SINK_ORDER |
					  SINK_BATCHES,
					  SINK_CHAIN | SINK_ORDER | SINK_BATCHES | SINK_SIDEBAND };
	struct stream_stats st, st2;
	struct file plain, dumps;

	file_begin(&plain, "plain", SAMPLE_TYPE, true);
	write_events(&plain);
	file_end(&plain);
	file_begin(&dumps, "dumps", SAMPLE_TYPE | PERF_SAMPLE_STACK_USER, true);
	dumps.dump_bytes = DUMP_BYTES;
	write_events(&dumps);
	file_end(&dumps);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		char *want = run_file(plain.path, modes[i], 1, NULL, &st);

		for (unsigned threads = 1; threads <= 4; threads *= 2) {
			char *text = run_file(dumps.path, modes[i], threads, NULL, &st2);

			CHECK_STR(text, want);
			CHECK_EQ(st2.n_samples, st.n_samples);
			CHECK_EQ(st2.n_records, st.n_records);
			CHECK_EQ(st2.first_ns, st.first_ns);
			free(text);
		}
		free(want);
	}
}

/* So many small records that the list of them would become large: the mapped file is read twice
 * as others are, and what was counted before that came out is not counted again. */
TEST(mapped_small_records)
{
	struct stream_stats st;
	struct file f;
	unsigned long long last = 0, t;
	char *text;

	file_begin(&f, "small", SAMPLE_TYPE | PERF_SAMPLE_STACK_USER, true);
	add_comm(&f, 1, 0, "init", false);
	for (u32 ring = 0; ring < 3; ring++) {
		for (u32 i = 0; i < 60000; i++)
			add_sample(&f, 1, 1, 1000 + i * 10 + (2 - ring), 0x401000, 100);
		add_round(&f);
	}
	file_end(&f);
	text = run_file(f.path, SINK_ORDER | SINK_THREAD, 2, NULL, &st);
	CHECK_EQ(st.n_samples, 180000);
	CHECK_EQ(st.n_records, 180000 + 4);
	CHECK_EQ(count_lines(text, " init\n"), 180000);
	for (char *p = text; p && *p; p = strchr(p, '\n'), p += p != NULL) {
		t = strtoull(p, NULL, 10);	/* sscanf() takes the length of all that follows */
		CHECK(t > last);
		last = t;
	}
	free(text);
}

/* ---- directories: a file per ring ---- */

struct merge_watch { struct sink s; u64 last_ns, n, n_back, done_bytes, done_at_third; };

static void watch_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct merge_watch *w = (struct merge_watch *)sink;

	for (size_t i = 0; i < n; i++, w->n++) {
		if (w->n == 120000)
			w->done_at_third = w->done_bytes;
		w->n_back += items[i].sample->time_ns < w->last_ns;
		w->last_ns = items[i].sample->time_ns;
	}
}

static u64 *done_bytes_of;	/* of the one test */

static void watch_progress(const char *what, u64 done_bytes, u64 all_bytes UNUSED)
{
	if (what && !strcmp(what, "Processing events"))
		*done_bytes_of = done_bytes;
}

/* A part of a directory: samples of every n-th time, without a header. */
static u64 write_part(struct file *f, const char *path, u32 n, u32 first_ns, u32 step_ns)
{
	struct str out = STR_INIT;
	u64 chain[] = { (u64)PERF_CONTEXT_USER, 0x401000, 0x401100 }, buf[32], bytes;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (u32 i = 0; i < n; i++) {
		struct sample s = { .present = attr_of(f)->sample_type, .id = 100,
				    .time_ns = first_ns + (u64)i * step_ns,
				    .ip = 0x401000, .pid = 1, .tid = 1, .period = 1,
				    .misc = PERF_RECORD_MISC_USER,
				    .chain = chain, .chain_n = 3 };

		str_addn(&out, buf, (size_t)wire_encode_sample(attr_of(f), &s, buf, sizeof(buf)));
	}
	CHECK_EQ(write(fd, out.buf, out.len), (ssize_t)out.len);
	close(fd);
	bytes = out.len;
	str_release(&out);
	return bytes;
}

/* Files of a directory are read side by side: a third of the samples has come before the last
 * file is read. */
TEST(directories_are_merged_by_time)
{
	struct merge_watch w = { .s = { .wants = SINK_ORDER, .samples = watch_samples } };
	struct sink *sinks[] = { &w.s };
	struct stream_opts so = { .threads = 1 };
	static char none[] = "/nonexistent";
	struct os os = { .proc = none, .sys = none };
	char path[300];
	struct data_reader r;
	struct source src;
	struct stream *s;
	struct file f;
	u64 all = 0;

	done_bytes_of = &w.done_bytes;
	progress_hook(watch_progress);
	snprintf(path, sizeof(path), "%s/dir", unit_tmpdir());
	CHECK_EQ(mkdir(path, 0700), 0);
	file_begin(&f, "dir/data", SAMPLE_TYPE, true);
	add_comm(&f, 1, 0, "init", false);
	for (u32 i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/dir/data.%u", unit_tmpdir(), i);
		all += write_part(&f, path, 80000 + i * 40000, 1000 + i, 10 - i);
	}
	file_end(&f);
	snprintf(path, sizeof(path), "%s/dir", unit_tmpdir());
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	src = source_of_reader(&r);
	s = stream_new(&src, &os, &so, NULL);
	CHECK_EQ(stream_run(s, sinks, 1, NULL), 0);
	CHECK_EQ(w.n, 360000);
	CHECK_EQ(w.n_back, 0);
	CHECK(w.done_bytes >= all);
	CHECK(w.done_at_third < all * 4 / 5);
	stream_free(s);
	data_close(&r);
}

TEST(filters)
{
	struct stream_filter by_comm = { .comms = "odd,nobody" }, by_tid = { .tids = "1" },
		by_dso = { .dsos = "even" },
			     by_time = { .time = "0.001000,0.001010" },
			     by_percent = { .time = "0%-50%" };
	struct stream_stats st;
	struct file f;
	char *text;

	file_begin(&f, "events", SAMPLE_TYPE, true);
	write_events(&f);
	file_end(&f);
	text = run_file(f.path, SINK_THREAD, 2, &by_comm, &st);
	CHECK_EQ(count_lines(text, "\n"), N_ROUNDS / 2 * (PER_RING - 60));
	CHECK_EQ(st.n_filtered, f.n_samples - N_ROUNDS / 2 * (PER_RING - 60));
	free(text);
	text = run_file(f.path, SINK_THREAD, 1, &by_tid, &st);
	CHECK_EQ(count_lines(text, "\n"), N_ROUNDS * PER_RING);
	free(text);
	text = run_file(f.path, SINK_THREAD, 1, &by_dso, &st);
	CHECK_EQ(count_lines(text, "\n"), N_ROUNDS / 2 * (PER_RING - 60));
	free(text);
	text = run_file(f.path, SINK_THREAD, 1, &by_time, &st);
	CHECK_EQ(count_lines(text, "\n"), 11 + 10);
	free(text);
	text = run_file(f.path, SINK_THREAD, 2, &by_percent, &st);
	CHECK_EQ(count_lines(text, "\n"), f.n_samples / 2);
	free(text);
}

TEST(bad_filters_say_what)
{
	static const struct { struct stream_filter f; const char *msg; } bad[] = {
		{ { .time = "x,y" }, "invalid time string 'x,y'" },
		{ { .time = "20%-10%" }, "invalid time string '20%-10%'" },
		{ { .pids = "12,x" }, "invalid pid 'x'" },
	};
	struct file f;
	struct data_reader r;
	struct source src;

	file_begin(&f, "empty", SAMPLE_TYPE, true);
	file_end(&f);
	CHECK_EQ(data_open(&r, f.path, 0, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct stream_opts so = { .filter = bad[i].f };
		struct err err = ERR_INIT;
		struct os os = { 0 };

		src = source_of_reader(&r);
		CHECK(stream_new(&src, &os, &so, &err) == NULL);
		CHECK_STR(err.msg, bad[i].msg);
		err_release(&err);
	}
	data_close(&r);
}

TEST(lost_and_damaged_are_counted)
{
	struct wire_lost l = { 100, 7 };
	struct sample_id id = id_at(1, 1, 5000);
	struct stream_stats st;
	struct file f;
	u64 buf[64] = { 0 };
	struct perf_event_header *h = (void *)buf;
	char *text;

	file_begin(&f, "damaged", SAMPLE_TYPE, true);
	add_sample(&f, 1, 1, 1000, 0x401000, 100);
	add_sample(&f, 1, 1, 2000, 0x401000, 999);		/* an id of no event */
	*h = (struct perf_event_header){ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 24 };
	buf[1] = 100;
	buf[2] = 0x401000;
	add(&f, buf, 24);					/* ends before its tid */
	add(&f, buf, wire_encode_lost(attr_of(&f), &l, &id, buf, sizeof(buf)));
	file_end(&f);
	for (unsigned wants = SINK_THREAD; wants; wants = wants & SINK_ORDER ? 0 : SINK_THREAD |
	     SINK_ORDER) {
		text = run_file(f.path, wants, 2, NULL, &st);
		CHECK_EQ(count_lines(text, "\n"), 1);
		CHECK_EQ(st.n_unknown_id, 1);
		CHECK_EQ(st.n_undecodable, 1);
		CHECK(st.first_bad && strstr(st.first_bad, " at offset 0x"));
		CHECK_EQ(st.n_lost, 7);
		CHECK_EQ(st.n_lost_records, 1);
		CHECK_EQ(st.by_type[PERF_RECORD_SAMPLE], 3);
		free(st.first_bad);
		free(text);
	}
}

static void add_code(struct file *f, u64 va, u32 bytes, const char *name)
{
	const struct wire_ksymbol k = { .va = va, .bytes = bytes,
					.type = PERF_RECORD_KSYMBOL_TYPE_OOL, .name = name };
	u64 buf[64];

	add(f, buf, wire_encode_ksymbol(attr_of(f), &k,
					&(struct sample_id){ .present = PERF_SAMPLE_TIME }, buf,
					sizeof(buf)));
}

/* A return address is that of its call, but where code begins nothing was called: the kernel's
 * trampolines return into each other. */
TEST(return_addresses_where_code_begins)
{
	u64 chain[] = { (u64)PERF_CONTEXT_KERNEL, 0xffffffffc0001010, 0xffffffffc0001000,
			0xffffffffc0002040, 0xffffffffc0002000,
			0xffffffffc0003100, 0xffffffffc0004000 }, buf[64];
	struct sample s = { .present = SAMPLE_TYPE, .id = 100, .time_ns = 50, .ip = chain[1],
			    .pid = 5, .tid = 5, .period = 1,
			    .misc = PERF_RECORD_MISC_KERNEL, .chain = chain,
			    .chain_n = ARRAY_SIZE(chain) };
	struct stream_stats st;
	struct file f;
	char *text;

	file_begin(&f, "trampolines", SAMPLE_TYPE, true);
	add_code(&f, 0xffffffffc0001000, 0x100, "first");
	add_code(&f, 0xffffffffc0002000, 0x100, "second");
	add_code(&f, 0xffffffffc0003000, 0x100, "third");
	add(&f, buf, wire_encode_sample(attr_of(&f), &s, buf, sizeof(buf)));
	file_end(&f);
	text = run_file(f.path, SINK_CHAIN | SINK_SYMBOLS, 1, NULL, &st);
	CHECK_STR(text, "50 first 5 :5 first+10 first+0 second+3f second+0 third+ff -+0\n");
	free(text);
}

/* The stack that the CPU kept: calls stand where they are made, which may be where a function
 * begins. The recorded chain tells what the kernel did, and where user space was left; its callers
 * are made up. */
TEST(stacks_of_branches)
{
	u64 chain[] = { (u64)PERF_CONTEXT_KERNEL, 0xffffffffc0001010, (u64)PERF_CONTEXT_USER,
			0x400234, 0x123456789abc };
	struct perf_branch_entry calls[] = { { .from = 0x400100, .to = 0x400200 },
					     { .from = 0x400050, .to = 0x400100 } };
	u64 buf[64];

	for (int i = 0; i < 4; i++) {
		struct sample s = { .present = SAMPLE_TYPE | PERF_SAMPLE_BRANCH_STACK, .id = 100,
				    .time_ns = 50, .ip = chain[1], .pid = 5,
				    .tid = 5, .period = 1, .misc = PERF_RECORD_MISC_KERNEL,
				    .chain = chain, .chain_n = ARRAY_SIZE(chain),
				    .branch = { .n = 2, .has_hw_idx = i & 1, .hw_idx = 7,
						.entries = calls } };
		struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
						.sample_id_all = true,
						.sample_type = s.present };
		struct stream_stats st;
		struct file f;
		char *text;

		attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					  (i & 1 ? PERF_SAMPLE_BRANCH_HW_INDEX : 0);
		file_begin_attr(&f, "lbr", &attr);
		add_mmap(&f, 5, 0, 0x400000, 0x1000, 0, "/nowhere/a");
		if (i & 2) {
			s.misc = PERF_RECORD_MISC_USER;
			s.ip = 0x400230;
		}
		add(&f, buf, wire_encode_sample(attr_of(&f), &s, buf, sizeof(buf)));
		s.branch.n = 0;
		s.time_ns = 60;
		add(&f, buf, wire_encode_sample(attr_of(&f), &s, buf, sizeof(buf)));
		file_end(&f);
		text = run_file(f.path, SINK_CHAIN, 1, NULL, &st);
		CHECK_STR(text, i & 2 ? "50 first 5 :5 -+0 /nowhere/a+230 /nowhere/a+100 "
					"/nowhere/a+50\n"
				      "60 first 5 :5 -+0 /nowhere/a+234 -+0\n" :
				      "50 first 5 :5 -+0 /nowhere/a+234 /nowhere/a+100 "
				      "/nowhere/a+50\n"
				      "60 first 5 :5 -+0 /nowhere/a+234 -+0\n");
		free(text);
	}
}

/* Without times: file order, each sample sees what stood before it. */
TEST(no_times)
{
	struct stream_stats st;
	struct file f;
	char *text;

	file_begin(&f, "timeless", SAMPLE_TYPE & ~(u64)PERF_SAMPLE_TIME, true);
	add_comm(&f, 5, 0, "first", false);
	add_mmap(&f, 5, 0, 0x400000, 0x100000, 0, "/nowhere/a");
	add_sample(&f, 5, 5, 0, 0x401000, 100);
	add_comm(&f, 5, 0, "second", false);
	add_mmap(&f, 5, 0, 0x400000, 0x100000, 0, "/nowhere/b");
	add_sample(&f, 5, 5, 0, 0x401000, 100);
	file_end(&f);
	text = run_file(f.path, SINK_CHAIN, 8, NULL, &st);
	CHECK_STR(text, "0 first 5 first /nowhere/a+1000 /nowhere/a+10ff /nowhere/a+11ff\n"
			"0 first 5 second /nowhere/b+1000 /nowhere/b+10ff /nowhere/b+11ff\n");
	free(text);
}

/* A sink that adds up periods by event and task. */
static void on_periods(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct text_sink *ts = (struct text_sink *)sink;

	for (size_t i = 0; i < n; i++)
		str_addf(&ts->out, "%s %u %llu %llu\n", items[i].sample->event->name,
			 items[i].sample->tid,
			 (unsigned long long)items[i].sample->id,
			 (unsigned long long)items[i].sample->period);
}

static void add_counts(struct file *f, u32 tid, u64 t, u64 first, u64 second)
{
	u64 counts[] = { 2, first, 100, second, 101 }, buf[64];
	struct sample s = { .present = attr_of(f)->sample_type, .id = 100, .time_ns = t,
			    .ip = 0x401000, .pid = 7, .tid = tid,
			    .period = 5, .misc = PERF_RECORD_MISC_USER,
			    .read = { (const u8 *)counts, sizeof(counts) } };

	add(f, buf, wire_encode_sample(attr_of(f), &s, buf, sizeof(buf)));
}

/* A group of which the leader samples: each member whose count grew is a sample, in order of
 * time, by task. */
TEST(counts_of_groups)
{
	struct text_sink ts = { .s = { .samples = on_periods, .clone = clone_text,
				       .merge = merge_text } };
	struct sink *sinks[] = { &ts.s };
	struct stream_opts so = { .threads = 2 };
	static char none[] = "/nonexistent";
	struct os os = { .proc = none, .sys = none };
	struct data_reader r;
	struct source src;
	struct stream *s;
	struct file f;

	file_begin_read(&f, "group", PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_READ |
			PERF_SAMPLE_PERIOD, true, PERF_FORMAT_GROUP | PERF_FORMAT_ID);
	add_counts(&f, 7, 3000, 350, 4);	/* the second of its task by time */
	add_counts(&f, 7, 1000, 100, 4);
	add_counts(&f, 8, 2000, 90, 0);
	for (u64 i = 0; i < 600; i++)		/* batches that fill up between the members */
		add_counts(&f, 9, 4000 + i, i + 1, 2 * (i + 1));
	file_end(&f);
	CHECK_EQ(data_open(&r, f.path, 0, NULL), 0);
	src = source_of_reader(&r);
	s = stream_new(&src, &os, &so, NULL);
	CHECK_EQ(stream_run(s, sinks, 1, NULL), 0);
	CHECK(strstr(str_cstr(&ts.out), "first 7 100 100\nsecond 7 101 4\nfirst 8 100 90\nfirst 7 "
					"100 250\n"
			 "first 9 100 1\nsecond 9 101 2\nfirst 9 100 1\n") == str_cstr(&ts.out));
	CHECK_EQ(count_lines(str_cstr(&ts.out), "first 9 100 1\n"), 600);
	CHECK_EQ(count_lines(str_cstr(&ts.out), "second 9 101 2\n"), 600);
	CHECK_EQ(stream_get_stats(s)->n_undecodable + stream_get_stats(s)->n_unknown_id, 0);
	stream_free(s);
	data_close(&r);
	str_release(&ts.out);
}
