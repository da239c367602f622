// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoding and resolution of records, in batches. One worker per thread: its caches and buffers are its own, the machine is
 * frozen (or the worker is alone), so nothing here takes a lock but the first load of a dso.
 */
#include "util/stream/stream-priv.h"

#include <errno.h>
#include <string.h>

enum {
	MAX_UNWOUND = 1024, UNWOUND_APART = MAX_UNWOUND + 36,	/* not all in the same sets of a cache */
	PREFETCH = 8, LARGE_RECORD = 4096, BEFORE_STACK = 320,	/* bytes of a record before its stack, about */
};

/* The spaces of a sample, with the versions that hold at its time. */
struct where {
	const struct space *user, *kernel;
	u64 user_key, kernel_key, t_ns;
};

/* A stack that waits to be unwound together with others. */
struct waiting {
	struct where at;
	struct resolved *r;
};

void worker_init(struct worker *w, struct stream *s, unsigned wants)
{
	memset(w, 0, sizeof(*w));
	w->s = s;
	w->wants = wants;
	w->samples = xcalloc(BATCH, sizeof(*w->samples));
	w->decoded = xmalloc(BATCH * sizeof(*w->decoded));
	memset(w->decoded, 0xff, BATCH * sizeof(*w->decoded));
	w->res = xcalloc(BATCH, sizeof(*w->res));
	w->items = xcalloc(BATCH, sizeof(*w->items));
	w->flat_type = ~0ULL;
	if (wants & (SINK_SYMBOLS | SINK_CHAIN | SINK_ADDR | SINK_BRANCH)) {
		w->cache_mem = xtable(LOC_CACHE + LEAF_CACHE + 1, sizeof(*w->cache));
		w->cache = (void *)ALIGN_UP((uintptr_t)w->cache_mem, sizeof(*w->cache));
		w->leaves = w->cache + LOC_CACHE;
	}
	w->st.first_ns = UINT64_MAX;
	w->bad_off = UINT64_MAX;
}

void worker_release(struct worker *w)
{
	vec_free(&w->locs);
	free(w->cache_mem);
	free(w->samples);
	free(w->decoded);
	free(w->res);
	free(w->items);
	free(w->unwound);
	free(w->jobs);
	free(w->waiting);
	unwind_free(w->unwind);
	free(w->st.first_bad);
}

/* ---- statistics ---- */

void stream_note_bad(struct stream_stats *st, u64 *bad_off, u64 off, const char *why)
{
	st->n_undecodable++;
	if (off >= *bad_off)
		return;
	*bad_off = off;
	free(st->first_bad);
	st->first_bad = xasprintf("offset %#llx: %s", (unsigned long long)off, why ? why : "damaged");
}

static void add_broken(struct stream_stats *st, const struct dso *dso, u64 n)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(st->broken_at) && st->broken_at[i].n && st->broken_at[i].dso != dso)
		i++;
	st->broken_at[i].dso = st->broken_at[i].n && st->broken_at[i].dso != dso ? NULL : dso;
	st->broken_at[i].n += n;
}

void worker_forget_stats(struct worker *w)
{
	free(w->st.first_bad);
	memset(&w->st, 0, sizeof(w->st));
	w->st.first_ns = UINT64_MAX;
	w->bad_off = UINT64_MAX;
}

void worker_add_stats(struct stream_stats *to, u64 *to_bad_off, struct worker *w)
{
	const struct stream_stats *f = &w->st;

	to->n_records += f->n_records;
	to->n_samples += f->n_samples;
	to->n_lost += f->n_lost;
	to->n_lost_records += f->n_lost_records;
	to->n_lost_samples += f->n_lost_samples;
	to->n_undecodable += f->n_undecodable;
	to->n_unknown_id += f->n_unknown_id;
	to->n_unknown_type += f->n_unknown_type;
	to->n_filtered += f->n_filtered;
	to->n_throttled += f->n_throttled;
	to->n_no_map += f->n_no_map;
	to->n_switches += f->n_switches;
	to->first_ns = MIN(to->first_ns, f->first_ns);
	to->last_ns = MAX(to->last_ns, f->last_ns);
	for (size_t i = 0; i < ARRAY_SIZE(to->by_type); i++)
		to->by_type[i] += f->by_type[i];
	for (size_t i = 0; i < ARRAY_SIZE(to->unwind_ended); i++)
		to->unwind_ended[i] += f->unwind_ended[i];
	to->n_user_chains += f->n_user_chains;
	to->n_broken_chains += f->n_broken_chains;
	for (size_t i = 0; i < ARRAY_SIZE(f->broken_at); i++)
		if (f->broken_at[i].n)
			add_broken(to, f->broken_at[i].dso, f->broken_at[i].n);
	if (f->first_bad && w->bad_off < *to_bad_off) {
		free(to->first_bad);
		to->first_bad = w->st.first_bad;
		*to_bad_off = w->bad_off;
		w->st.first_bad = NULL;
	}
	worker_forget_stats(w);
}

void worker_count(struct worker *w, const struct raw_rec *rec)
{
	struct stream_stats *st = &w->st;
	const char *why = NULL;
	struct wire_lost lost;

	st->n_records++;
	if (rec->hdr->type < ARRAY_SIZE(st->by_type))
		st->by_type[rec->hdr->type]++;
	switch (rec->hdr->type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		if (wire_decode_lost(rec->hdr, &lost, &why) < 0) {
			stream_note_bad(st, &w->bad_off, rec->off, why);
		} else if (rec->hdr->type == PERF_RECORD_LOST) {
			st->n_lost += lost.lost;
			st->n_lost_records++;
		} else {
			st->n_lost_samples += lost.lost;
		}
		break;
	case PERF_RECORD_THROTTLE:
		st->n_throttled++;
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		st->n_switches++;
		break;
	default:
		if (!wire_type_name(rec->hdr->type))
			st->n_unknown_type++;
	}
}

/* ---- memory of the batch ---- */

/* The vector may move while the batch grows: until delivery a list of locations is its place in it, plus one. */
static const struct location *place(size_t at)
{
	return (const struct location *)(uintptr_t)(at + 1);
}

static const struct location *placed(const struct worker *w, const struct location *place_of)
{
	return place_of ? w->locs.v + (uintptr_t)place_of - 1 : NULL;
}

/* ---- locations ---- */

static const struct mapping *find_map(struct worker *w, const struct where *at, u64 va, u8 mode)
{
	const struct mapping *map;

	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		map = space_find(at->kernel, va, at->t_ns);
		if (map || !(map = machine_kernel_map(w->s->m)))
			return map;
		return va >= map->start_va && va < map->end_va ? map : NULL;
	case PERF_RECORD_MISC_USER:
		map = at->user ? space_find(at->user, va, at->t_ns) : NULL;
		return map ? map : machine_vsyscall(w->s->m, va);
	default:
		return NULL;	/* guests and hypervisors: counted, not resolved */
	}
}

/* No call ends where its code begins: a trampoline that another one returns into, or that was interrupted there. */
static void locate_itself(struct worker *w, const struct where *at, struct location *loc)
{
	const struct mapping *map = find_map(w, at, loc->va, loc->cpumode);
	const u64 rva = map ? mapping_rva(map, loc->va) : 0;
	const struct symbol *sym = map ? dso_find(map->dso, rva) : NULL;

	if (!sym)
		return;
	loc->map = map;
	loc->dso = map->dso;
	loc->rva = rva;
	loc->sym = sym;
	loc->back = 0;
}

static void locate(struct worker *w, const struct where *at, struct loc_entry *e, u64 va, u8 mode, bool caller)
{
	struct location *loc = &e->loc;

	memset(loc, 0, sizeof(*loc));
	loc->va = va;
	loc->cpumode = mode;
	loc->map = find_map(w, at, va - caller, mode);
	if (!loc->map && caller)
		locate_itself(w, at, loc);
	if (!loc->map || loc->sym)
		return;
	loc->dso = loc->map->dso;
	loc->rva = mapping_rva(loc->map, va - caller);
	loc->sym = dso_find(loc->dso, loc->rva);
	loc->back = caller;
	/* Padding before a kernel function calls nothing: the function was interrupted at its first instruction. */
	if (caller && loc->sym && str_has_prefix(loc->sym->name, "__pfx_")) {
		loc->sym = dso_find(loc->dso, loc->rva = mapping_rva(loc->map, va));
		loc->back = 0;
	}
	if (caller && !loc->sym)	/* not a call: a chain that ran into data */
		loc->sym = dso_find(loc->dso, mapping_rva(loc->map, va));
	if (caller && !loc->sym)
		locate_itself(w, at, loc);
	if (w->wants & SINK_INLINE && loc->sym)
		loc->inline_depth = dso_inlines(loc->dso, loc->rva, &loc->inl);
}

static inline u64 loc_key(const struct where *at, u8 mode, bool caller)
{
	return (mode == PERF_RECORD_MISC_KERNEL ? at->kernel_key : at->user_key) | (u64)(mode & 7) << 1 | caller;
}

static inline struct loc_entry *loc_set(const struct worker *w, u64 key, u64 va)
{
	return &w->cache[hash_slot(va ^ key << 7, LOC_CACHE / 2) * 2];
}

/* e: the set of key and va. */
static inline struct loc_entry *lookup_in(struct worker *w, struct loc_entry *e, const struct where *at, u64 key, u64 va, u8 mode,
					  bool caller)
{
	if (e->loc.va == va && e->key == key)
		return e;
	if (e[1].loc.va == va && e[1].key == key)
		return e + 1;
	e[1] = e[0];
	locate(w, at, e, va, mode, caller);
	e->key = key;
	return e;
}

/* caller: va is a return address, the call instruction ends there. */
static struct loc_entry *lookup(struct worker *w, const struct where *at, u64 va, u8 mode, bool caller)
{
	const u64 key = loc_key(at, mode, caller);

	return lookup_in(w, loc_set(w, key, va), at, key, va, mode, caller);
}

static struct loc_entry *lookup_leaf(struct worker *w, const struct where *at, u64 va, u8 mode)
{
	const u64 key = loc_key(at, mode, false);
	struct loc_entry *e = &w->leaves[hash_slot(va ^ key << 7, LEAF_CACHE / 2) * 2];

	return lookup_in(w, e, at, key, va, mode, false);
}

/* Of an address where only the function itself is asked for. */
static struct location lookup_real(struct worker *w, const struct where *at, u64 va, u8 mode)
{
	struct location loc = lookup(w, at, va, mode, false)->loc;

	loc.inl = NULL;
	loc.inline_depth = 0;
	return loc;
}

/* Ids and versions of a space in one word above the four low bits: versions beyond 2^28 of one space cannot be, each is
 * made by a record of 64 bytes. */
static u64 space_key(const struct space *s, u64 t_ns)
{
	return s ? space_id(s) << 32 | (u64)space_version(s, t_ns) << 4 : 0;
}

static u8 mode_of(const struct worker *w, u8 cpumode, u64 va)
{
	if (cpumode != PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		return cpumode;
	return machine_is_kernel_va(w->s->m, va) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* ---- chains ---- */

static inline void push_frame(struct worker *w, const struct loc_entry *e)
{
	u32 n = e->loc.inline_depth;

	vec_push(&w->locs, e->loc);
	for (u32 i = 0; i < n; i++) {
		struct location *loc = vec_last(&w->locs);

		loc->inl = &e->loc.inl[i];
		loc->inline_depth = n - 1 - i;
		if (i + 1 < n)
			vec_push(&w->locs, e->loc);
	}
}

static bool enough(const struct worker *w, size_t n)
{
	return w->s->opts.max_frames > 0 && n >= (size_t)w->s->opts.max_frames;
}

/* A context mark: the mode of the frames that follow. */
static u8 context_mode(u64 mark)
{
	switch (mark) {
	case (u64)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (u64)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (u64)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case (u64)PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	default:
		return PERF_RECORD_MISC_GUEST_USER;
	}
}

#define CONTEXT_USER_DEFERRED ((u64)-640)

#define FRAMES_AHEAD 6

/* What will be looked up for a later frame. */
static inline void fetch_location(const struct worker *w, const struct where *at, u64 va, u8 mode, bool caller)
{
	__builtin_prefetch(loc_set(w, loc_key(at, mode, caller), va));
}

static size_t chain_frames(struct worker *w, const struct where *at, const struct sample *s)
{
	u8 mode = s->cpumode, mode_here;
	bool first = true;		/* of its context: an address where it was interrupted, not a return address */
	size_t n = 0;

	for (u64 i = 0; i < MIN(s->chain_n, (u64)FRAMES_AHEAD); i++)	/* of those whose mode is not known yet, in vain */
		fetch_location(w, at, s->chain[i], mode, true);
	for (u64 i = 0; i < s->chain_n && !enough(w, n); i++) {
		u64 va = s->chain[i];

		if (va == CONTEXT_USER_DEFERRED) {	/* a cookie follows; the stack comes in a record of its own */
			i++;
			continue;
		}
		if (va >= (u64)PERF_CONTEXT_MAX) {
			mode = context_mode(va);
			first = true;
			continue;
		}
		if (i + FRAMES_AHEAD < s->chain_n)
			fetch_location(w, at, s->chain[i + FRAMES_AHEAD], mode, true);
		mode_here = mode_of(w, mode, va);
		push_frame(w, first ? lookup_leaf(w, at, va, mode_here) : lookup(w, at, va, mode_here, true));
		first = false;
		n++;
	}
	return n;
}

static bool is_code(const struct location *l)
{
	return l->map && (!l->map->prot || l->map->prot & 4);	/* PROT_EXEC; old records do not say */
}

static bool starts_thread(const struct location *l)
{
	const struct symbol *sym = l->sym ? l->sym : l->dso ? dso_find(l->dso, l->rva) : NULL;
	const char *name = sym ? sym->name : "";

	return !strcmp(name, "_start") || !strncmp(name, "clone", 5) || !strncmp(name, "__clone", 7);
}

/* Whether the recording, or who reads it, wanted no more frames than these. */
static bool was_cut(const struct worker *w, const struct sample *s, size_t n)
{
	const u16 most = s->event ? s->event->attr.sample_max_stack : 0;

	return enough(w, n) || (most && n >= most);
}

/* The kernel follows frame pointers. In code that has none it stops right behind the first frame, or it follows any value that
 * the register happens to hold, and what it then takes for callers lies in no code. Such frames say nothing: one without an
 * address stands for them, and for callers that are missing, where opts.cut_broken says so. n: frames of the chain. */
static void note_broken(struct worker *w, const struct sample *s, size_t from, size_t n)
{
	const struct location *last = NULL;
	size_t n_user = 0, i;
	bool garbage = false;

	for (i = from; i < w->locs.n && !garbage; i++) {
		const struct location *l = &w->locs.v[i];

		if (l->cpumode != PERF_RECORD_MISC_USER || l->inline_depth)
			continue;
		garbage = !is_code(l);
		if (!garbage)
			last = l;
		n_user++;
	}
	if (!last)
		return;
	w->st.n_user_chains++;
	if (!garbage && (n_user > 1 || starts_thread(last) || was_cut(w, s, n)))
		return;
	w->st.n_broken_chains++;
	add_broken(&w->st, last->dso, 1);
	if (w->s->opts.cut_broken) {
		w->locs.n = garbage ? i - 1 : i;
		vec_push(&w->locs, ((struct location){ .cpumode = PERF_RECORD_MISC_USER }));
	}
}

static u8 unwound_mode(const struct unwind_frame *f)
{
	return f->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* n: frames of the sample that are there already. */
static void unwound_frames(struct worker *w, const struct where *at, const struct unwind_job *job, size_t n)
{
	bool exact = true;

	for (int i = 0; i < job->n && !enough(w, n); i++, n++) {
		const struct unwind_frame *f = &job->out[i];
		/* a caller is shown by the last byte of its call, as all tools do for DWARF stacks */
		u64 va = exact || f->signal ? f->va : f->va - 1;

		if (i + FRAMES_AHEAD < job->n)		/* those that are no callers are few */
			fetch_location(w, at, f[FRAMES_AHEAD].va - 1, unwound_mode(f + FRAMES_AHEAD), false);
		push_frame(w, lookup(w, at, va, unwound_mode(f), false));
		exact = f->signal;
	}
}

/* The frames that unwound_frames() finds no time for. */
static inline void fetch_first(const struct worker *w, const struct where *at, const struct unwind_job *job)
{
	for (int i = 0; i < MIN(job->n, FRAMES_AHEAD); i++)
		fetch_location(w, at, job->out[i].va - (i > 0), unwound_mode(&job->out[i]), false);
}

static void end_chain(struct worker *w, struct resolved *r, size_t from)
{
	r->n_frames = w->locs.n - from;
	r->frames = r->n_frames ? place(from) : NULL;
}

/* A later sample's registers, the part of its stack that one before it took, and the words behind it. */
static void fetch_stack(const struct worker *w, const struct perf_event_header *hdr)
{
	const char *at = (const char *)hdr;
	const u64 end = MIN(BEFORE_STACK + unwind_reach(w->unwind), (u64)hdr->size);

	if (hdr->size < LARGE_RECORD)
		return;
	for (u64 off = 128; off < end; off += 64)
		__builtin_prefetch(at + off);
	__builtin_prefetch(at + hdr->size - 8);
}

/* While the frames of each are looked up, the memory comes that the next of those behind needs. */
static void resolve_waiting(struct worker *w)
{
	const int n = w->n_waiting;

	w->n_waiting = 0;
	unwind_users(w->unwind, w->jobs, n);
	fetch_first(w, &w->waiting[0].at, &w->jobs[0]);
	for (int i = 0; i < n; i++) {
		const struct unwind_job *job = &w->jobs[i];
		const struct waiting *wait = &w->waiting[i];
		size_t from = w->locs.n;

		if (i < w->n_next)
			fetch_stack(w, w->next[i].hdr);
		if (i + 1 < n)
			fetch_first(w, &wait[1].at, &job[1]);
		wait->r->chain_end = (u8)job->why;
		w->st.unwind_ended[job->why & 15]++;
		vec_reserve(&w->locs, from + job->s->chain_n + (size_t)job->n);
		unwound_frames(w, &wait->at, job, chain_frames(w, &wait->at, job->s));
		end_chain(w, wait->r, from);
	}
}

static void make_unwinder(struct worker *w)
{
	struct unwind_opts opts = { .engine = w->s->opts.unwind_engine };

	w->unwound = xmalloc(UNWIND_BATCH * UNWOUND_APART * sizeof(*w->unwound));
	w->jobs = xcalloc(UNWIND_BATCH, sizeof(*w->jobs));
	w->waiting = xcalloc(UNWIND_BATCH, sizeof(*w->waiting));
	w->unwind = unwind_new(w->s->m, &opts, NULL);
}

/* s and r stay where they are until deliver(), which first resolves what waits. false: there is no unwinder. */
static bool wait_for_stack(struct worker *w, const struct where *at, const struct sample *s, struct resolved *r)
{
	const size_t i = (size_t)w->n_waiting;

	if (!w->unwound)
		make_unwinder(w);
	if (!w->unwind)
		return false;
	w->jobs[i] = (struct unwind_job){ .s = s, .th = r->thread, .out = w->unwound + i * UNWOUND_APART, .max = MAX_UNWOUND };
	w->waiting[i] = (struct waiting){ *at, r };
	if (++w->n_waiting == UNWIND_BATCH)
		resolve_waiting(w);
	return true;
}

static void resolve_chain(struct worker *w, const struct where *at, const struct sample *s, struct resolved *r)
{
	const bool has_stack = s->stack.len && s->user_regs.regs && r->thread;
	size_t from = w->locs.n, n;

	if (has_stack && wait_for_stack(w, at, s, r))
		return;
	vec_reserve(&w->locs, from + s->chain_n);
	n = chain_frames(w, at, s);
	if (!has_stack && w->s->opts.count_broken)
		note_broken(w, s, from, n);
	end_chain(w, r, from);
}

static void resolve_branches(struct worker *w, const struct where *at, const struct sample *s, struct resolved *r)
{
	r->branches = place(w->locs.n);
	for (u64 i = 0; i < s->branch.n; i++) {
		const struct perf_branch_entry *b = &s->branch.entries[i];

		vec_push(&w->locs, lookup_real(w, at, b->from, mode_of(w, 0, b->from)));
		vec_push(&w->locs, lookup_real(w, at, b->to, mode_of(w, 0, b->to)));
	}
}

/* ---- samples ---- */

static struct thread *find_thread(struct worker *w, const struct sample *s)
{
	u32 pid = s->pid, tid = s->tid;
	struct thread **slot = &w->threads[tid % THREAD_CACHE], *th = *slot;

	if (th && th->pid == pid && th->tid == tid && s->time_ns >= th->start_ns && s->time_ns < th->end_ns)
		return th;
	return *slot = machine_thread_at(w->s->m, pid, tid, s->time_ns);
}

static void resolve(struct worker *w, const struct sample *s, struct resolved *r, struct where *at)
{
	if (w->cache)		/* otherwise only these two are ever written */
		memset(r, 0, sizeof(*r));
	r->thread = find_thread(w, s);
	r->comm = thread_comm_at(r->thread, s->time_ns);
	if (!w->cache)
		return;
	at->t_ns = s->time_ns;
	at->user = thread_space_at(r->thread, s->time_ns);
	at->kernel = machine_kernel_space(w->s->m);
	at->user_key = space_key(at->user, s->time_ns);
	at->kernel_key = space_key(at->kernel, s->time_ns);
	if (w->wants & SINK_SYMBOLS && s->present & PERF_SAMPLE_IP) {
		r->leaf = lookup_real(w, at, s->ip, mode_of(w, s->cpumode, s->ip));
		w->st.n_no_map += !r->leaf.map;
	}
}

/* What no filter asks for. */
static void resolve_rest(struct worker *w, const struct sample *s, struct resolved *r, const struct where *at)
{
	if (w->wants & SINK_ADDR && s->present & PERF_SAMPLE_ADDR)
		r->data = lookup_real(w, at, s->addr, mode_of(w, 0, s->addr));
	if (w->wants & SINK_BRANCH && s->branch.n)
		resolve_branches(w, at, s, r);
	if (w->wants & SINK_CHAIN && (s->chain_n || s->stack.len))
		resolve_chain(w, at, s, r);
}

static void deliver(struct worker *w, struct sink *const *sinks, size_t n_sinks)
{
	if (w->n_waiting)
		resolve_waiting(w);
	for (size_t i = 0; w->cache && i < w->n; i++) {
		w->res[i].frames = placed(w, w->res[i].frames);
		w->res[i].branches = placed(w, w->res[i].branches);
	}
	for (size_t i = 0; w->n && i < n_sinks; i++) {
		if (sinks[i]->samples && !sinks[i]->stop)
			sinks[i]->samples(sinks[i], w->items, w->n);
	}
	w->n = 0;
	vec_clear(&w->locs);
}

static inline unsigned flat_words(struct worker *w, u64 type)
{
	if (type != w->flat_type) {
		w->flat_type = type;
		w->flat_words = wire_flat_words(type);
	}
	return w->flat_words;
}

/* The sample of slot k is to be a flat one: most of the work for it would be to zero what it does not have. */
static inline void begin_flat(struct worker *w, size_t k, u64 type)
{
	if (w->decoded[k] == type)
		return;
	memset(&w->samples[k], 0, sizeof(w->samples[k]));
	w->decoded[k] = type;
}

static inline int decode_words(struct worker *w, const struct perf_event_attr *attr, const struct raw_rec *rec, struct sample *s,
			const char **why)
{
	const size_t k = (size_t)(s - w->samples);
	const u64 type = attr->sample_type;

	if (!flat_words(w, type)) {
		w->decoded[k] = ~0ULL;
		return wire_decode_sample(attr, rec->hdr, s, why);
	}
	begin_flat(w, k, type);
	return wire_decode_flat(type, w->flat_words, rec->hdr, s, why);
}

static inline bool decode(struct worker *w, const struct raw_rec *rec, struct sample *s)
{
	const struct event *ev = rec->ev ? rec->ev : stream_sample_event(w->s, rec->hdr);
	const char *why = NULL;

	w->st.n_records++;
	w->st.by_type[PERF_RECORD_SAMPLE]++;
	if (!ev) {
		w->st.n_unknown_id++;
		return false;
	}
	if (decode_words(w, &ev->attr, rec, s, &why) < 0) {
		stream_note_bad(&w->st, &w->bad_off, rec->off, why);
		return false;
	}
	s->event = ev;
	if (!(s->present & PERF_SAMPLE_TID))
		s->pid = s->tid = (u32)-1;
	if (!(s->present & PERF_SAMPLE_TIME))
		s->time_ns = rec->time_ns;
	else
		w->st.last_ns = MAX(w->st.last_ns, s->time_ns), w->st.first_ns = MIN(w->st.first_ns, s->time_ns);
	w->st.n_samples++;
	return true;
}

/* Whether slot n is to be shown. */
static inline bool pass_filters(struct worker *w, const struct raw_rec *rec)
{
	struct stream *st = w->s;
	struct sample *s = &w->samples[w->n];
	struct resolved *r = &w->res[w->n];
	struct where at;

	if (st->filter.any && !filter_sample(&st->filter, s)) {
		w->st.n_filtered++;
		return false;
	}
	if (w->wants & SINK_THREAD)	/* otherwise nothing was ever written to r */
		resolve(w, s, r, &at);
	if (st->filter.any && !filter_resolved(&st->filter, r)) {
		w->st.n_filtered++;
		return false;
	}
	if (w->cache)
		resolve_rest(w, s, r, &at);
	w->items[w->n] = (struct sink_item){ s, r, rec->off, rec->hdr };
	return true;
}

/* The growth of counts in the sample of slot n, by event; what did not grow is left out. */
static size_t grown_counts(struct worker *w, const struct raw_rec *rec, struct wire_value *v, const struct event **evs)
{
	const struct sample *s = &w->samples[w->n];
	const struct perf_event_attr *a = &s->event->attr;
	u64 n = 0, out = 0;

	if (wire_read_values(a->read_format, s->read, v, BATCH, &n, NULL, NULL) < 0) {
		stream_note_bad(&w->st, &w->bad_off, rec->off, "counts of a group that are cut off");
		return 0;
	}
	for (u64 i = 0; i < MIN(n, (u64)BATCH); i++) {
		u64 id = a->read_format & PERF_FORMAT_ID ? v[i].id : s->id;
		const struct event *ev = a->read_format & PERF_FORMAT_ID ? event_list_by_id(&w->s->r->events, id) : s->event;
		u64 grew;

		if (!ev) {
			w->st.n_unknown_id++;
			continue;
		}
		grew = read_counts_step(w->s->reads, id, a->inherit ? s->tid : 0, v[i].value);
		if (!grew)
			continue;
		v[out] = (struct wire_value){ .value = grew, .id = id };
		evs[out++] = ev;
	}
	return out;
}

/* The sample of slot n becomes one for each member of its group. */
static size_t take_counts(struct worker *w, const struct raw_rec *rec)
{
	struct wire_value v[BATCH];
	const struct event *evs[BATCH];
	size_t n = grown_counts(w, rec, v, evs), at = w->n;

	if (!n || !pass_filters(w, rec))
		return 0;
	if (w->n_waiting)
		resolve_waiting(w);
	for (size_t i = 0; i < n; i++) {
		struct sample *s = &w->samples[at + i];

		if (i) {
			*s = w->samples[at];
			w->decoded[at + i] = ~0ULL;
			w->res[at + i] = w->res[at];
			w->items[at + i] = (struct sink_item){ s, &w->res[at + i], rec->off, rec->hdr };
		}
		s->event = evs[i];
		s->id = v[i].id;
		s->period = v[i].value;
	}
	return n;
}

static u64 max_counts(const struct sample *s)
{
	return MIN(s->read.len / sizeof(u64) + 1, (size_t)BATCH);
}

/* The samples of rec, behind those that wait already. */
static inline void take_sample(struct worker *w, const struct raw_rec *rec, struct sink *const *sinks, size_t n_sinks)
{
	struct sample *s = &w->samples[w->n];

	if (!decode(w, rec, s))
		return;
	if (!w->s->reads || !(s->present & PERF_SAMPLE_READ)) {
		w->n += pass_filters(w, rec);
		return;
	}
	if (w->n + max_counts(s) > BATCH) {
		struct sample copy = *s;

		deliver(w, sinks, n_sinks);
		w->samples[0] = copy;
		w->decoded[0] = ~0ULL;
	}
	w->n += take_counts(w, rec);
}

static void deliver_record(struct worker *w, const struct raw_rec *rec, struct sink *const *sinks, size_t n_sinks)
{
	const struct event *ev = rec->ev;
	struct sample_id id = { 0 };
	const char *why = NULL;

	if (!ev && rec->hdr->type < WIRE_HEADER_ATTR)
		ev = data_record_event(w->s->r, rec->hdr);
	if (ev && wire_decode_id(&ev->attr, rec->hdr, &id, &why) < 0)
		memset(&id, 0, sizeof(id));
	deliver(w, sinks, n_sinks);
	for (size_t i = 0; i < n_sinks; i++) {
		if (sinks[i]->wants & SINK_SIDEBAND && sinks[i]->record && !sinks[i]->stop)
			sinks[i]->record(sinks[i], rec->hdr, &id, rec->off);
	}
}

/* Sorted records lie anywhere in the window. */
static inline void prefetch_record(const struct raw_rec *recs, size_t i, size_t n)
{
	if (i + PREFETCH >= n)
		return;
	__builtin_prefetch(recs[i + PREFETCH].hdr);
	__builtin_prefetch((const char *)recs[i + PREFETCH].hdr + 64);
}

/* The flat samples of one type that the records begin with, as many as there is room for; how many. Only where all that is
 * wanted of a sample is what is in it. */
static size_t take_flat(struct worker *w, const struct raw_rec *recs, size_t n)
{
	const u64 type = recs[0].ev ? recs[0].ev->attr.sample_type : 0;
	const unsigned words = flat_words(w, type);
	struct stream_stats *st = &w->st;
	const size_t from = w->n;
	u64 first_ns = st->first_ns, last_ns = st->last_ns;
	size_t i;

	if (!words || !(type & PERF_SAMPLE_TID) || !(type & PERF_SAMPLE_TIME))
		return 0;
	for (i = 0; i < n && from + i < BATCH; i++) {
		const struct raw_rec *rec = &recs[i];
		struct sample *s = &w->samples[from + i];
		const char *why;

		prefetch_record(recs, i, n);
		if (rec->hdr->type != PERF_RECORD_SAMPLE || !rec->ev || rec->ev->attr.sample_type != type)
			break;
		begin_flat(w, from + i, type);
		if (wire_decode_flat(type, words, rec->hdr, s, &why) < 0)
			break;
		s->event = rec->ev;
		first_ns = MIN(first_ns, s->time_ns);
		last_ns = MAX(last_ns, s->time_ns);
		w->items[from + i] = (struct sink_item){ s, &w->res[from + i], rec->off, rec->hdr };
	}
	w->n = from + i;
	st->n_records += i;
	st->n_samples += i;
	st->by_type[PERF_RECORD_SAMPLE] += i;
	st->first_ns = first_ns;
	st->last_ns = last_ns;
	return i;
}

void worker_run(struct worker *w, const struct raw_rec *recs, size_t n, struct sink *const *sinks, size_t n_sinks)
{
	const bool bare = !(w->wants & SINK_THREAD) && !w->s->filter.any && !w->s->reads;

	for (size_t i = 0; i < n; i++) {
		const struct raw_rec *rec;

		if (bare) {
			i += take_flat(w, recs + i, n - i);
			if (w->n == BATCH)
				deliver(w, sinks, n_sinks);
			if (i == n)
				break;
		}
		rec = &recs[i];
		prefetch_record(recs, i, n);
		w->next = rec + 1;
		w->n_next = (int)MIN(n - 1 - i, (size_t)UNWIND_BATCH);
		if (rec->hdr->type == PERF_RECORD_SAMPLE) {
			take_sample(w, rec, sinks, n_sinks);
			if (w->n == BATCH || w->locs.n >= BATCH_LOCS)
				deliver(w, sinks, n_sinks);
			continue;
		}
		worker_count(w, rec);
		if (w->wants & SINK_SIDEBAND)
			deliver_record(w, rec, sinks, n_sinks);
	}
	deliver(w, sinks, n_sinks);
}
