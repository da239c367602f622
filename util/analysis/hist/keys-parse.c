// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From --sort and --fields to columns.
 */
#include <errno.h>
#include <regex.h>

#include "util/analysis/hist/hist-priv.h"
#include "util/analysis/hist/keys-priv.h"
#include "util/event/tracepoint.h"


static const struct key_def *(*const tables[])(size_t *n) =
	{ key_defs_value, key_defs_sample, key_defs_branch, key_defs_mem, key_defs_type };

static const struct key_def field_def = {
	.name = "field", .title = "", .level = KEY_SAMPLE, .word = key_field_word,
		.cmp = key_cmp_text,
	.cell = key_cell_field, .right = true,
};

static const struct key_def *find_def(const char *name)
{
	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		size_t n;
		const struct key_def *d = tables[t](&n);

		for (size_t i = 0; i < n; i++)
			if (!strcmp(d[i].name, name) || (d[i].alias && !strcmp(d[i].alias, name)))
				return &d[i];
	}
	return NULL;
}

const char *hist_key_name(size_t i)
{
	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		size_t n;
		const struct key_def *d = tables[t](&n);

		if (i < n)
			return d[i].name;
		i -= n;
	}
	return NULL;
}

static int find_col(const struct hist_keys *k, const struct key_def *d)
{
	for (size_t i = 0; i < k->cols.n; i++)
		if (k->cols.v[i].def == d && d != &field_def)
			return (int)i;
	return -1;
}

const struct key *hist_keys_find(const struct hist_keys *k, const char *name)
{
	const struct key_def *d = find_def(name);
	int i = d ? find_col(k, d) : -1;

	return i < 0 ? NULL : &k->cols.v[i];
}

void hist_keys_set_ipcs(struct hist_keys *k, struct function_ipcs *ipcs)
{
	for vec_each(c, &k->cols)
		c->ipcs = ipcs;
}

void hist_keys_elide(struct hist_keys *k, const char *name)
{
	struct key *c = (struct key *)hist_keys_find(k, name);

	size_t shown = 0;

	if (c)
		c->elided = true;
	for (size_t i = 0; i < k->cols.n; i++)
		shown += k->cols.v[i].def->level != KEY_VALUE && !k->cols.v[i].elided;
	/* rows without any key would say nothing */
	for (size_t i = 0; !shown && i < k->cols.n; i++)
		k->cols.v[i].elided = false;
}

/* ---- tracepoint fields ---- */

static bool event_matches(const struct event *e, size_t i, const char *pattern)
{
	char *end;

	if (!pattern)
		return true;
	if (*pattern == '%')
		return strtoul(pattern + 1, &end, 10) == i + 1 && !*end;
	return strstr(e->name, pattern) != NULL;
}

static u16 field_width(const struct tp_field *f)
{
	if (f->is_string)
		return f->is_dynamic || f->is_relative ? 0 : (u16)MIN(f->bytes, 64u);
	return f->bytes <= 4 ? 10 : 18;
}

static bool same_fields(const struct hist_keys *k, const struct key *old, struct key_fields *now)
{
	for vec_each(e, &k->events->events)
		if (*(const struct tp_field **)per_event(&old->fields->of, *e) !=
		    *(const struct tp_field **)per_event(&now->of, *e))
			return false;
	return true;
}

static void find_field(void *ctx, const struct event *e, void *state)
{
	const struct key_fields *f = ctx;
	const struct tp_field **field = state;

	*field = e->format && event_matches(e, (size_t)e->index, f->event) ?
		tp_field(e->format, f->name) : NULL;
}

static void fields_free(struct key_fields *f)
{
	if (!f)
		return;
	per_event_release(&f->of);
	free(f->event);
	free(f->name);
	free(f);
}

/* One column for a field name; only events that have it show it. */
static bool add_field(struct hist_keys *k, const char *event, const char *name, bool raw)
{
	const struct event_list *l = k->events;
	struct key_fields *fields = xnew(struct key_fields);
	u16 width = 0;
	bool any = false;
	struct key *c;

	fields->event = event ? xstrdup(event) : NULL;
	fields->name = xstrdup(name);
	per_event_init(&fields->of, sizeof(struct tp_field *), find_field, fields);
	for (size_t i = 0; l && i < l->events.n; i++) {
		const struct tp_field **f = per_event(&fields->of, l->events.v[i]);

		if (*f) {
			any = true;
			width = MAX(width, field_width(*f));
		}
	}
	if (!any) {
		fields_free(fields);
		return false;
	}
	for vec_each(old, &k->cols)
		if (old->def == &field_def && old->raw == raw && same_fields(k, old, fields)) {
			fields_free(fields);
			return true;
		}
	c = vec_add(&k->cols);
	c->def = &field_def;
	c->title = xstrdup(name);
	c->arg = xstrdup(name);
	c->fields = fields;
	c->raw = raw;
	c->width = width;
	return true;
}

static bool add_all_fields(struct hist_keys *k)
{
	bool any = false;

	for (size_t i = 0; k->events && i < k->events->events.n; i++) {
		const struct event *e = k->events->events.v[i];

		for (size_t f = 0; e->format && f < tp_n_fields(e->format) &&
		     k->cols.n < MAX_KEYS - 4; f++) {
			const struct tp_field *fd = tp_field_at(e->format, f);

			if (!str_has_prefix(fd->name, "common_"))
				any |= add_field(k, e->name, fd->name, k->raw_trace);
		}
	}
	return any;
}

static bool add_dynamic(struct hist_keys *k, const char *name)
{
	char *copy = xstrdup(name), *field = copy, *dot = strchr(copy, '.'),
		*slash = strrchr(copy, '/');
	bool raw = k->raw_trace, ok;

	if (slash && !strcmp(slash, "/raw")) {
		*slash = '\0';
		raw = true;
	}
	if (dot) {
		*dot = '\0';
		field = dot + 1;
	}
	ok = !strcmp(field, "trace_fields") ? add_all_fields(k) :
		add_field(k, dot ? copy : NULL, field, raw);
	free(copy);
	return ok;
}

static int unknown_key(const char *name, const char *option, struct err *err)
{
	struct str all = STR_INIT;

	err_set(err, EINVAL, "unknown %s key '%s'", option, name);
	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		size_t n;
		const struct key_def *defs = tables[t](&n);

		for (size_t i = 0; i < n; i++)
			str_addf(&all, " %s", defs[i].name);
	}
	err_hint(err, "keys:%s, and fields of tracepoints: [EVENT.]FIELD[/raw], trace_fields",
		 str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

/* ---- lists ---- */

static int add_col(struct hist_keys *k, const char *name, const char *option, struct err *err)
{
	const struct key_def *d = find_def(name);

	if (k->cols.n >= MAX_KEYS)
		return err_set(err, E2BIG, "%s: more than %d columns", option, MAX_KEYS);
	if (!d && add_dynamic(k, name))
		return 0;
	if (!d)
		return unknown_key(name, option, err);
	if (find_col(k, d) < 0)
		vec_add(&k->cols)->def = d;
	return 0;
}

/* As upstream perf has it: among the columns it is shares, a key among those to sort by. */
static bool is_shares(const struct hist_keys *k, const char *name, const char *option)
{
	return k->mem_mode && !strcmp(name, "snoop") && !strcmp(option, "--fields");
}

static int add_list(struct hist_keys *k, const char *list, const char *option, struct err *err)
{
	char *copy = xstrdup(list), *save = NULL;
	int rc = 0;

	for (char *p = strtok_r(copy, ", ", &save); p && !rc; p = strtok_r(NULL, ", ", &save))
		rc = add_col(k, is_shares(k, p, option) ? "snoops" : p, option, err);
	free(copy);
	return rc;
}

static int add_sort_list(struct hist_keys *k, const char *list, struct err *err)
{
	return add_list(k, list, "--sort", err);
}

/* Rows by text: where there is nothing else to see. Who recorded call chains asks for code, and
 * texts are often all different. */
static bool texts_only(const struct event_list *l)
{
	bool any = false;

	for (size_t i = 0; l && i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->dummy)
			continue;	/* side-band only: must not change the layout */
		if (e->attr.type != PERF_TYPE_TRACEPOINT ||
		    e->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return false;
		any = true;
	}
	return any;
}

#define MEM_SORT "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked," \
		 "local_ins_lat"

#define HISTORY_SORT "srcline,symbol,dso,callchain_branch_predicted,callchain_branch_abort," \
		     "callchain_branch_cycles,ipc_null"

static const char *default_sort(const struct hist_keys *k, const struct keys_spec *spec)
{
	if (spec->mem_mode)
		return spec->x86 ? MEM_SORT ",local_p_stage_cyc" : MEM_SORT;
	if (spec->branch_history)
		return HISTORY_SORT;
	if (spec->branch_mode)
		return "comm,dso_from,symbol_from,symbol_to,cycles";
	return texts_only(k->events) ? "trace" : "comm,dso,symbol";
}

static int add_default_values(struct hist_keys *k, const struct keys_spec *spec, struct err *err)
{
	const char *both[2][2] = { { "overhead_children", "latency_children" },
				   { "overhead", "latency" } };
	const int first = spec->latency_first;
	int rc = 0;

	for (int i = !spec->children; i < 2 && !rc; i++) {
		rc = add_col(k, both[i][first], "--fields", err);
		if (!rc && spec->latency)
			rc = add_col(k, both[i][!first], "--fields", err);
	}
	if (!rc && spec->show_cpu_util)
		rc = add_list(k, "overhead_sys,overhead_us", "--fields", err);
	return rc;
}

static bool lists(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)) != NULL; p += n)
		if ((p == list || strchr("+, ", p[-1])) && strchr(", ", p[n]))
			return true;
	return false;
}

/* Who lists overheads among the sort keys gets just these, and the order that is listed. */
static int add_listed_values(struct hist_keys *k, const struct keys_spec *spec, struct err *err)
{
	static const char *const values[] = { "overhead_children", "latency_children", "overhead",
					      "latency" };
	int rc = 0;

	for (size_t i = spec->children ? 0 : 2; i < ARRAY_SIZE(values) && !rc; i++)
		if (lists(spec->sort, values[i]))
			rc = add_col(k, values[i], "--sort", err);
	return rc;
}

static int add_in_order(struct hist_keys *k, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *save = NULL;
	int rc = 0;

	for (char *p = strtok_r(copy, "+, ", &save); p && !rc; p = strtok_r(NULL, "+, ", &save)) {
		const struct key_def *d = find_def(p);
		size_t had = k->cols.n;

		rc = add_col(k, p, "--sort", err);
		if (d && k->cols.n == had)
			vec_push(&k->sort, (u16)find_col(k, d));
		for (; had < k->cols.n; had++)
			vec_push(&k->sort, (u16)had);
	}
	free(copy);
	return rc;
}

static int add_columns(struct hist_keys *k, const struct keys_spec *spec, struct err *err)
{
	const char *sort = spec->sort, *fields = spec->fields;
	bool append = fields && *fields == '+', plus = sort && *sort == '+';
	bool in_order = sort && !spec->latency_first && (!fields || append) &&
		(strstr(sort, "overhead") || strstr(sort, "latency"));
	int rc = 0;

	if (in_order)
		rc = add_listed_values(k, spec, err);
	else if (!fields || append)
		rc = add_default_values(k, spec, err);
	if (!rc && fields && !append)
		rc = add_list(k, fields, "--fields", err);
	if (!rc && spec->show_n)
		rc = add_col(k, "sample", "--fields", err);
	if (!rc && spec->show_period)
		rc = add_col(k, "period", "--fields", err);
	if (!rc && append)
		rc = add_list(k, fields + 1, "--fields", err);
	if (rc || (fields && !append && !sort))
		return rc;
	if (!sort || plus)
		rc = (in_order ? add_in_order : add_sort_list)(k, default_sort(k, spec), err);
	if (!rc && sort)
		rc = (in_order ? add_in_order : add_sort_list)(k, sort + plus, err);
	if (!rc && spec->ipc && sort && strstr(sort, "symbol"))	/* as upstream perf finds it */
		rc = add_col(k, spec->branch_mode ? "ipc_lbr" : "ipc_null", "--sort", err);
	if (!rc && spec->parent)
		rc = add_col(k, "parent", "--sort", err);
	return rc;
}

/* Of what happens now it is not known who runs. */
static int check_needs(const struct hist_keys *k, const struct keys_spec *spec, struct err *err)
{
	for vec_each(c, &k->cols)
		if (c->def->needs_running && !spec->running)
			return err_set(err, EINVAL, "'%s' is a key of perf report alone",
				       c->def->name);
	for vec_each(c, &k->cols)
		if (c->def->needs_branch && !spec->branch_mode) {
			err_set(err, EINVAL, "'%s' is a column of branches", c->def->name);
			err_hint(err, "that needs a recording with branch stacks (perf record -b), "
				 "and no --no-branch-stack");
			return -EINVAL;
		}
	for vec_each(c, &k->cols)
		if (c->def->special && c->def->special != KEY_OF_HISTORY && !spec->mem_mode) {
			err_set(err, EINVAL, "'%s' is a column of accesses to memory",
				c->def->name);
			err_hint(err, "perf mem report -F %s has it", c->def->name);
			return -EINVAL;
		}
	for vec_each(c, &k->cols)
		if (c->def->special == KEY_OF_HISTORY && !spec->branch_history) {
			err_set(err, EINVAL, "'%s' is of branches in call chains", c->def->name);
			err_hint(err, "perf report --branch-history has them; of rows of branches "
				      "(-b) the keys are mispredict, abort and cycles");
			return -EINVAL;
		}
	return 0;
}

static int set_parent(struct hist_keys *k, const struct keys_spec *spec, struct err *err)
{
	const char *pattern = spec->parent ? spec->parent : HIST_DEFAULT_PARENT;
	regex_t *re;
	int rc;

	if (!spec->parent && !spec->only_parents && !hist_keys_find(k, "parent"))
		return 0;
	re = xnew(regex_t);
	rc = regcomp(re, pattern, REG_EXTENDED);
	if (rc) {
		char reason[128];

		regerror(rc, re, reason, sizeof(reason));
		free(re);
		return err_set(err, EINVAL, "--parent '%s': %s", pattern, reason);
	}
	k->parent_re = re;
	return 0;
}

static void order_by(struct hist_keys *k, const char *list)
{
	char *copy = xstrdup(list), *save = NULL;

	for (char *p = strtok_r(copy, "+, ", &save); p; p = strtok_r(NULL, "+, ", &save)) {
		const struct key_def *d = find_def(p);
		const int col = d ? find_col(k, d) : -1;

		if (col >= 0)
			vec_push(&k->sort, (u16)col);
	}
	free(copy);
}

/* Values first and then keys; with explicit --fields by what --sort has, and then as they stand
 * there, with overheads in --sort as they stand there. */
static void set_order(struct hist_keys *k, const struct keys_spec *spec)
{
	bool as_listed = spec->fields && *spec->fields != '+';

	if (k->sort.n)
		return;
	if (as_listed && spec->sort)
		order_by(k, spec->sort);
	for (int pass = as_listed; pass < 2; pass++)
		for (size_t i = 0; i < k->cols.n; i++) {
			bool value = k->cols.v[i].def->level == KEY_VALUE;

			/* columns of --show-cpu-utilization do not order */
			if (!as_listed && k->cols.v[i].def->needs_extra && spec->show_cpu_util)
				continue;
			if (as_listed || value == (pass == 0))
				vec_push(&k->sort, (u16)i);
		}
}

int hist_keys_init(struct hist_keys *k, const struct keys_spec *spec,
		   const struct event_list *events, struct err *err)
{
	int rc;

	memset(k, 0, sizeof(*k));
	k->names = intern_new();
	k->events = events;
	k->time_quantum_ns = spec->time_quantum_ns;
	k->time_from_ns = spec->time_from_ns;
	k->full_source_path = spec->full_source_path;
	k->kernel_name = spec->kernel_name;
	k->raw_trace = spec->raw_trace;
	k->verbose = spec->verbose;
	k->branch_mode = spec->branch_mode;
	k->mem_mode = spec->mem_mode;
	rc = add_columns(k, spec, err);

	if (!rc)
		rc = set_parent(k, spec, err);
	if (!rc)
		rc = check_needs(k, spec, err);
	if (!rc)
		rc = keys_check_types(k, err);
	if (rc) {
		hist_keys_release(k);
		return rc;
	}
	for (size_t i = 0; i < k->cols.n; i++) {
		struct key *c = &k->cols.v[i];

		k->n_sample_keys += c->def->level == KEY_SAMPLE;
		k->n_frame_keys += c->def->level == KEY_FRAME;
		if (spec->ns && !strcmp(c->def->name, "time")) {
			c->width = 16;
			c->decimals = 9;
		}
		if (spec->x86 && (str_has_suffix(c->def->name, "p_stage_cyc") ||
				  str_has_suffix(c->def->name, "retire_lat")))
			c->title = xstrdup(*c->def->name == 'l' ? "Local Retire Latency" :
					   "Retire Latency");
		if (spec->children && (!spec->fields || *spec->fields == '+') &&
		    !strcmp(c->def->name, "overhead"))
			c->title = xstrdup("Self");
	}
	set_order(k, spec);
	return 0;
}

void hist_keys_list(const struct keys_spec *spec, const struct event_list *events, struct str *out)
{
	const struct hist_keys k = { .events = events };
	const bool plus = spec->sort && *spec->sort == '+';

	if (!spec->sort && spec->fields && *spec->fields != '+')
		return;
	if (!spec->sort || plus)
		str_add(out, default_sort(&k, spec));
	if (spec->sort)
		str_addf(out, "%s%s", plus ? "," : "", spec->sort + plus);
}

void hist_keys_release(struct hist_keys *k)
{
	for vec_each(c, &k->cols) {
		free(c->title);
		free(c->arg);
		fields_free(c->fields);
	}
	vec_free(&k->cols);
	vec_free(&k->sort);
	if (k->parent_re) {
		regfree(k->parent_re);
		free(k->parent_re);
	}
	hist_keys_free_types(k);
	intern_free(k->names);
	memset(k, 0, sizeof(*k));
}
