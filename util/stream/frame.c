// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/frame.h"

enum frame_unnamed frame_unnamed_in(struct dso *dso)
{
	if (!dso)
		return FRAME_UNMAPPED;
	return dso_has_symbols(dso) ? FRAME_NO_FUNCTION : FRAME_NO_SYMBOLS;
}

enum frame_unnamed frame_unnamed(const struct location *l)
{
	if (frame_function(l))
		return FRAME_NAMED;
	if (l->broken)
		return FRAME_CHAIN_BROKEN;
	return l->inl && l->inline_depth ? FRAME_INLINE_UNNAMED : frame_unnamed_in(l->dso);
}

const char *frame_unnamed_text(enum frame_unnamed reason)
{
	static const char *const texts[] = {
		[FRAME_CHAIN_BROKEN] = "the chain does not tell the callers",
		[FRAME_UNMAPPED] = "nothing is mapped there",
		[FRAME_NO_SYMBOLS] = "the file has no symbols",
		[FRAME_NO_FUNCTION] = "the file has no function there",
		[FRAME_INLINE_UNNAMED] = "the inlined function has no name",
	};

	return texts[reason];
}
