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
		    "{\"task\":{\"comm\":\"s\\ufffdh\\n\",\"tid\":7},"
		    "\"run_ns\":18446744073709551615,\"share\":12.3457,"
		    "\"addr\":4096,\"ipc\":1.24,\"on\":true,\"args\":[\"a,\\\"b\",\"c\"],"
		    "\"errnos\":{\"ENOENT\":3},\"x\":null},\n"
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

static void check_table(const struct table *t, const struct draw_opts *o, const char *want)
{
	struct str s = STR_INIT;
	struct draw d;

	draw_begin(&d, o, &s);
	draw_table(&d, t);
	draw_end(&d);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
}

/* What stands between quotes depends on the separator; what could command a terminal does not
 * come through. */
TEST(csv_quotes)
{
	static const char *const texts[] = { "plain", "a,b", "a;b", "\"", "a\r\nb", "", "a\tb",
					     " x ", "\x1b[2J" };
	struct table t = { .key = "rows" };

	table_add_column(&t, "a,\"key", "Key");
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		table_add_row(&t)->cells[0] = cell_text(texts[i]);
	check_table(&t, &(struct draw_opts){ .output.sep = "," },
		    "\"a,\"\"key\"\nplain\n\"a,b\"\na;b\n\"\"\"\"\na\\x0d\\x0ab\n\na\\x09b\n x \n"
		    "\\x1b[2J\n");
	check_table(&t, &(struct draw_opts){ .output.sep = ";", .no_keys = true },
		    "plain\na,b\n\"a;b\"\n\"\"\"\"\na\\x0d\\x0ab\n\na\\x09b\n x \n\\x1b[2J\n");
	check_table(&t, &(struct draw_opts){ .output.sep = "lai", .no_keys = true },
		    "\"plain\"\na,b\na;b\n\"\"\"\"\na\\x0d\\x0ab\n\na\\x09b\n x \n\\x1b[2J\n");
	table_release(&t);
}

TEST(json_texts_and_limits)
{
	struct table t = { .key = "rows" };
	struct cell *c;

	table_add_column(&t, "t\"", "T");
	table_add_column(&t, "n", "N")->decimals = 3;
	for (int i = 0; i < 4; i++)
		table_add_row(&t);
	c = t.rows.v[0].cells;
	c[0] = cell_text("\\\"/\b\f\n\r\t\x01\x7f");
	c[1] = cell_int(INT64_MIN);
	c = t.rows.v[1].cells;
	/* then a half pair, and a 0 of two bytes */
	c[0] = cell_text("\xc3\xa4\xf0\x9f\x98\x80\xed\xa0\x80\xc0\x80");
	c[1] = cell_count(UINT64_MAX);
	c = t.rows.v[2].cells;
	c[0] = cell_text(NULL);
	c[1] = cell_num(-0.0004, -1);
	c = t.rows.v[3].cells;
	c[0] = cell_text("");
	c[1] = cell_num(0.0 / 0.0, -1);
	check_table(&t, &(struct draw_opts){ .output.json = true, .json = DRAW_JSON_ROWS },
		    "{\"t\\\"\":\"\\\\\\\"/\\b\\f\\n\\r\\t\\u0001\\u007f\",\"n\":"
		    "-9223372036854775808}\n"
		    "{\"t\\\"\":\"\xc3\xa4\xf0\x9f\x98\x80\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\","
		    "\"n\":18446744073709551615}\n"
		    "{\"t\\\"\":null,\"n\":-0.000}\n"
		    "{\"t\\\"\":\"\",\"n\":null}\n");
	table_release(&t);
}

/* Columns that follow upstream's spelling. */
TEST(forms_of_columns)
{
	static const struct { const char *key; u16 form; } cols[] = {
		{ "time", COL_SECONDS }, { "share", COL_PERCENT_SIGN }, { "cpu", COL_JSON_TEXT },
		{ "text_only", COL_NOT_IN_CSV | COL_NOT_IN_JSON }, { "csv", COL_NOT_IN_JSON },
		{ "json", COL_NOT_IN_CSV }, { "wide", COL_CSV_ALIGNED },
	};
	struct table t = { .key = "rows" };
	struct cell *c;

	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		struct column *col = table_add_column(&t, cols[i].key, cols[i].key);

		col->form = cols[i].form;
		col->decimals = 2;
	}
	t.cols.v[6].width = 6;
	c = table_add_row(&t)->cells;
	c[0] = cell_ns(1234567890);
	c[1] = cell_pct(99.996);
	c[2] = cell_int(-1);
	for (size_t i = 3; i < ARRAY_SIZE(cols); i++)
		c[i] = cell_count(i);
	check_table(&t, &(struct draw_opts){ .output.sep = "," },
		    "time,share,cpu,csv,wide\n1.23,100.00%,-1,4,     6\n");
	check_table(&t, &(struct draw_opts){ .output.json = true, .json = DRAW_JSON_ROWS },
		    "{\"time\":1.23,\"share\":99.9960,\"cpu\":\"-1\",\"json\":5,\"wide\":6}\n");
	table_release(&t);
}

/* A group in a group: each line of CSV begins with the values of both. */
TEST(groups_in_groups)
{
	struct table outer = { 0 }, inner = { 0 }, rows = { .key = "rows" };
	struct str csv = STR_INIT, json = STR_INIT;

	table_add_column(&outer, "event", "E");
	table_add_row(&outer)->cells[0] = cell_text("cs");
	table_add_column(&inner, "cpu", "CPU");
	table_add_row(&inner)->cells[0] = cell_int(3);
	table_add_column(&rows, "n", "N");
	table_add_row(&rows)->cells[0] = cell_count(1);
	table_add_row(&rows)->cells[0] = cell_count(2);
	for (int i = 0; i < 2; i++) {
		struct draw_opts o = { .output = { .json = i, .sep = i ? NULL : "," } };
		struct draw d;

		draw_begin(&d, &o, i ? &json : &csv);
		draw_group_begin(&d, "events", &outer);
		draw_group_begin(&d, "cpus", &inner);
		draw_table(&d, &rows);
		draw_group_end(&d);
		draw_group_begin(&d, "cpus", &inner);	/* one without rows */
		draw_group_end(&d);
		draw_group_end(&d);
		draw_end(&d);
	}
	CHECK_STR(str_cstr(&csv), "event,cpu,n\ncs,3,1\ncs,3,2\n");
	CHECK_STR(str_cstr(&json), "{\"events\":[\n{\"event\":\"cs\",\"cpus\":[\n"
				   "{\"cpu\":3,\"rows\":[\n"
				   "{\"n\":1},\n{\"n\":2}\n]},\n{\"cpu\":3}\n]}\n]}\n");
	str_release(&csv);
	str_release(&json);
	table_release(&outer);
	table_release(&inner);
	table_release(&rows);
}
