// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

static u64 load(const u8 *p, size_t n)
{
	u64 v = 0;

	memcpy(&v, p, n);
	return v;
}

/* The 128-bit product folded: each input bit reaches each output bit. */
static u64 mix(u64 a, u64 b)
{
	unsigned __int128 m = (unsigned __int128)a * b;

	return (u64)m ^ (u64)(m >> 64);
}

u64 hash_bytes(const void *ptr, size_t n, u64 seed)
{
	const u8 *p = ptr;
	u64 h = seed ^ 0x9e3779b97f4a7c15ULL, len = n;

	for (; n > 16; n -= 16, p += 16)
		h = mix(load(p, 8) ^ 0xa0761d6478bd642fULL, load(p + 8, 8) ^ h);
	u64 a = 0, b = 0;

	if (n >= 8) {
		a = load(p, 8);
		b = load(p + n - 8, 8);
	} else if (n >= 4) {
		a = load(p, 4) << 32 | load(p + n - 4, 4);
	} else if (n) {
		a = (u64)p[0] << 16 | (u64)p[n / 2] << 8 | p[n - 1];
	}
	return mix(0xe7037ed1a0b428dbULL ^ len, mix(a ^ 0xe7037ed1a0b428dbULL, b ^ h));
}

u64 hash_str(const char *s)
{
	return hash_bytes(s, strlen(s), 0);
}

/* Both maps: linear probing, at most 3/4 full; deletion moves the followers back, so that there
 * are no tombstones. */

static bool must_grow(size_t n, size_t slots)
{
	return n + 1 > slots / 4 * 3;
}

/* May the entry whose home is `home` move from slot `from` to the hole? Not when home lies
 * between them (cyclically). */
static bool may_move(size_t home, size_t hole, size_t from, size_t mask)
{
	return ((from - home) & mask) >= ((from - hole) & mask);
}

static size_t hmap_slot(const struct hmap *m, u64 key)
{
	size_t i = hash_u64(key) & m->mask;

	while (m->vals[i] && m->keys[i] != key)
		i = (i + 1) & m->mask;
	return i;
}

void *hmap_get(const struct hmap *m, u64 key)
{
	return m->keys ? m->vals[hmap_slot(m, key)] : NULL;
}

static void hmap_grow(struct hmap *m)
{
	struct hmap old = *m;
	size_t slots = old.keys ? (old.mask + 1) * 2 : 8;

	m->keys = xreallocarray(NULL, slots, sizeof(*m->keys));
	m->vals = xcalloc(slots, sizeof(*m->vals));
	m->mask = slots - 1;
	for hmap_each(i, &old) {
		size_t to = hmap_slot(m, old.keys[i]);

		m->keys[to] = old.keys[i];
		m->vals[to] = old.vals[i];
	}
	hmap_release(&old);
}

void hmap_put(struct hmap *m, u64 key, void *val)
{
	if (must_grow(m->n, m->keys ? m->mask + 1 : 0))
		hmap_grow(m);
	size_t i = hmap_slot(m, key);

	m->n += !m->vals[i];
	m->keys[i] = key;
	m->vals[i] = val;
}

void *hmap_del(struct hmap *m, u64 key)
{
	if (!m->keys)
		return NULL;
	size_t hole = hmap_slot(m, key);
	void *val = m->vals[hole];

	if (!val)
		return NULL;
	for (size_t i = (hole + 1) & m->mask; m->vals[i]; i = (i + 1) & m->mask) {
		if (!may_move(hash_u64(m->keys[i]) & m->mask, hole, i, m->mask))
			continue;
		m->keys[hole] = m->keys[i];
		m->vals[hole] = m->vals[i];
		hole = i;
	}
	m->vals[hole] = NULL;
	m->n--;
	return val;
}

void hmap_release(struct hmap *m)
{
	free(m->keys);
	free(m->vals);
	*m = (struct hmap){ 0 };
}

static size_t strmap_slot(const struct strmap *m, const char *key)
{
	size_t i = hash_str(key) & m->mask;

	while (m->keys[i] && strcmp(m->keys[i], key))
		i = (i + 1) & m->mask;
	return i;
}

void *strmap_get(const struct strmap *m, const char *key)
{
	size_t i = m->keys ? strmap_slot(m, key) : 0;

	return m->keys && m->keys[i] ? m->vals[i] : NULL;
}

static void strmap_grow(struct strmap *m)
{
	struct strmap old = *m;
	size_t slots = old.keys ? (old.mask + 1) * 2 : 8;

	m->keys = xcalloc(slots, sizeof(*m->keys));
	m->vals = xcalloc(slots, sizeof(*m->vals));
	m->mask = slots - 1;
	for strmap_each(i, &old) {
		size_t to = strmap_slot(m, old.keys[i]);

		m->keys[to] = old.keys[i];
		m->vals[to] = old.vals[i];
	}
	free(old.keys);
	free(old.vals);
}

void strmap_put(struct strmap *m, const char *key, void *val)
{
	if (must_grow(m->n, m->keys ? m->mask + 1 : 0))
		strmap_grow(m);
	size_t i = strmap_slot(m, key);

	if (!m->keys[i]) {
		m->keys[i] = xstrdup(key);
		m->n++;
	}
	m->vals[i] = val;
}

void *strmap_del(struct strmap *m, const char *key)
{
	if (!m->keys)
		return NULL;
	size_t hole = strmap_slot(m, key);

	if (!m->keys[hole])
		return NULL;
	void *val = m->vals[hole];

	free(m->keys[hole]);
	for (size_t i = (hole + 1) & m->mask; m->keys[i]; i = (i + 1) & m->mask) {
		if (!may_move(hash_str(m->keys[i]) & m->mask, hole, i, m->mask))
			continue;
		m->keys[hole] = m->keys[i];
		m->vals[hole] = m->vals[i];
		hole = i;
	}
	m->keys[hole] = NULL;
	m->vals[hole] = NULL;
	m->n--;
	return val;
}

void strmap_release(struct strmap *m)
{
	for strmap_each(i, m)
		free(m->keys[i]);
	free(m->keys);
	free(m->vals);
	*m = (struct strmap){ 0 };
}
