// SPDX-License-Identifier: GPL-2.0-or-later
// Events as files have them: attrs of other sizes and byte orders, names.
#include "util/data/data-priv.h"

#include <stdlib.h>

void data_take_attr(struct rd *r, u32 bytes, struct perf_event_attr *attr)
{
	const void *p = rd_bytes(r, bytes);

	memset(attr, 0, sizeof(*attr));
	if (!p)
		return;
	memcpy(attr, p, MIN(bytes, (u32)sizeof(*attr)));
	if (r->swap)
		wire_swap_attr(attr);
	if (!attr->size)
		attr->size = PERF_ATTR_SIZE_VER0;
}

void data_rename_event(struct event *e, const char *name)
{
	const char *colon = strchr(name, ':');

	if (!*name)
		return;
	free(e->name);
	e->name = xstrdup(name);
	if (e->attr.type == PERF_TYPE_TRACEPOINT && colon && colon[1]) {
		free(e->tp_system);
		free(e->tp_name);
		e->tp_system = xstrndup(name, (size_t)(colon - name));
		e->tp_name = xstrdup(colon + 1);
	}
}
