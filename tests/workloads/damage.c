// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * damage SEED IN OUT: a damaged copy, the same for the same seed: flipped bytes, lying sizes and
 * counts, cut ends, pieces that are missing, doubled, or zero.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static void lie(uint64_t *r, unsigned char *buf, size_t n)
{
	static const uint64_t words[] = { 0, 1, 7, 8, 9, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000,
					  0x7fffffff, 0xffffffff, ~0ULL >> 1,
					  ~0ULL, 1ULL << 63, 0xfffffffffffffff8ULL };
	size_t bytes = (size_t)1 << (1 + next(r) % 3), at = next(r) % (n / bytes) * bytes;
	uint64_t v = next(r) % 4 ? words[next(r) % (sizeof(words) / sizeof(*words))] :
		next(r) % (2 * n);

	memcpy(buf + at, &v, bytes);
}

static size_t damage(uint64_t *r, unsigned char *buf, size_t n)
{
	size_t from = next(r) % n, len = next(r) % (n - from) % 4096 + 1;

	switch (next(r) % 8) {
	case 0:
		return from + 1;
	case 1:
		memmove(buf + from, buf + from + len, n - from - len);
		return n - len;
	case 2:
		memset(buf + from, 0, len);
		return n;
	case 3:
		/* buf has room for twice as much */
		memmove(buf + from + len, buf + from, n - from);
		return n + len;
	case 4:
	case 5:
		lie(r, buf, next(r) % 2 || n < 512 ? n : 512);
		return n;
	default:
		for (unsigned i = 1 + next(r) % 8; i; i--)
			buf[next(r) % 3 ? next(r) % n : next(
				    r) % n % 512] ^= (unsigned char)(1 + next(r) % 255);
		return n;
	}
}

int main(int argc, char **argv)
{
	uint64_t seed = argc == 4 ? strtoull(argv[1], NULL, 10) : 0;
	FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL, *out;
	static unsigned char buf[8 << 20];
	size_t n = in ? fread(buf, 1, sizeof(buf) / 2, in) : 0;

	if (n < 64) {
		fprintf(stderr, "usage: damage SEED IN OUT (IN: 64 bytes to 4 MB)\n");
		return 1;
	}
	n = damage(&seed, buf, n);
	if (n >= 64 && next(&seed) % 4 == 0)
		n = damage(&seed, buf, n < sizeof(buf) / 2 ? n : sizeof(buf) / 2);
	out = fopen(argv[3], "wb");
	return !out || fwrite(buf, 1, n, out) != n || fclose(out) ? 1 : 0;
}
