// SPDX-License-Identifier: GPL-2.0-or-later
// The events that are made of traces, and their samples as records of a file without a name.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"
#include "util/wire/wire.h"

#define CONFIG_POWER 16		/* pwr_evt */
#define CONFIG_EVENT (1ULL << 31)	/* event */
enum { FLUSH_BYTES = 1 << 20, RECORD_BYTES = 1024 + (8 + 24) * 1024 };

/* The error that says that a file's code is missing; ns UINT64_MAX: there is none. at: of its
 * record in the file. */
struct missing { u64 ns, at; };

struct trace_writer {
	struct traces *t;
	const struct event *events[M_NR];	/* NULL: not wanted */
	VEC(struct missing) missing;	/* by dso */
	struct str out;
	struct outfile file;
	int error;
	u64 bytes, n_samples, n_errors;
};

/* ---- the events ---- */

#define SPE_SAMPLE \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT)
#define ACCESS(name) { name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, SPE_SAMPLE }

static const struct kind {
	const char *name;		/* NULL: that of the attr */
	u32 type;
	u64 config, sample_type;
} kinds[M_NR] = {
	[M_BRANCHES] = { NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
			 PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD },
	[M_INSNS] = { NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		      PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD },
	[M_CYCLES] = { NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
		       PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD },
	[M_TX] = { "transactions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0 },
	[M_PTWRITE] = { "ptwrite", WIRE_TYPE_SYNTH, WIRE_SYNTH_PTWRITE, 0 },
	[M_CBR] = { "cbr", WIRE_TYPE_SYNTH, WIRE_SYNTH_CBR, 0 },
	[M_PSB] = { "psb", WIRE_TYPE_SYNTH, WIRE_SYNTH_PSB, PERF_SAMPLE_ADDR },
	[M_MWAIT] = { "mwait", WIRE_TYPE_SYNTH, WIRE_SYNTH_MWAIT, 0 },
	[M_PWRE] = { "pwre", WIRE_TYPE_SYNTH, WIRE_SYNTH_PWRE, 0 },
	[M_EXSTOP] = { "exstop", WIRE_TYPE_SYNTH, WIRE_SYNTH_EXSTOP, 0 },
	[M_PWRX] = { "pwrx", WIRE_TYPE_SYNTH, WIRE_SYNTH_PWRX, 0 },
	[M_CONTROL] = { "evt", WIRE_TYPE_SYNTH, WIRE_SYNTH_CONTROL, 0 },
	[M_L1D_MISS] = ACCESS("l1d-miss"), [M_L1D_ACCESS] = ACCESS("l1d-access"),
	[M_LLC_MISS] = ACCESS("llc-miss"), [M_LLC_ACCESS] = ACCESS("llc-access"),
	[M_TLB_MISS] = ACCESS("tlb-miss"), [M_TLB_ACCESS] = ACCESS("tlb-access"),
	[M_SPE_BRANCH] = ACCESS("branch"), [M_REMOTE] = ACCESS("remote-access"),
	[M_MEMORY] = ACCESS("memory"),
	[M_SPE_INSNS] = { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
			  SPE_SAMPLE },
};

static bool is_wanted_of_spe(const struct itrace_opts *o, enum trace_made m)
{
	switch (m) {
	case M_L1D_MISS: case M_L1D_ACCESS:
		return o->access.l1;
	case M_LLC_MISS: case M_LLC_ACCESS:
		return o->access.llc;
	case M_TLB_MISS: case M_TLB_ACCESS:
		return o->access.tlb;
	case M_SPE_BRANCH:
		return o->branches || o->all;
	case M_REMOTE:
		return o->access.remote;
	case M_MEMORY:
		return o->access.memory;
	case M_SPE_INSNS:
		return o->insns || o->all;
	default:
		return false;
	}
}

static bool is_wanted(const struct traces *t, enum trace_made m)
{
	const struct itrace_opts *o = t->o;
	const bool power = t->pt && t->pt->attr.config & CONFIG_POWER;

	if (t->info.kind == ITRACE_ARM_SPE || m > M_CONTROL)
		return t->info.kind == ITRACE_ARM_SPE && is_wanted_of_spe(o, m);
	switch (m) {
	case M_BRANCHES:
		return o->branches || o->calls || o->returns;
	case M_INSNS:
		return o->insns;
	case M_CYCLES:
		return o->cycles;
	case M_TX:
		return o->transactions;
	case M_PTWRITE:
		return o->ptwrites;
	case M_CONTROL:
		return o->extra.interrupts && t->pt && t->pt->attr.config & CONFIG_EVENT;
	case M_CBR: case M_PSB:
		return o->power;
	default:
		return o->power && power;
	}
}

/* As it was asked, which is not always how often one comes. */
static u64 period_of(const struct traces *t, enum trace_made m)
{
	const struct itrace_opts *o = t->o;

	if (m == M_SPE_INSNS)
		return o->unit == ITRACE_INSNS ? o->period : 1;
	if (m != M_INSNS && m != M_CYCLES)
		return 1;
	return o->unit == ITRACE_NS && t->info.mult ?
		(u64)((double)o->period * (double)(1ULL << t->info.shift) /
		      (double)t->info.mult) : o->period;
}

/* Other events of SPE have no address, or that of a load alone. */
static bool has_last(enum trace_made m)
{
	return m <= M_CONTROL ? m != M_BRANCHES :
		m == M_SPE_BRANCH || m == M_MEMORY || m == M_SPE_INSNS;
}

static struct perf_event_attr attr_of(const struct traces *t, enum trace_made m)
{
	const struct perf_event_attr *pt = t->pt ? &t->pt->attr : NULL;
	struct perf_event_attr a = {
		.type = kinds[m].type, .size = sizeof(a), .config = kinds[m].config,
		.sample_period = period_of(t, m), .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW |
			kinds[m].sample_type,
	};

	if (t->o->chain && m != M_BRANCHES && m <= M_CONTROL)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (t->o->last && has_last(m)) {
		a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
	}
	if (pt) {
		a.read_format = pt->read_format;
		a.exclude_user = pt->exclude_user;
		a.exclude_kernel = pt->exclude_kernel;
		a.exclude_hv = pt->exclude_hv;
		a.exclude_host = pt->exclude_host;
		a.exclude_guest = pt->exclude_guest;
	}
	return a;
}

static void add_events(struct trace_writer *w)
{
	struct event_list *l = &w->t->r->events;
	u64 id = WIRE_SYNTH_ID_BASE - 1;

	if (w->t->pt && w->t->pt->n_ids)	/* as upstream perf numbers them */
		id += w->t->pt->ids[0];
	for vec_each(e, &l->events)
		for (size_t i = 0; i < (*e)->n_ids && !w->t->pt; i++)
			id = MAX(id, (*e)->ids[i] + WIRE_SYNTH_ID_BASE);
	for (enum trace_made m = 0; m < M_NR; m++) {
		const struct perf_event_attr a = attr_of(w->t, m);
		struct event *e;

		if (!is_wanted(w->t, m))
			continue;
		e = event_list_add(l, &a, kinds[m].name);
		e->decoded = true;
		id++;
		event_add_ids(e, &id, 1);
		w->events[m] = e;
	}
}

/* Its name, if it must have one, goes with w->file. */
static int open_file(struct trace_writer *w, struct err *err)
{
	const int ret = outfile_open_scratch(&w->file, "perf-trace", err);

	if (ret)
		err_hint(err, "what is decoded of a trace goes into a file in TMPDIR");
	return ret;
}

void trace_writer_free(struct trace_writer *w)
{
	if (!w)
		return;
	str_release(&w->out);
	vec_free(&w->missing);
	outfile_release(&w->file);
	free(w);
}

struct trace_writer *trace_writer_new(struct traces *t, const struct trace_writer *first,
				      struct err *err)
{
	struct trace_writer *w = xnew(struct trace_writer);

	if (open_file(w, err)) {
		trace_writer_free(w);
		return NULL;
	}
	w->t = t;
	if (first)
		memcpy(w->events, first->events, sizeof(w->events));
	else
		add_events(w);
	return w;
}

const struct event *trace_writer_event(const struct trace_writer *w, enum trace_made m)
{
	return w->events[m];
}

int trace_writer_status(const struct trace_writer *w)
{
	return w->error;
}

/* ---- records ---- */

static void flush(struct trace_writer *w)
{
	int ret = w->error ? 0 : io_write(w->file.fd, w->out.buf, w->out.len);

	if (ret)
		w->error = ret;
	w->bytes += w->out.len;
	str_reset(&w->out);
}

static u8 *room(struct trace_writer *w)
{
	if (w->out.len >= FLUSH_BYTES)
		flush(w);
	str_reserve(&w->out, RECORD_BYTES);
	return (u8 *)w->out.buf + w->out.len;
}

void trace_writer_error(struct trace_writer *w, const struct trace_who *who, u64 ip, int code)
{
	const unsigned quiet = w->t->o->quiet;
	struct wire_trace_error e = { .type = 1, .code = (u32)code, .cpu = who->cpu,
				      .pid = who->pid, .tid = who->tid, .format = 1, .ip = ip,
				      .time_ns = who->ns };
	int n;

	if (w->t->log)
		trace_log_error(w->t->log, who, ip, code);
	if (!w->t->o->errors ||
	    (code == PT_E_OVERFLOW && quiet & ITRACE_QUIET_OVERFLOW) ||
	    (code == PT_E_LOST && quiet & ITRACE_QUIET_LOST))
		return;
	snprintf(e.text, sizeof(e.text), "%s", pt_error_text(code));
	n = wire_encode_trace_error(&e, room(w), RECORD_BYTES);
	w->out.len += n > 0 ? (size_t)n : 0;
	w->n_errors++;
}

void trace_writer_put(struct trace_writer *w, enum trace_made m, struct sample *s,
		      const struct wire_synth *synth, struct span payload)
{
	static const u8 zero[TRACE_PAYLOAD];
	const struct event *ev = w->events[m];
	u8 raw[TRACE_PAYLOAD + sizeof(*synth)];
	const size_t n = payload.len ? MIN(payload.len, sizeof(zero)) : 4;
	int bytes;

	if (w->t->skip) {
		w->t->skip--;
		return;
	}
	memcpy(raw, payload.len ? payload.ptr : zero, n);
	memcpy(raw + n, synth, sizeof(*synth));
	s->id = ev->ids[0];
	s->raw = (struct span){ raw, n + sizeof(*synth) };
	bytes = wire_encode_sample(&ev->attr, s, room(w), RECORD_BYTES);
	w->out.len += bytes > 0 ? (size_t)bytes : 0;
	w->n_samples++;
}

/* The record becomes one that nobody looks at. */
static void drop_record(struct trace_writer *w, u64 at)
{
	const u32 type = WIRE_FINISHED_INIT;
	int ret = 0;

	if (at >= w->bytes)
		memcpy(w->out.buf + (at - w->bytes), &type, sizeof(type));
	else
		ret = io_pwrite(w->file.fd, &type, sizeof(type), at);
	if (ret)
		w->error = ret;
	w->n_errors--;
}

void trace_writer_missing(void *writer, const struct trace_who *who, u64 ip, const struct dso *d)
{
	struct trace_writer *w = writer;
	struct missing *m;

	if (!w->t->o->errors)
		return;
	while (w->missing.n <= (size_t)d->index)
		vec_push(&w->missing, ((struct missing){ UINT64_MAX, 0 }));
	m = &w->missing.v[d->index];
	if (m->ns != UINT64_MAX)
		return;
	room(w);
	*m = (struct missing){ who->ns, w->bytes + w->out.len };
	trace_writer_error(w, who, ip, PT_E_NO_CODE);
}

/* Of those that say the same of a file, each on its CPU, the first stays. */
static void settle_missing(struct trace_writer *const *v, size_t n, size_t dso)
{
	const struct missing *first = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct missing *m = dso < v[i]->missing.n ? &v[i]->missing.v[dso] : NULL;

		if (m && m->ns != UINT64_MAX && (!first || m->ns < first->ns))
			first = m;
	}
	for (size_t i = 0; i < n; i++) {
		const struct missing *m = dso < v[i]->missing.n ? &v[i]->missing.v[dso] : NULL;

		if (m && m->ns != UINT64_MAX && m != first)
			drop_record(v[i], m->at);
	}
}

static int hand_over(struct trace_writer *w, struct err *err)
{
	int fd;

	flush(w);
	if (w->error)
		return err_sys(err, -w->error, "cannot write what is decoded of the trace");
	if (!w->bytes)
		return 0;
	fd = fcntl(w->file.fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return err_sys(err, errno, "cannot read what is decoded of the trace");
	data_add_records(w->t->r, fd, w->bytes);
	return 0;
}

int trace_writers_finish(struct trace_writer *const *v, size_t n, struct inject_traces *out,
			 struct err *err)
{
	size_t n_dsos = 0;
	int ret = 0;

	for (size_t i = 0; i < n; i++)
		n_dsos = MAX(n_dsos, v[i]->missing.n);
	for (size_t d = 0; d < n_dsos; d++)
		settle_missing(v, n, d);
	for (size_t i = 0; i < n && !ret; i++) {
		ret = hand_over(v[i], err);
		out->n_samples += v[i]->n_samples;
		out->n_errors += v[i]->n_errors;
		out->bytes += v[i]->bytes;
	}
	return ret;
}
