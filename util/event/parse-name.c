// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/parse-priv.h"

#include <stdlib.h>
#include <strings.h>

static bool in_table(const struct event_generic *t, const char *name, u64 *config)
{
	for (; t->name; t++)
		if (!strcasecmp(t->name, name)) {
			*config = t->config;
			return true;
		}
	return false;
}

/* Takes one of the words from the front of *p, if followed by "-" or the end; the longest wins. */
static int take_word(const char **p, const char *const *rows, size_t n_rows, size_t n_words)
{
	size_t best_len = 0;
	int best = -1;

	for (size_t r = 0; r < n_rows; r++)
		for (size_t w = 0; w < n_words; w++) {
			const char *word = rows[r * n_words + w];
			size_t n = word ? strlen(word) : 0;

			if (n > best_len && !strncasecmp(*p, word, n) &&
			    ((*p)[n] == '-' || !(*p)[n])) {
				best = (int)r;
				best_len = n;
			}
		}
	*p += best_len;
	if (best >= 0 && **p == '-')
		++*p;
	return best;
}

static bool cache_name(const char *name, u64 *config)
{
	const char *p = name;
	int id = take_word(&p, &event_cache_names[0][0], 7, 5), op = -1, res = -1;

	if (id < 0 || str_has_suffix(name, "-"))
		return false;
	while (*p) {
		int v;

		if (op < 0 && (v = take_word(&p, &event_cache_op_names[0][0], 3, 4)) >= 0)
			op = v;
		else if (res < 0 && (v = take_word(&p, &event_cache_result_names[0][0], 2, 4)) >= 0)
			res = v;
		else
			return false;
	}
	op = MAX(op, 0);
	if (!(event_cache_valid_ops[id] & 1 << op))
		return false;
	*config = (u64)id | (u64)op << 8 | (u64)MAX(res, 0) << 16;
	return true;
}

bool name_generic(const char *name, struct perf_event_attr *attr)
{
	u64 config = 0;

	if (in_table(event_hw_names, name, &config)) {
		attr->type = PERF_TYPE_HARDWARE;
	} else if (in_table(event_sw_names, name, &config)) {
		attr->type = PERF_TYPE_SOFTWARE;
	} else if (name[0] == 'r' && strlen(name) <= 17 && name[1] &&
		   name[1 + strspn(name + 1, "0123456789abcdefABCDEF")] == 0) {
		attr->type = PERF_TYPE_RAW;
		parse_hex(name + 1, &config);
	} else if (cache_name(name, &config)) {
		attr->type = PERF_TYPE_HW_CACHE;
	} else {
		return false;
	}
	attr->config = config;
	return true;
}

void name_suggest(struct parse *p, const char *name)
{
	VEC(const char *) names = { 0 };
	VEC(char *) made = { 0 };
	pmu_vec pmus = { 0 };
	const char *best;

	for (const struct event_generic *t = event_hw_names; t->name; t++)
		vec_push(&names, t->name);
	for (const struct event_generic *t = event_sw_names; t->name; t++)
		vec_push(&names, t->name);
	for (u64 id = 0; id < 7; id++)
		for (u64 op = 0; op < 3; op++)
			for (u64 res = 0; res < 2; res++) {
				struct str s = STR_INIT;

				if (!(event_cache_valid_ops[id] & 1 << op))
					continue;
				event_cache_name(id | op << 8 | res << 16, &s);
				vec_push(&made, str_detach(&s));
				vec_push(&names, *vec_last(&made));
			}
	pmu_all(p->db, &pmus);
	for (size_t i = 0; i < pmus.n; i++)
		for (size_t k = 0; k < pmus.v[i]->events.n; k++)
			vec_push(&names, pmus.v[i]->events.v[k]);
	best = nearest_name(name, names.v, names.n);
	if (best)
		err_hint(p->err, "did you mean '%s'?", best);
	for (size_t i = 0; i < made.n; i++)
		free(made.v[i]);
	vec_free(&made);
	vec_free(&names);
	vec_free(&pmus);
}

struct event *parse_add_on_pmu(struct parse *p, const struct perf_event_attr *attr,
			       const struct pmu *pmu, char *take_name)
{
	struct event *e = event_list_add(p->l, attr, take_name);

	free(take_name);
	e->pmu = xstrdup(pmu->name);
	e->of_cpus = !pmu->core && pmu->cpus.n;
	for (size_t i = 0; i < pmu->cpus.n; i++)
		vec_push(&e->own_cpus, pmu->cpus.v[i]);
	return e;
}
