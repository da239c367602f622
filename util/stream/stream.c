// SPDX-License-Identifier: GPL-2.0-or-later
/*
 *  1. Each record reaches machine_apply exactly once.
 *  2. Within one ring or file chunk records keep their order; across them order is by time, ties by
 *     place in the file.
 *  3. A sample at t is resolved only against versions valid at t.
 *  4. After freeze nothing in machine changes, and nothing in a loaded symbol table.
 *  5. A batch's memory dies when the last sink returned.
 *  6. Merge order is chunk order, so output does not depend on the number of threads.
 *  7. Lost, skipped, unordered and undecodable records are counted in struct stream_stats, never
 *     printed here.
 *  8. Records without time take the time of the last timed record; a recording without times runs
 *     in file order, in one thread.
 *
 * Files that can be read twice: pass 1 collects side-band (and, for order, the least time of each
 * block of records), the machine is frozen, pass 2 is parallel.ed by chunks, or ordered: a record
 * is handed out when no later block has an older one, so nothing is ever out of order, and only as
 * much is held as the rings were apart (runs are short, because one of samples with stack
 * dumps shall fit into the cache: 512 of them are 4 MB). The records of one mapped file stay where
 * they are: pass 1 puts all of them in order, and the next to touch one is the worker that it goes
 * to. What cannot be read twice runs by the FINISHED_ROUND records, with the machine changing as it
 * goes. Sinks that want order but no threads need no machine: the file is read once, in order by
 * its rounds, unless it has none.
 */
#include "util/stream/stream-priv.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "include/abi/perf_event.h"
#include "util/base/num.h"
#include "util/base/progress.h"
#include "util/machine/running.h"
#include "util/stream/stitch.h"
#include "util/symbols/embedded.h"
#include "util/wire/offcpurec.h"
#include "util/wire/user.h"

enum {
	READ_BATCH = 256, BLOCK_RECORDS = 512, SLICE = 1024, TAKE_BATCH = 32 * SLICE,
		WINDOW_BYTES = 4 << 20,
	LARGE_BYTES = 4096, LARGE_SLICE = 128, KEEP_BYTES = 24 << 20,
	NO_ROUNDS_BYTES = 64 << 20, CHUNKS_PER_THREAD = 4, INDEX_BATCH = 2048, INDEX_SHARE = 256,
	INDEX_FREE = 1 << 16, MAX_BRANCH_REGISTERS = 1024,
};

#define TYPE_BIT(t) (1ULL << (t))
#define MACHINE_TYPES (TYPE_BIT(PERF_RECORD_MMAP) | TYPE_BIT(PERF_RECORD_MMAP2) | \
		       TYPE_BIT(PERF_RECORD_COMM) | TYPE_BIT(PERF_RECORD_FORK) | \
		       TYPE_BIT(PERF_RECORD_EXIT) | TYPE_BIT(PERF_RECORD_KSYMBOL) | \
		       TYPE_BIT(PERF_RECORD_CGROUP) | TYPE_BIT(PERF_RECORD_NAMESPACES))

#define SWITCH_TYPES (TYPE_BIT(PERF_RECORD_SWITCH) | TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE))

static bool is_for_machine(const struct stream *s, const struct perf_event_header *h)
{
	const u64 types = MACHINE_TYPES | (s->opts.count_running ? SWITCH_TYPES : 0);

	return h->type < 64 && types >> h->type & 1;
}

/* ---- life ---- */

static void set_build_ids(struct stream *s)
{
	if (!s->src.env)
		return;
	for vec_each(b, &s->src.env->build_ids) {
		struct build_id id = { .n = MIN(b->bytes, (u8)sizeof(id.bytes)) };
		u16 mode = b->misc & PERF_RECORD_MISC_CPUMODE_MASK;

		memcpy(id.bytes, b->id, id.n);
		if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_USER)
			dso_store_set_build_id(s->dsos, b->path, mode == PERF_RECORD_MISC_KERNEL,
					       &id);
	}
}

/* Damaged ones are no reason to do without the samples. */
static void set_embedded(struct stream *s)
{
	const struct span names = s->src.env ? data_raw_section(s->src.env, FEAT_EMBEDDED) :
					       (struct span){ NULL, 0 };
	struct err err = ERR_INIT;

	if (names.len && dso_store_set_embedded(s->dsos, names, s->src.swap, &err) && s->r)
		data_warn(s->r, NULL, "%s: %s", s->r->path, err.msg);
	err_release(&err);
}

static bool check_unwinder(struct stream *s, struct err *err)
{
	struct unwind_opts o = { .engine = s->opts.unwind_engine };
	struct unwind_ctx *c = o.engine ? unwind_new(s->m, &o, err) : NULL;
	bool ok = !o.engine || c;

	unwind_free(c);
	return ok;
}

/* A recording in a directory may have the kernel beside it. What the user names comes first. */
static void use_kcore_dir(struct stream *s)
{
	struct symbols_opts *o = &s->opts.symbols;
	char *path = s->r && s->r->dir ? xasprintf("%s/kcore_dir/kallsyms", s->r->path) : NULL;

	if (path && !o->kallsyms && !o->vmlinux && access(path, R_OK) == 0) {
		s->kcore_dir = path;
		o->kallsyms = path;
	} else {
		free(path);
	}
}

/* Again as long as a pipe did not say it. */
static void note_machine(struct stream *s)
{
	const struct data_features *f = s->src.env;

	if (s->known.noted)
		return;
	s->known.noted = !f || (f->hostname && f->osrelease);
	if (!f)
		dso_store_set_this_machine(s->dsos);
	else
		dso_store_set_machine(s->dsos, f->hostname, f->osrelease);
}

#define ARCH_ASKED 16	/* binaries that are opened for it */

static void note_arch(struct stream *s)
{
	const char *name = s->src.env ? s->src.env->arch : NULL;

	if (!s->known.arch_asked || !name || !*name)
		return;
	machine_set_arch(s->m, arch_recorded(name));
	s->known.arch_asked = 0;
}

/* A recording that does not say it: a program that it mapped does. One of 32 bits may run on the
 * 64-bit machine that is taken for granted. */
static void note_arch_of(struct stream *s, const struct perf_event_header *hdr, u64 time_ns)
{
	const struct arch_info *now = machine_arch(s->m), *a;
	const struct mapping *map;
	struct wire_mmap m;
	struct thread *th;
	struct dso_isa isa;
	const char *reason;

	if ((hdr->type != PERF_RECORD_MMAP && hdr->type != PERF_RECORD_MMAP2) ||
	    (hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
	    wire_decode_mmap(hdr, &m, &reason) < 0 || m.path[0] != '/')
		return;
	th = machine_thread_at(s->m, m.pid, m.tid, time_ns);
	map = th ? space_find(thread_space_at(th, time_ns), m.start_va, time_ns) : NULL;
	if (!map || !map->dso || !dso_isa(map->dso, &isa)) {
		s->known.arch_asked--;
		return;
	}
	s->known.arch_asked = 0;
	a = arch_by_elf(isa.machine, isa.is64, isa.big_endian);
	if (!isa.is64 && (isa.machine == EM_386 ? now->elf_machine == EM_X86_64 :
			  isa.machine == EM_ARM && now->elf_machine == EM_AARCH64))
		return;
	machine_set_arch(s->m, a ? a : arch_recorded("unknown"));
}

/* Pipes may bring events, and what their fields are called, at any time. */
static int bind_where(struct stream *s, struct err *err)
{
	return s->filter.where ? where_bind(s->filter.where, s->src.events, s->src.swap,
					    s->r && !s->src.once, err) : 0;
}

struct stream *stream_new(const struct source *source, const struct os *os,
			  const struct stream_opts *opts, struct err *err)
{
	struct stream *s = xnew(struct stream);
	struct machine_opts mo = { .keep_comm_after_exit = true };

	s->src = *source;
	s->r = source->reader;
	s->opts = *opts;
	s->st.first_ns = UINT64_MAX;
	s->bad_off = UINT64_MAX;
	pthread_mutex_init(&s->lock, NULL);
	if (filter_init(&s->filter, &s->opts.filter, err) < 0 || bind_where(s, err) < 0) {
		stream_free(s);
		return NULL;
	}
	/* a file and its debug file for each binary that was hit stay open */
	os_want_fds(4096);
	use_kcore_dir(s);
	s->opts.symbols.recorded_until_s = source->mtime_s;
	s->dsos = dso_store_new(os, &s->opts.symbols);
	note_machine(s);
	set_embedded(s);
	mo.swap = source->swap;
	mo.arch = mo.swap ? arch_recorded("unknown") : arch_host();
	s->m = machine_new(s->dsos, &mo);
	s->known.arch_asked = source->env ? ARCH_ASKED : 0;
	note_arch(s);
	if (s->opts.count_running)
		machine_count_running(s->m);
	set_build_ids(s);
	if (guests_init(&s->guests, &s->opts.guests, os, &s->opts.symbols, err) < 0 ||
	    !check_unwinder(s, err)) {
		stream_free(s);
		return NULL;
	}
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	machine_free(s->m);
	guests_release(&s->guests);
	if (s->dsos)
		dso_store_free(s->dsos);
	free(s->kcore_dir);
	filter_release(&s->filter);
	deferred_chains_release(&s->deferred);
	read_counts_free(s->reads);
	vec_free(&s->skip);
	free(s->st.first_bad);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct machine *stream_machine(struct stream *s)
{
	return s->m;
}

struct dso_store *stream_dsos(struct stream *s)
{
	return s->dsos;
}

const struct stream_stats *stream_get_stats(const struct stream *s)
{
	return &s->st;
}

/* ---- times ---- */

/* Where the times are; again when a pipe brought more events. true: it did. */
static bool note_events(struct stream *s)
{
	const struct event_list *l = s->src.events;

	if (s->events_noted && l->version == s->events_version)
		return false;
	s->events_noted = true;
	s->events_version = l->version;
	s->lookup = event_get_lookup(l);
	if (s->src.once)
		s->lookup.n_ids = 0;
	if (s->filter.where)
		where_bind(s->filter.where, l, s->src.swap, false, NULL);
	if (!s->reads && stream_has_reads(l))
		s->reads = read_counts_new();
	s->untimed = true;
	s->time_pos = -1;
	for (size_t i = 0; i < l->events.n; i++) {
		const struct perf_event_attr *a = &l->events.v[i]->attr;
		int pos = wire_sample_time_pos(a);

		if (pos >= 0 && a->sample_id_all)
			s->untimed = false;
		s->time_pos = i == 0 || s->time_pos == pos ? pos : -1;
	}
	return true;
}

/* ---- side-band ---- */

/* Whose context switch it is stands in the record's trailing id. */
static void note_running(struct stream *s, const struct raw_rec *rec)
{
	const struct event *ev = event_of_record(s->src.events, rec->hdr);
	struct sample_id id = { 0 };
	const char *reason;

	if (ev && !wire_decode_id(&ev->attr, rec->hdr, &id, &reason) &&
	    id.present & PERF_SAMPLE_TID)
		machine_note_running(s->m, rec->hdr, id.tid, rec->time_ns, rec->off);
}

static void apply(struct stream *s, const struct raw_rec *rec)
{
	const char *reason = NULL;

	if (s->opts.count_running)
		note_running(s, rec);
	guests_apply(&s->guests, rec->hdr, rec->time_ns);
	if (machine_apply(s->m, rec->hdr, rec->time_ns, &reason) < 0)
		stream_note_bad(&s->st, &s->bad_off, rec, reason);
	else if (s->known.arch_asked)
		note_arch_of(s, rec->hdr, rec->time_ns);
}

static void apply_build_id(struct stream *s, const struct perf_event_header *hdr)
{
	struct wire_build_id b;
	const char *reason;
	struct build_id id;
	u16 mode;

	if (wire_decode_build_id(hdr, &b, &reason) < 0)
		return;
	id.n = MIN(b.bytes, (u8)sizeof(id.bytes));
	memcpy(id.bytes, b.id, id.n);
	mode = b.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	dso_store_set_build_id(s->dsos, b.path, mode == PERF_RECORD_MISC_KERNEL, &id);
}

/* One file of the recording: all of it, or in a directory the part of some rings. Each has its
 * own run of times. */
struct input {
	/* by block of BLOCK_RECORDS records: the oldest time in it; made into the oldest from it
	 * on */
	VEC(u64) least;
	u64 n, last_ns;		/* records so far, time of the last timed one */
	struct round_times times;
	struct data_cursor c;
	bool ended;
};

struct scan {
	struct order sideband;
	struct input *inputs;
	size_t n_inputs;
	u64 first_ns, end_ns;	/* of samples */
	bool samples;		/* look at samples too */
	struct ordered *index;	/* where all records go, too; NULL: they are to be read once more */
};

/* When it is read, before it has its turn. */
static void note_deferred(struct stream *s, const struct perf_event_header *hdr)
{
	const struct event *ev = hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED ?
		event_of_record(s->src.events, hdr) : NULL;

	if (ev)
		deferred_chains_add(&s->deferred, &ev->attr, hdr);
}

/* ---- below: ordered ---- */
static bool index_begin(struct stream *s, struct ordered *od, const struct data_cursor *c);
static bool index_record(struct stream *s, struct ordered *od, struct input *input,
			 const struct data_record *rec);
static void index_drop(struct stream *s, struct ordered *od);

static void scan_release(struct scan *sc)
{
	for (size_t i = 0; i < sc->n_inputs; i++)
		vec_free(&sc->inputs[i].least);
	free(sc->inputs);
	order_release(&sc->sideband);
}

static void scan_record(struct stream *s, struct scan *sc, const struct data_record *rec)
{
	struct input *input = &sc->inputs[rec->file];
	u64 t = stream_record_time(s, rec->hdr, input->last_ns);
	bool is_sample = rec->hdr->type == PERF_RECORD_SAMPLE;

	if (rec->hdr->type == WIRE_HEADER_BUILD_ID)
		apply_build_id(s, rec->hdr);
	note_deferred(s, rec->hdr);
	if (is_for_machine(s, rec->hdr))
		order_add(&sc->sideband, rec->hdr, rec->off, rec->stays, t, NULL);
	if (input->n++ % BLOCK_RECORDS == 0)
		vec_push(&input->least, UINT64_MAX);
	if (is_sample && t < OFFCPU_SUMS_NS) {
		sc->first_ns = MIN(sc->first_ns, t);
		sc->end_ns = MAX(sc->end_ns, t);
	}
	/* synthesized and user space's records have no time of their own: they shall not hold
	 * back the rest */
	if (is_sample || (t && stream_is_timed(rec->hdr)))
		*vec_last(&input->least) = MIN(*vec_last(&input->least), t);
	input->last_ns = t;
}

static int scan_file(struct stream *s, struct scan *sc, struct err *err)
{
	struct data_cursor c;
	struct data_record *recs = xcalloc(READ_BATCH, sizeof(*recs));
	int n;

	data_cursor_init(&c, s->r);
	if (!sc->samples)
		c.want_kernel &= ~TYPE_BIT(PERF_RECORD_SAMPLE);
	if (sc->index && !index_begin(s, sc->index, &c))
		sc->index = NULL;
	while ((n = data_cursor_batch(&c, recs, READ_BATCH, err)) > 0) {
		for (int i = 0; i < n; i++) {
			struct input *input = &sc->inputs[recs[i].file];
			u64 last_ns = input->last_ns;

			scan_record(s, sc, &recs[i]);
			if (!sc->index)
				continue;
			input->last_ns = last_ns;
			if (index_record(s, sc->index, input, &recs[i]))
				continue;
			index_drop(s, sc->index);
			sc->index = NULL;
		}
	}
	stream_note_compressed(&s->st, &c);
	data_cursor_release(&c);
	free(recs);
	for (size_t k = 0; k < sc->n_inputs; k++) {
		struct input *input = &sc->inputs[k];

		for (size_t i = input->least.n; i-- > 1;)
			input->least.v[i - 1] = MIN(input->least.v[i - 1], input->least.v[i]);
		input->n = input->last_ns = 0;
		memset(&input->times, 0, sizeof(input->times));
	}
	return n;
}

static int prepare(struct stream *s, struct scan *sc, struct err *err)
{
	const struct data_features *f = &s->r->feat;
	struct raw_rec rec;
	int ret;

	order_init(&sc->sideband);
	sc->n_inputs = s->r->files.n;
	sc->inputs = xcalloc(sc->n_inputs ? sc->n_inputs : 1, sizeof(*sc->inputs));
	sc->first_ns = UINT64_MAX;
	sc->samples |= s->filter.needs_bounds &&
		!(data_has(f, FEAT_SAMPLE_TIME) && f->last_sample_ns);
	ret = scan_file(s, sc, err);
	if (ret < 0)
		return ret;
	while (order_take(&sc->sideband, UINT64_MAX, &rec, 1)) {
		apply(s, &rec);
		order_done(&sc->sideband, &rec, 1);
	}
	order_release(&sc->sideband);
	machine_freeze(s->m);
	guests_freeze(&s->guests);
	ret = stream_prefetch(s, err);
	if (ret < 0)
		return ret;
	if (data_has(f, FEAT_SAMPLE_TIME) && f->last_sample_ns)
		return filter_set_bounds(&s->filter, f->first_sample_ns, f->last_sample_ns, err);
	return filter_set_bounds(&s->filter, sc->first_ns == UINT64_MAX ? 0 : sc->first_ns,
				 sc->end_ns, err);
}

/* ---- sinks ---- */

static bool can_clone(const struct sinks *k, unsigned also)
{
	for (size_t i = 0; i < k->n; i++) {
		if (!k->v[i]->clone || (k->v[i]->wants & also) != also)
			return false;
	}
	return true;
}

/* Pieces of work, each with clones of all sinks, merged in order as they come ready. */
struct part { struct sink **sinks; bool done; };
struct parts {
	struct stream *s;
	const struct sinks *to;
	struct part *v;
	size_t n, merged;
	bool merging;
	int ret;
	struct err err;		/* of the first part that failed */
};

static void parts_init(struct parts *p, struct stream *s, const struct sinks *to, size_t n)
{
	memset(p, 0, sizeof(*p));
	p->s = s;
	p->to = to;
	p->n = n;
	p->v = xcalloc(n, sizeof(*p->v));
}

static void part_begin(struct parts *p, size_t i)
{
	p->v[i].sinks = xcalloc(p->to->n, sizeof(struct sink *));
	for (size_t k = 0; k < p->to->n; k++)
		p->v[i].sinks[k] = p->to->v[k]->clone(p->to->v[k]);
}

static void part_merge(struct parts *p, size_t i)
{
	for (size_t k = 0; k < p->to->n; k++)
		p->to->v[k]->merge(p->to->v[k], p->v[i].sinks[k]);
	free(p->v[i].sinks);
	p->v[i].sinks = NULL;
}

/* Whoever finds the next part ready merges; the others go on working. */
static void part_end(struct parts *p, size_t i)
{
	struct stream *s = p->s;

	pthread_mutex_lock(&s->lock);
	p->v[i].done = true;
	while (!p->merging && p->merged < p->n && p->v[p->merged].done) {
		p->merging = true;
		pthread_mutex_unlock(&s->lock);
		part_merge(p, p->merged);
		pthread_mutex_lock(&s->lock);
		p->merged++;
		p->merging = false;
	}
	pthread_mutex_unlock(&s->lock);
}

static void stream_progress(struct stream *s, u64 done)
{
	pthread_mutex_lock(&s->lock);
	progress_step(STREAM_PROGRESS, done, s->r->data_bytes);
	pthread_mutex_unlock(&s->lock);
}

/* ---- parallel: chunks of the file ---- */

struct chunk_run { struct parts p; data_chunks chunks; u64 done_bytes; };

static int run_chunk(struct stream *s, const struct data_chunk *chunk, struct worker *w,
		     const struct sinks *to,
		     struct err *err)
{
	struct data_record *recs = xcalloc(READ_BATCH, sizeof(*recs));
	struct raw_rec *raw = xcalloc(READ_BATCH, sizeof(*raw));
	struct data_cursor c;
	u64 last_ns = 0;
	int n;

	data_cursor_chunk(&c, s->r, chunk);
	while ((n = data_cursor_batch(&c, recs, READ_BATCH, err)) > 0 && !sinks_stopped(to)) {
		for (int i = 0; i < n; i++) {
			/* times are needed here only by samples without one */
			if (s->time_pos < 0)
				last_ns = stream_record_time(s, recs[i].hdr, last_ns);
			raw[i] = (struct raw_rec){ .time_ns = last_ns, .off = recs[i].off,
						   .hdr = recs[i].hdr };
		}
		worker_run(w, raw, n, to->v, to->n);
	}
	data_cursor_release(&c);
	free(recs);
	free(raw);
	return MIN(n, 0);
}

static void chunk_item(void *ctx, size_t i, unsigned worker)
{
	struct chunk_run *run = ctx;
	struct stream *s = run->p.s;
	struct err err = ERR_INIT;
	struct sinks to;
	int ret = 0;

	part_begin(&run->p, i);
	to = (struct sinks){ run->p.v[i].sinks, run->p.to->n };
	if (!sinks_stopped(run->p.to))
		ret = run_chunk(s, &run->chunks.v[i], &s->workers[worker], &to, &err);
	pthread_mutex_lock(&s->lock);
	run->done_bytes += run->chunks.v[i].to - run->chunks.v[i].from;
	if (ret < 0 && run->p.ret == 0) {
		run->p.ret = ret;
		run->p.err = err;
		err = (struct err)ERR_INIT;
	}
	pthread_mutex_unlock(&s->lock);
	err_release(&err);
	part_end(&run->p, i);
	stream_progress(s, run->done_bytes);
}

static int run_parallel(struct stream *s, const struct sinks *sinks, struct err *err)
{
	struct chunk_run run = { 0 };
	struct scan sc = { 0 };
	int ret = prepare(s, &sc, err);

	scan_release(&sc);
	if (ret < 0)
		return ret;
	ret = data_split(s->r, s->threads > 1 ? s->threads * CHUNKS_PER_THREAD : 1, &run.chunks,
			 err);
	if (ret == 0 && s->threads > 1 && run.chunks.n > 1) {
		parts_init(&run.p, s, sinks, run.chunks.n);
		pool_run(s->pool, run.chunks.n, chunk_item, &run);
		ret = run.p.ret;
		if (ret < 0)
			err_set(err, run.p.err.code, "%s", run.p.err.msg);
		err_release(&run.p.err);
		free(run.p.v);
	} else {
		for (size_t i = 0; ret == 0 && i < run.chunks.n && !sinks_stopped(sinks); i++) {
			ret = run_chunk(s, &run.chunks.v[i], &s->workers[0], sinks, err);
			stream_progress(s, run.chunks.v[i].to);
		}
	}
	vec_free(&run.chunks);
	return ret;
}

/* ---- ordered ---- */

struct block_run { struct parts p; const struct raw_rec *recs; size_t n, block; };

static void block_item(void *ctx, size_t i, unsigned worker)
{
	struct block_run *run = ctx;
	size_t from = i * run->block, n = MIN(run->block, run->n - from);

	part_begin(&run->p, i);
	if (!sinks_stopped(run->p.to))
		worker_run(&run->p.s->workers[worker], run->recs + from, n, run->p.v[i].sinks,
			   run->p.to->n);
	part_end(&run->p, i);
}

/* Samples with stack dumps come in smaller numbers, and each is more work. */
static size_t block_of(const struct raw_rec *recs, size_t n)
{
	return n && recs[0].hdr->size >= LARGE_BYTES ? LARGE_SLICE : SLICE;
}

static void hand_out(struct stream *s, const struct raw_rec *recs, size_t n,
		     const struct sinks *sinks)
{
	struct block_run run = { .recs = recs, .n = n, .block = block_of(recs, n) };

	if (s->threads == 1 || n < 2 * run.block || !can_clone(sinks, SINK_BATCHES)) {
		for (size_t i = 0; i < n && !sinks_stopped(sinks); i += SLICE)
			worker_run(&s->workers[0], recs + i, MIN((size_t)SLICE, n - i), sinks->v,
				   sinks->n);
		return;
	}
	parts_init(&run.p, s, sinks, (n + run.block - 1) / run.block);
	pool_run(s->pool, run.p.n, block_item, &run);
	free(run.p.v);
}

/* Records of a mapped file need not be copied to wait for their turn. */
static void keep_mapped(struct stream *s, struct order *o, struct data_cursor *c)
{
	const struct data_file *f = s->r->files.n == 1 ? &s->r->files.v[0] : NULL;

	if (!f || !f->map)
		return;
	o->stay_from = (uintptr_t)f->map;
	o->stay_bytes = f->map_bytes;
	c->keep_bytes = KEEP_BYTES;
}

struct ordered { struct order o; struct scan sc; u64 limit_bytes; struct raw_rec *taken; };

static void ordered_init(struct ordered *od)
{
	order_init(&od->o);
	od->taken = xcalloc(TAKE_BATCH, sizeof(*od->taken));
}

static void ordered_release(struct ordered *od)
{
	order_release(&od->o);
	free(od->taken);
}

/* No record older than this is still to come. */
static u64 input_bound(const struct input *input)
{
	return input->ended || input->n / BLOCK_RECORDS >= input->least.n ? UINT64_MAX :
		input->least.v[input->n / BLOCK_RECORDS];
}

static u64 ordered_bound(const struct ordered *od)
{
	u64 bound = UINT64_MAX;

	for (size_t i = 0; i < od->sc.n_inputs; i++)
		bound = MIN(bound, input_bound(&od->sc.inputs[i]));
	return bound;
}

static void ordered_flush(struct stream *s, struct ordered *od, u64 bound_ns,
			  const struct sinks *sinks)
{
	size_t n;

	while (!sinks_stopped(sinks) && (n = order_take(&od->o, bound_ns, od->taken, TAKE_BATCH)) >
	       0) {
		hand_out(s, od->taken, n, sinks);
		order_done(&od->o, od->taken, n);
	}
	od->limit_bytes = MAX((u64)WINDOW_BYTES, 2 * od->o.bytes);
}

static inline void ordered_add(struct stream *s, struct ordered *od, struct input *input,
			       const struct data_record *rec)
{
	const struct event *ev = rec->hdr->type == PERF_RECORD_SAMPLE ?
		stream_sample_event(s, rec->hdr) : NULL;
	u64 t = stream_time_of(s, rec->hdr, ev, input->last_ns);

	input->last_ns = t;
	input->times.max_ns = MAX(input->times.max_ns, t);
	if (!stream_is_timed(rec->hdr))
		t = round_user_time(&input->times, rec->hdr);
	if (stream_skips(s, ev, t))
		;
	else if (rec->hdr->type == PERF_RECORD_SAMPLE || s->wants & SINK_SIDEBAND)
		order_add(&od->o, rec->hdr, rec->off, rec->stays, t, ev);
	else
		worker_count(&s->workers[0], &(struct raw_rec){ .off = rec->off, .hdr = rec->hdr });
}

static void ordered_record(struct stream *s, struct ordered *od, struct input *input,
			   const struct data_record *rec,
			   const struct sinks *sinks)
{
	u64 bound;

	ordered_add(s, od, input, rec);
	if (++input->n % BLOCK_RECORDS == 0 && od->o.bytes >= od->limit_bytes &&
	    (bound = ordered_bound(od)) != UINT64_MAX)
		ordered_flush(s, od, bound, sinks);
}

/* ---- ordered, all of a mapped file at once ---- */

static bool index_begin(struct stream *s, struct ordered *od, const struct data_cursor *c)
{
	const struct data_file *f = s->r->files.n == 1 ? &s->r->files.v[0] : NULL;

	if (!f || !f->map || !c->want_kernel)
		return false;
	od->o.stay_from = (uintptr_t)f->map;
	od->o.stay_bytes = f->map_bytes;
	return true;
}

/* false: this file has records that would be copied, or so small ones that the list of them
 * becomes large. */
static bool index_record(struct stream *s, struct ordered *od, struct input *input,
			 const struct data_record *rec)
{
	if (!rec->stays || od->o.n_held > rec->off / INDEX_SHARE + INDEX_FREE)
		return false;
	ordered_add(s, od, input, rec);
	return true;
}

/* As if there had been none. */
static void index_drop(struct stream *s, struct ordered *od)
{
	order_release(&od->o);
	worker_forget_stats(&s->workers[0]);
}

static void index_hand_out(struct stream *s, struct ordered *od, const struct sinks *sinks)
{
	const struct data_file *f = &s->r->files.v[0];
	u64 gone = f->from, done = 0;
	size_t n;

	while (!sinks_stopped(sinks) && (n = order_take(&od->o, UINT64_MAX, od->taken,
							INDEX_BATCH)) > 0) {
		for (size_t i = 0; i < n; i++)
			done += od->taken[i].hdr->size;
		hand_out(s, od->taken, n, sinks);
		order_done(&od->o, od->taken, n);
		gone = data_let_go(f, gone, order_first_off(&od->o));
		stream_progress(s, done);
	}
}

/* The file that holds back the others; NULL: all are read. */
static struct input *next_input(struct ordered *od)
{
	struct input *best = NULL;

	for (size_t i = 0; i < od->sc.n_inputs; i++) {
		struct input *input = &od->sc.inputs[i];

		if (!input->ended && (!best || input_bound(input) < input_bound(best)))
			best = input;
	}
	return best;
}

static int open_inputs(struct stream *s, struct ordered *od, struct err *err)
{
	data_chunks chunks = { 0 };
	int ret = data_split(s->r, 1, &chunks, err);

	for (size_t i = 0; i < od->sc.n_inputs; i++)
		od->sc.inputs[i].ended = true;
	for (size_t i = 0; ret == 0 && i < chunks.n; i++) {
		struct input *input = &od->sc.inputs[chunks.v[i].file];

		if (!input->ended)
			continue;
		data_cursor_chunk(&input->c, s->r, &chunks.v[i]);
		input->ended = false;
	}
	vec_free(&chunks);
	return ret;
}

static int ordered_walk(struct stream *s, struct ordered *od, const struct sinks *sinks,
			struct err *err)
{
	struct data_record *recs = xcalloc(READ_BATCH, sizeof(*recs));
	struct input *input;
	u64 done = 0;
	int n = open_inputs(s, od, err);

	if (od->sc.n_inputs == 1 && od->sc.inputs[0].c.priv)
		keep_mapped(s, &od->o, &od->sc.inputs[0].c);
	while (n >= 0 && !sinks_stopped(sinks) && (input = next_input(od)) != NULL) {
		u64 before = input->c.bytes_done;

		n = data_cursor_batch(&input->c, recs, READ_BATCH, err);
		input->ended = n <= 0;
		for (int i = 0; i < n; i++)
			ordered_record(s, od, input, &recs[i], sinks);
		stream_progress(s, done += input->c.bytes_done - before);
	}
	free(recs);
	return n;
}

static int run_ordered(struct stream *s, const struct sinks *sinks, struct err *err)
{
	struct ordered od = { .sc = { .samples = true }, .limit_bytes = WINDOW_BYTES };
	int n;

	ordered_init(&od);
	od.sc.index = &od;
	n = prepare(s, &od.sc, err);
	if (n >= 0 && od.sc.index) {
		index_hand_out(s, &od, sinks);
	} else if (n >= 0) {
		n = ordered_walk(s, &od, sinks, err);
		if (n >= 0 || od.o.n_held)
			ordered_flush(s, &od, UINT64_MAX, sinks);
	}
	for (size_t i = 0; i < od.sc.n_inputs; i++)
		data_cursor_release(&od.sc.inputs[i].c);
	ordered_release(&od);
	scan_release(&od.sc);
	return MIN(n, 0);
}

/* ---- what the sinks want ---- */

static unsigned all_wants(const struct stream *s, const struct sinks *sinks)
{
	unsigned wants = filter_wants(&s->filter);

	for (size_t i = 0; i < sinks->n; i++)
		wants |= sinks->v[i]->wants;
	if (wants & (SINK_SYMBOLS | SINK_CHAIN | SINK_ADDR | SINK_BRANCH))
		wants |= SINK_THREAD;
	if (s->opts.no_inline)
		wants &= ~SINK_INLINE;
	return wants;
}

static void note_skipped(struct stream *s, const struct sinks *sinks)
{
	const struct event_list *l = s->src.events;
	size_t n_skipped = 0;

	vec_clear(&s->skip);
	for (size_t i = 0; i < l->events.n; i++) {
		bool skip = true;

		for (size_t k = 0; k < sinks->n && skip; k++)
			skip = sinks->v[k]->takes && !sinks->v[k]->takes(sinks->v[k],
									 l->events.v[i]);
		vec_push(&s->skip, skip);
		n_skipped += skip;
	}
	if (!n_skipped)
		vec_clear(&s->skip);
}

/* What comes while a stream is read: with more events the sinks may want more. */
static void take_events(struct stream *s, const struct sinks *sinks)
{
	note_machine(s);
	note_arch(s);
	if (!note_events(s))
		return;
	for (size_t i = 0; i < sinks->n; i++)
		if (sinks->v[i]->events)
			sinks->v[i]->events(sinks->v[i]);
	s->wants = all_wants(s, sinks);
	for (unsigned i = 0; i < s->threads; i++)
		worker_want(&s->workers[i], s->wants);
	note_skipped(s, sinks);
}

/* ---- one pass: pipes, and recordings without times ---- */

struct live { struct order o; u64 last_ns, max_ns, round_ns; struct raw_rec *taken; };

/* Between two changes of the machine samples go as one batch. */
static void live_hand_out(struct stream *s, const struct raw_rec *recs, size_t n,
			  const struct sinks *sinks)
{
	size_t from = 0;

	for (size_t i = 0; i <= n && !sinks_stopped(sinks); i++) {
		if (i < n && !is_for_machine(s, recs[i].hdr) &&
		    recs[i].hdr->type != WIRE_HEADER_BUILD_ID)
			continue;
		worker_run(&s->workers[0], recs + from, i - from, sinks->v, sinks->n);
		from = i;
		if (i == n)
			break;
		if (recs[i].hdr->type == WIRE_HEADER_BUILD_ID)
			apply_build_id(s, recs[i].hdr);
		else
			apply(s, &recs[i]);
	}
}

/* At most max records. */
static void live_flush(struct stream *s, struct live *lv, u64 bound_ns, u64 max,
		       const struct sinks *sinks)
{
	size_t n;

	for (; max && (n = order_take(&lv->o, bound_ns, lv->taken, MIN(max, (u64)SLICE))) > 0;
	     max -= n) {
		live_hand_out(s, lv->taken, n, sinks);
		order_done(&lv->o, lv->taken, n);
	}
}

static void live_record(struct stream *s, struct live *lv, const struct data_record *rec,
			const struct sinks *sinks)
{
	struct raw_rec raw = { .off = rec->off, .hdr = rec->hdr };
	u64 t;

	take_events(s, sinks);
	note_deferred(s, rec->hdr);
	t = stream_record_time(s, rec->hdr, lv->last_ns);
	raw.time_ns = lv->last_ns = t;
	if (s->untimed) {
		live_hand_out(s, &raw, 1, sinks);
		return;
	}
	order_add(&lv->o, rec->hdr, rec->off, rec->stays, t, NULL);
	lv->max_ns = MAX(lv->max_ns, t);
	if (rec->hdr->type == WIRE_FINISHED_ROUND) {
		live_flush(s, lv, lv->round_ns + 1, UINT64_MAX, sinks);
		lv->round_ns = lv->max_ns;
	} else if (lv->o.bytes > NO_ROUNDS_BYTES) {
		/* rounds are missing: half of what is held goes, by time */
		live_flush(s, lv, UINT64_MAX, lv->o.n_held / 2 + 1, sinks);
	}
}

static int run_live(struct stream *s, const struct sinks *sinks, struct err *err)
{
	struct data_record *recs = xcalloc(READ_BATCH, sizeof(*recs));
	struct live lv = { 0 };
	struct data_cursor c;
	int n = 0;

	if (s->filter.needs_bounds) {
		free(recs);
		return err_set(err, EINVAL, "percentages of time need a file that can be read "
					    "twice, with times");
	}
	order_init(&lv.o);
	lv.taken = xcalloc(SLICE, sizeof(*lv.taken));
	data_cursor_init(&c, s->r);
	c.what = STREAM_PROGRESS;
	while (!sinks_stopped(sinks) && (n = data_cursor_batch(&c, recs, READ_BATCH, err)) > 0)
		for (int i = 0; i < n; i++)
			live_record(s, &lv, &recs[i], sinks);
	live_flush(s, &lv, UINT64_MAX, UINT64_MAX, sinks);
	s->st.n_unordered += lv.o.n_late;
	stream_note_compressed(&s->st, &c);
	data_cursor_release(&c);
	order_release(&lv.o);
	free(lv.taken);
	free(recs);
	return MIN(n, 0);
}

/* ---- running ---- */

static void begin_run(struct stream *s, const struct sinks *sinks)
{
	note_events(s);
	s->wants = all_wants(s, sinks);
	note_skipped(s, sinks);
	s->pool = pool_new(s->opts.threads);
	s->threads = s->reads ? 1 : pool_threads(s->pool);
	s->workers = xcalloc(s->threads, sizeof(*s->workers));
	for (unsigned i = 0; i < s->threads; i++)
		worker_init(&s->workers[i], s, s->wants);
}

static void end_run(struct stream *s)
{
	for (unsigned i = 0; i < s->threads; i++) {
		worker_add_stats(&s->st, &s->bad_off, &s->workers[i]);
		worker_release(&s->workers[i]);
	}
	free(s->workers);
	pool_free(s->pool);
	s->workers = NULL;
	s->pool = NULL;
}

static int run_sinks(struct stream *s, const struct sinks *sinks, struct err *err)
{
	int ret;

	begin_run(s, sinks);
	if (s->src.once || s->untimed)
		ret = run_live(s, sinks, err);
	else if (s->wants & SINK_ORDER || s->reads || !can_clone(sinks, 0))
		ret = rounds_are_enough(s, sinks) ? run_rounds(s, sinks, err) : 1;
	else
		ret = run_parallel(s, sinks, err);
	if (ret > 0)
		ret = run_ordered(s, sinks, err);
	progress_end();
	end_run(s);
	return ret;
}

static bool has_call_stacks(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if (stitch_takes(*e))
			return true;
	return false;
}

/* How many registers for branches the recorded CPU has; 0: it is not known. */
static u32 n_branch_registers(const struct stream *s)
{
	u64 n;

	if (!s->src.env)
		return 0;
	for vec_each(p, &s->src.env->pmu_caps)
		for vec_each(cap, &p->caps)
			if (!strcmp(cap->name, "branches") && parse_u64(cap->value, &n) &&
			    n <= MAX_BRANCH_REGISTERS)
				return (u32)n;
	return 0;
}

static int run_stitched(struct stream *s, const struct sinks *sinks, u32 n_registers,
			struct err *err)
{
	struct stitch **to = xcalloc(sinks->n, sizeof(struct stitch *));
	struct sink **v = xcalloc(sinks->n, sizeof(struct sink *));
	const int max = s->opts.max_frames;
	int ret;

	for (size_t i = 0; i < sinks->n; i++) {
		to[i] = stitch_new(sinks->v[i], n_registers, (u32)MAX(max, 0));
		v[i] = stitch_sink(to[i]);
	}
	s->opts.max_frames = 0;		/* that is theirs now */
	ret = run_sinks(s, &(struct sinks){ v, sinks->n }, err);
	s->opts.max_frames = max;
	for (size_t i = 0; i < sinks->n; i++)
		stitch_free(to[i]);
	free(to);
	free(v);
	return ret;
}

int stream_run(struct stream *s, struct sink *const *v, size_t n, struct err *err)
{
	const u32 n_registers = s->opts.stitch_lbr ? n_branch_registers(s) : 0;
	const struct sinks sinks = { v, n };

	if (s->opts.stitch_lbr && !s->src.once)
		s->st.unstitched = !has_call_stacks(s->src.events) ? STREAM_NO_STACKS :
			n_registers ? STREAM_STITCHED : STREAM_NO_REGISTERS;
	return n_registers && n ? run_stitched(s, &sinks, n_registers, err) :
		run_sinks(s, &sinks, err);
}

/* ---- what happens now ---- */

void stream_begin(struct stream *s, struct sink *const *sinks, size_t n)
{
	const struct sinks k = { sinks, n };

	s->put.to = sinks;
	s->put.n_to = n;
	begin_run(s, &k);
	s->lookup.n_ids = 0;	/* events may come while it runs */
}

bool stream_put(struct stream *s, const struct wire_timed *recs, size_t n)
{
	const struct sinks sinks = { s->put.to, s->put.n_to };
	struct raw_rec raw[SLICE];

	for (size_t from = 0; from < n && !sinks_stopped(&sinks); from += SLICE) {
		size_t part = MIN((size_t)SLICE, n - from);

		for (size_t i = 0; i < part; i++)
			raw[i] = (struct raw_rec){ .time_ns = recs[from + i].time_ns,
						   .off = s->put.n++, .hdr = recs[from + i].hdr };
		live_hand_out(s, raw, part, &sinks);
	}
	return !sinks_stopped(&sinks);
}

void stream_trim(struct stream *s, u64 before_ns, const struct hmap *kept)
{
	const size_t n = dso_count(s->dsos);
	bool *used = xcalloc(n + 1, sizeof(*used));

	machine_trim(s->m, before_ns, kept);
	machine_mark_dsos(s->m, used, n);
	dso_store_reuse(s->dsos, used, n);
	free(used);
	for (unsigned i = 0; i < s->threads; i++)
		worker_forget_machine(&s->workers[i]);
}

void stream_end(struct stream *s)
{
	end_run(s);
	s->put.to = NULL;
}
