// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>

#include "util/base/str.h"
#include "util/metric/metric.h"

static double value(void *ctx UNUSED, const char *id)
{
	return !strcmp(id, "cpu-cycles") ? 200 : !strcmp(id, "msr/tsc/") ? 50 :
		!strcmp(id, "cha/event=1,umask=2/") ? 7 : !strcmp(id, "zero") ? 0 : NAN;
}

static bool has_event(void *ctx UNUSED, const char *id)
{
	return !strcmp(id, "cpu-cycles");
}

static double source_count(void *ctx UNUSED, const char *id UNUSED)
{
	return 3;
}

static bool literal(void *ctx UNUSED, const char *name, double *out)
{
	*out = !strcmp(name, "num_cpus") ? 8 : 0;
	return !strcmp(name, "num_cpus") || !strcmp(name, "smt_on");
}

static bool cpuid(void *ctx UNUSED, const char *pattern)
{
	return !strcmp(pattern, "0x410fd490");
}

static const struct metric_env env = { value, has_event, source_count, literal, cpuid, NULL };

static double eval(const char *text)
{
	struct err err = ERR_INIT;
	struct metric_expr *e = metric_expr_parse(text, &err);
	double v = e ? metric_expr_eval(e, &env) : -12345;

	metric_expr_free(e);
	err_release(&err);
	return v;
}

TEST(values)
{
	static const struct { const char *text; double is; } t[] = {
		{ "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "10 - 2 - 3", 5 }, { "-2 * 3", -6 },
		{ "7 % 4", 3 }, { "1 < 2", 1 }, { "1 > 2", 0 }, { "1 + 1 > 1", 1 },
		{ "6 & 3", 2 }, { "6 | 3", 7 }, { "6 ^ 3", 5 }, { "1e9 / 1e9", 1 }, { ".5 * 4", 2 },
		{ "min(3, 2) + max(3, 2)", 5 }, { "d_ratio(5, 0)", 0 }, { "d_ratio(6, 3)", 2 },
		{ "cpu\\-cycles / 2", 100 }, { "msr@tsc@", 50 },
		{ "cha@event\\=1\\,umask\\=2@", 7 }, { "cha@event=1,umask=2@ * 2", 14 },
		{ "1 if #num_cpus > 4 else 2", 1 }, { "1 if #smt_on else 2 if 0 else 3", 3 },
		{ "has_event(cpu\\-cycles) + has_event(zero)", 1 },
		{ "source_count(cha@event\\=1@)", 3 }, { "strcmp_cpuid_str(0x410fd490)", 1 },
		{ "strcmp_cpuid_str(0x410fd491)", 0 }, { "5 if zero else 6", 6 },
		{ "zero * #num_cpus_ok if 0 else 4", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		if (eval(t[i].text) != t[i].is)
			CHECK_STR(t[i].text, "");
	CHECK(isnan(eval("1 / zero")));
	CHECK(isnan(eval("nothing + 1")));
	CHECK(isnan(eval("max(nothing, 1)")));
	CHECK(isnan(eval("#nothing")));
	CHECK(isnan(eval("1 if nothing else 2")));
	CHECK(isnan(eval("NaN")));
}

static const char *printed(const char *text)
{
	struct err err = ERR_INIT;
	struct metric_expr *e = metric_expr_parse(text, &err);
	struct str s = STR_INIT;

	if (e)
		metric_expr_print(e, &env, &s);
	metric_expr_free(e);
	err_release(&err);
	return unit_keep(str_detach(&s));
}

TEST(printed_and_read_again_it_is_the_same)
{
	static const struct { const char *text, *is; } t[] = {
		{ "1 + 2 * 3", "1 + 2 * 3" }, { "(1 + 2) * 3", "(1 + 2) * 3" },
		{ "1 - (2 - 3)", "1 - (2 - 3)" }, { "1 - 2 - 3", "1 - 2 - 3" },
		{ "-(cpu\\-cycles - 1)", "-(cpu\\-cycles - 1)" }, { "NaN", "NaN" },
		{ "msr@tsc@ / 2", "msr\\/tsc\\/ / 2" }, { "0.1", "0.10000000000000001" },
		{ "\\if + \\nan", "\\if + \\nan" }, { "\\1x", "\\1x" },
		{ "zero if has_event(cpu\\-cycles) else x", "zero" },
		{ "1 if #num_cpus > 4 else x", "1" }, { "zero * #num_cpus", "zero * 8" },
		{ "a if b < 1 else c", "(a if b < 1 else c)" },
		{ "source_count(zero) + strcmp_cpuid_str(0x410fd490)", "3 + 1" },
		{ "min(a, b + 1) | max(c, d) & d_ratio(1, 2)",
		  "min(a, b + 1) | max(c, d) & d_ratio(1, 2)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *once = printed(t[i].text);

		CHECK_STR(once, t[i].is);
		CHECK_STR(printed(once), once);
	}
}

static const char *message(const char *text)
{
	struct err err = ERR_INIT;
	struct metric_expr *e = metric_expr_parse(text, &err);

	metric_expr_free(e);
	return unit_keep(err.msg ? err.msg : xstrdup("none"));
}

TEST(a_caret_shows_what_is_wrong)
{
	CHECK_STR(message("1 + "), "metric expression: a value is expected, the text ends\n"
		  "  1 + \n      ^");
	CHECK_STR(message("a b"), "metric expression: an operator is expected\n  a b\n    ^");
	CHECK_STR(message("(a"), "metric expression: expected ')'\n  (a\n    ^");
	CHECK_STR(message("1 if 2"), "metric expression: expected 'else'\n  1 if 2\n        ^");
	CHECK_STR(message("foo(1)"), "metric expression: there is no function 'foo' (but min, max, "
		  "d_ratio, has_event, source_count and strcmp_cpuid_str)\n  foo(1)\n  ^");
	CHECK_STR(message("\x1b[1m"), "metric expression: a value is expected\n  \\x1b[1m\n  ^");
	CHECK_STR(message("min(1)"), "metric expression: expected ','\n  min(1)\n       ^");
	CHECK_STR(message("1 if else 2"), "metric expression: a value is expected before 'else'\n"
		  "  1 if else 2\n       ^");
}

TEST(nesting_and_length_have_ends)
{
	struct str s = STR_INIT;

	str_addchn(&s, '(', 100000);
	CHECK(strstr(message(str_cstr(&s)), "nested too deeply"));
	str_reset(&s);
	for (int i = 0; i < 100000; i++)
		str_add(&s, "1 if 0 else ");
	CHECK(strstr(message(str_cstr(&s)), "nested too deeply"));
	str_reset(&s);
	for (int i = 0; i < 100000; i++)
		str_add(&s, "1+");
	CHECK(strstr(message(str_cstr(&s)), "too long"));
	str_reset(&s);
	str_addchn(&s, '-', 100000);
	CHECK(strstr(message(str_cstr(&s)), "nested too deeply"));
	str_release(&s);
}

static const char *ids_of(const char *text)
{
	struct err err = ERR_INIT;
	struct metric_expr *e = metric_expr_parse(text, &err);
	metric_ids ids = { 0 };
	struct str s = STR_INIT;

	if (e)
		metric_expr_ids(e, &env, &ids);
	for vec_each(id, &ids) {
		str_add(&s, *id);
		str_addch(&s, ' ');
	}
	vec_free(&ids);
	metric_expr_free(e);
	return unit_keep(str_detach(&s));
}

TEST(events_that_are_needed)
{
	CHECK_STR(ids_of("b / a + b"), "b a ");
	CHECK_STR(ids_of("(a if #smt_on else b) / c"), "b c ");
	CHECK_STR(ids_of("(a if has_event(cpu\\-cycles) else b) / c"), "a c ");
	CHECK_STR(ids_of("a if d else b"), "a d b ");
	CHECK_STR(ids_of("source_count(x@y@)"), "x/y/ ");
}

TEST(sets)
{
	struct metric_set s = { 0 };
	struct err err = ERR_INIT;
	metric_vec v = { 0 };

	metric_set_add_builtin(&s);
	CHECK_EQ(metric_set_add_json(&s, "[{\"MetricName\": \"twice\", "
				     "\"MetricExpr\": \"2 * half\", "
				     "\"MetricGroup\": \"a;b\", \"ScaleUnit\": \"100%\", "
				     "\"MetricThreshold\": \"twice > 100\"},\n"
				     "{\"EventName\": \"x\", \"EventCode\": 3},\n"
				     "{\"MetricName\": \"half\", \"MetricExpr\": "
				     "\"cpu\\\\-cycles / 2\"}]\n", "t.json", &err), 0);
	CHECK_EQ(metric_set_link(&s, &err), 0);
	CHECK_EQ(metric_set_select(&s, "b,half,twice", &v, &err), 0);
	CHECK_EQ(v.n, 2);
	CHECK_STR(v.v[0]->name, "twice");
	CHECK_STR(v.v[0]->unit, "%");
	CHECK(metric_expr_eval(v.v[0]->expr, &env) == 200);
	CHECK_STR(metric_judge(v.v[0], &env, 200), "bad");
	CHECK(!metric_judge(v.v[1], &env, 200));
	vec_clear(&v);
	CHECK_EQ(metric_set_select(&s, "Default", &v, &err), 0);
	CHECK_EQ(v.n, 11);
	CHECK_EQ(metric_set_select(&s, "halff", &v, &err), -ENOENT);
	CHECK_STR(err.msg, "there is no metric and no group 'halff'");
	CHECK(strstr(err.hint, "'half'"));
	CHECK_EQ(metric_set_add_json(&s, "[{\"MetricName\": \"half\", \"MetricExpr\": \"twice\"}]",
				     "t.json", &err), 0);
	CHECK_EQ(metric_set_link(&s, &err), -ELOOP);
	vec_free(&v);
	err_release(&err);
	metric_set_release(&s);
}

TEST(json_that_is_none)
{
	static const struct { const char *text, *message; } t[] = {
		{ "{}", "'f:1': an array of objects ('[') is expected" },
		{ "[\n{\"a\": \"b\"\n\"c\"}]", "'f:3': a ',' or '}' is expected" },
		{ "[{\"a\" \"b\"}]", "'f:1': a ':' is expected" },
		{ "[{\"a\": \"b]", "'f:1': this text does not end" },
		{ "[{\"a\": \"\\q\"}]", "'f:1': this escape is none of JSON's" },
		{ "[]\nx", "'f:2': there is more after the array" },
		{ "[\n\n{\"MetricExpr\": \"1\"}]", "'f:3': a MetricExpr without a MetricName" },
		{ "[{\"MetricName\": \"m\", \"MetricExpr\": \"1+\"}]",
		  "'f:1': metric 'm': metric expression: a value is expected, the text ends\n"
		  "  1+\n    ^" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct metric_set s = { 0 };
		struct err err = ERR_INIT;

		CHECK_EQ(metric_set_add_json(&s, t[i].text, "f", &err), -EINVAL);
		CHECK_STR(err.msg, t[i].message);
		err_release(&err);
		metric_set_release(&s);
	}
}
