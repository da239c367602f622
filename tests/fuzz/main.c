// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a fuzz target without a fuzzer: fuzz-NAME [-r ROUNDS] [-s SEED] FILE...
 * Each file as it is, each truncated to a few lengths (16, or ROUNDS if that is less), then ROUNDS
 * times changed here and there. The changes depend only on the seed and the file, so that what
 * fails once fails again; the failing input is kept with -k FILE (written before each run).
 */
#include <stdio.h>
#include <stdlib.h>

#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

#define INPUT_MAX (64u << 20)

static const char *keep_path;
static u64 state;

static u64 rnd(u64 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? state % below : 0;
}

/* Each run has a copy of exactly its size, so that a sanitizer sees a read of one byte too many. */
static void run(const void *data, size_t n)
{
	u8 *copy = xmemdup(data, n);

	if (keep_path) {
		FILE *f = fopen(keep_path, "w");

		if (f) {
			fwrite(copy, 1, n, f);
			fclose(f);
		}
	}
	LLVMFuzzerTestOneInput(n ? copy : NULL, n);
	free(copy);
}

static void change(u8 *p, size_t n)
{
	static const u64 edges[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff,
				     0xffffffff, INT64_MAX, UINT64_MAX };
	size_t at = rnd(n), width = (size_t)1 << rnd(4);
	u64 v = edges[rnd(ARRAY_SIZE(edges))];

	switch (rnd(4)) {
	case 0:
		p[at] ^= (u8)(1 << rnd(8));
		break;
	case 1:
		p[at] = (u8)rnd(256);
		break;
	case 2:		/* a number at the edge of its type, where numbers usually are */
		at &= ~(width - 1);
		memcpy(p + at, &v, MIN(width, n - at));
		break;
	default: {	/* a piece from elsewhere */
		size_t from = rnd(n), len = rnd(16) + 1;

		len = MIN(len, n - MAX(at, from));
		memmove(p + at, p + from, len);
	}
	}
}

static void run_changed(const struct str *in, u64 rounds)
{
	for (u64 r = 0; r < rounds && in->len; r++) {
		u8 *p = xmemdup(in->buf, in->len);
		size_t n = in->len;

		for (u64 k = rnd(6) + 1; k--;)
			change(p, n);
		if (!rnd(8))
			n = rnd(n) + 1;
		run(p, n);
		free(p);
	}
}

static int run_file(const char *path, u64 rounds)
{
	struct str in = STR_INIT;
	struct err err = ERR_INIT;

	if (io_read_file(path, INPUT_MAX, &in, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		err_release(&err);
		return 1;
	}
	run(str_cstr(&in), in.len);
	for (size_t n = 0; rounds && n < in.len; n += in.len / MIN(rounds, (u64)16) + 1)
		run(in.buf, n);
	run_changed(&in, rounds);
	str_release(&in);
	return 0;
}

int main(int argc, char **argv)
{
	u64 rounds = 0, seed = 1;
	int rc = 0, i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		bool ok = !strcmp(argv[i], "-r") ? parse_u64(argv[i + 1], &rounds) :
			  !strcmp(argv[i], "-s") ? parse_u64(argv[i + 1], &seed) :
			  !strcmp(argv[i], "-k") ? (keep_path = argv[i + 1]) != NULL : false;

		if (!ok) {
			fprintf(stderr, "usage: %s [-r ROUNDS] [-s SEED] [-k KEEP-FILE] FILE...\n",
				argv[0]);
			return 129;
		}
	}
	for (; i < argc; i++) {
		state = (seed + 1) * 0x9e3779b97f4a7c15ULL;
		rc |= run_file(argv[i], rounds);
	}
	return rc;
}
