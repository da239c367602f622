// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-sink.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/base/rd.h"

#define MAX_ERRNO 4095

struct call_fields {			/* of raw_syscalls:sys_enter or sys_exit */
	const struct event *event;
	const struct tp_field *id, *args, *ret;
};

struct sys_sink {
	struct sink sink;
	struct sys_sink_opts o;
	struct sys_pairs *pairs;
	struct call_fields enter, exit;
	const struct tp_field *pathname;
};

/* An event is looked at once, or whenever two of a kind take turns. */
static bool is_fields(struct call_fields *f, const struct event *e, const char *name)
{
	if (f->event == e)
		return true;
	if (!e->format || !event_is_tracepoint(e, "raw_syscalls", name))
		return false;
	*f = (struct call_fields){ e, tp_field(e->format, "id"), tp_field(e->format, "args"),
				   tp_field(e->format, "ret") };
	return true;
}

/* perf's number for a task of 32 bits: what the ABI word of its registers says. */
static bool is_compat(const struct sample *s)
{
	return s->user_regs.regs && s->user_regs.abi == PERF_SAMPLE_REGS_ABI_32;
}

static void set_record(struct sysrec *r, const struct call_fields *f, const struct sink_item *it,
		       bool swap)
{
	const struct sample *s = it->sample;
	const char *name = it->res && it->res->comm ? it->res->comm->name : NULL;

	*r = (struct sysrec){ .type = SYSREC_CALL, .flags = is_compat(s) ? SYSREC_F_COMPAT : 0,
			      .tid = s->tid, .tgid = s->pid,
			      .cpu = s->cpu, .nr = f->id ? tp_read_u64(f->id, s->raw, swap) : 0 };
	if (name)
		memcpy(r->comm, name, strnlen(name, sizeof(r->comm)));
}

/* An element of an array in the recording's byte order; arrays of words of 32 bits are those of
 * 32-bit machines. */
static u64 element(const u8 *p, u32 bytes, bool swap)
{
	struct rd r;

	rd_init(&r, p, bytes, swap);
	switch (bytes) {
	case 1: return rd_u8(&r);
	case 2: return rd_u16(&r);
	case 4: return rd_u32(&r);
	case 8: return rd_u64(&r);
	default: return 0;
	}
}

static void take_args(const struct sys_sink *k, const struct sink_item *it, struct sysrec *r)
{
	const struct tp_field *f = k->enter.args;
	size_t n = 0;
	const u8 *p = f ? tp_read_bytes(f, it->sample->raw, k->o.swap, &n) : NULL;
	const u32 each = f && f->elem_bytes ? f->elem_bytes : sizeof(u64);

	for (size_t i = 0; p && i < ARRAY_SIZE(r->args) && (i + 1) * each <= n; i++)
		r->args[i] = element(p + i * each, each, k->o.swap);
	if (k->o.set)
		syscall_host_args(k->o.set, r->nr, r->flags & SYSREC_F_COMPAT, r->args);
}

static void call_began(struct sys_sink *k, const struct sink_item *it)
{
	struct sysrec r;

	set_record(&r, &k->enter, it, k->o.swap);
	r.enter_ns = it->sample->time_ns;
	take_args(k, it, &r);
	sys_pairs_enter(k->pairs, &r);
}

/* Of a 32-bit machine all but errors are what its register holds. */
static s64 result(const struct tp_field *f, u64 v)
{
	if (f->bytes != sizeof(u32) || (s32)v >= -MAX_ERRNO)
		return (s64)v;
	return (u32)v;
}

static void call_ended(struct sys_sink *k, const struct sink_item *it)
{
	struct sysrec r;

	set_record(&r, &k->exit, it, k->o.swap);
	r.exit_ns = it->sample->time_ns;
	r.ret = k->exit.ret ?
		result(k->exit.ret, tp_read_u64(k->exit.ret, it->sample->raw, k->o.swap)) : 0;
	if (sys_pairs_exit(k->pairs, &r) && k->o.after_call)
		k->o.after_call(k->o.ctx, it);
}

static void take_path(struct sys_sink *k, const struct sample *s)
{
	size_t n = 0;
	const char *text;

	if (!k->pathname && s->event->format)
		k->pathname = tp_field(s->event->format, "pathname");
	text = k->pathname ? tp_read_str(k->pathname, s->raw, k->o.swap, &n) : NULL;
	if (text)
		sys_pairs_path(k->pairs, s->tid, (struct span){ (const u8 *)text,
								strnlen(text, n) });
}

static bool is_excluded(const struct sys_sink *k, const struct sample *s)
{
	for (size_t i = 0; k->o.excluded && i < k->o.excluded->n; i++)
		if (k->o.excluded->v[i] == (int)s->pid || k->o.excluded->v[i] == (int)s->tid)
			return true;
	return false;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct sys_sink *k = sink->ctx;

	for (size_t i = 0; i < n && !sink->stop; i++) {
		const struct sample *s = items[i].sample;

		if (k->o.before)
			k->o.before(k->o.ctx, s->time_ns);
		if (is_excluded(k, s))
			continue;
		if (k->o.no_calls) {
			k->o.on_event(k->o.ctx, &items[i]);
		} else if (is_fields(&k->enter, s->event, "sys_enter")) {
			call_began(k, &items[i]);
		} else if (is_fields(&k->exit, s->event, "sys_exit")) {
			call_ended(k, &items[i]);
		} else if (s->event == k->o.names) {
			take_path(k, s);
		} else {
			sys_pairs_until(k->pairs, s->time_ns);
			sys_pairs_event(k->pairs, s->tid);
			k->o.on_event(k->o.ctx, &items[i]);
		}
	}
}

/* What says that threads begin and end; tasks that were there before have no time. */
static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 off)
{
	struct sys_sink *k = sink->ctx;
	u64 time_ns = id->present & PERF_SAMPLE_TIME ? id->time_ns : 0;
	struct wire_lost lost;
	struct wire_task task;
	const char *reason;

	(void)off;
	if ((rec->type == PERF_RECORD_FORK || rec->type == PERF_RECORD_EXIT) && time_ns &&
	    !wire_decode_task(rec, &task, &reason)) {
		if (rec->type == PERF_RECORD_FORK)
			sys_pairs_born(k->pairs, task.tid);
		else
			sys_pairs_died(k->pairs, task.tid, time_ns);
	} else if (rec->type == PERF_RECORD_LOST && !wire_decode_lost(rec, &lost, &reason)) {
		sys_pairs_lost(k->pairs, lost.lost);
	}
}

struct sink *sys_sink_new(const struct sys_sink_opts *o)
{
	struct sys_sink *k = xnew(struct sys_sink);

	k->o = *o;
	k->pairs = sys_pairs_new(&o->pairs);
	k->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD | SINK_SIDEBAND | o->wants,
				 .ctx = k, .samples = on_samples,
				 .record = on_record };
	return &k->sink;
}

void sys_sink_free(struct sink *s)
{
	struct sys_sink *k = s ? s->ctx : NULL;

	if (!k)
		return;
	sys_pairs_free(k->pairs);
	free(k);
}

void sys_sink_until(struct sink *s, u64 time_ns)
{
	struct sys_sink *k = s->ctx;

	sys_pairs_until(k->pairs, time_ns);
}

/* ---- events as text ---- */

static bool is_pid_field(const char *name)
{
	return !strcmp(name, "pid") || str_has_suffix(name, "_pid") ||
		str_has_suffix(name, "_tid") || !strcmp(name, "tid");
}

static void add_scalar(const struct tp_field *f, u64 v, const struct syscall_style *style,
		       struct str *out)
{
	const char *comm;

	if (f->is_signed && f->bytes < 8)
		v = (u64)((s64)(v << (64 - 8 * f->bytes)) >> (64 - 8 * f->bytes));
	if (f->is_pointer || str_has_suffix(f->name, "addr") || str_has_suffix(f->name, "_ip") ||
	    !strcmp(f->name, "ip")) {
		str_addf(out, "%#llx", (unsigned long long)v);
		return;
	}
	if (f->is_signed)
		str_addf(out, "%lld", (long long)v);
	else
		str_add_u64(out, v);
	comm = is_pid_field(f->name) && (s32)v > 0 && style->comm ?
		style->comm(style->ctx, (int)v) : NULL;
	if (comm) {
		str_add(out, " (");
		str_add_safe(out, comm);
		str_addch(out, ')');
	}
}

/* The value of an enum by its name. */
static bool add_enumerator(const struct tp_field *f, u64 v, const struct syscall_style *style,
			   struct str *out)
{
	const char *name = style->enumerator && str_has_prefix(f->type, "enum ") ?
		style->enumerator(style->ctx, f->type + 5, v) : NULL;

	if (name)
		str_add_safe(out, name);
	return name != NULL;
}

static void add_array(const struct tp_field *f, struct span raw, bool swap, struct str *out)
{
	size_t n = 0;
	const u8 *p = tp_read_bytes(f, raw, swap, &n);
	u32 each = f->elem_bytes ? f->elem_bytes : 1;

	str_addch(out, '{');
	for (size_t i = 0; p && i + each <= n && i < 64 * (size_t)each; i += each) {
		const u64 v = element(p + i, each, swap);

		str_addf(out, "%s%#llx", i ? ", " : "", (unsigned long long)v);
	}
	str_addch(out, '}');
}

void sys_event_fields(const struct tp_format *f, struct span raw, bool swap,
		      const struct syscall_style *style, struct str *out)
{
	bool any = false;

	for (size_t i = 0; i < tp_n_fields(f); i++) {
		const struct tp_field *field = tp_field_at(f, i);
		bool is_number = !field->is_string && !field->is_array && !field->is_dynamic;
		u64 v = is_number ? tp_read_u64(field, raw, swap) : 0;
		size_t n = 0;
		const char *text;

		if (str_has_prefix(field->name, "common_") ||
		    (is_number && !v && style->hide_event_zeros && !strcmp(field->type, "bool")))
			continue;
		if (any)
			str_add(out, ", ");
		any = true;
		str_add(out, field->name);
		str_add(out, ": ");
		if (field->is_string) {
			text = tp_read_str(field, raw, swap, &n);
			syscall_add_quoted(out, (struct span){ (const u8 *)(text ? text : ""),
							       text ? strnlen(text, n) : 0 },
							       false);
		} else if (!is_number) {
			add_array(field, raw, swap, out);
		} else if (!add_enumerator(field, v, style, out)) {
			add_scalar(field, v, style, out);
		}
	}
}

bool sys_event_call(const struct tp_format *f, struct span raw, bool swap,
		    const struct syscall_set *set,
		    const struct syscall_style *style, struct str *out)
{
	const struct tp_field *nr = tp_field(f, "__syscall_nr");
	struct syscall_style how = *style;
	const struct syscall_entry *e;
	struct syscall_values v = { .tgid = 0 };
	u64 args[6] = { 0 };
	size_t n = 0;

	if (!nr || strcmp(tp_system(f), "syscalls") || !str_has_prefix(tp_name(f), "sys_enter_"))
		return false;
	e = syscall_entry(set, tp_read_u64(nr, raw, swap), false);
	if (!e->info)
		return false;
	for (size_t i = 0; i < tp_n_fields(f) && n < ARRAY_SIZE(args); i++) {
		const struct tp_field *field = tp_field_at(f, i);

		if (!str_has_prefix(field->name, "common_") && field != nr)
			args[n++] = tp_read_u64(field, raw, swap);
	}
	v.info = e->info;
	v.args = args;
	how.hide_zeros = style->hide_event_zeros;
	syscall_add_args(out, &v, &how);
	return true;
}

void sys_event_fault(const struct sink_item *it, const char *kind, struct str *out)
{
	const struct location *leaf = &it->res->leaf, *data = &it->res->data;

	str_addf(out, "%sfault [", kind);
	if (leaf->sym) {
		str_add_safe(out, leaf->sym->name);
		str_addf(out, "+%#llx", (unsigned long long)(leaf->rva - leaf->sym->start_rva));
	} else {
		str_addf(out, "%#llx", (unsigned long long)it->sample->ip);
	}
	str_add(out, "] => ");
	if (data->map && data->dso) {
		u64 at = it->sample->addr - (data->dso->path[0] == '/' ?
					     data->map->start_va - data->map->off : 0);

		str_add_safe(out, data->dso->path);
		str_addf(out, "@%#llx (%c", (unsigned long long)at, data->map->prot & PROT_EXEC ?
			 'x' : 'd');
	} else {
		str_addf(out, "%#llx (?", (unsigned long long)it->sample->addr);
	}
	str_addf(out, "%c)", it->sample->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.');
}
