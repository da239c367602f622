// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kvm.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/missing-events.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

enum step { STEP_NONE, STEP_ENTRY, STEP_EXIT, STEP_MMIO, STEP_PIO };
static const struct { const char *name; enum step step; } steps[] = {
	{ "kvm_entry", STEP_ENTRY }, { "kvm_exit", STEP_EXIT }, { "kvm_mmio", STEP_MMIO },
	{ "kvm_pio", STEP_PIO },
};

/* Of kvm_exit: code, isa (x86) or class (arm64: of a trap); of others: type, and address. */
struct ev {
	enum step step;
	bool complete, arm64;
	const struct tp_field *vcpu, *code, *isa, *class, *type, *addr;
};

struct reason {
	char *name;
	u64 n, total_ns, min_ns, max_ns;
	double mean, m2;		/* Welford's */
	size_t order;
};

struct long_event { u64 time_ns, ns; u32 pid, vcpu; char name[64]; };

/* A thread that entered a guest. */
struct vcpu {
	u32 pid, id;
	bool left, has_name;
	u64 from_ns;
	char name[64];
};

struct kvm {
	struct kvm_opts opts;
	struct sink sink;
	struct kvm_totals totals;
	bool swap;
	struct per_event events;	/* struct ev */
	struct hmap vcpus;		/* by tid + 1 */
	struct strmap by_name;
	VEC(struct reason *) reasons;
	VEC(struct long_event) long_events;
	u64 n_long;
};

/* --- reasons */

static struct reason *reason_of(struct kvm *k, const char *name)
{
	struct reason *r = strmap_get(&k->by_name, name);

	if (r)
		return r;
	r = xnew(struct reason);
	r->name = xstrdup(name);
	r->min_ns = UINT64_MAX;
	r->order = k->reasons.n;
	strmap_put(&k->by_name, name, r);
	vec_push(&k->reasons, r);
	return r;
}

/* A halted virtual CPU waits for work: that takes as long as it takes. */
static bool is_idle(const char *name)
{
	return !strcmp(name, "HLT") || !strcmp(name, "hlt") || !strcmp(name, "WFx");
}

static void keep_long(struct kvm *k, const struct vcpu *v, u64 to_ns, u64 ns)
{
	struct long_event e = { to_ns, ns, v->pid, v->id, "" };

	if (!k->opts.long_ns || ns < k->opts.long_ns || is_idle(v->name))
		return;
	if (k->n_long++ >= KVM_MOST_LONG)
		return;
	memcpy(e.name, v->name, sizeof(e.name));
	vec_push(&k->long_events, e);
}

static void count(struct kvm *k, struct vcpu *v, u64 to_ns)
{
	struct reason *r;
	double delta;
	u64 ns;

	v->left = false;
	if (to_ns < v->from_ns || (k->opts.vcpu >= 0 && (u32)k->opts.vcpu != v->id))
		return;
	ns = to_ns - v->from_ns;
	r = reason_of(k, v->name);
	r->n++;
	r->total_ns += ns;
	r->min_ns = MIN(r->min_ns, ns);
	r->max_ns = MAX(r->max_ns, ns);
	delta = (double)ns - r->mean;
	r->mean += delta / (double)r->n;
	r->m2 += delta * ((double)ns - r->mean);
	k->totals.n++;
	k->totals.ns += ns;
	keep_long(k, v, to_ns, ns);
}

static void leave(struct vcpu *v, u64 ns)
{
	v->left = true;
	v->has_name = false;
	v->from_ns = ns;
}

static void set_name(struct vcpu *v, const char *name)
{
	v->has_name = true;
	snprintf(v->name, sizeof(v->name), "%s", name ? name : "UNKNOWN");
}

/* --- events */

#define ISA_SVM 2
#define ARM64_TRAP 2
#define VMX_REASON 0xffff		/* above are flags: the entry failed, in an enclave */

static const char *exit_name(const struct kvm *k, const struct ev *ev, struct span raw)
{
	const u64 code = tp_read_u64(ev->code, raw, k->swap);

	if (ev->arm64)
		return code == ARM64_TRAP ? kvm_arm64_trap(tp_read_u64(ev->class, raw, k->swap)) :
			kvm_arm64_exit(code);
	if (ev->isa ? tp_read_u64(ev->isa, raw, k->swap) == ISA_SVM : k->opts.amd)
		return kvm_svm_exit(code);
	return kvm_vmx_exit(code & VMX_REASON);
}

static void on_kvm_exit(struct kvm *k, const struct ev *ev, const struct sample *s, struct vcpu *v)
{
	leave(v, s->time_ns);
	if (k->opts.kind == KVM_VMEXIT)
		set_name(v, exit_name(k, ev, s->raw));
}

enum { MMIO_READ = 1, MMIO_WRITE = 2 };

/* What is read is there at once; what is written is done when the guest goes on. */
static void on_mmio(struct kvm *k, const struct ev *ev, const struct sample *s, struct vcpu *v)
{
	const u64 type = tp_read_u64(ev->type, s->raw, k->swap);
	char name[40];

	if (type != MMIO_READ && type != MMIO_WRITE)
		return;
	snprintf(name, sizeof(name), "0x%llx:%s",
		 (unsigned long long)tp_read_u64(ev->addr, s->raw, k->swap),
		 type == MMIO_READ ? "R" : "W");
	if (type == MMIO_WRITE)
		leave(v, s->time_ns);
	set_name(v, name);
	if (type == MMIO_READ && v->left)
		count(k, v, s->time_ns);
}

static void on_pio(struct kvm *k, const struct ev *ev, const struct sample *s, struct vcpu *v)
{
	char name[40];

	snprintf(name, sizeof(name), "0x%llx:%s",
		 (unsigned long long)tp_read_u64(ev->addr, s->raw, k->swap),
		 tp_read_u64(ev->type, s->raw, k->swap) ? "POUT" : "PIN");
	leave(v, s->time_ns);
	set_name(v, name);
}

static void on_kvm_entry(struct kvm *k, const struct ev *ev, const struct sample *s)
{
	struct vcpu *v = hmap_get(&k->vcpus, s->tid + 1ULL);

	if (!v) {
		v = xnew(struct vcpu);
		hmap_put(&k->vcpus, s->tid + 1ULL, v);
	}
	if (v->left && v->has_name)
		count(k, v, s->time_ns);
	v->left = v->has_name = false;
	v->pid = s->pid;
	v->id = ev->vcpu ? (u32)tp_read_u64(ev->vcpu, s->raw, k->swap) : 0;
}

static void on_sample(struct kvm *k, const struct ev *ev, const struct sample *s)
{
	struct vcpu *v;

	if (k->opts.pids && !int_list_has(k->opts.pids, (int)s->pid))
		return;
	if (!ev->complete || !s->raw.len) {
		k->totals.n_bad++;
		return;
	}
	if (ev->step == STEP_ENTRY) {
		on_kvm_entry(k, ev, s);
		return;
	}
	v = hmap_get(&k->vcpus, s->tid + 1ULL);
	if (!v)
		return;		/* it never entered a guest so far */
	if (ev->step == STEP_EXIT && k->opts.kind != KVM_IOPORT)
		on_kvm_exit(k, ev, s, v);
	else if (ev->step == STEP_MMIO && k->opts.kind == KVM_MMIO)
		on_mmio(k, ev, s, v);
	else if (ev->step == STEP_PIO && k->opts.kind == KVM_IOPORT)
		on_pio(k, ev, s, v);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kvm *k = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = s->event ? per_event(&k->events, s->event) : NULL;

		if (ev && ev->step != STEP_NONE)
			on_sample(k, ev, s);
	}
}

static enum step step_of(const struct event *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		if (event_is_tracepoint(e, "kvm", steps[i].name))
			return steps[i].step;
	return STEP_NONE;
}

static void ev_init(void *ctx UNUSED, const struct event *e, void *state)
{
	struct ev *ev = state;

	*ev = (struct ev){ .step = step_of(e) };
	if (!e->format || ev->step == STEP_NONE)
		return;
	ev->vcpu = tp_field(e->format, "vcpu_id");
	ev->code = tp_field(e->format, "exit_reason");
	ev->isa = tp_field(e->format, "isa");
	ev->class = tp_field(e->format, "esr_ec");
	ev->type = tp_field(e->format, ev->step == STEP_PIO ? "rw" : "type");
	ev->addr = tp_field(e->format, ev->step == STEP_PIO ? "port" : "gpa");
	if (!ev->code && ev->class) {
		ev->code = tp_field(e->format, "ret");
		ev->arm64 = true;
	}
	ev->complete = ev->step == STEP_ENTRY || (ev->step == STEP_EXIT ? ev->code != NULL :
						  ev->type && ev->addr);
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct kvm *k = sink->ctx;

	return ((const struct ev *)per_event(&k->events, e))->step != STEP_NONE;
}

/* --- life */

struct kvm *kvm_new(const struct kvm_opts *opts, const struct event_list *events, bool swap)
{
	struct kvm *k = xnew(struct kvm);

	k->opts = *opts;
	k->swap = swap;
	per_event_init(&k->events, sizeof(struct ev), ev_init, k);
	per_event_fill(&k->events, events);
	k->sink = (struct sink){ .wants = SINK_ORDER, .ctx = k, .samples = on_samples,
				 .takes = takes };
	return k;
}

void kvm_restart(struct kvm *k)
{
	for vec_each(r, &k->reasons) {
		free((*r)->name);
		free(*r);
	}
	vec_clear(&k->reasons);
	vec_clear(&k->long_events);
	strmap_release(&k->by_name);
	k->totals = (struct kvm_totals){ .n_bad = k->totals.n_bad };
	k->n_long = 0;
}

void kvm_free(struct kvm *k)
{
	if (!k)
		return;
	kvm_restart(k);
	for hmap_each(i, &k->vcpus)
		free(k->vcpus.vals[i]);
	vec_free(&k->reasons);
	vec_free(&k->long_events);
	hmap_release(&k->vcpus);
	per_event_release(&k->events);
	free(k);
}

struct sink *kvm_sink(struct kvm *k) { return &k->sink; }

const struct kvm_totals *kvm_totals(const struct kvm *k) { return &k->totals; }

/* --- rows */

static int compare(const void *a, const void *b, void *opts)
{
	const struct reason *x = *(const struct reason *const *)a,
		*y = *(const struct reason *const *)b;
	const bool by_time = ((const struct kvm_opts *)opts)->key == KVM_BY_TIME;
	const double v = (double)(by_time ? x->total_ns : x->n),
		w = (double)(by_time ? y->total_ns : y->n);

	if (v != w)
		return v > w ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* How far the mean of so many may be off, in percent of it. */
static double stddev_percent(const struct reason *r)
{
	const double n = (double)r->n;

	return r->n > 1 && r->mean > 0 ? 100 * sqrt(r->m2 / (n - 1) / n) / r->mean : 0;
}

void kvm_table(struct kvm *k, struct table *out)
{
	static const char *const keys[] = { "name", "samples", "total_ns", "min_ns", "max_ns",
					    "mean_ns", "stddev_percent" };

	out->key = "reasons";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	if (k->reasons.n)
		qsort_r(k->reasons.v, k->reasons.n, sizeof(*k->reasons.v), compare, &k->opts);
	for vec_each(at, &k->reasons) {
		const struct reason *r = *at;
		struct cell *cell = table_add_row(out)->cells;

		*cell++ = cell_text(table_text(out, r->name));
		*cell++ = cell_count(r->n);
		*cell++ = cell_ns(r->total_ns);
		*cell++ = cell_ns(r->min_ns);
		*cell++ = cell_ns(r->max_ns);
		*cell++ = cell_num(r->mean, 1);
		*cell++ = cell_pct(stddev_percent(r));
	}
}

u64 kvm_long_table(const struct kvm *k, struct table *out)
{
	static const char *const keys[] = { "time_ns", "pid", "vcpu", "name", "ns" };

	out->key = "long";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	for vec_each(e, &k->long_events) {
		struct cell *cell = table_add_row(out)->cells;

		*cell++ = cell_ns(e->time_ns);
		*cell++ = cell_count(e->pid);
		*cell++ = cell_count(e->vcpu);
		*cell++ = cell_text(table_text(out, e->name));
		*cell++ = cell_ns(e->ns);
	}
	return k->n_long - k->long_events.n;
}

int kvm_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = { "of virtual machines",
						     "no events of virtual machines",
						     "perf kvm stat record" };
	unsigned found = 0;

	for vec_each(e, &events->events)
		found |= 1U << step_of(*e);
	if (found >> STEP_ENTRY & 1 && found >> STEP_EXIT & 1)
		return 0;
	return events_missing(events, path, &needed, err);
}
