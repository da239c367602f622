// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/zstd.h"

#include <zstd.h>

#define LEVEL 3

bool zstd_pack(const void *bytes, size_t n, struct str *out)
{
	const size_t bound = ZSTD_compressBound(n);
	size_t got;

	str_reserve(out, bound);
	got = ZSTD_compress(out->buf + out->len, bound, bytes, n, LEVEL);
	if (ZSTD_isError(got))
		return false;
	out->len += got;
	out->buf[out->len] = 0;
	return true;
}
