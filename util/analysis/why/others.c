// SPDX-License-Identifier: GPL-2.0-or-later
// What events that are not the scheduler's say of tasks and CPUs.
#include <stdlib.h>
#include <string.h>

#include "util/analysis/kernel-name.h"
#include "util/analysis/why/why-priv.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"

#define MAX_FIELDS 3

struct decoder;
struct ev {
	const struct decoder *dec;
	const struct tp_field *f[MAX_FIELDS];
};

struct call { struct why *w; const struct ev *ev; const struct sample *s; };

struct decoder {
	const char *system, *name;
	const char *fields[MAX_FIELDS];
	void (*run)(const struct call *c);
};

static u64 num(const struct call *c, int i)
{
	return tp_read_u64(c->ev->f[i], c->s->raw, c->w->opts.swap);
}

static struct why_extra *extra_of(const struct call *c)
{
	struct why_extra *x = hmap_get(&c->w->extras, c->s->tid);

	if (!x) {
		x = xnew(struct why_extra);
		hmap_put(&c->w->extras, c->s->tid, x);
	}
	return x;
}

static bool has_cpu(const struct call *c) { return c->s->cpu < 65536; }

/* --- locks: the last one that was begun is the one that ends */

static void on_lock(const struct call *c)
{
	struct why_extra *x = extra_of(c);
	const u64 addr = num(c, 0);

	/* a mutex that stops spinning and goes to sleep */
	if (x->locks.n && !vec_last(&x->locks)->to_ns && vec_last(&x->locks)->addr == addr)
		return;
	vec_push(&x->locks, ((struct why_lock){ .from_ns = c->s->time_ns, .addr = addr,
						.flags = (u32)num(c, 1) }));
}

static void on_locked(const struct call *c)
{
	struct why_extra *x = extra_of(c);
	const u64 addr = num(c, 0);

	for (size_t i = x->locks.n; i-- > 0 && x->locks.n - i < 8;)
		if (!x->locks.v[i].to_ns && x->locks.v[i].addr == addr) {
			x->locks.v[i].to_ns = c->s->time_ns;
			return;
		}
}

/* --- system calls */

static void on_call(const struct call *c)
{
	size_t n = 0;
	const u8 *args = tp_read_bytes(c->ev->f[1], c->s->raw, c->w->opts.swap, &n);
	struct why_call call = { .from_ns = c->s->time_ns, .nr = (u32)num(c, 0) };

	if (args && n >= 8)
		memcpy(&call.arg, args, 8);
	if (c->w->opts.swap)
		call.arg = __builtin_bswap64(call.arg);
	vec_push(&extra_of(c)->calls, call);
}

static void on_return(const struct call *c)
{
	struct why_extra *x = extra_of(c);

	if (x->calls.n)
		vec_last(&x->calls)->to_ns = c->s->time_ns;
}

/* --- requests to devices */

static u64 key_of(const struct call *c)
{
	return hash_u64(num(c, 1)) ^ hash_u64(num(c, 0) + 1);
}

/* It is queued, or without that handed to the device. */
static void on_request(const struct call *c)
{
	const u64 key = key_of(c);
	struct why_request *r = hmap_get(&c->w->requests, key);

	if (r)
		return;
	r = xnew(struct why_request);
	*r = (struct why_request){ .start_ns = c->s->time_ns, .dev = (u32)num(c, 0),
				   .tid = c->s->tid };
	hmap_put(&c->w->requests, key, r);
}

static void on_done(const struct call *c)
{
	struct why_request *r = hmap_del(&c->w->requests, key_of(c));

	if (!r)
		return;
	r->from_ns = c->s->time_ns;
	if (has_cpu(c))
		vec_push(&why_cpu_at(c->w, (int)c->s->cpu)->done, *r);
	free(r);
}

/* --- interrupts and faults */

static void add_handler(const struct call *c, const char *name)
{
	if (has_cpu(c))
		vec_push(&why_cpu_at(c->w, (int)c->s->cpu)->handlers,
			 ((struct why_handler){ c->s->time_ns, name }));
}

static void on_interrupt(const struct call *c)
{
	size_t n = 0;
	const char *name = tp_read_str(c->ev->f[0], c->s->raw, c->w->opts.swap, &n);

	if (name)
		add_handler(c, intern_strn(c->w->names, name, n));
}

static void on_soft_interrupt(const struct call *c)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
	const u64 nr = num(c, 0);

	if (nr < ARRAY_SIZE(names))
		add_handler(c, names[nr]);
}

static bool is_refill(struct why *w, u64 function, u64 t_ns)
{
	const uintptr_t known = (uintptr_t)hmap_get(&w->timers, function);
	const struct symbol *sym;
	u64 off;
	bool is;

	if (known)
		return known == 1;
	sym = w->opts.machine ? kernel_symbol(w->opts.machine, function, t_ns, &off) : NULL;
	is = sym && (!strcmp(sym->name, "sched_cfs_period_timer") ||
		     !strcmp(sym->name, "sched_cfs_slack_timer"));
	hmap_put(&w->timers, function, (void *)(uintptr_t)(is ? 1 : 2));
	return is;
}

static void on_timer(const struct call *c)
{
	add_handler(c, "HRTIMER");
	if (is_refill(c->w, num(c, 0), c->s->time_ns))
		vec_push(&c->w->refills, c->s->time_ns);
}

static void on_fault(const struct call *c)
{
	vec_push(&extra_of(c)->faults, c->s->time_ns);
}

static const struct decoder decoders[] = {
	{ "lock", "contention_begin", { "lock_addr", "flags" }, on_lock },
	{ "lock", "contention_end", { "lock_addr" }, on_locked },
	{ "raw_syscalls", "sys_enter", { "id", "args" }, on_call },
	{ "raw_syscalls", "sys_exit", { "id" }, on_return },
	{ "block", "block_rq_insert", { "dev", "sector" }, on_request },
	{ "block", "block_rq_issue", { "dev", "sector" }, on_request },
	{ "block", "block_rq_complete", { "dev", "sector" }, on_done },
	{ "irq", "irq_handler_entry", { "name" }, on_interrupt },
	{ "irq", "softirq_entry", { "vec" }, on_soft_interrupt },
	{ "timer", "hrtimer_expire_entry", { "function" }, on_timer },
	{ "exceptions", "page_fault_user", { NULL }, on_fault },
	{ "exceptions", "page_fault_kernel", { NULL }, on_fault },
};

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	struct ev *ev = state;

	*ev = (struct ev){ .dec = NULL };
	if (!e->format)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++) {
		const struct decoder *d = &decoders[i];
		bool complete = true;

		if (!event_is_tracepoint(e, d->system, d->name))
			continue;
		for (int k = 0; k < MAX_FIELDS && d->fields[k]; k++) {
			ev->f[k] = tp_field(e->format, d->fields[k]);
			complete &= ev->f[k] != NULL;
		}
		if (complete)
			ev->dec = d;
	}
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct why *w = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = s->event ? per_event(&w->evs, s->event) : NULL;

		if (ev && ev->dec && s->raw.len)
			ev->dec->run(&(struct call){ w, ev, s });
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct why *w = sink->ctx;

	return ((const struct ev *)per_event(&w->evs, e))->dec;
}

void why_others_init(struct why *w)
{
	per_event_init(&w->evs, sizeof(struct ev), ev_init, w);
	per_event_fill(&w->evs, w->opts.events);
	w->sink = (struct sink){ .wants = SINK_ORDER, .ctx = w, .samples = on_samples,
				 .takes = takes };
}

void why_others_release(struct why *w)
{
	for hmap_each(i, &w->extras) {
		struct why_extra *x = w->extras.vals[i];

		vec_free(&x->locks);
		vec_free(&x->calls);
		vec_free(&x->faults);
		free(x);
	}
	for hmap_each(i, &w->requests)
		free(w->requests.vals[i]);
	hmap_release(&w->timers);
	vec_free(&w->refills);
	hmap_release(&w->extras);
	hmap_release(&w->requests);
	per_event_release(&w->evs);
}
