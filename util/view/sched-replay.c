// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sched-replay.h"

static unsigned long long value(const struct table *t, const struct table_row *row,
				const char *key)
{
	return table_cell(t, row, key)->u;
}

static void text_costs(struct str *out, const struct load_overhead *cost)
{
	str_addf(out, "run measurement overhead: %llu nsecs\n"
		      "sleep measurement overhead: %llu nsecs\n"
		      "the run test took %llu nsecs\nthe sleep test took %llu nsecs\n",
		 (unsigned long long)cost->run_ns, (unsigned long long)cost->sleep_ns,
		 (unsigned long long)cost->run_test_ns, (unsigned long long)cost->sleep_test_ns);
}

static void text_script(struct str *out, const struct replay_tables *t)
{
	const struct table_row *facts = t->facts.rows.v;
	struct str name = STR_INIT;
	size_t i = 0;

	str_addf(out, "nr_run_events:        %llu\nnr_sleep_events:      %llu\n"
		      "nr_wakeup_events:     %llu\n", value(&t->facts, facts, "run_events"),
		 value(&t->facts, facts, "sleep_events"), value(&t->facts, facts, "wakeup_events"));
	for vec_each(row, &t->tasks.rows) {
		str_reset(&name);
		str_add_safe(&name, table_cell(&t->tasks, row, "comm")->text);
		str_addf(out, "task %6zu (%20s:%10u), nr_events: %llu\n", i++, str_cstr(&name),
			 (u32)value(&t->tasks, row, "tid"), value(&t->tasks, row, "events"));
	}
	str_add(out, "------------------------------------------------------------\n");
	str_release(&name);
}

void replay_show_script(struct replay_show *s, const struct replay_tables *t,
			const struct load_overhead *cost)
{
	struct str out = STR_INIT;

	if (table_output_data(&s->output)) {
		replay_round_columns(&s->rows.table);
		sched_rows_init(&s->rows, s->fp, &s->output);
		draw_facts(&s->rows.draw, &t->facts);
		draw_table(&s->rows.draw, &t->tasks);
		sched_rows_begin(&s->rows);
		sched_rows_flush(&s->rows);
		return;
	}
	text_costs(&out, cost);
	text_script(&out, t);
	fwrite(out.buf, 1, out.len, s->fp);
	fflush(s->fp);
	str_release(&out);
}

void replay_show_round(struct replay_show *s, const struct load_times *times)
{
	const double wall = (double)times->wall_ns / 1e6, cpu = (double)times->cpu_ns / 1e6;

	s->wall_ms += wall;
	s->cpu_ms += cpu;
	s->n_rounds++;
	if (table_output_data(&s->output)) {
		replay_round_row(&s->rows.table, times);
		sched_rows_flush(&s->rows);
		return;
	}
	fprintf(s->fp, "#%-3d: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", s->n_rounds, wall,
		s->wall_ms / s->n_rounds, cpu, s->cpu_ms / s->n_rounds);
	fflush(s->fp);
}

void replay_show_end(struct replay_show *s)
{
	if (!table_output_data(&s->output))
		return;
	sched_rows_end(&s->rows);
	sched_rows_close(&s->rows);
}

void replay_show_release(struct replay_show *s) { sched_rows_release(&s->rows); }
