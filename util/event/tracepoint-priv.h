/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACEPOINT_PRIV_H
#define TRACEPOINT_PRIV_H
/*
 * A format, its fields (tracepoint-field.c), and the compiled print format: made by
 * tracepoint-text.c, printed by tracepoint-print.c.
 */
#include "util/event/tracepoint-text.h"

struct tep_event;
struct tp_format {
	char *system, *name;
	u64 id;
	VEC(struct tp_field) fields;
	u32 fixed_bytes;	/* raw data must have these for libtraceevent to be let at it */
	VEC(u32) dynamic;	/* which fields are */
	struct tep_event *tep;
	struct tp_table *table;
	struct tp_text *text;	/* the print format compiled, or NULL: libtraceevent prints */
};

/*
 * Compiled from libtraceevent's parse of the "print fmt" line; what it prints is the same (a test
 * compares both over many formats). Numbers are read without sign and cut to the conversion's
 * width, as libtraceevent does. Strings of the format itself are made safe for a terminal when it
 * is compiled.
 */
enum expr_kind { X_NUM, X_FIELD, X_STRING, X_DYN_STRING, X_TEXT, X_FLAGS, X_SYMBOL, X_CAST, X_OP,
		 X_MASK, X_COND };

struct sym { u64 value; char *text; size_t bytes; };

struct expr {
	enum expr_kind kind;
	u64 num;			/* X_NUM; X_CAST: bytes; X_MASK: what of the field counts */
	bool is_signed;			/* X_CAST */
	const struct tp_field *field;
	char *text;			/* X_TEXT; X_FLAGS: the delimiter */
	size_t text_bytes;
	/* X_FLAGS, X_SYMBOL: bytes that any value's text takes at most */
	size_t room;
	char op[3];
	struct expr *a, *b, *c;
	VEC(struct sym) syms;
};

enum piece_kind { P_TEXT, P_NUM, P_FIELD, P_STR };
struct piece {
	/* P_FIELD: a number that is simply a field, without flags or width */
	enum piece_kind kind;
	/* the text in front, padded for ft_padded(); P_TEXT is nothing else */
	char *before;
	size_t before_bytes;
	char *format;		/* for printf; or NULL: flags and width are the ones below */
	char conv;		/* d u x X p */
	int bytes;		/* to which the number is cut: 1 2 4 8 */
	int width;
	bool left, zeros;
	struct expr *x;
};

struct tp_text {
	VEC(struct piece) pieces;
	size_t room;		/* bytes that a line takes when its strings are short */
};

/* Reads no field of a constant expression: raw may be NULL then. */
u64 tp_eval(const struct expr *x, const u8 *raw, bool swap);
/* Bytes that the text of x takes at most, but for strings of the record, which ask for room when
 * they are long. */
size_t tp_text_room(const struct expr *x);

#endif
