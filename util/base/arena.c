// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"

#define BLOCK_MIN (16u << 10)
#define BLOCK_MAX (1u << 20)

struct arena_block {
	struct arena_block *next;
	size_t size, used;	/* bytes of data */
	_Alignas(16) u8 data[];
};

static struct arena_block *block_new(size_t size, struct arena_block *next)
{
	struct arena_block *b;

	if (size > SIZE_MAX - sizeof(*b))
		size = SIZE_MAX - sizeof(*b);	/* the allocator dies */
	b = xmalloc(sizeof(*b) + size);
	b->next = next;
	b->size = size;
	b->used = 0;
	return b;
}

/* Not zeroed. The head is the block that is being filled; blocks after it are full or were made
 * for one big piece. */
static void *arena_take(struct arena *a, size_t size, size_t align)
{
	struct arena_block *b = a->head;

	a->used_bytes += size;
	if (b) {
		size_t at = ALIGN_UP(b->used, align);

		if (at <= b->size && size <= b->size - at) {
			b->used = at + size;
			return b->data + at;
		}
		if (size >= b->size / 4) {
			b->next = block_new(size, b->next);
			b->next->used = size;
			return b->next->data;
		}
	}
	size_t block = b ? MIN(b->size * 2, (size_t)BLOCK_MAX) : BLOCK_MIN;

	a->head = b = block_new(MAX(block, size), b);
	b->used = size;
	return b->data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(arena_take(a, size, 16), 0, size);
}

void *arena_dup(struct arena *a, const void *p, size_t n)
{
	void *q = arena_take(a, n, 16);

	if (n)
		memcpy(q, p, n);
	return q;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *q = arena_take(a, len + 1, 1);

	memcpy(q, s, len);
	q[len] = '\0';
	return q;
}

void arena_reset(struct arena *a)
{
	if (!a->head)
		return;
	for (struct arena_block *b = a->head->next, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	a->head->next = NULL;
	a->head->used = 0;
	a->used_bytes = 0;
}

void arena_release(struct arena *a)
{
	arena_reset(a);
	free(a->head);
	a->head = NULL;
}

/*
 * The intern table is cut in shards by the hash, each with a lock of its own. A slot keeps 32 bits
 * of the hash, so that a string is compared only when it most likely is the one.
 */
#define SHARDS 64

struct intern_shard {
	pthread_mutex_t lock;
	u32 *hashes;
	const char **strs;	/* NULL: empty slot */
	size_t n, mask;
	struct arena arena;
} __attribute__((aligned(64)));

struct intern {
	struct intern_shard shards[SHARDS];
};

struct intern *intern_new(void)
{
	void *mem = NULL;

	/* aligned_alloc() for the shards' cache lines; xmalloc() dies when there is no memory */
	mem = aligned_alloc(64, sizeof(struct intern));
	if (!mem)
		mem = xmalloc(SIZE_MAX / 2);
	memset(mem, 0, sizeof(struct intern));
	struct intern *t = mem;

	for (int i = 0; i < SHARDS; i++)
		pthread_mutex_init(&t->shards[i].lock, NULL);
	return t;
}

void intern_free(struct intern *t)
{
	if (!t)
		return;
	for (int i = 0; i < SHARDS; i++) {
		struct intern_shard *sh = &t->shards[i];

		pthread_mutex_destroy(&sh->lock);
		arena_release(&sh->arena);
		free(sh->hashes);
		free(sh->strs);
	}
	free(t);
}

static void shard_grow(struct intern_shard *sh)
{
	size_t slots = sh->strs ? (sh->mask + 1) * 2 : 16, mask = slots - 1;
	u32 *hashes = xcalloc(slots, sizeof(*hashes));
	const char **strs = xcalloc(slots, sizeof(*strs));

	for (size_t i = 0; sh->strs && i <= sh->mask; i++) {
		size_t to = sh->hashes[i] & mask;

		if (!sh->strs[i])
			continue;
		while (strs[to])
			to = (to + 1) & mask;
		strs[to] = sh->strs[i];
		hashes[to] = sh->hashes[i];
	}
	free(sh->hashes);
	free(sh->strs);
	sh->hashes = hashes;
	sh->strs = strs;
	sh->mask = mask;
}

static const char *shard_intern(struct intern_shard *sh, u32 hash, const char *s, size_t n)
{
	if (!sh->strs || sh->n + 1 > (sh->mask + 1) / 4 * 3)
		shard_grow(sh);
	size_t i = hash & sh->mask;

	for (; sh->strs[i]; i = (i + 1) & sh->mask)
		if (sh->hashes[i] == hash && !strncmp(sh->strs[i], s, n) && !sh->strs[i][n])
			return sh->strs[i];
	sh->hashes[i] = hash;
	sh->strs[i] = arena_strndup(&sh->arena, s, n);
	sh->n++;
	return sh->strs[i];
}

const char *intern_strn(struct intern *t, const char *s, size_t n)
{
	n = strnlen(s, n);
	u64 hash = hash_bytes(s, n, 0);
	struct intern_shard *sh = &t->shards[hash >> 58];

	pthread_mutex_lock(&sh->lock);
	const char *r = shard_intern(sh, (u32)hash, s, n);

	pthread_mutex_unlock(&sh->lock);
	return r;
}

const char *intern_str(struct intern *t, const char *s)
{
	return intern_strn(t, s, strlen(s));
}
