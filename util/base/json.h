/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_JSON_H
#define BASE_JSON_H
/*
 * Writing JSON: a struct str with commas and nesting kept. Bytes that are no UTF-8 become \ufffd.
 * One owner.
 */
#include "util/base/str.h"

struct json {
	struct str *out;	/* borrowed */
	u64 comma;		/* bit per depth: a value has been written here */
	int depth;		/* at most 63 */
	bool after_key;
	/* What stands between values, and between a key and its value; NULL: "," and ":".
	 * Borrowed. */
	const char *between, *colon;
};

void json_init(struct json *j, struct str *out);
void json_open(struct json *j, char c);		/* '{' or '[' */
void json_close(struct json *j, char c);	/* '}' or ']' */
void json_key(struct json *j, const char *key);
void json_str(struct json *j, const char *s);	/* NULL is null */
void json_strn(struct json *j, const char *s, size_t n);
void json_u64(struct json *j, u64 v);
void json_s64(struct json *j, s64 v);
void json_fixed(struct json *j, double v, int decimals);	/* not finite: null */
void json_bool(struct json *j, bool v);
/* A key and its value. */
void json_key_str(struct json *j, const char *key, const char *s);
void json_key_u64(struct json *j, const char *key, u64 v);
void json_raw(struct json *j, const char *text);	/* a value that is JSON already */
/* Only the quoted string, for callers that keep their own commas. */
void json_quote(struct str *out, const char *s, size_t n);

#endif
