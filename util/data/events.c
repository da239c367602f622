// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/data-priv.h"

#include <errno.h>

#include "util/event/tracepoint.h"

bool data_is_header(u32 type)
{
	return type == WIRE_HEADER_ATTR || type == WIRE_HEADER_EVENT_TYPE ||
		type == WIRE_HEADER_TRACING_DATA ||
	       type == WIRE_HEADER_BUILD_ID || type == WIRE_EVENT_UPDATE ||
	       type == WIRE_HEADER_FEATURE;
}

/* "sched:sched_switch" for tracepoints that the file did not name. */
static void name_tracepoint(struct event *e)
{
	char *name = xasprintf("%s:%s", tp_system(e->format), tp_name(e->format));

	if (!e->tp_name || !strchr(e->name, ':'))
		data_rename_event(e, name);
	free(name);
}

/* true: it was not known before. */
static bool find_format(struct data_reader *r, struct event *e)
{
	if (e->attr.type != PERF_TYPE_TRACEPOINT || !r->events.tracepoints || e->format)
		return false;
	e->format = tp_by_id(r->events.tracepoints, e->attr.config);
	if (e->format)
		name_tracepoint(e);
	return e->format != NULL;
}

static void settle_event(struct event *e)
{
	e->dummy = e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

static void settle_group(struct data_reader *r, const struct data_group *g)
{
	const size_t n = r->events.events.n;
	struct event *leader;

	if (g->leader >= n || g->n_members > n - g->leader)
		return;
	leader = r->events.events.v[g->leader];
	leader->n_members = (int)g->n_members;
	free(leader->group_name);
	leader->group_name = strcmp(g->name, DATA_NO_GROUP_NAME) ? xstrdup(g->name) : NULL;
	for (u32 i = 0; i < g->n_members; i++)
		r->events.events.v[g->leader + i]->leader = leader;
	for (u32 i = 1; i < g->n_members; i++)
		r->events.events.v[g->leader + i]->n_members = 1;
}

/* One more event: the others, of which there may be many, are not looked at again. */
static void settle_new(struct data_reader *r, struct event *e)
{
	event_list_index_add(&r->events, e);
	settle_event(e);
	for vec_each(g, &r->feat.groups)
		if (g->n_members && g->leader + (u64)g->n_members - 1 == (u64)e->index)
			settle_group(r, g);
}

static int apply_attr(struct data_reader *r, const struct perf_event_header *rec,
		      const char **reason)
{
	struct perf_event_attr attr;
	struct str name = STR_INIT;
	struct span ids;

	if (wire_decode_attr(rec, &attr, &ids, reason))
		return -EINVAL;
	event_attr_name(&attr, &name);

	/* Linux 4.14 to 4.16 wrote EVENT_DESC first, which made the events already */
	const size_t nth = r->priv->n_attrs++;
	const bool known = nth < r->events.events.n;
	struct event *e = known ? r->events.events.v[nth] :
		event_list_add(&r->events, &attr, str_cstr(&name));

	e->attr = attr;
	e->format = NULL;
	if (ids.len)
		e->n_ids = 0;

	u64 *v = xcalloc(ids.len / 8 + 1, 8);

	if (ids.len)
		memcpy(v, ids.ptr, ids.len);
	event_add_ids(e, v, ids.len / 8);
	free(v);
	str_release(&name);
	find_format(r, e);
	event_changed(&r->events, e);
	if (known)
		data_settle_events(r);
	else
		settle_new(r, e);
	return 0;
}

static struct event *event_with_id(struct data_reader *r, u64 id)
{
	const struct event *e = event_list_by_id(&r->events, id);

	return e ? r->events.events.v[e->index] : NULL;
}

static int apply_update(struct data_reader *r, const struct perf_event_header *rec,
			const char **reason)
{
	struct wire_update u;
	int ret = wire_decode_event_update(rec, &u, reason);
	struct event *e = ret ? NULL : event_with_id(r, u.id);

	if (e && u.what == WIRE_UPDATE_NAME) {
		data_rename_event(e, u.text);
		event_changed(&r->events, e);
	} else if (e && u.what == WIRE_UPDATE_UNIT) {
		free(e->unit);
		e->unit = xstrdup(u.text);
	} else if (e && u.what == WIRE_UPDATE_SCALE) {
		e->scale = u.scale;
	}
	vec_free(&u.cpus);
	return ret;
}

static int apply_build_id(struct data_reader *r, const struct perf_event_header *rec,
			  const char **reason)
{
	struct wire_build_id b;

	if (wire_decode_build_id(rec, &b, reason))
		return -EINVAL;
	data_add_build_id(&r->feat, b.id, b.bytes, b.misc & (u16)~(1 << 15), b.pid, b.path);
	return 0;
}

static int apply_feature(struct data_reader *r, const struct perf_event_header *rec,
			 const char **reason)
{
	struct err err = ERR_INIT;
	u64 feature;

	if (rec->size < 16) {
		*reason = "the record is too short";
		return -EINVAL;
	}
	memcpy(&feature, rec + 1, 8);
	if (feature >= FEAT_MAX)
		return 0;

	struct span bytes = { (const u8 *)(rec + 2), rec->size - 16U };

	if (data_feature_decode(&r->feat, (int)feature, bytes, r->swap, &r->events, &err))
		data_warn(r, NULL, "%s: %s", r->path, err.msg);
	err_release(&err);
	if (feature == FEAT_EVENT_DESC || feature == FEAT_GROUP_DESC)
		data_settle_events(r);
	return 0;
}

int data_apply_header(struct data_reader *r, const struct perf_event_header *rec,
		      struct span payload, struct err *err)
{
	const char *reason = NULL;
	int ret = 0;

	switch (rec->type) {
	case WIRE_HEADER_ATTR:
		ret = apply_attr(r, rec, &reason);
		break;
	case WIRE_EVENT_UPDATE:
		ret = apply_update(r, rec, &reason);
		break;
	case WIRE_HEADER_BUILD_ID:
		ret = apply_build_id(r, rec, &reason);
		break;
	case WIRE_HEADER_FEATURE:
		ret = apply_feature(r, rec, &reason);
		break;
	case WIRE_HEADER_TRACING_DATA:
		data_feature_decode(&r->feat, FEAT_TRACING_DATA, payload, r->swap, &r->events,
				    NULL);
		data_settle_tracing(r);
		break;
	default:
		break;
	}
	return ret ? err_set(err, EINVAL, "%s", reason) : 0;
}

void data_settle_tracing(struct data_reader *r)
{
	struct err err = ERR_INIT;
	struct span bytes = { (const u8 *)str_cstr(&r->feat.tracing_data),
			      r->feat.tracing_data.len };

	if (!bytes.len)
		return;
	if (!r->events.tracepoints)
		r->events.tracepoints = tp_table_new();
	if (tp_table_parse_section(r->events.tracepoints, bytes, &err))
		data_warn(r, NULL, "%s: the tracepoint formats cannot be read: %s", r->path,
			  err.msg);
	err_release(&err);
	for vec_each(p, &r->events.events)
		if (find_format(r, *p))
			event_changed(&r->events, *p);
}

void data_settle_events(struct data_reader *r)
{
	u64 next = 0;

	for vec_each(g, &r->feat.groups) {
		if (g->leader < next)	/* they follow each other */
			continue;
		settle_group(r, g);
		next = g->leader + (u64)g->n_members;
	}
	event_list_index(&r->events);
	for vec_each(e, &r->events.events)
		settle_event(*e);
}
