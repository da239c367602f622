// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kwork.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/kernel-name.h"
#include "util/analysis/kwork-priv.h"
#include "util/analysis/missing-events.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"

const char *const kwork_class_names[KWORK_N_CLASSES] = { "irq", "softirq", "workqueue", "sched" };

struct decoder {
	const char *system, *name;
	enum kwork_class class;
	enum kwork_step step;
	const char *id;
};

static const struct decoder decoders[] = {
	{ "irq", "irq_handler_entry", KWORK_IRQ, KWORK_ENTERS, "irq" },
	{ "irq", "irq_handler_exit", KWORK_IRQ, KWORK_LEAVES, "irq" },
	{ "irq", "softirq_raise", KWORK_SOFTIRQ, KWORK_RAISED, "vec" },
	{ "irq", "softirq_entry", KWORK_SOFTIRQ, KWORK_ENTERS, "vec" },
	{ "irq", "softirq_exit", KWORK_SOFTIRQ, KWORK_LEAVES, "vec" },
	{ "workqueue", "workqueue_activate_work", KWORK_WORKQUEUE, KWORK_RAISED, "work" },
	{ "workqueue", "workqueue_execute_start", KWORK_WORKQUEUE, KWORK_ENTERS, "work" },
	{ "workqueue", "workqueue_execute_end", KWORK_WORKQUEUE, KWORK_LEAVES, "work" },
};

/* --- names */

static const char *name_of_function(struct kwork *k, u64 va, u64 t_ns)
{
	u64 offset;
	const struct symbol *sym = kernel_symbol(k->machine, va, t_ns, &offset);
	char text[32];

	if (sym)
		return sym->name;
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)va);
	return arena_strdup(&k->arena, text);
}

/* As the recording kernel prints it: "vec=9 [action=RCU]". */
static const char *name_of_softirq(struct kwork *k, const struct sample *s)
{
	static const char action[] = "[action=";
	const char *p;

	str_reset(&k->text);
	tp_print(s->event->format, s->raw, k->swap, s->cpu, s->time_ns, &k->text);
	p = strstr(str_cstr(&k->text), action);
	if (!p)
		return "softirq";
	p += strlen(action);
	return arena_strndup(&k->arena, p, strcspn(p, "]"));
}

static const char *name_of(struct kwork *k, const struct kwork_event *ev, const struct sample *s)
{
	size_t n = 0;
	const char *text;

	switch (ev->class) {
	case KWORK_IRQ:
		text = ev->name ? tp_read_str(ev->name, s->raw, k->swap, &n) : NULL;
		return text ? arena_strndup(&k->arena, text, n) : NULL;
	case KWORK_SOFTIRQ:
		return name_of_softirq(k, s);
	case KWORK_WORKQUEUE:
		return ev->name ? name_of_function(k, tp_read_u64(ev->name, s->raw, k->swap),
						   s->time_ns) : NULL;
	default:
		return NULL;
	}
}

/* --- works */

static u64 key_of(const struct kwork_event *ev, u64 id, u32 cpu)
{
	return hash_u64(id) ^ hash_u64((u64)ev->class << 32 | cpu);
}

static void set_label(struct kwork *k, struct kwork_work *w)
{
	static const char *const marks[] = { "", "(s)", "(w)", "" };
	struct str s = STR_INIT;

	str_addf(&s, "%s%s", marks[w->class], w->name ? w->name : "");
	if (w->class != KWORK_WORKQUEUE)
		str_addf(&s, ":%llu", (unsigned long long)w->id);
	w->label = arena_strdup(&k->arena, str_cstr(&s));
	str_release(&s);
}

static struct kwork_work *work_of(struct kwork *k, const struct kwork_event *ev,
				  const struct sample *s)
{
	const u64 id = tp_read_u64(ev->id, s->raw, k->swap), key = key_of(ev, id, s->cpu);
	struct kwork_work *w = hmap_get(&k->by_key, key);

	if (!w) {
		w = arena_alloc(&k->arena, sizeof(*w));
		*w = (struct kwork_work){ .class = ev->class, .id = id, .cpu = s->cpu,
					  .order = k->works.n };
		hmap_put(&k->by_key, key, w);
		vec_push(&k->works, w);
	}
	if (!w->name) {
		w->name = name_of(k, ev, s);
		set_label(k, w);
	}
	return w;
}

static bool is_wanted(const struct kwork *k, const struct kwork_work *w)
{
	return !k->opts.name || (w->name && !strcmp(w->name, k->opts.name));
}

static void add(struct kwork_work *w, u64 from_ns, u64 to_ns)
{
	const u64 ns = to_ns > from_ns ? to_ns - from_ns : 0;

	w->n++;
	w->total_ns += ns;
	if (w->n > 1 && ns <= w->max_ns)
		return;
	w->max_ns = ns;
	w->max_start_ns = from_ns;
	w->max_end_ns = to_ns;
}

static void raised(struct kwork *k, struct kwork_work *w, u64 t_ns)
{
	if (w->raised_ns && k->opts.latency)
		k->stats.n_raised++;
	w->raised_ns = t_ns;
}

static void enters(struct kwork *k, struct kwork_work *w, u64 t_ns)
{
	if (k->opts.latency) {
		if (w->raised_ns)
			add(w, w->raised_ns, t_ns);
		else
			k->stats.n_entered++;
	} else if (w->entered_ns) {
		k->stats.n_entered++;
	}
	w->delay_ns = w->raised_ns ? (s64)(t_ns - w->raised_ns) : -1;
	w->raised_ns = 0;
	w->entered_ns = t_ns;
}

static void leaves(struct kwork *k, struct kwork_work *w, const struct sink_item *item)
{
	const u64 t_ns = item->sample->time_ns;

	if (!w->entered_ns) {
		k->stats.n_left++;
		return;
	}
	if (!k->opts.latency)
		add(w, w->entered_ns, t_ns);
	if (k->opts.run)
		k->opts.run(k->opts.ctx, &(struct kwork_run){
			.start_ns = w->entered_ns, .end_ns = t_ns, .delay_ns = w->delay_ns,
			.cpu = w->cpu, .name = w->label, .item = item });
	w->entered_ns = 0;
}

/* --- events */

static void ev_init(void *ctx, const struct event *e, void *state)
{
	struct kwork *k = ctx;
	struct kwork_event *ev = state;

	*ev = (struct kwork_event){ .step = KWORK_NOTHING };
	for (size_t i = 0; e->format && i < ARRAY_SIZE(decoders); i++) {
		const struct decoder *d = &decoders[i];

		if (!event_is_tracepoint(e, d->system, d->name) ||
		    (k->opts.classes && !(k->opts.classes >> d->class & 1)))
			continue;
		ev->class = d->class;
		ev->step = d->step;
		ev->id = tp_field(e->format, d->id);
		ev->name = tp_field(e->format, d->class == KWORK_WORKQUEUE ? "function" : "name");
	}
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kwork *k = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct kwork_event *ev = s->event ? per_event(&k->events, s->event) : NULL;
		struct kwork_work *w;

		if (!ev || ev->step == KWORK_NOTHING)
			continue;
		if (!ev->id || !s->raw.len) {
			k->stats.n_bad++;
			continue;
		}
		w = work_of(k, ev, s);
		if (!is_wanted(k, w))
			continue;
		if (ev->step != KWORK_RAISED) {
			k->stats.first_ns = MIN(k->stats.first_ns, s->time_ns);
			k->stats.last_ns = MAX(k->stats.last_ns, s->time_ns);
		}
		if (ev->step == KWORK_RAISED)
			raised(k, w, s->time_ns);
		else if (ev->step == KWORK_ENTERS)
			enters(k, w, s->time_ns);
		else
			leaves(k, w, &items[i]);
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct kwork *k = sink->ctx;

	return ((const struct kwork_event *)per_event(&k->events, e))->step != KWORK_NOTHING;
}

struct kwork *kwork_new(const struct kwork_opts *opts, const struct event_list *events, bool swap,
			struct machine *machine)
{
	struct kwork *k = xnew(struct kwork);

	k->opts = *opts;
	k->swap = swap;
	k->machine = machine;
	k->stats.first_ns = UINT64_MAX;
	per_event_init(&k->events, sizeof(struct kwork_event), ev_init, k);
	per_event_fill(&k->events, events);
	k->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD, .ctx = k,
				 .samples = on_samples, .takes = takes };
	return k;
}

void kwork_free(struct kwork *k)
{
	if (!k)
		return;
	per_event_release(&k->events);
	hmap_release(&k->by_key);
	vec_free(&k->works);
	str_release(&k->text);
	arena_release(&k->arena);
	free(k);
}

void kwork_restart(struct kwork *k)
{
	for vec_each(at, &k->works) {
		struct kwork_work *w = *at;

		w->n = w->total_ns = w->max_ns = w->max_start_ns = w->max_end_ns = 0;
	}
	k->stats = (struct kwork_stats){ .first_ns = UINT64_MAX };
}

struct sink *kwork_sink(struct kwork *k) { return &k->sink; }

const struct kwork_stats *kwork_get_stats(const struct kwork *k) { return &k->stats; }

int kwork_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = {
		"of interrupts and work queues", "no events of interrupts or work queues",
		"perf kwork record" };

	for vec_each(e, &events->events)
		for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
			if (event_is_tracepoint(*e, decoders[i].system, decoders[i].name))
				return 0;
	return events_missing(events, path, &needed, err);
}
