/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_FRAME_H
#define STREAM_FRAME_H
/*
 * What a frame is called, wherever it is shown: the inlined function, else the symbol. Any thread;
 * nothing is owned.
 */
#include "util/base/str.h"
#include "util/stream/sink.h"

/* Why a frame has no name. */
enum frame_unnamed {
	FRAME_NAMED,
	FRAME_CHAIN_BROKEN,	/* it stands for callers that the chain does not tell */
	FRAME_UNMAPPED,		/* nothing is mapped at its address */
	FRAME_NO_SYMBOLS,	/* its file has none (dso_reason() says more) */
	FRAME_NO_FUNCTION,	/* its file has symbols, but none there */
	FRAME_INLINE_UNNAMED,	/* the debug information has an inlined function without a name */
};

/* NULL: it has no name. The function that inlined others is its symbol, as that of any other
 * frame. */
static inline const char *frame_function(const struct location *l)
{
	if (l->inl && (l->inline_depth || !l->sym))
		return l->inl->name;
	return l->sym ? l->sym->name : NULL;
}

/* The same with what stands for no name. */
static inline const char *frame_label(const struct location *l)
{
	const char *name = frame_function(l);

	return name ? name : l->broken ? "[broken chain]" : "[unknown]";
}

/* frame_label(), but "[libc.so.6]" for code of that file without a name. */
void frame_add_label(const struct location *l, struct str *out);
enum frame_unnamed frame_unnamed(const struct location *l);
/* The same of an address without a symbol in dso (NULL: in none). */
enum frame_unnamed frame_unnamed_in(struct dso *dso);
const char *frame_unnamed_text(enum frame_unnamed reason);	/* NULL for FRAME_NAMED */

#endif
