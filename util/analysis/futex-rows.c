// SPDX-License-Identifier: GPL-2.0-or-later
// What futexes are, and the rows and parts that waits are counted in.
#include <string.h>

#include "util/analysis/futex-priv.h"

/* --- what a futex is */

/* Functions of C libraries, without underscores before them. */
static const struct { const char *begin, *type; } functions[] = {
	{ "pthread_cond_", "condition" }, { "pthread_rwlock_", "rwlock" },
	{ "pthread_barrier_", "barrier" }, { "sem_", "semaphore" }, { "new_sem_", "semaphore" },
	{ "pthread_join", "join" }, { "pthread_timedjoin", "join" },
	{ "pthread_clockjoin", "join" }, { "pthread_tryjoin", "join" },
	{ "pthread_once", "once" }, { "cnd_", "condition" },
};
static const char *const kinds[] = {
	[FUTEXREC_OTHER] = "futex", [FUTEXREC_MUTEX] = "mutex", [FUTEXREC_PI] = "pi-mutex",
};
enum { LIBRARY_FRAMES = 6 };	/* at most, that lie between the call and the function's name */

static const char *type_of_function(const char *name)
{
	name += strspn(name, "_");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (str_has_prefix(name, functions[i].begin))
			return functions[i].type;
	return NULL;
}

static const char *type_of_stack(const struct resolved *r)
{
	const char *type = NULL;

	for (u32 i = 0; i < r->n_frames && i < LIBRARY_FRAMES && !type; i++)
		if (r->frames[i].sym)
			type = type_of_function(r->frames[i].sym->name);
	return type;
}

const char *futex_type(const struct futex_row *r)
{
	return r->type && r->kind == FUTEXREC_OTHER ? r->type : kinds[r->kind];
}

bool futex_is_type(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(functions[i].type, name))
			return true;
	return word_index(kinds, ARRAY_SIZE(kinds), name, strlen(name)) >= 0;
}

/* --- rows */

static u64 key_of_row(const struct futex_model *m, const struct futexrec_key *k)
{
	const u64 h = hash_u64((u64)k->tgid + 1);

	return m->opts.by == FUTEXREC_BY_LOCK ? hash_u64(h ^ k->addr) : hash_u64(h ^ k->tid);
}

static void name_lock(struct futex_model *m, struct futex_row *row, const struct location *data)
{
	struct str s = STR_INIT;

	if (data->dso)
		row->dso = data->dso->short_name;
	if (!data->sym)
		return;
	str_add(&s, data->sym->name);
	if (data->rva != data->sym->start_rva)
		str_addf(&s, "+0x%llx", (unsigned long long)(data->rva - data->sym->start_rva));
	row->symbol = arena_strdup(&m->arena, str_cstr(&s));
	str_release(&s);
}

struct futex_row *futex_row(struct futex_model *m, const struct futexrec_key *k,
			    const struct location *data)
{
	const u64 key = key_of_row(m, k);
	struct futex_row *row = hmap_get(&m->by_key, key);

	if (row)
		return row;
	row = arena_alloc(&m->arena, sizeof(*row));
	row->min_ns = UINT64_MAX;
	row->order = m->rows.n;
	row->pid = k->tgid;
	row->tid = k->tid;
	row->addr = m->opts.by == FUTEXREC_BY_LOCK ? k->addr : 0;
	if (m->opts.by == FUTEXREC_BY_LOCK && data)
		name_lock(m, row, data);
	hmap_put(&m->by_key, key, row);
	vec_push(&m->rows, row);
	return row;
}

static u32 depth_of(const struct futex_model *m, const struct resolved *r)
{
	return m->opts.max_stack > 0 ? MIN(r->n_frames, (u32)m->opts.max_stack) : r->n_frames;
}

static u64 key_of_part(u64 row, u32 side, u32 tid, const struct resolved *r, u32 depth)
{
	u64 h = hash_u64(hash_u64(row + 1) ^ ((u64)tid << 2 | side));

	for (u32 i = 0; i < depth; i++)
		h = hash_u64(h ^ r->frames[i].va);
	return h;
}

struct futex_part *futex_part(struct futex_model *m, struct futex_row *row, u32 side, u32 tid,
			      const struct resolved *res)
{
	const u32 depth = depth_of(m, res);
	const u64 key = key_of_part(row->order, side, tid, res, depth);
	struct futex_part *p = hmap_get(&m->parts, key);

	if (p)
		return p;
	p = arena_alloc(&m->arena, sizeof(*p));
	p->side = side;
	p->tid = tid;
	p->comm = tid && res->comm ? res->comm->name : NULL;
	p->n_frames = depth;
	p->frames = arena_dup(&m->arena, res->frames, depth * sizeof(*p->frames));
	p->next = row->parts;
	row->parts = p;
	row->n_parts++;
	hmap_put(&m->parts, key, p);
	return p;
}

void futex_note(struct futex_row *row, const struct resolved *res, u32 kind)
{
	row->kind = MAX(row->kind, kind);
	if (!row->comm && res->comm)
		row->comm = res->comm->name;
	if (!row->type)
		row->type = type_of_stack(res);
}
