// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/count/sensors.h"
#include "util/event/sensor.h"
#include "util/event/tool.h"
#include "util/os/sensors.h"

static struct os root(void)
{
	struct os os;

	os_init_root(&os, "tests/roots/sensors");
	return os;
}

static const struct sensor *find(const sensor_vec *all, const char *pmu, const char *name)
{
	for vec_each(s, all)
		if (!strcmp(s->pmu, pmu) && sensor_is(s, name))
			return s;
	return NULL;
}

TEST(sensors_of_chips)
{
	struct os os = root();
	sensor_vec all = { 0 };
	struct str s = STR_INIT;

	sensors_find(&os, SENSORS_HWMON, &all);
	CHECK_EQ(all.n, 12);
	CHECK_STR(all.v[0].pmu, "hwmon_coretemp");
	CHECK_STR(all.v[0].name, "temp1");
	CHECK_STR(all.v[0].alias, "temp_package_id_0");
	sensor_describe(&os, &all.v[0], &s);
	CHECK_STR(str_cstr(&s), "Temperature in unit coretemp named Package id 0. max=90'C, "
		  "crit=100'C");
	CHECK(find(&all, "hwmon_we_rd_chip", "in_+3.3v_rail"));
	CHECK_STR(find(&all, "hwmon_we_rd_chip", "power1")->source,
		  "/sys/class/hwmon/hwmon2/power1_average");
	CHECK_STR(find(&all, "hwmon_we_rd_chip", "power2")->source,
		  "/sys/class/hwmon/hwmon2/power2_input");
	CHECK(find(&all, "hwmon_we_rd_chip", "energy1")->grows);
	CHECK(!find(&all, "hwmon_we_rd_chip", "pwm1"));
	str_release(&s);
	sensors_release(&all);
	os_release(&os);
}

TEST(use_of_graphics_devices)
{
	struct os os = root();
	sensor_vec all = { 0 };

	sensors_find(&os, SENSORS_DRM, &all);
	CHECK_EQ(all.n, 8);
	CHECK(find(&all, "drm_i915", "drm-engine-render")->grows);
	CHECK(!find(&all, "drm_i915", "drm-total-system0")->grows);
	CHECK_STR(find(&all, "drm_i915", "drm-maxfreq-render")->unit, "hz");
	sensors_release(&all);
	os_release(&os);
}

static const char *parsed(const char *text)
{
	struct os os = root();
	struct pmu_db *db = pmu_db_new(&os);
	struct event_list l;
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	event_list_init(&l);
	l.only_counts = true;
	if (event_parse(&l, text, &os, db, &err))
		str_add(&s, err.msg);
	else
		for vec_each(e, &l.events)
			str_addf(&s, "%s%s=%s", s.len ? " " : "", (*e)->name, (*e)->sensor);
	event_list_release(&l);
	pmu_db_free(db);
	os_release(&os);
	err_release(&err);
	return unit_keep(str_detach(&s));
}

#define H "/sys/class/hwmon/"
TEST(names)
{
	CHECK_STR(parsed("temp7"), "temp7=" H "hwmon2/temp7_input");
	CHECK_STR(parsed("FAN1"), "FAN1=" H "hwmon2/fan1_input");
	CHECK_STR(parsed("temp_core_0"), "hwmon0/temp_core_0/=" H "hwmon0/temp2_input "
		  "hwmon1/temp_core_0/=" H "hwmon1/temp2_input");
	CHECK_STR(parsed("hwmon1/temp2/"), "hwmon1/temp2/=" H "hwmon1/temp2_input");
	CHECK_STR(parsed("hwmon_we_rd_chip/in_vcore,name=v/"), "v=" H "hwmon2/in0_input");
	CHECK_STR(parsed("drm_i915/drm-engine-render/"), "drm_i915/drm-engine-render/="
		  "i915/drm-engine-render");
	CHECK(strstr(parsed("temp99"), "Bad event name"));
	CHECK(strstr(parsed("hwmon_none/temp1/"), "Bad event or PMU"));
	CHECK(strstr(parsed("hwmon_coretemp/temp9/"), "there is no such event of "
		     "'hwmon_coretemp'"));
}

static u64 value_of(const struct count_sensors *s, const struct event_list *l, size_t i)
{
	u64 v = 0;

	return count_sensors_value(s, l->events.v[i], &v) ? v : 12345;
}

static void rewrite(const char *dir, const char *file, const char *text)
{
	char *path = xasprintf("%s/%s", dir, file);
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
	free(path);
}

#define CLIENT(id, ns) "drm-driver:\tx\ndrm-client-id:\t" id "\ndrm-engine-a:\t" ns " ns\n" \
	"drm-total-m:\t2 KiB\ndrm-maxfreq-a:\t3 MHz\n"
static const char setup[] = "mkdir -p %s/proc/1/fd %s/proc/1/fdinfo %s/proc/2/fd %s/proc/2/fdinfo "
	"%s/sys/class/hwmon/hwmon0 && ln -s /dev/dri/card0 %s/proc/1/fd/3";

TEST(what_grows_is_counted_from_the_start_on)
{
	static const char text[] = "drm-engine-a,drm-total-m,drm-maxfreq-a,energy1,temp1,temp2";
	char dir[] = "/tmp/perf-sensors-XXXXXX", *cmd;
	struct count_sensors s = { 0 };
	struct event_list l;
	struct err err = ERR_INIT;
	struct pmu_db *db;
	struct os os;

	CHECK(mkdtemp(dir));
	cmd = xasprintf(setup, dir, dir, dir, dir, dir, dir);
	CHECK_EQ(system(cmd), 0);
	free(cmd);
	rewrite(dir, "proc/1/fdinfo/3", CLIENT("1", "1000"));
	rewrite(dir, "sys/class/hwmon/hwmon0/name", "chip\n");
	rewrite(dir, "sys/class/hwmon/hwmon0/energy1_input", "500\n");
	rewrite(dir, "sys/class/hwmon/hwmon0/temp1_input", "-3\n");
	rewrite(dir, "sys/class/hwmon/hwmon0/temp2_input", "broken\n");
	os_init_root(&os, dir);
	db = pmu_db_new(&os);
	event_list_init(&l);
	l.only_counts = true;
	CHECK_EQ(event_parse(&l, text, &os, db, &err), 0);
	count_sensors_read(&s, &l, &os, NULL);
	CHECK_EQ(value_of(&s, &l, 0), 0);
	CHECK_EQ(value_of(&s, &l, 3), 0);
	/* one more client, which came later: all of it counts */
	rewrite(dir, "proc/1/fdinfo/3", CLIENT("1", "1700"));
	cmd = xasprintf("ln -s /dev/dri/card0 %s/proc/2/fd/9", dir);
	CHECK_EQ(system(cmd), 0);
	free(cmd);
	rewrite(dir, "proc/2/fdinfo/9", CLIENT("2", "40"));
	rewrite(dir, "sys/class/hwmon/hwmon0/energy1_input", "520\n");
	count_sensors_read(&s, &l, &os, NULL);
	CHECK_EQ(value_of(&s, &l, 0), 740);
	CHECK_EQ(value_of(&s, &l, 1), 4096);
	CHECK_EQ(value_of(&s, &l, 2), 3000000);
	CHECK_EQ(value_of(&s, &l, 3), 20);
	CHECK_EQ((s64)value_of(&s, &l, 4), -3);
	CHECK_EQ(value_of(&s, &l, 5), 12345);
	/* the first client ends: what it has used stays */
	rewrite(dir, "proc/1/fdinfo/3", "pos:\t0\n");
	count_sensors_read(&s, &l, &os, NULL);
	CHECK_EQ(value_of(&s, &l, 0), 740);
	CHECK_EQ(value_of(&s, &l, 1), 2048);
	/* only those of one process */
	count_sensors_reset(&s);
	count_sensors_read(&s, &l, &os, &(const int_vec){ (int[]){ 1 }, 1, 1 });
	CHECK_EQ(value_of(&s, &l, 1), 0);
	count_sensors_release(&s);
	event_list_release(&l);
	pmu_db_free(db);
	os_release(&os);
	cmd = xasprintf("rm -rf %s", dir);
	CHECK_EQ(system(cmd), 0);
	free(cmd);
}
