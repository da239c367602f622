// SPDX-License-Identifier: GPL-2.0-or-later
// .gnu_debugdata (symbol tables packed by xz) and .ko.xz modules.
#include "util/elf/elf.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "util/base/xalloc.h"

#define MAX_STREAM_BYTES (512u << 20)

int inflate_xz(const void *in, size_t n, u8 **out, size_t *out_bytes)
{
	lzma_stream z = LZMA_STREAM_INIT;
	size_t cap = 4 * n + 4096;
	u8 *buf = xmalloc(cap);
	lzma_ret ret = lzma_stream_decoder(&z, 256u << 20, 0);

	z.next_in = in;
	z.avail_in = n;
	for (; ret == LZMA_OK; ret = lzma_code(&z, LZMA_FINISH)) {
		if (z.total_out == cap) {
			if (cap >= MAX_STREAM_BYTES)
				break;
			buf = xrealloc(buf, cap *= 2);
		}
		z.next_out = buf + z.total_out;
		z.avail_out = cap - z.total_out;
	}
	*out_bytes = z.total_out;
	lzma_end(&z);
	if (ret != LZMA_STREAM_END) {
		free(buf);
		return -EINVAL;
	}
	*out = buf;
	return 0;
}
