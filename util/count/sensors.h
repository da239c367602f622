/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_SENSORS_H
#define COUNT_SENSORS_H
/*
 * Readings of sensors and graphics devices (event/sensor.h), for one session. What grows is counted
 * from the start of a run on; clients of a graphics device that come later from their beginning, and
 * those that end keep what they had used when they were read last.
 */
#include "util/event/event.h"
#include "util/os/target.h"

struct sensor_client { int event; u64 client, last; };
struct sensor_reading { u64 value, first; bool ok; };
struct count_sensors {
	/* by event: the sum until now (of levels: the last one), and what a chip had at the start */
	VEC(struct sensor_reading) of;
	VEC(struct sensor_client) clients;
	bool started;
};

bool count_sensors_any(const struct event_list *l);
/* There are graphics devices among them: a command is read while it runs, since nothing is left of
 * it afterwards. */
bool count_sensors_drm(const struct event_list *l);
/* pids: whose graphics devices; NULL: everybody's. The first reading after a reset is the start. */
void count_sensors_read(struct count_sensors *s, const struct event_list *l, const struct os *os,
			const int_vec *pids);
void count_sensors_reset(struct count_sensors *s);
/* Of the last reading; false: it could not be read. */
bool count_sensors_value(const struct count_sensors *s, const struct event *e, u64 *value);
void count_sensors_release(struct count_sensors *s);

#endif
