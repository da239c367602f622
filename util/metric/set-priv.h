/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef METRIC_SET_PRIV_H
#define METRIC_SET_PRIV_H
/*
 * Between the tables and files that metrics come from and the set.
 */
#include "util/base/str.h"
#include "util/metric/expr-priv.h"

struct metric_text {		/* borrowed; what is not given is NULL */
	const char *name, *groups, *expr, *scale_unit, *threshold, *desc;
	u8 lack;
};
/* Takes copies. -EINVAL: the expression is none. */
int metric_set_put(struct metric_set *s, const struct metric_text *t, struct err *err);

#endif
