// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing by a compiled format. Invariants: the record was checked to hold all fixed fields and
 * what dynamic ones point to; whenever a piece starts, out has room after p for it and all that
 * follow, but for strings of unusual length: these ask for more, and for t->room after them.
 */
#include "util/event/tracepoint-priv.h"

#include "util/base/fasttext.h"

enum { SHORT_STRING = 64 };

struct line { const struct tp_text *t; struct span raw; bool swap; struct str *out; };

static inline u64 load(const u8 *p, u32 bytes, bool swap)
{
	u16 a;
	u32 b;
	u64 c;

	switch (bytes) {
	case 1:
		return *p;
	case 2:
		memcpy(&a, p, 2);
		return swap ? __builtin_bswap16(a) : a;
	case 4:
		memcpy(&b, p, 4);
		return swap ? __builtin_bswap32(b) : b;
	default:
		memcpy(&c, p, 8);
		return swap ? __builtin_bswap64(c) : c;
	}
}

static inline u64 cut(u64 v, u64 bytes, bool is_signed)
{
	switch (bytes) {
	case 1: return is_signed ? (u64)(s64)(s8)v : (u8)v;
	case 2: return is_signed ? (u64)(s64)(s16)v : (u16)v;
	case 4: return is_signed ? (u64)(s64)(s32)v : (u32)v;
	}
	return v;
}

u64 tp_eval(const struct expr *x, const u8 *raw, bool swap)
{
	u64 a, b;

	switch (x->kind) {
	case X_NUM: return x->num;
	case X_FIELD: return load(raw + x->field->off, x->field->bytes, swap);
	case X_MASK: return load(raw + x->field->off, x->field->bytes, swap) & x->num;
	case X_CAST: return cut(tp_eval(x->a, raw, swap), x->num, x->is_signed);
	case X_COND: return tp_eval(tp_eval(x->a, raw, swap) ? x->b : x->c, raw, swap);
	case X_OP: break;
	default: return 0;
	}
	a = tp_eval(x->a, raw, swap);
	b = tp_eval(x->b, raw, swap);
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

size_t tp_text_room(const struct expr *x)
{
	switch (x->kind) {
	case X_TEXT: return x->text_bytes;
	case X_FLAGS: case X_SYMBOL: return x->room;
	case X_COND: return tp_text_room(x->b) + tp_text_room(x->c);
	default: return SHORT_STRING;
	}
}

static char *put_flags(char *p, const struct expr *x, u64 v)
{
	bool any = false;

	for (size_t i = 0; i < x->syms.n; i++) {
		const struct sym *y = &x->syms.v[i];
		s64 bit = (s64)y->value;

		/* the top bit stands for "nothing left": libtraceevent's way */
		if (!v && bit < 0)
			return ft_bytes(p, y->text, y->bytes);
		if (bit > 0 && (v & (u64)bit) == (u64)bit) {
			if (any)
				p = ft_bytes(p, x->text, x->text_bytes);
			p = ft_bytes(p, y->text, y->bytes);
			any = true;
			v &= ~(u64)bit;
		}
	}
	if (v) {
		if (any)
			p = ft_bytes(p, x->text, x->text_bytes);
		p = ft_hex(ft_bytes(p, "0x", 2), v);
	}
	return p;
}

static char *put_symbol(char *p, const struct expr *x, u64 v)
{
	for (size_t i = 0; i < x->syms.n; i++)
		if (x->syms.v[i].value == v)
			return ft_bytes(p, x->syms.v[i].text, x->syms.v[i].bytes);
	return ft_hex(ft_bytes(p, "0x", 2), v);
}

/* Text that is not made for a terminal, or is long. */
static char *put_any(const struct line *l, char *p, const char *s, size_t n)
{
	l->out->len = (size_t)(p - l->out->buf);
	str_add_safen(l->out, s, n);
	str_reserve(l->out, l->t->room);
	return l->out->buf + l->out->len;
}

/* max: bytes of the field; the string may end before. */
static char *put_string(const struct line *l, char *p, const char *s, size_t max)
{
	size_t n = plain_prefix(s, max);

	if (n <= SHORT_STRING && (n == max || !s[n]))
		return ft_short(p, s, n);
	return put_any(l, p, s, strnlen(s, max));
}

static char *put_text(const struct line *l, char *p, const struct expr *x)
{
	const char *s;
	size_t n;

	switch (x->kind) {
	case X_TEXT:
		return ft_bytes(p, x->text, x->text_bytes);
	case X_STRING:
		return put_string(l, p, (const char *)l->raw.ptr + x->field->off, x->field->bytes);
	case X_DYN_STRING:
		s = (const char *)tp_read_bytes(x->field, l->raw, l->swap, &n);
		return s ? put_string(l, p, s, n) : p;
	case X_FLAGS:
		return put_flags(p, x, tp_eval(x->a, l->raw.ptr, l->swap));
	case X_SYMBOL:
		return put_symbol(p, x, tp_eval(x->a, l->raw.ptr, l->swap));
	case X_COND:
		return put_text(l, p, tp_eval(x->a, l->raw.ptr, l->swap) ? x->b : x->c);
	default:
		return p;
	}
}

/* What stands from "from" on, in a field of that width: moved to the right, or followed by
 * blanks. */
static char *align(char *from, char *p, int width, bool left, char pad)
{
	int n = (int)(p - from), fill = width - n;

	if (fill <= 0)
		return p;
	if (left) {
		memset(p, ' ', (size_t)fill);
	} else {
		memmove(from + fill, from, (size_t)n);
		memset(from, pad, (size_t)fill);
	}
	return p + fill;
}

static char *put_by_printf(const struct line *l, char *p, const struct piece *piece, u64 v)
{
	l->out->len = (size_t)(p - l->out->buf);
	str_addf(l->out, piece->format, v);
	str_reserve(l->out, l->t->room);
	return l->out->buf + l->out->len;
}

static char *upper(char *end, u64 v)
{
	for (char *p = end - ft_hex_digits(v); p < end; p++)
		*p -= *p >= 'a' ? 'a' - 'A' : 0;
	return end;
}

static char *put_number(const struct line *l, char *p, const struct piece *piece)
{
	const struct expr *x = piece->x;
	bool is_signed = piece->conv == 'd';
	u64 v = cut(tp_eval(x, l->raw.ptr, l->swap), (u64)piece->bytes, is_signed);
	char *const start = p, *from = p;

	if (piece->format)
		return put_by_printf(l, p, piece, v);
	if (piece->conv == 'p')
		return !v ? ft_bytes(p, "(nil)", 5) : ft_hex(ft_bytes(p, "0x", 2), v);
	if (is_signed && (s64)v < 0) {
		*p++ = '-';
		v = -v;
	}
	if (piece->zeros)
		from = p;
	p = piece->conv == 'x' ? ft_hex(p, v) : piece->conv == 'X' ? upper(ft_hex(p, v), v) :
		ft_u64(p, v);
	if (!piece->width)
		return p;
	return align(from, p, piece->width - (int)(from - start), piece->left, piece->zeros ? '0' :
		     ' ');
}

/* %d of a narrower field, also %ld of a 32-bit kernel's long: the kernel's own printf gets it
 * with its sign. (libtraceevent does not: it makes 65535 of an s16 of -1, in the arguments of
 * probes, say.) */
static inline u64 with_sign(const struct tp_field *f, u64 v)
{
	return f->is_signed && f->bytes < 8 ? cut(v, f->bytes, true) : v;
}

static inline char *put_field(const struct line *l, char *p, const struct piece *piece)
{
	const struct tp_field *f = piece->x->field;
	u64 v = load(l->raw.ptr + f->off, f->bytes, l->swap);

	v = cut(piece->conv == 'd' ? with_sign(f, v) : v, (u64)piece->bytes, piece->conv == 'd');
	return piece->conv == 'd' ? ft_s64(p, (s64)v) : ft_u64(p, v);
}

static char *put_string_piece(const struct line *l, char *p, const struct piece *piece)
{
	size_t from = (size_t)(p - l->out->buf);
	char *text;

	p = put_text(l, p, piece->x);
	if (!piece->format)
		return piece->width ? align(l->out->buf + from, p, piece->width, piece->left, ' ') :
			p;
	*p = 0;
	text = xstrdup(l->out->buf + from);
	l->out->len = from;
	str_addf(l->out, piece->format, text);
	free(text);
	str_reserve(l->out, l->t->room);
	return l->out->buf + l->out->len;
}

void tp_text_print(const struct tp_text *t, struct span raw, bool swap, struct str *out)
{
	struct line l = { t, raw, swap, out };
	char *p;

	str_reserve(out, t->room);
	p = out->buf + out->len;
	for vec_each(piece, &t->pieces) {
		p = ft_padded(p, piece->before, piece->before_bytes);
		if (piece->kind == P_FIELD)
			p = put_field(&l, p, piece);
		else if (piece->kind == P_NUM)
			p = put_number(&l, p, piece);
		else if (piece->kind == P_STR)
			p = put_string_piece(&l, p, piece);
	}
	*p = 0;
	out->len = (size_t)(p - out->buf);
}
