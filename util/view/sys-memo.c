// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys-memo.h"

#include <stdlib.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"

#define SLOTS 256		/* with their texts they shall stay in the cache of a core */
#define SEEN 2048
#define SLOT_BYTES 304		/* chunks and text */

struct slot {
	u64 hash;
	struct sys_memo_key key;
	u16 n_chunks, n_text;	/* no text: empty */
	u8 bytes[SLOT_BYTES];
};

struct sys_memo {
	struct slot slots[SLOTS];
	/* parts of hashes: a call that comes once costs no more than this */
	u32 seen[SEEN];
};

struct sys_memo *sys_memo_new(void)
{
	return xnew(struct sys_memo);
}

void sys_memo_free(struct sys_memo *m)
{
	free(m);
}

void sys_memo_clear(struct sys_memo *m)
{
	for (size_t i = 0; i < SLOTS; i++)
		m->slots[i].n_text = 0;
}

static u64 fold(u64 a, u64 b)
{
	__uint128_t r = (__uint128_t)a * b;

	return (u64)r ^ (u64)(r >> 64);
}

u64 sys_memo_hash(const struct sys_memo_key *k, struct span chunks)
{
	/* products that do not wait for each other */
	u64 h = fold(k->what ^ 0x9e3779b97f4a7c15ULL, (u64)k->ret ^ 0xa0761d6478bd642fULL) ^
		fold(k->args[0] ^ 0xe7037ed1a0b428dbULL, k->args[1] ^ 0x8ebc6af09c88c6e3ULL) ^
		fold(k->args[2] ^ 0x589965cc75374cc3ULL, k->args[3] ^ 0x1d8e4e27c47d124fULL) ^
		fold(k->args[4] ^ 0xeb44accab455d165ULL, k->args[5] ^ 0x2d358dccaa6c78a5ULL);

	return hash_bytes(chunks.ptr, chunks.len, h);
}

bool sys_memo_get(const struct sys_memo *m, u64 hash, const struct sys_memo_key *k,
		  struct span chunks, struct span *text)
{
	const struct slot *s = &m->slots[hash % SLOTS];

	if (s->hash != hash || !s->n_text || s->n_chunks != chunks.len ||
	    memcmp(&s->key, k, sizeof(*k)))
		return false;
	if (chunks.len && memcmp(s->bytes, chunks.ptr, chunks.len))
		return false;
	*text = (struct span){ s->bytes + s->n_chunks, s->n_text };
	return true;
}

bool sys_memo_again(struct sys_memo *m, u64 hash)
{
	u32 *seen = &m->seen[hash / SLOTS % SEEN], part = hash >> 32;
	bool again = *seen == part;

	*seen = part;
	return again;
}

void sys_memo_put(struct sys_memo *m, u64 hash, const struct sys_memo_key *k, struct span chunks,
		  struct span text)
{
	struct slot *s = &m->slots[hash % SLOTS];

	if (!text.len || chunks.len > SLOT_BYTES || text.len > SLOT_BYTES - chunks.len)
		return;
	s->hash = hash;
	s->key = *k;
	s->n_chunks = chunks.len;
	s->n_text = text.len;
	if (chunks.len)
		memcpy(s->bytes, chunks.ptr, chunks.len);
	if (text.len)
		memcpy(s->bytes + chunks.len, text.ptr, text.len);
}
