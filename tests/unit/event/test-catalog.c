// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/event/catalog.h"
#include "util/event/event.h"

static int no_events(struct perf_event_attr *a UNUSED, pid_t pid UNUSED, int cpu UNUSED,
		     int group UNUSED, unsigned long flags UNUSED)
{
	return -ENOENT;
}

/* What PMU the generic events of a machine are said to be of. */
static const char *unit_of_cycles(const char *root)
{
	struct os os;
	struct pmu_db *db;
	catalog c = { 0 };
	const char *unit = NULL;

	os_init_root(&os, root);
	os.perf_event_open = no_events;
	db = pmu_db_new(&os);
	CHECK_EQ(catalog_read(&c, 1U << CATALOG_HW, &os, db, NULL), 0);
	for vec_each(e, &c)
		if (strstr(e->name, "cycles"))
			unit = unit_keep(xstrdup(e->unit));
	catalog_release(&c);
	pmu_db_free(db);
	os_release(&os);
	return unit;
}

TEST(generic_events_name_the_pmu_that_is_there)
{
	CHECK_STR(unit_of_cycles("tests/roots/arm64"), "armv8_pmuv3_0");
	CHECK_STR(unit_of_cycles("tests/roots/server-2s"), "cpu");
	CHECK_STR(unit_of_cycles("tests/roots/vm"), "cpu");
}
