// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/sensor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/event/tool.h"
#include "util/os/sensors.h"

/* Units of the files: the kernel's hwmon/sysfs-interface. Numbers: as upstream perf encodes them. */
static const struct hwmon_type {
	const char *type, *what, *unit;
	double scale;
	unsigned number;
	bool grows;
} hwmon_types[] = {
	{ "curr", "Current", "A", 1e-3, 2, false },
	{ "energy", "Cumulative energy use", "J", 1e-6, 3, true },
	{ "fan", "Fan", "rpm", 1, 4, false },
	{ "humidity", "Humidity", "%", 1e-3, 5, false },
	{ "in", "Voltage", "V", 1e-3, 6, false },
	{ "power", "Power use", "W", 1e-6, 8, false },
	{ "temp", "Temperature", "'C", 1e-3, 10, false },
	{ "freq", "Frequency", "Hz", 1, 11, false },
};

/* By how the key begins; the longest first. */
static const struct drm_key {
	const char *prefix, *what, *unit;
	bool grows;
} drm_keys[] = {
	{ "drm-engine-capacity-", "Engine capacity", "capacity", false },
	{ "drm-engine-", "Utilization in ns", "ns", true },
	{ "drm-total-cycles-", "Total busy cycles", "cycles", true },
	{ "drm-cycles-", "Busy cycles", "cycles", true },
	{ "drm-maxfreq-", "Maximum frequency", "hz", false },
	{ "drm-total-", "Size of shared and private memory", "bytes", false },
	{ "drm-shared-", "Size of shared memory buffers", "bytes", false },
	{ "drm-active-", "Total memory active in one or more engines", "bytes", false },
	{ "drm-resident-", "Size of resident memory buffers", "bytes", false },
	{ "drm-purgeable-", "Size of resident and purgeable memory buffers", "bytes", false },
};

/* Lower case, as upstream names them; in names of PMUs only letters, digits and _ . */
static char *lowered(const char *prefix, const char *text, bool word)
{
	struct str s = STR_INIT;

	str_add(&s, prefix);
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		const bool bad = word ? !isalnum(c) : c <= ' ' || strchr("/,{}:", c);

		str_addch(&s, bad ? '_' : (char)tolower(c));
	}
	return str_detach(&s);
}

static void add_chip_sensor(const struct os_sensor *s, sensor_vec *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(hwmon_types); i++) {
		const struct hwmon_type *t = &hwmon_types[i];
		char *prefix;

		if (strcmp(t->type, s->type))
			continue;
		prefix = xasprintf("%s_", s->type);
		vec_push(out, ((struct sensor){
			.pmu = lowered("hwmon_", s->chip, true),
			.chip = xasprintf("hwmon%d", s->chip_no),
			.name = xasprintf("%s%d", s->type, s->no),
			.alias = s->label ? lowered(prefix, s->label, false) : NULL,
			.unit = t->unit, .scale = t->scale, .grows = t->grows,
			.source = xstrdup(s->file), .what = t->what,
			.label = s->label ? xstrdup(s->label) : NULL,
			.config = (u64)t->number << 16 | (u64)s->no }));
		free(prefix);
	}
}

static void add_drm_key(const char *driver, const char *key, sensor_vec *out)
{
	char *source = xasprintf("%s/%s", driver, key);
	bool known = false;

	for vec_each(have, out)
		known |= !strcmp(have->source, source);
	for (size_t i = 0; i < ARRAY_SIZE(drm_keys) && !known; i++) {
		const struct drm_key *k = &drm_keys[i];

		if (!str_has_prefix(key, k->prefix) || !key[strlen(k->prefix)])
			continue;
		known = true;
		vec_push(out, ((struct sensor){
			.pmu = lowered("drm_", driver, true), .name = xstrdup(key),
			.unit = k->unit, .scale = 1, .grows = k->grows, .source = xstrdup(source),
			.what = k->what, .config = out->n }));
	}
	free(source);
}

static void add_drm_file(void *ctx, const struct os_drm_file *f)
{
	const char *at = f->text;
	struct str key = STR_INIT;

	while (os_drm_next_key(&at, &key))
		add_drm_key(f->driver, str_cstr(&key), ctx);
	str_release(&key);
}

void sensors_find(struct os *os, unsigned kinds, sensor_vec *out)
{
	os_sensors chips = { 0 };

	if (kinds & SENSORS_HWMON)
		os_hwmon(os, &chips);
	for vec_each(s, &chips)
		add_chip_sensor(s, out);
	os_sensors_release(&chips);
	if (kinds & SENSORS_DRM)
		os_drm_files(os, NULL, add_drm_file, out);
}

void sensors_release(sensor_vec *s)
{
	for vec_each(x, s) {
		free(x->pmu);
		free(x->chip);
		free(x->name);
		free(x->alias);
		free(x->source);
		free(x->label);
	}
	vec_free(s);
}

unsigned sensor_kinds(const char *name)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < ARRAY_SIZE(hwmon_types); i++) {
		const size_t n = strlen(hwmon_types[i].type);

		if (!strncasecmp(name, hwmon_types[i].type, n) &&
		    (isdigit((unsigned char)name[n]) || name[n] == '_'))
			kinds |= SENSORS_HWMON;
	}
	return kinds | (!strncasecmp(name, "drm-", 4) ? SENSORS_DRM : 0);
}

unsigned sensor_pmu_kinds(const char *pmu)
{
	return str_has_prefix(pmu, "hwmon") ? SENSORS_HWMON :
		str_has_prefix(pmu, "drm_") ? SENSORS_DRM : 0;
}

bool sensor_is(const struct sensor *s, const char *name)
{
	return !strcasecmp(s->name, name) || (s->alias && !strcasecmp(s->alias, name));
}

struct event *sensor_add_event(struct event_list *l, const struct sensor *s, const char *shown)
{
	const struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_DUMMY };
	struct event *e = event_list_add(l, &attr, shown);

	e->tool = s->grows ? EVENT_TOOL_SUM : EVENT_TOOL_LEVEL;
	e->pmu = xstrdup(s->pmu);
	e->unit = xstrdup(s->unit);
	e->scale = s->scale;
	e->sensor = xstrdup(s->source);
	return e;
}

/* What a driver calls a limit, and its value in the sensor's unit. */
static void add_limits(const struct os *os, const struct sensor *s, struct str *out)
{
	static const char *const limits[] = { "lcrit", "min", "max", "crit", "emergency" };
	const size_t stem = strrchr(s->source, '_') - s->source + 1;
	const char *sep = " ";

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		char *file = xasprintf("%.*s%s", (int)stem, s->source, limits[i]);
		s64 v;

		if (os_sensor_read(os, file, &v)) {
			str_addf(out, "%s%s=%g%s", sep, limits[i], (double)v * s->scale, s->unit);
			sep = ", ";
		}
		free(file);
	}
}

void sensor_describe(const struct os *os, const struct sensor *s, struct str *out)
{
	str_add(out, s->what);
	if (!s->chip)
		return;
	str_addf(out, " in unit %s named ", s->pmu + strlen("hwmon_"));
	str_add_safe(out, s->label ? s->label : s->name);
	str_addch(out, '.');
	add_limits(os, s, out);
}
