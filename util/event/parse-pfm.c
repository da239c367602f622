// SPDX-License-Identifier: GPL-2.0-or-later
// Events by the names of their vendor, where the kernel has none: alone, and in -e.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/event/parse-priv.h"
#include "util/event/pfm.h"

/* Units of other CPUs and of the whole chip: PMUs that have a number at run time. */
static const struct pmu *pmu_of_type(struct parse *p, u32 type)
{
	const struct pmu *found = NULL;
	pmu_vec all = { 0 };

	pmu_all(p->db, &all);
	for (size_t i = 0; i < all.n && !found && type >= PERF_TYPE_MAX; i++)
		if (all.v[i]->type == type)
			found = all.v[i];
	vec_free(&all);
	return found;
}

static void add(struct parse *p, const struct perf_event_attr *attr, const char *name)
{
	const struct pmu *pmu = pmu_of_type(p, attr->type);

	if (pmu)
		parse_add_on_pmu(p, attr, pmu, xstrdup(name));
	else
		event_list_add(p->l, attr, name);
	parse_keep_mods(p, p->l->events.n - 1);
}

/* Those that the kernel has a name for are its own. */
static bool is_vendors(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_RAW || a->type >= PERF_TYPE_MAX;
}

/* Up to the end of the event: its name may have colons, and its masks values. */
static char *take_word(struct parse *p)
{
	const size_t n = strcspn(p->p, ",{} \t\n");
	char *word = xstrndup(p->p, n);

	p->p += n;
	return word;
}

bool parse_vendor_name(struct parse *p, const char *at, size_t from)
{
	struct perf_event_attr attr;
	const char *stood = p->p;
	char *word;
	bool found;

	p->p = at;
	word = take_word(p);
	found = *word && !pfm_encode(word, &attr, NULL) && is_vendors(&attr);
	if (found) {
		event_list_truncate(p->l, from);
		p->own.n = MIN(p->own.n, from - p->first);
		err_release(p->err);
		p->pointed = false;
		add(p, &attr, word);
	} else {
		p->p = stood;
	}
	free(word);
	return found;
}

int parse_vendor(struct parse *p)
{
	const char *at = p->p;
	struct err why = ERR_INIT;
	struct perf_event_attr attr;
	char *word = take_word(p);
	int ret = 0;

	if (!*word)
		ret = parse_fail(p, at, "expected the name of an event");
	else if (pfm_encode(word, &attr, &why))
		ret = parse_fail(p, at, "%s", why.msg);
	else
		add(p, &attr, word);
	err_release(&why);
	free(word);
	return ret;
}
