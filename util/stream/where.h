/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_WHERE_H
#define STREAM_WHERE_H
/*
 * --where: which samples are looked at, as an expression.
 *
 *	expr	= term { ("or" | "||") term }
 *	term	= factor { ("and" | "&&") factor }
 *	factor	= ("not" | "!") factor | "(" expr ")" | test
 *	test	= field ("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") value
 *		| field ("~" | "!~") (pattern | "/" regex "/")
 *		| field ["not"] "in" ["("] value ["-" value] { "," value ["-" value] } [")"]
 *		| (field | "stack") ["not"] "contains" (text | "/" regex "/")
 *		| field
 *
 * A field alone: the sample has it, and it is neither 0 nor empty. A field that a sample does not
 * have makes any comparison false. Names that no sample has by itself (where-fields.c) are fields
 * of tracepoints: "prev_comm", or "sched:sched_switch.prev_comm" of that event alone.
 *
 * One owner. After where_bind() any number of threads may ask where_passes(), each with a memo of
 * its own.
 */
#include "util/stream/sink.h"

/* What has to be known of a sample. */
enum where_stage {
	WHERE_SAMPLE,		/* what was recorded */
	WHERE_LEAF,		/* thread, comm, and where it fell */
	WHERE_CHAIN,		/* its frames */
	WHERE_STAGES
};

struct where_filter;
struct where_memo;		/* which names match which pattern */

/* -EINVAL: the message has the text with a caret below what is wrong. text is copied. */
int where_parse(const char *text, struct where_filter **out, struct err *err);
void where_free(struct where_filter *w);
/* Finds the fields of tracepoints; again when events came. complete: no more will: a field that no
 * event has is an error. swap: raw data are of the other byte order. */
int where_bind(struct where_filter *w, const struct event_list *l, bool swap, bool complete,
	       struct err *err);
/* Whether times are percentages of the recording; then its bounds are needed. */
bool where_has_percent(const struct where_filter *w);
void where_set_bounds(struct where_filter *w, u64 first_ns, u64 last_ns);
unsigned where_wants(const struct where_filter *w);		/* enum sink_wants */

struct where_memo *where_memo_new(void);
void where_memo_free(struct where_memo *m);
bool where_has_stage(const struct where_filter *w, enum where_stage stage);
/* The conditions of that stage alone: a sample passes that passes all three. res: not looked at in
 * WHERE_SAMPLE. */
bool where_passes(const struct where_filter *w, enum where_stage stage, const struct sample *s,
		  const struct resolved *res, struct where_memo *m);

#endif
