// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/frame.h"

enum frame_unnamed frame_unnamed_in(struct dso *dso)
{
	if (!dso)
		return FRAME_UNMAPPED;
	return dso_has_symbols(dso) ? FRAME_NO_FUNCTION : FRAME_NO_SYMBOLS;
}

void frame_add_label(const struct location *l, struct str *out)
{
	if (frame_function(l) || l->broken || !l->dso)
		str_add(out, frame_label(l));
	else if (l->dso->short_name[0] == '[')
		str_add(out, l->dso->short_name);
	else
		str_addf(out, "[%s]", l->dso->short_name);
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
