// SPDX-License-Identifier: GPL-2.0-or-later
// Changing one setting of a configuration file, with all else kept as the user wrote it. Where
// it is, the parser of such files tells.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/cli/config-priv.h"

static int no_home(struct err *err)
{
	err_set(err, ENOENT, "no configuration file: HOME is not set");
	err_hint(err, "set HOME, or name a file that exists: PERF_CONFIG=FILE");
	return -ENOENT;
}

int config_path(bool system, struct str *out, struct err *err)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");

	if (system)
		str_add(out, "/etc/perfconfig");
	else if (only && *only)
		str_add(out, only);
	else if (home && *home)
		str_addf(out, "%s/.perfconfig", home);
	else
		return no_home(err);
	return 0;
}

static void add_value(const char *value, struct str *out)
{
	bool quote = !*value || isspace((unsigned char)*value) ||
		isspace((unsigned char)value[strlen(value) - 1]) ||
		     strpbrk(value, "#;\"\\");

	if (quote)
		str_addch(out, '"');
	for (; *value; value++) {
		if (*value == '\n') {
			str_add(out, "\\n");
			continue;
		}
		if (*value == '"' || *value == '\\')
			str_addch(out, '\\');
		str_addch(out, *value);
	}
	if (quote)
		str_addch(out, '"');
}

/* On a line of its own; the newline after it is the caller's. */
static void add_setting(const char *key, const char *value, struct str *out)
{
	if (out->len && out->buf[out->len - 1] != '\n')
		str_addch(out, '\n');
	str_addf(out, "\t%s = ", key);
	add_value(value, out);
}

static void add_section(const char *name, size_t section_len, struct str *out)
{
	const char *dot = memchr(name, '.', section_len - 1);

	if (dot)
		str_addf(out, "[%.*s \"%.*s\"]\n", (int)(dot - name), name,
			 (int)(section_len - 2 - (size_t)(dot - name)), dot + 1);
	else
		str_addf(out, "[%.*s]\n", (int)(section_len - 1), name);
}

static int check_name(const char *name, struct err *err)
{
	const char *dot = strrchr(name, '.'), *sub = strchr(name, '.');
	bool ok = dot && dot > name && dot[1];

	for (const char *p = dot ? dot + 1 : ""; *p; p++)
		ok = ok && config_is_key_char(*p);
	for (const char *p = name; ok && p < dot; p++)
		ok = p < sub ? config_is_key_char(*p) : !iscntrl((unsigned char)*p) &&
		!strchr("\"\\", *p);
	return ok ? 0 : err_set(err, EINVAL, "not a setting's name: '%s' (it is SECTION.KEY)",
				name);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* text with each setting of that name replaced, by nothing but for the first. false: there is
 * none. */
static bool replace(const char *text, const config_parts *parts, const char *name,
		    const char *value, struct str *out)
{
	size_t at = 0;
	bool done = false;

	for vec_each(part, parts) {
		size_t from = part->from, to = part->to;

		if (!config_same_name(part->name, name))
			continue;
		while (from > at && is_blank(text[from - 1]))
			from--;
		if ((done || !value) && text[to] && (!from || text[from - 1] == '\n'))
			to++;		/* the whole line goes */
		str_addn(out, text + at, from - at);
		if (value && !done)
			add_setting(strrchr(name, '.') + 1, value, out);
		if (value && !done && !text[to])
			str_addch(out, '\n');
		at = to;
		done = true;
	}
	str_add(out, text + at);
	return done;
}

/* After what the section has, a comment on the same line included. */
static void insert(const char *text, const struct config_part *last, const char *key,
		   const char *value, struct str *out)
{
	const char *p = text + last->to, *next = p;

	while (is_blank(*next))
		next++;
	if (*next == '#' || *next == ';')
		p = next += strcspn(next, "\n");
	str_addn(out, text, (size_t)(p - text));
	str_addch(out, '\n');		/* even after one: that continues a value */
	add_setting(key, value, out);
	if (*next != '\n')
		str_addch(out, '\n');
	str_add(out, p);
}

static void append(const char *text, const config_parts *parts, const char *name, const char *value,
		   struct str *out)
{
	size_t section_len = (size_t)(strrchr(name, '.') - name) + 1;

	str_add(out, text);
	/* A newline at the end of a setting continues its value. */
	if (out->len && (out->buf[out->len - 1] != '\n' ||
			 (parts->n && parts->v[parts->n - 1].to == out->len)))
		str_addch(out, '\n');
	add_section(name, section_len, out);
	add_setting(name + section_len, value, out);
	str_addch(out, '\n');
}

/* The last part of the section that name is in; NULL: there is none. */
static const struct config_part *section_end(const config_parts *parts, const char *name)
{
	char *section = xasprintf("%.*s", (int)(strrchr(name, '.') - name) + 1, name);
	const struct config_part *last = NULL;
	bool in = false;

	for vec_each(part, parts) {
		if (str_has_suffix(part->name, "."))
			in = config_same_name(part->name, section);
		if (in)
			last = part;
	}
	free(section);
	return last;
}

int config_edit(const char *text, const char *name, const char *value, struct str *out,
		struct err *err)
{
	struct config check = { .items = { NULL, 0, 0 } };
	const struct config_part *last;
	config_parts parts = { NULL, 0, 0 };
	int ret = check_name(name, err);

	if (str_has_prefix(text, "\xef\xbb\xbf"))	/* the mark of UTF-8 */
		text += 3;
	if (ret >= 0)
		ret = config_parse_parts(&check, text, "the present file", &parts, err);
	config_release(&check);
	if (ret >= 0 && !replace(text, &parts, name, value, out)) {
		str_reset(out);
		last = section_end(&parts, name);
		if (!value)
			ret = err_set(err, ENOENT, "'%s' is not set", name);
		else if (last)
			insert(text, last, strrchr(name, '.') + 1, value, out);
		else
			append(text, &parts, name, value, out);
	}
	for vec_each(part, &parts)
		free(part->name);
	vec_free(&parts);
	return ret;
}
