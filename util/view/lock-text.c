// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/lock-text.h"

#include "util/analysis/ns-hist.h"

const struct lock_field_name lock_field_names[LOCK_N_FIELDS] = {
	[LOCK_ACQUIRED] = { "acquired", "acquired" },
	[LOCK_CONTENDED] = { "contended", "contended" },
	[LOCK_AVG_WAIT] = { "avg_wait", "avg wait" },
	[LOCK_TOTAL_WAIT] = { "wait_total", "total wait" },
	[LOCK_MAX_WAIT] = { "wait_max", "max wait" },
	[LOCK_MIN_WAIT] = { "wait_min", "min wait" },
};

static const char *const keys[LOCK_N_FIELDS] = {
	"contended", "contended", "avg_wait_ns", "total_wait_ns", "max_wait_ns", "min_wait_ns",
};

enum { NAME_WIDTH = 20 };

static bool is_count(int f)
{
	return f == LOCK_ACQUIRED || f == LOCK_CONTENDED;
}

/* Nine columns for the number, three for the unit. */
static void add_duration(struct str *out, u64 ns)
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 3600e9, "h " }, { 60e9, "m " }, { 1e9, "s " }, { 1e6, "ms" }, { 1e3, "us" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if ((double)ns >= units[i].ns) {
			/* float: a half of a hundredth is rounded as upstream does it */
			str_addf(out, "%9.2f %s", (double)(float)((double)ns / units[i].ns),
				 units[i].unit);
			return;
		}
	str_addf(out, "%9llu ns", (unsigned long long)ns);
}

static void add_value(struct str *out, const struct table *t, const struct table_row *row, int f)
{
	const u64 v = table_cell(t, row, keys[f])->u;

	if (is_count(f))
		str_addf(out, "%10llu", (unsigned long long)v);
	else
		add_duration(out, v);
}

void lock_add_field_title(struct str *out, int f)
{
	str_addf(out, "%*s ", is_count(f) ? 10 : 12, lock_field_names[f].title);
}

void lock_add_field(struct str *out, const struct table *t, const struct table_row *row, int f)
{
	add_value(out, t, row, f);
	str_addch(out, ' ');
}

static void lock_add_ns(struct str *out, u64 ns)
{
	add_duration(out, ns);
	str_addch(out, ' ');
}

void lock_add_percentile_titles(struct str *out)
{
	for (size_t i = 0; i < NS_PERCENTILES; i++)
		str_addf(out, "%12s ", ns_percentiles[i].title);
}

void lock_add_percentiles(struct str *out, const struct table *t, const struct table_row *row)
{
	for (size_t i = 0; i < NS_PERCENTILES; i++)
		lock_add_ns(out, table_cell(t, row, ns_percentiles[i].key)->u);
}

/* --- contention */

static void add_head(struct str *out, const struct lock_view *v)
{
	static const char *const what[] = {
		[LOCK_BY_CALLER] = "        type   caller", [LOCK_BY_TASK] = "         pid   comm",
		[LOCK_BY_LOCK] = "           address   symbol",
		[LOCK_BY_OWNER] = "         pid   owner", [LOCK_BY_CGROUP] = "  cgroup",
	};

	for (int i = 0; i < v->n_fields; i++)
		lock_add_field_title(out, v->fields[i]);
	if (v->percentiles)
		lock_add_percentile_titles(out);
	str_addf(out, "%s\n\n", what[v->by]);
}

static void add_name(struct str *out, const struct table *t, const struct table_row *row,
		     const char *key)
{
	const char *text = table_cell(t, row, key)->text;

	str_add_safe(out, text ? text : "");
}

static void add_cgroup(struct str *out, const struct table *t, const struct table_row *row)
{
	if (table_cell(t, row, "cgroup")->text)
		add_name(out, t, row, "cgroup");
	else
		str_addf(out, "cgroup:%llu",
			 (unsigned long long)table_cell(t, row, "cgroup_id")->u);
}

static void add_what(struct str *out, const struct table *t, const struct table_row *row,
		     enum lock_by by)
{
	switch (by) {
	case LOCK_BY_CALLER:
		str_addf(out, "%12s   ", table_cell(t, row, "type")->text);
		if (table_cell(t, row, "caller")->text)
			add_name(out, t, row, "caller");
		else
			str_add(out, "[unknown]");
		break;
	case LOCK_BY_CGROUP:
		str_add(out, "  ");
		add_cgroup(out, t, row);
		break;
	case LOCK_BY_OWNER:
	case LOCK_BY_TASK:
		str_addf(out, "%12lld   ", (long long)table_cell(t, row, "tid")->s);
		add_name(out, t, row, "comm");
		break;
	case LOCK_BY_LOCK:
		str_addf(out, "  %016llx   ", (unsigned long long)table_cell(t, row, "address")->u);
		add_name(out, t, row, "symbol");
		str_addf(out, " (%s)", table_cell(t, row, "type")->text);
		break;
	}
}

void lock_add_stack(struct str *out, const struct table *names, const struct table *addresses)
{
	for (size_t i = 0; i < names->rows.n; i++) {
		str_addf(out, "\t\t\t0x%llx  ",
			 (unsigned long long)addresses->rows.v[i].cells[0].u);
		str_add_safe(out, names->rows.v[i].cells[0].text);
		str_addch(out, '\n');
	}
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    const struct lock_view *v)
{
	for (int i = 0; i < v->n_fields; i++)
		lock_add_field(out, t, row, v->fields[i]);
	if (v->percentiles)
		lock_add_percentiles(out, t, row);
	add_what(out, t, row, v->by);
	str_addch(out, '\n');
	if (v->stacks && v->by == LOCK_BY_CALLER)
		lock_add_stack(out, table_cell(t, row, "stack")->list,
			       table_cell(t, row, "stack_addresses")->list);
}

/* Upstream's lines: ns, a blank after each separator. */
static void add_separated(struct str *out, const struct table *t, const struct table_row *row,
			  const struct lock_view *v)
{
	const char *sep = v->sep;

	for (int i = 0; i < v->n_fields; i++)
		str_addf(out, "%llu%s ",
			 (unsigned long long)table_cell(t, row, keys[v->fields[i]])->u, sep);
	for (size_t i = 0; v->percentiles && i < NS_PERCENTILES; i++)
		str_addf(out, "%llu%s ", (unsigned long long)
			 table_cell(t, row, ns_percentiles[i].key)->u, sep);
	if (v->by == LOCK_BY_CALLER) {
		str_addf(out, "%s%s ", table_cell(t, row, "type")->text, sep);
		add_name(out, t, row, "caller");
	} else if (v->by == LOCK_BY_CGROUP) {
		add_cgroup(out, t, row);
	} else if (v->by == LOCK_BY_TASK || v->by == LOCK_BY_OWNER) {
		str_addf(out, "%lld%s ", (long long)table_cell(t, row, "tid")->s, sep);
		add_name(out, t, row, "comm");
	} else {
		str_addf(out, "%llx%s ", (unsigned long long)table_cell(t, row, "address")->u, sep);
		add_name(out, t, row, "symbol");
		str_addf(out, "%s %s", sep, table_cell(t, row, "type")->text);
	}
	str_addch(out, '\n');
}

static void add_separated_head(struct str *out, const struct lock_view *v)
{
	static const char *const what[][4] = {
		[LOCK_BY_CALLER] = { "type", "caller" }, [LOCK_BY_TASK] = { "pid", "comm" },
		[LOCK_BY_LOCK] = { "address", "symbol", "type" },
		[LOCK_BY_OWNER] = { "pid", "owner" }, [LOCK_BY_CGROUP] = { "cgroup" },
	};

	str_add(out, "# output: ");
	for (int i = 0; i < v->n_fields; i++)
		str_addf(out, "%s%s ", lock_field_names[v->fields[i]].title, v->sep);
	for (size_t i = 0; v->percentiles && i < NS_PERCENTILES; i++)
		str_addf(out, "%s%s ", ns_percentiles[i].title, v->sep);
	for (int i = 0; what[v->by][i]; i++)
		str_addf(out, "%s%s%s", i ? v->sep : "", i ? " " : "", what[v->by][i]);
	str_addch(out, '\n');
}

static bool enough(const struct table *t, const struct table_row *row, const struct lock_view *v)
{
	return v->n_rows && row - t->rows.v >= v->n_rows;
}

void lock_add_contention(struct str *out, const struct table *t, const struct lock_view *v)
{
	if (v->sep && !v->no_head)
		add_separated_head(out, v);
	else if (!v->no_head)
		add_head(out, v);
	for vec_each(row, &t->rows) {
		if (enough(t, row, v))
			break;
		if (v->sep)
			add_separated(out, t, row, v);
		else
			add_row(out, t, row, v);
	}
}

/* --- report */

static void add_report_name(struct str *out, const struct table *t, const struct table_row *row,
			    enum lock_by by)
{
	struct str name = STR_INIT;

	add_name(&name, t, row, by == LOCK_BY_TASK ? "comm" : "symbol");
	if (name.len > NAME_WIDTH)
		str_addf(out, "%.*s...", NAME_WIDTH - 4, str_cstr(&name));
	else
		str_addf(out, "%*s", NAME_WIDTH, str_cstr(&name));
	str_addch(out, ' ');
	str_release(&name);
}

static void add_report_head(struct str *out, const struct lock_view *v)
{
	str_addf(out, "%*s ", NAME_WIDTH, "Name");
	for (int i = 0; i < v->n_fields; i++)
		lock_add_field_title(out, v->fields[i]);
	if (v->percentiles)
		lock_add_percentile_titles(out);
	str_add(out, "\n\n");
}

void lock_add_report(struct str *out, const struct table *t, const struct lock_view *v)
{
	if (!v->no_head)
		add_report_head(out, v);
	for vec_each(row, &t->rows) {
		if (enough(t, row, v))
			break;
		add_report_name(out, t, row, v->by);
		for (int i = 0; i < v->n_fields; i++)
			lock_add_field(out, t, row, v->fields[i]);
		if (v->percentiles)
			lock_add_percentiles(out, t, row);
		str_addch(out, '\n');
	}
}

/* --- info */

void lock_add_threads(struct str *out, const struct table *t)
{
	str_addf(out, "%10s: comm\n", "Thread ID");
	for vec_each(row, &t->rows) {
		str_addf(out, "%10lld: ", (long long)table_cell(t, row, "tid")->s);
		add_name(out, t, row, "comm");
		str_addch(out, '\n');
	}
}

void lock_add_map(struct str *out, const struct table *t)
{
	str_add(out, "Address of instance: name of class\n");
	for vec_each(row, &t->rows) {
		str_addf(out, " 0x%llx: ", (unsigned long long)table_cell(t, row, "address")->u);
		add_name(out, t, row, "symbol");
		str_addch(out, '\n');
	}
}
