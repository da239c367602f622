// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User parts of call chains that come later. The first byte: bit 0 in the order of time, bit 1 two
 * threads, bits 4 to 7 how many frames at most. Then records: a byte says of which kind and thread,
 * one how many words follow, and each byte is a word (a context, a cookie, an address); of a
 * deferred record, how many words it says that it has. What is resolved are the words of the chain,
 * and in place of the mark and the cookie those of the last record before the end that has them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/abi/perf_event.h"
#include "util/base/io.h"
#include "util/base/str.h"
#include "util/data/reader.h"
#include "util/stream/stream.h"
#include "util/wire/wire.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

enum { HEADER_BYTES = 104, ATTR_BYTES = sizeof(struct perf_event_attr), MOST_WORDS = 32,
       MOST_SAMPLES = 64, MOST_FRAMES = 1024 };

struct chain { u32 tid; size_t n; u64 words[MOST_WORDS]; };
struct deferred { u64 cookie; struct chain c; };

struct fuzz {
	struct str records;
	u64 ns;
	size_t n_samples, n_deferred;
	struct chain samples[MOST_SAMPLES];
	struct deferred deferred[MOST_SAMPLES];
	int max_frames;
	u64 seen;		/* bits of samples */
};

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .size = ATTR_BYTES,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_CALLCHAIN, .sample_id_all = 1, .sample_period = 1,
};

static u64 word(u8 b)
{
	if (b >= 0xfc)
		return (u64)PERF_CONTEXT_USER;
	if (b >= 0xf8)
		return (u64)PERF_CONTEXT_KERNEL;
	if (b >= 0xe0)
		return ABI_CONTEXT_USER_DEFERRED;
	return b < 8 ? b : b < 0x80 ? 0x400000ULL + b : 0xffffffff81000000ULL + b;
}

static void add(struct fuzz *f, const void *record, size_t bytes)
{
	str_addn(&f->records, record, bytes);
}

static void add_sample(struct fuzz *f, const struct chain *c)
{
	struct sample s = { .ip = 0x400000 + f->n_samples, .pid = c->tid, .tid = c->tid,
			    .time_ns = f->ns, .chain = c->words, .chain_n = c->n,
			    .misc = PERF_RECORD_MISC_USER };
	u64 buf[MOST_WORDS + 16];
	const int bytes = wire_encode_sample(&attr, &s, buf, sizeof(buf));

	if (bytes <= 0)
		abort();
	f->samples[f->n_samples++] = *c;
	add(f, buf, (size_t)bytes);
}

static void add_deferred(struct fuzz *f, const struct chain *c, u64 cookie, u64 says)
{
	u64 w[MOST_WORDS + 8] = { 0, cookie, says };
	struct perf_event_header *h = (void *)w;

	memcpy(w + 3, c->words, 8 * c->n);
	w[3 + c->n] = (u64)c->tid << 32 | c->tid;
	w[4 + c->n] = f->ns;
	*h = (struct perf_event_header){ .type = ABI_RECORD_CALLCHAIN_DEFERRED,
					 .misc = PERF_RECORD_MISC_USER,
					 .size = (u16)(8 * (5 + c->n)) };
	if (says <= c->n + 2) {		/* its identity may be taken for words */
		struct deferred *d = &f->deferred[f->n_deferred++];

		*d = (struct deferred){ .cookie = cookie, .c = { .tid = c->tid, .n = says } };
		memcpy(d->c.words, w + 3, 8 * MIN(says, (u64)MOST_WORDS));
	}
	add(f, w, h->size);
}

static void take_records(struct fuzz *f, const u8 *p, size_t n)
{
	for (size_t at = 0; at + 3 <= n && f->n_samples < MOST_SAMPLES &&
	     f->n_deferred < MOST_SAMPLES; ) {
		const u8 kind = p[at], bytes = p[at + 1], third = p[at + 2];
		struct chain c = { .tid = 1 + (kind >> 1 & 1), .n = bytes % (MOST_WORDS - 2) };

		at += 3;
		c.n = MIN(c.n, n - at);
		for (size_t i = 0; i < c.n; i++)
			c.words[i] = word(p[at + i]);
		at += c.n;
		f->ns += 1 + (kind >> 4);
		if (kind & 1)
			add_deferred(f, &c, third & 7, third & 8 ? third >> 4 : c.n);
		else
			add_sample(f, &c);
	}
}

static const struct deferred *find(const struct fuzz *f, u32 tid, u64 cookie)
{
	for (size_t i = f->n_deferred; i--; )
		if (f->deferred[i].cookie == cookie && f->deferred[i].c.tid == tid)
			return &f->deferred[i];
	return NULL;
}

static size_t add_addresses(const struct chain *c, u64 *out, size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->words[i] < (u64)PERF_CONTEXT_MAX && n < MOST_FRAMES)
			out[n++] = c->words[i];
	return n;
}

static size_t expected(const struct fuzz *f, const struct chain *c, u64 *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const u64 w = c->words[i];
		const struct deferred *d;

		if (w == ABI_CONTEXT_USER_DEFERRED) {
			d = ++i < c->n ? find(f, c->tid, c->words[i]) : NULL;
			n = d ? add_addresses(&d->c, out, n) : n;
		} else if (w < (u64)PERF_CONTEXT_MAX && n < MOST_FRAMES) {
			out[n++] = w;
		}
	}
	return f->max_frames ? MIN(n, (size_t)f->max_frames) : n;
}

static void look(struct sink *s, const struct sink_item *items, size_t n)
{
	struct fuzz *f = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct resolved *r = items[i].res;
		const u64 at = items[i].sample->ip - 0x400000;
		u64 want[MOST_FRAMES];
		size_t n_want;

		if (at >= f->n_samples || f->seen >> at & 1)
			abort();
		f->seen |= 1ULL << at;
		n_want = expected(f, &f->samples[at], want);
		if (r->n_frames != n_want)
			abort();
		for (size_t k = 0; k < n_want; k++)
			if (r->frames[k].va != want[k])
				abort();
	}
}

static int make_file(const struct fuzz *f)
{
	const u64 head[HEADER_BYTES / 8] = {
		0x32454c4946524550ULL, HEADER_BYTES, ATTR_BYTES + 16, HEADER_BYTES,
		ATTR_BYTES + 16, HEADER_BYTES + ATTR_BYTES + 16, f->records.len,
	}, ids[2] = { 0 };
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || io_write(fd, head, sizeof(head)) || io_write(fd, &attr, sizeof(attr)) ||
	    io_write(fd, ids, sizeof(ids)) || io_write(fd, f->records.buf, f->records.len))
		abort();
	return fd;
}

static void run(struct fuzz *f, u8 how)
{
	const int fd = make_file(f);
	struct sink sink = { .wants = SINK_CHAIN | (how & 1 ? SINK_ORDER : 0), .ctx = f,
			     .samples = look };
	struct sink *sinks[] = { &sink };
	const struct stream_opts o = { .threads = how & 2 ? 2 : 1, .max_frames = f->max_frames,
				       .no_inline = true };
	struct err err = ERR_INIT;
	struct source src = { 0 };
	struct stream *s = NULL;
	struct os os;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	os_init(&os);
	if (!source_open_file(&src, path, DATA_FORCE, &err) &&
	    (s = stream_new(&src, &os, &o, &err)) != NULL && !stream_run(s, sinks, 1, &err) &&
	    __builtin_popcountll(f->seen) != (int)f->n_samples)
		abort();
	stream_free(s);
	source_close(&src);
	os_release(&os);
	err_release(&err);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct fuzz *f = calloc(1, sizeof(*f));

	if (f && n > 1) {
		f->max_frames = data[0] >> 4;
		take_records(f, data + 1, n - 1);
		if (f->records.len)
			run(f, data[0]);
		str_release(&f->records);
	}
	free(f);
	return 0;
}
