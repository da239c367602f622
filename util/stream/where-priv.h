/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_WHERE_PRIV_H
#define STREAM_WHERE_PRIV_H
/*
 * Inside of --where: where-parse.c makes the tree, of fields in where-fields.c; where.c asks it.
 */
#include <regex.h>

#include "util/base/vec.h"
#include "util/event/per-event.h"
#include "util/stream/where.h"

enum where_op {
	W_AND, W_OR, W_NOT, W_EQ, W_NE, W_LT, W_LE, W_GT, W_GE, W_IN, W_GLOB, W_REGEX, W_CONTAINS,
	W_HAS,
};

enum where_kind { WK_NUMBER, WK_TIME, WK_TEXT, WK_STACK, WK_TRACEPOINT };

struct where_number { bool negative; u64 v; };	/* v: of a negative one as s64 */

/* A value of a field; several texts where a file has two names. */
struct where_value {
	struct where_number n;
	const char *text[2];		/* NULL: none; not ended by NUL if len is not 0 */
	size_t len;
	bool is_text;
	bool stays;			/* the texts are there as long as the stream */
};

struct where_ask {
	const struct sample *s;
	const struct resolved *res;
	bool swap;
};

struct where_field {
	const char *name, *alias;
	enum where_kind kind;
	enum where_stage stage;
	unsigned wants;			/* enum sink_wants */
	/* false: the sample has none */
	bool (*get)(const struct where_ask *a, struct where_value *out);
};

/* What was written: a number, a time, a text, or a range of the first two. */
struct where_literal {
	char *text;			/* owned */
	size_t at;			/* in the expression */
	bool is_number, is_range, is_percent;
	struct where_number n, to;
	double pct, to_pct;
};

struct where_node {
	enum where_op op;
	bool negated;			/* of what has the field: !~, not in */
	u32 a, b;			/* W_AND, W_OR, W_NOT: nodes */
	enum where_stage stage;
	const struct where_field *field;
	size_t at;			/* of the field, in the expression */
	/* WK_TRACEPOINT: owned; the event NULL: any */
	char *event, *name;
	struct per_event *fields;	/* const struct tp_field * of each event */
	u32 first, n;			/* of the literals */
	regex_t *regex;			/* owned */
};

struct where_filter {
	char *text;
	bool swap;
	VEC(struct where_node) nodes;
	VEC(struct where_literal) literals;
	VEC(u32) roots[WHERE_STAGES];	/* all of them have to hold */
	unsigned wants;
	bool percent;
};

/* Names of the fields that samples have; NULL after the last one. */
const char *where_field_name(size_t i);
/* NULL: no sample has a field of that name by itself. */
const struct where_field *where_find_field(const char *name, size_t n);
extern const struct where_field where_stack, where_tracepoint;
/* The text with a caret below character at of it. */
int where_fail(const char *text, size_t at, struct err *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

#endif
