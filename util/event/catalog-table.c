// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/catalog.h"

#include <stdlib.h>

void catalog_table_begin(struct table *t)
{
	static const char *const keys[] = { "Unit", "EventName", "EventAlias", "ScaleUnit",
					    "BriefDescription", "Encoding", "Supported", "EventType" };

	t->key = "events";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
}

static struct cell copied(struct table *t, const char *text)
{
	return text ? cell_text(table_text(t, text)) : cell_absent();
}

/* A tracepoint's number is in its directory; NULL: it cannot be read. */
static char *tracepoint_encoding(const struct os *os, const char *name)
{
	const char *colon = strchr(name, ':');
	char *path = xasprintf("tracing:events/%.*s/%s/id", (int)(colon - name), name, colon + 1);
	u64 id = 0;
	int ret = os_read_u64(os, path, &id, NULL);

	free(path);
	return ret ? NULL : xasprintf("tracepoint/config=0x%llx/", (unsigned long long)id);
}

void catalog_table_add(struct table *t, const struct catalog_entry *e, const struct os *os)
{
	char *made = os && e->kind == CATALOG_TRACEPOINT ? tracepoint_encoding(os, e->name) : NULL;
	struct cell *c = table_add_row(t)->cells;

	c[0] = copied(t, e->unit);
	c[1] = copied(t, e->name);
	c[2] = copied(t, e->alias);
	c[3] = copied(t, e->scale_unit);
	c[4] = copied(t, e->desc);
	c[5] = copied(t, made ? made : e->encoding);
	c[6] = e->supported ? cell_absent() : cell_bool(false);
	c[7] = cell_text(catalog_kind_name(e->kind));
	free(made);
}
