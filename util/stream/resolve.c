// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who a sample is of and what its addresses are: thread, comm, leaf, data, branches, and the frames
 * of its stack.
 */
#include "include/abi/perf_event.h"
#include "util/stream/stream-priv.h"

#include <string.h>

enum {
	/* not all in the same sets of a cache */
	MAX_UNWOUND = 1024, UNWOUND_APART = MAX_UNWOUND + 36,
	/* bytes of a record before its stack, about */
	LARGE_RECORD = 4096, BEFORE_STACK = 320,
};

/* A stack that waits to be unwound together with others. */
struct waiting {
	struct where at;
	struct resolved *r;
};

/* ---- memory of the batch ---- */

/* The vector may move while the batch grows: until delivery a list of locations is its place in
 * it, plus one. */
static const struct location *place(size_t at)
{
	return (const struct location *)(uintptr_t)(at + 1);
}

const struct location *resolve_placed(const struct worker *w, const struct location *place_of)
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
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return at->guest ? space_find(at->guest, va, at->t_ns) : NULL;
	default:
		return NULL;	/* programs of guests, hypervisors: counted, not resolved */
	}
}

/* No call ends where its code begins: a trampoline that another one returns into, or that was
 * interrupted there. */
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

static void locate(struct worker *w, const struct where *at, struct loc_entry *e, u64 va, u8 mode,
		   bool caller)
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
	/* Padding before a kernel function calls nothing: the function was interrupted at its
	 * first instruction. */
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
	return (mode == PERF_RECORD_MISC_KERNEL ? at->kernel_key : at->user_key) |
		(u64)(mode & 7) << 1 | caller;
}

static inline struct loc_entry *loc_set(const struct worker *w, u64 key, u64 va)
{
	return &w->cache[hash_slot(va ^ key << 7, LOC_CACHE / 2) * 2];
}

/* e: the set of key and va. */
static inline struct loc_entry *lookup_in(struct worker *w, struct loc_entry *e,
					  const struct where *at, u64 key, u64 va, u8 mode,
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
static struct loc_entry *lookup(struct worker *w, const struct where *at, u64 va, u8 mode,
				bool caller)
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

/* Ids and versions of a space in one word above the four low bits: versions beyond 2^28 of one
 * space cannot be, each is made by a record of 64 bytes. */
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

#define FRAMES_AHEAD 6

/* What will be looked up for a later frame. */
static inline void fetch_location(const struct worker *w, const struct where *at, u64 va, u8 mode,
				  bool caller)
{
	__builtin_prefetch(loc_set(w, loc_key(at, mode, caller), va));
}

/* The kernel's walk along frame pointers, and no unwinder's or CPU's work. */
static bool is_by_frame_pointers(const struct sample *s)
{
	const struct perf_event_attr *a = s->event ? &s->event->attr : NULL;

	return a && !(a->sample_type & PERF_SAMPLE_STACK_USER) && !a->exclude_callchain_user &&
	       !(a->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		 a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

/* The kernel's chain may lack its leaf's caller, or have a false one. */
static bool lacks_caller(const struct worker *w, const struct sample *s)
{
	return machine_arch(w->s->m)->calls.chain_lr != ARCH_CHAIN_WHOLE &&
		is_by_frame_pointers(s);
}

/* n: frames of the chain that are there already; yields how many more there are. */
static size_t deferred_frames(struct worker *w, const struct where *at, const struct sample *s,
			      u64 cookie, size_t n)
{
	const struct deferred_chain *d = deferred_chains_find(&w->s->deferred, cookie, s->tid);
	u8 mode = PERF_RECORD_MISC_USER;
	bool first = true;
	size_t more = 0;

	for (u64 i = 0; d && i < d->n && !enough(w, n + more); i++) {
		const u64 va = d->words[i];

		if (va >= (u64)PERF_CONTEXT_MAX) {
			mode = context_mode(va);
			first = true;
			continue;
		}
		push_frame(w, first ? lookup_leaf(w, at, va, mode) : lookup(w, at, va, mode, true));
		first = false;
		more++;
	}
	return more;
}

/* Of the first n_words words of the recorded chain. */
static size_t chain_frames(struct worker *w, const struct where *at, const struct sample *s,
			   u64 n_words)
{
	u8 mode = s->cpumode, mode_here;
	/* of its context: an address where it was interrupted, not a return address */
	bool first = true;
	struct unwind_chain fix = { .drop = 0 };
	size_t n = 0;
	u64 leaf = n_words;	/* of the user part */

	/* of those whose mode is not known yet, in vain */
	for (u64 i = 0; i < MIN(n_words, (u64)FRAMES_AHEAD); i++)
		fetch_location(w, at, s->chain[i], mode, true);
	for (u64 i = 0; i < n_words && !enough(w, n); i++) {
		u64 va = s->chain[i];

		/* a cookie follows; the stack comes in a record of its own */
		if (va == ABI_CONTEXT_USER_DEFERRED) {
			if (++i < n_words)
				n += deferred_frames(w, at, s, s->chain[i], n);
			continue;
		}
		if (va >= (u64)PERF_CONTEXT_MAX) {
			mode = context_mode(va);
			first = true;
			continue;
		}
		if (i + FRAMES_AHEAD < n_words)
			fetch_location(w, at, s->chain[i + FRAMES_AHEAD], mode, true);
		mode_here = mode_of(w, mode, va);
		if (i > leaf && i == leaf + fix.drop)
			continue;
		push_frame(w, first ? lookup_leaf(w, at, va, mode_here) :
			   lookup(w, at, va, mode_here, true));
		n++;
		if (first && mode_here == PERF_RECORD_MISC_USER && n_words == s->chain_n &&
		    lacks_caller(w, s)) {
			unwind_chain_caller(w->s->m, s, at->user, i, &fix);
			leaf = i;
			if (fix.insert && !enough(w, n)) {
				push_frame(w, lookup(w, at, fix.va, mode_here, true));
				n++;
			}
		}
		first = false;
	}
	return n;
}

/* Dalvik code is read as data. */
static bool holds_bytecode(const struct dso *d)
{
	static const char *const kinds[] = { ".jar", ".dex", ".vdex", ".apk", ".oat", ".odex" };

	for (size_t i = 0; d->kind == DSO_FILE && i < ARRAY_SIZE(kinds); i++)
		if (str_has_suffix(d->short_name, kinds[i]))
			return true;
	return false;
}

static bool is_code(const struct location *l)
{
	/* PROT_EXEC; old records do not say */
	return l->map && (!l->map->prot || l->map->prot & 4 || holds_bytecode(l->dso));
}

/* Nothing calls what a program, a thread or a context begins with. */
static bool is_entry(const char *name)
{
	static const char *const entries[] = { "_start", "clone", "__clone", "_dl_start", "__start",
					       "thread_start", "_rt0_",
					       "runtime.rt0_go", "runtime.mstart", "runtime.goexit",
					       "make_fcontext" };

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (str_has_prefix(name, entries[i]))
			return true;
	return false;
}

/* Whether the recording, or who reads it, wanted no more frames than these. */
static bool was_cut(const struct worker *w, const struct sample *s, size_t n)
{
	const u16 most = s->event->attr.sample_max_stack;

	return enough(w, n) || (most && n >= most);
}

/* The user part of a chain, in w->locs: the frames in code, and those after the last of them. */
struct user_part { size_t n_code, n_behind, behind; const struct location *last; };

static struct user_part user_part_of(const struct worker *w, size_t from)
{
	struct user_part u = { 0 };

	for (size_t i = from; i < w->locs.n; i++) {
		const struct location *l = &w->locs.v[i];

		if (l->cpumode != PERF_RECORD_MISC_USER || l->inline_depth)
			continue;
		if (!is_code(l)) {
			u.n_behind++;
			continue;
		}
		u.n_code++;
		u.last = l;
		u.behind = i + 1;
		u.n_behind = 0;
	}
	return u;
}

enum chain_state { CHAIN_WHOLE, CHAIN_BROKEN, CHAIN_UNSURE };

static enum chain_state judge(const struct worker *w, const struct sample *s,
			      const struct user_part *u, size_t n)
{
	const struct symbol *sym;

	if (u->n_behind)
		return CHAIN_BROKEN;
	if (u->n_code > 1 || was_cut(w, s, n))
		return CHAIN_WHOLE;
	sym = u->last->sym ? u->last->sym : dso_find(u->last->dso, u->last->rva);
	return !sym ? CHAIN_UNSURE : is_entry(sym->name) ? CHAIN_WHOLE : CHAIN_BROKEN;
}

/* The kernel follows frame pointers. In code that has none it stops right after the first frame,
 * or it follows any value that the register happens to hold, and what it then takes for callers
 * lies in no code. Where no code comes after them such frames say nothing: one stands for them, and
 * for callers that are missing, where opts.cut_broken says so. A single 0 is the end of a stack. n:
 * frames of the chain. */
static void note_broken(struct worker *w, const struct sample *s, size_t from, size_t n)
{
	struct user_part u = user_part_of(w, from);
	enum chain_state state;

	if (!u.last || w->locs.n - u.behind != u.n_behind)
		return;
	if (u.n_behind == 1 && !vec_last(&w->locs)->va) {
		u.n_behind = 0;
		w->locs.n -= w->s->opts.cut_broken;
	}
	state = judge(w, s, &u, n);
	w->st.n_user_chains++;
	w->st.n_unsure_chains += state == CHAIN_UNSURE;
	if (state != CHAIN_BROKEN)
		return;
	w->st.n_broken_chains++;
	stream_add_broken(&w->st, u.last->dso, 1);
	if (w->s->opts.cut_broken) {
		w->locs.n = u.behind;
		vec_push(&w->locs, ((struct location){ .cpumode = PERF_RECORD_MISC_USER,
						       .broken = true }));
	}
}

static u8 unwound_mode(const struct unwind_frame *f)
{
	return f->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* n: frames of the sample that are there already. */
static void unwound_frames(struct worker *w, const struct where *at, const struct unwind_job *job,
			   size_t n)
{
	bool exact = true;

	for (int i = 0; i < job->n && !enough(w, n); i++, n++) {
		const struct unwind_frame *f = &job->out[i];
		/* a caller is shown by the last byte of its call, as all tools do for DWARF
		 * stacks */
		u64 va = exact || f->signal ? f->va : f->va - 1;

		if (i + FRAMES_AHEAD < job->n)		/* those that are no callers are few */
			fetch_location(w, at, f[FRAMES_AHEAD].va - 1,
				       unwound_mode(f + FRAMES_AHEAD), false);
		push_frame(w, lookup(w, at, va, unwound_mode(f), false));
		exact = f->signal;
	}
}

/* The frames that unwound_frames() finds no time for. */
static inline void fetch_first(const struct worker *w, const struct where *at,
			       const struct unwind_job *job)
{
	for (int i = 0; i < MIN(job->n, FRAMES_AHEAD); i++)
		fetch_location(w, at, job->out[i].va - (i > 0), unwound_mode(&job->out[i]), false);
}

/* Of a stack that could not be read at all: registers of a machine that is not known, say. */
static void leaf_frame(struct worker *w, const struct where *at, const struct sample *s)
{
	if (s->present & PERF_SAMPLE_IP && s->ip)
		push_frame(w, lookup_leaf(w, at, s->ip, mode_of(w, s->cpumode, s->ip)));
}

/* Code without a symbol is one function with all such code of its file. */
static bool begins_elsewhere(const struct location *leaf, const struct location *first)
{
	return leaf->va && (first->broken || first->dso != leaf->dso || first->sym != leaf->sym);
}

/* Puts the sample's own function before the frames. */
static void add_leaf(struct worker *w, const struct where *at, const struct sample *s,
		     const struct location *leaf, size_t from)
{
	const size_t n = w->locs.n - from;
	size_t n_new;

	if (!n || !begins_elsewhere(leaf, &w->locs.v[from]))
		return;
	leaf_frame(w, at, s);
	n_new = w->locs.n - from - n;
	for (size_t i = from + n; i < w->locs.n; i++)
		w->locs.v[i].added = true;
	vec_reserve(&w->locs, w->locs.n + n);
	memcpy(w->locs.v + w->locs.n, w->locs.v + from, n * sizeof(*w->locs.v));
	memmove(w->locs.v + from, w->locs.v + from + n, (n_new + n) * sizeof(*w->locs.v));
}

static void end_chain(struct worker *w, const struct where *at, const struct sample *s,
		      struct resolved *r, size_t from)
{
	if (w->wants & SINK_LEAF)
		add_leaf(w, at, s, &r->leaf, from);
	r->n_frames = w->locs.n - from;
	r->frames = r->n_frames ? place(from) : NULL;
}

/* A later sample's registers, the part of its stack that one before it took, and the words after
 * it. */
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

/* While the frames of each are looked up, the memory comes that the next of those after needs. */
void resolve_waiting(struct worker *w)
{
	const int n = w->n_waiting;

	if (!n)
		return;
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
		wait->r->chain_end = (u8)job->reason;
		w->st.unwind_ended[job->reason & 15]++;
		vec_reserve(&w->locs, from + job->s->chain_n + (size_t)job->n);
		unwound_frames(w, &wait->at, job, chain_frames(w, &wait->at, job->s,
							       job->s->chain_n));
		if (w->locs.n == from)
			leaf_frame(w, &wait->at, job->s);
		end_chain(w, &wait->at, job->s, wait->r, from);
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

/* s and r stay where they are until deliver(), which first resolves what waits. false: there is
 * no unwinder. */
static bool wait_for_stack(struct worker *w, const struct where *at, const struct sample *s,
			   struct resolved *r)
{
	const size_t i = (size_t)w->n_waiting;

	if (!w->unwound)
		make_unwinder(w);
	if (!w->unwind)
		return false;
	w->jobs[i] = (struct unwind_job){ .s = s, .th = r->thread, .out = w->unwound +
					  i * UNWOUND_APART, .max = MAX_UNWOUND };
	w->waiting[i] = (struct waiting){ *at, r };
	if (++w->n_waiting == UNWIND_BATCH)
		resolve_waiting(w);
	return true;
}

/* The CPU kept the stack of user space (PERF_SAMPLE_BRANCH_CALL_STACK); after a switch of tasks
 * it has nothing yet. */
static bool has_lbr_stack(const struct sample *s)
{
	return s->branch.n && s->event && s->event->attr.branch_sample_type &
		PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* After the kernel's part of the chain: calls, each where its instruction is. */
static void lbr_frames(struct worker *w, const struct where *at, const struct sample *s)
{
	size_t n = chain_frames(w, at, s, unwind_kernel_words(s));
	u64 va = unwind_lbr_leaf(s);

	for (u64 i = 0; va && !enough(w, n); i++, n++) {
		push_frame(w, lookup(w, at, va, mode_of(w, PERF_RECORD_MISC_CPUMODE_UNKNOWN, va),
				     false));
		va = i < s->branch.n ? s->branch.entries[i].from : 0;
	}
}

static void push_branch_end(struct worker *w, const struct where *at, const struct branch_end *e,
			    bool to)
{
	const u64 va = to ? e->branch->to : e->branch->from;

	push_frame(w, lookup(w, at, va, mode_of(w, PERF_RECORD_MISC_CPUMODE_UNKNOWN, va), false));
	vec_push(&w->ends, *e);
	vec_last(&w->ends)->to = to;
	if (to) {
		vec_last(&w->ends)->rounds = 0;
		vec_last(&w->ends)->round_cycles = 0;
	}
}

/* The frames of the outermost n words of the chain. */
static void outer_frames(struct worker *w, const struct where *at, const struct sample *s, u64 n)
{
	const size_t from = w->locs.n, got = chain_frames(w, at, s, s->chain_n);
	size_t drop = 0;

	for (u64 i = 0; i + n < s->chain_n; i++)
		drop += s->chain[i] < (u64)PERF_CONTEXT_MAX;
	drop = MIN(drop, got);
	memmove(w->locs.v + from, w->locs.v + from + drop, (got - drop) * sizeof(*w->locs.v));
	w->locs.n -= drop;
}

static void branch_frames(struct worker *w, const struct where *at, const struct sample *s,
			  struct resolved *r)
{
	const bool outermost = w->s->opts.branches == STREAM_BRANCHES_OUTERMOST;
	const size_t from = w->locs.n, first_end = w->ends.n;
	struct branch_end path[MAX_BRANCH_PATH];
	const u64 max = w->s->opts.max_branches > 0 ? (u64)w->s->opts.max_branches : UINT64_MAX;
	const size_t n = branch_path(s, outermost, max, path);
	const u64 words = s->chain_n > n ? MIN(s->chain_n - n, max) : 0;

	if (outermost)
		outer_frames(w, at, s, words);
	r->first_end = (u32)(w->locs.n - from);
	for (size_t i = 0; i < n; i++) {
		const struct branch_end *e = &path[outermost ? n - 1 - i : i];

		push_branch_end(w, at, e, !outermost);
		push_branch_end(w, at, e, outermost);
	}
	r->n_ends = (u32)(w->ends.n - first_end);
	r->ends = (const struct branch_end *)(uintptr_t)first_end;
	if (!outermost)
		chain_frames(w, at, s, words);
	end_chain(w, at, s, r, from);
}

static void resolve_chain(struct worker *w, const struct where *at, const struct sample *s,
			  struct resolved *r)
{
	const bool has_stack = s->stack.len && s->user_regs.regs && r->thread;
	size_t from = w->locs.n, n;

	if (has_stack && wait_for_stack(w, at, s, r))
		return;
	vec_reserve(&w->locs, from + s->chain_n);
	if (has_lbr_stack(s)) {
		lbr_frames(w, at, s);
		end_chain(w, at, s, r, from);
		return;
	}
	if (w->s->opts.branches && s->branch.n) {
		branch_frames(w, at, s, r);
		return;
	}
	n = chain_frames(w, at, s, s->chain_n);
	if (w->s->opts.count_broken && is_by_frame_pointers(s))
		note_broken(w, s, from, n);
	end_chain(w, at, s, r, from);
}

static void resolve_branches(struct worker *w, const struct where *at, const struct sample *s,
			     struct resolved *r)
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

	if (th && th->pid == pid && th->tid == tid && s->time_ns >= th->start_ns &&
	    s->time_ns < th->end_ns)
		return th;
	return *slot = machine_thread_at(w->s->m, pid, tid, s->time_ns);
}

void resolve_who(struct worker *w, const struct sample *s, struct resolved *r, struct where *at)
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
	at->guest = guests_kernel(&w->s->guests, s->pid);
	at->user_key = space_key(at->user, s->time_ns);
	at->kernel_key = space_key(at->kernel, s->time_ns);
	if (w->wants & SINK_SYMBOLS && s->present & PERF_SAMPLE_IP) {
		r->leaf = lookup_real(w, at, s->ip, mode_of(w, s->cpumode, s->ip));
		w->st.n_no_map += !r->leaf.map;
	}
}

/* What no filter asks for. */
void resolve_rest(struct worker *w, const struct sample *s, struct resolved *r,
		  const struct where *at)
{
	if (w->wants & SINK_ADDR && s->present & PERF_SAMPLE_ADDR)
		r->data = lookup_real(w, at, s->addr, mode_of(w, 0, s->addr));
	if (w->wants & SINK_BRANCH && s->branch.n)
		resolve_branches(w, at, s, r);
	if (w->wants & SINK_CHAIN && (s->chain_n || s->stack.len || has_lbr_stack(s) ||
				      (w->s->opts.branches && s->branch.n)))
		resolve_chain(w, at, s, r);
}
