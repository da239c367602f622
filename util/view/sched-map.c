// SPDX-License-Identifier: GPL-2.0-or-later
/* One column a CPU, one line a switch; tasks get two-character names in order of appearance. */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-select.h"
#include "util/analysis/sched-table.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/view/digits.h"
#include "util/view/sched-rows.h"
#include "util/view/sched-text.h"

struct map_task {
	char name[3];
	bool wanted, named;
	const char *comm, *reported;	/* as it was looked at last, and shown; NULL: not yet */
};

struct sched_map {
	const struct sched *sched;
	FILE *fp;
	struct map_opts o;
	int_vec cpus, color_cpus, color_pids;
	VEC(struct map_task) tasks;		/* by task index */
	VEC(const struct sched_task *) curr;	/* by CPU */
	VEC(bool) seen;				/* by CPU */
	/* CPUs as they came: the columns of the compact map */
	int_vec order;
	int next_name;
	bool idle_seen;
	/* of the last line, without a star; empty: to be made anew. Only where all are equally
	 * wide */
	struct str cells;
	VEC(u32) cell_at;		/* in cells, by CPU; NO_CELL: not shown */
	struct put_clock clock;
	struct str out;
	bool data;
	struct sched_rows rows;			/* as data: instead of out */
};

#define NO_CELL UINT32_MAX

/* A0 ... Z0, A1 ... Z9, then letters in both places, then again from the beginning. */
static void make_name(struct sched_map *m, struct map_task *mt)
{
	int n = m->next_name++ % (26 * 36), second = n / 26;

	mt->name[0] = (char)('A' + n % 26);
	mt->name[1] = (char)(second < 10 ? '0' + second : 'a' + second - 10);
	mt->name[2] = '\0';
}

static struct map_task *more_tasks(struct sched_map *m, const struct sched_task *task)
{
	while (m->tasks.n <= (size_t)task->index)
		(void)vec_add(&m->tasks);
	return &m->tasks.v[task->index];
}

static inline struct map_task *task_of(struct sched_map *m, const struct sched_task *task)
{
	return (size_t)task->index < m->tasks.n ? &m->tasks.v[task->index] : more_tasks(m, task);
}

static const char *cell_name(struct sched_map *m, int cpu)
{
	const struct sched_task *task = m->curr.v[cpu];
	const struct map_task *mt = task ? task_of(m, task) : NULL;

	return !mt ? "  " : mt->wanted && mt->named ? mt->name : "- ";
}

static void add_cell(struct sched_map *m, struct str *out, int cpu)
{
	const struct sched_task *task = m->curr.v[cpu];
	bool color = m->o.color && task && (int_list_has(&m->color_cpus, cpu) ||
					    int_list_has(&m->color_pids, (int)task->tid));

	if (color)
		str_add(out, "\033[34m");
	m->cell_at.v[cpu] = (u32)out->len;
	str_addch(out, ' ');
	str_addn(out, cell_name(m, cpu), 2);
	str_addch(out, ' ');
	if (color)
		str_add(out, "\033[0m");
}

/* CPUs up to the highest that was seen: those not seen stay blank; in the compact map they have
 * no column. On a terminal, which may be too narrow for all, neither have those that are not in the
 * list of --cpus. */
static bool shown_cpu(const struct sched_map *m, int cpu)
{
	return (m->seen.v[cpu] || !m->o.compact) &&
		(!m->o.width || !m->cpus.n || int_list_has(&m->cpus, cpu));
}

/* All cells, folded below each other on a terminal that is too narrow for one line. */
static void make_cells(struct sched_map *m)
{
	int column = 0, fold = m->o.width > 60 ? (m->o.width - 52) / 4 : 0;

	str_reset(&m->cells);
	vec_clear(&m->cell_at);
	for (size_t i = 0; i < m->curr.n; i++)
		vec_push(&m->cell_at, NO_CELL);
	str_add(&m->cells, "  ");
	for (size_t i = 0; i < (m->o.compact ? m->order.n : m->curr.n); i++) {
		int at = m->o.compact ? m->order.v[i] : (int)i;

		if (!shown_cpu(m, at))
			continue;
		if (fold && column && column % fold == 0)
			str_add(&m->cells, "\n  ");
		add_cell(m, &m->cells, at);
		column++;
	}
	str_add(&m->cells, "  ");
	str_reserve(&m->cells, FT_SLACK);
}

/* What runs on the CPU from now on. Its name is known. */
static inline void set_curr(struct sched_map *m, int cpu, const struct sched_task *task,
			    bool new_cpu)
{
	m->curr.v[cpu] = task;
	/* Colours are not all equally wide, and a task of the list may get a name while it runs
	 * elsewhere. */
	if (new_cpu || m->o.color || m->o.task_names)
		str_reset(&m->cells);
	else if (m->cells.len && m->cell_at.v[cpu] != NO_CELL)
		memcpy(m->cells.buf + m->cell_at.v[cpu] + 1, cell_name(m, cpu), 2);
}

/* The cells and the time of a switch on cpu. left: who left the CPU is reported, so that what
 * runs now does not matter. */
static void add_cells(struct sched_map *m, int cpu, bool left, u64 t_ns)
{
	char *p;

	if (!m->cells.len)
		make_cells(m);
	p = str_room(&m->out, m->cells.len + 96);
	ft_padded(p, m->cells.buf, m->cells.len);
	if (m->cell_at.v[cpu] != NO_CELL) {
		p[m->cell_at.v[cpu]] = '*';
		if (left)
			memcpy(p + m->cell_at.v[cpu] + 1, "- ", 2);
	}
	p = put_clock(&m->clock, p + m->cells.len, t_ns, 12);
	str_took(&m->out, put_text(p, " secs ", 6));
}

static void flush(struct sched_map *m, size_t above)
{
	if (m->out.len <= above)
		return;
	fwrite(m->out.buf, 1, m->out.len, m->fp);
	str_reset(&m->out);
}

/* A task has its name from its first switch on, and is reported with the first line that shows
 * it, and when its own name changed. */
static void add_line(struct sched_map *m, const struct sched_switch *sw, struct map_task *mt,
		     bool new_idle, bool new_cpu)
{
	bool tell = sw->next->idle ? new_idle : mt->reported != sw->next->comm;

	mt->reported = sw->next->comm;
	add_cells(m, sw->cpu->cpu, false, sw->t_ns);
	if (tell) {
		str_addf(&m->out, "%s => ", mt->name);
		str_add_safe(&m->out, sw->next->comm);
		str_addf(&m->out, ":%d", (int)sw->next->tid);
	}
	if (m->o.compact && new_cpu)
		str_addf(&m->out, " (CPU %d)", sw->cpu->cpu);
	str_addch(&m->out, '\n');
}

static bool note_cpu(struct sched_map *m, int cpu)
{
	while (m->curr.n <= (size_t)cpu) {
		vec_push(&m->curr, NULL);
		vec_push(&m->seen, false);
	}
	if (m->seen.v[cpu])
		return false;
	m->seen.v[cpu] = true;
	vec_push(&m->order, cpu);
	return true;
}

/* Whether a task is wanted changes with its own name. */
static struct map_task *look_at(struct sched_map *m, const struct sched_task *task)
{
	struct map_task *mt = task_of(m, task);

	if (mt->comm != task->comm) {
		mt->comm = task->comm;
		mt->wanted = task->idle || !m->o.task_names ||
			     sched_name_listed(m->o.task_names, task->comm, m->o.fuzzy);
	}
	return mt;
}

static void give_name(struct sched_map *m, struct map_task *mt, bool idle)
{
	if (mt->named || !mt->wanted)
		return;
	mt->named = true;
	if (idle)
		memcpy(mt->name, ". ", 3);
	else
		make_name(m, mt);
}

static void add_data(struct sched_map *m, const struct sched_switch *sw, const struct map_task *mt)
{
	sched_map_row(&m->rows.table, sw, sw->next->idle ? "." : mt->wanted ? mt->name : "-");
	sched_rows_added(&m->rows);
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct sched_map *m = ctx;
	int cpu = sw->cpu->cpu;
	struct map_task *prev, *mt;
	bool new_cpu = note_cpu(m, cpu), new_idle = sw->next->idle && !m->idle_seen, comes, leaves;

	give_name(m, look_at(m, sw->next), sw->next->idle);
	prev = look_at(m, sw->prev);
	mt = task_of(m, sw->next);	/* prev may have moved it */
	m->idle_seen |= sw->next->idle;
	set_curr(m, cpu, sw->next, new_cpu);
	if (m->cpus.n && !int_list_has(&m->cpus, cpu))
		return;
	comes = !m->o.task_names || (mt->wanted && !sw->next->idle);
	leaves = m->o.task_names && prev->wanted && !sw->prev->idle;
	if (m->data) {
		if (comes || leaves)
			add_data(m, sw, mt);
		return;
	}
	if (comes)
		add_line(m, sw, mt, new_idle, new_cpu);
	if (leaves) {
		add_cells(m, cpu, true, sw->t_ns);
		str_addch(&m->out, '\n');
	}
	flush(m, 1 << 16);
}

static int parse_lists(struct sched_map *m, struct err *err)
{
	const struct { const char *text; int_vec *out; } lists[] = {
		{ m->o.cpus, &m->cpus }, { m->o.color_cpus, &m->color_cpus },
			{ m->o.color_pids, &m->color_pids },
	};
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		ret = lists[i].text ? parse_int_list(lists[i].text, lists[i].out, err) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

struct sched_map *sched_map_new(struct sched *s, FILE *fp, const struct map_opts *opts,
				struct err *err)
{
	struct sched_map *m = xnew(struct sched_map);

	m->sched = s;
	m->fp = fp;
	m->o = *opts;
	if (parse_lists(m, err)) {
		sched_map_free(m);
		return NULL;
	}
	m->data = table_output_data(&m->o.output);
	if (m->data) {
		sched_map_columns(&m->rows.table);
		sched_rows_init(&m->rows, fp, &m->o.output);
		sched_rows_begin(&m->rows);
	}
	sched_observe(s, &(struct sched_observer){ .ctx = m, .switched = on_switch });
	return m;
}

void sched_map_end(struct sched_map *m, u64 n_records)
{
	struct table facts = { 0 };

	sched_facts(m->sched, n_records, &facts);
	if (m->data) {
		sched_rows_end(&m->rows);
		draw_facts(&m->rows.draw, &facts);
		sched_rows_close(&m->rows);
	} else {
		sched_add_lost(&m->out, &facts);
	}
	table_release(&facts);
	flush(m, 0);
}

void sched_map_free(struct sched_map *m)
{
	if (!m)
		return;
	flush(m, 0);
	str_release(&m->out);
	sched_rows_release(&m->rows);
	vec_free(&m->cpus);
	vec_free(&m->color_cpus);
	vec_free(&m->color_pids);
	vec_free(&m->tasks);
	vec_free(&m->curr);
	vec_free(&m->seen);
	vec_free(&m->order);
	vec_free(&m->cell_at);
	str_release(&m->cells);
	free(m);
}
