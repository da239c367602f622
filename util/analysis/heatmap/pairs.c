// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/heatmap/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/hist/cct.h"
#include "util/base/arena.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

static const struct pairs_preset presets[] = {
	{ "block", "Block I/O latency",
	  "block:block_rq_issue", "block:block_rq_complete", "dev,sector", NULL, true, false },
	{ "syscalls", "System call latency",
	  "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "tid,id", NULL, false, false },
	{ "sched", "Scheduler latency",
	  "sched:sched_wakeup,sched:sched_wakeup_new", "sched:sched_switch", "pid=next_pid",
	  "prev_pid", true, true },
	{ .name = NULL }
};

const struct pairs_preset *pairs_preset(const char *name)
{
	for (const struct pairs_preset *p = presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

enum word_kind { WORD_FIELD, WORD_TID, WORD_PID, WORD_CPU, WORD_COMM };
struct word { enum word_kind kind; const struct tp_field *field; };

enum role { ROLE_NONE, ROLE_START, ROLE_END };
struct ev {
	enum role role;
	struct word key[PAIRS_MAX_KEYS], cancel[PAIRS_MAX_KEYS];
	const char *missing;		/* a field that it does not have; NULL: none */
};

struct pairs {
	struct sink sink;
	struct pairs_opts o;
	word_list starts, ends, start_keys, end_keys, cancel;
	int_vec only;
	struct per_event evs;		/* struct ev */
	struct idset ids;
	VEC(u64) since;			/* by id: when it began, plus 1; 0: it did not */
	struct intern *texts;
	VEC(struct heat_pair) found;
	struct pairs_stats stats;
};

/* ---- names ---- */

static void split_keys(struct pairs *p)
{
	word_list both = { 0 };

	words_split(p->o.keys, &both);
	for vec_each(s, &both) {
		const char *eq = strchr(*s, '=');

		vec_push(&p->start_keys, xstrndup(*s, eq ? (size_t)(eq - *s) : strlen(*s)));
		vec_push(&p->end_keys, xstrdup(eq ? eq + 1 : *s));
	}
	words_release(&both);
}

/* "system:name", or the name alone; of other events as they are called in the recording. */
static bool is_called(const struct event *e, const char *name)
{
	const char *colon = strchr(name, ':');

	if (e->tp_name && e->tp_system && colon)
		return strlen(e->tp_system) == (size_t)(colon - name) &&
			!strncmp(e->tp_system, name, (size_t)(colon - name)) &&
			!strcmp(e->tp_name, colon + 1);
	return (e->tp_name && !strcmp(e->tp_name, name)) || !strcmp(e->name, name);
}

static bool is_listed(const word_list *v, const struct event *e)
{
	for vec_each(s, v)
		if (is_called(e, *s))
			return true;
	return false;
}

static bool find_word(const struct event *e, const char *name, struct word *out)
{
	static const char *const own[] = { [WORD_TID] = "tid", [WORD_PID] = "pid",
					   [WORD_CPU] = "cpu", [WORD_COMM] = "comm" };

	out->kind = WORD_FIELD;
	out->field = e->format ? tp_field(e->format, name) : NULL;
	if (out->field)
		return true;
	for (size_t i = WORD_TID; i < ARRAY_SIZE(own); i++)
		if (!strcmp(own[i], name)) {
			out->kind = (enum word_kind)i;
			return true;
		}
	return false;
}

static void find_words(struct ev *ev, const struct event *e, const word_list *v, struct word *out)
{
	for (size_t i = 0; i < MIN(v->n, (size_t)PAIRS_MAX_KEYS); i++)
		if (!find_word(e, v->v[i], &out[i]) && !ev->missing)
			ev->missing = v->v[i];
}

static void ev_init(void *ctx, const struct event *e, void *state)
{
	const struct pairs *p = ctx;
	struct ev *ev = state;

	*ev = (struct ev){ .role = is_listed(&p->starts, e) ? ROLE_START :
			   is_listed(&p->ends, e) ? ROLE_END : ROLE_NONE };
	if (ev->role == ROLE_START)
		find_words(ev, e, &p->start_keys, ev->key);
	if (ev->role == ROLE_END) {
		find_words(ev, e, &p->end_keys, ev->key);
		find_words(ev, e, &p->cancel, ev->cancel);
	}
}

static bool takes(const struct sink *s, const struct event *e)
{
	struct pairs *p = s->ctx;

	return ((const struct ev *)per_event(&p->evs, e))->role != ROLE_NONE;
}

/* ---- samples ---- */

static u64 text_word(struct pairs *p, const char *text, size_t n)
{
	return (uintptr_t)intern_strn(p->texts, text, n);
}

static bool read_word(struct pairs *p, const struct word *w, const struct sink_item *it, u64 *out)
{
	const struct sample *s = it->sample;
	const struct comm *comm = it->res->comm;
	size_t n;
	const char *text;

	switch (w->kind) {
	case WORD_TID: *out = s->tid; return s->present & PERF_SAMPLE_TID;
	case WORD_PID: *out = s->pid; return s->present & PERF_SAMPLE_TID;
	case WORD_CPU: *out = s->cpu; return s->present & PERF_SAMPLE_CPU;
	case WORD_COMM:
		*out = text_word(p, comm ? comm->name : "", comm ? strlen(comm->name) : 0);
		return true;
	case WORD_FIELD: break;
	}
	if (!w->field->is_string && !w->field->is_array && !w->field->is_dynamic) {
		*out = tp_read_u64(w->field, s->raw, p->o.swap);
		return (u64)w->field->off + w->field->bytes <= s->raw.len;
	}
	text = tp_read_str(w->field, s->raw, p->o.swap, &n);
	*out = text ? text_word(p, text, strnlen(text, n)) : 0;
	return text;
}

/* The number of the key that the sample has; false: it has none. */
static bool key_of(struct pairs *p, const struct word *words, size_t n, const struct sink_item *it,
		   u32 *id)
{
	u64 key[PAIRS_MAX_KEYS] = { 0 };

	for (size_t i = 0; i < n; i++)
		if (!read_word(p, &words[i], it, &key[i])) {
			p->stats.n_bad++;
			return false;
		}
	if (p->only.n && !int_list_has(&p->only, (int)key[0]))
		return false;
	*id = idset_get(&p->ids, key);
	while (p->since.n <= *id)
		vec_push(&p->since, 0);
	return true;
}

static void starts(struct pairs *p, u32 id, u64 now_ns)
{
	p->stats.n_starts++;
	p->stats.n_open += p->since.v[id] != 0;
	p->since.v[id] = now_ns + 1;
}

static void ends(struct pairs *p, u32 id, u64 now_ns)
{
	const u64 since = p->since.v[id];

	p->stats.n_ends++;
	if (!since) {
		p->stats.n_lone++;
		return;
	}
	p->since.v[id] = 0;
	vec_push(&p->found, ((struct heat_pair){ now_ns, now_ns - (since - 1) }));
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct pairs *p = sink->ctx;
	u32 id;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = per_event(&p->evs, s->event);

		if (ev->role == ROLE_NONE)
			continue;
		if (ev->missing || !(s->present & PERF_SAMPLE_TIME)) {
			p->stats.n_bad++;
			continue;
		}
		if (p->cancel.n && ev->role == ROLE_END &&
		    key_of(p, ev->cancel, p->cancel.n, &items[i], &id) && p->since.v[id]) {
			p->stats.n_open++;
			p->since.v[id] = 0;
		}
		if (!key_of(p, ev->key, p->start_keys.n, &items[i], &id))
			continue;
		if (ev->role == ROLE_START)
			starts(p, id, s->time_ns);
		else
			ends(p, id, s->time_ns);
	}
}

/* ---- its life ---- */

static int check_event(const struct pairs *p, const char *name, const char *path, struct err *err)
{
	const struct event *first = NULL;
	const struct ev *ev;

	for vec_each(e, &p->o.events->events)
		if (!first && is_called(*e, name))
			first = *e;
	if (!first) {
		err_set(err, ENOENT, "no event '%s' in '%s'", name, path);
		err_hint(err, "perf evlist -i FILE lists the events of a recording");
		return -ENOENT;
	}
	ev = per_event((struct per_event *)&p->evs, first);
	if (!ev->missing)
		return 0;
	err_set(err, ENOENT, "the event '%s' has no field '%s'", first->name, ev->missing);
	err_hint(err, "perf script -F event,trace shows which it has; tid, pid, cpu and comm are "
		 "always there");
	return -ENOENT;
}

/* The first of several must be there: the others are of kernels that have them. */
static int check(const struct pairs *p, const char *path, struct err *err)
{
	int rc;

	if (!p->starts.n || !p->ends.n || !p->start_keys.n)
		return err_set(err, EINVAL, "pairs need a first event, a second and a key");
	if (p->start_keys.n > PAIRS_MAX_KEYS)
		return err_set(err, EINVAL, "a key has at most %d fields", PAIRS_MAX_KEYS);
	rc = check_event(p, p->starts.v[0], path, err);
	return rc ? rc : check_event(p, p->ends.v[0], path, err);
}

struct pairs *pairs_new(const struct pairs_opts *o, const char *path, struct err *err)
{
	struct pairs *p = xnew(struct pairs);

	p->o = *o;
	p->texts = intern_new();
	words_split(o->start, &p->starts);
	words_split(o->end, &p->ends);
	words_split(o->cancel, &p->cancel);
	split_keys(p);
	idset_init(&p->ids, PAIRS_MAX_KEYS);
	per_event_init(&p->evs, sizeof(struct ev), ev_init, p);
	if ((o->only && parse_int_list(o->only, &p->only, err)) ||
	    check(p, path, err)) {
		pairs_free(p);
		return NULL;
	}
	per_event_fill(&p->evs, o->events);
	p->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = p,
				 .samples = on_samples, .takes = takes };
	return p;
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	words_release(&p->starts);
	words_release(&p->ends);
	words_release(&p->start_keys);
	words_release(&p->end_keys);
	words_release(&p->cancel);
	vec_free(&p->only);
	vec_free(&p->since);
	vec_free(&p->found);
	per_event_release(&p->evs);
	idset_release(&p->ids);
	intern_free(p->texts);
	free(p);
}

struct sink *pairs_sink(struct pairs *p) { return &p->sink; }

const struct heat_pair *pairs_found(const struct pairs *p, size_t *n)
{
	*n = p->found.n;
	return p->found.v;
}

void pairs_get_stats(const struct pairs *p, struct pairs_stats *out)
{
	*out = p->stats;
	for vec_each(since, &p->since)
		out->n_open += *since != 0;
}
