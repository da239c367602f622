// SPDX-License-Identifier: GPL-2.0-or-later
// The parser of metric expressions; the grammar stands in metric.h.
#include "util/metric/expr-priv.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/base/num.h"
#include "util/base/str.h"

/* Files may hold anything: parentheses deeper than this are refused. */
#define MAX_DEPTH 200
/* and longer ones: trees are walked by recursion */
#define MAX_NODES 4096

struct reading {
	const char *text, *p;
	struct metric_expr *e;
	struct err *err;
	int depth;
	bool failed;
};

static int parse_if(struct reading *r);

/* The text with a caret below character at. Returns the number of a node, which is not used. */
static int fail(struct reading *r, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
static int fail(struct reading *r, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT, shown = STR_INIT;
	va_list ap;

	if (r->failed)
		return 0;
	r->failed = true;
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	str_add_safen(&shown, r->text, (size_t)(at - r->text));
	const size_t column = shown.len;

	str_add_safe(&shown, at);
	err_set(r->err, EINVAL, "metric expression: %s\n  %s\n  %*s^", str_cstr(&s),
		str_cstr(&shown), (int)column, "");
	str_release(&s);
	str_release(&shown);
	return 0;
}

static int add_node(struct reading *r, struct metric_node n)
{
	vec_push(&r->e->nodes, n);
	if (r->e->nodes.n > MAX_NODES)
		return fail(r, r->p, "it is too long");
	return (int)r->e->nodes.n - 1;
}

static int add_op(struct reading *r, enum node_kind kind, int a, int b)
{
	return add_node(r, (struct metric_node){ .kind = kind, .arg = { a, b } });
}

static void skip_spaces(struct reading *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || strchr("_.:?@\\", c);
}

/* A word as it stands in the text, "if" and "else" too; its end. */
static const char *word_end(const char *p)
{
	bool slash = false;

	for (; *p && (is_word_char(*p) || (slash && *p != ' ')); p++) {
		if (*p == '@')
			slash = !slash;
		if (*p == '\\' && p[1])
			p++;
	}
	return p;
}

static bool take_word(struct reading *r, const char *word)
{
	const size_t n = strlen(word);

	skip_spaces(r);
	if (strncmp(r->p, word, n) || (r->p[n] && is_word_char(r->p[n])))
		return false;
	r->p += n;
	return true;
}

static bool take(struct reading *r, char c)
{
	skip_spaces(r);
	if (*r->p != c)
		return false;
	r->p++;
	return true;
}

static void expect(struct reading *r, char c)
{
	if (!take(r, c))
		fail(r, r->p, "expected '%c'", c);
}

/* "msr@tsc@" -> "msr/tsc/"; backslashes go. */
static char *event_text(const char *p, const char *end)
{
	struct str s = STR_INIT;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			str_addch(&s, *++p);
		else
			str_addch(&s, *p == '@' ? '/' : *p);
	}
	return str_detach(&s);
}

static int parse_number(struct reading *r)
{
	char *end = NULL;
	const double v = strtod(r->p, &end);

	if (end == r->p || (*end && is_word_char(*end) && *end != '\\'))
		return fail(r, r->p, "a number is expected");
	r->p = end;
	return add_node(r, (struct metric_node){ .kind = NODE_NUMBER, .number = v });
}

/* The argument of has_event() and its like: an identifier or any text up to the parenthesis. */
static int parse_text_call(struct reading *r, enum node_kind kind)
{
	const char *at, *end;

	skip_spaces(r);
	at = r->p;
	end = kind == NODE_CPUID ? at + strcspn(at, "),") : word_end(at);
	if (end == at)
		return fail(r, at, kind == NODE_CPUID ? "the pattern of a CPU is expected" :
			    "the name of an event is expected");
	r->p = end;
	expect(r, ')');
	return add_node(r, (struct metric_node){ .kind = kind, .text = event_text(at, end) });
}

static const struct { const char *name; enum node_kind kind; bool text; } functions[] = {
	{ "min", NODE_MIN, false }, { "max", NODE_MAX, false }, { "d_ratio", NODE_RATIO, false },
	{ "has_event", NODE_HAS_EVENT, true }, { "source_count", NODE_SOURCE_COUNT, true },
	{ "strcmp_cpuid_str", NODE_CPUID, true },
};

/* name(...); p stands after the parenthesis */
static int parse_call(struct reading *r, const char *at, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		int a, b;

		if (strlen(functions[i].name) != len || strncmp(functions[i].name, at, len))
			continue;
		if (functions[i].text)
			return parse_text_call(r, functions[i].kind);
		a = parse_if(r);
		expect(r, ',');
		b = parse_if(r);
		expect(r, ')');
		return add_op(r, functions[i].kind, a, b);
	}
	return fail(r, at, "there is no function '%.*s' (but min, max, d_ratio, has_event, "
		    "source_count and strcmp_cpuid_str)", (int)MIN(len, (size_t)40), at);
}

static int parse_literal(struct reading *r)
{
	const char *at = ++r->p, *end = at;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	if (end == at)
		return fail(r, at, "a name is expected after '#'");
	r->p = end;
	return add_node(r, (struct metric_node){ .kind = NODE_LITERAL,
						 .text = xstrndup(at, (size_t)(end - at)) });
}

static int parse_word(struct reading *r)
{
	const char *at = r->p, *end = word_end(at), *next = end;

	while (isspace((unsigned char)*next))
		next++;
	r->p = end;
	if (*next == '(') {
		r->p = next + 1;
		return parse_call(r, at, (size_t)(end - at));
	}
	if (end - at == 3 && !strncasecmp(at, "nan", 3))
		return add_node(r, (struct metric_node){ .kind = NODE_NUMBER, .number = NAN });
	if ((end - at == 2 && !strncmp(at, "if", 2)) || (end - at == 4 && !strncmp(at, "else", 4)))
		return fail(r, at, "a value is expected before '%.*s'", (int)(end - at), at);
	return add_node(r, (struct metric_node){ .kind = NODE_ID, .text = event_text(at, end) });
}

static int parse_primary(struct reading *r)
{
	int n;

	skip_spaces(r);
	if (isdigit((unsigned char)*r->p) || *r->p == '.')
		return parse_number(r);
	if (*r->p == '#')
		return parse_literal(r);
	if (isalpha((unsigned char)*r->p) || *r->p == '_' || *r->p == '\\')
		return parse_word(r);
	if (!take(r, '('))
		return fail(r, r->p, *r->p ? "a value is expected" :
			    "a value is expected, the text ends");
	n = parse_if(r);
	expect(r, ')');
	return n;
}

static int parse_unary(struct reading *r)
{
	int n = 0;

	if (r->failed)
		return 0;
	if (++r->depth > MAX_DEPTH)
		return fail(r, r->p, "it is nested too deeply");
	n = take(r, '-') ? add_op(r, NODE_NEG, parse_unary(r), 0) : parse_primary(r);
	r->depth--;
	return n;
}

const struct metric_operator metric_operators[METRIC_OPERATORS] = {
	{ '|', NODE_OR, 0 }, { '^', NODE_XOR, 1 }, { '&', NODE_AND, 2 },
	{ '<', NODE_LESS, 3 }, { '>', NODE_GREATER, 3 }, { '+', NODE_ADD, 4 },
	{ '-', NODE_SUB, 4 }, { '*', NODE_MUL, 5 }, { '/', NODE_DIV, 5 }, { '%', NODE_MOD, 5 },
};

static int parse_level(struct reading *r, int level)
{
	int left, op;

	if (level == METRIC_TOP_LEVEL)
		return parse_unary(r);
	left = parse_level(r, level + 1);
	do {
		op = -1;
		skip_spaces(r);
		for (int i = 0; i < METRIC_OPERATORS && !r->failed; i++)
			if (metric_operators[i].level == level && *r->p == metric_operators[i].c)
				op = i;
		if (op >= 0) {
			r->p++;
			left = add_op(r, metric_operators[op].kind, left, parse_level(r, level + 1));
		}
	} while (op >= 0);
	return left;
}

static int parse_if(struct reading *r)
{
	int then, cond, other;

	then = parse_level(r, 0);
	if (r->failed || !take_word(r, "if"))
		return then;
	cond = parse_level(r, 0);
	if (!take_word(r, "else"))
		return fail(r, r->p, "expected 'else'");
	if (++r->depth > MAX_DEPTH)
		return fail(r, r->p, "it is nested too deeply");
	other = parse_if(r);
	r->depth--;
	return add_node(r, (struct metric_node){ .kind = NODE_IF, .arg = { then, cond, other } });
}

struct metric_expr *metric_expr_parse(const char *text, struct err *err)
{
	struct reading r = { .text = text, .p = text, .e = xnew(struct metric_expr), .err = err };

	r.e->root = parse_if(&r);
	skip_spaces(&r);
	if (*r.p)
		fail(&r, r.p, "an operator is expected");
	if (!r.failed)
		return r.e;
	metric_expr_free(r.e);
	return NULL;
}

void metric_expr_free(struct metric_expr *e)
{
	if (!e)
		return;
	for vec_each(n, &e->nodes)
		free(n->text);
	vec_free(&e->nodes);
	free(e);
}
