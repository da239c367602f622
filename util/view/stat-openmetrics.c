// SPDX-License-Identifier: GPL-2.0-or-later
// Counts in the text format of OpenMetrics, which Prometheus and others read.
#include <math.h>
#include <string.h>

#include "util/view/stat.h"

/* The value of a label: backslashes, quotes and line ends are escaped, other control characters
 * made harmless. */
static void add_label(struct str *out, bool *first, const char *name, const char *value)
{
	struct str safe = STR_INIT;

	str_addf(out, "%s%s=\"", *first ? "{" : ",", name);
	*first = false;
	str_add_utf8(&safe, value);
	for (const char *p = str_cstr(&safe); *p; p++) {
		if (*p == '\n')
			str_add(out, "\\n");
		else if (*p == '"' || *p == '\\')
			str_addf(out, "\\%c", *p);
		else if ((unsigned char)*p >= ' ')
			str_addch(out, *p);
	}
	str_addch(out, '"');
	str_release(&safe);
}

static void add_labels(const struct stat_view *v, const struct stat_row *r, const char *key,
		       const char *name, struct str *out)
{
	struct str id = STR_INIT;
	bool first = true;

	add_label(out, &first, key, name);
	if (v->aggr != STAT_GLOBAL) {
		stat_row_id(v->aggr, r, &id);
		add_label(out, &first, stat_aggr_name(v->aggr), str_cstr(&id));
	}
	if (r->cgroup)
		add_label(out, &first, "cgroup", r->cgroup);
	if (key[0] == 'e' && *r->unit)
		add_label(out, &first, "unit", r->unit);
	str_addch(out, '}');
	str_release(&id);
}

void view_stat_openmetrics(const struct stat_view *v, const struct stat_row *rows, size_t n,
			   double *sums, struct str *out)
{
	str_add(out, "# TYPE perf_event counter\n# HELP perf_event Counts since the start.\n");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].state == STAT_COUNTED)
			sums[i] = (isnan(sums[i]) ? 0 : sums[i]) + rows[i].value;
		/* what did not run this time stays where it was */
		if (isnan(sums[i]) || (rows[i].state != STAT_COUNTED &&
				       rows[i].state != STAT_NOT_COUNTED))
			continue;
		str_add(out, "perf_event_total");
		add_labels(v, &rows[i], "event", rows[i].name, out);
		str_addf(out, " %.*f\n", rows[i].fraction ? 6 : 0, sums[i]);
	}
	str_add(out, "# TYPE perf_metric gauge\n"
		"# HELP perf_metric Metrics of the last interval.\n");
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].metric.unit || !isfinite(rows[i].metric.value))
			continue;
		str_add(out, "perf_metric");
		add_labels(v, &rows[i], "metric", rows[i].metric.unit, out);
		str_addf(out, " %.6f\n", rows[i].metric.value);
	}
	str_add(out, "# EOF\n");
}
