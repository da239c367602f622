// SPDX-License-Identifier: GPL-2.0-or-later
// The listing that the browser of code shows, or why there is none.
#include "util/view/tui/annotate.h"

#include "util/base/err.h"

enum annotate_tui_end annotate_tui(struct screen *s, const struct annotate_tui_opts *o,
				   const struct annotate_symbol *sym, struct str *said)
{
	struct err err = ERR_INIT;
	struct listing *l = listing_new(sym->dso, sym->sym, &o->listing, &err);
	enum annotate_tui_end end = ANNOTATE_TUI_NOT_SHOWN;

	if (l)
		end = annotate_tui_listing(s, o, sym, l);
	else
		str_addf(said, "the code of '%s' cannot be shown: %s", sym->sym->name, err.msg);
	listing_free(l);
	err_release(&err);
	return end;
}
