// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracepoint-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

/*
 * Compiled from libtraceevent's parse of the "print fmt" line; what it prints is the same (a test compares both over many
 * formats). Numbers are read without sign and cut to the conversion's width, as libtraceevent does.
 */
enum expr_kind { X_NUM, X_FIELD, X_STRING, X_DYN_STRING, X_TEXT, X_FLAGS, X_SYMBOL, X_CAST, X_OP, X_COND };

struct sym { u64 value; char *text; };

struct expr {
	enum expr_kind kind;
	u64 num;			/* X_NUM; X_CAST: bytes */
	bool is_signed;			/* X_CAST */
	const struct tp_field *field;
	char *text;			/* X_TEXT; X_FLAGS: the delimiter */
	char op[3];
	struct expr *a, *b, *c;
	VEC(struct sym) syms;
};

enum piece_kind { P_TEXT, P_NUM, P_STR };
struct piece {
	enum piece_kind kind;
	char *text;		/* P_TEXT; else the format with flags and width, or NULL for a plain one */
	char conv;		/* d u x X o */
	int bytes;		/* to which the number is cut: 1 2 4 8 */
	struct expr *x;
};

struct tp_text { VEC(struct piece) pieces; };

/* --- release --- */

static void expr_free(struct expr *x)
{
	if (!x)
		return;
	expr_free(x->a);
	expr_free(x->b);
	expr_free(x->c);
	free(x->text);
	for (size_t i = 0; i < x->syms.n; i++)
		free(x->syms.v[i].text);
	vec_free(&x->syms);
	free(x);
}

void tp_text_free(struct tp_text *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->pieces.n; i++) {
		free(t->pieces.v[i].text);
		expr_free(t->pieces.v[i].x);
	}
	vec_free(&t->pieces);
	free(t);
}

/* --- compiling expressions; NULL: not understood --- */

static struct expr *compile(const struct tp_format *f, const struct tep_print_arg *a, int depth);

static struct expr *new_expr(enum expr_kind kind)
{
	struct expr *x = xnew(struct expr);

	x->kind = kind;
	return x;
}

static struct expr *drop_expr(struct expr *x)
{
	expr_free(x);
	return NULL;
}

static struct expr *compile_atom(const char *atom)
{
	struct expr *x;
	char *end;
	u64 v = strtoull(atom, &end, 0);

	end += strspn(end, "uUlL");
	if (!isdigit((unsigned char)*atom) || *end) {
		x = new_expr(X_TEXT);
		x->text = xstrdup(atom);
		return x;
	}
	x = new_expr(X_NUM);
	x->num = v;
	x->text = xstrdup(atom);
	return x;
}

static struct expr *compile_field(const struct tp_format *f, const char *name)
{
	const struct tp_field *field = tp_field(f, name);
	struct expr *x;

	if (!field)
		return NULL;
	if (field->is_string && !field->is_dynamic && field->is_array) {
		x = new_expr(X_STRING);
	} else if (!field->is_dynamic && !field->is_array &&
		   (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes == 8)) {
		x = new_expr(X_FIELD);
	} else {
		return NULL;
	}
	x->field = field;
	return x;
}

static struct expr *compile_syms(const struct tp_format *f, enum expr_kind kind, const struct tep_print_arg *value,
				 const struct tep_print_flag_sym *s, const char *delim, int depth)
{
	struct expr *x = new_expr(kind);

	x->a = compile(f, value, depth + 1);
	x->text = xstrdup(delim ? delim : "");
	for (; s; s = s->next) {
		struct str safe = STR_INIT;
		struct sym y;

		/* names of constants are libtraceevent's business */
		if (!s->value || !s->str || !(isdigit((unsigned char)s->value[0]) || s->value[0] == '-'))
			return drop_expr(x);
		y.value = strtoull(s->value, NULL, 0);
		str_add_safe(&safe, s->str);
		y.text = str_detach(&safe);
		vec_push(&x->syms, y);
	}
	return x->a ? x : drop_expr(x);
}

static const struct { const char *name; int bytes; bool is_signed; } casts[] = {
	{ "u8", 1, false }, { "__u8", 1, false }, { "unsigned char", 1, false }, { "u16", 2, false }, { "__u16", 2, false },
	{ "unsigned short", 2, false }, { "u32", 4, false }, { "__u32", 4, false }, { "unsigned int", 4, false },
	{ "unsigned", 4, false }, { "u64", 8, false }, { "__u64", 8, false }, { "unsigned long", 8, false },
	{ "unsigned long long", 8, false }, { "s32", 4, true }, { "int", 4, true }, { "s64", 8, true }, { "long", 8, true },
	{ "long long", 8, true },
};

static struct expr *compile_cast(const struct tp_format *f, const struct tep_print_arg_typecast *t, int depth)
{
	for (size_t i = 0; i < ARRAY_SIZE(casts); i++) {
		struct expr *x;

		if (strcmp(casts[i].name, t->type))
			continue;
		x = new_expr(X_CAST);
		x->num = casts[i].bytes;
		x->is_signed = casts[i].is_signed;
		x->a = compile(f, t->item, depth + 1);
		/* a cast of a string is not a number */
		return x->a && x->a->kind != X_STRING && x->a->kind != X_DYN_STRING && x->a->kind != X_TEXT ? x : drop_expr(x);
	}
	return NULL;
}

static struct expr *compile_op(const struct tp_format *f, const struct tep_print_arg_op *o, int depth)
{
	static const char *const known[] = { "&", "|", "^", "<<", ">>", "+", "-", "==", "!=", "&&", "||" };
	struct expr *x;

	if (!strcmp(o->op, "?")) {
		if (!o->right || o->right->type != TEP_PRINT_OP || strcmp(o->right->op.op, ":"))
			return NULL;
		x = new_expr(X_COND);
		x->a = compile(f, o->left, depth + 1);
		x->b = compile(f, o->right->op.left, depth + 1);
		x->c = compile(f, o->right->op.right, depth + 1);
		return x->a && x->b && x->c ? x : drop_expr(x);
	}
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i], o->op))
			continue;
		if (!o->left || !o->right || o->left->type == TEP_PRINT_NULL)
			return NULL;
		x = new_expr(X_OP);
		memcpy(x->op, o->op, strlen(o->op) + 1);
		x->a = compile(f, o->left, depth + 1);
		x->b = compile(f, o->right, depth + 1);
		return x->a && x->b ? x : drop_expr(x);
	}
	return NULL;
}

static struct expr *compile(const struct tp_format *f, const struct tep_print_arg *a, int depth)
{
	struct expr *x;

	if (!a || depth > 20)
		return NULL;
	switch (a->type) {
	case TEP_PRINT_ATOM: return compile_atom(a->atom.atom);
	case TEP_PRINT_FIELD: return compile_field(f, a->field.name);
	case TEP_PRINT_FLAGS: return compile_syms(f, X_FLAGS, a->flags.field, a->flags.flags, a->flags.delim, depth);
	case TEP_PRINT_SYMBOL: return compile_syms(f, X_SYMBOL, a->symbol.field, a->symbol.symbols, NULL, depth);
	case TEP_PRINT_TYPE: return compile_cast(f, &a->typecast, depth);
	case TEP_PRINT_OP: return compile_op(f, &a->op, depth);
	case TEP_PRINT_STRING:
		x = new_expr(X_DYN_STRING);
		x->field = tp_field(f, a->string.string);
		return x->field && x->field->is_dynamic ? x : drop_expr(x);
	default: return NULL;
	}
}

/* --- compiling the format --- */

static void add_literal(struct tp_text *t, const char *from, size_t n)
{
	struct piece p = { .kind = P_TEXT };
	struct str safe = STR_INIT;

	if (!n)
		return;
	str_add_safen(&safe, from, n);
	p.text = str_detach(&safe);
	vec_push(&t->pieces, p);
}

static bool is_text(const struct expr *x)
{
	switch (x->kind) {
	case X_STRING: case X_DYN_STRING: case X_TEXT: case X_FLAGS: case X_SYMBOL: return true;
	case X_COND: return is_text(x->b) && is_text(x->c);
	default: return false;
	}
}

/* Symbolic values are printed without regard to a width. */
static bool is_plain_text(const struct expr *x)
{
	return x->kind == X_STRING || x->kind == X_DYN_STRING || x->kind == X_TEXT;
}

/* One conversion; *s stands behind the %. false: beyond us. */
static bool add_conversion(struct tp_text *t, const struct tp_format *f, const char **s, const struct tep_print_arg **arg)
{
	const char *p = *s, *flags = p;
	struct piece piece = { .bytes = 4 };
	struct str fmt = STR_INIT;

	p += strspn(p, "-+ #0123456789.");
	if (p > flags) {
		str_addch(&fmt, '%');
		str_addn(&fmt, flags, p - flags);
	}
	for (; *p == 'l' || *p == 'h' || *p == 'z'; p++)
		piece.bytes = *p == 'h' ? piece.bytes / 2 : 8;
	piece.conv = *p == 'i' ? 'd' : *p;
	piece.x = compile(f, *arg, 0);
	if (*p == 's' && piece.x && is_text(piece.x) && (!fmt.len || is_plain_text(piece.x))) {
		piece.kind = P_STR;
		if (fmt.len)
			str_add(&fmt, "s");
	} else if (*p && strchr("diuxX", *p) && piece.x && !is_text(piece.x) && piece.bytes) {
		piece.kind = P_NUM;
		if (fmt.len)
			str_addf(&fmt, "ll%c", piece.conv);
	} else {
		expr_free(piece.x);
		str_release(&fmt);
		return false;
	}
	piece.text = fmt.len ? str_detach(&fmt) : NULL;
	str_release(&fmt);
	vec_push(&t->pieces, piece);
	*s = p + 1;
	*arg = (*arg)->next;
	return true;
}

struct tp_text *tp_text_new(const struct tp_format *f, const char *format, const struct tep_print_arg *args)
{
	struct tp_text *t = xnew(struct tp_text);
	const char *s = format, *from = format;

	/* escapes and anything that is not a plain printf line are left to libtraceevent */
	if (!format || strchr(format, '\\') || strlen(format) > 65536)
		goto fail;
	while (*s) {
		if (*s != '%') {
			s++;
			continue;
		}
		add_literal(t, from, s - from);
		s++;
		if (*s == '%') {
			from = s++;
			continue;
		}
		if (!args || !add_conversion(t, f, &s, &args))
			goto fail;
		from = s;
	}
	add_literal(t, from, s - from);
	return t;
fail:
	tp_text_free(t);
	return NULL;
}

/* --- printing --- */

static u64 read_field(const struct tp_field *f, struct span raw, bool swap)
{
	u64 v = tp_read_u64(f, raw, swap);

	return f->bytes < 8 ? v & ((1ULL << f->bytes * 8) - 1) : v;
}

static u64 cut(u64 v, u64 bytes, bool is_signed)
{
	switch (bytes) {
	case 1: return is_signed ? (u64)(s64)(s8)v : (u8)v;
	case 2: return is_signed ? (u64)(s64)(s16)v : (u16)v;
	case 4: return is_signed ? (u64)(s64)(s32)v : (u32)v;
	}
	return v;
}

static u64 eval(const struct expr *x, struct span raw, bool swap)
{
	u64 a, b;

	switch (x->kind) {
	case X_NUM: return x->num;
	case X_FIELD: return read_field(x->field, raw, swap);
	case X_CAST: return cut(eval(x->a, raw, swap), x->num, x->is_signed);
	case X_COND: return eval(eval(x->a, raw, swap) ? x->b : x->c, raw, swap);
	case X_OP: break;
	default: return 0;
	}
	a = eval(x->a, raw, swap);
	b = eval(x->b, raw, swap);
	switch (x->op[0]) {
	case '&': return x->op[1] ? a && b : a & b;
	case '|': return x->op[1] ? a || b : a | b;
	case '^': return a ^ b;
	case '<': return a << (b & 63);
	case '>': return a >> (b & 63);
	case '+': return a + b;
	case '-': return a - b;
	case '=': return a == b;
	case '!': return a != b;
	}
	return 0;
}

static void add_flags(const struct expr *x, u64 v, struct str *out)
{
	bool any = false;

	for (size_t i = 0; i < x->syms.n; i++) {
		s64 bit = (s64)x->syms.v[i].value;

		if (!v && bit < 0) {	/* the top bit stands for "nothing left": libtraceevent's way */
			str_add(out, x->syms.v[i].text);
			return;
		}
		if (bit > 0 && (v & (u64)bit) == (u64)bit) {
			if (any)
				str_add(out, x->text);
			str_add(out, x->syms.v[i].text);
			any = true;
			v &= ~(u64)bit;
		}
	}
	if (v) {
		if (any)
			str_add(out, x->text);
		str_add(out, "0x");
		str_add_hex(out, v, 1);
	}
}

static void add_symbol(const struct expr *x, u64 v, struct str *out)
{
	for (size_t i = 0; i < x->syms.n; i++)
		if (x->syms.v[i].value == v) {
			str_add(out, x->syms.v[i].text);
			return;
		}
	str_add(out, "0x");
	str_add_hex(out, v, 1);
}

static void add_text(const struct expr *x, struct span raw, bool swap, struct str *out)
{
	size_t n;
	const char *s;

	switch (x->kind) {
	case X_TEXT: str_add_safe(out, x->text); break;
	case X_STRING:
	case X_DYN_STRING:
		s = tp_read_str(x->field, raw, swap, &n);
		if (s)
			str_add_safen(out, s, n);
		break;
	case X_FLAGS: add_flags(x, eval(x->a, raw, swap), out); break;
	case X_SYMBOL: add_symbol(x, eval(x->a, raw, swap), out); break;
	case X_COND: add_text(eval(x->a, raw, swap) ? x->b : x->c, raw, swap, out); break;
	default: break;
	}
}

static void add_number(const struct piece *p, u64 v, struct str *out)
{
	bool is_signed = p->conv == 'd';

	v = cut(v, p->bytes, is_signed);
	if (p->text) {
		str_addf(out, p->text, v);
	} else if (p->conv == 'x') {
		str_add_hex(out, v, 1);
	} else if (p->conv == 'X') {
		str_addf(out, "%llX", (unsigned long long)v);
	} else {
		if (is_signed && (s64)v < 0) {
			str_addch(out, '-');
			v = -v;
		}
		str_add_u64(out, v);
	}
}

void tp_text_print(const struct tp_text *t, struct span raw, bool swap, struct str *out)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct piece *p = &t->pieces.v[i];

		if (p->kind == P_TEXT) {
			str_add(out, p->text);
		} else if (p->kind == P_NUM) {
			add_number(p, eval(p->x, raw, swap), out);
		} else if (!p->text) {
			add_text(p->x, raw, swap, out);
		} else {
			struct str s = STR_INIT;

			add_text(p->x, raw, swap, &s);
			str_addf(out, p->text, str_cstr(&s));
			str_release(&s);
		}
	}
}
