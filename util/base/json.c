// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/json.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>

#include "util/base/utf8.h"

#define JSON_DEPTH_MAX 63

void json_init(struct json *j, struct str *out)
{
	*j = (struct json){ .out = out };
}

/* What goes before a value or key: nothing behind a key, else a comma from the second on. */
static void separate(struct json *j)
{
	u64 bit = 1ULL << MIN(j->depth, JSON_DEPTH_MAX);

	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->comma & bit)
		str_add(j->out, j->between ? j->between : ",");
	j->comma |= bit;
}

void json_open(struct json *j, char c)
{
	separate(j);
	str_addch(j->out, c);
	j->depth++;
	j->comma &= ~(1ULL << MIN(j->depth, JSON_DEPTH_MAX));
}

void json_close(struct json *j, char c)
{
	str_addch(j->out, c);
	if (j->depth)
		j->depth--;
	/* the value around it has this one; deeper than the bits reach, too */
	j->comma |= 1ULL << MIN(j->depth, JSON_DEPTH_MAX);
}

void json_key(struct json *j, const char *key)
{
	separate(j);
	json_quote(j->out, key, strlen(key));
	str_add(j->out, j->colon ? j->colon : ":");
	j->after_key = true;
}

void json_str(struct json *j, const char *s)
{
	if (s)
		json_strn(j, s, strlen(s));
	else
		json_raw(j, "null");
}

void json_strn(struct json *j, const char *s, size_t n)
{
	separate(j);
	json_quote(j->out, s, n);
}

void json_u64(struct json *j, u64 v)
{
	separate(j);
	str_add_u64(j->out, v);
}

void json_s64(struct json *j, s64 v)
{
	separate(j);
	if (v < 0)
		str_addch(j->out, '-');
	str_add_u64(j->out, v < 0 ? 0 - (u64)v : (u64)v);
}

/* With a point in every locale. */
void json_fixed(struct json *j, double v, int decimals)
{
	if (!isfinite(v)) {
		json_raw(j, "null");
		return;
	}
	separate(j);
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), old = uselocale(c);

	str_addf(j->out, "%.*f", decimals, v);
	uselocale(old);
	freelocale(c);
}

void json_bool(struct json *j, bool v)
{
	json_raw(j, v ? "true" : "false");
}

void json_raw(struct json *j, const char *text)
{
	separate(j);
	str_add(j->out, text);
}

static void add_code(struct str *out, u32 c)
{
	str_add(out, "\\u");
	str_add_hex(out, c, 4);
}

static void quote_ascii(struct str *out, u8 c)
{
	static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
	const char *p = c ? strchr(from, c) : NULL;

	if (p) {
		str_addch(out, '\\');
		str_addch(out, to[p - from]);
	} else if (c < 0x20 || c == 0x7f) {
		add_code(out, c);
	} else {
		str_addch(out, (char)c);
	}
}

void json_quote(struct str *out, const char *s, size_t n)
{
	const u8 *p = (const u8 *)s;

	str_addch(out, '"');
	for (size_t i = 0; i < n;) {
		size_t run = i;

		while (run < n && p[run] >= 0x20 && p[run] < 0x7f && p[run] != '"' &&
		       p[run] != '\\')
			run++;
		str_addn(out, p + i, run - i);
		i = run;
		if (i == n)
			break;
		size_t len = utf8_len(p + i, n - i);
		const u32 c = len > 1 ? utf8_decode(p + i, len) : 0;

		if (!len)
			str_add(out, "\\ufffd");
		else if (len == 1)
			quote_ascii(out, p[i]);
		else if (utf8_is_shown(c))
			str_addn(out, p + i, len);
		else		/* readers print names as they are; these are all below 0x10000 */
			add_code(out, c);
		i += len ? len : 1;
	}
	str_addch(out, '"');
}

void json_key_str(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

void json_key_u64(struct json *j, const char *key, u64 v)
{
	json_key(j, key);
	json_u64(j, v);
}
