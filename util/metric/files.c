// SPDX-License-Identifier: GPL-2.0-or-later
// JSON metric files: arrays of flat objects whose values are texts.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/base/infile.h"
#include "util/metric/metric.h"

#define MAX_FILE_BYTES (64u << 20)

struct reading {
	const char *text, *p, *path;
	struct err *err;
	bool failed;
};

static int line_of(const struct reading *r, const char *at)
{
	int line = 1;

	for (const char *p = r->text; p < at; p++)
		line += *p == '\n';
	return line;
}

static int fail(struct reading *r, const char *at, const char *what)
{
	r->failed = true;
	return err_set(r->err, EINVAL, "'%s:%d': %s", r->path, line_of(r, at), what);
}

static void skip_spaces(struct reading *r)
{
	r->p += strspn(r->p, " \t\r\n");
}

static bool take(struct reading *r, char c)
{
	skip_spaces(r);
	if (*r->p != c)
		return false;
	r->p++;
	return true;
}

static void add_code_point(struct str *out, u32 c)
{
	if (c < 0x80) {
		str_addch(out, (char)c);
	} else if (c < 0x800) {
		str_addch(out, (char)(0xc0 | c >> 6));
		str_addch(out, (char)(0x80 | (c & 0x3f)));
	} else {
		str_addch(out, (char)(0xe0 | c >> 12));
		str_addch(out, (char)(0x80 | (c >> 6 & 0x3f)));
		str_addch(out, (char)(0x80 | (c & 0x3f)));
	}
}

/* The letter after a backslash; more after a u. */
static int take_escape(struct reading *r, struct str *out)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *at = *r->p ? strchr(names, *r->p) : NULL;
	char digits[5] = "", *end = digits;

	if (at) {
		str_addch(out, values[at - names]);
		r->p++;
		return 0;
	}
	if (*r->p == 'u' && strnlen(r->p, 5) == 5) {
		memcpy(digits, r->p + 1, 4);
		const unsigned long c = strtoul(digits, &end, 16);

		if (end == digits + 4 && c) {
			add_code_point(out, (u32)c);
			r->p += 5;
			return 0;
		}
	}
	return fail(r, r->p, "this escape is none of JSON's");
}

static int take_string(struct reading *r, struct str *out)
{
	const char *at;

	str_reset(out);
	skip_spaces(r);
	at = r->p;
	if (*r->p != '"')
		return fail(r, r->p, "a text between quotes is expected");
	for (r->p++; *r->p != '"' && !r->failed;) {
		if (!*r->p)
			return fail(r, at, "this text does not end");
		if (*r->p == '\\') {
			r->p++;
			take_escape(r, out);
		} else {
			str_addch(out, *r->p++);
		}
	}
	r->p++;
	return r->failed ? -EINVAL : 0;
}

/* A value: a text is kept, a number or word is passed over; objects and lists are not expected. */
static int take_value(struct reading *r, struct str *out)
{
	skip_spaces(r);
	str_reset(out);
	if (*r->p == '"')
		return take_string(r, out);
	const size_t n = strcspn(r->p, ",}] \t\r\n{[\"");

	if (!n)
		return fail(r, r->p, "a value is expected");
	str_addn(out, r->p, n);
	r->p += n;
	return 0;
}

enum { NAME, GROUP, EXPR, UNIT, THRESHOLD, DESC, N_KEYS };
static const char *const keys[N_KEYS] = { "MetricName", "MetricGroup", "MetricExpr", "ScaleUnit",
					  "MetricThreshold", "BriefDescription" };

static int put_metric(struct metric_set *s, struct reading *r, const struct str *v, const char *at)
{
	const char *given[N_KEYS];
	struct err why = ERR_INIT;
	int ret;

	for (int i = 0; i < N_KEYS; i++)
		given[i] = v[i].len ? str_cstr(&v[i]) : NULL;
	if (!given[EXPR])
		return 0;
	if (!given[NAME])
		return fail(r, at, "a MetricExpr without a MetricName");
	ret = metric_set_put(s, &(struct metric_text){ given[NAME], given[GROUP], given[EXPR],
						       given[UNIT], given[THRESHOLD], given[DESC],
						       0 }, &why);
	if (ret) {
		err_set(r->err, EINVAL, "'%s:%d': metric '%s': %s", r->path, line_of(r, at),
			given[NAME], why.msg);
		r->failed = true;
	}
	err_release(&why);
	return ret;
}

static int take_members(struct reading *r, struct str *values)
{
	struct str key = STR_INIT, value = STR_INIT;
	int ret = 0;

	while (!ret && !take(r, '}')) {
		ret = take_string(r, &key);
		if (!ret && !take(r, ':'))
			ret = fail(r, r->p, "a ':' is expected");
		if (!ret)
			ret = take_value(r, &value);
		for (int i = 0; i < N_KEYS && !ret; i++)
			if (!strcmp(keys[i], str_cstr(&key))) {
				str_reset(&values[i]);
				str_add(&values[i], str_cstr(&value));
			}
		skip_spaces(r);
		if (!ret && !take(r, ',') && *r->p != '}')
			ret = fail(r, r->p, "a ',' or '}' is expected");
	}
	str_release(&key);
	str_release(&value);
	return ret;
}

int metric_set_add_json(struct metric_set *s, const char *text, const char *path, struct err *err)
{
	struct reading r = { .text = text, .p = text, .path = path, .err = err };
	struct str values[N_KEYS] = { STR_INIT };
	int ret = 0;

	if (!take(&r, '['))
		return fail(&r, r.p, "an array of objects ('[') is expected");
	while (!ret && !take(&r, ']')) {
		const char *at = r.p;

		for (int i = 0; i < N_KEYS; i++)
			str_reset(&values[i]);
		ret = take(&r, '{') ? take_members(&r, values) : fail(&r, r.p, "a '{' is expected");
		if (!ret)
			ret = put_metric(s, &r, values, at);
		skip_spaces(&r);
		if (!ret && !take(&r, ',') && *r.p != ']')
			ret = fail(&r, r.p, "a ',' or ']' is expected");
	}
	skip_spaces(&r);
	if (!ret && *r.p)
		ret = fail(&r, r.p, "there is more after the array");
	for (int i = 0; i < N_KEYS; i++)
		str_release(&values[i]);
	return ret;
}

static int add_file(struct metric_set *s, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	int ret = infile_read(path, 0, MAX_FILE_BYTES, &text, err);

	if (!ret && strlen(str_cstr(&text)) != text.len)
		ret = err_set(err, EINVAL, "'%s' is no text", path);
	if (!ret)
		ret = metric_set_add_json(s, str_cstr(&text), path, err);
	str_release(&text);
	return ret;
}

static int is_json_or_dir(const struct dirent *d)
{
	return d->d_name[0] != '.' && (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN ||
				       str_has_suffix(d->d_name, ".json"));
}

static int add_dir(struct metric_set *s, const char *dir, int depth, struct err *err)
{
	struct dirent **names = NULL;
	int n = scandir(dir, &names, is_json_or_dir, alphasort), ret = 0;

	if (n < 0)
		return err_sys(err, errno, "cannot read the directory '%s'", dir);
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]->d_name);
		struct stat st;

		if (!ret && !stat(path, &st) && S_ISDIR(st.st_mode))
			ret = depth < 8 ? add_dir(s, path, depth + 1, err) : 0;
		else if (!ret && str_has_suffix(path, ".json"))
			ret = add_file(s, path, err);
		free(path);
		free(names[i]);
	}
	free(names);
	return ret;
}

int metric_set_add_dir(struct metric_set *s, const char *dir, struct err *err)
{
	return add_dir(s, dir, 0, err);
}
