/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_SENSORS_H
#define OS_SENSORS_H
/*
 * Values that drivers show as text: sensors of chips (/sys/class/hwmon, the kernel's
 * hwmon/sysfs-interface) and the use of graphics devices by their clients (drm- lines of
 * /proc/PID/fdinfo, the kernel's gpu/drm-usage-stats). Any thread.
 */
#include "util/os/os.h"

struct os_sensor {
	char *chip;		/* its name: "coretemp" */
	int chip_no;		/* N of hwmonN */
	char *type;		/* "temp" */
	int no;			/* 1 of temp1 */
	char *label;		/* "Core 0", or NULL */
	char *stem;		/* "/sys/class/hwmon/hwmon0/temp1_" */
	char *file;		/* what is read: stem with "input", or "average" */
};
typedef VEC(struct os_sensor) os_sensors;
/* By the numbers of their chips, then by name. */
void os_hwmon(const struct os *os, os_sensors *out);
void os_sensors_release(os_sensors *s);
/* As a number of the driver's own unit. False: it cannot be read now. */
bool os_sensor_read(const struct os *os, const char *file, s64 *out);

/* One open file of a graphics device; several may be of one client. */
struct os_drm_file {
	const char *driver;	/* "i915" */
	u64 client;		/* equal for files of one client of one device */
	const char *text;	/* all lines */
};
typedef void os_drm_fn(void *ctx, const struct os_drm_file *f);
/* Of these processes, NULL: of all; those that are gone are no error. */
void os_drm_files(const struct os *os, const int_vec *pids, os_drm_fn *fn, void *ctx);
/* "drm-engine-render" in the text of a file: its number, in bytes or Hz where it has such a unit. */
bool os_drm_value(const char *text, const char *key, u64 *out);
/* The keys with a number, one after the other; *at begins as the text. */
bool os_drm_next_key(const char **at, struct str *key);

#endif
