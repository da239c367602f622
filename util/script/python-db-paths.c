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

u64 db_path_below(struct python *p, u64 parent, u64 symbol, u64 ip)
{
	struct python_db *db = p->db;
	struct db_path n = { .parent = parent, .symbol = symbol, .ip = ip };
	const u64 hash = hash_of(&n);
	const size_t first = (uintptr_t)hmap_get(&db->path_index, hash);

	for (size_t i = first; i; i = db->paths.v[i - 1].same_hash)
		if (same(&db->paths.v[i - 1], &n))
			return i;
	n.same_hash = first;
	vec_push(&db->paths, n);
	hmap_put(&db->path_index, hash, (void *)(uintptr_t)db->paths.n);
	db_row(p, DB_CALL_PATH, (struct db_cell[]){ DB_N(db->paths.n), DB_N(parent), DB_N(symbol),
						    DB_N(ip) }, 4);
	return db->paths.n;
}

u64 db_path_root(struct python *p)
{
	return db_path_below(p, 0, 0, 0);
}

/* The rows of all functions come before those of the path. */
u64 db_path_of(struct python *p, const struct resolved *r)
{
	struct python_db *db = p->db;
	u64 path = db_path_root(p);

	vec_clear(&db->frames);
	for (u32 i = r->n_frames; i-- > 0; )
		vec_push(&db->frames, db_place_of(p, &r->frames[i], true).symbol);
	for (u32 i = 0; i < r->n_frames; i++) {
		const u64 symbol = db->frames.v[i];

		path = db_path_below(p, path, symbol,
				     symbol ? 0 : r->frames[r->n_frames - 1 - i].va);
	}
	return path;
}

void db_paths_release(struct python_db *db)
{
	vec_free(&db->paths);
	vec_free(&db->frames);
	hmap_release(&db->path_index);
}
