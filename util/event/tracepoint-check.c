// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracepoint-check.h"

#include <ctype.h>
#include <string.h>

#include "util/base/str.h"

/*
 * format:	name: X, ID: n, format:, field lines, print fmt: "text", expression, ...
 * expression:	C's, with REC->field, casts, calls of the kernel's __print_ helpers and
 *		{ value, "text" } lists inside of them.
 */
#define MAX_DEPTH 300

struct check {
	const char *p;
	int depth;
	const char *fields, *fields_end;	/* the field lines */
};

static void space(struct check *c)
{
	while (isspace((unsigned char)*c->p))
		c->p++;
}

static bool take(struct check *c, const char *text)
{
	size_t n = strlen(text);

	space(c);
	if (strncmp(c->p, text, n))
		return false;
	c->p += n;
	return true;
}

static bool number(struct check *c)
{
	const char *from;

	space(c);
	from = c->p;
	if (!isdigit((unsigned char)*c->p))
		return false;
	while (isalnum((unsigned char)*c->p))
		c->p++;
	return c->p - from < 40;
}

static bool word(struct check *c, char *out, size_t cap)
{
	size_t n = 0;

	space(c);
	if (!isalpha((unsigned char)*c->p) && *c->p != '_')
		return false;
	for (; isalnum((unsigned char)*c->p) || *c->p == '_'; c->p++)
		if (n + 1 < cap)
			out[n++] = *c->p;
	out[n] = 0;
	return true;
}

/* "..." once or several times; control characters only as escapes or tabs and newlines. */
static bool string(struct check *c)
{
	space(c);
	if (*c->p != '"')
		return false;
	while (*c->p == '"') {
		for (c->p++; *c->p && *c->p != '"'; c->p++) {
			if (*c->p == '\\' && !*++c->p)
				return false;
			if ((unsigned char)*c->p < 32 && *c->p != '\n' && *c->p != '\t')
				return false;
		}
		if (*c->p != '"')
			return false;
		c->p++;
		space(c);
	}
	return true;
}

/* A field of that name is declared: "... name;" or "... name[". */
static bool is_field(const struct check *c, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = c->fields; (p = strstr(p, name)) && p < c->fields_end; p++)
		if ((p[n] == ';' || p[n] == '[') && (p[-1] == ' ' || p[-1] == '*'))
			return true;
	return false;
}

static bool expr(struct check *c);

/* "(unsigned long)", "(struct x *)": words and stars up to the parenthesis, then something to
 * cast. */
static bool cast(struct check *c)
{
	struct check t = *c;
	char w[128] = "";
	bool known = false;
	static const char *const types[] = { "unsigned", "signed", "char", "short", "int", "long",
					     "u8", "u16", "u32", "u64", "s8", "s16",
		"s32", "s64", "__u8", "__u16", "__u32", "__u64", "__s32", "__s64", "void", "const",
		"struct", "union", "enum", "size_t",
		"__be16", "__be32", "__be64", "__le16", "__le32", "__le64", "uint", "bool" };

	while (word(&t, w, sizeof(w)))
		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			known |= !strcmp(w, types[i]);
	if (!known && !str_has_suffix(w, "_t"))
		return false;
	while (take(&t, "*"))
		;
	if (!take(&t, ")"))
		return false;
	*c = t;
	return true;
}

/* { value, "text" } ... of __print_flags and __print_symbolic */
static bool pairs(struct check *c, bool first)
{
	for (;; first = false) {
		space(c);
		if (*c->p == ')')
			return true;
		if (!first && !take(c, ","))
			return false;
		if (!take(c, "{") || !expr(c) || !take(c, ",") || !expr(c) || !take(c, "}"))
			return false;
	}
}

static bool field_call(struct check *c)
{
	char w[128];

	return word(c, w, sizeof(w)) && is_field(c, w) && take(c, ")");
}

/* n expressions and the parenthesis */
static bool args(struct check *c, int n)
{
	for (int i = 0; i < n; i++)
		if ((i && !take(c, ",")) || !expr(c))
			return false;
	return take(c, ")");
}

/* After "name(". Helpers that are not listed here are not let through. */
static bool call(struct check *c, const char *name)
{
	static const char *const fields[] = { "__get_str", "__get_dynamic_array",
					      "__get_dynamic_array_len", "__get_bitmask",
		"__get_cpumask", "__get_rel_str", "__get_rel_dynamic_array",
		"__get_rel_dynamic_array_len", "__get_rel_bitmask",
		"__get_rel_cpumask", "__get_sockaddr", "__get_rel_sockaddr" };
	static const struct { const char *name; int n; } plain[] = {
		{ "__print_hex", 2 }, { "__print_hex_str", 2 }, { "__print_array", 3 },
			{ "__builtin_expect", 2 }, { "likely", 1 },
		{ "unlikely", 1 }, { "__builtin_bswap16", 1 }, { "__builtin_bswap32", 1 },
		{ "__builtin_bswap64", 1 },
	};

	if (!strcmp(name, "sizeof"))
		return cast(c);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(name, fields[i]))
			return field_call(c);
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (!strcmp(name, plain[i].name))
			return args(c, plain[i].n);
	if (!strcmp(name, "__print_flags") || !strcmp(name, "__print_flags_u64"))
		return expr(c) && take(c, ",") && string(c) && pairs(c, false) && take(c, ")");
	if (!strcmp(name, "__print_symbolic") || !strcmp(name, "__print_symbolic_u64"))
		return expr(c) && pairs(c, false) && take(c, ")");
	return false;
}

static bool primary(struct check *c)
{
	char w[128];

	space(c);
	if (c->depth > MAX_DEPTH)
		return false;
	if (take(c, "!") || take(c, "~") || take(c, "-") || take(c, "&") || take(c, "*"))
		return c->depth++, primary(c) && c->depth--;
	if (*c->p == '"')
		return string(c);
	if (isdigit((unsigned char)*c->p))
		return number(c);
	if (c->p[0] == '\'' && c->p[1] >= ' ' && c->p[1] < 0x7f && c->p[1] != '\\' &&
	    c->p[2] == '\'') {
		c->p += 3;
		return true;
	}
	if (take(c, "(")) {
		if (cast(c))
			return primary(c);
		if (!expr(c) || !take(c, ")"))
			return false;
	} else if (word(c, w, sizeof(w))) {
		if (take(c, "("))
			return call(c, w);
		if (!strcmp(w, "REC"))
			return take(c, "->") && word(c, w, sizeof(w)) && is_field(c, w) &&
			       (!take(c, "[") || (expr(c) && take(c, "]")));
		return true;	/* a constant that the kernel did not resolve */
	} else {
		return false;
	}
	return true;
}

static bool binary(struct check *c)
{
	static const char *const ops[] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">",
					   "&", "|", "^", "+", "-", "*", "/",
		"%" };
	bool more;

	do {
		if (!primary(c))
			return false;
		more = false;
		for (size_t i = 0; i < ARRAY_SIZE(ops) && !more; i++)
			more = take(c, ops[i]);
	} while (more);
	return true;
}

static bool expr(struct check *c)
{
	bool ok;

	if (++c->depth > MAX_DEPTH)
		return false;
	ok = binary(c);
	if (ok && take(c, "?"))
		ok = expr(c) && take(c, ":") && expr(c);
	c->depth--;
	return ok;
}

static bool print_fmt(const char *text, const char *fields)
{
	struct check c = { text, 0, fields, text };

	if (!string(&c))
		return false;
	while (take(&c, ","))
		if (!expr(&c))
			return false;
	space(&c);
	return !*c.p;
}

/* "\tfield:TYPE NAME;\toffset:8;\tsize:16;\tsigned:0;" */
static bool field_line(struct check *c)
{
	static const char *const keys[] = { "\toffset:", "\tsize:", "\tsigned:" };
	const char *from;

	if (!take(c, "field:"))
		return false;
	for (from = c->p; *c->p && *c->p != ';'; c->p++)
		if (!isalnum((unsigned char)*c->p) && !strchr("_ *[]().,+-", *c->p))
			return false;
	/* a type and a name, brackets in pairs */
	if (c->p == from || !memchr(from, ' ', c->p - from) || *c->p++ != ';')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strncmp(c->p, keys[i], strlen(keys[i])))
			/* old kernels do not tell the sign */
			return i == 2 && *c->p == '\n';
		c->p += strlen(keys[i]);
		if (*c->p == '-')
			return false;
		for (from = c->p; isdigit((unsigned char)*c->p); c->p++)
			;
		if (c->p == from || c->p - from > 6 || *c->p++ != ';')
			return false;
	}
	return *c->p == '\n';
}

/* A name and at most one pair of brackets with a number or a sum in it. */
static bool brackets(const char *from, const char *to)
{
	int open = 0, close = 0;

	for (; from < to; from++) {
		open += *from == '[';
		close += *from == ']';
		if (close > open || open - close > 1)
			return false;
	}
	return open == close;
}

const char *tp_format_check(const char *text, size_t *fields_end)
{
	const char *start = strstr(text, "\nformat:\n"), *print;
	struct check c = { start ? start + 9 : text, 0, NULL, NULL };

	*fields_end = 0;
	if (!start)
		return "there are no fields";
	print = strstr(start, "\nprint fmt:");
	while (*c.p) {
		const char *from;

		space(&c);
		from = c.p;
		if (!*c.p || str_has_prefix(c.p, "print fmt:"))
			break;
		if (!field_line(&c) || !brackets(from, c.p))
			return "a field is damaged";
	}
	if (!print)
		return "there is no print format";
	*fields_end = print + 1 - text;
	return print_fmt(print + 11, start) ? NULL : "the print format is damaged";
}
