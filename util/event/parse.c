// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/parse-priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/*
 *	list:	group | event, separated by commas
 *	group:	[name:]{event,...}[:modifiers]
 *	event:	name[:modifiers] | name/terms/[modifiers] | pmu/terms/[modifiers] | rHEX | mem:addr[/len][:access][:modifiers] |
 *		system:name[:modifiers]		(both may be globs)
 */
#define LINE_LEAD "event syntax error: '"
#define MAX_SHOWN 54	/* characters of the text in an error */

int parse_fail(struct parse *p, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT;
	size_t len = strlen(p->text), pos = at - p->text, from = 0, indent;
	va_list ap;

	if (len > MAX_SHOWN && pos > 12)
		from = pos - 10;
	str_addf(&s, LINE_LEAD "%s%.*s%s'\n", from ? ".." : "", MAX_SHOWN, p->text + from,
		 len > from + MAX_SHOWN ? ".." : "");
	indent = strlen(LINE_LEAD) + (pos - from) + (from ? 2 : 0);
	str_addchn(&s, ' ', indent);
	str_add(&s, "\\___ ");
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	err_set(p->err, EINVAL, "%s", s.buf);
	str_release(&s);
	return -EINVAL;
}

void parse_fail_more(struct parse *p, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	char *hint;

	if (!p->err || !p->err->msg)
		return;
	hint = xstrdup(p->err->hint);
	str_add(&s, p->err->msg);
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	err_set(p->err, EINVAL, "%s", s.buf);
	if (hint)
		err_hint(p->err, "%s", hint);
	free(hint);
	str_release(&s);
}

static void skip_spaces(struct parse *p)
{
	while (isspace((unsigned char)*p->p))
		p->p++;
}

/* --- modifiers --- */

static int duplicate(struct parse *p, const char *what)
{
	return parse_fail(p, p->p, "Duplicate modifier '%c' (%s)", *p->p, what);
}

static int parse_mods(struct parse *p, struct mods *m)
{
	static const struct { char c; size_t off; const char *what; bool shown; } table[] = {
		{ 'u', offsetof(struct mods, u), "user", true }, { 'k', offsetof(struct mods, k), "kernel", true },
		{ 'h', offsetof(struct mods, h), "hypervisor", true }, { 'G', offsetof(struct mods, g), "guest", true },
		{ 'H', offsetof(struct mods, host), "host", true }, { 'I', offsetof(struct mods, idle), "non-idle", true },
		{ 'P', offsetof(struct mods, precise_max), "max precise", true },
		{ 'S', offsetof(struct mods, sample_read), "sample read", false },
		{ 'D', offsetof(struct mods, pinned), "pinned", true }, { 'e', offsetof(struct mods, exclusive), "exclusive", true },
		{ 'W', offsetof(struct mods, weak), "weak", false }, { 'b', offsetof(struct mods, bpf), "bpf", false },
	};
	const char *from = p->p;

	for (; *p->p && !strchr(",}", *p->p) && !isspace((unsigned char)*p->p); p->p++) {
		bool found = false, shown = true;

		if (*p->p == 'p') {
			if (++m->precise > 3)
				return parse_fail(p, p->p, "Maximum precise value is 3");
			found = true;
		}
		for (size_t i = 0; i < ARRAY_SIZE(table) && !found; i++) {
			bool *b = (bool *)((char *)m + table[i].off);

			if (table[i].c != *p->p)
				continue;
			if (*b)
				return duplicate(p, table[i].what);
			*b = found = true;
			shown = table[i].shown;
		}
		if (!found) {
			parse_fail(p, p->p, "unknown modifier '%c'", *p->p);
			if (p->err)
				err_hint(p->err, "modifiers: u user, k kernel, h hypervisor, G guest, H host, I non-idle, p precise "
					 "(up to ppp), P most precise,\nS read the group with its leader's samples, D pinned, "
					 "e exclusive, W weak group, b BPF");
			return -EINVAL;
		}
		if (shown && m->n + 1 < sizeof(m->text))
			m->text[m->n++] = *p->p;
	}
	if (p->p == from)
		return parse_fail(p, p->p, "missing modifiers behind ':'");
	if (m->precise && m->precise_max)
		return parse_fail(p, from, "p and P exclude each other");
	return 0;
}

static void apply_mods(struct event *e, const struct mods *m)
{
	struct perf_event_attr *a = &e->attr;

	if (m->u || m->k || m->h) {
		a->exclude_user = !m->u;
		a->exclude_kernel = !m->k;
		a->exclude_hv = !m->h;
	}
	if (m->g != m->host) {
		a->exclude_host = m->g;
		a->exclude_guest = m->host;
	}
	a->exclude_idle |= m->idle;
	a->pinned |= m->pinned;
	a->exclusive |= m->exclusive;
	if (m->precise)
		a->precise_ip = m->precise;
	if (m->precise_max) {
		a->precise_ip = 3;
		e->precise_max = true;
	}
	e->sample_read |= m->sample_read;
	e->weak |= m->weak;
	e->bpf |= m->bpf;
}

/* --- one event --- */

static void name_with_mods(struct event *e, const struct mods *m, bool slash)
{
	char *name;

	if (!m->n || e->terms.set & EVENT_TERM_NAME)
		return;
	name = xasprintf("%s%s%s", e->name, slash ? "" : ":", m->text);
	free(e->name);
	e->name = name;
}

/* ":mods" behind the events from number "from" on. after_slash: the colon may be missing. */
static int parse_event_mods(struct parse *p, size_t from, bool after_slash)
{
	struct mods m = { 0 };

	if (*p->p == ':')
		p->p++;
	else if (!after_slash || !*p->p || strchr(",}", *p->p) || isspace((unsigned char)*p->p))
		return 0;
	if (parse_mods(p, &m))
		return -EINVAL;
	for (size_t i = from; i < p->l->events.n; i++) {
		apply_mods(p->l->events.v[i], &m);
		name_with_mods(p->l->events.v[i], &m, after_slash || str_has_suffix(p->l->events.v[i]->name, "/"));
	}
	return 0;
}

static struct event *add_on_pmu(struct parse *p, const struct perf_event_attr *attr, const struct pmu *pmu, char *take_name)
{
	struct event *e = event_list_add(p->l, attr, take_name);

	free(take_name);
	e->pmu = xstrdup(pmu->name);
	for (size_t i = 0; i < pmu->cpus.n; i++)
		vec_push(&e->own_cpus, pmu->cpus.v[i]);
	return e;
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
		add_on_pmu(p, &a, pmus.v[i], xasprintf("%s/%s/", pmus.v[i]->name, name));
	}
	if (!pmus.n)
		event_list_add(p->l, &attr, shown);
	for (size_t i = from; terms && i < p->l->events.n && !ret; i++)
		ret = terms_apply(p, terms, NULL, p->l->events.v[i]);
	vec_free(&pmus);
	return ret;
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

		if (!pmu_has_event(pmus.v[i], name))
			continue;
		ret = terms_apply(p, &one, pmus.v[i], add_on_pmu(p, &attr, pmus.v[i], xstrdup(name)));
	}
	vec_free(&pmus);
	if (!ret && p->l->events.n == before)
		ret = unknown_name(p, at, name);
	return ret;
}

/* name/terms/ of a PMU or of a generic event; p stands behind the slash. */
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

		ret = terms_apply(p, &terms, pmus.v[i], add_on_pmu(p, &attr, pmus.v[i], shown));
	}
	if (!pmus.n && name_generic(name, &generic)) {
		char *shown = xasprintf("%s/%s", name, inside);

		ret = add_generic(p, name, shown, &terms);
		free(shown);
	} else if (!pmus.n && !strcmp(name, "cpu") && terms.n && name_generic(terms.v[0].name, &generic) && !terms.v[0].value) {
		/* no such PMU (a virtual machine): the generic event, which then cannot be opened */
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

/* mem:addr[/len][:access][:mods]; p stands behind "mem:". */
static int parse_breakpoint(struct parse *p, const char *at)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .sample_period = 1 };
	char *num, *name;
	size_t n = strcspn(p->p, "/:,}"), from = p->l->events.n;
	u64 v;
	bool ok;

	num = xstrndup(p->p, n);
	ok = parse_u64(num, &v);
	free(num);
	if (!ok)
		return parse_fail(p, p->p, "expected the address of a breakpoint");
	attr.bp_addr = v;
	p->p += n;
	if (*p->p == '/') {
		n = strcspn(++p->p, ":,}");
		num = xstrndup(p->p, n);
		ok = parse_u64(num, &v) && (v == 1 || v == 2 || v == 4 || v == 8);
		free(num);
		if (!ok)
			return parse_fail(p, p->p, "the length of a breakpoint is 1, 2, 4 or 8");
		attr.bp_len = v;
		p->p += n;
	}
	if (*p->p == ':' && strchr("rwx", p->p[1]) && p->p[1]) {
		for (p->p++; *p->p && strchr("rwx", *p->p); p->p++)
			attr.bp_type |= *p->p == 'r' ? 1 : *p->p == 'w' ? 2 : 4;
		if (*p->p && !strchr(":,}", *p->p))
			return parse_fail(p, p->p, "the access of a breakpoint is made of r, w and x");
	}
	if (!attr.bp_type)
		attr.bp_type = 3;
	if (!attr.bp_len)
		attr.bp_len = attr.bp_type == 4 ? sizeof(long) : 4;
	name = xstrndup(at, p->p - at);
	event_list_add(p->l, &attr, name);
	free(name);
	return parse_event_mods(p, from, false);
}

/* --- tracepoints --- */

static int no_tracepoint(struct parse *p, const char *at, const char *system, const char *name)
{
	char *path = xasprintf("tracing:events/%s/%s", system, name), *real = os_path(p->os, path);
	char *dir = xasprintf("tracing:events/%s", system);
	os_names names = { 0 };
	const char *best = NULL;

	parse_fail(p, at, "unknown tracepoint");
	parse_fail_more(p, "\n\nError:\tFile %s not found.", real);
	if (is_glob(system) || os_list_dir(p->os, dir, &names, NULL)) {
		os_list_dir(p->os, "tracing:events", &names, NULL);
		best = is_glob(system) ? NULL : nearest_name(system, (const char *const *)names.v, names.n);
		if (best)
			err_hint(p->err, "did you mean '%s:%s'?", best, name);
	} else if (!is_glob(name)) {
		best = nearest_name(name, (const char *const *)names.v, names.n);
		if (best)
			err_hint(p->err, "did you mean '%s:%s'?", system, best);
	}
	if (!best && p->err)
		err_hint(p->err, "perf list 'tracepoint' shows those of this kernel; probes must be defined first (perf probe)");
	os_names_release(&names);
	free(dir);
	free(real);
	free(path);
	return -EINVAL;
}

static int add_tracepoint(struct parse *p, const char *system, const char *name)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT, .sample_period = 1 };
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
		if (!glob_match(names.v[i], name) || !strcmp(names.v[i], "enable") || !strcmp(names.v[i], "filter"))
			continue;
		ret = add_tracepoint(p, system, names.v[i]);
		if (ret == -ENOENT || ret == -ENOTDIR) {	/* a folder without an id is no event */
			err_release(p->err);
			ret = 0;
		}
	}
	os_names_release(&names);
out:
	free(dir);
	return ret;
}

/* Terms of recording ("/call-graph=fp,max-stack=4/"): what a tracepoint counts is its name alone. */
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

/* p stands behind "system:". */
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

static int parse_one(struct parse *p)
{
	struct perf_event_attr attr = { 0 };
	const char *at;
	size_t n, from = p->l->events.n;
	char *name;
	int ret = 0;

	skip_spaces(p);
	at = p->p;
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
	} else if (*p->p == '/') {
		p->p++;
		ret = parse_with_terms(p, at, name);
	} else if (name_generic(name, &attr)) {
		ret = add_generic(p, name, name, NULL);
		if (!ret)
			ret = parse_event_mods(p, from, false);
	} else if (*p->p == ':') {
		p->p++;
		ret = parse_tracepoint(p, at, name);
	} else {
		ret = add_pmu_event(p, at, name);
	}
	free(name);
	return ret;
}

static void make_group(struct event_list *l, size_t from, struct mods *m)
{
	struct event *leader = l->events.v[from];
	size_t n = 0;

	/* what belongs to the group as a whole is no part of its members' names */
	for (size_t i = 0; i < m->n; i++)
		if (m->text[i] != 'D' && m->text[i] != 'e')
			m->text[n++] = m->text[i];
	m->text[n] = 0;
	m->n = n;

	leader->n_members = (int)(l->events.n - from);
	for (size_t i = from; i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		e->leader = leader;
		e->weak = leader->weak;
		apply_mods(e, m);
		if (m->n)
			name_with_mods(e, m, strchr(e->name, ':') || str_has_suffix(e->name, "/"));
	}
	/* pinned and exclusive belong to the group as a whole */
	for (size_t i = from + 1; i < l->events.n; i++)
		l->events.v[i]->attr.pinned = l->events.v[i]->attr.exclusive = 0;
}

static int parse_group(struct parse *p)
{
	size_t from = p->l->events.n;
	const char *open = p->p++;
	struct mods m = { 0 };

	for (;;) {
		if (parse_one(p))
			return p->err && p->err->code ? -p->err->code : -EINVAL;
		skip_spaces(p);
		if (*p->p == '}')
			break;
		if (*p->p != ',')
			return parse_fail(p, *p->p ? p->p : open, *p->p ? "Unrecognized input" : "missing } of this group");
		p->p++;
	}
	p->p++;
	if (*p->p == ':') {
		p->p++;
		if (parse_mods(p, &m))
			return -EINVAL;
	}
	make_group(p->l, from, &m);
	return 0;
}

/* "name:{": the name of a group is only for the reader. */
static void skip_group_name(struct parse *p)
{
	size_t n = strcspn(p->p, ":/,{}");

	if (n && p->p[n] == ':' && p->p[n + 1] == '{')
		p->p += n + 1;
}

int event_parse(struct event_list *l, const char *text, struct os *os, struct pmu_db *db, struct err *err)
{
	struct parse p = { .l = l, .text = text, .p = text, .os = os, .db = db, .err = err };
	size_t from = l->events.n;
	int ret = 0;

	for (;;) {
		skip_spaces(&p);
		skip_group_name(&p);
		ret = *p.p == '{' ? parse_group(&p) : parse_one(&p);
		skip_spaces(&p);
		if (ret || !*p.p)
			break;
		if (*p.p != ',') {
			ret = parse_fail(&p, p.p, "Unrecognized input");
			break;
		}
		p.p++;
	}
	if (ret) {
		event_list_truncate(l, from);
		if (err && err->msg && str_has_prefix(err->msg, LINE_LEAD))
			parse_fail_more(&p, "\nRun 'perf list' for a list of valid events");
		return ret;
	}
	l->last_from = from;
	return 0;
}

int event_set_filter(struct event_list *l, const char *filter, struct err *err)
{
	if (l->last_from >= l->events.n) {
		err_set(err, EINVAL, "--filter must follow the -e of a tracepoint");
		return -EINVAL;
	}
	for (size_t i = l->last_from; i < l->events.n; i++)
		if (l->events.v[i]->attr.type != PERF_TYPE_TRACEPOINT) {
			err_set(err, EINVAL, "--filter works with tracepoints: '%s' is none", l->events.v[i]->name);
			err_hint(err, "--filter must follow the -e of a tracepoint");
			return -EINVAL;
		}
	for (size_t i = l->last_from; i < l->events.n; i++) {
		struct event *e = l->events.v[i];
		char *both = e->filter ? xasprintf("(%s) && (%s)", e->filter, filter) : xstrdup(filter);

		free(e->filter);
		e->filter = both;
	}
	return 0;
}
