// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/sample-filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/event/parse-priv.h"
#include "util/os/cgroup.h"

#define MAX_DEPTH 32		/* of parentheses */
#define PATH_CHARS "/-_.:@\\"	/* of cgroups, with letters and digits */

/* ---- terms ---- */

struct value { const char *name; u64 v; u8 shift, bits; };	/* bits 0: the term's */

static const struct value ops[] = {
	{ "na", PERF_MEM_OP_NA, 0, 0 }, { "load", PERF_MEM_OP_LOAD, 0, 0 },
	{ "store", PERF_MEM_OP_STORE, 0, 0 }, { "pfetch", PERF_MEM_OP_PFETCH, 0, 0 },
	{ "exec", PERF_MEM_OP_EXEC, 0, 0 }, { NULL, 0, 0, 0 },
};
static const struct value levels[] = {
	{ "na", PERF_MEM_LVLNUM_NA, 0, 0 }, { "l1", PERF_MEM_LVLNUM_L1, 0, 0 },
	{ "l2", PERF_MEM_LVLNUM_L2, 0, 0 }, { "l3", PERF_MEM_LVLNUM_L3, 0, 0 },
	{ "l4", PERF_MEM_LVLNUM_L4, 0, 0 }, { "cxl", 0x9, 0, 0 }, { "io", 0xa, 0, 0 },
	{ "any_cache", PERF_MEM_LVLNUM_ANY_CACHE, 0, 0 }, { "lfb", PERF_MEM_LVLNUM_LFB, 0, 0 },
	{ "ram", PERF_MEM_LVLNUM_RAM, 0, 0 }, { "pmem", PERF_MEM_LVLNUM_PMEM, 0, 0 },
	{ NULL, 0, 0, 0 },
};
/* The last two are bits of another field. */
static const struct value snoops[] = {
	{ "na", PERF_MEM_SNOOP_NA, 0, 0 }, { "none", PERF_MEM_SNOOP_NONE, 0, 0 },
	{ "hit", PERF_MEM_SNOOP_HIT, 0, 0 }, { "miss", PERF_MEM_SNOOP_MISS, 0, 0 },
	{ "hitm", PERF_MEM_SNOOP_HITM, 0, 0 },
	{ "fwd", PERF_MEM_SNOOPX_FWD, PERF_MEM_SNOOPX_SHIFT, 2 },
	{ "peer", 2, PERF_MEM_SNOOPX_SHIFT, 2 }, { NULL, 0, 0, 0 },
};
static const struct value remotes[] = {
	{ "remote", PERF_MEM_REMOTE_REMOTE, 0, 0 }, { NULL, 0, 0, 0 },
};
static const struct value locks[] = {
	{ "na", PERF_MEM_LOCK_NA, 0, 0 }, { "locked", PERF_MEM_LOCK_LOCKED, 0, 0 },
	{ NULL, 0, 0, 0 },
};
#define TLB_ANY (PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2)
static const struct value tlbs[] = {
	{ "na", PERF_MEM_TLB_NA, 0, 0 },
	{ "l1_hit", PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT, 0, 0 },
	{ "l1_miss", PERF_MEM_TLB_L1 | PERF_MEM_TLB_MISS, 0, 0 },
	{ "l2_hit", PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT, 0, 0 },
	{ "l2_miss", PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS, 0, 0 },
	{ "any_hit", TLB_ANY | PERF_MEM_TLB_HIT, 0, 0 },
	{ "any_miss", TLB_ANY | PERF_MEM_TLB_MISS, 0, 0 },
	{ "walk", PERF_MEM_TLB_WK, 0, 0 }, { "fault", PERF_MEM_TLB_OS, 0, 0 },
	{ NULL, 0, 0, 0 },
};
static const struct value blocks[] = {
	{ "na", PERF_MEM_BLK_NA, 0, 0 }, { "by_data", PERF_MEM_BLK_DATA, 0, 0 },
	{ "by_addr", PERF_MEM_BLK_ADDR, 0, 0 }, { NULL, 0, 0, 0 },
};
static const struct value hops[] = {
	{ "hops0", PERF_MEM_HOPS_0, 0, 0 }, { "hops1", 2, 0, 0 }, { "hops2", 3, 0, 0 },
	{ "hops3", 4, 0, 0 }, { NULL, 0, 0, 0 },
};

struct term_def {
	const char *name;
	enum filterrec_word word;
	u8 shift, bits;
	u64 field;			/* PERF_SAMPLE_* that samples must have; 0: none */
	const char *field_name, *option;	/* of record, that adds it */
	const struct value *values;
};

#define FIELD(f, o) PERF_SAMPLE_##f, "PERF_SAMPLE_" #f, o
#define ALWAYS 0, NULL, NULL
#define MEM(name, what, bits, values) \
	{ name, FILTERREC_DATA_SRC, PERF_MEM_##what##_SHIFT, bits, FIELD(DATA_SRC, "-d"), values }

static const struct term_def terms[] = {
	{ "ip", FILTERREC_IP, 0, 64, ALWAYS, NULL },
	{ "id", FILTERREC_ID, 0, 64, ALWAYS, NULL },
	{ "tid", FILTERREC_TID, 0, 64, ALWAYS, NULL },
	{ "pid", FILTERREC_PID, 0, 64, ALWAYS, NULL },
	{ "cpu", FILTERREC_CPU, 0, 64, FIELD(CPU, "--sample-cpu"), NULL },
	{ "time", FILTERREC_TIME, 0, 64, FIELD(TIME, "-T"), NULL },
	{ "addr", FILTERREC_ADDR, 0, 64, FIELD(ADDR, "-d"), NULL },
	{ "period", FILTERREC_PERIOD, 0, 64, ALWAYS, NULL },
	{ "txn", FILTERREC_TXN, 0, 64, FIELD(TRANSACTION, "--transaction"), NULL },
	{ "weight", FILTERREC_WEIGHT, 0, 64, PERF_SAMPLE_WEIGHT_TYPE, "PERF_SAMPLE_WEIGHT", "-W",
	  NULL },
	{ "phys_addr", FILTERREC_PHYS_ADDR, 0, 64, FIELD(PHYS_ADDR, "--phys-data"), NULL },
	{ "code_pgsz", FILTERREC_CODE_PAGE, 0, 64, FIELD(CODE_PAGE_SIZE, "--code-page-size"),
	  NULL },
	{ "data_pgsz", FILTERREC_DATA_PAGE, 0, 64, FIELD(DATA_PAGE_SIZE, "--data-page-size"),
	  NULL },
	{ "weight1", FILTERREC_WEIGHT, 0, 32, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	{ "weight2", FILTERREC_WEIGHT, 32, 16, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	{ "weight3", FILTERREC_WEIGHT, 48, 16, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	{ "ins_lat", FILTERREC_WEIGHT, 32, 16, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	{ "retire_lat", FILTERREC_WEIGHT, 48, 16, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	{ "p_stage_cyc", FILTERREC_WEIGHT, 48, 16, FIELD(WEIGHT_STRUCT, "-W"), NULL },
	MEM("mem_op", OP, 5, ops),
	MEM("mem_lvl", LVLNUM, 4, levels),
	MEM("mem_snoop", SNOOP, 5, snoops),
	MEM("mem_remote", REMOTE, 1, remotes),
	MEM("mem_lock", LOCK, 2, locks),
	MEM("mem_locked", LOCK, 2, locks),
	MEM("mem_dtlb", TLB, 7, tlbs),
	MEM("mem_blk", BLK, 3, blocks),
	MEM("mem_hops", HOPS, 3, hops),
	{ "uid", FILTERREC_UID, 0, 64, ALWAYS, NULL },
	{ "gid", FILTERREC_GID, 0, 64, ALWAYS, NULL },
	{ "cgroup", FILTERREC_CGROUP, 0, 64, FIELD(CGROUP, "--all-cgroups"), NULL },
};

static const struct { const char *text; enum filterrec_op op; } operators[] = {
	{ "==", FILTERREC_EQ }, { "!=", FILTERREC_NE }, { ">=", FILTERREC_GE },
	{ "<=", FILTERREC_LE }, { ">", FILTERREC_GT }, { "<", FILTERREC_LT },
	{ "&", FILTERREC_AND },
};

/* ---- the grammar ---- */

/* A part of the filter: a comparison, or two parts. Its comparisons are numbered in a row. */
struct node {
	int left, right;		/* nodes; -1: a comparison */
	bool any;			/* either of the two is enough */
	u8 first;			/* its first comparison */
};

struct parse_filter {
	const char *text, *p;
	struct err *err;
	const struct event *event;	/* NULL: nobody's yet */
	const struct os *os;
	struct filterrec *out;
	u64 fields;
	struct node nodes[2 * FILTERREC_TERMS];
	int n_nodes, depth;
};

static int fail(const struct parse_filter *f, const char *at, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

static int fail(const struct parse_filter *f, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	parse_point(&s, "filter syntax error: ", f->text, at);
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	err_set(f->err, EINVAL, "%s", s.buf);
	str_release(&s);
	return -EINVAL;
}

static void skip_blanks(struct parse_filter *f)
{
	while (isspace((u8)*f->p))
		f->p++;
}

static bool take(struct parse_filter *f, const char *word)
{
	skip_blanks(f);
	if (strncmp(f->p, word, strlen(word)))
		return false;
	f->p += strlen(word);
	return true;
}

/* Letters, digits and what else may stand in it. Owned by the caller. */
static char *take_word(struct parse_filter *f, const char *more)
{
	const char *from;

	skip_blanks(f);
	from = f->p;
	while (isalnum((u8)*f->p) || (*f->p && strchr(more, *f->p)))
		f->p++;
	return xstrndup(from, (size_t)(f->p - from));
}

static const struct term_def *find_term(struct parse_filter *f, int *ret)
{
	const char *names[ARRAY_SIZE(terms)], *at, *best;
	char *name;

	skip_blanks(f);
	at = f->p;
	name = take_word(f, "_");
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		names[i] = terms[i].name;
		if (!strcmp(name, names[i])) {
			free(name);
			return &terms[i];
		}
	}
	*ret = *name ? fail(f, at, "unknown term '%s'", name) :
		fail(f, at, "here is a term missing, as in 'period > 1000'");
	best = *name ? nearest_name(name, names, ARRAY_SIZE(names)) : NULL;
	if (best)
		err_hint(f->err, "did you mean '%s'?", best);
	else
		err_hint(f->err, "terms: ip id tid pid cpu time addr period txn weight phys_addr "
				 "code_pgsz data_pgsz weight1 weight2 weight3 ins_lat retire_lat "
				 "p_stage_cyc mem_op mem_lvl mem_snoop mem_remote mem_lock "
				 "mem_dtlb mem_blk mem_hops uid gid cgroup");
	free(name);
	return NULL;
}

static int take_operator(struct parse_filter *f, u8 *op)
{
	skip_blanks(f);
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (!strncmp(f->p, operators[i].text, strlen(operators[i].text)) &&
		    strncmp(f->p, "&&", 2)) {
			f->p += strlen(operators[i].text);
			*op = operators[i].op;
			return 0;
		}
	fail(f, f->p, "here is a comparison missing");
	err_hint(f->err, "operators: == != > >= < <= &");
	return -EINVAL;
}

static void hint_values(const struct parse_filter *f, const struct term_def *d)
{
	struct str all = STR_INIT;

	for (const struct value *v = d->values; v && v->name; v++)
		str_addf(&all, " %s", v->name);
	if (d->word == FILTERREC_CGROUP)
		str_add(&all, " /path/of/a/cgroup");
	err_hint(f->err, "values of %s: a number%s%s", d->name, all.len ? ", or one of" : "",
		 str_cstr(&all));
	str_release(&all);
}

static int take_value(struct parse_filter *f, const struct term_def *d, struct filterrec_term *t)
{
	const char *at;
	char *word;
	int ret = 0;

	skip_blanks(f);
	at = f->p;
	word = take_word(f, d->word == FILTERREC_CGROUP ? PATH_CHARS : "_");
	for (const struct value *v = d->values; v && v->name; v++) {
		if (strcmp(v->name, word))
			continue;
		t->value = v->v;
		if (v->bits) {
			t->shift = v->shift;
			t->bits = v->bits;
		}
		goto out;
	}
	if (d->word == FILTERREC_CGROUP && *word == '/') {
		if (f->event)
			ret = os_cgroup_id(f->os, word, (u64 *)&t->value, f->err);
	} else if (!parse_u64(word, (u64 *)&t->value)) {
		ret = *word ? fail(f, at, "'%s' is not a value of %s", word, d->name) :
			fail(f, at, "here is a value missing");
		hint_values(f, d);
	}
out:
	free(word);
	return ret;
}

/* Whether the event's samples have what the term reads. */
static int check_field(struct parse_filter *f, const struct term_def *d, struct filterrec_term *t)
{
	f->fields |= d->field == PERF_SAMPLE_WEIGHT_TYPE ? PERF_SAMPLE_WEIGHT_STRUCT : d->field;
	if (!f->event || !d->field)
		return 0;
	if (!(f->event->attr.sample_type & d->field)) {
		err_set(f->err, EINVAL, "%s event does not have %s, which '%s' of the filter reads",
			event_typed(f->event), d->field_name, d->name);
		err_hint(f->err, "add %s to perf record", d->option);
		return -EINVAL;
	}
	if (d->field == PERF_SAMPLE_WEIGHT_TYPE &&
	    f->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		t->bits = 32;
	return 0;
}

static int add_node(struct parse_filter *f, struct node n)
{
	f->nodes[f->n_nodes] = n;
	return f->n_nodes++;
}

/* All of these: the number of the node, or -EINVAL. */
static int parse_comparison(struct parse_filter *f)
{
	const char *at;
	const struct term_def *d;
	struct filterrec_term t = { 0 };
	int ret = -EINVAL;

	skip_blanks(f);
	at = f->p;
	if (f->out->n_terms == FILTERREC_TERMS)
		return fail(f, at, "more than %d comparisons", FILTERREC_TERMS);
	d = find_term(f, &ret);
	if (!d)
		return ret;
	t.word = d->word;
	t.shift = d->shift;
	t.bits = d->bits;
	ret = take_operator(f, &t.op);
	if (!ret)
		ret = take_value(f, d, &t);
	if (!ret)
		ret = check_field(f, d, &t);
	if (ret)
		return ret;
	f->out->terms[f->out->n_terms] = t;
	return add_node(f, (struct node){ -1, -1, false, (u8)f->out->n_terms++ });
}

static int parse_list(struct parse_filter *f);

static int parse_one(struct parse_filter *f)
{
	int n;

	skip_blanks(f);
	if (*f->p != '(')
		return parse_comparison(f);
	if (++f->depth > MAX_DEPTH)
		return fail(f, f->p, "parentheses are nested too deep");
	f->p++;
	n = parse_list(f);
	f->depth--;
	if (n < 0)
		return n;
	return take(f, ")") ? n : fail(f, f->p, "here is a ')' missing");
}

/* Parts between which there is one of three operators, each in its turn. */
static int parse_level(struct parse_filter *f, int level)
{
	static const char *const between[] = { ",", "||", "&&" };
	int n = level == 2 ? parse_one(f) : parse_level(f, level + 1);

	while (n >= 0 && take(f, between[level])) {
		const int right = level == 2 ? parse_one(f) : parse_level(f, level + 1);

		if (right < 0)
			return right;
		n = add_node(f, (struct node){ n, right, level == 1, f->nodes[n].first });
	}
	return n;
}

static int parse_list(struct parse_filter *f)
{
	return parse_level(f, 0);
}

/* Where each comparison of the node leads to. */
static void connect(struct parse_filter *f, int n, u8 yes, u8 no)
{
	const struct node *node = &f->nodes[n];

	if (node->left < 0) {
		f->out->terms[node->first].yes = yes;
		f->out->terms[node->first].no = no;
		return;
	}
	if (node->any)
		connect(f, node->left, yes, f->nodes[node->right].first);
	else
		connect(f, node->left, f->nodes[node->right].first, no);
	connect(f, node->right, yes, no);
}

static int parse_all(struct parse_filter *f)
{
	int n = parse_list(f);

	if (n < 0)
		return n;
	skip_blanks(f);
	if (*f->p)
		return fail(f, f->p, "here is ',', '||' or '&&' expected");
	connect(f, n, FILTERREC_YES, FILTERREC_NO);
	return 0;
}

/* ---- the interface ---- */

bool sample_filter_is_of(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_TRACEPOINT;
}

int sample_filter_check(const char *text, u64 *fields, struct err *err)
{
	struct filterrec out = { 0 };
	struct parse_filter f = { .text = text, .p = text, .err = err, .out = &out };
	const int ret = parse_all(&f);

	if (!ret && fields)
		*fields = f.fields;
	return ret;
}

int sample_filter_make(const struct event *e, const struct os *os, struct filterrec *out,
		       struct err *err)
{
	struct parse_filter f = { .text = e->filter, .p = e->filter, .err = err, .event = e,
				  .os = os, .out = out };

	*out = (struct filterrec){ 0 };
	return parse_all(&f);
}
