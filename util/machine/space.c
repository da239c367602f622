// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Time-versioned address spaces.
 *  1. live holds the newest version: sorted, no overlaps. 2. A map_ver is never changed after its
 *     creation but for its end.
 *  3. ver_ns ascends: a change that comes late gets the time of the one before it.
 *  4. The index is built when a lookup asks for an old version of a space in which something ended,
 *     or by freeze.
 */
#include "util/machine/machine-priv.h"

enum { MAX_DEPTH = 8, IDX_BLOCK = 32 };

struct space *space_new(struct machine *m)
{
	struct space *s = xnew(struct space);

	s->m = m;
	s->id = ++m->next_space;
	return s;
}

static void drop_index(struct space *s)
{
	free(s->idx);
	free(s->idx_max);
	s->idx = NULL;
	s->idx_max = NULL;
	s->n_idx = 0;
}

void space_free(struct space *s)
{
	if (!s)
		return;
	for vec_each(mv, &s->all)
		free(*mv);
	vec_free(&s->all);
	vec_free(&s->live);
	vec_free(&s->ver_ns);
	drop_index(s);
	free(s);
}

u64 space_id(const struct space *s)
{
	return s->id;
}

u32 space_version(const struct space *s, u64 t_ns)
{
	size_t lo = 0, hi = s->ver_ns.n;

	if (!hi || t_ns >= s->ver_ns.v[hi - 1])
		return hi;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->ver_ns.v[mid] <= t_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* ---- changing ---- */

/* The number of the version that a change at t makes; *t is moved up to the newest change. */
static u32 new_version(struct space *s, u64 *t_ns)
{
	if (s->ver_ns.n && *t_ns < *vec_last(&s->ver_ns))
		*t_ns = *vec_last(&s->ver_ns);
	vec_push(&s->ver_ns, *t_ns);
	drop_index(s);
	return s->ver_ns.n;
}

/* Index of the first live mapping that ends above va. */
static size_t live_from(const struct space *s, u64 va)
{
	size_t lo = 0, hi = s->live.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->live.v[mid].end_va <= va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct map_ver *new_map(struct space *s, const struct mapping *tmpl, u64 start_va,
			       u64 end_va, u32 v, u64 t_ns)
{
	struct map_ver *mv = xnew(struct map_ver);

	mv->m = *tmpl;
	mv->m.start_va = start_va;
	mv->m.end_va = end_va;
	mv->m.off = tmpl->off + (start_va - tmpl->start_va);
	mv->m.from_ns = t_ns;
	mv->m.to_ns = UINT64_MAX;
	mv->m.index = s->m->next_mapping++;
	mv->from_v = v;
	mv->to_v = UINT32_MAX;
	vec_push(&s->all, mv);
	return mv;
}

/* Puts n entries into live in the place of those in [at, end). */
static void live_splice(struct space *s, size_t at, size_t end, const struct live_map *with,
			size_t n)
{
	size_t tail = s->live.n - end, new_n = at + n + tail;

	vec_reserve(&s->live, new_n);
	if (tail)
		memmove(s->live.v + at + n, s->live.v + end, tail * sizeof(*with));
	if (n)
		memcpy(s->live.v + at, with, n * sizeof(*with));
	s->live.n = new_n;
}

static struct live_map live_of(struct map_ver *mv)
{
	return (struct live_map){ mv->m.start_va, mv->m.end_va, mv };
}

/* Ends what is live in [start, end) at version v, keeping the parts outside; puts add (may be
 * NULL) there instead. */
static void replace(struct space *s, u64 start_va, u64 end_va, const struct mapping *add, u32 v,
		    u64 t_ns)
{
	size_t at = live_from(s, start_va), end = at, n = 0;
	struct live_map with[3];
	struct map_ver *last = NULL;

	while (end < s->live.n && s->live.v[end].start_va < end_va) {
		struct map_ver *old = s->live.v[end].mv;

		if (old->m.start_va < start_va)
			with[n++] = live_of(new_map(s, &old->m, old->m.start_va, start_va, v,
						    t_ns));
		old->to_v = v;
		old->m.to_ns = t_ns;
		s->cut = true;
		last = old;
		end++;
	}
	if (add)
		with[n++] = live_of(new_map(s, add, start_va, end_va, v, t_ns));
	if (last && last->m.end_va > end_va)
		with[n++] = live_of(new_map(s, &last->m, end_va, last->m.end_va, v, t_ns));
	live_splice(s, at, end, with, n);
}

/* The same mapping is there already: synthesized and recorded, or recorded by two events. */
static bool is_known(const struct space *s, const struct mapping *t)
{
	size_t i = live_from(s, t->start_va);
	const struct mapping *m;

	if (i == s->live.n)
		return false;
	m = &s->live.v[i].mv->m;
	return m->start_va == t->start_va && m->end_va == t->end_va && m->off == t->off &&
		m->dso == t->dso &&
	       m->prot == t->prot && m->flags == t->flags;
}

void space_add(struct space *s, const struct mapping *tmpl, u64 t_ns)
{
	bool vdso = tmpl->dso && tmpl->dso->kind == DSO_VDSO;
	u32 v;

	if (is_known(s, tmpl))
		return;
	v = new_version(s, &t_ns);
	replace(s, tmpl->start_va, tmpl->end_va, tmpl, v, t_ns);
	/* the first mapping after the vdso is made by the new program itself: its own code runs
	 * now */
	if (s->prev && s->prev_end_v == UINT32_MAX && s->saw_vdso)
		s->prev_end_v = v;
	s->saw_vdso |= vdso;
}

void space_cut(struct space *s, u64 start_va, u64 end_va, u64 t_ns)
{
	size_t at = live_from(s, start_va);

	if (at == s->live.n || s->live.v[at].start_va >= end_va)
		return;
	replace(s, start_va, end_va, NULL, new_version(s, &t_ns), t_ns);
}

static void copy_visible(struct space *to, const struct space *from, u32 v)
{
	if (from->base)
		copy_visible(to, from->base, from->base_v);
	for (size_t i = 0; i < from->all.n; i++) {
		const struct map_ver *mv = from->all.v[i];

		if (mv->from_v <= v && v < mv->to_v)
			space_add(to, &mv->m, 0);
	}
}

struct space *space_fork(struct space *parent)
{
	struct space *s = space_new(parent->m);

	if (parent->depth >= MAX_DEPTH) {	/* lookups shall not walk through generations */
		copy_visible(s, parent, parent->ver_ns.n);
		return s;
	}
	if (!parent->all.n && !parent->prev && parent->base) {
		s->base = parent->base;
		s->base_v = parent->base_v;
		s->depth = parent->depth;
	} else {
		s->base = parent;
		s->base_v = parent->ver_ns.n;
		s->depth = parent->depth + 1;
	}
	((struct space *)s->base)->n_refs++;
	return s;
}

/*
 * Samples inside execve() still carry the user registers of the program that called it, so until
 * the new program runs, an address that is not mapped in the new space belongs to the old one.
 */
struct space *space_exec(struct space *old)
{
	struct space *s = space_new(old->m);

	s->prev = old;
	s->prev_v = old->ver_ns.n;
	s->prev_end_v = UINT32_MAX;
	old->n_refs++;
	return s;
}

/* ---- looking up ---- */

static int cmp_idx(const void *a, const void *b)
{
	const struct live_map *x = a, *y = b;

	if (x->start_va != y->start_va)
		return x->start_va < y->start_va ? -1 : 1;
	return x->mv->from_v < y->mv->from_v ? -1 : x->mv->from_v > y->mv->from_v;
}

static void build_index(struct space *s)
{
	const size_t n = s->all.n;
	struct live_map *idx = xcalloc(n, sizeof(*idx));

	s->idx_max = xcalloc(n / IDX_BLOCK + 1, sizeof(*s->idx_max));
	for (size_t i = 0; i < n; i++)
		idx[i] = live_of(s->all.v[i]);
	qsort(idx, n, sizeof(*idx), cmp_idx);
	for (size_t i = 0; i < n; i++) {
		if (s->idx_max[i / IDX_BLOCK] < idx[i].end_va)
			s->idx_max[i / IDX_BLOCK] = idx[i].end_va;
	}
	s->n_idx = n;
	__atomic_store_n(&s->idx, idx, __ATOMIC_RELEASE);
}

/* By whichever thread comes first. */
static void build_index_once(struct space *s)
{
	pthread_mutex_lock(&s->m->late_lock);
	if (!s->idx)
		build_index(s);
	pthread_mutex_unlock(&s->m->late_lock);
}

static const struct mapping *find_live(const struct space *s, u64 va, u32 v)
{
	size_t i = live_from(s, va);

	if (i < s->live.n && s->live.v[i].start_va <= va && s->live.v[i].mv->from_v <= v)
		return &s->live.v[i].mv->m;
	return NULL;
}

static const struct mapping *find_indexed(const struct space *s, u64 va, u32 v)
{
	size_t lo = 0, hi = s->n_idx;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->idx[mid].start_va <= va)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t i = lo; i-- > 0;) {
		const struct live_map *e = &s->idx[i];

		if (s->idx_max[i / IDX_BLOCK] <= va) {
			i = i / IDX_BLOCK * IDX_BLOCK;
			continue;
		}
		if (e->end_va > va && e->mv->from_v <= v && v < e->mv->to_v)
			return &e->mv->m;
	}
	return NULL;
}

static const struct mapping *find_own(const struct space *s, u64 va, u32 v)
{
	if (!s->cut || v >= s->ver_ns.n)
		return find_live(s, va, v);
	if (!s->m->frozen && !__atomic_load_n(&s->idx, __ATOMIC_ACQUIRE))
		build_index_once((struct space *)s);
	return find_indexed(s, va, v);
}

static const struct mapping *find_at(const struct space *s, u64 va, u32 v)
{
	for (; s; v = s->base_v, s = s->base) {
		const struct mapping *m = find_own(s, va, v);

		if (m)
			return m;
	}
	return NULL;
}

const struct mapping *space_find(const struct space *s, u64 va, u64 t_ns)
{
	u32 v = space_version(s, t_ns);
	const struct mapping *m = find_at(s, va, v);

	if (!m && s->prev && v < s->prev_end_v)
		m = find_at(s->prev, va, s->prev_v);
	return m;
}

void space_freeze(struct space *s)
{
	if (s->cut && !s->idx)
		build_index(s);
}

void space_trim(struct space *s, u64 before_ns)
{
	size_t n = 0;

	if (!s->cut || s->n_refs)
		return;
	for (size_t i = 0; i < s->all.n; i++) {
		struct map_ver *mv = s->all.v[i];

		if (mv->m.to_ns < before_ns)
			free(mv);
		else
			s->all.v[n++] = mv;
	}
	s->all.n = n;
	drop_index(s);
}

u64 mapping_rva(const struct mapping *map, u64 va)
{
	u64 off = va - map->start_va + map->off;

	return map->kernel ? off : dso_off_to_rva(map->dso, off);
}
