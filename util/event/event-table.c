// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of a list as rows: for evlist. */
#include "util/event/event-table.h"

#include "util/event/tracepoint.h"

enum { NAME, GROUP, GROUP_NAME, TYPE, CONFIG, FREQ, PERIOD, PRECISE, SAMPLE_TYPE, READ_FORMAT,
       FLAGS, FIELDS, ATTR,
       N_COLUMNS };

void event_table_begin(struct table *t)
{
	static const char *const keys[N_COLUMNS] = {
		"name", "group", "group_name", "type", "config", "sample_freq", "sample_period",
			"precise_ip",
		"sample_type", "read_format", "flags", "trace_fields", "attr",
	};

	t->key = "events";
	for (size_t i = 0; i < N_COLUMNS; i++)
		table_add_column(t, keys[i], keys[i]);
	t->cols.v[ATTR].form = COL_NOT_IN_CSV | COL_NOT_IN_JSON;
}

static void add_name(void *ctx, const char *name)
{
	struct table *list = ctx;

	table_add_row(list)->cells[0] = cell_text(name);
}

static struct table *new_list(struct table *t)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "name", "Name");
	return list;
}

static struct cell fields_of(const struct event *e, struct table *t)
{
	struct table *list;

	if (e->attr.type != PERF_TYPE_TRACEPOINT)
		return cell_absent();
	if (!e->format)
		return (struct cell){ .kind = CELL_NONE };
	list = new_list(t);
	for (size_t i = 0; i < tp_n_fields(e->format); i++)
		if (!str_has_prefix(tp_field_at(e->format, i)->name, "common_"))
			add_name(list, table_text(t, tp_field_at(e->format, i)->name));
	return cell_list(list);
}

void event_table_add(struct table *t, const struct event *e)
{
	struct table *sample = new_list(t), *read = new_list(t), *flags = new_list(t);
	struct str attr = STR_INIT;
	struct cell *c = table_add_row(t)->cells;

	event_attr_names(&e->attr, EVENT_SAMPLE_TYPE, add_name, sample);
	event_attr_names(&e->attr, EVENT_READ_FORMAT, add_name, read);
	event_attr_names(&e->attr, EVENT_FLAGS, add_name, flags);
	event_print(e, ": ", &attr);
	c[NAME] = cell_text(table_text(t, e->name));
	c[GROUP] = e->leader && e->leader->n_members > 1 ? cell_count((u64)e->leader->index) :
		cell_absent();
	c[GROUP_NAME] = e->leader && e->leader->group_name ?
			cell_text(table_text(t, e->leader->group_name)) : cell_absent();
	c[TYPE] = cell_count(e->attr.type);
	c[CONFIG] = cell_count(e->attr.config);
	c[FREQ] = e->attr.freq ? cell_count(e->attr.sample_freq) : cell_absent();
	c[PERIOD] = e->attr.freq ? cell_absent() : cell_count(e->attr.sample_period);
	c[PRECISE] = cell_count(e->attr.precise_ip);
	c[SAMPLE_TYPE] = cell_list(sample);
	c[READ_FORMAT] = cell_list(read);
	c[FLAGS] = cell_list(flags);
	c[FIELDS] = fields_of(e, t);
	c[ATTR] = cell_text(table_text(t, str_cstr(&attr)));
	str_release(&attr);
}
