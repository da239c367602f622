// SPDX-License-Identifier: GPL-2.0-or-later
// The listing that the browser of code shows, or why there is none; and that of other functions.
#include "util/view/tui/annotate.h"

#include "util/base/err.h"

static struct listing *open_listing(const struct annotate_tui_opts *o,
				    const struct annotate_symbol *sym, struct str *said)
{
	struct err err = ERR_INIT;
	struct listing *l = listing_new(sym->dso, sym->sym, &o->listing, &err);

	if (!l)
		str_addf(said, "the code of '%s' cannot be shown: %s", sym->sym->name, err.msg);
	err_release(&err);
	return l;
}

/* Of those whose code can be shown the next one, or the one before; back at sym there is no other.
 * NULL: it has no samples any more. */
static struct listing *open_other(const struct annotate_tui_opts *o, const struct symbol *sym,
				  bool next)
{
	struct annotate_members m = { 0 };
	annotate_symbols order = { 0 };
	struct str why = STR_INIT;
	struct listing *l = NULL;
	size_t at = 0;

	annotate_members_find(&m, o->counts, o->events, o->event, o->group);
	annotate_order(o->counts, m.events.v, m.events.n, &order);
	while (at < order.n && order.v[at]->sym != sym)
		at++;
	for (size_t i = 0; i < order.n && !l; i++) {
		at = next ? (at + 1) % order.n : (MIN(at, order.n) ? at : order.n) - 1;
		l = open_listing(o, order.v[at], &why);
	}
	annotate_members_release(&m);
	vec_free(&order);
	str_release(&why);
	return l;
}

enum annotate_tui_end annotate_tui(struct screen *s, const struct annotate_tui_opts *o,
				   const struct annotate_symbol *sym, struct str *said)
{
	struct listing *l = open_listing(o, sym, said);
	struct annotate_tui_opts next = *o;
	enum annotate_tui_end end = ANNOTATE_TUI_NOT_SHOWN;

	next.next = &next;
	while (l && sym) {
		struct listing *other = NULL;

		end = annotate_tui_listing(s, &next, sym, l);
		if (end == ANNOTATE_TUI_NEXT || end == ANNOTATE_TUI_PREVIOUS) {
			other = open_other(o, l->sym, end == ANNOTATE_TUI_NEXT);
			sym = annotate_find(o->counts, other ? other->sym : l->sym);
			end = ANNOTATE_TUI_BACK;
		}
		listing_free(l);
		l = other;
	}
	listing_free(l);
	return end;
}
