// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "util/base/xalloc.h"

#define GZIP_WINDOW (15 + 16)		/* zlib's word for a gzip header */
#define MEMORY_LEVEL 8

struct gzip {
	z_stream z;
	FILE *fp;
	u8 out[1 << 16];
};

static void *z_alloc(void *ctx UNUSED, unsigned n, unsigned size) { return xcalloc(n, size); }
static void z_free(void *ctx UNUSED, void *p) { free(p); }

struct gzip *gzip_new(FILE *fp)
{
	struct gzip *g = xnew(struct gzip);

	g->fp = fp;
	g->z.zalloc = z_alloc;
	g->z.zfree = z_free;
	/* fails only without memory, or with other arguments */
	deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
		     Z_DEFAULT_STRATEGY);
	return g;
}

static void run(struct gzip *g, int flush)
{
	do {
		g->z.next_out = g->out;
		g->z.avail_out = sizeof(g->out);
		deflate(&g->z, flush);
		fwrite(g->out, 1, sizeof(g->out) - g->z.avail_out, g->fp);
	} while (!g->z.avail_out);
}

void gzip_add(struct gzip *g, struct str *text)
{
	g->z.next_in = (u8 *)text->buf;
	g->z.avail_in = (unsigned)text->len;
	if (text->len)
		run(g, Z_NO_FLUSH);
	str_reset(text);
}

void gzip_end(struct gzip *g)
{
	g->z.next_in = NULL;
	g->z.avail_in = 0;
	run(g, Z_FINISH);
}

void gzip_free(struct gzip *g)
{
	if (!g)
		return;
	deflateEnd(&g->z);
	free(g);
}
