/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_SENSOR_H
#define EVENT_SENSOR_H
/*
 * Events that are read from what drivers show, not counted by the kernel: sensors of chips, as the
 * PMUs hwmon_CHIP, and the use of graphics devices, as the PMUs drm_DRIVER. Those of chips are also
 * known by hwmonN, the chip's number. A reading is a level ("45.0 'C"), or a sum that grows. Any
 * thread.
 */
#include "util/event/event.h"

struct sensor {
	char *pmu;			/* "hwmon_coretemp", "drm_i915" */
	char *chip;			/* "hwmon0", or NULL */
	char *name;			/* "temp1", "drm-engine-render" */
	char *alias;			/* by its label: "temp_core_0", or NULL */
	const char *unit;
	double scale;			/* of a reading to the unit */
	bool grows;
	/* the file that is read, or DRIVER/KEY of graphics devices */
	char *source;
	char *label;			/* "Core 0"; or NULL */
	const char *what;		/* "Temperature" */
	u64 config;			/* upstream's number of it, for lists */
};
typedef VEC(struct sensor) sensor_vec;

enum { SENSORS_HWMON = 1, SENSORS_DRM = 2 };
/* Of the kinds, those that there are now. */
void sensors_find(struct os *os, unsigned kinds, sensor_vec *out);
void sensors_release(sensor_vec *s);
/* Of which kinds an event of this name, or a PMU of this name, can be; 0: none. */
unsigned sensor_kinds(const char *name);
unsigned sensor_pmu_kinds(const char *pmu);
/* name or alias, whatever the case of its letters. */
bool sensor_is(const struct sensor *s, const char *name);
/* The event, which is called shown. */
struct event *sensor_add_event(struct event_list *l, const struct sensor *s, const char *shown);
/* "Temperature in unit coretemp named Core 0. crit=100'C, max=90'C" */
void sensor_describe(const struct os *os, const struct sensor *s, struct str *out);

#endif
