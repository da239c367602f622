/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_DATA_FIXTURE_H
#define TESTS_DATA_FIXTURE_H
/*
 * A small recording for the tests of this room: two events in a group, a comm, a mapping, and n
 * samples of known times.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/wire/user.h"

#define FIX_FIRST_NS	1000000000ULL

static inline char *fix_path(const char *name)
{
	return xasprintf("%s/%s", unit_tmpdir(), name);
}

static inline void fix_events(struct event_list *l)
{
	static const u64 ids[] = { 11, 12, 21 };
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(a), .config = PERF_COUNT_SW_CPU_CLOCK,
			.sample_freq = 4000, .freq = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1, .mmap = 1, .comm = 1,
	};

	event_list_init(l);
	event_add_ids(event_list_add(l, &a, "cpu-clock"), ids, 2);
	a.config = PERF_COUNT_SW_PAGE_FAULTS;
	event_add_ids(event_list_add(l, &a, "page-faults"), ids + 2, 1);
	l->events.v[0]->n_members = 2;
	l->events.v[1]->leader = l->events.v[0];
	event_list_index(l);
}

static inline void fix_records(const struct event_list *l, int n, struct str *out)
{
	const struct perf_event_attr *a = &l->events.v[0]->attr;
	struct sample_id id = { .pid = 100, .tid = 100, .time_ns = FIX_FIRST_NS, .id = 11 };
	struct wire_comm comm = { 100, 100, true, "worker 3" };
	struct wire_mmap map = { .pid = 100, .tid = 100, .start_va = 0x400000, .bytes = 0x1000,
				 .prot = 5, .flags = 2,
				 .path = "/usr/bin/worker" };
	u64 buf[64];

	str_addn(out, buf, (size_t)wire_encode_comm(a, &comm, &id, buf, sizeof(buf)));
	str_addn(out, buf, (size_t)wire_encode_mmap2(a, &map, PERF_RECORD_MISC_USER, &id, buf,
						     sizeof(buf)));
	for (int i = 0; i < n; i++) {
		struct sample s = { .ip = 0x400000 + (u64)i % 0x1000, .pid = 100, .tid = 100,
				    .time_ns = FIX_FIRST_NS + (u64)i * 1000, .period = 250,
				    .id = i % 3 ? 12 : 21,
				    .misc = PERF_RECORD_MISC_USER };

		str_addn(out, buf, (size_t)wire_encode_sample(a, &s, buf, sizeof(buf)));
	}
	wire_add_finished_round(out);
}

static inline void fix_features(struct data_features *f)
{
	static const char *const argv[] = { "perf", "record", "it's", "./worker" };
	static const u8 id[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
				   19, 20 };

	data_features_init(f);
	data_set_str(f, FEAT_HOSTNAME, "testhost");
	data_set_str(f, FEAT_OSRELEASE, "6.1.0");
	data_set_str(f, FEAT_VERSION, "7.2.0");
	data_set_str(f, FEAT_ARCH, "x86_64");
	f->nrcpus_online = f->nrcpus_avail = 2;
	data_set(f, FEAT_NRCPUS);
	data_set_cmdline(f, 4, argv);
	data_set_sample_time(f, FIX_FIRST_NS, FIX_FIRST_NS + 5000);
	data_add_build_id(f, id, 20, PERF_RECORD_MISC_USER, -1, "/usr/bin/worker");
}

/* Writes the recording of n samples; 0 or the writer's error. */
static inline int fix_write(const char *path, int n, const struct data_writer_opts *o,
			    struct err *err)
{
	struct event_list l;
	struct data_features f;
	struct data_writer w;
	struct str recs = STR_INIT;
	int ret;

	fix_events(&l);
	fix_features(&f);
	fix_records(&l, n, &recs);
	ret = data_writer_open(&w, path, o, err);
	if (!ret)
		ret = data_writer_events(&w, &l, (struct span){ NULL, 0 }, err);
	for (int i = FEAT_HOSTNAME; !ret && w.pipe && i <= FEAT_CMDLINE; i++)
		if (data_has(&f, i))
			ret = data_write_feature(&w, &f, i, &l, err);
	if (!ret)
		ret = data_write(&w, recs.buf, recs.len, err);
	if (!ret)
		ret = data_writer_finish(&w, &f, &l, err);
	data_writer_release(&w);
	data_features_release(&f);
	event_list_release(&l);
	str_release(&recs);
	return ret;
}

struct fix_seen { int samples, comms, maps, others, unknown; u64 last_ns, ips; };

/* Reads on to the end; what data_cursor_next() said last. */
static inline int fix_walk(struct data_reader *r, struct data_cursor *c, struct fix_seen *seen,
			   struct err *err)
{
	struct data_record rec;
	const char *reason;
	int ret;

	while ((ret = data_cursor_next(c, &rec, err)) > 0) {
		const struct event *e = event_of_record(&r->events, rec.hdr);
		struct sample s;
		struct wire_comm comm;

		CHECK_EQ((uintptr_t)rec.hdr % 8, 0);
		if (rec.hdr->type == PERF_RECORD_SAMPLE) {
			seen->samples++;
			if (!e || wire_decode_sample(&e->attr, rec.hdr, &s, &reason)) {
				seen->unknown++;
			} else {
				seen->last_ns = s.time_ns;
				seen->ips += s.ip;
			}
		} else if (rec.hdr->type == PERF_RECORD_COMM) {
			seen->comms += !wire_decode_comm(rec.hdr, &comm, &reason) &&
				!strcmp(comm.comm, "worker 3");
		} else if (rec.hdr->type == PERF_RECORD_MMAP2) {
			seen->maps++;
		} else {
			seen->others++;
		}
	}
	return ret;
}

static inline void fix_spit(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	CHECK(fd >= 0);
	CHECK_EQ(io_write(fd, bytes, n), 0);
	close(fd);
}

static inline void fix_slurp(const char *path, struct str *out)
{
	CHECK_EQ(io_read_file(path, 64 << 20, out, NULL), 0);
}

#endif
