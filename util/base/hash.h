/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_HASH_H
#define BASE_HASH_H
/*
 * Hashing, and the two maps that most rooms need. Open addressing; iteration order is unspecified,
 * so nothing that is printed may depend on it. One owner; zeroed memory is an empty map.
 */
#include "util/base/types.h"

u64 hash_bytes(const void *p, size_t n, u64 seed);
u64 hash_str(const char *s);
static inline u64 hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	return x ^ (x >> 32);
}

/* One multiplication, for tables that are looked at for each frame of each stack: all bits of x
 * are in the upper ones of the product, so those are taken. */
static inline u32 hash_mul(u64 x)
{
	return (u32)(x * 0x9e3779b97f4a7c15ULL >> 32);
}
/* Below n, a constant and a power of two. */
#define hash_slot(x, n) ((size_t)(hash_mul(x) >> (32 - __builtin_ctz(n))))

/* u64 -> pointer-sized value. Values are never NULL. */
struct hmap {
	u64 *keys;
	void **vals;	/* NULL: empty slot */
	size_t n, mask;	/* mask + 1 slots, 0 slots while keys is NULL */
};

void *hmap_get(const struct hmap *m, u64 key);		/* NULL when absent */
void hmap_put(struct hmap *m, u64 key, void *val);	/* replaces */
void *hmap_del(struct hmap *m, u64 key);		/* the old value or NULL */
void hmap_release(struct hmap *m);			/* values are not freed */
#define hmap_each(i, m) (size_t i = 0; (m)->keys && i <= (m)->mask; i++) if ((m)->vals[i])

/* string -> pointer. The map owns copies of its keys. */
struct strmap {
	char **keys;
	void **vals;
	size_t n, mask;
};

void *strmap_get(const struct strmap *m, const char *key);
void strmap_put(struct strmap *m, const char *key, void *val);
void *strmap_del(struct strmap *m, const char *key);
void strmap_release(struct strmap *m);
#define strmap_each(i, m) (size_t i = 0; (m)->keys && i <= (m)->mask; i++) if ((m)->keys[i])

#endif
