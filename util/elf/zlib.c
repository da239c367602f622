// SPDX-License-Identifier: GPL-2.0-or-later
// Compressed debug sections and .gz modules.
#include "util/elf/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "util/base/xalloc.h"

#define MAX_STREAM_BYTES (512u << 20)

int inflate_zlib(const void *in, size_t n, void *out, size_t out_bytes)
{
	uLongf got = out_bytes;

	return uncompress(out, &got, in, n) == Z_OK && got == out_bytes ? 0 : -EINVAL;
}

u32 crc32_add(u32 crc, const void *p, size_t n)
{
	return (u32)crc32(crc, p, (uInt)n);
}

int inflate_gz(const void *in, size_t n, u8 **out, size_t *out_bytes)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in, .avail_in = n };
	size_t cap = 4 * n + 4096;
	u8 *buf = xmalloc(cap);
	int ret = inflateInit2(&z, 16 + MAX_WBITS);

	for (; ret == Z_OK; ret = inflate(&z, Z_NO_FLUSH)) {
		if (z.total_out == cap) {
			if (cap >= MAX_STREAM_BYTES)
				break;
			buf = xrealloc(buf, cap *= 2);
		}
		z.next_out = buf + z.total_out;
		z.avail_out = cap - z.total_out;
	}
	*out_bytes = z.total_out;
	inflateEnd(&z);
	if (ret != Z_STREAM_END) {
		free(buf);
		return -EINVAL;
	}
	*out = buf;
	return 0;
}
