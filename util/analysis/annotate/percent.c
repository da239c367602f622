// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "util/analysis/annotate/annotate.h"

static const struct { const char *names[2], *text; } types[] = {
	[ANNOTATE_LOCAL_PERIOD] = { { "local-period", "period-local" }, "local period" },
	[ANNOTATE_LOCAL_HITS] = { { "local-hits", "hits-local" }, "local hits" },
	[ANNOTATE_GLOBAL_PERIOD] = { { "global-period", "period-global" }, "global period" },
	[ANNOTATE_GLOBAL_HITS] = { { "global-hits", "hits-global" }, "global hits" },
};

int annotate_percent_parse(const char *text, enum annotate_percent *out, struct err *err)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(types); i++) {
		if (strcmp(types[i / 2].names[i % 2], text))
			continue;
		*out = (enum annotate_percent)(i / 2);
		return 0;
	}
	return err_set(err, EINVAL, "it is local-period, local-hits, global-period or global-hits, "
				    "not '%s'", text);
}

const char *annotate_percent_text(enum annotate_percent p) { return types[p].text; }

double annotate_pct(enum annotate_percent p, struct annotate_sum part,
		    struct annotate_sum symbol_total, struct annotate_sum event_total)
{
	const struct annotate_sum all = p == ANNOTATE_LOCAL_PERIOD || p == ANNOTATE_LOCAL_HITS ?
		symbol_total : event_total;
	const bool hits = p == ANNOTATE_LOCAL_HITS || p == ANNOTATE_GLOBAL_HITS;
	const u64 of = hits ? all.n : all.period;

	return of ? 100.0 * (double)(hits ? part.n : part.period) / (double)of : 0;
}
