// SPDX-License-Identifier: GPL-2.0-or-later
// What is made of a trace: the events, and their samples as records of a file without a name.
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
#include "util/wire/synthrec.h"
#include "util/wire/wire.h"

#define ID_BASE 1000000000ULL	/* above those of the kernel */
#define CONFIG_POWER 16		/* pwr_evt */
enum { FLUSH_BYTES = 1 << 20, RECORD_BYTES = 512 + 8 * 1024 };

enum made { M_BRANCHES, M_INSNS, M_CYCLES, M_TX, M_PTWRITE, M_CBR, M_PSB, M_MWAIT, M_PWRE,
	    M_EXSTOP, M_PWRX, M_NR };

/* Of one event: the counts of its last sample. */
struct counted { u64 n_insns, n_cycles; };

/* The error that says that a file's code is missing; ns UINT64_MAX: there is none. at: of its
 * record in the file. */
struct missing { u64 ns, at; };

struct trace_writer {
	struct traces *t;
	const struct trace_code *code;
	const struct event *events[M_NR];	/* NULL: not wanted */
	struct counted last[M_NR];
	u32 only;			/* flags of which a branch must have one; 0: any */
	unsigned depth;			/* of the branch at hand */
	u64 khz;			/* of the bus, times 1 of CBR */
	/* of instructions: how many at the last sample, and when the next one is due, in ticks or
	 * instructions */
	u64 insns_at, cycles_at, next, ticks, tsc, insns_at_tsc;
	VEC(struct missing) missing;	/* by dso */
	struct hmap stacks;		/* by thread: struct trace_stack */
	u64 *chain;
	struct str out;
	struct outfile file;
	int error;
	u64 bytes, n_samples, n_errors;
};

/* ---- the events ---- */

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
};

static bool is_wanted(const struct traces *t, enum made m)
{
	const struct itrace_opts *o = t->o;
	const bool power = t->pt && t->pt->attr.config & CONFIG_POWER;

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
	case M_CBR: case M_PSB:
		return o->power;
	default:
		return o->power && power;
	}
}

static struct perf_event_attr attr_of(const struct traces *t, enum made m)
{
	const struct perf_event_attr *pt = t->pt ? &t->pt->attr : NULL;
	struct perf_event_attr a = {
		.type = kinds[m].type, .size = sizeof(a), .config = kinds[m].config,
		.sample_period = 1, .sample_id_all = 1, .read_format = PERF_FORMAT_ID,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW |
			kinds[m].sample_type,
	};

	if (t->o->chain && m != M_BRANCHES)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (pt) {
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
	u64 id = ID_BASE - 1;

	if (w->t->pt && w->t->pt->n_ids)	/* as upstream perf numbers them */
		id += w->t->pt->ids[0];
	for vec_each(e, &l->events)
		for (size_t i = 0; i < (*e)->n_ids && !w->t->pt; i++)
			id = MAX(id, (*e)->ids[i] + ID_BASE);
	for (int m = 0; m < M_NR; m++) {
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

static void set_filter(struct trace_writer *w)
{
	const struct itrace_opts *o = w->t->o;

	if (o->calls)
		w->only |= PT_F_CALL | PT_F_ASYNC | PT_F_END;
	if (o->returns)
		w->only |= PT_F_RETURN | PT_F_BEGIN;
}

/* Its name, if it must have one, goes with w->file. */
static int open_file(struct trace_writer *w, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0600 };
	const char *dir = getenv("TMPDIR");
	char *path = xasprintf("%s/perf-trace-%d", dir && *dir ? dir : "/tmp", (int)getpid());
	const int ret = outfile_open(&w->file, path, &o, err);

	if (ret)
		err_hint(err, "what is decoded of a trace goes into a file in TMPDIR");
	free(path);
	return ret;
}

void trace_writer_free(struct trace_writer *w)
{
	if (!w)
		return;
	str_release(&w->out);
	vec_free(&w->missing);
	trace_stacks_release(&w->stacks);
	free(w->chain);
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
	w->chain = xcalloc(t->o->chain_max + 1, sizeof(*w->chain));
	if (t->info.mult && t->info.max_ratio)
		w->khz = (u64)((double)(1ULL << t->info.shift) / (double)t->info.mult * 1e6 /
			       (double)t->info.max_ratio + 0.5);
	if (first)
		memcpy(w->events, first->events, sizeof(w->events));
	else
		add_events(w);
	set_filter(w);
	return w;
}

/* The largest power of two that is not more. */
static u64 power_of_two(u64 v)
{
	return v ? 1ULL << (63 - __builtin_clzll(v)) : 1;
}

static u64 period_ticks(const struct trace_writer *w)
{
	const struct itrace_opts *o = w->t->o;

	return power_of_two(o->unit == ITRACE_TICKS ? o->period :
			    (u64)((double)o->period * (double)(1ULL << w->t->info.shift) /
				  (double)w->t->info.mult));
}

void trace_writer_begin(struct trace_writer *w, struct trace_code *c)
{
	w->code = c;
	memset(w->last, 0, sizeof(w->last));
	w->insns_at = w->cycles_at = w->tsc = w->insns_at_tsc = 0;
	w->next = w->t->o->period;
	w->ticks = period_ticks(w);
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

	if (!w->t->o->errors ||
	    (code == PT_E_OVERFLOW && quiet & ITRACE_QUIET_OVERFLOW) ||
	    (code == PT_E_LOST && quiet & ITRACE_QUIET_LOST))
		return;
	snprintf(e.text, sizeof(e.text), "%s", pt_error_text(code));
	n = wire_encode_trace_error(&e, room(w), RECORD_BYTES);
	w->out.len += n > 0 ? (size_t)n : 0;
	w->n_errors++;
}

static u16 mode_of(const struct traces *t, u64 ip)
{
	return machine_is_kernel_va(t->m, ip) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
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

/* What upstream's structs of such samples have behind their first four bytes. */
struct payload { u8 bytes[12]; size_t n; };

static void put_sample(struct trace_writer *w, enum made m, const struct pt_event *e, u64 period,
		       const struct payload *p)
{
	const struct trace_who who = trace_code_who(w->code);
	const struct event *ev = w->events[m];
	struct counted *last = &w->last[m];
	struct wire_synth synth = { .flags = e->flags,
				    .depth = (u16)MIN(w->depth, (unsigned)UINT16_MAX) };
	u8 raw[sizeof(p->bytes) + sizeof(synth)];
	const size_t n = p ? p->n : 4;
	struct sample s = { .id = ev->ids[0], .time_ns = who.ns, .ip = e->from, .addr = e->to,
			    .period = period, .pid = who.pid, .tid = who.tid, .cpu = who.cpu,
			    .misc = mode_of(w->t, e->from), .raw = { raw, n + sizeof(synth) } };
	int bytes;

	if (w->t->skip) {
		w->t->skip--;
		return;
	}
	if (ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		s.chain = w->chain;
		s.chain_n = trace_stack_chain(trace_stack_of(&w->stacks, who.tid), w->t->m,
					      e->from, w->chain, w->t->o->chain_max);
	}
	if (e->insn) {
		synth.n_code = e->insn->bytes;
		memcpy(synth.code, e->insn->code, sizeof(synth.code));
	}
	if (e->n_cycles != last->n_cycles && (e->timed || w->t->o->approx_ipc) &&
	    !(e->flags & PT_F_BEGIN)) {
		synth.n_insns = e->n_insns - last->n_insns;
		synth.n_cycles = e->n_cycles - last->n_cycles;
		*last = (struct counted){ e->n_insns, e->n_cycles };
	}
	memset(raw, 0, n);
	if (p)
		memcpy(raw, p->bytes, n);
	memcpy(raw + n, &synth, sizeof(synth));
	bytes = wire_encode_sample(&ev->attr, &s, room(w), RECORD_BYTES);
	w->out.len += bytes > 0 ? (size_t)bytes : 0;
	w->n_samples++;
}

/* ---- of events ---- */

static void put_branch(struct trace_writer *w, const struct pt_event *e)
{
	const u32 tid = trace_code_who(w->code).tid;

	if (e->flags & (PT_F_CALL | PT_F_RETURN | PT_F_BEGIN | PT_F_END))
		w->depth = trace_stack_step(trace_stack_of(&w->stacks, tid), e);
	if (w->events[M_BRANCHES] && (!w->only || e->flags & w->only))
		put_sample(w, M_BRANCHES, e, 1, NULL);
}

static void put_payload(struct trace_writer *w, enum made m, const struct pt_event *e, u32 first,
			u64 then, size_t n)
{
	struct payload p = { .n = n };

	if (!w->events[m])
		return;
	memcpy(p.bytes, &first, 4);
	memcpy(p.bytes + 4, &then, 8);
	put_sample(w, m, e, 1, &p);
}

static void put_ratio(struct trace_writer *w, const struct pt_event *e)
{
	const u32 first = (u32)(e->v & 0xff) | (u32)(w->t->info.max_ratio & 0xff) << 16;

	put_payload(w, M_CBR, e, first, e->v * w->khz, 12);
}

/* Time between two packets of time is as many ticks as instructions ran; a sample is due where it
 * comes to the next multiple of the period. */
static bool is_due(struct trace_writer *w, const struct pt_event *e)
{
	u64 now;

	if (w->t->o->unit == ITRACE_INSNS) {
		if (e->n_insns < w->next)
			return false;
		w->next = e->n_insns + w->t->o->period;
		return true;
	}
	if (e->tsc_after != w->tsc) {
		w->next = w->tsc ? w->next : (e->tsc_after / w->ticks + 1) * w->ticks;
		w->tsc = e->tsc_after;
		w->insns_at_tsc = e->n_insns - 1;
	}
	now = e->tsc_after + (e->n_insns - w->insns_at_tsc);
	if (now < w->next)
		return false;
	w->next = (now / w->ticks + 1) * w->ticks;
	return true;
}

static void put_insn(struct trace_writer *w, const struct pt_event *e)
{
	if (!is_due(w, e))
		return;
	if (w->events[M_INSNS])
		put_sample(w, M_INSNS, e, e->n_insns - w->insns_at, NULL);
	w->insns_at = e->n_insns;
	if (w->events[M_CYCLES] && e->n_cycles != w->cycles_at)
		put_sample(w, M_CYCLES, e, e->n_cycles - w->cycles_at, NULL);
	w->cycles_at = e->n_cycles;
}

int trace_writer_put(void *writer, const struct pt_event *e)
{
	struct trace_writer *w = writer;
	struct trace_who who;

	switch (e->what) {
	case PT_IS_BRANCH:
		put_branch(w, e);
		break;
	case PT_IS_INSN:
		put_insn(w, e);
		break;
	case PT_IS_TX:
		if (w->events[M_TX])
			put_sample(w, M_TX, e, 1, NULL);
		break;
	case PT_IS_ERROR:
		who = trace_code_who(w->code);
		trace_writer_error(w, &who, e->from, (int)e->v);
		break;
	case PT_IS_PTWRITE:
		put_payload(w, M_PTWRITE, e, e->with_ip, e->v, 12);
		break;
	case PT_IS_CBR:
		put_ratio(w, e);
		break;
	case PT_IS_PSB:
		put_payload(w, M_PSB, e, 0, e->v, 12);
		break;
	case PT_IS_MWAIT:
		put_payload(w, M_MWAIT, e, 0, e->v, 12);
		break;
	case PT_IS_PWRE:
		put_payload(w, M_PWRE, e, 0, e->v, 12);
		break;
	case PT_IS_EXSTOP:
		put_payload(w, M_EXSTOP, e, e->with_ip, 0, 4);
		break;
	case PT_IS_PWRX:
		put_payload(w, M_PWRX, e, 0, e->v, 12);
		break;
	}
	return w->error;
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
