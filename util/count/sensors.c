// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/sensors.h"

#include <stdlib.h>
#include <string.h>

#include "util/event/tool.h"
#include "util/os/sensors.h"

static bool is_drm(const struct event *e)
{
	return e->sensor && e->sensor[0] != '/';
}

bool count_sensors_any(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->sensor)
			return true;
	return false;
}

bool count_sensors_drm(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if (is_drm(*e))
			return true;
	return false;
}

struct reading {
	struct count_sensors *s;
	const struct event_list *l;
	VEC(u64) clients;		/* seen in this reading */
};

/* A client that is new has used all of it since it came; the first reading is where all begin. */
static void add_growth(struct count_sensors *s, int event, u64 client, u64 value)
{
	for vec_each(c, &s->clients)
		if (c->event == event && c->client == client) {
			if (value > c->last)
				s->of.v[event].value += value - c->last;
			c->last = value;
			return;
		}
	vec_push(&s->clients, ((struct sensor_client){ .event = event, .client = client,
						       .last = value }));
	if (s->started)
		s->of.v[event].value += value;
}

static bool is_size(const char *key)
{
	return !str_has_prefix(key, "drm-engine-capacity-") && !str_has_prefix(key, "drm-maxfreq-");
}

static void add_value(struct reading *r, const struct event *e, const struct os_drm_file *f)
{
	struct sensor_reading *x = &r->s->of.v[e->index];
	const char *key = strchr(e->sensor, '/') + 1;
	u64 v;

	if (!os_drm_value(f->text, key, &v))
		return;
	if (e->tool == EVENT_TOOL_SUM)
		add_growth(r->s, e->index, f->client, v);
	else
		x->value = is_size(key) ? x->value + v : MAX(x->value, v);
}

static void read_file(void *ctx, const struct os_drm_file *f)
{
	struct reading *r = ctx;
	const size_t n = strlen(f->driver);

	for vec_each(c, &r->clients)
		if (*c == f->client)
			return;
	vec_push(&r->clients, f->client);
	for vec_each(p, &r->l->events)
		if (is_drm(*p) && !strncmp((*p)->sensor, f->driver, n) && (*p)->sensor[n] == '/')
			add_value(r, *p, f);
}

static void read_chip(struct count_sensors *s, const struct event *e, const struct os *os)
{
	struct sensor_reading *x = &s->of.v[e->index];
	s64 v = 0;

	x->ok = os_sensor_read(os, e->sensor, &v);
	if (!x->ok)
		return;
	if (!s->started)
		x->first = (u64)v;
	x->value = e->tool == EVENT_TOOL_SUM ? (u64)v - x->first : (u64)v;
}

void count_sensors_read(struct count_sensors *s, const struct event_list *l, const struct os *os,
			const int_vec *pids)
{
	struct reading r = { .s = s, .l = l };

	while (s->of.n < l->events.n)
		vec_push(&s->of, ((struct sensor_reading){ .ok = true }));
	for vec_each(e, &l->events) {
		if ((*e)->sensor && !is_drm(*e))
			read_chip(s, *e, os);
		else if ((*e)->tool == EVENT_TOOL_LEVEL)
			s->of.v[(*e)->index].value = 0;
	}
	if (count_sensors_drm(l))
		os_drm_files(os, pids, read_file, &r);
	vec_free(&r.clients);
	s->started = true;
}

void count_sensors_reset(struct count_sensors *s)
{
	vec_clear(&s->of);
	vec_clear(&s->clients);
	s->started = false;
}

bool count_sensors_value(const struct count_sensors *s, const struct event *e, u64 *value)
{
	if ((size_t)e->index >= s->of.n || !s->of.v[e->index].ok)
		return false;
	*value = s->of.v[e->index].value;
	return true;
}

void count_sensors_release(struct count_sensors *s)
{
	vec_free(&s->of);
	vec_free(&s->clients);
}
