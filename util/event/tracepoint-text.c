// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracepoint-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "util/base/fasttext.h"
#include "util/event/tracepoint-priv.h"

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
		free(t->pieces.v[i].before);
		free(t->pieces.v[i].format);
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

static void set_text(struct expr *x, const char *text)
{
	struct str safe = STR_INIT;

	str_add_safe(&safe, text);
	x->text_bytes = safe.len;
	x->text = str_detach(&safe);
}

static struct expr *new_num(u64 v)
{
	struct expr *x = new_expr(X_NUM);

	x->num = v;
	return x;
}

static struct expr *compile_atom(const char *atom)
{
	struct expr *x;
	char *end;
	u64 v = strtoull(atom, &end, 0);

	end += strspn(end, "uUlL");
	if (isdigit((unsigned char)*atom) && !*end)
		return new_num(v);
	x = new_expr(X_TEXT);
	set_text(x, atom);
	return x;
}

static bool is_const(const struct expr *x)
{
	return x->kind == X_NUM;
}

/* Masks and sums of constants are written out in many formats. */
static struct expr *fold(struct expr *x)
{
	struct expr *v;

	if (x->kind == X_OP && !strcmp(x->op, "&") && x->a->kind == X_FIELD && is_const(x->b)) {
		x->kind = X_MASK;
		x->field = x->a->field;
		x->num = x->b->num;
		return x;
	}
	if (!is_const(x->a) || (x->b && !is_const(x->b)))
		return x;
	v = new_num(tp_eval(x, NULL, false));
	expr_free(x);
	return v;
}

static struct expr *compile_field(const struct tp_format *f, const char *name)
{
	const struct tp_field *field = tp_field(f, name);
	struct expr *x;

	if (!field)
		return NULL;
	if (field->is_string && !field->is_dynamic && field->is_array && field->bytes) {
		x = new_expr(X_STRING);
	} else if (!field->is_dynamic && !field->is_array &&
		   (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes ==
		    8)) {
		x = new_expr(X_FIELD);
	} else {
		return NULL;
	}
	x->field = field;
	return x;
}

/* Room for any value's text. */
static size_t syms_room(const struct expr *x)
{
	size_t all = FT_NUMBER + x->text_bytes, longest = 0;

	for (size_t i = 0; i < x->syms.n; i++) {
		all += x->syms.v[i].bytes + x->text_bytes;
		longest = MAX(longest, x->syms.v[i].bytes);
	}
	return x->kind == X_FLAGS ? all : longest + FT_NUMBER;
}

static struct expr *compile_syms(const struct tp_format *f, enum expr_kind kind,
				 const struct tep_print_arg *value,
				 const struct tep_print_flag_sym *s, const char *delim, int depth)
{
	struct expr *x = new_expr(kind);

	x->a = compile(f, value, depth + 1);
	set_text(x, delim ? delim : "");
	for (; s; s = s->next) {
		struct str safe = STR_INIT;
		struct sym y;

		/* names of constants are libtraceevent's business */
		if (!s->value || !s->str || !(isdigit((unsigned char)s->value[0]) || s->value[0] ==
					      '-'))
			return drop_expr(x);
		y.value = strtoull(s->value, NULL, 0);
		str_add_safe(&safe, s->str);
		y.bytes = safe.len;
		y.text = str_detach(&safe);
		vec_push(&x->syms, y);
	}
	x->room = syms_room(x);
	return x->a ? x : drop_expr(x);
}

static const struct { const char *name; int bytes; bool is_signed; } casts[] = {
	{ "u8", 1, false }, { "__u8", 1, false }, { "unsigned char", 1, false },
		{ "u16", 2, false }, { "__u16", 2, false },
	{ "unsigned short", 2, false }, { "u32", 4, false }, { "__u32", 4, false },
	{ "unsigned int", 4, false },
	{ "unsigned", 4, false }, { "u64", 8, false }, { "__u64", 8, false },
	{ "unsigned long", 8, false },
	{ "unsigned long long", 8, false }, { "s32", 4, true }, { "int", 4, true },
	{ "s64", 8, true }, { "long", 8, true },
	{ "long long", 8, true },
};

/* Whether the value of x has no more than that many bytes, being without sign. */
static bool fits_in(const struct expr *x, u64 bytes)
{
	return bytes == 8 || (x->kind == X_FIELD && x->field->bytes <= bytes);
}

static struct expr *compile_cast(const struct tp_format *f, const struct tep_print_arg_typecast *t,
				 int depth)
{
	for (size_t i = 0; i < ARRAY_SIZE(casts); i++) {
		struct expr *x, *inner;

		if (strcmp(casts[i].name, t->type))
			continue;
		x = new_expr(X_CAST);
		x->num = casts[i].bytes;
		x->is_signed = casts[i].is_signed;
		x->a = compile(f, t->item, depth + 1);
		/* a cast of a string is not a number */
		if (!x->a || x->a->kind == X_STRING || x->a->kind == X_DYN_STRING || x->a->kind ==
		    X_TEXT)
			return drop_expr(x);
		if (!fits_in(x->a, x->num) || (x->is_signed && x->num < 8))
			return fold(x);
		inner = x->a;
		x->a = NULL;
		expr_free(x);
		return inner;
	}
	return NULL;
}

static struct expr *compile_op(const struct tp_format *f, const struct tep_print_arg_op *o,
			       int depth)
{
	static const char *const known[] = { "&", "|", "^", "<<", ">>", "+", "-", "==", "!=", "&&",
					     "||" };
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
		return x->a && x->b ? fold(x) : drop_expr(x);
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
	case TEP_PRINT_FLAGS: return compile_syms(f, X_FLAGS, a->flags.field, a->flags.flags,
						  a->flags.delim, depth);
	case TEP_PRINT_SYMBOL: return compile_syms(f, X_SYMBOL, a->symbol.field, a->symbol.symbols,
						   NULL, depth);
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

/* The format's own text up to s, for the piece that follows. */
static void set_literal(struct piece *p, const char *from, size_t n)
{
	struct str safe = STR_INIT;

	str_add_safen(&safe, from, n);
	p->before_bytes = safe.len;
	str_addchn(&safe, 0, FT_SLACK);
	p->before = str_detach(&safe);
}

static bool is_text(const struct expr *x)
{
	switch (x->kind) {
	case X_STRING: case X_DYN_STRING: case X_TEXT: case X_FLAGS: case X_SYMBOL: return true;
	case X_COND: return is_text(x->b) && is_text(x->c);
	default: return false;
	}
}

/* What a width means for symbolic values is libtraceevent's business. */
static bool is_plain_text(const struct expr *x)
{
	return x->kind == X_STRING || x->kind == X_DYN_STRING || x->kind == X_TEXT;
}

/* Flags and width that need no printf: "5", "-16", "08"; false: others. */
static bool simple_width(const char *p, size_t n, struct piece *piece)
{
	const char *end = p + n;

	for (; p < end && (*p == '-' || *p == '0'); p++) {
		piece->left |= *p == '-';
		piece->zeros |= *p == '0';
	}
	for (; p < end && isdigit((unsigned char)*p) && piece->width < 1000; p++)
		piece->width = piece->width * 10 + (*p - '0');
	piece->zeros &= !piece->left;
	return p == end;
}

static bool set_conversion(struct piece *piece, const char *flags, size_t n, char conv)
{
	bool simple = simple_width(flags, n, piece);

	if (!piece->x)
		return false;
	if (conv == 's' && is_text(piece->x) && (!n || is_plain_text(piece->x))) {
		piece->kind = P_STR;
		if (!simple || piece->zeros)
			piece->format = xasprintf("%%%.*ss", (int)n, flags);
		return true;
	}
	if (conv == 'p')
		piece->bytes = 8;
	if (!conv || !strchr("diuxXp", conv) || is_text(piece->x) || !piece->bytes ||
	    (conv == 'p' && n))
		return false;
	piece->kind = piece->x->kind == X_FIELD && !n && strchr("diu", conv) ? P_FIELD : P_NUM;
	piece->conv = conv == 'i' ? 'd' : conv;
	if (!simple || (n && conv == 'X'))
		piece->format = xasprintf("%%%.*sll%c", (int)n, flags, piece->conv);
	return true;
}

/* One conversion; *s stands after the %. false: beyond us. */
static bool add_conversion(struct tp_text *t, const struct tp_format *f, const char **s,
			   const struct tep_print_arg **arg,
			   struct piece *piece)
{
	const char *p = *s, *flags = p;
	size_t n_flags;

	piece->bytes = 4;
	p += strspn(p, "-+ #0123456789.");
	n_flags = (size_t)(p - flags);
	for (; *p == 'l' || *p == 'h' || *p == 'z' || *p == 'L'; p++)
		piece->bytes = *p == 'h' ? piece->bytes / 2 : 8;
	/* a name of the address, or what it points to */
	if (*p == 'p' && isalnum((unsigned char)p[1]))
		return false;
	piece->x = compile(f, *arg, 0);
	if (!set_conversion(piece, flags, n_flags, *p))
		return false;
	vec_push(&t->pieces, *piece);
	*piece = (struct piece){ 0 };
	*s = p + 1;
	*arg = (*arg)->next;
	return true;
}

/* What a piece writes without asking for room; strings of the record do that when they are long. */
static size_t piece_room(const struct piece *p)
{
	size_t n = p->before_bytes;

	if (p->kind != P_TEXT)
		n += FT_NUMBER + (size_t)p->width;
	return p->kind == P_STR ? n + tp_text_room(p->x) : n;
}

static void end_piece(struct piece *piece, struct str *literal)
{
	set_literal(piece, str_cstr(literal), literal->len);
	str_reset(literal);
}

static bool compile_pieces(struct tp_text *t, const struct tp_format *f, const char *s,
			   const struct tep_print_arg *args)
{
	struct piece piece = { 0 };
	struct str literal = STR_INIT;
	bool ok = true;

	while (ok && *s) {
		size_t n = strcspn(s, "%\\");

		str_addn(&literal, s, n);
		s += n;
		if (s[0] == '\\') {	/* around the strings of probes */
			ok = s[1] == '"';
			str_addch(&literal, '"');
			s += 2;
		} else if (s[0] == '%' && s[1] == '%') {
			str_addch(&literal, '%');
			s += 2;
		} else if (*s++) {
			end_piece(&piece, &literal);
			ok = args && add_conversion(t, f, &s, &args, &piece);
		} else {
			s--;
		}
	}
	if (ok && literal.len) {
		end_piece(&piece, &literal);
		vec_push(&t->pieces, piece);
		piece = (struct piece){ 0 };
	}
	free(piece.before);
	free(piece.format);
	expr_free(piece.x);
	str_release(&literal);
	return ok;
}

struct tp_text *tp_text_new(const struct tp_format *f, const char *format,
			    const struct tep_print_arg *args)
{
	struct tp_text *t;

	/* escapes but \" and anything that is not a plain printf line are left to libtraceevent */
	if (!format || strlen(format) > 65536)
		return NULL;
	t = xnew(struct tp_text);
	if (!compile_pieces(t, f, format, args)) {
		tp_text_free(t);
		return NULL;
	}
	t->room = FT_SLACK + 1;
	for vec_each(p, &t->pieces)
		t->room += piece_room(p);
	return t;
}
