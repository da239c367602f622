// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which fields perf script prints: names, -F, and what the recorded samples can fill.
 */
#include "util/export/perf-script.h"

#include <errno.h>

#include "include/abi/perf_event.h"
#include "util/wire/synthrec.h"

#define DEFAULT_FIELDS (SF_COMM | SF_TID | SF_CPU | SF_TIME | SF_EVENT | SF_IP | SF_SYM | \
			SF_SYMOFF | SF_DSO | SF_PERIOD)
#define TRACE_FIELDS (SF_COMM | SF_TID | SF_CPU | SF_TIME | SF_EVENT | SF_TRACE)
#define RAW_FIELDS (DEFAULT_FIELDS | SF_ADDR | SF_DATA_SRC | SF_WEIGHT | SF_INS_LAT | \
		    SF_RETIRE_LAT | SF_PHYS_ADDR | SF_DATA_PAGE_SIZE | SF_CODE_PAGE_SIZE)
#define CHAIN_FIELDS (SF_IP | SF_SYM | SF_SYMOFF | SF_DSO)

/* needs: PERF_SAMPLE_* bits of which one must be there. flags: for fields that nothing fills
 * here. */
static const struct field {
	const char *name;
	u64 bit, needs;
	const char *attr, *hint;
} fields[] = {
	{ "comm", SF_COMM, 0, NULL, NULL },
	{ "tid", SF_TID, PERF_SAMPLE_TID, "TID", NULL },
	{ "pid", SF_PID, PERF_SAMPLE_TID, "TID", NULL },
	{ "time", SF_TIME, PERF_SAMPLE_TIME, "TIME", NULL },
	{ "cpu", SF_CPU, PERF_SAMPLE_CPU, "CPU", "run 'perf record --sample-cpu ...'" },
	{ "event", SF_EVENT, 0, NULL, NULL },
	{ "trace", SF_TRACE, PERF_SAMPLE_RAW, "RAW", NULL },
	{ "ip", SF_IP, PERF_SAMPLE_IP, "IP", NULL },
	{ "sym", SF_SYM, 0, NULL, NULL },
	{ "dso", SF_DSO, 0, NULL, NULL },
	{ "dsoff", SF_DSOFF, 0, NULL, NULL },
	{ "addr", SF_ADDR, PERF_SAMPLE_ADDR, "ADDR", "run 'perf record -d ...'" },
	{ "symoff", SF_SYMOFF, 0, NULL, NULL },
	{ "srcline", SF_SRCLINE, PERF_SAMPLE_IP, "IP", NULL },
	{ "period", SF_PERIOD, 0, NULL, NULL },
	{ "iregs", SF_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS", "run 'perf record --intr-regs ...'" },
	{ "uregs", SF_UREGS, PERF_SAMPLE_REGS_USER, "UREGS", "run 'perf record --user-regs ...'" },
	{ "brstack", SF_BRSTACK, 0, NULL, NULL },
	{ "brstacksym", SF_BRSTACKSYM, 0, NULL, NULL },
	{ "flags", SF_FLAGS, 0, NULL, NULL },
	{ "data_src", SF_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC", "run 'perf record -d ...'" },
	{ "weight", SF_WEIGHT, PERF_SAMPLE_WEIGHT_TYPE, "WEIGHT", "run 'perf record -W ...'" },
	{ "bpf-output", SF_BPF_OUTPUT, 0, NULL, NULL },
	{ "brstackoff", SF_BRSTACKOFF, 0, NULL, NULL },
	{ "phys_addr", SF_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR",
	  "run 'perf record --phys-data ...'" },
	{ "misc", SF_MISC, 0, NULL, NULL },
	{ "tod", SF_TOD, 0, NULL, NULL },
	{ "data_page_size", SF_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE",
	  "run 'perf record --data-page-size ...'" },
	{ "code_page_size", SF_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE",
	  "run 'perf record --code-page-size ...'" },
	{ "ins_lat", SF_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT",
	  "run 'perf record -W ...'" },
	{ "cgroup", SF_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP",
	  "run 'perf record --all-cgroups ...'" },
	{ "retire_lat", SF_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT",
	  "run 'perf record -W ...'" },
	{ "brstackinsn", SF_BRSTACKINSN, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK",
	  "run 'perf record -b ...'" },
	{ "brstackinsnlen", SF_BRSTACKINSNLEN, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK",
	  "run 'perf record -b ...'" },
	{ "brstackdisasm", SF_BRSTACKDISASM, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK",
	  "run 'perf record -b ...'" },
	{ "brcntr", SF_BRCNTR, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK",
	  "run 'perf record -j any,counter ...'" },
	{ "insn", SF_INSN, 0, NULL, NULL },
	{ "insnlen", SF_INSNLEN, 0, NULL, NULL },
	{ "disasm", SF_DISASM, 0, NULL, NULL },
	{ "srccode", SF_SRCCODE, PERF_SAMPLE_IP, "IP", NULL },
	/* samples of a trace decoder or (known names that print nothing here) a guest alone have
	 * these */
	{ "synth", SF_SYNTH, 0, NULL, NULL },
	{ "callindent", SF_CALLINDENT, 0, NULL, NULL },
	{ "ipc", SF_IPC, 0, NULL, NULL },
	{ "machine_pid", SF_GUEST, 0, NULL, NULL },
	{ "vcpu", SF_GUEST, 0, NULL, NULL },
};

/* Known to upstream perf (7.2 ends by a signal at it), without an answer here: refused, so that
 * nobody waits for them. */
static const struct { const char *name, *instead; } unsupported[] = {
	{ "metric", "'perf stat -I 100 -M METRIC' computes metrics, and -F +period shows what each "
		    "event of a group ({...}:S) counted" },
};

void script_fields_init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (int t = 0; t < ST_NR; t++)
		f->set[t] = DEFAULT_FIELDS;
	f->set[ST_TRACE] = TRACE_FIELDS;
	f->set[ST_RAW] = RAW_FIELDS;
	f->set[ST_SOFTWARE] |= SF_BPF_OUTPUT;
	f->set[ST_SYNTH] = (DEFAULT_FIELDS & ~(u64)SF_PERIOD) | SF_SYNTH;
}

enum script_type script_type_of(const struct event *e)
{
	switch (e->attr.type) {
	case PERF_TYPE_HARDWARE:
		return ST_HARDWARE;
	case PERF_TYPE_SOFTWARE:
		return ST_SOFTWARE;
	case PERF_TYPE_TRACEPOINT:
		return ST_TRACE;
	case PERF_TYPE_HW_CACHE:
		return ST_CACHE;
	case PERF_TYPE_RAW:
		return ST_RAW;
	case PERF_TYPE_BREAKPOINT:
		return ST_BREAKPOINT;
	case WIRE_TYPE_SYNTH:
		return ST_SYNTH;
	default:
		return ST_OTHER;
	}
}

void script_fields_names(struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		str_addf(out, "%s%s", i ? "," : "", fields[i].name);
}

static int both_ways(struct err *err)
{
	err_set(err, EINVAL, "-F chooses fields or changes the default ones (+FIELD, -FIELD), not "
			     "both at once");
	err_hint(err, "give a second -F: -F comm,time -F +ip");
	return -EINVAL;
}

static int unknown_field(const char *name, struct err *err)
{
	const char *names[ARRAY_SIZE(fields)], *near;

	for (size_t i = 0; i < ARRAY_SIZE(unsupported); i++) {
		if (strcmp(name, unsupported[i].name) != 0)
			continue;
		err_set(err, EINVAL, "the field '%s' is not supported here", name);
		err_hint(err, "%s", unsupported[i].instead);
		return -EINVAL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		names[i] = fields[i].name;
	near = nearest_name(name, names, ARRAY_SIZE(fields));
	err_set(err, EINVAL, "there is no field '%s'", name);
	if (near)
		err_hint(err, "did you mean '%s'? 'perf script --list-fields' lists all", near);
	else
		err_hint(err, "'perf script --list-fields' lists all");
	return -EINVAL;
}

/* The types that a prefix stands for, as bits; 0: none. */
static unsigned prefix_types(const char *text, size_t n)
{
	static const struct { const char *name; unsigned types; } table[] = {
		{ "hw", 1 << ST_HARDWARE | 1 << ST_CACHE }, { "sw", 1 << ST_SOFTWARE },
			{ "trace", 1 << ST_TRACE },
		{ "raw", 1 << ST_RAW }, { "break", 1 << ST_BREAKPOINT }, { "synth", 1 << ST_SYNTH },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (strlen(table[i].name) == n && memcmp(table[i].name, text, n) == 0)
			return table[i].types;
	}
	return 0;
}

struct change { u64 plain, add, remove; bool any_plain, any_sign; };

static int parse_field(struct change *c, const char *name, struct err *err)
{
	char sign = *name == '+' || *name == '-' ? *name++ : 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strcmp(fields[i].name, name) != 0)
			continue;
		c->any_sign |= sign;
		c->any_plain |= !sign;
		*(sign == '+' ? &c->add : sign == '-' ? &c->remove : &c->plain) |= fields[i].bit;
		return 0;
	}
	return unknown_field(name, err);
}

static int parse_list(struct change *c, const char *text, struct err *err)
{
	int ret = 0;

	while (*text && ret == 0) {
		size_t n = strcspn(text, ",");
		char *name = xstrndup(text, n);

		if (n)
			ret = parse_field(c, name, err);
		free(name);
		text += n;
		text += *text == ',';
	}
	if (ret == 0 && c->any_plain && c->any_sign)
		ret = both_ways(err);
	return ret;
}

static int unknown_type(const char *text, ptrdiff_t n, struct err *err)
{
	err_set(err, EINVAL, "there is no type of events '%.*s' for -F", (int)n, text);
	err_hint(err, "'perf script --list-fields' lists the types");
	return -EINVAL;
}

static int no_fields(struct err *err)
{
	err_set(err, EINVAL, "-F names no field, and no type of events whose samples are to be "
			     "left out");
	err_hint(err, "-F comm,time,ip chooses fields; -F sw: leaves out the samples of software "
		      "events");
	return -EINVAL;
}

int script_fields_parse(struct script_fields *f, const char *text, struct err *err)
{
	const char *colon = strchr(text, ':');
	unsigned types = (1 << ST_NR) - 1;
	struct change c = { 0 };
	int ret;

	if (colon && !(types = prefix_types(text, colon - text)))
		return unknown_type(text, colon - text, err);
	ret = parse_list(&c, colon ? colon + 1 : text, err);
	if (ret < 0)
		return ret;
	if (!colon && !c.any_plain && !c.any_sign)
		return no_fields(err);
	for (int t = 0; t < ST_NR; t++) {
		if (!(types >> t & 1))
			continue;
		if (!c.any_sign) {
			f->set[t] = c.plain;
			f->by_user[t] = true;
			/* without a type it is a choice for all: what a type cannot have is left
			 * out of it */
			if (!colon && t != ST_TRACE)
				f->set[t] &= ~(u64)SF_TRACE;
		}
		f->set[t] = (f->set[t] | c.add) & ~c.remove;
		f->added[t] = (f->added[t] | c.add) & ~c.remove;
		f->removed[t] = (f->removed[t] | c.remove) & ~c.add;
	}
	f->overridden |= c.any_plain;
	f->changed = true;
	return 0;
}

static int offsets_alone(struct err *err)
{
	err_set(err, EINVAL, "the field 'symoff' is the offset in a symbol, and 'sym' is not among "
			     "the fields");
	err_hint(err, "add it: -F +sym,+symoff");
	return -EINVAL;
}

static int missing_attr(const struct event *e, const struct field *fd, struct err *err)
{
	err_set(err, EINVAL, "samples for '%s' event do not have %s attribute set: cannot print "
			     "'%s' field", e->name, fd->attr,
		fd->name);
	if (fd->hint)
		err_hint(err, "%s", fd->hint);
	return -EINVAL;
}

/* Does any event of this type have one of the bits? *first: the first that has not. */
static bool type_has(const struct event_list *l, int type, u64 needs, const struct event **first)
{
	bool has = false;

	*first = NULL;
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (script_type_of(e) != (enum script_type)type || e->dummy || e->decoded)
			continue;
		if (e->attr.sample_type & needs)
			has = true;
		else if (!*first)
			*first = e;
	}
	return has;
}

/* Branches of which only some were recorded (calls, say) do not tell what ran between them. */
static int check_branches(u64 set, const struct event *e, struct err *err)
{
	if (set & SF_BRANCH_CODE && !(e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY)) {
		err_set(err, EINVAL, "the code between branches is not known (fields brstackinsn, "
			"brstackinsnlen, brstackdisasm): of event '%s' only some kinds of branches "
			"were recorded", e->name);
		err_hint(err, "run 'perf record -b ...'");
		return -EINVAL;
	}
	if (set & SF_BRCNTR && !(e->attr.branch_sample_type & ABI_SAMPLE_BRANCH_COUNTERS)) {
		err_set(err, EINVAL, "the counters of branches (field brcntr) were not recorded "
			"with event '%s'", e->name);
		err_hint(err, "run 'perf record -j any,counter ...'");
		return -EINVAL;
	}
	return 0;
}

static int check_type(struct script_fields *f, int type, const struct event_list *l,
		      struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct field *fd = &fields[i];
		const struct event *lacks;

		if (!fd->needs || !(f->set[type] & fd->bit) ||
		    type_has(l, type, fd->needs, &lacks) || !lacks)
			continue;
		if ((f->by_user[type] || f->added[type] & fd->bit) && fd->bit != SF_TRACE) {
			if (f->traces)	/* whose samples may have it */
				continue;
			return missing_attr(lacks, fd, err);
		}
		f->set[type] &= ~fd->bit;
	}
	if (f->set[type] & SF_SYM && !(f->set[type] & (SF_IP | SF_ADDR | SF_BRSTACKSYM)) &&
	    f->changed && !f->overridden)
		f->set[type] &= ~(u64)SF_SYM;
	if (f->set[type] & SF_SYMOFF && !(f->set[type] & SF_SYM)) {
		if (f->set[type] & SF_IP)
			return offsets_alone(err);
		f->set[type] &= ~(u64)SF_SYMOFF;
	}
	return 0;
}

static int no_cpus(struct err *err)
{
	err_set(err, EINVAL, "the samples of this recording do not have their CPU: -C has no "
			     "effect");
	err_hint(err, "leave -C out, or record with --sample-cpu or -a");
	return -EINVAL;
}

int script_fields_check(struct script_fields *f, const struct event_list *l, bool chains,
			bool cpu_filter, struct err *err)
{
	bool seen[ST_NR] = { false }, cpu = false;
	int ret = 0;

	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];
		enum script_type t = script_type_of(e);

		if (!e->dummy && e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK && !ret)
			ret = check_branches(f->set[t], e, err);
		cpu |= e->attr.sample_type & PERF_SAMPLE_CPU;
		if (chains && e->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !f->by_user[t] &&
		    !seen[t])
			f->set[t] |= t == ST_TRACE ? CHAIN_FIELDS & ~f->removed[t] : 0;
		seen[t] = true;
	}
	if (cpu_filter && l->events.n && !cpu)
		return no_cpus(err);
	for (int t = 0; t < ST_NR && ret == 0; t++) {
		if (seen[t])
			ret = check_type(f, t, l, err);
	}
	return ret;
}
