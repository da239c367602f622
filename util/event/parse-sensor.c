// SPDX-License-Identifier: GPL-2.0-or-later
// Events of sensors and graphics devices: "temp1", "hwmon_coretemp/temp_core_0/", "hwmon0/temp1/".
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "util/event/parse-priv.h"
#include "util/event/sensor.h"

static bool on_pmu(const struct sensor *s, const char *pmu)
{
	return !pmu || !strcasecmp(s->pmu, pmu) || (s->chip && !strcmp(s->chip, pmu));
}

/* Two chips of one name are told apart by their numbers. */
static bool pmu_is_one_chip(const sensor_vec *found, const struct sensor *s, const char *name)
{
	for vec_each(o, found)
		if (sensor_is(o, name) && !strcmp(o->pmu, s->pmu) && s->chip && o->chip &&
		    strcmp(o->chip, s->chip))
			return false;
	return true;
}

static void add(struct parse *p, const sensor_vec *found, const char *pmu, const char *name)
{
	size_t n = 0;

	for vec_each(s, found)
		n += sensor_is(s, name) && on_pmu(s, pmu);
	for vec_each(s, found) {
		const char *unit = pmu_is_one_chip(found, s, name) ? s->pmu : s->chip;
		char *shown;

		if (!sensor_is(s, name) || !on_pmu(s, pmu))
			continue;
		shown = n > 1 ? xasprintf("%s/%s/", unit, name) :
			pmu ? xasprintf("%s/%s/", pmu, name) : xstrdup(name);
		sensor_add_event(p->l, s, shown);
		free(shown);
	}
}

int parse_sensor_name(struct parse *p, const char *at, const char *name)
{
	const size_t from = p->l->events.n;
	sensor_vec found = { 0 };
	int ret = 0;

	sensors_find(p->os, sensor_kinds(name), &found);
	add(p, &found, NULL, name);
	sensors_release(&found);
	if (p->l->events.n == from)
		return 0;
	if (!p->l->only_counts)
		ret = parse_fail(p, at, "'%s' can be counted (perf stat), not sampled", name);
	return ret ? ret : 1;
}

static int no_event(struct parse *p, const sensor_vec *found, const char *at, const char *pmu,
		    const char *name)
{
	VEC(const char *) names = { 0 };
	const char *best;
	bool any = false;
	int ret;

	for vec_each(s, found) {
		any |= on_pmu(s, pmu);
		vec_push(&names, any && name ? (s->alias ? s->alias : s->name) : s->pmu);
	}
	if (any)
		ret = parse_fail(p, at, "there is no such event of '%s'", pmu);
	else
		ret = parse_fail(p, at, "Bad event or PMU");
	if (!any)
		parse_fail_more(p, "\n\nUnable to find PMU or event on a PMU of '%s'", pmu);
	best = nearest_name(any ? name : pmu, names.v, names.n);
	if (best)
		err_hint(p->err, "did you mean '%s'?", best);
	else if (any)
		err_hint(p->err, "'perf list %s' shows those that there are", pmu);
	vec_free(&names);
	return ret;
}

int parse_sensor(struct parse *p, const char *at, const char *pmu)
{
	const size_t from = p->l->events.n;
	sensor_vec found = { 0 };
	term_vec terms = { 0 };
	int ret = parse_terms(p, &terms);
	const char *name = terms.n && !terms.v[0].value ? terms.v[0].name : "";
	term_vec rest = { terms.v + 1, terms.n ? terms.n - 1 : 0, 0 };

	sensors_find(p->os, sensor_pmu_kinds(pmu), &found);
	if (!ret)
		add(p, &found, pmu, name);
	if (!ret && p->l->events.n == from)
		ret = no_event(p, &found, terms.n ? terms.v[0].at : at, pmu, name);
	if (!ret && !p->l->only_counts)
		ret = parse_fail(p, at, "'%s' can be counted (perf stat), not sampled", name);
	for (size_t i = from; i < p->l->events.n && !ret; i++)
		ret = terms_apply(p, &rest, NULL, p->l->events.v[i]);
	sensors_release(&found);
	terms_release(&terms);
	return ret;
}
