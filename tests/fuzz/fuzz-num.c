// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as users write them: no crash, and what was understood survives printing and reading
 * again. */
#include <stdlib.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void check_list(const char *s)
{
	struct err err = ERR_INIT;
	struct str text = STR_INIT;
	int_vec v = { 0 }, again = { 0 };

	if (parse_int_list(s, &v, &err)) {
		if (!err.code || !err.msg || v.n)
			abort();
	} else {
		str_add_int_list(&text, v.v, v.n);
		if (parse_int_list(str_cstr(&text), &again, &err) || again.n != v.n ||
		    memcmp(again.v, v.v, v.n * sizeof(int)))
			abort();
	}
	err_release(&err);
	str_release(&text);
	vec_free(&v);
	vec_free(&again);
}

static void check_u64(const char *s)
{
	struct str text = STR_INIT;
	u64 v, again;

	if (parse_u64(s, &v)) {
		str_add_u64(&text, v);
		if (!parse_u64(str_cstr(&text), &again) || again != v)
			abort();
	}
	str_reset(&text);
	if (parse_hex(s, &v)) {
		str_add_hex(&text, v, 16);
		if (!parse_hex(str_cstr(&text), &again) || again != v)
			abort();
	}
	str_reset(&text);
	if (parse_time_ns(s, &v)) {
		str_add_time(&text, v, 9);
		if (!parse_time_ns(str_cstr(&text), &again) || again != v)
			abort();
	}
	str_release(&text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *s = xstrndup(data ? (const char *)data : "", n);
	double d;
	u64 v;
	s64 i;
	int k;

	check_u64(s);
	check_list(s);
	parse_s64(s, &i);
	parse_int(s, &k);
	parse_double(s, &d);
	parse_size(s, &v);
	parse_duration(s, 1, &v);
	free(s);
	return 0;
}
