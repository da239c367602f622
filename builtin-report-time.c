// SPDX-License-Identifier: GPL-2.0-or-later
// perf report --by-time, --outliers: which slices of time there are.
#include <errno.h>
#include <string.h>

#include "builtin-report.h"
#include "util/data/features.h"

#define MAX_SLICES 1000
#define DEFAULT_SLICES 50
#define MOST_OUTLIERS 10

static int check_opts(const struct report_opts *o, struct err *err)
{
	const char *with = o->rows.branch ? "rows of branches (--no-branch-stack)" :
		o->look.nested ? "--hierarchy" : o->rows.keys.fields ? "--fields" :
		o->rows.mem ? "--mem-mode" : NULL;

	if (with)
		return err_set(err, EINVAL, "--by-time and --outliers cannot be combined with %s",
			       with);
	if (o->rows.by_time == 1 || o->rows.by_time > MAX_SLICES)
		return err_set(err, EINVAL, "--by-time: from 2 to %d slices, not %d", MAX_SLICES,
			       o->rows.by_time);
	return 0;
}

static char *sort_by(const struct report_opts *o)
{
	const char *sort = o->rows.keys.sort;

	return xasprintf("%s,time", sort && *sort ? sort : "comm,dso,symbol");
}

static bool sorts_by_time(const char *sort)
{
	for (const char *p = sort; p && (p = strstr(p, "time")); p += 4)
		if ((p == sort || p[-1] == ',' || p[-1] == '+') && (!p[4] || p[4] == ','))
			return true;
	return false;
}

int report_slices_begin(struct report_opts *o, struct session *s, struct report_slices *out)
{
	const struct data_features *f = s->source->env;
	struct err *err = &s->err;
	u64 first, last;

	if (!o->rows.by_time && !o->rows.outliers)
		return 0;
	if (check_opts(o, err))
		return -EINVAL;
	if (sorts_by_time(o->rows.keys.sort))
		return err_set(err, EINVAL, "--by-time and --outliers are by time already: --sort "
					    "needs no time");
	first = f ? f->first_sample_ns : 0;
	last = f ? f->last_sample_ns : 0;
	if (last <= first) {
		err_set(err, EINVAL, "'%s' does not say from when to when it was recorded",
			s->source->name);
		err_hint(err, "it was written to a pipe, or by an old perf: --sort time has a row "
			      "for each 100 ms (--time-quantum)");
		return -EINVAL;
	}
	out->opts = (struct by_time_opts){
		.first_ns = first, .relative = o->rows.relative, .min_pct = o->look.min_pct,
		.n_slices = (unsigned)(o->rows.by_time ? o->rows.by_time : DEFAULT_SLICES),
		.outliers = o->rows.outliers, .n_outliers = MOST_OUTLIERS,
	};
	out->opts.slice_ns = (last - first) / out->opts.n_slices + 1;
	out->sort = sort_by(o);
	o->rows.keys.sort = out->sort;
	o->rows.keys.time_from_ns = first;
	o->rows.keys.time_quantum_ns = out->opts.slice_ns;
	o->rows.children &= !o->rows.outliers;
	o->look.chain.mode = CHAIN_NONE;
	o->look.group = false;
	return 0;
}
