/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_EMBEDDED_FORMAT_PRIV_H
#define SYMBOLS_EMBEDDED_FORMAT_PRIV_H
/*
 * Sizes of the EMBEDDED section, in the byte order of its file; see
 * Documentation/perf.data-format.txt.
 */
enum {
	EMBED_VERSION = 1,
	EMBED_NAMED = 1,		/* flags of a dso: it has symbols, hit or not */
	EMBED_HEAD_BYTES = 16,		/* u32 version, n_dsos; u64 strings_bytes */
	EMBED_DSO_BYTES = 88,		/* identity and four counts */
	EMBED_SEG_BYTES = 24, EMBED_SYMBOL_BYTES = 32, EMBED_ADDR_BYTES = 32,
	EMBED_INLINE_BYTES = 24,
};

#endif
