// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same result as CSV and as JSON.
 */
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/view/draw.h"

static void fill_names(struct table *t, const char *name, s64 cpu)
{
	table_add_column(t, "name", "Name");
	table_add_column(t, "cpu", "CPU");
	table_add_row(t)->cells[0] = cell_text(name);
	t->rows.v[0].cells[1] = cell_int(cpu);
}

/* A row of all kinds, and one that has nothing of what can be missing. */
static void fill_rows(struct table *t)
{
	static const char *const keys[] = { "task.comm", "task.tid", "run_ns", "share", "addr",
					    "ipc", "on", "args", "errnos", "x" };
	struct table *args = NULL, *errnos;
	struct cell *c;

	t->key = "rows";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	for vec_each(col, &t->cols)
		col->decimals = 2;
	c = table_add_row(t)->cells;
	args = table_new_list(t);
	table_add_column(args, "arg", "Argument");
	table_add_row(args)->cells[0] = cell_text("a,\"b");
	table_add_row(args)->cells[0] = cell_text("c");
	errnos = table_new_list(t);
	table_add_column(errnos, "errno", "Error");
	table_add_column(errnos, "n", "Number");
	table_add_row(errnos)->cells[0] = cell_text("ENOENT");
	errnos->rows.v[0].cells[1] = cell_count(3);
	c[0] = cell_text("s\xffh\n");
	c[1] = cell_count(7);
	c[2] = cell_ns(18446744073709551615ULL);
	c[3] = cell_pct(12.345678);
	c[4] = cell_addr(0x1000);
	c[5] = cell_num(1.239, -1);
	c[6] = cell_bool(true);
	c[7] = cell_list(args);
	c[8] = cell_list(errnos);
	c[9] = cell_num(1.0 / 0.0, 1);
	c = table_add_row(t)->cells;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		c[i] = cell_absent();
	c[2] = (struct cell){ .kind = CELL_NONE };
	c[9] = cell_int(-1);
	table_add_row(t)->hidden = true;
}

static void draw_all(struct str *out, const struct draw_opts *o)
{
	struct table a = { 0 }, b = { 0 }, rows = { 0 }, facts = { 0 }, none = { .key = "none" };
	struct draw d;

	fill_names(&a, "one", -1);
	fill_names(&b, "two", 0);
	fill_rows(&rows);
	table_add_column(&facts, "lost", "Lost");
	table_add_row(&facts)->cells[0] = cell_count(5);
	table_add_column(&none, "k", "K");
	draw_begin(&d, o, out);
	draw_facts(&d, &facts);
	draw_group_begin(&d, "events", &a);
	draw_table(&d, &rows);
	draw_group_end(&d);
	draw_group_begin(&d, "events", &b);
	draw_table_begin(&d, &rows);
	draw_row(&d, &rows, &rows.rows.v[1]);
	draw_table_end(&d, &rows);
	draw_group_end(&d);
	draw_table(&d, &none);
	draw_end(&d);
	table_release(&a);
	table_release(&b);
	table_release(&rows);
	table_release(&facts);
	table_release(&none);
}

static void check_drawn(const struct draw_opts *o, const char *want)
{
	struct str s = STR_INIT;

	draw_all(&s, o);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
}

TEST(json_object)
{
	check_drawn(&(struct draw_opts){ .output.json = true },
		    "{\"lost\":5,\"events\":[\n"
		    "{\"name\":\"one\",\"cpu\":-1,\"rows\":[\n"
		    "{\"task\":{\"comm\":\"s\\ufffdh\\n\",\"tid\":7},\"run_ns\":18446744073709551615,\"share\":12.3457,"
		    "\"addr\":4096,\"ipc\":1.24,\"on\":true,\"args\":[\"a,\\\"b\",\"c\"],\"errnos\":{\"ENOENT\":3},\"x\":null},\n"
		    "{\"run_ns\":null,\"x\":-1}\n"
		    "]},\n"
		    "{\"name\":\"two\",\"cpu\":0,\"rows\":[\n"
		    "{\"run_ns\":null,\"x\":-1}\n"
		    "]}\n"
		    "],\"none\":[\n]}\n");
}

TEST(csv_tables)
{
	check_drawn(&(struct draw_opts){ .output.sep = "," },
		    "name,cpu,task.comm,task.tid,run_ns,share,addr,ipc,on,args,errnos,x\n"
		    "one,-1,s\\xffh\\x0a,7,18446744073709551615,12.3457,4096,1.24,true,\"a,\"\"b "
		    "c\",ENOENT=3,\n"
		    "one,-1,,,,,,,,,,-1\n"
		    "two,0,,,,,,,,,,-1\n"
		    "\n# none\nk\n"
		    "\n# facts\nlost\n5\n");
}

/* Rows as they come, written out and forgotten between any two calls. */
TEST(streamed)
{
	static const char *const want[] = {
		"{\"a\":1}\n{\"a\":2}\n", "{\"a\" : 1}\n{\"a\" : 2}\n",
			"[\n{\n\t\"a\": 1\n},\n{\n\t\"a\": 2\n}\n]\n",
	};
	static const enum draw_json forms[] = { DRAW_JSON_ROWS, DRAW_JSON_LINES, DRAW_JSON_ARRAY };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct table t = { 0 };
		struct str s = STR_INIT, all = STR_INIT;
		struct draw d;

		table_add_column(&t, "a", "A");
		draw_begin(&d, &(struct draw_opts){ .output.json = true, .json = forms[i] }, &s);
		draw_table_begin(&d, &t);
		for (u64 k = 1; k <= 2; k++) {
			struct cell c = cell_count(k);

			draw_row(&d, &t, &(struct table_row){ .cells = &c });
			str_add(&all, str_cstr(&s));
			str_reset(&s);
		}
		draw_table_end(&d, &t);
		draw_end(&d);
		str_add(&all, str_cstr(&s));
		CHECK_STR(str_cstr(&all), want[i]);
		table_release(&t);
		str_release(&s);
		str_release(&all);
	}
}
