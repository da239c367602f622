// SPDX-License-Identifier: GPL-2.0-or-later
// What a user writes. The point is read from its end ("%return", ":3", "+4", "@file"), because
// names of C++, Rust and Go hold
// any of these characters, blanks too; what brackets and quotes enclose is never a separator.
#include <ctype.h>
#include <stdio.h>
#include <errno.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/probe/probe.h"

static int spec_error(struct err *err, const char *text, size_t pos, const char *fmt,
		      ...) PRINTF_LIKE(4, 5);
static int spec_error(struct err *err, const char *text, size_t pos, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	str_add(&s, "\n  ");
	str_add_safe(&s, text);
	str_add(&s, "\n  ");
	str_addchn(&s, ' ', pos);
	str_addch(&s, '^');
	err_set(err, EINVAL, "%s", str_cstr(&s));
	str_release(&s);
	return -EINVAL;
}

bool probe_name_ok(const char *name)
{
	if (!isalpha((unsigned char)name[0]) && name[0] != '_')
		return false;
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return true;
}

/* "operator<", "operator->", "operator()": the brackets are part of the name. Length of the
 * operator's symbol at p. */
static size_t operator_len(const char *start, const char *p)
{
	static const char *const ops[] = { "<<=", ">>=", "<=>", "->*", "()", "[]", "<<", ">>", "<=",
					   ">=", "->", "==", "!=", "<", ">",
					   "=", "+", "-" };

	if (p - start < 8 || strncmp(p - 8, "operator", 8) ||
	    (p - start > 8 && (isalnum((unsigned char)p[-9]) || p[-9] == '_')))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (str_has_prefix(p, ops[i]))
			return strlen(ops[i]);
	return 0;
}

/* The next separator of the set outside brackets and quotes, or the end. */
static const char *find_outside(const char *start, const char *p, const char *set)
{
	int depth = 0;

	for (; *p; p++) {
		size_t op = operator_len(start, p);

		if (op) {
			p += op - 1;
			continue;
		}
		if (*p == '\\' && p[1]) {
			p++;
			continue;
		}
		if (*p == '"') {
			const char *q = strchr(p + 1, '"');

			if (!q)
				return p + strlen(p);
			p = q;
			continue;
		}
		if (!depth && strchr(set, *p))
			return p;
		if (strchr("([{<", *p))
			depth++;
		else if (strchr(")]}", *p) || (*p == '>' && p > start && p[-1] != '-'))
			depth -= depth > 0;
	}
	return p;
}

/* The end of the point: the first blank that is not inside the name, as in "area(int) const". */
static const char *point_end(const char *p)
{
	const char *at = find_outside(p, p, " \t");

	while (*at && at > p && at[-1] == ')') {
		const char *w = at + strspn(at, " \t");
		size_t n = strcspn(w, " \t:+%@;");

		if (!((n == 5 && !strncmp(w, "const", 5)) ||
		      (n == 8 && !strncmp(w, "volatile", 8)) || (n == 1 && *w == '&')))
			break;
		at = find_outside(p, w + n, " \t");
	}
	return at;
}

static bool is_source_file(const char *s)
{
	static const char *const ext[] = { "c", "h", "cc", "cpp", "cxx", "C", "hpp", "hh", "hxx",
					   "rs", "go", "s", "S", "inc", "def", "y",
					   "l", "ipp", "tcc", "d", "f90", "f", "zig", "swift", "m",
					   "mm", "pas", "adb", "nim", "cu" };
	const char *slash = strrchr(s, '/'), *dot = strrchr(slash ? slash : s, '.');

	if (strstr(s, "::") || strchr(s, '('))
		return false;
	for (size_t i = 0; dot && i < ARRAY_SIZE(ext); i++)
		if (!strcmp(dot + 1, ext[i]))
			return true;
	return false;
}

/* The last single ':' outside brackets; "::" is part of a name. */
static char *last_colon(char *s)
{
	char *found = NULL;

	for (const char *p = s; *(p = find_outside(s, p, ":")); p++) {
		if (p[1] == ':') {
			p++;
			continue;
		}
		found = s + (p - s);
	}
	return found;
}

struct parse {
	const char *text;
	size_t base;		/* of the buffer in the text */
	char *buf;
	struct err *err;
};

static int bad(const struct parse *p, const char *at, const char *what)
{
	return spec_error(p->err, p->text, p->base + (at - p->buf), "%s", what);
}

static int cut_return(const struct parse *p, struct probe_spec *s)
{
	char *pct = strrchr(p->buf, '%');

	if (!pct || pct == p->buf)
		return 0;
	if (strcmp(pct, "%return"))
		return bad(p, pct, "only %return can follow a function");
	*pct = 0;
	s->ret = true;
	return 0;
}

static int cut_pattern(const struct parse *p, struct probe_spec *s)
{
	char *at = p->buf + (find_outside(p->buf, p->buf, ";") - p->buf);

	if (!*at)
		return 0;
	if (!at[1])
		return bad(p, at, "a pattern of a source line must follow the semicolon");
	s->pattern = xstrdup(at + 1);
	*at = 0;
	return 0;
}

static int cut_line(const struct parse *p, struct probe_spec *s)
{
	char *at = last_colon(p->buf);
	u64 v;

	if (!at)
		return 0;
	if (!parse_u64(at + 1, &v) || v > UINT32_MAX)
		return bad(p, at + 1, strchr(at, '+') ?
			   "an offset cannot be combined with a line number" :
						     "a line number must follow the colon");
	s->has_line = true;
	s->line = v;
	*at = 0;
	return 0;
}

static int cut_offset(const struct parse *p, struct probe_spec *s)
{
	char *at = strrchr(p->buf, '+');

	if (!at || at == p->buf || operator_len(p->buf, at))
		return 0;
	if (!isdigit((unsigned char)at[1]))
		return strstr(p->buf, "operator") ? 0 :
			bad(p, at + 1, "a number of bytes must follow the plus sign");
	if (!parse_u64(at + 1, &s->off))
		return bad(p, at + 1, "a number of bytes must follow the plus sign");
	*at = 0;
	return 0;
}

static int cut_file(const struct parse *p, struct probe_spec *s)
{
	char *at = strrchr(p->buf, '@');

	if (!at)
		return 0;
	if (!at[1])
		return bad(p, at, "a source file must follow the @");
	if (at != p->buf && !is_source_file(at + 1) && !strchr(at + 1, '/'))
		return 0;	/* a symbol's version */
	s->file = xstrdup(at + 1);
	*at = 0;
	return 0;
}

static void unquote(char *s)
{
	char *to = s;

	for (; *s; s++)
		if (*s != '"')
			*to++ = *s;
	*to = 0;
}

static int check_point(const struct parse *p, struct probe_spec *s)
{
	if (s->has_line + !!s->pattern + !!s->off + s->ret > 1)
		return bad(p, p->buf, s->ret ? "a return probe takes no offset, line or pattern" :
					    "offset, line and pattern exclude each other");
	if (s->has_addr)
		return 0;
	if (!s->func && !s->file)
		return bad(p, p->buf, "a function, a file with a line, or an address is needed");
	if (!s->func && !s->has_line && !s->pattern)
		return bad(p, p->buf, "a line must follow the file, as in file.c:12");
	if (!s->func && s->has_line && !s->line)
		return bad(p, p->buf, "lines of a file begin with 1");
	return 0;
}

static int parse_point(const struct parse *p, struct probe_spec *s)
{
	int ret;

	if (p->buf[0] == '%') {
		if (!p->buf[1])
			return bad(p, p->buf, "provider:name must follow the %");
		s->sdt = xstrdup(p->buf + 1 + (!strncmp(p->buf, "%sdt_", 5) ? 4 : 0));
		return 0;
	}
	if (!strncmp(p->buf, "sdt_", 4) && strchr(p->buf, ':')) {
		s->sdt = xstrdup(p->buf + 4);
		return 0;
	}
	ret = cut_pattern(p, s);
	ret = ret ? ret : cut_return(p, s);
	ret = ret ? ret : cut_line(p, s);
	ret = ret ? ret : cut_offset(p, s);
	ret = ret ? ret : cut_file(p, s);
	if (ret)
		return ret;
	unquote(p->buf);
	if (!strncmp(p->buf, "0x", 2)) {
		if (!parse_u64(p->buf, &s->addr))
			return bad(p, p->buf, "this is no address");
		s->has_addr = true;
	} else if (!s->file && (s->has_line || s->pattern) && is_source_file(p->buf)) {
		s->file = xstrdup(p->buf);
	} else if (p->buf[0]) {
		s->func = xstrdup(p->buf);
	}
	return check_point(p, s);
}

/* [[GROUP:]EVENT=] at the start. */
static const char *parse_event(const char *text, struct probe_spec *s, int *ret, struct err *err)
{
	const char *eq = find_outside(text, text, "=; \t");
	char *name, *colon;

	*ret = 0;
	if (*eq != '=' || eq == text || memchr(text, '(', eq - text) ||
	    memchr(text, '<', eq - text))
		return text;
	name = xstrndup(text, eq - text);
	colon = strchr(name, ':');
	if (colon) {
		*colon++ = 0;
		if (!probe_name_ok(name))
			*ret = spec_error(err, text, 0, "'%s' is not a name for a group: letters, "
							"digits and _ only", name);
		s->group = xstrdup(name);
	}
	s->event = xstrdup(colon ? colon : name);
	if (!*ret && !probe_name_ok(s->event))
		*ret = spec_error(err, text, s->group ? strlen(s->group) + 1 : 0,
				  "'%s' is not a name for an event: letters, digits and _ only, no "
				  "digit in front", s->event);
	if (!*ret && strlen(s->event) >= 64)
		*ret = spec_error(err, text, 0, "the name of the event is too long: 63 characters "
						"at most");
	free(name);
	return eq + 1;
}

/* As the kernel knows them (tracefs README, "type:"), with "[N]" after. */
static bool type_ok(const char *t)
{
	static const char *const names[] = {
		"s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "x8", "x16", "x32", "x64",
			"char", "string", "ustring", "symbol",
		"symstr", "%pd", "%pD",
	};
	size_t n = strcspn(t, "[");
	unsigned width, off, container;
	int end = 0;

	if (t[n] && (sscanf(t + n, "[%u]%n", &width, &end) != 1 || !end || t[n + end]))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && !strncmp(t, names[i], n))
			return true;
	end = 0;
	return sscanf(t, "b%u@%u/%u%n", &width, &off, &container, &end) == 3 && (size_t)end == n;
}

static int parse_arg(const char *text, size_t pos, size_t n, struct probe_arg *a, struct err *err)
{
	char *w = xstrndup(text + pos, n), *p = w, *eq = w + (find_outside(w, w, "=") - w), *t;
	int ret = 0;

	a->pos = pos;
	if (*eq && w[0] != '\\') {
		*eq = 0;
		if (!probe_name_ok(w))
			ret = spec_error(err, text, pos, "'%s' is not a name for an argument", w);
		a->name = xstrdup(w);
		p = eq + 1;
	}
	if (str_has_suffix(p, "@user")) {
		p[strlen(p) - 5] = 0;
		a->user = true;
	}
	t = *p == '\\' && p[1] == '"' ? NULL : last_colon(p);
	if (t) {
		*t = 0;
		a->type = xstrdup(t + 1);
		if (!t[1] && !ret)
			ret = spec_error(err, text, pos + (t - w), "a type must follow the colon");
		if (str_has_suffix(a->type, "@user")) {
			a->type[strlen(a->type) - 5] = 0;
			a->user = true;
		}
		if (!ret && !type_ok(a->type)) {
			ret = spec_error(err, text, pos + (t + 1 - w), "'%s' is not a type",
					 a->type);
			err_hint(err, "types: u8 to u64, s8 to s64, x8 to x64, char, string, "
				      "ustring, symbol, b<bits>@<offset>/<size>, and "
				 "<type>[<number>]");
		}
	}
	if (!*p && !ret)
		ret = spec_error(err, text, pos, "an expression is missing");
	a->expr = xstrdup(p);
	free(w);
	return ret;
}

static int parse_args(const char *text, const char *p, struct probe_spec *s, struct err *err)
{
	for (;;) {
		const char *end;
		int ret;

		p += strspn(p, " \t");
		if (!*p)
			return 0;
		end = find_outside(p, p, " \t");
		ret = parse_arg(text, p - text, end - p, vec_add(&s->args), err);
		if (ret)
			return ret;
		p = end;
	}
}

int probe_spec_parse(const char *text, struct probe_spec *s, struct err *err)
{
	const char *p = text + strspn(text, " \t"), *end;
	struct parse ps = { .text = text, .err = err };
	int ret;

	memset(s, 0, sizeof(*s));
	s->text = xstrdup(text);
	p = parse_event(p, s, &ret, err);
	if (!ret) {
		p += strspn(p, " \t");
		end = point_end(p);
		s->point = xstrndup(p, end - p);
		s->point_pos = ps.base = p - text;
		ps.buf = xstrndup(p, end - p);
		ret = end == p ? spec_error(err, text, p - text, "no probe point is given") :
			parse_point(&ps, s);
		free(ps.buf);
	}
	if (!ret)
		ret = parse_args(text, end, s, err);
	if (ret)
		probe_spec_release(s);
	return ret;
}

int probe_range_parse(const char *text, struct probe_spec *s, u32 *last, struct err *err)
{
	struct parse p = { .text = text, .buf = xstrdup(text), .err = err };
	char *colon, *end;
	u64 a, b;
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->text = xstrdup(text);
	s->point = xstrdup(text);
	*last = 0;
	colon = last_colon(p.buf);
	if (colon) {
		end = colon + 1 + strspn(colon + 1, "0123456789");
		char c = *end;

		*end = 0;
		if (!parse_u64(colon + 1, &a) || a > INT32_MAX)
			ret = bad(&p, colon + 1, "a line number must follow the colon");
		else if (c && (!parse_u64(end + 1, &b) || b > INT32_MAX || (c != '-' && c != '+')))
			ret = bad(&p, end, "a range of lines is FIRST-LAST or FIRST+COUNT");
		else if (c == '-' && b < a)
			ret = bad(&p, end + 1, "the range of lines ends before it starts");
		if (!ret) {
			s->has_line = true;
			s->line = a;
			*last = !c ? 0 : c == '-' ? b : a + b - (b > 0);
		}
		*colon = 0;
	}
	ret = ret ? ret : cut_file(&p, s);
	unquote(p.buf);
	if (!ret && !s->file && is_source_file(p.buf))
		s->file = xstrdup(p.buf);
	else if (p.buf[0])
		s->func = xstrdup(p.buf);
	if (!ret && !s->func && !s->file)
		ret = bad(&p, p.buf, "a function or a source file is needed");
	free(p.buf);
	if (ret)
		probe_spec_release(s);
	return ret;
}

void probe_spec_release(struct probe_spec *s)
{
	for vec_each(a, &s->args) {
		free(a->name);
		free(a->expr);
		free(a->type);
	}
	vec_free(&s->args);
	free(s->text);
	free(s->group);
	free(s->event);
	free(s->point);
	free(s->func);
	free(s->file);
	free(s->pattern);
	free(s->sdt);
	memset(s, 0, sizeof(*s));
}

/* --- names of events */

/* Cuts what compilers append: ".part.0", ".isra.3.cold", ".llvm.123". */
static void cut_clone_suffix(char *s)
{
	static const char *const tails[] = { ".isra", ".part", ".cold", ".constprop", ".llvm",
					     ".lto_priv", ".localalias", ".clone",
					     ".ctor", ".dtor", ".warm", ".hot", ".unlikely" };

	for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
		char *at = strstr(s, tails[i]);

		if (at && at > s && (!at[strlen(tails[i])] || at[strlen(tails[i])] == '.'))
			*at = 0;
	}
	for (char *dot; (dot = strrchr(s, '.')) && dot > s && dot[1] &&
	     !dot[1 + strspn(dot + 1, "0123456789")];)
		*dot = 0;
}

/* Cuts the parameters "(int) const" and template arguments at the end. */
static void cut_params(char *s)
{
	size_t n = strlen(s);
	char *op = strstr(s, "operator");

	if (op) {	/* "operator<(P const&, int)", "operator bool()" */
		op += 8 + operator_len(s, op + 8);
		op[strcspn(op, "(")] = 0;
		return;
	}
	for (char *p = s; (p = strchr(p, '(')); p++)
		/* not Go's "pkg.(*T)", nor "::(anonymous namespace)" */
		if (p > s && p[-1] != '.' && p[-1] != ':') {
			*p = 0;
			break;
		}
	n = strlen(s);
	while (n && s[n - 1] == '>') {
		int depth = 0;
		size_t i = n;

		while (i--) {
			depth += s[i] == '>' ? 1 : s[i] == '<' ? -1 : 0;
			if (!depth)
				break;
		}
		if (depth || !i)
			return;
		n = i;
		s[n] = 0;
		if (n > 2 && !strcmp(s + n - 2, "::"))	/* Rust's "name::<T>" */
			s[n -= 2] = 0;
	}
}

char *probe_event_name(const char *symbol)
{
	char *s = xstrdup(symbol), *p = s, *at;
	struct str out = STR_INIT;

	at = strchr(s, '@');
	if (at && at > s)
		*at = 0;
	cut_clone_suffix(s);
	cut_params(s);
	for (char *q = s; (q = strstr(q, "::")); q += 2)
		p = q + 2;
	if (p == s && (at = strrchr(s, '.')) && at[1])
		p = at + 1;
	while (*p == '_')
		p++;
	for (; *p; p++)
		str_addch(&out, isalnum((unsigned char)*p) ? *p : '_');
	free(s);
	if (!out.len || isdigit((unsigned char)out.buf[0])) {
		char *rest = str_detach(&out);

		str_addf(&out, "_%s", rest);
		free(rest);
	}
	if (out.len > 50)
		out.buf[50] = 0;
	return str_detach(&out);
}
