// SPDX-License-Identifier: GPL-2.0-or-later
/* The cursor: the first half of the input says what to read, the second half is read. */
#include <stdlib.h>

#include "util/base/rd.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static volatile u64 sink;	/* so that each byte that is given out is read */

static void touch(const void *p, size_t n)
{
	for (size_t i = 0; p && i < n; i++)
		sink += ((const u8 *)p)[i];
}

static void step(struct rd *r, u8 op, u8 arg)
{
	const char *s;
	struct rd sub;

	switch (op % 14) {
	case 0: sink += rd_u8(r); break;
	case 1: sink += rd_u16(r); break;
	case 2: sink += rd_u32(r); break;
	case 3: sink += rd_u64(r); break;
	case 4: sink += rd_uleb(r); break;
	case 5: sink += (u64)rd_sleb(r); break;
	case 6: touch(rd_bytes(r, arg), arg); break;
	case 7:
		s = rd_cstr(r);
		touch(s, s ? strlen(s) + 1 : 0);
		break;
	case 8:
		s = rd_strn(r, arg);
		touch(s, s ? strlen(s) + 1 : 0);
		break;
	case 9: rd_skip(r, arg > 250 ? UINT64_MAX - arg : arg); break;
	case 10: rd_seek(r, arg > 250 ? UINT64_MAX - arg : arg); break;
	case 11: rd_align(r, (size_t)1 << arg % 13); break;
	case 12:
		sub = rd_sub(r, arg);
		sink += rd_u32(&sub) + rd_uleb(&sub);
		touch(rd_bytes(&sub, rd_left(&sub)), rd_left(&sub));
		break;
	default: r->swap = !r->swap; break;
	}
	if (r->pos > r->len || rd_left(r) > r->len)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	size_t half = n / 2;
	struct rd r;

	rd_init(&r, data ? data + half : NULL, n - half, false);
	for (size_t i = 0; i + 1 < half; i += 2) {
		step(&r, data[i], data[i + 1]);
		if (rd_failed(&r) && rd_left(&r))
			abort();
	}
	return 0;
}
