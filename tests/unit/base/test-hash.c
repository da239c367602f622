// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"

static void *val(u64 i)
{
	return (void *)(uintptr_t)(i + 1);
}

TEST(hmap_empty)
{
	struct hmap m = { 0 };

	CHECK(!hmap_get(&m, 0));
	CHECK(!hmap_del(&m, 0));
	for hmap_each(i, &m)
		CHECK(!"an element");
	hmap_release(&m);
}

TEST(hmap_grows)
{
	struct hmap m = { 0 };
	const u64 n = 20000;

	for (u64 i = 0; i < n; i++) {
		hmap_put(&m, i * 4096, val(i));
		CHECK_EQ(m.n, i + 1);
		/* always an empty slot, or a search for an absent key never ends */
		CHECK(m.n < m.mask + 1);
	}
	for (u64 i = 0; i < n; i++)
		CHECK_EQ(hmap_get(&m, i * 4096), val(i));
	CHECK(!hmap_get(&m, 1));
	CHECK(!hmap_get(&m, UINT64_MAX));
	hmap_put(&m, 0, val(99));
	CHECK_EQ(hmap_get(&m, 0), val(99));
	CHECK_EQ(m.n, n);
	size_t seen = 0;

	for hmap_each(i, &m)
		seen++;
	CHECK_EQ(seen, n);
	hmap_release(&m);
	CHECK(!hmap_get(&m, 0));
}

/* Against a plain array, with few keys and many deletions, so that runs wrap around and move
 * back. */
TEST(hmap_deletes)
{
	struct hmap m = { 0 };
	void *model[64] = { NULL };
	u64 x = 88172645463325252ULL;
	size_t n = 0;

	for (int step = 0; step < 200000; step++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		u64 key = x >> 20 & 63;

		if (x >> 40 & 1) {
			n += !model[key];
			model[key] = val(x >> 50);
			hmap_put(&m, key, model[key]);
		} else {
			CHECK_EQ(hmap_del(&m, key), model[key]);
			n -= !!model[key];
			model[key] = NULL;
		}
		CHECK_EQ(m.n, n);
		if (step % 16)
			continue;
		for (u64 k = 0; k < 64; k++)
			CHECK_EQ(hmap_get(&m, k), model[k]);
	}
	hmap_release(&m);
}

TEST(strmap_owns_keys)
{
	struct strmap m = { 0 };
	char key[32];

	CHECK(!strmap_get(&m, "x"));
	CHECK(!strmap_del(&m, "x"));
	for (u64 i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "key-%d", (int)i);
		strmap_put(&m, key, val(i));
	}
	strmap_put(&m, "key-7", val(70));
	CHECK_EQ(m.n, 5000);
	for (u64 i = 0; i < 5000; i += 2) {
		snprintf(key, sizeof(key), "key-%d", (int)i);
		CHECK_EQ(strmap_del(&m, key), val(i));
		CHECK(!strmap_del(&m, key));
	}
	for (u64 i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "key-%d", (int)i);
		CHECK_EQ(strmap_get(&m, key), i % 2 == 0 ? NULL : val(i == 7 ? 70 : i));
	}
	size_t seen = 0;

	for strmap_each(i, &m)
		seen++;
	CHECK_EQ(seen, 2500);
	strmap_put(&m, "", val(1));
	CHECK_EQ(strmap_get(&m, ""), val(1));
	strmap_release(&m);
}

TEST(strmap_deletes)
{
	struct strmap m = { 0 };
	void *model[32] = { NULL };
	u64 x = 1234567;
	char key[8];

	for (int step = 0; step < 50000; step++) {
		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		u64 k = x >> 40 & 31;

		snprintf(key, sizeof(key), "%d", (int)k);
		if (x >> 50 & 1) {
			model[k] = val(k);
			strmap_put(&m, key, model[k]);
		} else {
			CHECK_EQ(strmap_del(&m, key), model[k]);
			model[k] = NULL;
		}
		for (u64 i = 0; step % 16 == 0 && i < 32; i++) {
			snprintf(key, sizeof(key), "%d", (int)i);
			CHECK_EQ(strmap_get(&m, key), model[i]);
		}
	}
	strmap_release(&m);
}

static int cmp_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Every length, and every single-bit change, must give another hash: for so few values a
 * collision is a fault. */
TEST(bytes_all_matter)
{
	u8 buf[100];
	u64 hashes[101 + 100 * 8];
	size_t n = 0;

	memset(buf, 0, sizeof(buf));
	for (size_t len = 0; len <= sizeof(buf); len++)
		hashes[n++] = hash_bytes(buf, len, 0);
	for (size_t bit = 0; bit < 8 * sizeof(buf); bit++) {
		buf[bit / 8] ^= (u8)(1 << bit % 8);
		hashes[n++] = hash_bytes(buf, sizeof(buf), 0);
		buf[bit / 8] ^= (u8)(1 << bit % 8);
	}
	qsort(hashes, n, sizeof(*hashes), cmp_u64);
	for (size_t i = 1; i < n; i++)
		CHECK(hashes[i] != hashes[i - 1]);
	/* short keys have paths of their own */
	for (size_t len = 1; len <= 20; len++) {
		n = 0;
		hashes[n++] = hash_bytes(buf, len, 0);
		for (size_t byte = 0; byte < len; byte++) {
			for (u8 v = 1; v < 32; v++) {
				buf[byte] = v;
				hashes[n++] = hash_bytes(buf, len, 0);
				buf[byte] = 0;
			}
		}
		qsort(hashes, n, sizeof(*hashes), cmp_u64);
		for (size_t i = 1; i < n; i++)
			CHECK(hashes[i] != hashes[i - 1]);
	}
	CHECK(hash_str("abcdefg") != hash_str("dbcaefg"));
	CHECK(hash_str("abcdabcd") != hash_str("abceabce"));
	CHECK(hash_str("abcd") != hash_str("bbcd"));
	CHECK(hash_str("abcdefgh") != hash_str("efghabcd"));
	CHECK(hash_str("ab12cd") != hash_str("cd12ab"));
	CHECK_EQ(hash_str("abc"), hash_bytes("abc", 3, 0));
	CHECK(hash_bytes("abc", 3, 0) != hash_bytes("abc", 3, 1));
}
