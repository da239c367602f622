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

/* A value up to , or / ; in quotes anything. call-graph=dwarf,8192 is not possible here: the comma ends a value. */
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
enum what { T_CONFIG, T_CONFIG1, T_CONFIG2, T_CONFIG3, T_PERIOD, T_FREQ, T_TIME, T_CALL_GRAPH, T_STACK, T_INHERIT, T_MAX_STACK,
	    T_OVERWRITE, T_NAME, T_BRANCH, T_PERCORE, T_AUX_OUTPUT, T_CPU, T_IGNORED };

static const struct known { const char *name; enum kind kind; enum what what; u32 bit; } known[] = {
	{ "config", NUM, T_CONFIG, 0 }, { "config1", NUM, T_CONFIG1, 0 }, { "config2", NUM, T_CONFIG2, 0 },
	{ "config3", NUM, T_CONFIG3, 0 }, { "name", TEXT, T_NAME, EVENT_TERM_NAME },
	{ "period", NUM, T_PERIOD, EVENT_TERM_PERIOD }, { "freq", NUM, T_FREQ, EVENT_TERM_FREQ },
	{ "time", NUM, T_TIME, EVENT_TERM_TIME }, { "call-graph", TEXT, T_CALL_GRAPH, EVENT_TERM_CALL_GRAPH },
	{ "stack-size", NUM, T_STACK, EVENT_TERM_STACK_SIZE }, { "inherit", FLAG, T_INHERIT, EVENT_TERM_INHERIT },
	{ "no-inherit", NOFLAG, T_INHERIT, EVENT_TERM_INHERIT }, { "max-stack", NUM, T_MAX_STACK, EVENT_TERM_MAX_STACK },
	{ "overwrite", FLAG, T_OVERWRITE, EVENT_TERM_OVERWRITE }, { "no-overwrite", NOFLAG, T_OVERWRITE, EVENT_TERM_OVERWRITE },
	{ "branch_type", TEXT, T_BRANCH, EVENT_TERM_BRANCH_TYPE }, { "percore", FLAG, T_PERCORE, EVENT_TERM_PERCORE },
	{ "aux-output", FLAG, T_AUX_OUTPUT, EVENT_TERM_AUX_OUTPUT }, { "cpu", TEXT, T_CPU, EVENT_TERM_CPU },
	{ "metric-id", TEXT, T_IGNORED, 0 },
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

/* A copy of the config3 word's place: behind sig_data, where this header may not have it. */
static bool set_config3(struct perf_event_attr *a, u64 v)
{
	if (sizeof(*a) < 136)
		return false;
	memcpy((u8 *)a + 128, &v, 8);
	return true;
}

static int set_known(struct parse *p, const struct known *k, const struct term *t, struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	u64 n = 0;

	if (k->kind == TEXT && (!t->value || !*t->value))
		return parse_fail(p, t->at, "the term '%s' needs a value", t->name);
	if (k->kind == NUM && !t->value && k->what != T_TIME)
		return parse_fail(p, t->at, "the term '%s' needs a number", t->name);
	if (k->kind != TEXT && number(p, t, 1, &n))
		return -EINVAL;
	e->terms.set |= k->bit;
	switch (k->what) {
	case T_CONFIG: a->config = n; break;
	case T_CONFIG1: a->config1 = n; break;
	case T_CONFIG2: a->config2 = n; break;
	case T_CONFIG3:
		if (!set_config3(a, n))
			return parse_fail(p, t->at, "config3 is newer than the headers this perf was built with");
		break;
	case T_PERIOD:
		e->terms.period = a->sample_period = n;
		a->freq = 0;
		break;
	case T_FREQ:
		e->terms.freq = a->sample_freq = n;
		a->freq = 1;
		break;
	case T_TIME: e->terms.time = n; break;
	case T_CALL_GRAPH: set_text(&e->terms.call_graph, t->value); break;
	case T_STACK: e->terms.stack_bytes = (u32)n; break;
	case T_INHERIT: e->terms.inherit = k->kind == FLAG ? n : !n; break;
	case T_MAX_STACK: e->terms.max_stack = (u32)n; break;
	case T_OVERWRITE: e->terms.overwrite = k->kind == FLAG ? n : !n; break;
	case T_NAME: set_text(&e->name, t->value); break;
	case T_BRANCH: set_text(&e->terms.branch_type, t->value); break;
	case T_CPU: {
		struct err why = ERR_INIT;
		int_vec cpus = { 0 };

		if (parse_int_list(t->value, &cpus, &why)) {
			parse_fail(p, t->value_at, "%s", why.msg);
			err_release(&why);
			vec_free(&cpus);
			return -EINVAL;
		}
		vec_free(&e->own_cpus);
		e->own_cpus = cpus;
		break;
	}
	case T_PERCORE:
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

/* The words of "event=0x3c,umask=1" of a sysfs event. */
static int apply_event(struct parse *p, const struct term *t, const struct pmu *pmu, struct event *e)
{
	struct str s = STR_INIT;
	term_vec inner = { 0 };
	char *unit = NULL;
	double scale = 1.0;
	int ret = pmu_event_text(p->db, pmu, t->name, &s, &unit, &scale, p->err);

	if (!ret) {
		struct parse q = *p;
		struct err why = ERR_INIT;

		str_addch(&s, '/');
		q.text = q.p = s.buf;
		q.err = &why;
		ret = parse_terms(&q, &inner);
		if (!ret)
			ret = terms_apply(&q, &inner, pmu, e);
		if (ret)
			parse_fail(p, t->at, "the kernel's definition '%s' of this event is not understood", s.buf);
		err_release(&why);
	}
	if (!ret) {
		if (unit)
			set_text(&e->unit, unit);
		e->scale = scale;
		set_text(&e->pmu_event, t->name);
	}
	free(unit);
	terms_release(&inner);
	str_release(&s);
	return ret;
}

static int apply_one(struct parse *p, const struct term *t, const struct pmu *pmu, struct event *e)
{
	const struct pmu_format *f = pmu ? pmu_format(pmu, t->name) : NULL;
	struct perf_event_attr generic = { 0 };
	u64 n, max;

	if (f) {
		if (number(p, t, 1, &n))
			return -EINVAL;
		if (!pmu_format_set(f, &e->attr, n, &max))
			return parse_fail(p, t->value_at ? t->value_at : t->at, "value too big for format (%s), maximum is %llu",
					  t->name, (unsigned long long)max);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, t->name))
			return set_known(p, &known[i], t, e);
	if (pmu && !t->value && pmu_has_event(pmu, t->name))
		return apply_event(p, t, pmu, e);
	if (pmu && !t->value && (pmu->core || pmu->type == PERF_TYPE_SOFTWARE) && name_generic(t->name, &generic) &&
	    (generic.type == PERF_TYPE_SOFTWARE) == (pmu->type == PERF_TYPE_SOFTWARE)) {
		e->attr.type = generic.type == PERF_TYPE_RAW ? pmu->type : generic.type;
		e->attr.config = generic.config;
		if (generic.type != PERF_TYPE_SOFTWARE && generic.type != PERF_TYPE_RAW && strcmp(pmu->name, "cpu"))
			e->attr.config |= (u64)pmu->type << 32;
		return 0;
	}
	return unknown_term(p, t, pmu);
}

int terms_apply(struct parse *p, const term_vec *t, const struct pmu *pmu, struct event *e)
{
	for (size_t i = 0; i < t->n; i++)
		if (apply_one(p, &t->v[i], pmu, e))
			return -EINVAL;
	return 0;
}
