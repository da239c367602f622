// SPDX-License-Identifier: GPL-2.0-or-later
// Changing one setting of a configuration file, line by line, with all else kept as the user wrote it.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "util/cli/config.h"

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
	bool quote = !*value || isspace((unsigned char)*value) || isspace((unsigned char)value[strlen(value) - 1]) ||
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

/* What the line sets or opens: "record." for [record], "record.build-id" for the key in it, NULL for others. */
static char *line_name(const char *line, const char *section)
{
	struct config c = { .items = { NULL, 0, 0 } };
	struct err err = ERR_INIT;
	struct str text = STR_INIT;
	char *name = NULL;

	while (*line == ' ' || *line == '\t')
		line++;
	if (*line == '[')
		str_addf(&text, "%s\nx", line);		/* any key in it tells the section's name */
	else
		str_addf(&text, "[x]\n%s", line);
	if (config_parse(&c, str_cstr(&text), "", &err) >= 0 && c.items.n == 1) {
		const char *dot = strrchr(c.items.v[0].name, '.');

		if (*line == '[')
			name = xasprintf("%.*s.", (int)(dot - c.items.v[0].name), c.items.v[0].name);
		else if (section)
			name = xasprintf("%s%s", section, dot + 1);
	}
	str_release(&text);
	err_release(&err);
	config_release(&c);
	return name;
}

/* One line with the lines that it is continued on: those of comments and sections are not. */
static size_t line_length(const char *text)
{
	const char *p = text + strspn(text, " \t\r");
	bool quoted = false;

	if (*p == '[')
		p += strcspn(p, "\n");
	for (; *p && *p != '\n'; p++) {
		if (!quoted && (*p == '#' || *p == ';')) {
			p += strcspn(p, "\n");
			break;
		}
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && p[1])
			p++;
	}
	return (size_t)(p - text) + (*p == '\n');
}

static void add_setting(const char *key, const char *value, struct str *out)
{
	if (out->len && out->buf[out->len - 1] != '\n')
		str_addch(out, '\n');
	str_addf(out, "\t%s = ", key);
	add_value(value, out);
	str_addch(out, '\n');
}

static void add_section(const char *name, size_t section_len, struct str *out)
{
	const char *dot = memchr(name, '.', section_len - 1);

	if (out->len && out->buf[out->len - 1] != '\n')
		str_addch(out, '\n');
	if (dot)
		str_addf(out, "[%.*s \"%.*s\"]\n", (int)(dot - name), name, (int)(section_len - 2 - (size_t)(dot - name)), dot + 1);
	else
		str_addf(out, "[%.*s]\n", (int)(section_len - 1), name);
}

static int check_name(const char *name, struct err *err)
{
	const char *dot = strrchr(name, '.');
	bool ok = dot && dot > name && dot[1];

	for (const char *p = dot ? dot + 1 : ""; *p; p++)
		ok = ok && (isalnum((unsigned char)*p) || *p == '-' || *p == '_');
	for (const char *p = name; ok && p < dot; p++)
		ok = !iscntrl((unsigned char)*p) && !strchr("\"\\]", *p);
	return ok ? 0 : err_set(err, EINVAL, "not a setting's name: '%s' (it is SECTION.KEY)", name);
}

int config_edit(const char *text, const char *name, const char *value, struct str *out, struct err *err)
{
	struct config check = { .items = { NULL, 0, 0 } };
	size_t section_len, at_section_end = 0;
	char *section = NULL;
	bool done = false;
	int ret = check_name(name, err);

	if (ret >= 0)
		ret = config_parse(&check, text, "the present file", err);
	config_release(&check);
	if (ret < 0)
		return ret;
	section_len = (size_t)(strrchr(name, '.') - name) + 1;
	if (str_has_prefix(text, "\xef\xbb\xbf"))	/* the mark of UTF-8 */
		text += 3;
	while (*text) {
		size_t n = line_length(text);
		char *line = xstrndup(text, n), *what = line_name(line, section);

		if (what && str_has_suffix(what, ".")) {
			free(section);
			section = xstrdup(what);
		}
		if (what && !strcasecmp(what, name)) {
			if (value && !done)
				add_setting(name + section_len, value, out);
			done = true;
		} else {
			str_addn(out, text, n);
		}
		if (section && strlen(section) == section_len && !strncasecmp(section, name, section_len) &&
		    line[strspn(line, " \t\r\n")])
			at_section_end = out->len;
		free(what);
		free(line);
		text += n;
	}
	free(section);
	if (done)
		return 0;
	if (!value)
		return err_set(err, ENOENT, "'%s' is not set", name);
	if (at_section_end) {
		char *rest = xstrdup(out->buf + at_section_end);

		out->len = at_section_end;
		out->buf[out->len] = 0;
		add_setting(name + section_len, value, out);
		str_add(out, rest);
		free(rest);
	} else {
		add_section(name, section_len, out);
		add_setting(name + section_len, value, out);
	}
	return 0;
}
