// SPDX-License-Identifier: GPL-2.0-or-later
// Events of chosen PMUs: --cputype and --pmu-filter.
#include <errno.h>
#include <string.h>

#include "util/event/pmu-priv.h"

static bool is_wanted(const struct event *e, const char *cputype, const char *filter)
{
	if (!e->pmu)
		return true;
	if (cputype && e->own_cpus.n && !e->of_cpus && strcmp(e->pmu, cputype))
		return false;
	return !filter || glob_match(e->pmu, filter);
}

static bool any_pmu(struct pmu_db *db, const char *name)
{
	pmu_vec pmus = { 0 };
	bool found = false;

	pmu_all(db, &pmus);
	for (size_t i = 0; i < pmus.n; i++)
		found |= glob_match(pmus.v[i]->name, name);
	vec_free(&pmus);
	return found;
}

int event_list_keep_pmus(struct event_list *l, size_t from, struct pmu_db *db, const char *cputype,
			 const char *filter, struct err *err)
{
	const char *missing = cputype && !any_pmu(db, cputype) ? cputype :
		filter && !any_pmu(db, filter) ? filter : NULL;

	if (missing) {
		err_set(err, ENOENT, "there is no PMU '%s'", missing);
		err_hint(err, "the PMUs of this machine are in " PMU_DIR);
		return -ENOENT;
	}
	if (!cputype && !filter)
		return 0;
	for (size_t i = l->events.n; i-- > from;)
		if (!is_wanted(l->events.v[i], cputype, filter))
			event_list_remove(l, i);
	return 0;
}
