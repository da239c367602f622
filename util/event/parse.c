// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/parse-priv.h"
#include "util/event/sample-filter.h"
#include "util/event/sensor.h"
#include "util/event/tool.h"
#include "util/event/tracepoint.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/*
 *	list:	group | event, separated by commas
 *	group:	[name][:]{event,...}[:modifiers]
 *	event:	name[:modifiers] | name/terms/[modifiers] | pmu/terms/[modifiers] | rHEX |
 *		type:config[/terms/][:modifiers] | mem:addr[/len][:access][/terms/][:modifiers] |
 *		system:name[/terms/][:modifiers]	(both may be globs) |
 *		a name of the CPU's vendor, where it is none of these (parse-pfm.c)
 */

static void skip_spaces(struct parse *p)
{
	while (isspace((unsigned char)*p->p))
		p->p++;
}

/* --- one event --- */

/* "cpu=3" chooses among PMUs: those of other CPUs have no event. */
static int only_on_their_cpus(struct parse *p, size_t from)
{
	const bool any = p->l->events.n > from;
	size_t n = from;

	for (size_t i = from; i < p->l->events.n; i++)
		if (terms_allow_pmu(p->l->events.v[i])) {
			struct event *e = p->l->events.v[i];

			p->l->events.v[i] = p->l->events.v[n];
			p->l->events.v[n] = e;
			e->index = (int)n++;
		}
	event_list_truncate(p->l, n);
	if (any && n == from)
		return parse_fail(p, p->text, "this event cannot be counted on the CPUs that cpu= "
					      "names");
	return 0;
}

/* A generic event: once, or once on each kind of CPU; then the terms between slashes, if any. */
static int add_generic(struct parse *p, const char *name, const char *shown, const term_vec *terms)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pmu_vec pmus = { 0 };
	size_t from = p->l->events.n;
	int ret = 0;

	name_generic(name, &attr);
	if (attr.type != PERF_TYPE_SOFTWARE)
		pmu_hybrid(p->db, &pmus);
	for (size_t i = 0; i < pmus.n; i++) {
		struct perf_event_attr a = attr;

		if (a.type == PERF_TYPE_RAW)
			a.type = pmus.v[i]->type;
		else
			a.config |= (u64)pmus.v[i]->type << 32;
		parse_add_on_pmu(p, &a, pmus.v[i], xasprintf("%s/%s/", pmus.v[i]->name, name));
	}
	if (!pmus.n)
		event_list_add(p->l, &attr, shown);
	vec_free(&pmus);
	for (size_t i = 0; terms && i < terms->n; i++)
		if (attr.type != PERF_TYPE_RAW && !strcmp(terms->v[i].name, "config"))
			return parse_fail(p, terms->v[i].at,
					  "the event '%s' has its config by its name: take the "
					  "number alone, r1a8 or "
					  "cpu/config=0x1a8/", name);
	for (size_t i = from; terms && i < p->l->events.n && !ret; i++)
		ret = terms_apply(p, terms, NULL, p->l->events.v[i]);
	return ret ? ret : only_on_their_cpus(p, from);
}

static int unknown_name(struct parse *p, const char *at, const char *name)
{
	parse_fail(p, at, "Bad event name");
	parse_fail_more(p, "\n\nUnable to find event on a PMU of '%s'", name);
	name_suggest(p, name);
	return -EINVAL;
}

/* "tsc": an event of some PMU, named without it. */
static int add_pmu_event(struct parse *p, const char *at, const char *name)
{
	pmu_vec pmus = { 0 };
	size_t before = p->l->events.n;
	int ret = 0;

	pmu_all(p->db, &pmus);
	for (size_t i = 0; i < pmus.n && !ret; i++) {
		struct perf_event_attr attr = { .size = sizeof(attr), .type = pmus.v[i]->type };
		struct term t = { .name = (char *)name, .at = at };
		term_vec one = { &t, 1, 1 };

		if (!pmu_event(pmus.v[i], name))
			continue;
		ret = terms_apply(p, &one, pmus.v[i],
				  parse_add_on_pmu(p, &attr, pmus.v[i], xstrdup(name)));
	}
	vec_free(&pmus);
	if (!ret && p->l->events.n == before)
		ret = unknown_name(p, at, name);
	return ret;
}

/* Counted by perf itself; the kernel sees no event of it. */
static int add_tool(struct parse *p, const char *at, enum event_tool tool, const char *shown)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY };

	if (!p->l->only_counts)
		return parse_fail(p, at, "'%s' can be counted (perf stat), not sampled", shown);
	event_list_add(p->l, &attr, shown)->tool = (u8)tool;
	return 0;
}

/* tool/name/ or tool/name,name=x/; p stands after the first slash. */
static int parse_tool(struct parse *p, const char *at)
{
	const size_t from = p->l->events.n;
	term_vec terms = { 0 };
	int ret = parse_terms(p, &terms);
	enum event_tool tool = EVENT_TOOL_NONE;

	if (!ret && terms.n && !terms.v[0].value)
		tool = event_tool_find(terms.v[0].name);
	if (!ret && !tool)
		ret = parse_fail(p, terms.n ? terms.v[0].at : at, "there is no such tool event");
	if (!ret) {
		char *shown = xstrndup(at, (size_t)(p->p - at));
		term_vec rest = { terms.v + 1, terms.n - 1, 0 };

		ret = add_tool(p, at, tool, shown);
		if (!ret)
			ret = terms_apply(p, &rest, NULL, p->l->events.v[from]);
		free(shown);
	}
	terms_release(&terms);
	return ret ? ret : parse_event_mods(p, from, true);
}

/* name/terms/ of a PMU or of a generic event; p stands after the slash. */
static int parse_with_terms(struct parse *p, const char *at, const char *name)
{
	struct perf_event_attr generic = { 0 };
	pmu_vec pmus = { 0 };
	term_vec terms = { 0 };
	size_t from = p->l->events.n;
	char *inside;
	const char *open = p->p;
	int ret = parse_terms(p, &terms);

	if (ret)
		goto out;
	inside = xstrndup(open, p->p - open);	/* "event=1/" */
	pmu_match(p->db, name, &pmus);
	for (size_t i = 0; i < pmus.n && !ret; i++) {
		struct perf_event_attr attr = { .size = sizeof(attr), .type = pmus.v[i]->type };
		char *shown = xasprintf("%s/%s", pmus.n > 1 ? pmus.v[i]->name : name, inside);

		ret = terms_apply(p, &terms, pmus.v[i],
				  parse_add_on_pmu(p, &attr, pmus.v[i], shown));
	}
	if (pmus.n && !ret)
		ret = only_on_their_cpus(p, from);
	if (!pmus.n && name_generic(name, &generic)) {
		char *shown = xasprintf("%s/%s", name, inside);

		ret = add_generic(p, name, shown, &terms);
		free(shown);
	} else if (!pmus.n && !strcmp(name, "cpu") && terms.n &&
		   name_generic(terms.v[0].name, &generic) && !terms.v[0].value) {
		/* no such PMU (a virtual machine): the generic event, which then cannot be
		 * opened */
		struct term first = terms.v[0];
		char *shown = xasprintf("cpu/%s", inside);
		term_vec rest = { terms.v + 1, terms.n - 1, 0 };

		ret = add_generic(p, first.name, shown, &rest);
		free(shown);
	} else if (!pmus.n) {
		VEC(const char *) names = { 0 };
		pmu_vec all = { 0 };
		const char *best;

		ret = parse_fail(p, at, "Bad event or PMU");
		parse_fail_more(p, "\n\nUnable to find PMU or event on a PMU of '%s'", name);
		pmu_all(p->db, &all);
		for (size_t i = 0; i < all.n; i++)
			vec_push(&names, all.v[i]->name);
		best = nearest_name(name, names.v, names.n);
		if (best)
			err_hint(p->err, "did you mean the PMU '%s'?", best);
		vec_free(&names);
		vec_free(&all);
	}
	free(inside);
	if (!ret)
		ret = parse_event_mods(p, from, true);
out:
	terms_release(&terms);
	vec_free(&pmus);
	return ret;
}

/* "/terms/" after events from number "from" on, if there are any; they become part of the name,
 * which began at "at". */
static int parse_more_terms(struct parse *p, size_t from, const char *at, bool *slash)
{
	term_vec terms = { 0 };
	int ret = 0;

	*slash = *p->p == '/';
	if (!*slash)
		return 0;
	p->p++;
	ret = parse_terms(p, &terms);
	for (size_t i = from; i < p->l->events.n && !ret; i++) {
		struct event *e = p->l->events.v[i];

		free(e->name);
		e->name = xstrndup(at, p->p - at);
		ret = terms_apply(p, &terms, NULL, e);
	}
	terms_release(&terms);
	return ret;
}

/* A number up to one of the letters of stop. */
static bool take_number(struct parse *p, const char *stop, u64 *v)
{
	const size_t n = strcspn(p->p, stop);
	char *num = xstrndup(p->p, n);
	const bool ok = parse_u64(num, v);

	free(num);
	if (ok)
		p->p += n;
	return ok;
}

/* After "mem:addr/" stands the length, or "name=x" and other terms. */
static bool at_length(const char *slash)
{
	const size_t n = strcspn(slash + 1, "=/,:}");

	return slash[1 + n] != '=' && (slash[1 + n] != ',' || !strchr(slash + 1 + n, '/'));
}

static int parse_access(struct parse *p, struct perf_event_attr *attr)
{
	if (*p->p != ':' || !p->p[1] || !strchr("rwx", p->p[1]))
		return 0;
	for (p->p++; *p->p && strchr("rwx", *p->p); p->p++) {
		const u32 bit = *p->p == 'r' ? 1 : *p->p == 'w' ? 2 : 4;

		if (attr->bp_type & bit)
			return parse_fail(p, p->p, "the access '%c' stands here twice", *p->p);
		attr->bp_type |= bit;
	}
	if (*p->p && !strchr(":,}/", *p->p))
		return parse_fail(p, p->p, "the access of a breakpoint is made of r, w and x");
	return 0;
}

/* mem:addr[/len][:access][/terms/][:mods]; p stands after "mem:". */
static int parse_breakpoint(struct parse *p, const char *at)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT,
					.sample_period = 1 };
	const size_t from = p->l->events.n;
	char *name;
	bool slash;
	u64 v;
	int ret;

	if (!take_number(p, "/:,}", &v))
		return parse_fail(p, p->p, "expected the address of a breakpoint");
	attr.bp_addr = v;
	if (*p->p == '/' && at_length(p->p)) {
		const char *len = ++p->p;

		if (!take_number(p, "/:,}", &v) || (v != 1 && v != 2 && v != 4 && v != 8))
			return parse_fail(p, len, "the length of a breakpoint is 1, 2, 4 or 8");
		attr.bp_len = v;
	}
	ret = parse_access(p, &attr);
	if (ret)
		return ret;
	if (!attr.bp_type)
		attr.bp_type = 3;
	if (!attr.bp_len)
		attr.bp_len = attr.bp_type == 4 ? sizeof(long) : 4;
	name = xstrndup(at, p->p - at);
	event_list_add(p->l, &attr, name);
	free(name);
	ret = parse_more_terms(p, from, at, &slash);
	return ret ? ret : parse_event_mods(p, from, slash);
}

/* type:config[/terms/][:mods], the numbers as the kernel knows them; p stands after the colon. */
static int parse_numbers(struct parse *p, const char *at, u64 type)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = (u32)type };
	const size_t from = p->l->events.n;
	char *name;
	bool slash;
	u64 config;
	int ret;

	if (type > UINT32_MAX)
		return parse_fail(p, at, "the type of an event has 32 bits");
	if (!take_number(p, ":/,{} ", &config))
		return parse_fail(p, p->p, "expected the number of an event of type %llu",
				  (unsigned long long)type);
	attr.config = config;
	name = xstrndup(at, p->p - at);
	event_list_add(p->l, &attr, name);
	free(name);
	ret = parse_more_terms(p, from, at, &slash);
	return ret ? ret : parse_event_mods(p, from, slash);
}

/* --- tracepoints --- */

static int no_tracepoint(struct parse *p, const char *at, const char *system, const char *name)
{
	char *path = xasprintf("tracing:events/%s/%s", system, name), *real = os_path(p->os, path);

	parse_fail(p, at, "unknown tracepoint");
	parse_fail_more(p, "\n\nError:\tFile %s not found.", real);
	tp_hint_unknown(p->os, system, name, p->err);
	free(real);
	free(path);
	return -EINVAL;
}

static int add_tracepoint(struct parse *p, const char *system, const char *name)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT,
					.sample_period = 1 };
	char *path = xasprintf("tracing:events/%s/%s/id", system, name), *shown;
	struct event *e;
	u64 id = 0;
	int ret = os_read_u64(p->os, path, &id, p->err);

	free(path);
	if (ret)
		return ret;
	attr.config = id;
	shown = xasprintf("%s:%s", system, name);
	e = event_list_add(p->l, &attr, shown);
	free(shown);
	e->tp_system = xstrdup(system);
	e->tp_name = xstrdup(name);
	return 0;
}

static int add_tracepoints(struct parse *p, const char *system, const char *name)
{
	char *dir = xasprintf("tracing:events/%s", system);
	os_names names = { 0 };
	int ret;

	if (!is_glob(name)) {
		ret = add_tracepoint(p, system, name);
		goto out;
	}
	ret = os_list_dir(p->os, dir, &names, p->err);
	for (size_t i = 0; i < names.n && !ret; i++) {
		if (!glob_match(names.v[i], name) || !strcmp(names.v[i], "enable") ||
		    !strcmp(names.v[i], "filter"))
			continue;
		ret = add_tracepoint(p, system, names.v[i]);
		/* a directory without an id is no event */
		if (ret == -ENOENT || ret == -ENOTDIR) {
			err_release(p->err);
			ret = 0;
		}
	}
	os_names_release(&names);
out:
	free(dir);
	return ret;
}

/* Terms of recording ("/call-graph=fp,max-stack=4/"): what a tracepoint counts is its name
 * alone. */
static int apply_tracepoint_terms(struct parse *p, const term_vec *terms, size_t from)
{
	int ret = 0;

	for vec_each(t, terms)
		if (str_has_prefix(t->name, "config"))
			return parse_fail(p, t->at, "'%s' is not usable with tracepoints", t->name);
	for (size_t i = from; i < p->l->events.n && !ret; i++)
		ret = terms_apply(p, terms, NULL, p->l->events.v[i]);
	return ret;
}

/* p stands after "system:". */
static int parse_tracepoint(struct parse *p, const char *at, const char *system)
{
	size_t n = strcspn(p->p, ":,}/"), from = p->l->events.n;
	term_vec terms = { NULL, 0, 0 };
	char *name;
	int ret = 0;

	while (n && isspace((unsigned char)p->p[n - 1]))
		n--;
	if (!n)
		return parse_fail(p, p->p, "missing name of the tracepoint");
	name = xstrndup(p->p, n);
	p->p += n;
	if (*p->p == '/') {
		p->p++;
		ret = parse_terms(p, &terms);
	}
	if (!ret)
		ret = os_tracefs(p->os, p->err);
	if (ret)
		goto out;
	if (strchr(system, '/')) {
		ret = no_tracepoint(p, at, system, name);
	} else if (is_glob(system)) {
		os_names systems = { 0 };

		ret = os_list_dir(p->os, "tracing:events", &systems, p->err);
		for (size_t i = 0; i < systems.n && !ret; i++)
			if (glob_match(systems.v[i], system) && strcmp(systems.v[i], "ftrace")) {
				ret = add_tracepoints(p, systems.v[i], name);
				if (ret == -ENOENT || ret == -ENOTDIR) {
					err_release(p->err);
					ret = 0;
				}
			}
		os_names_release(&systems);
	} else {
		ret = add_tracepoints(p, system, name);
	}
	if (ret == -ENOENT || ret == -ENOTDIR || (!ret && p->l->events.n == from))
		ret = no_tracepoint(p, at, system, name);
	if (!ret)
		ret = apply_tracepoint_terms(p, &terms, from);
	if (!ret)
		ret = parse_event_mods(p, from, false);
out:
	terms_release(&terms);
	free(name);
	return ret;
}

/* --- the grammar --- */

/* An event of a PMU, named without it and with modifiers ("tsc:u"), looks like a tracepoint:
 * which there is tells. */
static bool is_pmu_event(struct parse *p, const char *name)
{
	char *dir = xasprintf("tracing:events/%s", name);
	os_names inside = { 0 };
	bool found = false;

	if (!is_glob(name) && (os_tracefs(p->os, NULL) || os_list_dir(p->os, dir, &inside, NULL))) {
		pmu_vec pmus = { 0 };

		pmu_all(p->db, &pmus);
		for (size_t i = 0; i < pmus.n && !found; i++)
			found = pmu_event(pmus.v[i], name);
		vec_free(&pmus);
	}
	os_names_release(&inside);
	free(dir);
	return found;
}

static int parse_own(struct parse *p)
{
	struct perf_event_attr attr = { 0 };
	const char *at = p->p;
	size_t n, from = p->l->events.n;
	char *name;
	u64 type;
	int ret = 0;

	n = strcspn(p->p, ":/,{}");
	while (n && isspace((unsigned char)p->p[n - 1]))
		n--;
	if (!n)
		return parse_fail(p, p->p, "Unrecognized input");
	name = xstrndup(p->p, n);
	p->p += n;
	if (!strcmp(name, "mem") && *p->p == ':') {
		p->p++;
		ret = parse_breakpoint(p, at);
	} else if (*p->p == '/' && !strcmp(name, "tool")) {
		p->p++;
		ret = parse_tool(p, at);
	} else if (*p->p == '/' && sensor_pmu_kinds(name)) {
		p->p++;
		ret = parse_sensor(p, at, name);
	} else if (*p->p == '/') {
		p->p++;
		ret = parse_with_terms(p, at, name);
	} else if (*p->p != ':' && event_tool_by_name(event_tool_find(name))) {
		ret = add_tool(p, at, event_tool_find(name), name);
	} else if (name_generic(name, &attr)) {
		ret = add_generic(p, name, name, NULL);
		if (!ret)
			ret = parse_event_mods(p, from, false);
	} else if (*p->p == ':' && parse_u64(name, &type)) {
		p->p++;
		ret = parse_numbers(p, at, type);
	} else if (*p->p == ':' && !is_pmu_event(p, name)) {
		p->p++;
		ret = parse_tracepoint(p, at, name);
	} else {
		ret = sensor_kinds(name) ? parse_sensor_name(p, at, name) : 0;
		if (!ret)
			ret = add_pmu_event(p, at, name);
		ret = MIN(ret, 0);
		if (!ret)
			ret = parse_event_mods(p, from, false);
	}
	free(name);
	return ret;
}

static int parse_one(struct parse *p)
{
	const size_t from = p->l->events.n;
	const char *at;
	int ret;

	skip_spaces(p);
	if (p->vendor)
		return parse_vendor(p);
	at = p->p;
	ret = parse_own(p);
	return ret && parse_vendor_name(p, at, from) ? 0 : ret;
}

static int parse_group(struct parse *p, const char *name)
{
	size_t from = p->l->events.n;
	const char *open = p->p++, *at;
	struct mods m = { 0 };

	for (;;) {
		if (parse_one(p))
			return p->err && p->err->code ? -p->err->code : -EINVAL;
		skip_spaces(p);
		if (*p->p == '}')
			break;
		if (*p->p != ',')
			return parse_fail(p, *p->p ? p->p : open, *p->p ? "Unrecognized input" :
					  "missing } of this group");
		p->p++;
	}
	p->p++;
	at = p->p;
	if (*p->p == ':') {
		p->p++;
		if (parse_mods(p, &m))
			return -EINVAL;
		if (p->p == at + 1)
			return parse_fail(p, p->p, "missing modifiers after ':'");
	}
	group_events(p->l, from);
	if (parse_group_mods(p, from, &m, at))
		return -EINVAL;
	group_sort(p->l, from);
	for (size_t i = from; name && i < p->l->events.n; i++)
		if (p->l->events.v[i]->leader == p->l->events.v[i])
			p->l->events.v[i]->group_name = xstrdup(name);
	return 0;
}

/* Of "name{" or "name:{"; NULL: there is none. */
static char *take_group_name(struct parse *p)
{
	const char *from = p->p;
	const size_t n = strcspn(from, ":/,{}");
	const size_t colon = from[n] == ':';

	if (!n || from[n + colon] != '{')
		return NULL;
	p->p += n + colon;
	return xstrndup(from, n);
}

static int parse_element(struct parse *p)
{
	char *name;
	int ret;

	skip_spaces(p);
	name = take_group_name(p);
	ret = *p->p == '{' ? parse_group(p, name) : parse_one(p);
	free(name);
	skip_spaces(p);
	return ret;
}

static int parse_all(struct parse *p)
{
	int ret = 0;

	for (;;) {
		ret = parse_element(p);
		if (ret || !*p->p)
			break;
		if (*p->p != ',') {
			ret = parse_fail(p, p->p, "Unrecognized input");
			break;
		}
		p->p++;
	}
	vec_free(&p->own);
	if (!ret) {
		p->l->last_from = p->first;
		return 0;
	}
	event_list_truncate(p->l, p->first);
	if (p->pointed)
		parse_fail_more(p, "\nRun 'perf list%s' for a list of valid events",
				p->vendor ? " pfm" : "");
	return ret;
}

int event_parse(struct event_list *l, const char *text, struct os *os, struct pmu_db *db,
		struct err *err)
{
	return parse_all(&(struct parse){ .l = l, .text = text, .p = text, .os = os, .db = db,
					  .err = err, .first = l->events.n });
}

int event_parse_vendors(struct event_list *l, const char *text, struct os *os, struct pmu_db *db,
			struct err *err)
{
	return parse_all(&(struct parse){ .l = l, .text = text, .p = text, .os = os, .db = db,
					  .err = err, .first = l->events.n, .vendor = true });
}

bool event_is_there(const char *text, struct os *os, struct pmu_db *db)
{
	struct event_list l;
	bool is;

	event_list_init(&l);
	l.only_counts = true;
	is = !event_parse(&l, text, os, db, NULL);
	event_list_release(&l);
	return is;
}

void event_and_filter(struct event *e, const char *more)
{
	char *both = e->filter ? xasprintf("(%s) && (%s)", e->filter, more) : xstrdup(more);

	free(e->filter);
	e->filter = both;
}

static int check_filter(const struct event_list *l, const struct event *e, bool of_samples,
			const char *filter, struct err *err)
{
	if (!of_samples && sample_filter_is_of(&e->attr)) {
		err_set(err, EINVAL, "one --filter is not for tracepoints and others: '%s' is no "
				     "tracepoint", e->name);
		err_hint(err, "--filter is for the -e before it: give each kind its own -e");
		return -EINVAL;
	}
	if (of_samples && l->only_counts)
		return err_set(err, EINVAL, "--filter of what is counted works with tracepoints: "
					    "'%s' is none", e->name);
	return of_samples ? sample_filter_check(filter, NULL, err) : 0;
}

int event_set_filter(struct event_list *l, const char *filter, struct err *err)
{
	bool of_samples = true;
	int ret = 0;

	if (l->last_from >= l->events.n)
		return err_set(err, EINVAL, "--filter must follow the -e of its event");
	for (size_t i = l->last_from; i < l->events.n; i++)
		of_samples &= sample_filter_is_of(&l->events.v[i]->attr);
	for (size_t i = l->last_from; i < l->events.n && !ret; i++)
		ret = check_filter(l, l->events.v[i], of_samples, filter, err);
	for (size_t i = l->last_from; i < l->events.n && !ret; i++)
		event_and_filter(l->events.v[i], filter);
	return ret;
}
