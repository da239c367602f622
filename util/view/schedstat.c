// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/schedstat.h"

#include <stdio.h>
#include <string.h>

#include "util/view/draw.h"

enum { WIDTH = 100, NAME = 65 };

static void add_rule(struct str *out)
{
	str_addchn(out, '-', WIDTH);
	str_addch(out, '\n');
}

static void add_title_rule(struct str *out, const char *name)
{
	size_t n = strlen(name) + 4;	/* " <" and "> " */

	str_addchn(out, '-', (WIDTH - n) / 2);
	str_addf(out, " <%s> ", name);
	str_addchn(out, '-', WIDTH - n - (WIDTH - n) / 2);
	str_addch(out, '\n');
}

void schedstat_head(struct str *out, const struct schedstat_side *a, const struct schedstat_side *b)
{
	str_add(out, "Description\n");
	add_rule(out);
	str_addf(out, "%-30s-> %s\n", "DESC", "Description of the field");
	str_addf(out, "%-30s-> %s\n", "COUNT", "Value of the field");
	str_addf(out, "%-30s-> %s\n", "PCT_CHANGE", "Percent change with corresponding base value");
	str_addf(out, "%-30s-> %s\n", "AVG_JIFFIES",
		 "Avg time in jiffies between two consecutive occurrence of event");
	add_rule(out);
	str_addf(out, "\n%-*s:%12llu", NAME, "Time elapsed (in jiffies)",
		 (unsigned long long)a->elapsed);
	if (b)
		str_addf(out, ",%11llu", (unsigned long long)b->elapsed);
	str_addch(out, '\n');
}

static double ratio(double x, double of)
{
	return of ? x / of : 0;
}

struct pair { u64 a, b; bool both; };

static const struct { const char *name, *says; } explained[] = {
	{ "yld_count", "sched_yield() count" },
	{ "array_exp", "Legacy counter can be ignored" },
	{ "sched_count", "schedule() called" },
	{ "sched_goidle", "schedule() left the processor idle" },
	{ "ttwu_count", "try_to_wake_up() was called" },
	{ "ttwu_local", "try_to_wake_up() was called to wake up the local cpu" },
	{ "rq_cpu_time", "total runtime by tasks on this processor (in jiffies)" },
	{ "run_delay", "total waittime by tasks on this processor (in jiffies)" },
	{ "pcount", "total timeslices run on this cpu" },
	{ "alb_count", "active_load_balance() count" },
	{ "alb_failed", "active_load_balance() move task failed" },
	{ "alb_pushed", "active_load_balance() successfully moved a task" },
	{ "ttwu_wake_remote", "try_to_wake_up() awoke a task that last ran on a diff cpu" },
	{ "ttwu_move_affine", "try_to_wake_up() moved task because cache-cold on own cpu" },
	{ "ttwu_move_balance", "try_to_wake_up() started passive balancing" },
};

/* After "idle_lb_" and the like; " on cpu idle" follows. */
static const struct { const char *name, *says; } explained_lb[] = {
	{ "count", "load_balance() count" },
	{ "balanced", "load_balance() found balanced" },
	{ "failed", "load_balance() move task failed" },
	{ "imbalance", "imbalance sum" },
	{ "imbalance_load", "imbalance in load" },
	{ "imbalance_util", "imbalance in utilization" },
	{ "imbalance_task", "imbalance in number of tasks" },
	{ "imbalance_misfit", "imbalance in misfit tasks" },
	{ "gained", "pull_task() count" },
	{ "hot_gained", "pull_task() when target task was cache-hot" },
	{ "nobusyq", "load_balance() failed to find busier queue" },
	{ "nobusyg", "load_balance() failed to find busier group" },
	{ "success_count", "*load_balance() success count" },
};

/* -v: what the field counts, instead of its name. */
static const char *field_text(const char *name, bool verbose, char buf[128])
{
	const char *lb = strstr(name, "_lb_"), *kind = name + (*name == '*');

	if (!verbose)
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(explained) && !lb; i++) {
		if (!strcmp(explained[i].name, name))
			return explained[i].says;
	}
	if (str_has_prefix(name, "sbe_") || str_has_prefix(name, "sbf_")) {
		snprintf(buf, 128, "%s is not used", name);
		return buf;
	}
	kind = !lb ? "" : str_has_prefix(kind, "idle") ? "idle" : str_has_prefix(kind, "busy") ?
		"busy" : "newly idle";
	if (lb && !strcmp(lb, "_lb_avg_pulled")) {
		snprintf(buf, 128, "*avg task pulled per successful lb attempt (cpu %s)", kind);
		return buf;
	}
	for (size_t i = 0; i < ARRAY_SIZE(explained_lb) && lb; i++) {
		if (strcmp(explained_lb[i].name, lb + 4))
			continue;
		snprintf(buf, 128, "%s on cpu %s", explained_lb[i].says, kind);
		return buf;
	}
	return name;
}

static void add_change(struct str *out, double a, double b)
{
	str_addf(out, "  |%9.2f%% |", 100 * ratio(b - a, a));
}

static void add_value(struct str *out, const char *name, bool verbose, struct pair v)
{
	char text[128];

	name = field_text(name, verbose, text);
	str_addf(out, "%-*s:%12llu", NAME, name, (unsigned long long)v.a);
	if (!v.both)
		return;
	str_addf(out, ",%11llu", (unsigned long long)v.b);
	add_change(out, (double)v.a, (double)v.b);
}

/* In percent of another counter. */
static void add_share(struct str *out, struct pair v, struct pair of)
{
	str_addf(out, "  (%9.2f%%", 100 * ratio((double)v.a, (double)of.a));
	if (v.both)
		str_addf(out, ",%10.2f%%", 100 * ratio((double)v.b, (double)of.b));
	str_add(out, " )");
}

static void add_interval(struct str *out, struct pair v, u64 elapsed_a, u64 elapsed_b)
{
	str_addf(out, "  $%12.2f", ratio((double)elapsed_a, (double)v.a));
	if (v.both)
		str_addf(out, ",%12.2f", ratio((double)elapsed_b, (double)v.b));
	str_add(out, " $");
}

static struct pair pair_at(const struct schedstat_row *a, const struct schedstat_row *b, size_t i)
{
	return (struct pair){ a->v[i], b ? b->v[i] : 0, b != NULL };
}

static void add_cpu(struct str *out, bool verbose, const struct schedstat_row *a,
		    const struct schedstat_row *b)
{
	static const int share_of[SCHEDSTAT_CPU_FIELDS] = {
		[SCHEDSTAT_SCHED_GOIDLE] = SCHEDSTAT_SCHED_COUNT,
			[SCHEDSTAT_TTWU_LOCAL] = SCHEDSTAT_TTWU_COUNT,
		[SCHEDSTAT_RUN_DELAY] = SCHEDSTAT_RQ_CPU_TIME,
	};
	char buf[64];

	str_add(out, b ? "DESC                                                                    "
			 "COUNT1      COUNT2   PCT_CHANGE    "
			 "PCT_CHANGE1 PCT_CHANGE2\n" :
			 "DESC                                                                     "
			 "COUNT   PCT_CHANGE\n");
	add_rule(out);
	for (size_t i = 0; i < SCHEDSTAT_CPU_FIELDS; i++) {
		add_value(out, schedstat_field(a->version, false, i, buf), verbose,
			  pair_at(a, b, i));
		if (share_of[i])
			add_share(out, pair_at(a, b, i), pair_at(a, b, (size_t)share_of[i]));
		str_addch(out, '\n');
	}
}

static size_t field_index(const struct schedstat_row *row, const char *kind, const char *name)
{
	size_t n = schedstat_n_fields(row->version, true);
	char want[64], buf[64];

	snprintf(want, sizeof(want), "%s_%s", kind, name);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(schedstat_field(row->version, true, i, buf), want))
			return i;
	}
	return SCHEDSTAT_MAX_FIELDS - 1;	/* always 0 */
}

static u64 pulled(const struct schedstat_row *row, const char *kind)
{
	return row->v[field_index(row, kind, "lb_count")] -
		row->v[field_index(row, kind, "lb_balanced")] -
	       row->v[field_index(row, kind, "lb_failed")];
}

/* Balancing that moved something, and how much each time. */
static void add_success(struct str *out, bool verbose, const struct schedstat_row *a,
			const struct schedstat_row *b,
			const char *kind)
{
	size_t gained = field_index(a, kind, "lb_gained");
	struct pair n = { pulled(a, kind), b ? pulled(b, kind) : 0, b != NULL };
	double each_a = ratio((double)a->v[gained], (double)n.a), each_b = b ?
		ratio((double)b->v[gained], (double)n.b) : 0;
	char name[96], text[128];

	snprintf(name, sizeof(name), "*%s_lb_success_count", kind);
	add_value(out, name, verbose, n);
	snprintf(name, sizeof(name), "*%s_lb_avg_pulled", kind);
	str_addf(out, "\n%-*s:%12.2f", NAME, field_text(name, verbose, text), each_a);
	if (b) {
		str_addf(out, ",%11.2f", each_b);
		add_change(out, each_a, each_b);
	}
	str_addch(out, '\n');
}

static bool has_interval(const char *name)
{
	static const char *const ends[] = { "lb_count", "lb_balanced", "lb_failed", "lb_nobusyq",
					    "lb_nobusyg" };
	bool yes = false;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		yes |= str_has_suffix(name, ends[i]) && !str_has_prefix(name, "alb");
	return yes;
}

static void add_domain(struct str *out, const struct schedstat_side *sa,
		       const struct schedstat_side *sb,
		       const struct schedstat_row *a, const struct schedstat_row *b)
{
	static const struct { const char *first, *title; } others[] = {
		{ "alb_count", "Category active_load_balance()" },
			{ "sbe_count", "Category sched_balance_exec()" },
		{ "sbf_count", "Category sched_balance_fork()" },
		{ "ttwu_wake_remote", "Wakeup Info" },
	};
	size_t n = schedstat_n_fields(a->version, true);
	char buf[64], title[64];

	str_add(out, b ? "DESC                                                                    "
			 "COUNT1      COUNT2   PCT_CHANGE     "
			 "AVG_JIFFIES1 AVG_JIFFIES2\n" :
			 "DESC                                                                     "
			 "COUNT    AVG_JIFFIES\n");
	for (size_t i = 0; i < n; i++) {
		const char *name = schedstat_field(a->version, true, i, buf),
			*lb = strstr(name, "_lb_");
		int kind = lb ? (int)(lb - name) : 0;

		if (lb && !strcmp(lb, "_lb_count")) {
			snprintf(title, sizeof(title), "Category %.*s", kind, name);
			add_title_rule(out, title);
		}
		for (size_t k = 0; k < ARRAY_SIZE(others); k++) {
			if (!strcmp(others[k].first, name))
				add_title_rule(out, others[k].title);
		}
		add_value(out, name, sa->verbose, pair_at(a, b, i));
		if (has_interval(name))
			add_interval(out, pair_at(a, b, i), sa->elapsed, sb ? sb->elapsed : 0);
		str_addch(out, '\n');
		if (lb && !strcmp(lb, "_lb_nobusyg")) {
			snprintf(title, sizeof(title), "%.*s", kind, name);
			add_success(out, sa->verbose, a, b, title);
		}
	}
}

static const struct schedstat_row *same_row(const struct schedstat_side *side,
					    const struct schedstat_row *row)
{
	for (size_t i = 0; side && i < side->rows->n; i++) {
		const struct schedstat_row *r = &side->rows->v[i];

		if (r->cpu == row->cpu && r->domain == row->domain && r->version == row->version)
			return r;
	}
	return NULL;
}

static struct schedstat_domain domain_of(const struct schedstat_side *s, s64 cpu, int domain)
{
	return s->find && domain >= 0 ? s->find(s->ctx, cpu, domain) :
		(struct schedstat_domain){ 0 };
}

static void add_title(struct str *out, const struct schedstat_side *s,
		      const struct schedstat_row *row, const char *title)
{
	struct schedstat_domain d = domain_of(s, title ? SCHEDSTAT_ANY_CPU : (s64)row->cpu,
					      row->domain);

	add_rule(out);
	if (title)
		str_addf(out, "CPU: %s", title);
	else
		str_addf(out, "CPU: %u", row->cpu);
	if (d.name) {
		str_add(out, " | DOMAIN: ");
		str_add_safe(out, d.name);
	} else if (row->domain >= 0) {
		str_addf(out, " | DOMAIN: %d", row->domain);
	}
	if (d.cpus && !title) {
		str_add(out, " | DOMAIN_CPUS: ");
		str_add_safe(out, d.cpus);
	}
	str_addch(out, '\n');
	add_rule(out);
}

size_t schedstat_block(struct str *out, const struct schedstat_side *a,
		       const struct schedstat_side *b, size_t at, const char *title)
{
	size_t begin = at;

	for (; at < a->rows->n && (at == begin || a->rows->v[at].domain >= 0); at++) {
		const struct schedstat_row *row = &a->rows->v[at], *other = same_row(b, row);

		if (b && !other)
			continue;
		add_title(out, a, row, title);
		if (row->domain < 0)
			add_cpu(out, a->verbose, row, other);
		else
			add_domain(out, a, b, row, other);
	}
	add_rule(out);
	return at;
}

static void draw_side(struct draw *d, const struct schedstat_data *s, const char *side)
{
	struct table facts = { .key = "facts" };
	struct table_row *row;

	if (side)
		table_add_column(&facts, "side", "side");
	table_add_column(&facts, "elapsed_jiffies", "elapsed_jiffies");
	row = table_add_row(&facts);
	if (side)
		row->cells[0] = cell_text(side);
	row->cells[side != NULL] = cell_count(s->elapsed);
	if (side)
		draw_group_begin(d, "sides", &facts);
	else
		draw_facts(d, &facts);
	draw_table(d, s->rows);
	if (side)
		draw_group_end(d);
	table_release(&facts);
}

void schedstat_draw(struct str *out, const struct schedstat_data *a, const struct schedstat_data *b,
		    const struct table_output *output)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output = *output }, out);
	draw_side(&d, a, b ? "old" : NULL);
	if (b)
		draw_side(&d, b, "new");
	draw_end(&d);
}
