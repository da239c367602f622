// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The histogram on stacks made by hand: exact totals, also with recursion, and chains in both
 * orders.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/analysis/hist/hist.h"

#define N_SYMS 8
struct world {
	struct os os;
	struct symbols_opts no_opts;
	struct dso_store *dsos;
	struct dso *dso;
	struct symbol syms[N_SYMS];
	struct thread thread;
	struct comm comm;
	struct event_list events;
	struct event *event;
	struct hist_keys keys;
	struct hist *h;
};

static const char *const names[N_SYMS] = { "a", "b", "c", "d", "e", "f", "g", "main" };

static void world_init(struct world *w, const char *sort, bool children, bool callgraph)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct keys_spec spec = { .sort = sort, .children = children };
	struct hist_opts opts = { .children = children, .callgraph = callgraph, .no_inline = true };
	struct err err = ERR_INIT;

	memset(w, 0, sizeof(*w));
	os_init(&w->os);
	w->dsos = dso_store_new(&w->os, &w->no_opts);
	w->dso = dso_get(w->dsos, &(struct dso_key){ .kind = DSO_FILE, .path = "/no/such/prog" });
	for (unsigned i = 0; i < N_SYMS; i++)
		w->syms[i] = (struct symbol){ .start_rva = 0x1000 * (i + 1),
					      .end_rva = 0x1000 * (i + 1) + 0x800,
					      .name = names[i], .mangled = names[i] };
	w->thread = (struct thread){ .pid = 1, .tid = 1 };
	w->comm = (struct comm){ .name = "prog" };
	event_list_init(&w->events);
	w->event = event_list_add(&w->events, &attr, "cpu-clock");
	CHECK_EQ(hist_keys_init(&w->keys, &spec, &w->events, &err), 0);
	opts.events = &w->events;
	opts.keys = &w->keys;
	w->h = hist_new(&opts, &err);
	CHECK(w->h);
}

static void world_release(struct world *w)
{
	hist_free(w->h);
	hist_keys_release(&w->keys);
	event_list_release(&w->events);
	dso_store_free(w->dsos);
	os_release(&w->os);
}

static struct location at(struct world *w, char name, unsigned off)
{
	struct location l = { .cpumode = PERF_RECORD_MISC_USER };
	unsigned i = name == 'm' ? 7 : (unsigned)(name - 'a');

	if (name == '?') {		/* known file, no symbol */
		l.dso = w->dso;
		l.rva = l.va = 0x90000 + off;
		return l;
	}
	if (name == '!') {		/* nothing mapped */
		l.va = 0x7878787800 + off;
		return l;
	}
	l.dso = w->dso;
	l.sym = &w->syms[i];
	l.va = l.rva = w->syms[i].start_rva + off;
	return l;
}

/* "mab": main called a called b, where the sample was taken. */
static void feed(struct world *w, struct sink *sink, const char *stack, u64 period)
{
	struct location frames[64];
	struct sample s = { .present = PERF_SAMPLE_PERIOD | PERF_SAMPLE_IP, .period = period,
			    .event = w->event, .pid = 1,
			    .tid = 1, .cpumode = PERF_RECORD_MISC_USER };
	struct resolved r = { .thread = &w->thread, .comm = &w->comm, .frames = frames };
	struct sink_item item = { .sample = &s, .res = &r };

	r.n_frames = (u32)strlen(stack);
	for (u32 i = 0; i < r.n_frames; i++)
		frames[i] = at(w, stack[r.n_frames - 1 - i], (unsigned)(i ? 5 : 9 + period % 7));
	r.leaf = frames[0];
	sink->samples(sink, &item, 1);
}

static const struct hist_row *row_of(struct world *w, const char *name)
{
	for (size_t i = 0; i < hist_n_rows(w->h, w->event); i++) {
		const struct hist_row *r = hist_row(w->h, w->event, i);

		for (size_t k = 0; k < w->keys.cols.n; k++) {
			const struct hist_sym *s;

			if (strcmp(w->keys.cols.v[k].def->name, "symbol"))
				continue;
			s = (void *)(uintptr_t)hist_row_word(w->h, r, k);
			if (!strcmp(hist_loc_name(s), name))
				return r;
		}
	}
	unit_fail(__FILE__, __LINE__, name);
}

static void feed_many(struct world *w, struct sink *s, unsigned seed, int n)
{
	for (int i = 0; i < n; i++) {
		char stack[16] = "m";
		unsigned len;

		seed = seed * 1103515245 + 12345;
		len = 1 + (seed >> 16) % 10;
		for (unsigned k = 1; k < len; k++) {
			seed = seed * 1103515245 + 12345;
			stack[k] = (char)('a' + (seed >> 16) % 7);
		}
		feed(w, s, stack, 1 + (seed >> 20) % 3);
	}
}

static void check_row(struct world *w, const char *name, u64 sum, u64 self)
{
	const struct hist_row *r = row_of(w, name);

	CHECK_EQ(r->sum, sum);
	CHECK_EQ(r->self, self);
}

TEST(children_count_each_stack_once)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, true, true);
	s = hist_sink(w.h);
	CHECK(s->wants & SINK_CHAIN);
	feed(&w, s, "mab", 10);
	feed(&w, s, "maab", 20);	/* a twice: counts once */
	feed(&w, s, "maba", 40);	/* a at both ends */
	feed(&w, s, "m", 5);
	feed(&w, s, "mcacac", 100);
	hist_finish(w.h);
	CHECK_EQ(hist_total(w.h, w.event).period, 175);
	CHECK_EQ(hist_total(w.h, w.event).n, 5);
	CHECK_EQ(hist_n_rows(w.h, w.event), 4);
	check_row(&w, "main", 175, 5);
	check_row(&w, "a", 170, 40);
	check_row(&w, "b", 70, 30);
	check_row(&w, "c", 100, 100);
	/* ordered by the children total */
	CHECK_EQ(hist_row(w.h, w.event, 0)->sum, 175);
	CHECK_EQ(hist_row(w.h, w.event, 3)->sum, 70);
	world_release(&w);
}

TEST(finished_again_and_cleared)
{
	struct world w;

	world_init(&w, "dso,symbol", true, true);
	feed(&w, hist_sink(w.h), "mab", 10);
	hist_finish(w.h);
	check_row(&w, "a", 10, 0);
	feed(&w, hist_sink(w.h), "mab", 5);
	feed(&w, hist_sink(w.h), "mc", 2);
	hist_finish(w.h);
	check_row(&w, "a", 15, 0);
	check_row(&w, "main", 17, 0);
	check_row(&w, "c", 2, 2);
	hist_clear(w.h);
	feed(&w, hist_sink(w.h), "ma", 3);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 2);
	CHECK_EQ(hist_total(w.h, w.event).period, 3);
	check_row(&w, "a", 3, 3);
	check_row(&w, "main", 3, 0);
	world_release(&w);
}

TEST(decays_and_forgets)
{
	struct world w;

	world_init(&w, "dso,symbol", true, true);
	for (int i = 0; i < 8; i++)
		feed(&w, hist_sink(w.h), "mab", 800);
	feed(&w, hist_sink(w.h), "mc", 800);
	hist_decay(w.h, 7, 8);
	hist_finish(w.h);
	CHECK_EQ(hist_total(w.h, w.event).period, 9 * 700);
	CHECK_EQ(hist_total(w.h, w.event).n, 7);
	check_row(&w, "main", 6300, 0);
	check_row(&w, "b", 5600, 5600);
	check_row(&w, "c", 700, 700);
	CHECK_EQ(row_of(&w, "b")->sum_n, 7);
	CHECK_EQ(row_of(&w, "c")->sum_n, 1);
	/* what comes after it counts whole, on the same paths */
	feed(&w, hist_sink(w.h), "mab", 800);
	hist_finish(w.h);
	check_row(&w, "b", 6400, 6400);
	check_row(&w, "a", 6400, 0);
	/* less than half a sample is none: 7/8 of 800 six times */
	for (int i = 0; i < 4; i++)
		hist_decay(w.h, 7, 8);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 4);
	hist_decay(w.h, 7, 8);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 3);		/* main, a, b */
	CHECK_EQ(hist_n_nodes(w.h), 4);			/* and the root */
	CHECK_EQ(hist_total(w.h, w.event).period, row_of(&w, "b")->sum);
	for (int i = 0; i < 40; i++)
		hist_decay(w.h, 7, 8);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 0);
	CHECK_EQ(hist_n_nodes(w.h), 0);
	CHECK_EQ(hist_total(w.h, w.event).period, 0);
	world_release(&w);
}

TEST(decays_without_call_graph)
{
	struct world w;

	world_init(&w, NULL, true, false);
	feed(&w, hist_sink(w.h), "mab", 80);
	feed(&w, hist_sink(w.h), "mc", 80);
	hist_decay(w.h, 1, 2);
	feed(&w, hist_sink(w.h), "mab", 8);
	hist_finish(w.h);
	check_row(&w, "main", 88, 0);
	check_row(&w, "a", 48, 0);
	check_row(&w, "b", 48, 48);
	check_row(&w, "c", 40, 40);
	world_release(&w);
}

/* Tasks come and go, each with a name of its own: the ids of those that are gone are gone, too,
 * and the rows of those that are left are as they were. */
TEST(decay_renumbers_what_is_left)
{
	static char texts[20000][16];
	struct world w;

	world_init(&w, "comm,symbol", true, true);
	for (int i = 0; i < 20000; i++) {
		snprintf(texts[i], sizeof(texts[i]), "task%d", i);
		w.comm.name = texts[i];
		feed(&w, hist_sink(w.h), i % 2 ? "mab" : "mcd", 100);
		if (i % 100 == 99)
			hist_decay(w.h, 1, 2);
	}
	w.comm.name = "last";
	feed(&w, hist_sink(w.h), "mab", 50);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 100 * 3 + 3);
	check_row(&w, "b", 50, 50);
	CHECK_EQ(hist_total(w.h, w.event).period, 100 * 50 + 50);
	/* of 20000 groups, and of 2 decays at most */
	CHECK(hist_n_groups(w.h) < 8192);
	world_release(&w);
}

TEST(threads_of_rows_are_told)
{
	struct thread other = { .pid = 2, .tid = 2 };
	struct hmap kept = { 0 };
	struct world w;

	world_init(&w, "pid,symbol", false, false);
	feed(&w, hist_sink(w.h), "m", 80);
	w.thread = (struct thread){ .pid = 1, .tid = 1 };
	hist_threads(w.h, &kept);
	CHECK_EQ(kept.n, 1);
	CHECK(hmap_get(&kept, (uintptr_t)&w.thread));
	CHECK(!hmap_get(&kept, (uintptr_t)&other));
	hmap_release(&kept);
	hist_decay(w.h, 0, 1);
	hist_threads(w.h, &kept);
	CHECK_EQ(kept.n, 0);
	hmap_release(&kept);
	world_release(&w);
}

TEST(table_of_the_first_rows)
{
	struct hist_view_opts o = { .max_rows = 2, .min_n = 2, .chain.mode = CHAIN_NONE };
	struct table t = { 0 };
	struct world w;
	size_t shown = 0;

	world_init(&w, "symbol", false, false);
	feed(&w, hist_sink(w.h), "a", 500);
	for (int i = 0; i < 3; i++) {
		feed(&w, hist_sink(w.h), "b", 100);
		feed(&w, hist_sink(w.h), "c", 90);
		feed(&w, hist_sink(w.h), "d", 80);
	}
	hist_finish(w.h);
	hist_table(w.h, w.event, &o, &t);
	CHECK_EQ(t.rows.n, 3);		/* a has one sample: hidden; d is one too many */
	for vec_each(r, &t.rows)
		shown += !r->hidden;
	CHECK_EQ(shown, 2);
	CHECK(t.rows.v[0].hidden);
	table_release(&t);
	world_release(&w);
}

TEST(children_without_call_graph)
{
	struct world w, g;
	struct sink *c;

	world_init(&w, NULL, true, false);
	world_init(&g, NULL, true, true);
	for (unsigned i = 0; i < 3; i++)
		feed_many(&g, hist_sink(g.h), i, 300);
	/* the same rows, but no stacks are kept; merged as well */
	c = hist_sink(w.h)->clone(hist_sink(w.h));
	feed_many(&w, c, 2, 300);
	feed_many(&w, hist_sink(w.h), 0, 300);
	feed_many(&w, hist_sink(w.h), 1, 300);
	hist_sink(w.h)->merge(hist_sink(w.h), c);
	hist_finish(w.h);
	hist_finish(g.h);
	CHECK_EQ(hist_n_nodes(w.h), N_SYMS + 1);
	CHECK_EQ(hist_n_rows(w.h, w.event), N_SYMS);
	for (unsigned i = 0; i < N_SYMS; i++) {
		const struct hist_row *a = row_of(&w, names[i]), *b = row_of(&g, names[i]);

		CHECK_EQ(a->sum, b->sum);
		CHECK_EQ(a->sum_n, b->sum_n);
		CHECK_EQ(a->self, b->self);
	}
	world_release(&w);
	world_release(&g);
}

TEST(self_only)
{
	struct world w;

	world_init(&w, NULL, false, false);
	CHECK(!(hist_sink(w.h)->wants & SINK_CHAIN));
	feed(&w, hist_sink(w.h), "mab", 10);
	feed(&w, hist_sink(w.h), "mb", 1);
	feed(&w, hist_sink(w.h), "ma", 3);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 2);
	check_row(&w, "b", 11, 11);
	check_row(&w, "a", 3, 3);
	/* no stacks are kept */
	CHECK_EQ(hist_n_nodes(w.h), 3);
	world_release(&w);
}

static void unknown_rows(bool children)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, children, children);
	s = hist_sink(w.h);
	for (int i = 0; i < 10; i++)
		feed(&w, s, "m?", (u64)i + 1);
	feed(&w, s, "!", 1);
	hist_finish(w.h);
	/* one row for the file, one for what is not mapped, however many addresses */
	CHECK_EQ(hist_n_rows(w.h, w.event), children ? 3 : 2);
	world_release(&w);
}

TEST(unknown_is_one_row_per_file)
{
	unknown_rows(false);
	unknown_rows(true);
}

/* b has the name of a: another function in a file, the same one again, compiled anew, in a JIT
 * compiler's map. */
static size_t rows_of_equal_names(enum dso_kind kind, const char *path, u64 *sum)
{
	char again[] = "a";
	struct world w;
	size_t n;

	world_init(&w, "sym", false, true);
	w.dso = dso_get(w.dsos, &(struct dso_key){ .kind = kind, .path = path });
	w.syms[1].name = again;

	struct sink *s = hist_sink(w.h);

	feed(&w, s, "ma", 1);
	feed(&w, s, "mb", 10);
	feed(&w, s, "mc", 100);
	hist_finish(w.h);
	n = hist_n_rows(w.h, w.event);
	*sum = row_of(&w, "a")->sum;
	world_release(&w);
	return n;
}

TEST(functions_compiled_again_are_one_row)
{
	u64 sum;

	CHECK_EQ(rows_of_equal_names(DSO_FILE, "/bin/prog", &sum), 3);
	CHECK(sum < 11);
	CHECK_EQ(rows_of_equal_names(DSO_PERF_MAP, "/tmp/perf-1.map", &sum), 2);
	CHECK_EQ(sum, 11);
	CHECK_EQ(rows_of_equal_names(DSO_FILE, "/x/jitted-1-7.so", &sum), 2);
	CHECK_EQ(sum, 11);
}

static void add_tree(struct str *out, const struct call_tree *t, u32 node)
{
	for (u32 k = t->nodes.v[node].first_child; k; k = t->nodes.v[k].next) {
		const struct call_node *n = &t->nodes.v[k];

		str_addf(out, "%s%s:%llu", n->joined ? "+" : "", n->name ? n->name : "?",
			 (unsigned long long)n->value);
		if (n->self)
			str_addf(out, "=%llu", (unsigned long long)n->self);
		if (n->first_child) {
			str_addch(out, '(');
			add_tree(out, t, k);
			str_addch(out, ')');
		}
		if (n->next)
			str_addch(out, ' ');
	}
}

static char *tree_of(struct world *w, const char *name, bool caller, double min_pct)
{
	struct hist_view_opts o = { .chain =
				    { .mode = CHAIN_GRAPH, .caller = caller, .min_pct = min_pct } };
	struct table t = { 0 };
	struct str s = STR_INIT;
	size_t col = 0;

	hist_table(w->h, w->event, &o, &t);
	while (strcmp(t.cols.v[col].key, "symbol"))
		col++;
	for vec_each(row, &t.rows)
		if (!strcmp(row->cells[col].text, name) && row->tree)
			add_tree(&s, row->tree, 0);
	table_release(&t);
	return str_detach(&s);
}

static void check_tree(struct world *w, const char *name, bool caller, double min_pct,
		       const char *want)
{
	char *got = tree_of(w, name, caller, min_pct);

	CHECK_STR(got, want);
	free(got);
}

/* Chains name the place in a file, which is the same in every process; what is not mapped has an
 * address only. */
TEST(unknown_callers_are_places_in_the_file)
{
	struct world w;

	world_init(&w, NULL, true, true);
	feed(&w, hist_sink(w.h), "m?a", 1);
	feed(&w, hist_sink(w.h), "m!a", 10);
	hist_finish(w.h);
	check_tree(&w, "a", false, 0, "a:11(?:10(+main:10=10) prog+0x90005:1(+main:1=1))");
	world_release(&w);
}

TEST(chains_in_caller_order)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, true, true);
	s = hist_sink(w.h);
	feed(&w, s, "mab", 10);
	feed(&w, s, "mac", 20);
	feed(&w, s, "ma", 5);
	feed(&w, s, "mdab", 40);
	feed(&w, s, "mcab", 25);
	hist_finish(w.h);
	/* stacks through the row from it on, stacks that end in it from their root */
	check_tree(&w, "a", true, 0, "a:95(b:75=75 c:20=20) main:5(+a:5=5)");
	check_tree(&w, "main", true, 0, "main:100(d:40(+a:40(+b:40=40)) a:35=5(c:20=20 b:10=10) "
					"c:25(+a:25(+b:25=25)))");
	check_tree(&w, "b", true, 0, "main:75(d:40(+a:40(+b:40=40)) c:25(+a:25(+b:25=25)) "
				     "a:10(+b:10=10))");
	/* c: itself below a, and as caller of a */
	check_tree(&w, "c", true, 0, "c:25(+a:25(+b:25=25)) main:20(+a:20(+c:20=20))");
	/* the limit hides, but does not join */
	check_tree(&w, "main", true, 36, "main:100(d:40(+a:40(+b:40=40)))");
	world_release(&w);
}

TEST(chains_in_callee_order)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, true, true);
	s = hist_sink(w.h);
	feed(&w, s, "mab", 10);
	feed(&w, s, "mac", 20);
	feed(&w, s, "ma", 5);
	feed(&w, s, "mdab", 40);
	hist_finish(w.h);
	check_tree(&w, "a", false, 0, "a:75(d:40(+main:40=40) main:35=35)");
	check_tree(&w, "b", false, 0, "b:50(+a:50(d:40(+main:40=40) main:10=10))");
	world_release(&w);
}

TEST(chains_with_recursion)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, true, true);
	s = hist_sink(w.h);
	feed(&w, s, "mab", 1);
	feed(&w, s, "maab", 2);
	feed(&w, s, "maaa", 4);
	hist_finish(w.h);
	/* from the outermost a; what ends in a from the root */
	check_tree(&w, "a", true, 0, "main:4(+a:4(+a:4(+a:4=4))) a:3(a:2(+b:2=2) b:1=1)");
	/* from the innermost a to the root */
	check_tree(&w, "a", false, 0, "a:7(a:6(a:4(+main:4=4) main:2=2) main:1=1)");
	world_release(&w);
}

TEST(without_children_only_what_ends_in_the_row)
{
	struct world w;
	struct sink *s;

	world_init(&w, NULL, false, true);
	s = hist_sink(w.h);
	feed(&w, s, "mab", 10);
	feed(&w, s, "mac", 20);
	feed(&w, s, "ma", 5);
	hist_finish(w.h);
	CHECK_EQ(hist_n_rows(w.h, w.event), 3);
	check_tree(&w, "b", false, 0, "b:10(+a:10(+main:10=10))");
	check_tree(&w, "a", true, 0, "main:5(+a:5=5)");
	world_release(&w);
}

static char *all_trees(struct world *w)
{
	struct str s = STR_INIT;

	for (unsigned i = 0; i < N_SYMS; i++) {
		char *up = tree_of(w, names[i], false, 0), *down = tree_of(w, names[i], true, 0);

		str_addf(&s, "%s|%s\n", up, down);
		free(up);
		free(down);
	}
	for (size_t i = 0; i < hist_n_rows(w->h, w->event); i++)
		str_addf(&s, "%llu %llu\n", (unsigned long long)hist_row(w->h, w->event, i)->sum,
			 (unsigned long long)hist_row(w->h, w->event, i)->self);
	return str_detach(&s);
}

TEST(merged_clones_equal_one_sink)
{
	struct world one, two;
	struct sink *s, *c[3];
	char *a, *b;

	world_init(&one, NULL, true, true);
	for (unsigned i = 0; i < 4; i++)
		feed_many(&one, hist_sink(one.h), i, 500);
	hist_finish(one.h);
	world_init(&two, NULL, true, true);
	s = hist_sink(two.h);
	for (unsigned i = 0; i < 3; i++)
		c[i] = s->clone(s);
	/* filled in another order than they are merged in */
	for (unsigned i = 3; i-- > 0;)
		feed_many(&two, c[i], i + 1, 500);
	feed_many(&two, s, 0, 500);
	for (unsigned i = 0; i < 3; i++)
		s->merge(s, c[i]);
	hist_finish(two.h);
	a = all_trees(&one);
	b = all_trees(&two);
	CHECK_STR(a, b);
	CHECK(strlen(a) > 1000);
	CHECK_EQ(hist_total(one.h, one.event).period, hist_total(two.h, two.event).period);
	free(a);
	free(b);
	world_release(&one);
	world_release(&two);
}

TEST(unknown_key_is_an_error)
{
	struct hist_keys k;
	struct keys_spec spec = { .sort = "comm,nosuch" };
	struct err err = ERR_INIT;

	CHECK(hist_keys_init(&k, &spec, NULL, &err) < 0);
	CHECK(strstr(err.msg, "'nosuch'"));
	CHECK(strstr(err.hint, "symbol"));
	err_release(&err);
}
