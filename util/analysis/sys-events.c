// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-events.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sys.h"
#include "util/stream/event-switch.h"

#define MAX_IDS 24		/* so many numbers of calls are left to the kernel's filter */
#define CALL_ENDS "raw_syscalls:sys_exit"
#define CALLS "raw_syscalls:sys_enter,raw_syscalls:sys_exit"

/* ---- which events are opened ---- */

struct adding {
	struct event_list *list;
	const struct sys_events_opts *o;
	struct os *os;
	struct pmu_db *db;
	struct sys_events *out;
};

/* "id == 43 || id == 288", when that is short; NULL: all. A call that runs another program is
 * needed to know when ours begins. */
static char *id_filter(const struct sys_events_opts *o)
{
	struct str s = STR_INIT;
	unsigned n = 0;

	if (!o->select->any)
		return NULL;
	for (u32 nr = 0; nr < SYSPLAN_NRS; nr++) {
		u32 i = nr, k = SYSPLAN_NRS + nr;
		const u8 always = SYSPLAN_EXEC | SYSPLAN_NO_RETURN;

		if (!o->select->wanted[i] && !o->select->wanted[k] &&
		    !((o->plans[i].flags | o->plans[k].flags) & always))
			continue;
		str_addf(&s, "%sid == %u", n++ ? " || " : "", nr);
	}
	if (n > MAX_IDS)
		str_reset(&s);
	else
		str_add(&s, " || id == -1");	/* the end of rt_sigreturn */
	return s.len ? str_detach(&s) : (str_release(&s), NULL);
}

static int add(const struct adding *a, const char *text, struct err *err)
{
	return event_parse(a->list, text, a->os, a->db, err);
}

static int add_calls(struct adding *a, struct err *err)
{
	char *ids = id_filter(a->o);
	int ret = add(a, CALLS, err);

	if (!ret && ids)
		for vec_each(p, &a->list->events)
			event_and_filter(*p, ids);
	free(ids);
	if (!ret && a->o->one_stack) {
		struct event *enter = a->list->events.v[0];

		enter->terms.set |= EVENT_TERM_CALL_GRAPH;
		enter->terms.call_graph = xstrdup("no");
		a->list->events.v[1]->attr.exclude_callchain_kernel = !a->o->kernel_graph;
	}
	/* Names of files by the kernel's own look-up, if somebody has put a probe there. */
	if (ret)
		return ret;
	add(a, "probe:vfs_getname", NULL);
	a->out->n_calls = a->list->events.n;
	a->out->names = a->list->events.n == 3 ? a->list->events.v[2] : NULL;
	return 0;
}

/* The capture knows of no stacks that need DWARF: they are samples of the same tracepoint that
 * it ends calls in. */
static int add_call_stacks(struct adding *a, struct err *err)
{
	char *ids = id_filter(a->o);
	int ret = add(a, CALL_ENDS, err);

	if (!ret) {
		struct event *e = a->list->events.v[0];

		a->out->stacks = e;
		a->out->n_calls = 1;
		e->attr.exclude_callchain_kernel = !a->o->kernel_graph;
		if (ids)
			event_and_filter(e, ids);
		if (a->o->only_failed)
			event_and_filter(e, "ret < 0");
	}
	free(ids);
	return ret;
}

/* The events of each -e with its filters, then those that nobody has named there. */
static int add_selected(struct adding *a, struct err *err)
{
	const struct sys_select *s = a->o->select;
	const struct str *words = &s->events;
	size_t at = 0;
	int ret = 0;

	for (size_t i = 0; i <= s->ends.n && !ret; i++) {
		size_t end = i < s->ends.n ? s->ends.v[i] : words->len;
		struct str one = STR_INIT;

		if (end > at) {
			at += words->buf[at] == ',';
			str_addn(&one, words->buf + at, end - at);
			ret = add(a, str_cstr(&one), err);
			at = end;
		}
		str_release(&one);
		for vec_each(f, a->o->filters)
			if (!ret && f->after == i + 1)
				ret = event_set_filter(a->list, f->text, err);
	}
	return ret;
}

static int load_formats(struct adding *a, struct err *err)
{
	struct event_list *l = a->list;
	struct sys_events *out = a->out;
	int ret = event_list_load_formats(l, a->os, err);

	if (!ret && out->stacks) {
		out->stack_id = tp_field(out->stacks->format, "id");
		out->stack_ret = tp_field(out->stacks->format, "ret");
		if (!out->stack_id || !out->stack_ret)
			ret = err_set(err, EINVAL, "the fields id and ret are not in the format of "
						   "%s", CALL_ENDS);
	}
	return ret;
}

int sys_events_add(struct event_list *l, const struct sys_events_opts *o, struct os *os,
		   struct sys_events *out, struct err *err)
{
	static const char *const faults[] = { "", "major-faults,minor-faults", "major-faults",
					      "minor-faults" };
	struct adding a = { l, o, os, pmu_db_new(os), out };
	int ret = o->calls ? add_calls(&a, err) : 0;

	if (!ret && o->stacks)
		ret = add_call_stacks(&a, err);
	if (!ret)
		ret = add_selected(&a, err);
	if (!ret && o->faults)
		ret = add(&a, faults[o->faults], err);
	if (!ret)
		ret = load_formats(&a, err);
	pmu_db_free(a.db);
	return ret;
}

int sys_events_check(const struct sys_select *s, const struct syscall_set *set, struct os *os,
		     struct err *err)
{
	const char *words = str_cstr(&s->events), *near;
	struct event_list list;
	struct pmu_db *db;
	int ret;

	if (!*words)
		return 0;
	event_list_init(&list);
	db = pmu_db_new(os);
	ret = event_parse(&list, words, os, db, err);
	if (ret && !strchr(words, ':') && !strchr(words, ',')) {
		near = sys_select_nearest(set, words);
		err_set(err, EINVAL, "'%s' is neither a system call nor an event", words);
		if (near)
			err_hint(err, "did you mean '%s'? See 'perf list' for events", near);
		else
			err_hint(err, "see 'perf list' for events");
	}
	event_list_release(&list);
	pmu_db_free(db);
	return ret;
}

int sys_filters_check(const struct sys_select *s, const sys_filters *filters,
		      const char *const *texts, struct err *err)
{
	for vec_each(f, filters) {
		size_t begin = f->after > 1 ? s->ends.v[f->after - 2] : 0;

		if (f->after && s->ends.v[f->after - 1] != begin)
			continue;
		err_set(err, EINVAL, "--filter must follow the -e of a tracepoint%s%s%s",
			f->after ? ": '" : "",
			f->after ? texts[f->after - 1] : "", f->after ? "' is none" : "");
		err_hint(err, "a system call as a tracepoint is -e syscalls:sys_enter_NAME, its "
			      "fields are in "
			 "'perf list --details' or tracefs");
		return -EINVAL;
	}
	return 0;
}

/* ---- of a recording: what is shown ---- */

bool sys_event_is_fault(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && (e->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN || e->attr.config ==
		PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

static bool has_fault(enum sys_faults faults, const struct event *e)
{
	return faults && sys_event_is_fault(e) &&
		(faults == FAULTS_ALL || e->attr.config == (faults == FAULTS_MAJ ?
			PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_PAGE_FAULTS_MIN));
}

/* The words of -e that are no calls, the n-th one. false: there are no more. */
static bool nth_word(const struct sys_select *s, size_t n, struct str *out)
{
	size_t len = s->ends.n ? s->ends.v[s->ends.n - 1] : 0;
	const char *p = str_cstr(&s->events), *end = p + len;

	for (; p < end; p += strcspn(p, ",{}")) {
		p += strspn(p, ",{}");
		if (p >= end || n--)
			continue;
		str_reset(out);
		str_addn(out, p, strcspn(p, ",{}/"));
		return true;
	}
	return false;
}

static bool is_named(const char *word, const struct event *e)
{
	size_t n = strlen(word);

	return !fnmatch(word, e->name, 0) ||
		(!strncmp(word, e->name, n) && (e->name[n] == ':' || e->name[n] == '/'));
}

bool sys_events_select(const struct sys_select *s, enum sys_faults faults, const struct event *e)
{
	struct str word = STR_INIT;
	bool any = faults != FAULTS_NONE || s->ends.n, found = has_fault(faults, e);

	for (size_t i = 0; !found && nth_word(s, i, &word); i++)
		found = is_named(str_cstr(&word), e);
	str_release(&word);
	return found || !any;
}

int sys_events_find(const struct sys_select *s, enum sys_faults faults, const struct event_list *l,
		    struct err *err)
{
	struct str word = STR_INIT;
	bool found = !faults;
	int ret = 0;

	for vec_each(e, &l->events)
		found |= has_fault(faults, *e);
	if (!found)
		ret = err_set(err, ENOENT, "the file has no page faults of the kind that -F asks "
					   "for");
	for (size_t i = 0; !ret && nth_word(s, i, &word); i++) {
		found = false;
		for vec_each(e, &l->events)
			found |= is_named(str_cstr(&word), *e);
		if (!found)
			ret = err_set(err, ENOENT, "'%s' is neither a system call nor an event of "
						   "the file", str_cstr(&word));
	}
	if (ret)
		err_hint(err, "'perf evlist -i FILE' lists the events it has");
	str_release(&word);
	return ret;
}

/* ---- output that begins and ends at events ---- */

/* An event that output begins or ends at may be one that nobody wants to see: then it is
 * watched, and no more. */
static int add_mark(struct sys_select *s, const char *option, const char *name, struct os *os,
		    bool *hidden, struct err *err)
{
	struct event_list asked, one;
	struct pmu_db *db = pmu_db_new(os);
	int ret = 0;

	event_list_init(&asked);
	event_list_init(&one);
	if (s->events.len)
		event_parse(&asked, str_cstr(&s->events), os, db, NULL);
	if (!event_list_named(&asked, name)) {
		ret = event_parse(&one, name, os, db, NULL) || one.events.n != 1 ||
			strcmp(one.events.v[0]->name, name);
		*hidden = true;
		if (ret) {
			ret = err_set(err, EINVAL, "--switch-%s: '%s' is not the name of an event",
				      option, name);
			err_hint(err, "see 'perf list' for names; the beginning of a call is "
				      "syscalls:sys_enter_NAME");
		} else {
			str_addf(&s->events, "%s%s", s->events.len ? "," : "", name);
		}
	}
	event_list_release(&asked);
	event_list_release(&one);
	pmu_db_free(db);
	return ret;
}

int sys_switch_add(struct sys_switch *w, struct sys_select *s, struct os *os, struct err *err)
{
	int ret = w->on ? add_mark(s, "on", w->on, os, &w->hide_on, err) : 0;

	if (!ret && w->on && w->off && !strcmp(w->on, w->off))
		return err_set(err, EINVAL, "--switch-on and --switch-off are the same event, '%s'",
			       w->on);
	if (!ret && w->off)
		ret = add_mark(s, "off", w->off, os, &w->hide_off, err);
	return ret;
}

int sys_switch_find(const struct sys_switch *w, const struct event_list *l, struct err *err)
{
	return event_switch_check(&(struct event_switch_opts){ .on = w->on, .off = w->off }, l,
				  err);
}

bool sys_switch_is(const struct sys_switch *w, const struct event *e)
{
	return (w->on && !strcmp(e->name, w->on)) || (w->off && !strcmp(e->name, w->off));
}

bool sys_switch_shows(struct sys_switch *w, const struct event *e)
{
	bool on_mark = w->on && !strcmp(e->name, w->on), off_mark = w->off &&
		!strcmp(e->name, w->off);
	bool hidden = (on_mark && w->hide_on) || (off_mark && w->hide_off);

	if (w->is_off && on_mark) {
		w->is_off = false;
		return w->show;
	}
	if (!w->is_off && off_mark) {
		w->is_off = true;
		return w->show;
	}
	return !w->is_off && (!hidden || w->show);
}

/* ---- sums ---- */

void sys_summary_call(struct sys_summary *s, bool threads, const struct sysrec *r)
{
	const u64 id = threads ? r->tid : 0;
	struct sys_sum_group *g = sys_summary_group(s, id);

	free(g->label);
	g->label = xstrndup(r->comm, strnlen(r->comm, sizeof(r->comm)));
	sys_summary_add(s, id, r->nr, r->flags & SYSREC_F_COMPAT, r->enter_ns ?
			r->exit_ns - r->enter_ns : 0, r->ret);
}

/* ---- --sched ---- */

struct runtime { u64 ns; };

void sys_runtimes_add(struct sys_runtimes *r, const struct sample *s, bool swap)
{
	const struct tp_field *pid = tp_field(s->event->format, "pid"),
		*runtime = tp_field(s->event->format, "runtime");
	struct runtime *one;
	u32 tid;

	if (!pid || !runtime)
		return;
	tid = (u32)tp_read_u64(pid, s->raw, swap);
	one = hmap_get(&r->by_tid, tid);
	if (!one) {
		one = xnew(struct runtime);
		hmap_put(&r->by_tid, tid, one);
	}
	one->ns += tp_read_u64(runtime, s->raw, swap);
}

void sys_runtimes_put(const struct sys_runtimes *r, struct sys_summary *out)
{
	for vec_each(g, &out->groups) {
		const struct runtime *one = hmap_get(&r->by_tid, g->id);

		g->runtime_ns = one ? one->ns : 0;
	}
}

void sys_runtimes_release(struct sys_runtimes *r)
{
	for hmap_each(i, &r->by_tid)
		free(r->by_tid.vals[i]);
	hmap_release(&r->by_tid);
}
