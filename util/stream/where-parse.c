// SPDX-License-Identifier: GPL-2.0-or-later
// --where: from its text to a tree.
#include <ctype.h>
#include <errno.h>

#include "util/base/num.h"
#include "util/base/str.h"
#include "util/stream/where-priv.h"

enum token_kind { T_END, T_WORD, T_TEXT, T_REGEX, T_OP, T_BAD };

struct token {
	enum token_kind kind;
	size_t at, n;			/* in the expression, with its quotes */
	struct str text;		/* without them */
};

struct parse {
	struct where_filter *w;
	const char *text;
	size_t at;
	struct token t;			/* the next one */
	unsigned depth;
	struct err *err;
};

#define MAX_DEPTH 100
#define MAX_NODES 1000

/* Columns of a screen. */
static size_t shown_width(const char *s, size_t n)
{
	struct str safe = STR_INIT;
	size_t w = 0;

	str_add_safen(&safe, s, n);
	for (size_t i = 0; i < safe.len; i++)
		w += ((u8)safe.buf[i] & 0xc0) != 0x80;
	str_release(&safe);
	return w;
}

int where_fail(const char *text, size_t at, struct err *err, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	str_add(&s, "--where: ");
	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	str_add(&s, "\n  ");
	str_add_safe(&s, text);
	str_addch(&s, '\n');
	str_addchn(&s, ' ', 2 + shown_width(text, at));
	str_addch(&s, '^');
	err_set(err, EINVAL, "%s", str_cstr(&s));
	str_release(&s);
	return -EINVAL;
}

#define fail(p, pos, ...) where_fail((p)->text, pos, (p)->err, __VA_ARGS__)

/* ---- words ---- */

static bool is_word_char(char c)
{
	return c && !isspace((unsigned char)c) && !strchr("()!=<>~,\"'&|", c);
}

/* A text between quotes, or a regular expression between slashes: a backslash before the end
 * sign stands for the sign. */
static void read_quoted(struct parse *p, char end, enum token_kind kind)
{
	const char *s = p->text + p->t.at + 1;

	while (*s && *s != end) {
		if (*s == '\\' && s[1] == end)
			s++;
		str_addch(&p->t.text, *s++);
	}
	p->t.kind = *s ? kind : T_BAD;
	p->t.n = (size_t)(s - p->text) + (*s != 0) - p->t.at;
}

static size_t op_bytes(const char *s)
{
	static const char *const two[] = { "==", "!=", "<=", ">=", "!~", "&&", "||" };

	for (size_t i = 0; i < ARRAY_SIZE(two); i++)
		if (!strncmp(s, two[i], 2))
			return 2;
	return 1;
}

static bool is(const struct parse *p, const char *text)
{
	return (p->t.kind == T_OP || p->t.kind == T_WORD) && !strcmp(str_cstr(&p->t.text), text);
}

static void next(struct parse *p)
{
	/* elsewhere a slash begins the path of a file */
	const bool pattern = is(p, "~") || is(p, "!~") || is(p, "contains");
	const char *s;

	p->at = p->t.at + p->t.n;
	while (isspace((unsigned char)p->text[p->at]))
		p->at++;
	s = p->text + p->at;
	str_reset(&p->t.text);
	p->t.at = p->at;
	p->t.n = 0;
	p->t.kind = T_END;
	if (!*s)
		return;
	if (*s == '"' || *s == '\'') {
		read_quoted(p, *s, T_TEXT);
		return;
	}
	if (*s == '/' && pattern) {
		read_quoted(p, '/', T_REGEX);
		return;
	}
	p->t.kind = is_word_char(*s) ? T_WORD : T_OP;
	if (p->t.kind == T_OP)
		p->t.n = op_bytes(s);
	while (p->t.kind == T_WORD && is_word_char(s[p->t.n]))
		p->t.n++;
	str_addn(&p->t.text, s, p->t.n);
}

static bool take(struct parse *p, const char *text)
{
	if (!is(p, text))
		return false;
	next(p);
	return true;
}

/* ---- nodes ---- */

static int add_node(struct parse *p, const struct where_node *n, u32 *out)
{
	if (p->w->nodes.n >= MAX_NODES)
		return fail(p, p->t.at, "there are more than %d conditions", MAX_NODES);
	*out = (u32)p->w->nodes.n;
	vec_push(&p->w->nodes, *n);
	return 0;
}

static int add_inner(struct parse *p, enum where_op op, u32 a, u32 b, u32 *out)
{
	const struct where_node *v = p->w->nodes.v;
	struct where_node n = { .op = op, .a = a, .b = b,
				.stage = MAX(v[a].stage, v[b].stage) };

	return add_node(p, &n, out);
}

/* ---- values ---- */

static bool read_number(const char *s, size_t n, struct where_number *out)
{
	char text[32];
	s64 v;

	if (!n || n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	*out = (struct where_number){ 0 };
	if (*text != '-')
		return parse_u64(text, &out->v);
	if (!parse_s64(text, &v))
		return false;
	out->v = (u64)v;
	out->negative = v < 0;
	return true;
}

/* Seconds, or a percentage of the recording. */
static bool read_time(const char *s, size_t n, struct where_number *out, double *pct,
		      bool *is_pct)
{
	char *text = xstrndup(s, n);
	bool ok;

	*is_pct = n && text[n - 1] == '%';
	if (*is_pct)
		text[n - 1] = '\0';
	ok = *is_pct ? parse_double(text, pct) && *pct >= 0 && *pct <= 100 :
		parse_time_ns(text, &out->v);
	free(text);
	return ok;
}

static bool read_one(enum where_kind kind, const char *s, size_t n, struct where_literal *l,
		     bool to)
{
	struct where_number *out = to ? &l->to : &l->n;
	bool pct, ok;

	if (kind != WK_TIME)
		return read_number(s, n, out);
	ok = read_time(s, n, out, to ? &l->to_pct : &l->pct, &pct);
	if (to && pct != l->is_percent)
		return false;
	l->is_percent = pct;
	return ok;
}

/* As the field's kind reads it. */
static int read_literal(const struct where_filter *w, enum where_kind kind,
			struct where_literal *l, struct err *err)
{
	const char *s = l->text, *dash = *s ? strchr(s + 1, '-') : NULL;
	const size_t n = strlen(s);

	l->is_number = read_one(kind, s, n, l, false);
	if (!l->is_number && dash && l->is_range)
		l->is_number = read_one(kind, s, (size_t)(dash - s), l, false) &&
			read_one(kind, dash + 1, strlen(dash + 1), l, true);
	else
		l->is_range = false;
	if (l->is_number || kind == WK_TRACEPOINT)
		return 0;
	return where_fail(w->text, l->at, err, kind == WK_TIME ?
			  "not a time (seconds as 1.5, or a percentage of the recording): '%s'" :
			  "not a number: '%s'", s);
}

/* ranges: a value may be one, "0-3". */
static int add_value(struct parse *p, const struct where_field *f, bool ranges)
{
	struct where_literal *l;
	int rc;

	if (p->t.kind == T_BAD)
		return fail(p, p->t.at, "the end of this text is missing");
	if (p->t.kind != T_WORD && p->t.kind != T_TEXT)
		return fail(p, p->t.at, "a value is missing");
	l = vec_add(&p->w->literals);
	l->text = xstrdup(str_cstr(&p->t.text));
	l->at = p->t.at;
	l->is_range = ranges && p->t.kind == T_WORD;
	if (f->kind != WK_TEXT) {
		rc = read_literal(p->w, f->kind, l, p->err);
		if (rc)
			return rc;
		p->w->percent |= l->is_percent;
	}
	next(p);
	return 0;
}

static int set_regex(struct parse *p, struct where_node *n)
{
	char why[128];
	int rc;

	n->op = W_REGEX;
	n->regex = xnew(regex_t);
	rc = regcomp(n->regex, str_cstr(&p->t.text), REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, n->regex, why, sizeof(why));
		free(n->regex);
		n->regex = NULL;
		return fail(p, p->t.at, "not a regular expression: %s", why);
	}
	next(p);
	return 0;
}

/* ---- tests ---- */

static bool is_text_field(const struct where_field *f)
{
	return f->kind == WK_TEXT || f->kind == WK_TRACEPOINT;
}

/* After "~" or "contains". */
static int parse_pattern(struct parse *p, struct where_node *n, enum where_op op)
{
	if (n->field->kind != WK_STACK && !is_text_field(n->field))
		return fail(p, n->at, "'%s' is a number: it is compared by < <= == != >= > and in",
			    n->field->name);
	if (p->t.kind == T_REGEX)
		return set_regex(p, n);
	n->op = op;
	n->n = 1;
	return add_value(p, &(struct where_field){ .kind = WK_TEXT }, false);
}

static int parse_list(struct parse *p, struct where_node *n)
{
	const bool closed = take(p, "(");
	int rc;

	n->op = W_IN;
	do {
		rc = add_value(p, n->field, true);
		n->n++;
	} while (!rc && take(p, ","));
	if (!rc && closed && !take(p, ")"))
		return fail(p, p->t.at, "the list ends with ')'");
	return rc;
}

static int parse_comparison(struct parse *p, struct where_node *n)
{
	static const struct { const char *text; enum where_op op; } ops[] = {
		{ "==", W_EQ }, { "=", W_EQ }, { "!=", W_NE }, { "<", W_LT }, { "<=", W_LE },
		{ ">", W_GT }, { ">=", W_GE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!is(p, ops[i].text))
			continue;
		if (n->field->kind == WK_TEXT && ops[i].op >= W_LT)
			return fail(p, p->t.at, "'%s' is a text: it is compared by == != ~ !~ "
				    "contains and in", n->field->name);
		next(p);
		n->op = ops[i].op;
		n->n = 1;
		return add_value(p, n->field, false);
	}
	n->op = W_HAS;
	return 0;
}

static int parse_operator(struct parse *p, struct where_node *n)
{
	if (n->field->kind != WK_STACK && is(p, "not")) {
		next(p);
		n->negated = true;
		if (!is(p, "in") && !is(p, "contains"))
			return fail(p, p->t.at, "'in' or 'contains' is missing");
	} else if (is(p, "not")) {
		next(p);
		n->negated = true;
	}
	if (take(p, "contains"))
		return parse_pattern(p, n, W_CONTAINS);
	if (n->field->kind == WK_STACK)
		return fail(p, p->t.at, "'contains' is missing: stack contains FUNCTION");
	if (take(p, "in"))
		return parse_list(p, n);
	if (is(p, "~") || is(p, "!~")) {
		n->negated = is(p, "!~");
		next(p);
		return parse_pattern(p, n, W_GLOB);
	}
	return parse_comparison(p, n);
}

static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_.:-*?", *s))
			return false;
	return true;
}

static int set_field(struct parse *p, struct where_node *n)
{
	const char *name = str_cstr(&p->t.text), *dot = strrchr(name, '.');

	if (p->t.kind == T_BAD)
		return fail(p, p->t.at, "the end of this text is missing");
	if (p->t.kind != T_WORD || is(p, "and") || is(p, "or") || is(p, "in") ||
	    is(p, "contains"))
		return fail(p, p->t.at, "a field is missing");
	if (!is_name(name))
		return fail(p, p->t.at, "not a field: '%s'", name);
	n->at = p->t.at;
	n->field = !strcmp(name, "stack") ? &where_stack : where_find_field(name, p->t.n);
	if (!n->field) {
		n->field = &where_tracepoint;
		n->event = dot ? xstrndup(name, (size_t)(dot - name)) : NULL;
		n->name = xstrdup(dot ? dot + 1 : name);
	}
	n->stage = n->field->stage;
	p->w->wants |= n->field->wants;
	next(p);
	return 0;
}

static void release_node(struct where_node *n)
{
	free(n->event);
	free(n->name);
	if (n->fields)
		per_event_release(n->fields);
	free(n->fields);
	if (n->regex)
		regfree(n->regex);
	free(n->regex);
}

static int parse_test(struct parse *p, u32 *out)
{
	struct where_node n = { .first = (u32)p->w->literals.n };
	int rc = set_field(p, &n);

	if (!rc)
		rc = parse_operator(p, &n);
	if (!rc)
		rc = add_node(p, &n, out);
	if (rc)
		release_node(&n);
	return rc;
}

static int parse_or(struct parse *p, u32 *out);

static int parse_factor(struct parse *p, u32 *out)
{
	u32 inner;
	int rc;

	if (p->depth >= MAX_DEPTH)
		return fail(p, p->t.at, "nested too deeply");
	p->depth++;
	if (take(p, "not") || take(p, "!")) {
		rc = parse_factor(p, &inner);
		if (!rc)
			rc = add_inner(p, W_NOT, inner, inner, out);
	} else if (take(p, "(")) {
		rc = parse_or(p, out);
		if (!rc && !take(p, ")"))
			rc = fail(p, p->t.at, "')' is missing");
	} else {
		rc = parse_test(p, out);
	}
	p->depth--;
	return rc;
}

static int parse_and(struct parse *p, u32 *out)
{
	int rc = parse_factor(p, out);
	u32 right;

	while (!rc && (take(p, "and") || take(p, "&&"))) {
		rc = parse_factor(p, &right);
		if (!rc)
			rc = add_inner(p, W_AND, *out, right, out);
	}
	return rc;
}

static int parse_or(struct parse *p, u32 *out)
{
	int rc = parse_and(p, out);
	u32 right;

	while (!rc && (take(p, "or") || take(p, "||"))) {
		rc = parse_and(p, &right);
		if (!rc)
			rc = add_inner(p, W_OR, *out, right, out);
	}
	return rc;
}

/* Of conditions that all have to hold, each is asked as soon as it can be. */
static void add_roots(struct where_filter *w, u32 root)
{
	const struct where_node *n = &w->nodes.v[root];

	while (n->op == W_AND) {	/* chains of them lean to the left */
		vec_push(&w->roots[w->nodes.v[n->b].stage], n->b);
		root = n->a;
		n = &w->nodes.v[root];
	}
	vec_push(&w->roots[n->stage], root);
}

int where_parse(const char *text, struct where_filter **out, struct err *err)
{
	struct where_filter *w = xnew(struct where_filter);
	struct parse p = { .w = w, .err = err };
	u32 root = 0;
	int rc;

	w->text = xstrdup(text);
	p.text = w->text;
	next(&p);
	rc = parse_or(&p, &root);
	if (!rc && p.t.kind != T_END)
		rc = fail(&p, p.t.at, "'and' or 'or' is missing");
	str_release(&p.t.text);
	if (rc) {
		where_free(w);
		return rc;
	}
	add_roots(w, root);
	*out = w;
	return 0;
}

void where_free(struct where_filter *w)
{
	if (!w)
		return;
	for vec_each(n, &w->nodes)
		release_node(n);
	for vec_each(l, &w->literals)
		free(l->text);
	for (size_t i = 0; i < WHERE_STAGES; i++)
		vec_free(&w->roots[i]);
	vec_free(&w->nodes);
	vec_free(&w->literals);
	free(w->text);
	free(w);
}
