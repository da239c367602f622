// SPDX-License-Identifier: GPL-2.0-or-later
// Debug sections compressed by zstd, and .ko.zst modules.
#include "util/elf/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "util/base/xalloc.h"

#define MAX_STREAM_BYTES (512u << 20)

int inflate_zstd(const void *in, size_t n, void *out, size_t out_bytes)
{
	size_t got = ZSTD_decompress(out, out_bytes, in, n);

	return !ZSTD_isError(got) && got == out_bytes ? 0 : -EINVAL;
}

int inflate_zst(const void *in, size_t n, u8 **out, size_t *out_bytes)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer src = { in, n, 0 };
	size_t cap = 4 * n + 4096, left = 1;
	ZSTD_outBuffer dst = { xmalloc(cap), cap, 0 };

	while (z && left && !ZSTD_isError(left)) {
		if (dst.pos == dst.size) {
			if (cap >= MAX_STREAM_BYTES)
				break;
			cap *= 2;
			dst.dst = xrealloc(dst.dst, cap);
			dst.size = cap;
		}
		size_t before_in = src.pos, before_out = dst.pos;

		left = ZSTD_decompressStream(z, &dst, &src);
		if (left && src.pos == before_in && dst.pos == before_out)
			break;		/* the input ends early */
	}
	ZSTD_freeDStream(z);
	if (left) {
		free(dst.dst);
		return -EINVAL;
	}
	*out = dst.dst;
	*out_bytes = dst.pos;
	return 0;
}
