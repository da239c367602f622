// SPDX-License-Identifier: GPL-2.0-or-later
// The table of call paths: a tree, whose root is no function.
#include "util/script/python-db-priv.h"

static u64 hash_of(const struct db_path *n)
{
	return hash_u64(n->parent ^ hash_u64(n->symbol ^ hash_u64(n->ip)));
}

static bool same(const struct db_path *a, const struct db_path *b)
{
	return a->parent == b->parent && a->symbol == b->symbol && a->ip == b->ip;
}

size_t db_path_below(struct python *p, size_t parent, u64 symbol, u64 ip)
{
	struct python_db *db = p->db;
	struct db_path n = { .parent = parent, .symbol = symbol, .ip = symbol ? 0 : ip };
	const u64 hash = hash_of(&n);
	const size_t first = (uintptr_t)hmap_get(&db->path_index, hash);

	for (size_t i = first; i; i = db->paths.v[i - 1].same_hash)
		if (same(&db->paths.v[i - 1], &n))
			return i;
	n.same_hash = first;
	vec_push(&db->paths, n);
	hmap_put(&db->path_index, hash, (void *)(uintptr_t)db->paths.n);
	return db->paths.n;
}

static void path_row(struct python *p, size_t path)
{
	struct db_path *n = &p->db->paths.v[path - 1];
	const u64 parent = n->parent ? p->db->paths.v[n->parent - 1].id : 0;

	n->id = ++p->db->last.path;
	db_row(p, DB_CALL_PATH, (struct db_cell[]){ DB_N(n->id), DB_N(parent), DB_N(n->symbol),
						    DB_N(n->ip) }, 4);
}

size_t db_path_root(struct python *p)
{
	return db_path_below(p, 0, 0, 0);
}

u64 db_path_id(struct python *p, size_t path)
{
	struct python_db *db = p->db;
	size_t *above;

	if (!path)
		return 0;
	vec_clear(&db->above);
	for (size_t i = path; i && !db->paths.v[i - 1].id; i = db->paths.v[i - 1].parent)
		vec_push(&db->above, i);
	while (db->above.n) {
		above = vec_last(&db->above);
		path_row(p, *above);
		db->above.n--;
	}
	return db->paths.v[path - 1].id;
}

/* The rows of all functions come before those of the path. */
u64 db_path_of(struct python *p, const struct resolved *r)
{
	struct python_db *db = p->db;
	size_t path = db_path_root(p);

	vec_clear(&db->frames);
	for (u32 i = r->n_frames; i-- > 0; )
		vec_push(&db->frames, db_place_of(p, &r->frames[i], true).symbol);
	for (u32 i = 0; i < r->n_frames; i++)
		path = db_path_below(p, path, db->frames.v[i],
				     r->frames[r->n_frames - 1 - i].va);
	return db_path_id(p, path);
}

void db_paths_release(struct python_db *db)
{
	vec_free(&db->paths);
	vec_free(&db->frames);
	vec_free(&db->above);
	hmap_release(&db->path_index);
}
