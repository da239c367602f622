// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables and call trees as text, against what upstream perf draws for such values.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/view/text.h"

static void fill(struct table *t)
{
	static const struct { double pct; const char *comm, *sym; char level; } rows[] = {
		{ 63.25, "sh", "main", '.' }, { 30, "a longer one", "do_syscall_64", 'k' },
			{ 6.75, "x\033[2J", "a,b", '.' },
	};
	struct column *c = table_add_column(t, "overhead", "Overhead");

	c->right = true;
	c->width = 8;
	c->decimals = 2;
	table_add_column(t, "comm", "Command");
	c = table_add_column(t, "symbol", "Symbol");
	c->trim = true;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct table_row *r = table_add_row(t);

		r->cells[0] = cell_pct(rows[i].pct);
		r->cells[1] = cell_text(rows[i].comm);
		r->cells[2] = (struct cell){ .kind = CELL_SYM, .level = rows[i].level,
					     .text = rows[i].sym };
	}
}

static void check_table(const struct text_opts *o, bool hide_second, const char *want)
{
	struct table t = { 0 };
	struct str s = STR_INIT;

	fill(&t);
	t.rows.v[1].hidden = hide_second;
	text_table(&s, &t, o);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
	table_release(&t);
}

TEST(columns)
{
	struct text_opts o = { 0 };

	check_table(&o, false,
		    "# Overhead  Command       Symbol           \n"
		    "# ........  ............  .................\n"
		    "#\n"
		    "    63.25%  sh            [.] main\n"
		    "    30.00%  a longer one  [k] do_syscall_64\n"
		    "     6.75%  x\\x1b[2J      [.] a,b\n");
}

TEST(narrow_terminal)
{
	struct table t = { 0 };
	struct str s = STR_INIT;
	struct text_opts o = { .no_titles = true, .columns = 64 };
	struct column *c = table_add_column(&t, "overhead", "Overhead");
	struct table_row *r;

	c->right = true;
	c->width = 8;
	c->decimals = 2;
	c = table_add_column(&t, "symbol", "Symbol");
	c->trim = true;
	r = table_add_row(&t);
	r->cells[0] = cell_pct(60);
	r->cells[1] = (struct cell){ .kind = CELL_SYM, .level = '.',
		.text = "std::map<std::string, std::vector<std::pair<int, long> > "
			">::operator[](std::string const&)" };
	r = table_add_row(&t);
	r->cells[0] = cell_pct(40);
	r->cells[1] = (struct cell){ .kind = CELL_SYM, .level = '.', .text = "sh\303\266rt" };
	text_table(&s, &t, &o);
	CHECK_STR(str_cstr(&s), "    60.00%  [.] std::map<std::string,...or[](std::string const&)\n"
				"    40.00%  [.] sh\303\266rt\n");
	CHECK_EQ(strchr(str_cstr(&s), '\n') - str_cstr(&s), 64);
	/* much narrower: a name keeps sixteen columns */
	str_reset(&s);
	o.columns = 20;
	text_table(&s, &t, &o);
	CHECK_EQ(strchr(str_cstr(&s), '\n') - str_cstr(&s), 2 + 8 + 2 + 16);
	str_reset(&s);
	o.columns = 0;
	text_table(&s, &t, &o);
	CHECK(strstr(str_cstr(&s), "...") == NULL);
	str_release(&s);
	table_release(&t);
}

TEST(hidden_rows_count_for_widths)
{
	struct text_opts o = { .no_titles = true };

	check_table(&o, true,
		    "    63.25%  sh            [.] main\n"
		    "     6.75%  x\\x1b[2J      [.] a,b\n");
}

TEST(separator_becomes_a_dot_in_names)
{
	struct text_opts o = { .sep = ',' };

	check_table(&o, true,
		    "# Overhead,Command     ,Symbol           \n"
		    " 63.25% ,sh          ,[.] main\n"
		    " 6.75%  ,x\\x1b[2J    ,[.] a.b\n");
}

TEST(given_widths_cut)
{
	u16 widths[] = { 8, 3 };
	struct text_opts o = { .widths = widths, .n_widths = 2 };

	check_table(&o, false,
		    "# Overhead  Com  Symbol           \n"
		    "# ........  ...  .................\n"
		    "#\n"
		    "    63.25%  sh   [.] main\n"
		    "    30.00%  a l  [k] do_syscall_64\n"
		    "     6.75%  x\\x  [.] a,b\n");
}

/* main -> (work -> (hot 50, cold 20, itself 10), init -> load 15), a second root with 5 */
static void grow(struct call_tree *t, bool two_roots)
{
	static const struct { const char *name; u64 value, self; u32 first, next, branches;
			      bool joined; } nodes[] = {
		{ NULL, 100, 0, 1, 0, 2, false },
		{ "main", 95, 0, 2, 7, 2, false },
		{ "work", 80, 10, 4, 3, 2, false },
		{ "init", 15, 0, 6, 0, 1, false },
		{ "hot", 50, 50, 0, 5, 0, false },
		{ "cold", 20, 20, 0, 0, 0, false },
		{ "load", 15, 15, 0, 0, 0, true },
		{ "other", 5, 5, 0, 0, 0, false },
	};
	size_t n = ARRAY_SIZE(nodes) - !two_roots;

	for (size_t i = 0; i < n; i++) {
		struct call_node *c = vec_add(&t->nodes);

		c->name = nodes[i].name;
		c->value = c->count = nodes[i].value;
		c->self = c->self_count = nodes[i].self;
		c->first_child = nodes[i].first;
		c->next = nodes[i].next < n ? nodes[i].next : 0;
		c->n_branches = nodes[i].branches;
		c->joined = nodes[i].joined;
	}
	t->nodes.v[0].n_branches = 1 + two_roots;
	t->nodes.v[0].value = two_roots ? 100 : 95;
	t->total = t->nodes.v[0].value;
}

static void check_tree(const struct chain_opts *c, bool two_roots, const char *want)
{
	struct text_opts o = { .chain = c, .total = 200 };
	struct call_tree t = { 0 };
	struct str s = STR_INIT;

	grow(&t, two_roots);
	text_call_tree(&s, &t, &o);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
	vec_free(&t.nodes);
}

TEST(graph)
{
	struct chain_opts c = { .mode = CHAIN_GRAPH };

	check_tree(&c, false,
		   "            |\n"
		   "            ---main\n"
		   "               |          \n"
		   "               |--40.00%--work\n"
		   "               |          |          \n"
		   "               |          |--25.00%--hot\n"
		   "               |          |          \n"
		   "               |           --10.00%--cold\n"
		   "               |          \n"
		   "                --7.50%--init\n"
		   "                          load\n"
		   "\n");
}

TEST(graph_with_two_beginnings)
{
	struct chain_opts c = { .mode = CHAIN_GRAPH, .value = CHAIN_COUNT };

	check_tree(&c, true,
		   "            |          \n"
		   "            |--95--main\n"
		   "            |          |          \n"
		   "            |          |--80--work\n"
		   "            |          |          |          \n"
		   "            |          |          |--50--hot\n"
		   "            |          |          |          \n"
		   "            |          |           --20--cold\n"
		   "            |          |          \n"
		   "            |           --15--init\n"
		   "            |                     load\n"
		   "            |          \n"
		   "             --5--other\n"
		   "\n");
}

TEST(fractal_is_relative_to_what_goes_on)
{
	struct chain_opts c = { .mode = CHAIN_FRACTAL };

	check_tree(&c, false,
		   "            |\n"
		   "            ---main\n"
		   "               |          \n"
		   "               |--84.21%--work\n"
		   "               |          |          \n"
		   "               |          |--71.43%--hot\n"
		   "               |          |          \n"
		   "               |           --28.57%--cold\n"
		   "               |          \n"
		   "                --15.79%--init\n"
		   "                          load\n"
		   "\n");
}

TEST(flat_and_folded)
{
	struct chain_opts flat = { .mode = CHAIN_FLAT },
		folded = { .mode = CHAIN_FOLDED, .value = CHAIN_PERIOD };

	check_tree(&folded, true,
		   "50 main;work;hot\n"
		   "20 main;work;cold\n"
		   "15 main;init;load\n"
		   "10 main;work\n"
		   "5 other\n");
	flat.print_limit = 2;
	check_tree(&flat, true,
		   "           25.00%\n"
		   "                main\n"
		   "                work\n"
		   "                hot\n"
		   "\n"
		   "           10.00%\n"
		   "                main\n"
		   "                work\n"
		   "                cold\n"
		   "\n");
}

TEST(counts_with_units)
{
	struct str s = STR_INIT;

	text_count_unit(&s, 259);
	str_addch(&s, '|');
	text_count_unit(&s, 3593);
	str_addch(&s, '|');
	text_count_unit(&s, 3636028);
	CHECK_STR(str_cstr(&s), "259 |3K|3M");
	str_release(&s);
}

/* Percentages by their weight: 5 and more red, half of one and more green. */
TEST(colours)
{
	static const double pcts[] = { 5, 4.99, 0.5, 0.49 };
	struct text_opts o = { .color = true, .no_titles = true };
	struct table t = { 0 };
	struct str s = STR_INIT;
	struct column *c = table_add_column(&t, "overhead", "Overhead");

	c->right = true;
	c->width = 8;
	c->decimals = 2;
	for (size_t i = 0; i < ARRAY_SIZE(pcts); i++)
		table_add_row(&t)->cells[0] = cell_pct(pcts[i]);
	text_table(&s, &t, &o);
	CHECK_STR(str_cstr(&s), "  \033[31m   5.00%\033[m\n  \033[32m   4.99%\033[m\n"
				"  \033[32m   0.50%\033[m\n     0.49%\n");
	str_release(&s);
	table_release(&t);
}

/* Kinds of cells as text, each with its limits. */
TEST(kinds_of_cells)
{
	static const struct cell cells[] = {
		{ .kind = CELL_COUNT, .u = UINT64_MAX }, { .kind = CELL_INT, .s = INT64_MIN },
		{ .kind = CELL_NS, .u = 1999999999 }, { .kind = CELL_PCT, .d = 100 },
		{ .kind = CELL_ADDR, .u = 0xabc }, { .kind = CELL_BOOL, .u = 1 },
		{ .kind = CELL_TASK, .u = 42, .text = "sh" }, { .kind = CELL_NONE },
		{ .kind = CELL_TEXT, .text = NULL },
		{ .kind = CELL_SYM, .level = 'k', .text = "f", .suffix_inlined = true },
	};
	struct text_opts o = { .no_titles = true };
	struct table t = { 0 };
	struct str s = STR_INIT;

	table_add_column(&t, "a", "A")->trim = true;
	t.cols.v[0].decimals = 6;
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		table_add_row(&t)->cells[0] = cells[i];
	text_table(&s, &t, &o);
	CHECK_STR(str_cstr(&s),
		  "  18446744073709551615\n  -9223372036854775808\n  1.999999\n  100.000000%\n"
		  "  0x0000000000000abc\n  yes\n       42:sh\n  N/A\n  \n  [k] f (inlined)\n");
	str_release(&s);
	table_release(&t);
}

/* A tree of one frame, one without a name, and none. */
TEST(trees_of_one_frame)
{
	struct chain_opts c = { .mode = CHAIN_GRAPH };
	struct text_opts o = { .chain = &c, .total = 10 };
	struct call_tree t = { .total = 10 };
	struct call_node *n;
	struct str s = STR_INIT;

	text_call_tree(&s, &t, &o);
	CHECK_EQ(s.len, 0);
	n = vec_add(&t.nodes);
	n->value = n->count = 10;
	n->first_child = n->n_branches = 1;
	n = vec_add(&t.nodes);
	n->va = 0xdeadbeef;
	n->value = n->self = n->count = n->self_count = 10;
	text_call_tree(&s, &t, &o);
	CHECK_STR(str_cstr(&s), "            |\n            ---0xdeadbeef\n\n");
	o.skip_first = true;
	str_reset(&s);
	text_call_tree(&s, &t, &o);
	CHECK_STR(s.len ? s.buf : "", "");
	str_release(&s);
	vec_free(&t.nodes);
}
