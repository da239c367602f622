// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/diff-text.h"

#include "util/view/text.h"

void diff_text(struct str *out, size_t n, const struct event *e, const struct table *t,
	       const struct diff_text_opts *o)
{
	if (n && !o->quiet)
		str_add(out, "\n");
	if (!o->quiet) {
		str_add(out, "# Event '");
		str_add_safe(out, e->name);
		str_add(out, "'\n#\n");
	}
	if (!o->quiet && o->list_files) {
		str_add(out, "# Data files:\n");
		for (size_t i = 0; i < o->n_names; i++) {
			str_addf(out, "#  [%zu] ", i);
			str_add_safe(out, o->names[i]);
			str_add(out, i ? " \n" : " (Baseline)\n");
		}
		str_add(out, "#\n");
	}
	text_table(out, t, &(struct text_opts){ .sep = o->sep, .no_titles = o->quiet,
						.columns = o->columns, .color = o->color });
}
