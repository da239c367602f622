// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/data-priv.h"

#include <errno.h>
#include <zstd.h>

#define UNPACKED_MAX	(256UL << 20)	/* of one record of 64 KB: more is a trap */

struct data_zstd {
	ZSTD_DCtx *d;
	ZSTD_CCtx *c;
};

bool data_zstd_built(void)
{
	return true;
}

struct data_zstd *data_zstd_new(void)
{
	return xnew(struct data_zstd);
}

void data_zstd_free(struct data_zstd *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->d);
	ZSTD_freeCCtx(z->c);
	free(z);
}

int data_zstd_unpack(struct data_zstd *z, struct span in, struct str *out, struct err *err)
{
	ZSTD_inBuffer src = { in.ptr, in.len, 0 };
	size_t begin = out->len;

	if (!z->d)
		z->d = ZSTD_createDCtx();
	if (!z->d)
		return err_set(err, ENOMEM, "no memory for zstd");
	for (;;) {
		str_reserve(out, 128 << 10);

		ZSTD_outBuffer dst = { out->buf + out->len, 128 << 10, 0 };
		size_t ret = ZSTD_decompressStream(z->d, &dst, &src);

		if (ZSTD_isError(ret))
			return err_set(err, EINVAL, "zstd: %s", ZSTD_getErrorName(ret));
		out->len += dst.pos;
		if (out->len - begin > UNPACKED_MAX)
			return err_set(err, EFBIG, "unpacks to more than %lu MB",
				       UNPACKED_MAX >> 20);
		if (src.pos == src.size && dst.pos < dst.size)
			break;
	}
	out->buf[out->len] = 0;
	return 0;
}

int data_zstd_pack(struct data_zstd *z, int level, struct span in, struct str *out, struct err *err)
{
	size_t bound = ZSTD_compressBound(in.len), n;

	if (!z->c)
		z->c = ZSTD_createCCtx();
	if (!z->c)
		return err_set(err, ENOMEM, "no memory for zstd");
	str_reserve(out, bound);
	n = ZSTD_compressCCtx(z->c, out->buf + out->len, bound, in.ptr, in.len, level);
	if (ZSTD_isError(n))
		return err_set(err, EINVAL, "zstd: %s", ZSTD_getErrorName(n));
	out->len += n;
	out->buf[out->len] = 0;
	return 0;
}
