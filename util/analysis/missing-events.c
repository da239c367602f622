// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/missing-events.h"

#include <errno.h>

bool events_have_no_names(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->attr.type == PERF_TYPE_TRACEPOINT && !(*e)->tp_name)
			return true;
	return false;
}

int events_missing(const struct event_list *l, const char *path, const struct events_needed *n,
		   struct err *err)
{
	if (events_have_no_names(l))
		err_set(err, ENOENT, "it is not known which events of '%s' are %s: the end of the "
				     "file, with their names, is missing", path, n->whose);
	else
		err_set(err, ENOENT, "%s in '%s'", n->none, path);
	err_hint(err, "record them with: %s -- COMMAND", n->record);
	return -ENOENT;
}
