/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef METRIC_METRIC_H
#define METRIC_METRIC_H
/*
 * Metrics: numbers made of counts by an expression ("instructions / cpu-cycles"), with a unit and a
 * threshold. The room owns the grammar, the evaluator, the table of built-in metrics and the
 * reader of JSON metric files. It knows no events: what an identifier is worth is asked of the
 * caller (struct metric_env), and identifiers are handed out as texts for event_parse().
 *
 *	if:	or [ "if" or "else" if ]
 *	or:	xor { "|" xor }		xor: and { "^" and }	and: less { "&" less }
 *	less:	sum { ("<" | ">") sum }	sum: product { ("+" | "-") product }
 *	product: unary { ("*" | "/" | "%") unary }		unary: [ "-" ] primary
 *	primary: number | "NaN" | #name | identifier | "(" if ")" | function "(" if { "," if } ")"
 *	function: min max d_ratio (0 where the divisor is) has_event source_count
 *		strcmp_cpuid_str (its argument is text)
 *	identifier: an event or another metric; "@" stands for a slash ("msr@tsc@"), a backslash
 *		takes the next character as it is ("cpu\-cycles")
 *
 * What cannot be computed is NaN: a division by zero, an event that was not counted.
 * One owner; after metric_set_link() a set is read-only and may be used by any thread.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/types.h"
#include "util/base/vec.h"

struct metric_expr;

struct metric_env {
	/* The value of an event or NaN. */
	double (*value)(void *ctx, const char *id);
	bool (*has_event)(void *ctx, const char *id);
	/* Of how many counters the value was added up. */
	double (*source_count)(void *ctx, const char *id);
	/* "#smt_on" without the #; false: there is none of this name. NULL ctx is allowed. */
	bool (*literal)(void *ctx, const char *name, double *out);
	bool (*cpuid)(void *ctx, const char *pattern);
	void *ctx;
};

/* NULL: the message is the text with a caret below what is wrong. */
struct metric_expr *metric_expr_parse(const char *text, struct err *err);
void metric_expr_free(struct metric_expr *e);
double metric_expr_eval(const struct metric_expr *e, const struct metric_env *env);
/* The identifiers whose values are needed, each once, in the order of the text. Conditions that are
 * known before anything is counted (literals, has_event, strcmp_cpuid_str) choose a branch; of
 * env value() and source_count() are not called. */
typedef VEC(const char *) metric_ids;	/* borrowed from the expression */
void metric_expr_ids(const struct metric_expr *e, const struct metric_env *env, metric_ids *out);

/* The expression as text that parses to the same value: metrics that it uses are put in their place,
 * and of what is known before anything is counted (and source_count()) the answers of env. */
void metric_expr_print(const struct metric_expr *e, const struct metric_env *env, struct str *out);

struct metric {
	char *name, *desc, *text;
	char *groups;			/* "a;b;c" */
	char *threshold_text;		/* or NULL */
	char *unit;			/* "cs/sec", "%"; "" without */
	double scale;			/* of the unit: "100%" is 100 and "%" */
	bool scaled;			/* the metric has a unit or a scale */
	struct metric_expr *expr, *threshold;
	/* rows of its events where the machine lacks them: 0 are shown, 1 to people only, 2 are
	 * left out */
	u8 lack;
};

struct metric_set { VEC(struct metric *) metrics; };	/* by name */

struct metric_text {		/* borrowed; what is not given is NULL */
	const char *name, *groups, *expr, *scale_unit, *threshold, *desc;
	u8 lack;
};
/* Takes copies; one of a known name replaces it. -EINVAL: the expression is none. */
int metric_set_put(struct metric_set *s, const struct metric_text *t, struct err *err);
const struct metric *metric_set_find(const struct metric_set *s, const char *name);

/* Adds the table of the program. */
void metric_set_add_builtin(struct metric_set *s);
/* Metrics of the group. */
size_t metric_set_count(const struct metric_set *s, const char *group);
/* Where the set has none of the group: the program's own, of groups that only some processors have
 * the events of: TopdownL1, transaction, smi. */
void metric_set_add_special(struct metric_set *s, const char *group);
/* Adds those of all *.json below a directory, in the form of the kernel's event files: an array of
 * objects with MetricName, MetricExpr and optionally MetricGroup, ScaleUnit, MetricThreshold,
 * BriefDescription; other objects (events) and keys are passed over. One of a known name replaces
 * it. Failure: -EINVAL and the like, with file:line. */
int metric_set_add_dir(struct metric_set *s, const char *dir, struct err *err);
/* The text of one file; path is for messages. */
int metric_set_add_json(struct metric_set *s, const char *text, const char *path, struct err *err);
/* Metrics used by others are put in their place. -ELOOP: one is made of itself. */
int metric_set_link(struct metric_set *s, struct err *err);
/* Of "a,b,c", names of metrics or groups; each once, in the order of the set for a group. -ENOENT:
 * with the nearest name as hint. */
typedef VEC(const struct metric *) metric_vec;
int metric_set_select(const struct metric_set *s, const char *names, metric_vec *out,
		      struct err *err);
void metric_set_release(struct metric_set *s);

/* Of a value that is not scaled: NULL where there is no threshold or no value, else "good" or "bad"
 * (the threshold's expression is true). */
const char *metric_judge(const struct metric *m, const struct metric_env *env, double value);

#endif
