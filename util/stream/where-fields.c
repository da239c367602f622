// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --where: the fields that samples have. To add one: what it reads, and a line in the table.
 */
#include "util/stream/where-priv.h"

static bool number(struct where_value *out, bool has, u64 v)
{
	out->n.v = v;
	return has;
}

#define NUMBER(name, bits, member) \
	static bool name(const struct where_ask *a, struct where_value *out) \
	{ \
		return number(out, a->s->present & (bits), a->s->member); \
	}

NUMBER(get_pid, PERF_SAMPLE_TID, pid)
NUMBER(get_tid, PERF_SAMPLE_TID, tid)
NUMBER(get_cpu, PERF_SAMPLE_CPU, cpu)
NUMBER(get_ip, PERF_SAMPLE_IP, ip)
NUMBER(get_addr, PERF_SAMPLE_ADDR, addr)
NUMBER(get_phys, PERF_SAMPLE_PHYS_ADDR, phys_addr)
NUMBER(get_weight, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, weight)
NUMBER(get_ins_lat, PERF_SAMPLE_WEIGHT_STRUCT, ins_lat)
NUMBER(get_data_page, PERF_SAMPLE_DATA_PAGE_SIZE, data_page_bytes)
NUMBER(get_code_page, PERF_SAMPLE_CODE_PAGE_SIZE, code_page_bytes)

static bool get_time(const struct where_ask *a, struct where_value *out)
{
	return number(out, true, a->s->time_ns);
}

/* As report counts it: where samples do not tell, that of the event. */
static bool get_period(const struct where_ask *a, struct where_value *out)
{
	const struct event *e = a->s->event;

	if (a->s->present & PERF_SAMPLE_PERIOD)
		return number(out, true, a->s->period);
	return number(out, true, e && !e->attr.freq && e->attr.sample_period ?
		      e->attr.sample_period : 1);
}

static bool text(struct where_value *out, const char *s)
{
	out->text[0] = s;
	out->is_text = out->stays = true;
	return s != NULL;
}

static bool get_comm(const struct where_ask *a, struct where_value *out)
{
	return text(out, a->res->comm ? a->res->comm->name : NULL);
}

static bool get_event(const struct where_ask *a, struct where_value *out)
{
	return text(out, a->s->event ? a->s->event->name : NULL);
}

static bool get_dso(const struct where_ask *a, struct where_value *out)
{
	const struct dso *d = a->res->leaf.dso;

	if (!(a->s->present & PERF_SAMPLE_IP))
		return false;
	if (d)
		out->text[1] = d->path;
	return text(out, d ? d->short_name : "[unknown]");
}

static bool get_sym(const struct where_ask *a, struct where_value *out)
{
	const struct symbol *sym = a->res->leaf.sym;

	return text(out, sym ? sym->name : "[unknown]") && a->s->present & PERF_SAMPLE_IP;
}

static bool get_mode(const struct where_ask *a, struct where_value *out)
{
	static const char *const names[] = {
		[PERF_RECORD_MISC_CPUMODE_UNKNOWN] = "unknown",
		[PERF_RECORD_MISC_KERNEL] = "kernel", [PERF_RECORD_MISC_USER] = "user",
		[PERF_RECORD_MISC_HYPERVISOR] = "hypervisor",
		[PERF_RECORD_MISC_GUEST_KERNEL] = "guest-kernel",
		[PERF_RECORD_MISC_GUEST_USER] = "guest-user",
	};

	return text(out, a->s->cpumode < ARRAY_SIZE(names) ? names[a->s->cpumode] : NULL);
}

#define THREAD SINK_THREAD
#define PLACE (SINK_THREAD | SINK_SYMBOLS)
static const struct where_field fields[] = {
	{ "comm", NULL, WK_TEXT, WHERE_LEAF, THREAD, get_comm },
	{ "pid", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_pid },
	{ "tid", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_tid },
	{ "cpu", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_cpu },
	{ "time", NULL, WK_TIME, WHERE_SAMPLE, 0, get_time },
	{ "event", NULL, WK_TEXT, WHERE_SAMPLE, 0, get_event },
	{ "period", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_period },
	{ "ip", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_ip },
	{ "addr", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_addr },
	{ "phys_addr", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_phys },
	{ "dso", NULL, WK_TEXT, WHERE_LEAF, PLACE, get_dso },
	{ "sym", "symbol", WK_TEXT, WHERE_LEAF, PLACE, get_sym },
	{ "mode", "cpumode", WK_TEXT, WHERE_SAMPLE, 0, get_mode },
	{ "weight", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_weight },
	{ "ins_lat", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_ins_lat },
	{ "data_page_size", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_data_page },
	{ "code_page_size", NULL, WK_NUMBER, WHERE_SAMPLE, 0, get_code_page },
};

const struct where_field where_stack = { "stack", NULL, WK_STACK, WHERE_CHAIN,
					 PLACE | SINK_CHAIN, NULL };
const struct where_field where_tracepoint = { "field", NULL, WK_TRACEPOINT, WHERE_SAMPLE, 0,
					      NULL };

const struct where_field *where_find_field(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct where_field *f = &fields[i];

		if ((strlen(f->name) == n && !strncmp(f->name, name, n)) ||
		    (f->alias && strlen(f->alias) == n && !strncmp(f->alias, name, n)))
			return f;
	}
	return NULL;
}

const char *where_field_name(size_t i)
{
	return i < ARRAY_SIZE(fields) ? fields[i].name : NULL;
}
