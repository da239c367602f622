// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line for each run that ended, in upstream perf's columns; the same as rows of data.
 */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-chain.h"
#include "util/base/xalloc.h"
#include "util/view/digits.h"
#include "util/view/sched-rows.h"
#include "util/view/sched-text.h"

#define NAME_WIDTH 30
#define NEXT_WIDTH 24
/* the three columns of times, which wake-ups and migrations leave blank */
#define TIMES_WIDTH 33

/* As shown, while comm, pid and the width are these; n: filled up to its column, name_n:
 * without. FT_SLACK bytes follow. */
struct task_name { const char *comm; u32 pid; char *text; size_t n, name_n; };

struct timehist_text {
	FILE *fp;
	const struct timehist_opts *o;
	struct timehist_view v;
	struct str out;
	VEC(struct task_name) names;		/* by task index */
	size_t name_width;
	struct put_clock clock;
	struct sched_rows rows;			/* as data: instead of out */
};

static void add_task(struct str *out, const struct sched_task *task, bool idle_name)
{
	if (task->idle && idle_name) {
		str_add(out, "<idle>");
		return;
	}
	if (!*task->comm)
		str_addf(out, ":%d", (int)task->tid);
	else
		str_add_safe(out, task->comm);
	if (task->idle)
		return;
	/* -1: see sched_on_wake() */
	str_addf(out, task->pid != task->tid ? "[%d/%d]" : "[%d]", (int)task->tid, (int)task->pid);
}

/* As elsewhere: a name that is too long makes the column wider by one from there on. It is not
 * cut. */
static void note_width(struct timehist_text *t, size_t n)
{
	if (n > t->name_width)
		t->name_width = NAME_WIDTH + 1;
}

/* The name, filled up to its column. */
static const struct task_name *name_of(struct timehist_text *t, const struct sched_task *task)
{
	struct str text = STR_INIT;
	struct task_name *name;

	while (t->names.n <= (size_t)task->index)
		(void)vec_add(&t->names);
	name = &t->names.v[task->index];
	if (name->text && name->comm == task->comm && name->pid == task->pid &&
	    name->n >= t->name_width)
		return name;
	add_task(&text, task, true);
	note_width(t, text.len);
	name->name_n = text.len;
	if (text.len < t->name_width)
		str_addchn(&text, ' ', t->name_width - text.len);
	str_reserve(&text, FT_SLACK);
	free(name->text);
	name->n = text.len;
	name->text = str_detach(&text);
	name->comm = task->comm;
	name->pid = task->pid;
	return name;
}

static void add_header(struct timehist_text *t)
{
	struct str *o = &t->out;
	int n = t->o->max_cpu + 1;

	str_addf(o, "%15s %6s ", "time", "cpu");
	if (t->v.cpu_visual) {
		str_addch(o, ' ');
		for (int i = 0; i < n; i++)
			str_addf(o, "%x", i & 15);
		str_addch(o, ' ');
	}
	str_addf(o, " %-*s", NAME_WIDTH, "task name");
	if (t->v.prio)
		str_addf(o, "  %-8s", "prio");
	str_addf(o, "  %9s  %9s  %9s", "wait time", "sch delay", "run time");
	if (t->v.pre_migrations)
		str_addf(o, "  %9s", "pre-mig time");
	if (t->v.state)
		str_add(o, "  state");
	str_addf(o, "\n%15s %6s ", "", "");
	if (t->v.cpu_visual)
		str_addf(o, " %*s ", n, "");
	str_addf(o, " %-*s", NAME_WIDTH, "[tid/pid]");
	if (t->v.prio)
		str_addf(o, "  %8s", "");
	str_addf(o, "  %9s  %9s  %9s", "(msec)", "(msec)", "(msec)");
	if (t->v.pre_migrations)
		str_addf(o, "  %9s", "(msec)");
	str_addf(o, "\n%.15s %.6s ", "---------------", "------");
	if (t->v.cpu_visual) {
		str_addch(o, ' ');
		str_addchn(o, '-', (size_t)n);
		str_addch(o, ' ');
	}
	str_addch(o, ' ');
	str_addchn(o, '-', NAME_WIDTH);
	if (t->v.prio)
		str_add(o, "  --------");
	str_add(o, "  ---------  ---------  ---------");
	if (t->v.pre_migrations)
		str_add(o, "  ---------");
	if (t->v.state)
		str_add(o, "  -----");
	str_addch(o, '\n');
}

static void flush(struct timehist_text *t, size_t above)
{
	if (t->out.len <= above)
		return;
	fwrite(t->out.buf, 1, t->out.len, t->fp);
	str_reset(&t->out);
}

/* Time, CPU and the visual with one mark. */
static void add_front(struct timehist_text *t, u64 t_ns, int cpu, int mark_cpu, char mark)
{
	char *p;

	p = put_clock(&t->clock, str_room(&t->out, 96), t_ns, 15);
	p = put_text(p, " [", 2);
	p = cpu < 10000 ? ft_4(p, (u32)cpu) : put_u64(p, (u64)cpu, 4, '0');
	str_took(&t->out, put_text(p, "] ", 2));
	if (!t->v.cpu_visual)
		return;
	str_addch(&t->out, ' ');
	for (int i = 0; i <= t->o->max_cpu; i++)
		str_addch(&t->out, i == mark_cpu ? mark : ' ');
	str_addch(&t->out, ' ');
}

enum { MS_ROOM = 32 };

static inline char *put_time(char *p, u64 ns)
{
	return put_ms_9(put_text(p, "  ", 2), ns);
}

static void add_prio(struct str *out, const struct sched_switch *sw)
{
	char text[32];

	if (sw->prev_in_prio == sw->prev->prio)
		snprintf(text, sizeof(text), "%d", sw->prev->prio);
	else
		snprintf(text, sizeof(text), "%d->%d", sw->prev_in_prio, sw->prev->prio);
	str_addf(out, "  %-8s", text);
}

static void text_run(void *ctx, const struct sched_switch *sw)
{
	struct timehist_text *t = ctx;
	const struct task_name *name;
	struct str *o = &t->out;
	char *p;

	add_front(t, sw->t_ns, sw->cpu->cpu, sw->cpu->cpu, sw->prev->idle ? 'i' : 's');
	name = name_of(t, sw->prev);
	p = put_chars(str_room(o, name->n + FT_SLACK + 5 * MS_ROOM), ' ', 1);
	p = ft_padded(p, name->text, name->n);
	if (t->v.prio) {
		str_took(o, p);
		add_prio(o, sw);
		p = str_room(o, 5 * MS_ROOM);
	}
	p = put_time(p, sw->wait_ns);
	p = put_time(p, sw->delay_ns);
	p = put_time(p, sw->run_ns);
	if (t->v.pre_migrations)
		p = put_time(p, sw->premig_ns);
	*p++ = ' ';
	str_took(o, p);
	if (t->v.state)
		str_addf(o, " %5c ", sw->prev->idle ? 'I' : sw->state);
	if (t->v.next) {
		struct str next = STR_INIT;

		/* What the event says: no process, and not the name of a COMM record. */
		str_add_safe(&next, sw->next_comm);
		str_addf(&next, "[%d]", (int)sw->next->tid);
		str_addf(o, " next: %-*s", NEXT_WIDTH, str_cstr(&next));
		str_release(&next);
	}
	if (t->o->wakeups && !t->v.next)
		str_addchn(o, ' ', t->name_width + 2);
	if (t->o->chains && !sw->prev->idle) {
		str_add(o, "   ");
		sched_add_chain(o, sw->item, t->o->max_stack);
	}
	str_addch(o, '\n');
	flush(t, 1 << 16);
}

static void text_lost(void *ctx, u64 t_ns, int cpu, u64 n)
{
	struct timehist_text *t = ctx;

	str_took(&t->out, put_seconds(str_room(&t->out, 64), t_ns, 15));
	str_addf(&t->out, " lost %llu events on cpu %d\n", (unsigned long long)n, cpu);
}

/* In the lines of wake-ups and migrations the idle task has its own name. */
static void add_name(struct timehist_text *t, const struct sched_task *task)
{
	const size_t from = t->out.len;
	const struct task_name *name;

	if (task->idle) {
		add_task(&t->out, task, false);
		note_width(t, t->out.len - from);
		return;
	}
	name = name_of(t, task);
	str_addn(&t->out, name->text, name->name_n);
}

static void text_wake(void *ctx, const struct sched_wake *w)
{
	struct timehist_text *t = ctx;
	size_t from;

	add_front(t, w->t_ns, w->cpu, -1, ' ');
	str_addch(&t->out, ' ');
	from = t->out.len;
	add_name(t, w->waker);
	if (t->out.len - from < t->name_width + 2)
		str_addchn(&t->out, ' ', t->name_width + 2 - (t->out.len - from));
	str_addchn(&t->out, ' ', TIMES_WIDTH);
	str_add(&t->out, "awakened: ");
	add_name(t, w->task);
	str_addch(&t->out, '\n');
}

static void text_move(void *ctx, const struct sched_move *m)
{
	struct timehist_text *t = ctx;
	size_t from;

	/* one to the right, as everybody is used to */
	add_front(t, m->t_ns, m->cpu, m->cpu + 1, 'm');
	str_add(&t->out, t->v.cpu_visual ? "   " : " ");
	from = t->out.len;
	add_name(t, m->waker);
	if (t->out.len - from < t->name_width)
		str_addchn(&t->out, ' ', t->name_width - (t->out.len - from));
	str_addf(&t->out, "%*smigrated: ", TIMES_WIDTH + 2, "");
	add_name(t, m->task);
	str_addf(&t->out, " cpu %d => %d\n", m->from_cpu, m->to_cpu);
}

/* --- data --- */

static void data_run(void *ctx, const struct sched_switch *sw)
{
	struct timehist_text *t = ctx;

	timehist_run_row(&t->rows.table, sw, t->o);
	sched_rows_added(&t->rows);
}

static void data_wake(void *ctx, const struct sched_wake *w)
{
	struct timehist_text *t = ctx;

	timehist_wake_row(&t->rows.table, w);
	sched_rows_added(&t->rows);
}

static void data_move(void *ctx, const struct sched_move *m)
{
	struct timehist_text *t = ctx;

	timehist_move_row(&t->rows.table, m);
	sched_rows_added(&t->rows);
}

static void data_lost(void *ctx, u64 t_ns, int cpu, u64 n)
{
	struct timehist_text *t = ctx;

	if (!t->o->only_summary)
		timehist_lost_row(&t->rows.table, t_ns, cpu, n);
	sched_rows_added(&t->rows);
}

struct timehist_text *timehist_text_new(FILE *fp, const struct timehist_opts *o,
					const struct timehist_view *v,
					struct timehist_shown *shown)
{
	struct timehist_text *t = xnew(struct timehist_text);

	t->fp = fp;
	t->o = o;
	t->v = *v;
	t->name_width = NAME_WIDTH;
	if (table_output_data(&v->output)) {
		timehist_event_columns(&t->rows.table);
		sched_rows_init(&t->rows, fp, &v->output);
		if (!o->only_summary)
			sched_rows_begin(&t->rows);
		*shown = (struct timehist_shown){ t, data_run, data_wake, data_move, data_lost };
		return t;
	}
	if (!o->only_summary)
		add_header(t);
	*shown = (struct timehist_shown){ t, text_run, text_wake, text_move, text_lost };
	return t;
}

static void draw_sums(struct draw *d, const struct timehist_tables *sums)
{
	draw_facts(d, &sums->facts);
	draw_table(d, &sums->tasks);
	if (sums->some)
		return;
	draw_table(d, &sums->idle);
	draw_table(d, &sums->chains);
}

void timehist_text_end(struct timehist_text *t, const struct timehist_tables *sums)
{
	if (table_output_data(&t->v.output)) {
		sched_rows_end(&t->rows);
		if (sums)
			draw_sums(&t->rows.draw, sums);
		sched_rows_close(&t->rows);
		return;
	}
	if (sums)
		timehist_add_sums(&t->out, sums, t->o, t->v.state);
	flush(t, 0);
}

void timehist_text_free(struct timehist_text *t)
{
	if (!t)
		return;
	sched_rows_release(&t->rows);
	for (size_t i = 0; i < t->names.n; i++)
		free(t->names.v[i].text);
	vec_free(&t->names);
	str_release(&t->out);
	free(t);
}
