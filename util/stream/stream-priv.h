/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_STREAM_PRIV_H
#define STREAM_STREAM_PRIV_H
/*
 * Inside of the stream room: modes in stream.c, the one by rounds in rounds.c, time order in
 * order.c, decoding in worker.c, resolution in resolve.c, filters in filter.c.
 */
#include <pthread.h>

#include "util/base/pool.h"
#include "util/base/vec.h"
#include "util/base/words.h"
#include "util/data/reader.h"
#include "util/stream/deferred.h"
#include "util/stream/given.h"
#include "util/stream/stream.h"
#include "util/stream/where.h"
#include "util/unwind/unwind.h"
#include "util/wire/synthrec.h"
#include "util/wire/user.h"

/* ---- filter.c ---- */
struct time_range { u64 from_ns, to_ns; };	/* inclusive */

struct filter {
	bool any;
	word_list comms, dsos, symbols;
	int_vec pids, tids, cpus;
	VEC(struct time_range) times;
	/* times are still to be made from the recording's first and last sample */
	bool percent;
	const char *time_text, *substr;
	struct where_filter *where;	/* owned; NULL: none */
	bool needs_bounds;	/* percent, or where has such times */
	VEC(u64) addresses;		/* of symbols */
	int addr_range;
};

int filter_init(struct filter *f, const struct stream_filter *text, struct err *err);
void filter_release(struct filter *f);
/* Once the recording's bounds are known. */
int filter_set_bounds(struct filter *f, u64 first_ns, u64 last_ns, struct err *err);
/* What needs no resolution: pid, tid, cpu, time. */
bool filter_sample(const struct filter *f, const struct sample *s);
bool filter_resolved(const struct filter *f, const struct resolved *r);
/* What where says, asked when all is known that its stages need. */
static inline bool filter_where(const struct filter *f, enum where_stage stage,
				const struct sink_item *i, struct where_memo *memo)
{
	return !f->where || where_passes(f->where, stage, i->sample, i->res, memo);
}
unsigned filter_wants(const struct filter *f);	/* enum sink_wants */

/* ---- order.c: a window of records, handed out by time; of the same time, as they came ---- */
struct raw_rec {
	u64 time_ns, off;
	const struct perf_event_header *hdr;
	const struct event *ev;		/* NULL: not looked up yet */
};
typedef VEC(struct raw_rec) raw_recs;

struct order_head { u64 time_ns; struct order_run *run; };	/* time of the run's next record */

struct order {
	VEC(struct order_head) heap;
	struct order_run *last;		/* the newest: records are added to it */
	struct order_run *spare_runs;
	u64 n_runs, n_held;
	struct order_seg *seg;		/* being filled */
	/* empty ones, to be filled again: fresh pages cost more than the copy */
	struct order_seg *spare;
	u64 bytes;			/* of the memory that held records lie in */
	uintptr_t stay_from, stay_bytes;	/* records in this memory are not copied */
	u64 flushed_ns;			/* newest time handed out */
	u64 n_late;			/* came with a time before flushed_ns */
};

void order_init(struct order *o);
void order_release(struct order *o);
/* Copies the record, unless it may stay where it is, and that is in stay_from. */
void order_add(struct order *o, const struct perf_event_header *hdr, u64 off, bool may_stay,
	       u64 time_ns, const struct event *ev);
/* The next up to max records with times below bound_ns (UINT64_MAX: all), in order. Their bytes
 * stay until order_done(). */
size_t order_take(struct order *o, u64 bound_ns, struct raw_rec *out, size_t max);
/* The place in the file of the first record that waits; UINT64_MAX: none does. */
u64 order_first_off(struct order *o);
void order_done(struct order *o, const struct raw_rec *recs, size_t n);

/* ---- reads.c: counts in samples ---- */
struct read_counts;
bool stream_has_reads(const struct event_list *l);
struct read_counts *read_counts_new(void);
void read_counts_free(struct read_counts *c);
/* The growth since the last value of this counter (in this task; tid 0: for all). */
u64 read_counts_step(struct read_counts *c, u64 id, u32 tid, u64 value);

/* ---- worker.c ---- */
enum {
	/* samples, or their frames, that are handed on at once: they stay in the near cache */
	BATCH = 256, BATCH_LOCS = 1024,
	LOC_CACHE = 1 << 15, LEAF_CACHE = 1 << 14, THREAD_CACHE = 64,
};

/* The (space version, address) -> location cache: an entry is a cache line, two neighbours are a
 * set, its newer one first. Where samples hit there are many addresses, and few of them come again:
 * they shall not drive out the callers. */
struct loc_entry {
	u64 key;		/* 0: empty */
	/* inl, inline_depth: all the functions inlined here, with the real one at the end; how
	 * many */
	struct location loc;
};
_Static_assert(sizeof(struct loc_entry) == 64, "a location is not one cache line");

struct flat_type { u64 type; unsigned words; };		/* words: its wire_flat_words() */

struct worker {
	struct stream *s;
	unsigned wants;
	struct sample *samples;
	struct resolved *res;
	struct sink_item *items;
	size_t n;
	/* frames and branches of the batch; res[] holds places in it until delivery */
	VEC(struct location) locs;
	VEC(struct branch_end) ends;	/* of the batch, in the same way */
	struct loc_entry *cache;	/* of callers and all else */
	struct loc_entry *leaves;	/* of the first frames of recorded chains */
	void *cache_mem;	/* what it lies in, not aligned */
	struct unwind_ctx *unwind;
	struct unwind_frame *unwound;	/* of jobs; NULL until the first stack comes */
	/* UNWIND_BATCH of them, n_waiting in use; waiting[] says where their frames go */
	struct unwind_job *jobs;
	struct waiting *waiting;
	int n_waiting;
	const struct raw_rec *next;	/* after the record at hand: n_next records */
	int n_next;
	/* by slot of samples: what sample_type was decoded into it last, as a flat one; ~0: else */
	u64 *decoded;
	struct flat_type flat;		/* of the last sample_type met */
	struct thread *threads[THREAD_CACHE];	/* by the low bits of the tid */
	u64 last_time_ns;		/* of the last timed record */
	struct where_memo *memo;	/* NULL without --where */
	struct stream_stats st;
	u64 bad_off;			/* of st.first_bad */
};

void worker_init(struct worker *w, struct stream *s, unsigned wants);
void worker_want(struct worker *w, unsigned wants);	/* between two runs: more than before */
/* Between two batches: what is known of threads and mappings, which may go now. */
void worker_forget_machine(struct worker *w);
void worker_release(struct worker *w);
/* Decodes, resolves, and hands to the sinks; records that are no samples go to record() of those
 * that want them. */
void worker_run(struct worker *w, const struct raw_rec *recs, size_t n, struct sink *const *sinks,
		size_t n_sinks);
void worker_count(struct worker *w, const struct raw_rec *rec);	/* a record that is not handed on */
/* Samples that no sink takes. first_ns: UINT64_MAX at first. */
struct skipped_samples { u64 n, first_ns, last_ns; };

static inline void skip_sample(struct skipped_samples *k, u64 time_ns)
{
	k->n++;
	k->first_ns = MIN(k->first_ns, time_ns);
	k->last_ns = MAX(k->last_ns, time_ns);
}

static inline void worker_skip_samples(struct worker *w, const struct skipped_samples *k)
{
	w->st.n_records += k->n;
	w->st.n_samples += k->n;
	w->st.by_type[PERF_RECORD_SAMPLE] += k->n;
	w->st.first_ns = MIN(w->st.first_ns, k->first_ns);
	w->st.last_ns = MAX(w->st.last_ns, k->last_ns);
}
void worker_forget_stats(struct worker *w);		/* what was counted */
void worker_add_stats(struct stream_stats *to, u64 *to_bad_off, struct worker *w);

/* ---- resolve.c ---- */
/* The spaces of a sample, with the versions that hold at its time. */
struct where {
	const struct space *user, *kernel, *guest;	/* guest: NULL: not known */
	u64 user_key, kernel_key, t_ns;
};

/* What filters ask for: thread, comm and leaf. */
void resolve_who(struct worker *w, const struct sample *s, struct resolved *r, struct where *at);
/* And the rest. Stacks that are to be unwound may wait: s and r stay where they are until
 * resolve_waiting(). */
void resolve_rest(struct worker *w, const struct sample *s, struct resolved *r,
		  const struct where *at);
void resolve_waiting(struct worker *w);		/* if any wait */
/* Until the batch is delivered a list of locations is its place in locs, which may move while it
 * grows. */
const struct location *resolve_placed(const struct worker *w, const struct location *place);

/* ---- branch-path.c ---- */
enum { MAX_BRANCH_PATH = 127 };		/* branches; no CPU keeps more than 32 */
/* The newest branches of s (max at most), without rounds of loops that repeat; out: room for
 * MAX_BRANCH_PATH; yields how many there are. */
size_t branch_path(const struct sample *s, bool oldest_first, u64 max, struct branch_end *out);

/* ---- prefetch.c ---- */
/* With debuginfod: the files that samples lie in are looked for all at once. The machine is
 * frozen. */
int stream_prefetch(struct stream *s, struct err *err);

/* ---- stream.c ---- */
/* Which machine was recorded. */
struct known_machine {
	bool noted;
	/* neither the recording nor a binary of it has said yet of which instruction set it is;
	 * how many may still be asked */
	u8 arch_asked;
};

/* Between stream_begin() and stream_end(). */
struct put_run { struct sink *const *to; size_t n_to; u64 n; };

struct stream {
	struct source src;
	struct data_reader *r;	/* of src; NULL: it is live */
	struct stream_opts opts;
	struct dso_store *dsos;
	struct known_machine known;
	struct machine *m;
	struct guests guests;
	struct deferred_chains deferred;
	struct filter filter;
	struct stream_stats st;
	u64 bad_off;
	char *kcore_dir;	/* kallsyms beside the recording; NULL: none, or not used */
	unsigned threads;
	bool untimed;		/* no times: file order, the machine changes while samples come */
	bool events_noted;
	unsigned events_version;	/* that untimed, time_pos, wants and skip were made from */
	int time_pos;		/* u64 word of the time in all events' samples; -1: they differ */
	unsigned wants;		/* of all sinks and the filter */
	struct event_lookup lookup;	/* n_ids 0: not usable */
	VEC(bool) skip;		/* by event: no sink takes its samples */
	/* NULL: no sample carries counts. One thread, in time order */
	struct read_counts *reads;
	struct pool *pool;
	struct worker *workers;	/* one per thread of the pool */
	pthread_mutex_t lock;	/* progress, order of merging */
	struct put_run put;
};

struct sinks { struct sink *const *v; size_t n; };

static inline bool sinks_stopped(const struct sinks *k)	/* all of them */
{
	for (size_t i = 0; i < k->n; i++) {
		if (!k->v[i]->stop)
			return false;
	}
	return k->n > 0;
}

/* A sample that no sink takes is counted, and goes no further. ev NULL: not known, or no sample. */
static inline bool stream_skips(struct stream *s, const struct event *ev, u64 time_ns)
{
	struct skipped_samples one = { 1, time_ns, time_ns };

	if (!s->skip.n || s->reads || !ev || (size_t)ev->index >= s->skip.n ||
	    !s->skip.v[ev->index])
		return false;
	worker_skip_samples(&s->workers[0], &one);
	return true;
}

/* The newest time so far; at the last round; at the one before it; and before that. */
struct round_times { u64 max_ns, round_ns, before_ns, older_ns; };

/* A reader by rounds has handed out all before the last round but one when it meets a record
 * without time. */
static inline u64 round_user_time(struct round_times *r, const struct perf_event_header *hdr)
{
	u64 t = r->before_ns;

	if (hdr->type == WIRE_FINISHED_ROUND) {
		r->older_ns = r->before_ns;
		r->before_ns = r->round_ns;
		r->round_ns = r->max_ns;
	}
	return t;
}

static inline bool stream_word(const struct perf_event_header *hdr, int word, u64 *out)
{
	if (word < 0 || sizeof(*hdr) + (word + 1) * sizeof(u64) > hdr->size)
		return false;
	memcpy(out, (const char *)hdr + sizeof(*hdr) + word * sizeof(u64), sizeof(*out));
	return true;
}

/* ---- rounds.c ---- */
/* Whether the file needs to be read only once. */
bool rounds_are_enough(const struct stream *s, const struct sinks *sinks);
/* 1: there are no rounds, and nothing was handed out: to be read in the other way. */
int run_rounds(struct stream *s, const struct sinks *sinks, struct err *err);

static inline const struct event *stream_sample_event(const struct stream *s,
						      const struct perf_event_header *hdr)
{
	const struct event *ev = event_lookup_sample(&s->lookup, hdr);

	return ev ? ev : event_of_record(s->src.events, hdr);
}

/* ---- time.c ---- */
/* What decoders of traces write, unlike all else that user space makes, has a time. */
static inline bool stream_is_timed(const struct perf_event_header *hdr)
{
	return hdr->type < WIRE_HEADER_ATTR || hdr->type == WIRE_AUXTRACE_ERROR;
}

u64 stream_other_time(struct stream *s, const struct perf_event_header *hdr,
		      const struct event *ev, u64 last_ns);

/* The record's time, or last_ns for a record without one. ev: of the record, or NULL when it was
 * not looked up. */
static inline u64 stream_time_of(struct stream *s, const struct perf_event_header *hdr,
				 const struct event *ev, u64 last_ns)
{
	u64 t;

	if (hdr->type == PERF_RECORD_SAMPLE && s->time_pos >= 0 && !s->untimed)
		return stream_word(hdr, s->time_pos, &t) ? t : last_ns;
	return stream_other_time(s, hdr, ev, last_ns);
}

static inline u64 stream_record_time(struct stream *s, const struct perf_event_header *hdr,
				     u64 last_ns)
{
	return stream_time_of(s, hdr, NULL, last_ns);
}

/* ---- stats.c ---- */
void stream_add_broken(struct stream_stats *st, const struct dso *dso, u64 n);
void stream_note_bad(struct stream_stats *st, u64 *bad_off, const struct raw_rec *rec,
		     const char *reason);
/* Records around others, of a cursor that went through everything. */
void stream_note_compressed(struct stream_stats *st, const struct data_cursor *c);
void stream_count_record(struct stream_stats *st, u64 *bad_off, const struct raw_rec *rec);

#endif
