// SPDX-License-Identifier: GPL-2.0-or-later
/* One column a CPU, one line a switch; tasks get two-character names in order of appearance. */
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/view/digits.h"
#include "util/view/sched-text.h"

struct map_task { char name[3]; bool wanted, known; const char *comm; };	/* comm: as it was told last */

struct sched_map {
	FILE *fp;
	struct map_opts o;
	int_vec cpus, color_cpus, color_pids;
	VEC(struct map_task) tasks;		/* by task index */
	VEC(const struct sched_task *) curr;	/* by CPU */
	VEC(bool) seen;				/* by CPU */
	int_vec order;				/* CPUs as they came: the columns of the compact map */
	int next_name;
	bool idle_named;
	struct str out;
};

static bool has(const int_vec *v, int x)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i] == x)
			return true;
	}
	return false;
}

static bool name_wanted(const struct sched_map *m, const char *comm)
{
	char *copy, *save = NULL;
	bool hit = false;

	if (!m->o.task_names)
		return true;
	copy = xstrdup(m->o.task_names);
	for (char *w = strtok_r(copy, ",", &save); w && !hit; w = strtok_r(NULL, ",", &save))
		hit = m->o.fuzzy ? strstr(comm, w) != NULL : !strcmp(comm, w);
	free(copy);
	return hit;
}

/* A0 ... Z0, A1 ... Z9, then letters in both places, then again from the beginning. */
static void make_name(struct sched_map *m, struct map_task *mt)
{
	int n = m->next_name++ % (26 * 36), second = n / 26;

	mt->name[0] = (char)('A' + n % 26);
	mt->name[1] = (char)(second < 10 ? '0' + second : 'a' + second - 10);
	mt->name[2] = '\0';
}

static struct map_task *task_of(struct sched_map *m, const struct sched_task *task)
{
	while (m->tasks.n <= (size_t)task->index)
		(void)vec_add(&m->tasks);
	return &m->tasks.v[task->index];
}

static void add_cell(struct sched_map *m, int cpu, bool star)
{
	const struct sched_task *task = m->curr.v[cpu];
	const struct map_task *mt = task ? task_of(m, task) : NULL;
	bool color = m->o.color && task && (has(&m->color_cpus, cpu) || has(&m->color_pids, (int)task->tid));

	if (color)
		str_add(&m->out, "\033[34m");
	char *p = str_room(&m->out, 4);
	const char *name = !mt ? "  " : mt->wanted ? mt->name : "- ";

	*p++ = star ? '*' : ' ';
	*p++ = name[0];
	*p++ = name[1];
	*p++ = ' ';
	str_took(&m->out, p);
	if (color)
		str_add(&m->out, "\033[0m");
}

/* CPUs up to the highest that was seen: those not seen stay blank; in the compact map they have no column. */
static bool shown_cpu(const struct sched_map *m, size_t cpu)
{
	return (m->seen.v[cpu] || !m->o.compact) && (!m->cpus.n || has(&m->cpus, (int)cpu));
}

/* Cells, folded below each other on a terminal that is too narrow for one line. */
static void add_cells(struct sched_map *m, int cpu)
{
	int column = 0, fold = m->o.width > 60 ? (m->o.width - 44) / 4 : 0;

	str_add(&m->out, "  ");
	for (size_t i = 0; i < (m->o.compact ? m->order.n : m->curr.n); i++) {
		int at = m->o.compact ? m->order.v[i] : (int)i;

		if (!shown_cpu(m, (size_t)at))
			continue;
		if (fold && column && column % fold == 0)
			str_add(&m->out, "\n  ");
		add_cell(m, at, at == cpu);
		column++;
	}
	str_add(&m->out, "  ");
}

static void flush(struct sched_map *m, size_t above)
{
	if (m->out.len <= above)
		return;
	fwrite(m->out.buf, 1, m->out.len, m->fp);
	str_reset(&m->out);
}

static void add_time(struct sched_map *m, u64 t_ns)
{
	char *p = put_seconds(str_room(&m->out, 48), t_ns, 12);

	str_took(&m->out, put_text(p, " secs ", 6));
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct sched_map *m = ctx;
	struct map_task *mt = task_of(m, sw->next);
	size_t cpu = (size_t)sw->cpu->cpu;
	bool new_task = false, new_cpu;

	while (m->curr.n <= cpu) {
		vec_push(&m->curr, NULL);
		vec_push(&m->seen, false);
	}
	new_cpu = !m->seen.v[cpu];
	m->seen.v[cpu] = true;
	if (new_cpu)
		vec_push(&m->order, (int)cpu);
	m->curr.v[cpu] = sw->next;
	if (!mt->known) {
		mt->known = true;
		mt->wanted = sw->next->idle || name_wanted(m, sw->next->comm);
		new_task = mt->wanted && !(sw->next->idle && m->idle_named);
		m->idle_named |= sw->next->idle;
		if (sw->next->idle)
			memcpy(mt->name, ". ", 3);
		else if (mt->wanted)
			make_name(m, mt);
	}
	new_task |= mt->wanted && !sw->next->idle && mt->comm != sw->next->comm;
	mt->comm = sw->next->comm;
	if (!shown_cpu(m, cpu) || (m->o.task_names && !mt->wanted && !task_of(m, sw->prev)->wanted))
		return;
	add_cells(m, sw->cpu->cpu);
	add_time(m, sw->t_ns);
	if (new_task) {
		str_addf(&m->out, "%s => ", mt->name);
		str_add_safe(&m->out, sw->next->comm);
		str_addf(&m->out, ":%u", sw->next->tid);
	}
	if (m->o.compact && new_cpu)
		str_addf(&m->out, " (CPU %d)", sw->cpu->cpu);
	str_addch(&m->out, '\n');
	flush(m, 1 << 16);
}

static int parse_lists(struct sched_map *m, struct err *err)
{
	const struct { const char *text; int_vec *out; } lists[] = {
		{ m->o.cpus, &m->cpus }, { m->o.color_cpus, &m->color_cpus }, { m->o.color_pids, &m->color_pids },
	};
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		ret = lists[i].text ? parse_int_list(lists[i].text, lists[i].out, err) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

struct sched_map *sched_map_new(struct sched *s, FILE *fp, const struct map_opts *opts, struct err *err)
{
	struct sched_map *m = xnew(struct sched_map);

	m->fp = fp;
	m->o = *opts;
	if (parse_lists(m, err)) {
		sched_map_free(m);
		return NULL;
	}
	sched_observe(s, &(struct sched_observer){ .ctx = m, .switched = on_switch });
	return m;
}

void sched_map_free(struct sched_map *m)
{
	if (!m)
		return;
	flush(m, 0);
	str_release(&m->out);
	vec_free(&m->cpus);
	vec_free(&m->color_cpus);
	vec_free(&m->color_pids);
	vec_free(&m->tasks);
	vec_free(&m->curr);
	vec_free(&m->seen);
	vec_free(&m->order);
	free(m);
}
