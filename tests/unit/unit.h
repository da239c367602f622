/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H
/*
 * The frame of the unit tests. TEST(name) { ... } at the start of a line of
 * tests/unit/<room>/test-<noun>.c is a test "<room>/<noun>/<name>"; it runs in a child of its own,
 * and ends at the first check that fails.
 */
#include "util/base/types.h"

struct unit_test {
	const char *name;
	void (*fn)(void);
};
extern const struct unit_test unit_tests[];	/* generated; ends with a NULL name */

struct unit_val {
	enum { UNIT_S64, UNIT_U64, UNIT_DBL, UNIT_PTR } kind;
	union {
		s64 s;
		u64 u;
		double d;
		const void *p;
	};
};

struct unit_val unit_s64(s64 v);
struct unit_val unit_u64(u64 v);
struct unit_val unit_dbl(double v);
struct unit_val unit_ptr(const void *v);

#define UNIT_VAL(x) _Generic((x), \
	bool: unit_u64, unsigned char: unit_u64, unsigned short: unit_u64, unsigned int: unit_u64, \
	unsigned long: unit_u64, unsigned long long: unit_u64, \
	char: unit_s64, signed char: unit_s64, short: unit_s64, int: unit_s64, \
	long: unit_s64, long long: unit_s64, \
	float: unit_dbl, double: unit_dbl, default: unit_ptr)(x)

void unit_fail(const char *file, int line, const char *text) __attribute__((noreturn));
void unit_eq(const char *file, int line, const char *a_text, const char *b_text, struct unit_val a,
	     struct unit_val b);
void unit_str_eq(const char *file, int line, const char *a_text, const char *a, const char *b);
void unit_mem_eq(const char *file, int line, const char *a_text, const void *a, const void *b,
		 size_t n);
void unit_skip(const char *reason) __attribute__((noreturn));

#define CHECK(cond) do { if (!(cond)) unit_fail(__FILE__, __LINE__, #cond); } while (0)
/* Numbers compare by value (signed against unsigned too), pointers by address. A bit-field needs
 * "+ 0". */
#define CHECK_EQ(a, b) unit_eq(__FILE__, __LINE__, #a, #b, UNIT_VAL(a), UNIT_VAL(b))
#define CHECK_STR(a, b) unit_str_eq(__FILE__, __LINE__, #a, a, b)
#define CHECK_MEM(a, b, n) unit_mem_eq(__FILE__, __LINE__, #a, a, b, n)
#define SKIP(reason) unit_skip(reason)
/* A directory of this test's own, removed after it; borrowed. */
const char *unit_tmpdir(void);
/* Memory that lives until the test's process ends, for a leak checker too; returns p. */
void *unit_keep(void *p);

#define UNIT_NAME_(id, name) id##__##name
#define UNIT_NAME(id, name) UNIT_NAME_(id, name)
#define TEST(name) \
	void UNIT_NAME(UNIT_ID, name)(void); \
	void UNIT_NAME(UNIT_ID, name)(void)

#endif
