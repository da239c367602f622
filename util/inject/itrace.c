// SPDX-License-Identifier: GPL-2.0-or-later
// Traces of CPUs: which tasks and buffers there are, and the decoding of one after the other.
#include "util/inject/itrace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/io.h"
#include "util/base/pool.h"
#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"
#include "util/stream/stream.h"
#include "util/wire/user.h"

enum { MOST_CPUS = 1 << 16, INFO_WORDS = 16, AUX_TRUNCATED = 1, MAX_JUMPS = 100000 };
#define SPE_CPU_MAGIC 0x1010101010101010ULL

/* ---- the first pass ---- */

static void add_switch(struct traces *t, u32 cpu, u64 ns, u32 pid, u32 tid)
{
	if (cpu >= MOST_CPUS)
		return;
	while (t->switches.n <= cpu)
		vec_push(&t->switches, ((trace_switches){ 0 }));
	vec_push(&t->switches.v[cpu], ((struct trace_switch){ ns, pid, tid }));
}

static void take_switch(struct traces *t, const struct perf_event_header *rec,
			const struct sample_id *id)
{
	struct wire_switch s;
	const char *reason;

	if (wire_decode_switch(rec, &s, &reason) < 0)
		return;
	if (!s.out)
		add_switch(t, id->cpu, id->time_ns, id->pid, id->tid);
	else if (s.cpu_wide)
		add_switch(t, id->cpu, id->time_ns, s.next_prev_pid, s.next_prev_tid);
	else
		add_switch(t, id->cpu, id->time_ns, (u32)-1, (u32)-1);
}

static void take_start(struct traces *t, const struct perf_event_header *rec,
		       const struct sample_id *id)
{
	struct rd r;
	u32 pid, tid;

	rd_init(&r, rec + 1, rec->size - sizeof(*rec), false);
	pid = rd_u32(&r);
	tid = rd_u32(&r);
	if (!rd_failed(&r))
		add_switch(t, id->cpu, id->time_ns, pid, tid);
}

static void take_aux(struct traces *t, const struct perf_event_header *rec,
		     const struct sample_id *id)
{
	struct rd r;
	u64 flags;

	rd_init(&r, rec + 1, rec->size - sizeof(*rec), false);
	rd_skip(&r, 16);
	flags = rd_u64(&r);
	if (!rd_failed(&r) && flags & AUX_TRUNCATED)
		vec_push(&t->losses, ((struct trace_who){ id->time_ns, id->pid, id->tid,
							  id->cpu }));
}

static void take_pt_info(struct trace_info *i, struct rd *r)
{
	u64 w[INFO_WORDS];

	for (size_t k = 0; k < INFO_WORDS; k++)
		w[k] = rd_u64(r);
	if (rd_failed(r) || w[1] > 63)
		return;
	*i = (struct trace_info){ .kind = ITRACE_INTEL_PT, .pmu = (u32)w[0], .shift = w[1],
				  .mult = w[2], .zero = w[3], .has_zero = w[4], .snapshot = w[8],
				  .per_cpu = w[9], .mtc_bits = w[11], .ctc_num = w[12],
				  .ctc_den = w[13], .max_ratio = w[15] };
}

/* Behind the header, for each CPU: a magic number, the CPU, how many words follow, MIDR_EL1 ... */
static void take_spe_cpus(struct trace_info *i, struct rd *r, u64 n)
{
	for (u64 k = 0; k < n && !rd_failed(r); k++) {
		const u64 magic = rd_u64(r), cpu = rd_u64(r), n_words = rd_u64(r);
		const u64 midr = n_words ? rd_u64(r) : 0;

		if (rd_failed(r) || magic != SPE_CPU_MAGIC || cpu >= MOST_CPUS ||
		    n_words > INFO_WORDS)
			return;
		while (i->midr.n <= cpu)
			vec_push(&i->midr, 0);
		i->midr.v[cpu] = midr;
		if (n_words > 1)
			rd_skip(r, 8 * (n_words - 1));
	}
}

/* Two words in old files: the PMU, and whether there is a buffer a CPU. Else the version, the size
 * of the header, the PMU, and how many CPUs follow. */
static void take_spe_info(struct trace_info *i, struct rd *r, size_t bytes)
{
	const u64 first = rd_u64(r), second = rd_u64(r);
	u64 n;

	if (rd_failed(r))
		return;
	i->kind = ITRACE_ARM_SPE;
	i->pmu = (u32)first;
	if (bytes <= 16)
		return;
	i->pmu = (u32)rd_u64(r);
	n = rd_u64(r);
	if (second > 4 && second <= INFO_WORDS)
		rd_skip(r, 8 * (second - 4));
	take_spe_cpus(i, r, n);
}

static void take_info(struct traces *t, const struct perf_event_header *rec)
{
	const size_t bytes = rec->size - sizeof(*rec);
	struct rd r;
	u32 kind;

	rd_init(&r, rec + 1, bytes, false);
	kind = rd_u32(&r);
	rd_skip(&r, 4);
	if (t->info.kind || rd_failed(&r))
		return;
	if (kind == ITRACE_INTEL_PT)
		take_pt_info(&t->info, &r);
	else if (kind == ITRACE_ARM_SPE)
		take_spe_info(&t->info, &r, bytes - 8);
}

static void take_clock(struct traces *t, const struct perf_event_header *rec)
{
	struct rd r;
	u64 w[5];
	bool wraps;

	rd_init(&r, rec + 1, rec->size - sizeof(*rec), false);
	for (size_t k = 0; k < ARRAY_SIZE(w); k++)
		w[k] = rd_failed(&r) || rd_left(&r) < 8 ? 0 : rd_u64(&r);
	wraps = rd_left(&r) >= 2 && (rd_u8(&r), rd_u8(&r));
	if (w[0] > 63)
		return;
	t->clock = (struct trace_info){ .shift = w[0], .mult = w[1], .zero = w[2], .cycles = w[3],
					.mask = wraps ? w[4] : 0, .has_zero = true };
}

static struct trace_queue *queue_of(struct traces *t, const struct wire_auxtrace *a)
{
	for vec_each(q, &t->queues)
		if (q->idx == a->idx)
			return q;
	vec_push(&t->queues, ((struct trace_queue){ .idx = a->idx, .cpu = a->cpu,
						    .tid = a->tid }));
	return vec_last(&t->queues);
}

static void take_buffer(struct traces *t, const struct perf_event_header *rec, u64 file_off)
{
	struct wire_auxtrace a;
	const char *reason;

	if (wire_decode_auxtrace(rec, &a, &reason) < 0 || !a.bytes)
		return;
	vec_push(&queue_of(t, &a)->buffers,
		 ((struct trace_buffer){ a.off, file_off + rec->size, a.bytes }));
}

static void on_record(struct sink *s, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 file_off)
{
	struct traces *t = s->ctx;

	switch (rec->type) {
	case PERF_RECORD_SWITCH: case PERF_RECORD_SWITCH_CPU_WIDE:
		take_switch(t, rec, id);
		break;
	case PERF_RECORD_ITRACE_START:
		take_start(t, rec, id);
		break;
	case PERF_RECORD_AUX:
		take_aux(t, rec, id);
		break;
	case WIRE_AUXTRACE_INFO:
		take_info(t, rec);
		break;
	case WIRE_TIME_CONV:
		take_clock(t, rec);
		break;
	case WIRE_AUXTRACE:
		take_buffer(t, rec, file_off);
		break;
	}
}

/* ---- the traces ---- */

static struct pt_setup setup_of(const struct traces *t)
{
	const struct trace_info *i = &t->info;
	const u64 mask = i->mtc_bits;
	struct pt_setup s = {
		.ctc_num = (u32)i->ctc_num, .ctc_den = (u32)i->ctc_den,
		.max_ratio = (u8)i->max_ratio, .quick = t->o->quick, .max_jumps = MAX_JUMPS,
		.every_insn = t->o->insns || t->o->cycles,
	};

	if (mask && t->pt)
		s.mtc_shift = (u8)((t->pt->attr.config & mask) >> __builtin_ctzll(mask)) & 15;
	return s;
}

/* Buffers that follow each other are one trace. */
static size_t run_length(const struct traces *t, const struct trace_queue *q, size_t from)
{
	size_t n = 1;

	while (!t->info.snapshot && from + n < q->buffers.n &&
	       q->buffers.v[from + n].off == q->buffers.v[from + n - 1].off +
	       q->buffers.v[from + n - 1].bytes)
		n++;
	return n;
}

static int read_run(const struct traces *t, const struct trace_buffer *b, size_t n, struct str *out,
		    struct err *err)
{
	const int fd = t->r->files.v[0].fd;

	str_reset(out);
	for (size_t i = 0; i < n; i++) {
		ssize_t got;

		str_reserve(out, b[i].bytes + 1);
		got = io_pread(fd, out->buf + out->len, b[i].bytes, b[i].file_off);
		if (got < 0)
			return err_sys(err, (int)-got, "%s: cannot read at offset 0x%llx",
				       t->r->path, (unsigned long long)b[i].file_off);
		out->len += (size_t)got;
	}
	return 0;
}

/* Each queue by itself, several at once. */
struct decoding {
	struct traces *t;
	struct trace_writer **writers;	/* one more than queues: for what is of none */
	struct err *errs;
};

/* One decoder, of a queue. */
struct decoder {
	struct traces *t;
	struct trace_writer *w;
	struct trace_code *code;
	struct trace_samples *samples;
	struct pt_decoder *pt;		/* NULL: it is ARM SPE */
};

static void decoder_init(struct decoder *d, struct traces *t, const struct trace_queue *q,
			 struct trace_writer *w)
{
	const struct pt_setup setup = setup_of(t);

	*d = (struct decoder){ .t = t, .w = w };
	d->code = trace_code_new(t, q, trace_writer_missing, w);
	if (t->info.kind != ITRACE_INTEL_PT)
		return;
	d->samples = trace_samples_new(t, q, w, d->code);
	d->pt = pt_decoder_new(&setup, &(struct pt_env){ trace_code_insn, trace_code_at,
							 trace_samples_put, d->code, d->samples,
							 t->log ? trace_log_packet : NULL,
							 t->log });
}

static void decoder_release(struct decoder *d)
{
	pt_decoder_free(d->pt);
	trace_samples_free(d->samples);
	trace_code_free(d->code);
}

static int decode_queue(struct traces *t, const struct trace_queue *q, struct trace_writer *w,
			struct err *err)
{
	struct decoder d;
	struct str bytes = STR_INIT;
	int ret = 0;

	decoder_init(&d, t, q, w);
	for (size_t i = 0, n; i < q->buffers.n && !ret; i += n) {
		const u64 off = q->buffers.v[i].off;

		n = run_length(t, q, i);
		ret = read_run(t, &q->buffers.v[i], n, &bytes, err);
		if (!ret && d.pt)
			ret = pt_decode(d.pt, (const u8 *)bytes.buf, bytes.len, off);
		else if (!ret)
			ret = trace_spe_decode(t, w, d.code,
					       (struct span){ (const u8 *)bytes.buf, bytes.len },
					       off);
	}
	trace_samples_end(d.samples);
	decoder_release(&d);
	str_release(&bytes);
	return ret;
}

static void decode_item(void *ctx, size_t i, unsigned worker UNUSED)
{
	struct decoding *d = ctx;

	decode_queue(d->t, &d->t->queues.v[i], d->writers[i], &d->errs[i]);
}

static void report_losses(struct traces *t, struct trace_writer *w)
{
	for vec_each(l, &t->losses)
		trace_writer_error(w, l, 0, PT_E_LOST);
}

static int make_writers(struct decoding *d, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		d->writers[i] = trace_writer_new(d->t, i ? d->writers[0] : NULL, err);
		if (!d->writers[i])
			return -err->code;
	}
	return 0;
}

static int run_all(struct decoding *d, struct inject_traces *out, struct err *err)
{
	const size_t n = d->t->queues.n;
	struct pool *pool = pool_new(d->t->skip || d->t->log ? 1 : 0);
	int ret = 0;

	pool_run(pool, n, decode_item, d);
	pool_free(pool);
	report_losses(d->t, d->writers[n]);
	for (size_t i = 0; i < n && !ret; i++)
		if (d->errs[i].code)
			ret = err_set(err, d->errs[i].code, "%s", d->errs[i].msg);
	return ret ? ret : trace_writers_finish(d->writers, n + 1, out, err);
}

static int decode_all(struct traces *t, struct inject_traces *out, struct err *err)
{
	const size_t n = t->queues.n + 1;
	struct decoding d = { .t = t };
	int ret, closed;

	for vec_each(e, &t->r->events.events)
		if ((*e)->attr.type == t->info.pmu && !t->pt)
			t->pt = *e;
	ret = trace_log_open(t->o, &t->log, err);
	if (ret)
		return ret;
	d.writers = xcalloc(n, sizeof(*d.writers));
	d.errs = xcalloc(n, sizeof(*d.errs));
	ret = make_writers(&d, n, err);
	if (!ret)
		ret = run_all(&d, out, err);
	for (size_t i = 0; i < n; i++) {
		trace_writer_free(d.writers[i]);
		err_release(&d.errs[i]);
	}
	free(d.writers);
	free(d.errs);
	closed = trace_log_close(t->log, ret ? NULL : err);
	return ret ? ret : closed;
}

static void traces_release(struct traces *t)
{
	for vec_each(q, &t->queues)
		vec_free(&q->buffers);
	for vec_each(s, &t->switches)
		vec_free(s);
	vec_free(&t->queues);
	vec_free(&t->switches);
	vec_free(&t->losses);
	vec_free(&t->info.midr);
	trace_asked_release(t);
}

bool inject_has_traces(const struct data_reader *r)
{
	return !r->stream && !r->swap && r->files.n &&
		(data_has(&r->feat, FEAT_AUXTRACE) || data_aux_kind(r));
}

/* What the first pass saw is enough to decode. */
static int settle(struct traces *t, struct err *err)
{
	const struct itrace_opts *o = t->o;

	if (t->info.kind != ITRACE_ARM_SPE)
		return t->info.kind && t->info.has_zero;
	t->info.shift = t->clock.shift;
	t->info.mult = t->clock.has_zero && t->clock.mult ? t->clock.mult : 1;
	t->info.zero = t->clock.zero;
	t->info.cycles = t->clock.cycles;
	t->info.mask = t->clock.mask;
	if (!o->insns || !o->unit_typed || o->unit == ITRACE_INSNS)
		return 1;
	err_set(err, EINVAL, "--itrace: a trace of ARM SPE has no period of time");
	err_hint(err, "i10i takes each tenth of its samples");
	return -EINVAL;
}

int inject_decode_traces(struct data_reader *r, const struct os *os, const struct itrace_opts *o,
			 const struct symbols_opts *symbols, struct inject_traces *out,
			 struct err *err)
{
	const struct stream_opts so = { .threads = 1, .symbols = *symbols };
	const struct source src = source_of_reader(r);
	struct traces t = { .r = r, .o = o, .skip = o->skip };
	const bool asked = o->extra.chain_all || o->extra.last_all;
	struct sink sink = { .wants = SINK_ORDER | SINK_SIDEBAND | SINK_THREAD, .ctx = &t,
			     .record = on_record,
			     .samples = asked ? trace_asked_samples : NULL };
	struct sink *sinks[] = { &sink };
	struct stream *s = stream_new(&src, os, &so, err);
	int ret = s ? stream_run(s, sinks, 1, err) : -EINVAL;

	*out = (struct inject_traces){ 0 };
	if (!ret)
		ret = settle(&t, err);
	if (ret > 0) {
		t.m = stream_machine(s);
		ret = decode_all(&t, out, err);
		out->found = true;
		if (!ret)
			data_aux_is_decoded(r);
		if (!ret && asked)
			trace_asked_finish(&t, &out->given);
	}
	traces_release(&t);
	stream_free(s);
	return ret;
}
