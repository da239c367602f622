// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/parse-priv.h"

#include <errno.h>
#include <stdlib.h>

void terms_release(term_vec *t)
{
	for vec_each(x, t) {
		free(x->name);
		free(x->value);
	}
	vec_free(t);
}

/* A value up to , or / ; in quotes anything. call-graph=dwarf,8192 is not possible here: the
 * comma ends a value. */
static char *take_value(struct parse *p)
{
	const char *from = p->p;

	if (*p->p == '\'' || *p->p == '"') {
		const char *end = strchr(p->p + 1, *p->p);

		if (!end)
			return NULL;
		p->p = end + 1;
		return xstrndup(from + 1, end - from - 1);
	}
	p->p += strcspn(p->p, ",/");
	return xstrndup(from, p->p - from);
}

int parse_terms(struct parse *p, term_vec *out)
{
	for (;;) {
		struct term t = { .at = p->p };
		size_t n = strcspn(p->p, "=,/");

		if (*p->p == '/') {
			p->p++;
			return 0;
		}
		if (!*p->p)
			return parse_fail(p, p->p, "missing / at the end of the terms");
		if (!n)
			return parse_fail(p, p->p, "missing term");
		t.name = xstrndup(p->p, n);
		p->p += n;
		if (*p->p == '=') {
			p->p++;
			t.value_at = p->p;
			t.value = take_value(p);
			if (!t.value) {
				free(t.name);
				return parse_fail(p, t.value_at, "missing closing quote");
			}
		}
		vec_push(out, t);
		if (*p->p == ',')
			p->p++;
		else if (*p->p && *p->p != '/')
			return parse_fail(p, p->p, "Unrecognized input");
	}
}

enum kind { NUM, FLAG, NOFLAG, TEXT };
enum what { T_CONFIG, T_CONFIG1, T_CONFIG2, T_CONFIG3, T_PERIOD, T_FREQ, T_TIME, T_CALL_GRAPH,
	    T_STACK, T_INHERIT, T_MAX_STACK,
	    T_OVERWRITE, T_NAME, T_BRANCH, T_PERCORE, T_AUX_OUTPUT, T_CPU, T_IGNORED };

static const struct known { const char *name; enum kind kind; enum what what; u32 bit;
			    bool sampling; } known[] = {
	{ "config", NUM, T_CONFIG, 0, false }, { "config1", NUM, T_CONFIG1, 0, false },
		{ "config2", NUM, T_CONFIG2, 0, false },
	{ "config3", NUM, T_CONFIG3, 0, false }, { "name", TEXT, T_NAME, EVENT_TERM_NAME, false },
	{ "period", NUM, T_PERIOD, EVENT_TERM_PERIOD, false },
	{ "freq", NUM, T_FREQ, EVENT_TERM_FREQ, true },
	{ "time", NUM, T_TIME, EVENT_TERM_TIME, true },
	{ "call-graph", TEXT, T_CALL_GRAPH, EVENT_TERM_CALL_GRAPH, true },
	{ "stack-size", NUM, T_STACK, EVENT_TERM_STACK_SIZE, true },
	{ "inherit", FLAG, T_INHERIT, EVENT_TERM_INHERIT, true },
	{ "no-inherit", NOFLAG, T_INHERIT, EVENT_TERM_INHERIT, true },
	{ "max-stack", NUM, T_MAX_STACK, EVENT_TERM_MAX_STACK, true },
	{ "overwrite", FLAG, T_OVERWRITE, EVENT_TERM_OVERWRITE, true },
	{ "no-overwrite", NOFLAG, T_OVERWRITE, EVENT_TERM_OVERWRITE, true },
	{ "branch_type", TEXT, T_BRANCH, EVENT_TERM_BRANCH_TYPE, true },
	{ "percore", FLAG, T_PERCORE, EVENT_TERM_PERCORE, false },
	{ "aux-output", FLAG, T_AUX_OUTPUT, EVENT_TERM_AUX_OUTPUT, true },
	{ "cpu", TEXT, T_CPU, EVENT_TERM_CPU, false },
	{ "metric-id", TEXT, T_IGNORED, 0, false },
};

static int number(struct parse *p, const struct term *t, u64 dflt, u64 *out)
{
	*out = dflt;
	if (!t->value)
		return 0;
	if (parse_u64(t->value, out))
		return 0;
	/* sysfs writes "event=3c" on some machines; so do users */
	if (str_has_prefix(t->value, "0x") && parse_hex(t->value, out))
		return 0;
	return parse_fail(p, t->value_at, "expected numeric value");
}

static void set_text(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

/* A copy of the config3 word's place: after sig_data, where this header may not have it. */
static bool set_config3(struct perf_event_attr *a, u64 v)
{
	if (sizeof(*a) < 136)
		return false;
	memcpy((u8 *)a + 128, &v, 8);
	return true;
}

static bool contains(const int_vec *v, int n)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i] == n)
			return true;
	return false;
}

/* "0", "0-3" or a PMU, whose CPUs are meant; another "cpu=" adds to it. What the PMU itself can
 * count on stays the limit. */
static int set_cpus(struct parse *p, const struct term *t, struct event *e)
{
	struct err reason = ERR_INIT;
	int_vec cpus = { 0 }, online = { 0 };
	pmu_vec pmus = { 0 };
	int ret = 0;

	os_online_cpus(p->os, &online, NULL);

	pmu_match(p->db, t->value, &pmus);
	for (size_t i = 0; i < pmus.n; i++)
		for (size_t k = 0; k < pmus.v[i]->cpus.n; k++)
			vec_push(&cpus, pmus.v[i]->cpus.v[k]);
	if (!pmus.n && parse_int_list(t->value, &cpus, &reason))
		ret = parse_fail(p, t->value_at, "%s", reason.msg);
	for (size_t i = 0; i < cpus.n && !ret; i++) {
		if (!pmus.n && online.n && !contains(&online, cpus.v[i]))
			ret = parse_fail(p, t->value_at, "there is no CPU %d online", cpus.v[i]);
		else if (!contains(&e->terms.cpus, cpus.v[i]))
			vec_push(&e->terms.cpus, cpus.v[i]);
	}
	err_release(&reason);
	vec_free(&online);
	vec_free(&cpus);
	vec_free(&pmus);
	return ret;
}

static int set_known(struct parse *p, const struct known *k, const struct term *t, struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	u64 n = 0;

	if (k->kind == TEXT && (!t->value || !*t->value))
		return parse_fail(p, t->at, "the term '%s' needs a value", t->name);
	if (p->l->only_counts && k->sampling)
		return parse_fail(p, t->at, "'%s' is not usable in 'perf stat'", t->name);
	if (k->kind != TEXT && number(p, t, 1, &n))
		return -EINVAL;
	e->terms.set |= k->bit;
	switch (k->what) {
	case T_CONFIG: a->config = n; break;
	case T_CONFIG1: a->config1 = n; break;
	case T_CONFIG2: a->config2 = n; break;
	case T_CONFIG3:
		if (!set_config3(a, n))
			return parse_fail(p, t->at, "config3 is newer than the headers this perf "
						    "was built with");
		break;
	case T_PERIOD:
		e->terms.period = a->sample_period = n;
		a->freq = 0;
		break;
	case T_FREQ:
		e->terms.freq = a->sample_freq = n;
		a->freq = 1;
		break;
	case T_TIME:
		if (n > 1)
			return parse_fail(p, t->value_at, "expected 0 or 1");
		e->terms.time = n;
		break;
	case T_CALL_GRAPH: set_text(&e->terms.call_graph, t->value); break;
	case T_STACK: e->terms.stack_bytes = (u32)n; break;
	case T_INHERIT: e->terms.inherit = k->kind == FLAG ? n : !n; break;
	case T_MAX_STACK:
		if (n > UINT16_MAX)
			return parse_fail(p, t->value_at, "the kernel counts at most %d frames",
					  UINT16_MAX);
		e->terms.max_stack = (u32)n;
		break;
	case T_OVERWRITE: e->terms.overwrite = k->kind == FLAG ? n : !n; break;
	case T_NAME: set_text(&e->name, t->value); break;
	case T_BRANCH: set_text(&e->terms.branch_type, t->value); break;
	case T_CPU: return set_cpus(p, t, e);
	case T_PERCORE:
		if (!n)
			e->terms.set &= ~(u32)EVENT_TERM_PERCORE;
		break;
	case T_AUX_OUTPUT:
	case T_IGNORED: break;
	}
	if (k->kind == NOFLAG)
		e->terms.inherit = k->what == T_INHERIT ? !n : e->terms.inherit;
	return 0;
}

static int unknown_term(struct parse *p, const struct term *t, const struct pmu *pmu)
{
	struct str s = STR_INIT;
	VEC(const char *) names = { 0 };
	const char *best;

	if (!strcmp(t->name, "ratio-to-prev")) {
		parse_fail(p, t->at, "ratio-to-prev: counters that reload each other are not "
				     "supported");
		err_hint(p->err, "period=N samples each event of a group by its own count");
		return -EINVAL;
	}
	for (size_t i = 0; pmu && i < pmu->formats.n; i++)
		vec_push(&names, pmu->formats.v[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].what != T_IGNORED)
			vec_push(&names, known[i].name);
	for (size_t i = 0; i < names.n; i++)
		str_addf(&s, "%s%s", i ? "," : "", names.v[i]);
	if (pmu)
		parse_fail(p, t->at, "unknown term '%s' for pmu '%s'", t->name, pmu->name);
	else
		parse_fail(p, t->at, "unknown term '%s'", t->name);
	parse_fail_more(p, "\n\nvalid terms: %s", str_cstr(&s));
	best = nearest_name(t->name, names.v, names.n);
	if (best)
		err_hint(p->err, "did you mean '%s'?", best);
	str_release(&s);
	vec_free(&names);
	return -EINVAL;
}

/* "umask=?" in the kernel's definition is for the user to give: those that are among the other
 * terms are taken out. */
static int take_parameters(struct parse *p, const struct term *t, const term_vec *all,
			   term_vec *inner)
{
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < inner->n; i++) {
		struct term *x = &inner->v[i];
		bool given = false;

		for (size_t k = 0; k < all->n; k++)
			given |= all->v[k].value && !strcmp(all->v[k].name, x->name);
		if (!x->value || strcmp(x->value, "?")) {
			inner->v[n++] = *x;
			continue;
		}
		if (!given && !ret) {
			ret = parse_fail(p, t->at, "the event '%s' needs a value for '%s'", t->name,
					 x->name);
			err_hint(p->err, "give it after the event: %s,%s=1", t->name, x->name);
		}
		free(x->name);
		free(x->value);
	}
	inner->n = n;
	return ret;
}

/* The words of "event=0x3c,umask=1" of a sysfs event, which the PMU spells "name". */
static int apply_event(struct parse *p, const struct term *t, const char *name,
		       const struct pmu *pmu, struct event *e,
		       const term_vec *all)
{
	struct str s = STR_INIT;
	term_vec inner = { 0 };
	char *unit = NULL;
	double scale = 1.0;
	bool missing = false;
	int ret = pmu_event_text(p->db, pmu, name, &s, &unit, &scale, p->err);

	if (!ret) {
		struct parse q = *p;
		struct err reason = ERR_INIT;

		str_addch(&s, '/');
		q.text = q.p = s.buf;
		q.err = &reason;
		q.definition = true;
		ret = parse_terms(&q, &inner);
		missing = !ret && take_parameters(p, t, all, &inner);
		if (!ret && !missing)
			ret = terms_apply(&q, &inner, pmu, e);
		if (ret)
			parse_fail(p, t->at, "the kernel's definition '%s' of this event is not "
					     "understood", s.buf);
		err_release(&reason);
		if (missing)
			ret = -EINVAL;
	}
	if (!ret) {
		if (unit)
			set_text(&e->unit, unit);
		e->scale = scale;
		set_text(&e->pmu_event, name);
	}
	free(unit);
	terms_release(&inner);
	str_release(&s);
	return ret;
}

/* "r1a8" or "r0x1a8" between the slashes of a PMU: its config as it is. */
static bool raw_term(const struct term *t, u64 *config)
{
	const char *digits = t->name + 1 + (!strncmp(t->name, "r0x", 3) ? 2 : 0);

	return t->name[0] == 'r' && !t->value && *digits && strlen(digits) <= 16 &&
	       !digits[strspn(digits, "0123456789abcdefABCDEF")] && parse_hex(digits, config);
}

static int set_format(struct parse *p, const struct term *t, const struct pmu_format *f,
		      struct event *e)
{
	u64 n, max;

	if (!t->value && pmu_format_width(f) > 1)
		return parse_fail(p, t->at, "no value assigned for term");
	if (number(p, t, 1, &n))
		return -EINVAL;
	if (!pmu_format_set(f, &e->attr, n, &max))
		return parse_fail(p, t->value_at ? t->value_at : t->at,
				  "value too big for format (%s), maximum is %llu",
				  t->name, (unsigned long long)max);
	return 0;
}

bool terms_allow_pmu(const struct event *e)
{
	bool some = !e->own_cpus.n || !e->terms.cpus.n;

	for (size_t i = 0; i < e->terms.cpus.n && !some; i++)
		some = contains(&e->own_cpus, e->terms.cpus.v[i]);
	return some;
}

static int apply_one(struct parse *p, const struct term *t, const struct pmu *pmu, struct event *e,
		     const term_vec *all)
{
	const struct pmu_format *f = pmu ? pmu_format(pmu, t->name) : NULL;
	const char *own = pmu && !t->value && !p->definition ? pmu_event(pmu, t->name) : NULL;
	struct perf_event_attr generic = { 0 };
	u64 raw;

	if (f)
		return set_format(p, t, f, e);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, t->name))
			return set_known(p, &known[i], t, e);
	if (own)
		return apply_event(p, t, own, pmu, e, all);
	if (pmu && raw_term(t, &raw)) {
		e->attr.config = raw;
		return 0;
	}
	if (pmu && !t->value && (pmu->core || pmu->type == PERF_TYPE_SOFTWARE) &&
	    name_generic(t->name, &generic) &&
	    (generic.type == PERF_TYPE_SOFTWARE) == (pmu->type == PERF_TYPE_SOFTWARE)) {
		e->attr.type = generic.type;
		e->attr.config = generic.config;
		if (generic.type != PERF_TYPE_SOFTWARE && strcmp(pmu->name, "cpu"))
			e->attr.config |= (u64)pmu->type << 32;
		return 0;
	}
	return unknown_term(p, t, pmu);
}

static bool contains_all(const int_vec *v, const int_vec *of)
{
	for (size_t i = 0; i < of->n; i++)
		if (!contains(v, of->v[i]))
			return false;
	return of->n > 0;
}

/* All CPUs, or all that its PMU has, are no choice: the event is then what it is without. */
static void forget_all_cpus(struct parse *p, struct event *e)
{
	int_vec online = { 0 };

	if (e->terms.cpus.n && (contains_all(&e->terms.cpus, &e->own_cpus) ||
				(!os_online_cpus(p->os, &online, NULL) &&
				 contains_all(&e->terms.cpus, &online))))
		vec_clear(&e->terms.cpus);
	vec_free(&online);
}

int terms_apply(struct parse *p, const term_vec *t, const struct pmu *pmu, struct event *e)
{
	for (size_t i = 0; i < t->n; i++)
		if (apply_one(p, &t->v[i], pmu, e, t))
			return -EINVAL;
	forget_all_cpus(p, e);
	return 0;
}
