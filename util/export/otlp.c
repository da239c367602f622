// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * OpenTelemetry's profiles (OTLP): a ProfilesData message of opentelemetry-proto 1.10.0, package
 * opentelemetry.proto.profiles.v1development, which a collector takes as an
 * ExportProfilesServiceRequest as well. A profile for each event; a sample for each stack of each
 * thread; all else is in the dictionary, whose tables begin with an entry for "none".
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/base/protobuf.h"
#include "util/base/xalloc.h"
#include "util/export/profile-tables.h"
#include "util/export/text.h"
#include "util/export/unit.h"
#include "util/export/wall.h"
#include "util/stream/stream.h"

/* field numbers */
enum { DATA_RESOURCE = 1, DATA_DICTIONARY };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE, RESOURCE_ATTRIBUTE = 1 };
enum { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILE, SCOPE_NAME = 1 };
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME, PROFILE_DURATION, PROFILE_PERIOD_TYPE,
       PROFILE_PERIOD, PROFILE_ID, PROFILE_ATTRIBUTES = 11 };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4 };
enum { KEY_KEY = 1, KEY_VALUE, VALUE_TEXT = 1, VALUE_NUMBER = 3 };
enum { MAPPING_LIMIT = 2, MAPPING_FILE = 4, MAPPING_ATTRIBUTES };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE, LOCATION_ATTRIBUTES };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };
enum { STACK_LOCATIONS = 1 };
/* tables of the dictionary, by field number */
enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };

struct otlp {
	struct stacks *stacks;
	struct export_job job;
	struct profile_tables tables;
	struct str dictionary, profile, msg, sub;
	struct strmap attribute_of;	/* key and value -> number from 1 on */
	struct strmap stack_of;		/* packed locations -> number from 1 on */
	struct strmap number_of_function;	/* its file and name -> number from 1 on */
	u64 n_attributes, n_stacks, n_locations, n_functions;
	u64 *location;			/* by frame: its number from 1 on */
};

static u64 string(struct otlp *o, const char *s)
{
	bool fresh;
	const u64 n = profile_string(&o->tables, s, &fresh);

	if (fresh)
		pb_utf8(&o->dictionary, STRINGS, s);
	return n;
}

/* A text, or where that is NULL a number. */
static u64 attribute(struct otlp *o, const char *key, const char *text, u64 number)
{
	struct str both = STR_INIT, a = STR_INIT, value = STR_INIT;
	uintptr_t n;

	str_addf(&both, "%s=%c", key, text ? 't' : 'n');
	if (text)
		str_add(&both, text);
	else
		str_add_u64(&both, number);
	n = (uintptr_t)strmap_get(&o->attribute_of, both.buf);
	if (!n) {
		n = ++o->n_attributes;
		strmap_put(&o->attribute_of, both.buf, (void *)n);
		pb_u64(&a, KEY_KEY, string(o, key));
		if (text)
			pb_utf8(&value, VALUE_TEXT, text);
		else
			pb_u64_always(&value, VALUE_NUMBER, number);
		pb_message(&a, KEY_VALUE, &value);
		pb_message(&o->dictionary, ATTRIBUTES, &a);
	}
	str_release(&both);
	str_release(&a);
	str_release(&value);
	return n;
}

/* No entry stands twice: functions of several binaries (_start) may have nothing that differs. */
static u64 function_of(struct otlp *o, const struct stack_frame *f)
{
	struct str function = STR_INIT, key = STR_INIT;
	uintptr_t n;

	str_addf(&key, "%s\n%s", f->file ? f->file : "", f->name);
	n = (uintptr_t)strmap_get(&o->number_of_function, key.buf);
	if (!n) {
		n = ++o->n_functions;
		strmap_put(&o->number_of_function, key.buf, (void *)n);
		pb_u64(&function, FUNCTION_NAME, string(o, f->name));
		pb_u64(&function, FUNCTION_SYSTEM_NAME, string(o, f->name));
		if (f->file)
			pb_u64(&function, FUNCTION_FILE, string(o, f->file));
		pb_message(&o->dictionary, FUNCTIONS, &function);
	}
	str_release(&key);
	str_release(&function);
	return n;
}

static const char *frame_type(const struct stack_frame *f)
{
	return f->cpumode == PERF_RECORD_MISC_KERNEL || f->cpumode == PERF_RECORD_MISC_GUEST_KERNEL
		? "kernel" : "native";
}

/* The frame with what was inlined there is one address; *at becomes the node of its outermost
 * function. */
static u64 location_of(struct otlp *o, const struct stack_node **at)
{
	const struct stack_node *nodes = stacks_nodes(o->stacks);
	const u32 id = (*at)->what;
	const bool done = o->location[id];
	struct str location = STR_INIT, lines = STR_INIT;
	const struct stack_frame *f;

	for (;; *at = &nodes[(*at)->parent]) {
		f = &stacks_frames(o->stacks)[(*at)->what];
		if (!done) {
			pb_u64(&o->sub, LINE_FUNCTION, function_of(o, f));
			pb_u64(&o->sub, LINE_LINE, f->line);
			pb_message(&lines, LOCATION_LINE, &o->sub);
		}
		if (!f->inlined || !nodes[(*at)->parent].parent)
			break;
	}
	if (!done) {
		o->location[id] = ++o->n_locations;
		pb_u64(&location, LOCATION_MAPPING, profile_mapping(&o->tables, f));
		pb_u64(&location, LOCATION_ADDRESS, f->rva);
		str_addn(&location, lines.buf, lines.len);
		pb_varint(&o->sub, attribute(o, "profile.frame.type", frame_type(f), 0));
		pb_message(&location, LOCATION_ATTRIBUTES, &o->sub);
		pb_message(&o->dictionary, LOCATIONS, &location);
	}
	str_release(&location);
	str_release(&lines);
	return o->location[id];
}

/* No number is 0, thus no byte of packed ones. */
static u64 stack_of(struct otlp *o, const struct stack_node *node)
{
	const struct stack_node *nodes = stacks_nodes(o->stacks), *n = node;
	struct str packed = STR_INIT;
	uintptr_t number;

	for (; n->parent; n = &nodes[n->parent])
		pb_varint(&packed, location_of(o, &n));
	number = (uintptr_t)strmap_get(&o->stack_of, str_cstr(&packed));
	if (!number) {
		number = ++o->n_stacks;
		strmap_put(&o->stack_of, str_cstr(&packed), (void *)number);
		pb_message(&o->sub, STACK_LOCATIONS, &packed);
		pb_message(&o->dictionary, STACKS, &o->sub);
	}
	str_release(&packed);
	return number;
}

static const struct stack_root *root_of(const struct otlp *o, const struct stack_node *n)
{
	const struct stack_node *nodes = stacks_nodes(o->stacks);

	while (n->parent)
		n = &nodes[n->parent];
	return &stacks_roots(o->stacks)[n->what];
}

static void add_sample(struct otlp *o, const struct stack_node *n, const struct stack_root *r)
{
	struct str attributes = STR_INIT;

	pb_u64(&o->msg, SAMPLE_STACK, stack_of(o, n));
	if (r->comm)
		pb_varint(&attributes, attribute(o, "thread.name", r->comm, 0));
	if (r->pid)
		pb_varint(&attributes, attribute(o, "process.pid", NULL, r->pid));
	if (r->tid)
		pb_varint(&attributes, attribute(o, "thread.id", NULL, r->tid));
	pb_message(&o->msg, SAMPLE_ATTRIBUTES, &attributes);
	pb_varint(&o->sub, o->job.weight == EXPORT_PERIOD ? n->period : n->n);
	pb_message(&o->msg, SAMPLE_VALUES, &o->sub);
	pb_message(&o->profile, PROFILE_SAMPLE, &o->msg);
	str_release(&attributes);
}

static void value_type(struct otlp *o, u32 field, const char *type, const char *unit)
{
	pb_u64(&o->sub, TYPE_TYPE, string(o, type));
	pb_u64(&o->sub, TYPE_UNIT, string(o, unit));
	pb_message(&o->profile, field, &o->sub);
}

static void add_times(struct otlp *o)
{
	const struct stream_stats *st = o->job.stats;
	const u64 begin = export_wall_ns(&o->job.facts, st->first_ns);

	pb_fixed64(&o->profile, PROFILE_TIME,
		   begin ? begin : o->job.facts.captured_s * 1000000000);
	if (st->last_ns > st->first_ns)
		pb_u64(&o->profile, PROFILE_DURATION, st->last_ns - st->first_ns);
}

/* The same recording has the same number again: a copy is found by it. */
static void add_id(struct otlp *o)
{
	u64 id[2] = { hash_bytes(o->profile.buf, o->profile.len, 1),
		      hash_bytes(o->profile.buf, o->profile.len, 2) | 1 };

	pb_bytes(&o->profile, PROFILE_ID, id, sizeof(id));
}

static u64 add_profile(struct otlp *o, const struct event *e, struct str *scope)
{
	const struct stack_node *nodes = stacks_nodes(o->stacks);
	const char *unit = export_unit(e) ? export_unit(e) : "count";
	const struct stack_root *r;
	u64 n = 0;

	for (size_t i = 1; i < stacks_n_nodes(o->stacks); i++) {
		r = nodes[i].n ? root_of(o, &nodes[i]) : NULL;
		if (!r || r->event != e)
			continue;
		add_sample(o, &nodes[i], r);
		n++;
	}
	if (!n)
		return 0;
	if (o->job.weight == EXPORT_PERIOD)
		value_type(o, PROFILE_TYPE, e->name, unit);
	else
		value_type(o, PROFILE_TYPE, "samples", "count");
	value_type(o, PROFILE_PERIOD_TYPE, e->name, unit);
	if (!e->attr.freq)
		pb_u64(&o->profile, PROFILE_PERIOD, e->attr.sample_period);
	else if (export_unit(e) && e->attr.sample_freq)
		pb_u64(&o->profile, PROFILE_PERIOD, 1000000000 / e->attr.sample_freq);
	add_times(o);
	add_id(o);
	pb_message(scope, SCOPE_PROFILES_PROFILE, &o->profile);
	return n;
}

static void add_mappings(struct otlp *o)
{
	struct str id = STR_INIT;

	for vec_each(m, &o->tables.mappings) {
		str_reset(&id);
		build_id_add(&id, &m->dso->id);
		pb_u64(&o->msg, MAPPING_LIMIT, m->limit);
		pb_u64(&o->msg, MAPPING_FILE, string(o, m->dso->path ? m->dso->path : ""));
		if (id.len) {
			pb_varint(&o->sub, attribute(o, "process.executable.build_id.gnu",
						     id.buf, 0));
			pb_message(&o->msg, MAPPING_ATTRIBUTES, &o->sub);
		}
		pb_message(&o->dictionary, MAPPINGS, &o->msg);
	}
	str_release(&id);
}

static void resource_fact(struct otlp *o, const char *key, const char *value)
{
	struct str fact = STR_INIT;

	if (!value)
		return;
	pb_str(&fact, KEY_KEY, key);
	pb_utf8(&o->sub, VALUE_TEXT, value);
	pb_message(&fact, KEY_VALUE, &o->sub);
	pb_message(&o->msg, RESOURCE_ATTRIBUTE, &fact);
	str_release(&fact);
}

static void add_resource(struct otlp *o, struct str *out)
{
	const struct export_facts *f = &o->job.facts;

	resource_fact(o, "host.name", f->host);
	resource_fact(o, "host.arch", f->arch);
	resource_fact(o, "host.cpu.model.name", f->cpu);
	resource_fact(o, "os.type", "linux");
	resource_fact(o, "os.version", f->os_release);
	resource_fact(o, "process.command_line", f->command);
	pb_message(out, RESOURCE_PROFILES_RESOURCE, &o->msg);
}

/* Number 0 of each table. */
static void begin_tables(struct otlp *o)
{
	static const u32 tables[] = { MAPPINGS, LOCATIONS, FUNCTIONS, LINKS, ATTRIBUTES, STACKS };

	string(o, "");
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		pb_bytes(&o->dictionary, tables[i], "", 0);
}

static int end_otlp(void *state, u64 *n, struct err *err UNUSED)
{
	struct otlp *o = state;
	struct str scope = STR_INIT, resource = STR_INIT, out = STR_INIT;

	stacks_finish(o->stacks);
	o->location = xcalloc(stacks_n_frames(o->stacks) + 1, sizeof(*o->location));
	begin_tables(o);
	add_resource(o, &resource);
	pb_str(&o->msg, SCOPE_NAME, "perf");
	pb_message(&scope, SCOPE_PROFILES_SCOPE, &o->msg);
	for (size_t i = 0; i < o->job.events->events.n; i++)
		*n += add_profile(o, o->job.events->events.v[i], &scope);
	add_mappings(o);
	pb_message(&resource, RESOURCE_PROFILES_SCOPE, &scope);
	pb_message(&out, DATA_RESOURCE, &resource);
	pb_message(&out, DATA_DICTIONARY, &o->dictionary);
	export_flush(o->job.fp, &out, 0);
	str_release(&scope);
	str_release(&resource);
	str_release(&out);
	return 0;
}

static void *begin_otlp(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	const enum export_by by = job->by ? job->by : EXPORT_BY_TID;
	struct stacks_opts so = { .events = job->events, .detail = STACKS_ADDRESSES, .lines = true,
				  .no_inline = job->no_inline, .by_comm = by != EXPORT_BY_NONE,
				  .by_pid = by == EXPORT_BY_PID || by == EXPORT_BY_TID,
				  .by_tid = by == EXPORT_BY_TID };
	struct otlp *o = xnew(struct otlp);

	o->job = *job;
	o->stacks = stacks_new(&so);
	*sink = stacks_sink(o->stacks);
	return o;
}

static void free_otlp(void *state)
{
	struct otlp *o = state;

	profile_tables_release(&o->tables);
	strmap_release(&o->attribute_of);
	strmap_release(&o->stack_of);
	strmap_release(&o->number_of_function);
	str_release(&o->dictionary);
	str_release(&o->profile);
	str_release(&o->msg);
	str_release(&o->sub);
	free(o->location);
	stacks_free(o->stacks);
	free(o);
}

const struct exporter export_otlp = {
	.format = "otlp", .help = "OpenTelemetry's profiles (OTLP), for collectors",
	.items = "samples", .binary = true, .begin = begin_otlp, .end = end_otlp,
	.free = free_otlp,
};
