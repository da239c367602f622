// SPDX-License-Identifier: GPL-2.0-or-later
// Modifiers: the letters after an event, and what becomes of them when a group has letters, too.
#include "util/event/parse-priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/event/tool.h"

#define MAX_PRECISE 3

static const struct letter { char c; size_t off; const char *what; bool shown, group_only;
			     } letters[] = {
	{ 'u', offsetof(struct mods, u), "user", true, false },
		{ 'k', offsetof(struct mods, k), "kernel", true, false },
	{ 'h', offsetof(struct mods, h), "hypervisor", true, false },
	{ 'G', offsetof(struct mods, g), "guest", true, false },
	{ 'H', offsetof(struct mods, host), "host", true, false },
	{ 'I', offsetof(struct mods, idle), "non-idle", true, false },
	{ 'P', offsetof(struct mods, precise_max), "max precise", true, false },
	{ 'S', offsetof(struct mods, sample_read), "sample read", false, false },
	{ 'D', offsetof(struct mods, pinned), "pinned", true, true },
	{ 'e', offsetof(struct mods, exclusive), "exclusive", true, true },
	{ 'W', offsetof(struct mods, weak), "weak", false, false },
	{ 'b', offsetof(struct mods, bpf), "bpf", false, false },
	{ 'R', offsetof(struct mods, retire), "retire latency", true, false },
	{ 'X', offsetof(struct mods, as_typed), "don't regroup", false, false },
};

static bool *letter_of(struct mods *m, const struct letter *l)
{
	return (bool *)((char *)m + l->off);
}

static void show(struct mods *m, char c)
{
	if (m->n + 1 < sizeof(m->text))
		m->text[m->n++] = c;
}

static int unknown(struct parse *p)
{
	parse_fail(p, p->p, "unknown modifier '%c'", *p->p);
	if (p->err)
		err_hint(p->err, "modifiers: u user, k kernel, h hypervisor, G guest, H host, I "
				 "non-idle, p precise "
			 "(up to ppp), P most precise,\nS read the group with its leader's "
			 "samples, D pinned, "
			 "e exclusive, W weak group, b BPF, R retire latency, X do not regroup");
	return -EINVAL;
}

int parse_mods(struct parse *p, struct mods *m)
{
	const char *from = p->p;

	for (; *p->p && !strchr(",}", *p->p) && !isspace((unsigned char)*p->p); p->p++) {
		const struct letter *l = NULL;

		if (*p->p == 'p') {
			if (++m->precise > MAX_PRECISE)
				return parse_fail(p, p->p, "Maximum precise value is %d",
						  MAX_PRECISE);
			show(m, 'p');
			continue;
		}
		for (size_t i = 0; i < ARRAY_SIZE(letters) && !l; i++)
			if (letters[i].c == *p->p)
				l = &letters[i];
		if (!l)
			return unknown(p);
		if (*letter_of(m, l))
			return parse_fail(p, p->p, "Duplicate modifier '%c' (%s)", *p->p, l->what);
		*letter_of(m, l) = true;
		if (l->shown)
			show(m, *p->p);
	}
	if (m->precise && m->precise_max)
		return parse_fail(p, from, "p and P exclude each other");
	return 0;
}

/* counts: nothing is sampled. */
static void apply(struct event *e, const struct mods *m, bool counts)
{
	struct perf_event_attr *a = &e->attr;
	const bool some = m->u || m->k || m->h;

	a->exclude_user = some && !m->u;
	a->exclude_kernel = some && !m->k;
	a->exclude_hv = some && !m->h;
	a->exclude_host = m->g && !m->host;
	a->exclude_guest = m->host && !m->g;
	a->exclude_idle = m->idle;
	a->pinned = m->pinned;
	a->exclusive = m->exclusive;
	a->precise_ip = m->precise_max ? MAX_PRECISE : m->precise;
	e->precise_max = m->precise_max;
	e->sample_read = m->sample_read;
	e->weak = m->weak;
	e->bpf = m->bpf;
	e->retire_latency = m->retire;
	if (m->retire && counts)
		e->tool = EVENT_TOOL_RETIRE;
}

static struct own_mods *own_of(struct parse *p, size_t i)
{
	while (p->own.n <= i - p->first)
		vec_push(&p->own, ((struct own_mods){ .name_len = 0 }));
	return &p->own.v[i - p->first];
}

void parse_keep_mods(struct parse *p, size_t i)
{
	const struct perf_event_attr *a = &p->l->events.v[i]->attr;
	const bool some = a->exclude_user || a->exclude_kernel || a->exclude_hv;

	*own_of(p, i) = (struct own_mods){
		.name_len = strlen(p->l->events.v[i]->name),
		.mods = { .u = some && !a->exclude_user, .k = some && !a->exclude_kernel,
			  .h = some && !a->exclude_hv, .g = a->exclude_host && !a->exclude_guest,
			  .host = a->exclude_guest && !a->exclude_host, .idle = a->exclude_idle,
			  .pinned = a->pinned, .exclusive = a->exclusive,
			  .precise = a->precise_ip },
	};
}

/* The name is what was typed, and the letters after it. */
static void set_name(struct event *e, const struct own_mods *own, const struct mods *m)
{
	char *name;

	if (!m->n || e->terms.set & EVENT_TERM_NAME)
		return;
	name = xasprintf("%.*s%s%.*s", (int)own->name_len, e->name, own->slash ? "" : ":",
			 (int)m->n, m->text);
	free(e->name);
	e->name = name;
}

int parse_event_mods(struct parse *p, size_t from, bool after_slash)
{
	struct mods m = { 0 };

	if (*p->p == ':')
		p->p++;
	else if (!after_slash)
		goto none;
	if (parse_mods(p, &m))
		return -EINVAL;
	if (m.weak)
		return parse_fail(p, p->p, "Weak modifier is for use with groups");
none:
	for (size_t i = from; i < p->l->events.n; i++) {
		struct event *e = p->l->events.v[i];
		struct own_mods *own = own_of(p, i);

		own->mods = m;
		own->name_len = strlen(e->name);
		own->slash = after_slash || str_has_suffix(e->name, "/");
		apply(e, &m, p->l->only_counts);
		set_name(e, own, &m);
	}
	return 0;
}

/* Either's letters count: {a:k,b}:u counts a in the kernel and in user space; each p makes it
 * one more precise. */
static int merge(struct parse *p, struct mods *m, const struct mods *group, const char *at)
{
	m->precise += group->precise;
	if (m->precise > MAX_PRECISE)
		return parse_fail(p, at, "Maximum precise value is %d, and one event of the group "
					 "has some already", MAX_PRECISE);
	for (int i = 0; i < group->precise; i++)
		show(m, 'p');
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		const struct letter *l = &letters[i];

		if (!*letter_of((struct mods *)group, l))
			continue;
		if (!*letter_of(m, l) && l->shown && !l->group_only)
			show(m, l->c);
		*letter_of(m, l) = true;
	}
	return 0;
}

int parse_group_mods(struct parse *p, size_t from, const struct mods *m, const char *at)
{
	for (size_t i = from; i < p->l->events.n; i++) {
		struct event *e = p->l->events.v[i];
		struct own_mods *own = own_of(p, i);

		if (merge(p, &own->mods, m, at))
			return -EINVAL;
		apply(e, &own->mods, p->l->only_counts);
		set_name(e, own, &own->mods);
		e->weak = m->weak || e->leader->weak;
		/* pinned and exclusive belong to the group as a whole */
		if (e->leader != e)
			e->attr.pinned = e->attr.exclusive = 0;
	}
	return 0;
}
