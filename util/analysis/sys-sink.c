// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-sink.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct sys_sink {
	struct sink sink;
	struct sys_sink_opts o;
	struct sys_pairs pairs;
	struct hmap begun;		/* tids whose SYSREC_ENTER went into the lines */
};

static void set_comm(struct sysrec *r, const struct sink_item *it)
{
	const char *name = it->res && it->res->comm ? it->res->comm->name : NULL;
	size_t n = name ? strlen(name) : 0;

	memset(r->comm, 0, sizeof(r->comm));
	if (n)
		memcpy(r->comm, name, MIN(n, sizeof(r->comm)));
	r->cpu = it->sample->cpu;
}

static bool is_wanted(const struct sys_sink *k, u32 nr)
{
	return nr < SYSPLAN_NRS && (!k->o.wanted || k->o.wanted[nr]);
}

static u64 number(const struct event *e, const char *field, const struct sink_item *it, bool swap)
{
	const struct tp_field *f = e->format ? tp_field(e->format, field) : NULL;

	return f ? tp_read_u64(f, it->sample->raw, swap) : 0;
}

static void call_began(struct sys_sink *k, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const struct tp_field *f = s->event->format ? tp_field(s->event->format, "args") : NULL;
	u32 nr = number(s->event, "id", it, k->o.swap);
	const struct syscall_entry *e = syscall_entry(k->o.lines->set, nr, false);
	bool ends = e->name && (!strcmp(e->name, "exit") || !strcmp(e->name, "exit_group"));
	u64 args[6] = { 0 };
	size_t n = 0;
	const u8 *p = f ? tp_read_bytes(f, s->raw, k->o.swap, &n) : NULL;
	struct sysrec r = { .type = SYSREC_ENTER, .flags = ends ? SYSREC_F_NO_RETURN : 0, .nr = nr, .tid = s->tid, .tgid = s->pid,
			    .enter_ns = s->time_ns, .ustack = -1, .kstack = -1 };

	if (p)
		memcpy(args, p, MIN(n, sizeof(args)));
	sys_pairs_enter(&k->pairs, s->tid, s->pid, s->time_ns, nr, args);
	if (!is_wanted(k, nr) || k->o.min_ns || k->o.only_failed)
		return;
	memcpy(r.args, args, sizeof(args));
	set_comm(&r, it);
	sys_lines_record(k->o.lines, &r, sizeof(r));
	if (!ends)
		hmap_put(&k->begun, s->tid, k);
}

static void call_ended(struct sys_sink *k, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	u32 nr = number(s->event, "id", it, k->o.swap);
	struct sysrec r;
	bool seen = sys_pairs_exit(&k->pairs, s->tid, s->pid, s->time_ns, nr, (s64)number(s->event, "ret", it, k->o.swap), &r);
	bool failed = r.ret < 0 && r.ret >= -4095;

	if (!is_wanted(k, r.nr) || (k->o.only_failed && !failed))
		return;
	if (k->o.min_ns && (!seen || r.exit_ns - r.enter_ns < k->o.min_ns))
		return;
	set_comm(&r, it);
	if (k->o.on_call)
		k->o.on_call(k->o.ctx, &r);
	if (hmap_del(&k->begun, s->tid))
		r.flags |= SYSREC_F_ENTERED;
	sys_lines_record(k->o.lines, &r, sizeof(r));
	if (k->o.after_call)
		k->o.after_call(k->o.ctx, it);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct sys_sink *k = sink->ctx;

	for (size_t i = 0; i < n && !sink->stop; i++) {
		const struct event *e = items[i].sample->event;
		bool raw = e->tp_system && !strcmp(e->tp_system, "raw_syscalls");

		if (k->o.before)
			k->o.before(k->o.ctx, items[i].sample->time_ns);
		if (raw && !strcmp(e->tp_name, "sys_enter"))
			call_began(k, &items[i]);
		else if (raw && !strcmp(e->tp_name, "sys_exit"))
			call_ended(k, &items[i]);
		else
			k->o.on_event(k->o.ctx, &items[i]);
	}
}

struct sink *sys_sink_new(const struct sys_sink_opts *o)
{
	struct sys_sink *k = xnew(struct sys_sink);

	k->o = *o;
	k->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD | o->wants, .ctx = k, .samples = on_samples };
	return &k->sink;
}

void sys_sink_free(struct sink *s)
{
	struct sys_sink *k = s ? s->ctx : NULL;

	if (!k)
		return;
	sys_pairs_release(&k->pairs);
	hmap_release(&k->begun);
	free(k);
}

/* ---- events as text ---- */

static bool is_pid_field(const char *name)
{
	return !strcmp(name, "pid") || str_has_suffix(name, "_pid") || str_has_suffix(name, "_tid") || !strcmp(name, "tid");
}

static void add_scalar(const struct tp_field *f, u64 v, const struct syscall_style *style, struct str *out)
{
	const char *comm;

	if (f->is_signed && f->bytes < 8)
		v = (u64)((s64)(v << (64 - 8 * f->bytes)) >> (64 - 8 * f->bytes));
	if (f->is_pointer || str_has_suffix(f->name, "addr") || str_has_suffix(f->name, "_ip") || !strcmp(f->name, "ip")) {
		str_addf(out, "%#llx", (unsigned long long)v);
		return;
	}
	if (f->is_signed)
		str_addf(out, "%lld", (long long)v);
	else
		str_add_u64(out, v);
	comm = is_pid_field(f->name) && (s32)v > 0 && style->comm ? style->comm(style->ctx, (int)v) : NULL;
	if (comm) {
		str_add(out, " (");
		str_add_safe(out, comm);
		str_addch(out, ')');
	}
}

static void add_array(const struct tp_field *f, struct span raw, bool swap, struct str *out)
{
	size_t n = 0;
	const u8 *p = tp_read_bytes(f, raw, swap, &n);
	u32 each = f->elem_bytes ? f->elem_bytes : 1;

	str_addch(out, '{');
	for (size_t i = 0; p && i + each <= n && i < 64 * (size_t)each; i += each) {
		u64 v = 0;

		memcpy(&v, p + i, MIN(each, (u32)sizeof(v)));
		str_addf(out, "%s%#llx", i ? ", " : "", (unsigned long long)v);
	}
	str_addch(out, '}');
}

void sys_event_fields(const struct tp_format *f, struct span raw, bool swap, const struct syscall_style *style, struct str *out)
{
	bool any = false;

	for (size_t i = 0; i < tp_n_fields(f); i++) {
		const struct tp_field *field = tp_field_at(f, i);
		size_t n = 0;
		const char *text;

		if (str_has_prefix(field->name, "common_"))
			continue;
		if (any)
			str_add(out, ", ");
		any = true;
		str_add(out, field->name);
		str_add(out, ": ");
		if (field->is_string) {
			text = tp_read_str(field, raw, swap, &n);
			syscall_add_quoted(out, (struct span){ (const u8 *)(text ? text : ""), text ? strnlen(text, n) : 0 }, false);
		} else if (field->is_array || field->is_dynamic) {
			add_array(field, raw, swap, out);
		} else {
			add_scalar(field, tp_read_u64(field, raw, swap), style, out);
		}
	}
}

void sys_event_fault(const struct sink_item *it, bool major, struct str *out)
{
	const struct location *leaf = &it->res->leaf, *data = &it->res->data;

	str_addf(out, "%sfault [", major ? "maj" : "min");
	if (leaf->sym) {
		str_add_safe(out, leaf->sym->name);
		str_addf(out, "+%#llx", (unsigned long long)(leaf->rva - leaf->sym->start_rva));
	} else {
		str_addf(out, "%#llx", (unsigned long long)it->sample->ip);
	}
	str_add(out, "] => ");
	if (data->map && data->dso) {
		u64 at = it->sample->addr - (data->dso->path[0] == '/' ? data->map->start_va - data->map->off : 0);

		str_add_safe(out, data->dso->path);
		str_addf(out, "@%#llx (%c", (unsigned long long)at, data->map->prot & PROT_EXEC ? 'x' : 'd');
	} else {
		str_addf(out, "%#llx (?", (unsigned long long)it->sample->addr);
	}
	str_addf(out, "%c)", it->sample->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.');
}
