// SPDX-License-Identifier: GPL-2.0-or-later
// Reading configuration files. Lines are parsed by hand, as bytes; a file is at most MAX_FILE.
#include "util/cli/config-priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "util/base/infile.h"
#include "util/base/num.h"
#include "util/cli/error.h"

enum { MAX_FILE = 1 << 20 };

struct parser {
	struct config *config;
	const char *p;		/* NUL-terminated text */
	const char *file;
	int line;
	/* "record", "colors.sub" with a dot after it; empty before the first header */
	struct str section;
	const char *text;
	config_parts *parts;	/* NULL: of no interest */
};

static int bad_line(const struct parser *ps, struct err *err, const char *what)
{
	return err_set(err, EINVAL, "bad config line %d in '%s': %s", ps->line, ps->file, what);
}

static void add_part(struct parser *ps, const char *name, const char *from)
{
	if (ps->parts)
		vec_push(ps->parts, ((struct config_part){ xstrdup(name), (size_t)(from - ps->text),
							   (size_t)(ps->p - ps->text) }));
}

static void skip_blanks(struct parser *ps)
{
	while (*ps->p == ' ' || *ps->p == '\t' || *ps->p == '\r')
		ps->p++;
}

static void skip_line(struct parser *ps)
{
	ps->p += strcspn(ps->p, "\n");
}

bool config_is_key_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* ["sub section"] after the name; the quotes are part of the text. */
static int parse_subsection(struct parser *ps, struct err *err)
{
	str_addch(&ps->section, '.');
	ps->p++;
	for (; *ps->p != '"'; ps->p++) {
		if (*ps->p == '\\' && ps->p[1] && ps->p[1] != '\n')
			ps->p++;
		if (!*ps->p || *ps->p == '\n')
			return bad_line(ps, err, "the quote of the section's name is not closed");
		str_addch(&ps->section, *ps->p);
	}
	ps->p++;
	return 0;
}

static int parse_section(struct parser *ps, struct err *err)
{
	const char *from = ps->p;
	int ret = 0;

	str_reset(&ps->section);
	for (ps->p++; config_is_key_char(*ps->p) || *ps->p == '.'; ps->p++)
		str_addch(&ps->section, (char)tolower((unsigned char)*ps->p));
	if (!ps->section.len || ps->section.buf[0] == '.')
		return bad_line(ps, err, "a section has no name");
	skip_blanks(ps);
	if (*ps->p == '"')
		ret = parse_subsection(ps, err);
	skip_blanks(ps);
	if (ret >= 0 && *ps->p != ']')
		ret = bad_line(ps, err, "missing ']'");
	if (ret < 0)
		return ret;
	ps->p++;
	str_addch(&ps->section, '.');
	add_part(ps, str_cstr(&ps->section), from);
	return 0;
}

static int add_escape(struct parser *ps, struct str *out, struct err *err)
{
	ps->p++;
	switch (*ps->p) {
	case '\n': ps->line++; break;	/* the line goes on */
	case 'n': str_addch(out, '\n'); break;
	case 't': str_addch(out, '\t'); break;
	case '\\': case '"': str_addch(out, *ps->p); break;
	default: return bad_line(ps, err, "only \\n, \\t, \\\" and \\\\ are known after a "
					  "backslash");
	}
	ps->p++;
	return 0;
}

/* Up to the end of the line or a comment; blanks at the end go, unless quoted. */
static int parse_value(struct parser *ps, struct str *out, struct err *err)
{
	bool quoted = false;
	size_t keep = 0;

	skip_blanks(ps);
	while (*ps->p && *ps->p != '\n' && (quoted || (*ps->p != '#' && *ps->p != ';'))) {
		if (*ps->p == '\\') {
			if (add_escape(ps, out, err) < 0)
				return -EINVAL;
			keep = out->len;
		} else if (*ps->p == '"') {
			quoted = !quoted;
			ps->p++;
			keep = out->len;
		} else {
			str_addch(out, *ps->p);
			if (quoted || !isspace((unsigned char)*ps->p))
				keep = out->len;
			ps->p++;
		}
	}
	if (quoted)
		return bad_line(ps, err, "a quote is not closed");
	while (out->len > keep)
		out->buf[--out->len] = 0;
	skip_line(ps);
	return 0;
}

static int parse_item(struct parser *ps, struct err *err)
{
	struct str name = STR_INIT, value = STR_INIT;
	const char *from = ps->p;
	int line = ps->line, ret = 0;

	if (!ps->section.len) {
		ret = bad_line(ps, err, "a setting before the first [section]");
		goto out;
	}
	str_add(&name, str_cstr(&ps->section));
	for (; config_is_key_char(*ps->p); ps->p++)
		str_addch(&name, (char)tolower((unsigned char)*ps->p));
	skip_blanks(ps);
	if (name.len == ps->section.len) {
		ret = bad_line(ps, err, "neither [section], nor name = value");
	} else if (*ps->p == '=') {
		ps->p++;
		ret = parse_value(ps, &value, err);
	} else if (!*ps->p || strchr("\n#;", *ps->p)) {
		str_add(&value, "true");
		skip_line(ps);
	} else {
		ret = bad_line(ps, err, "missing '=' after the name");
	}
	if (ret >= 0) {
		struct config_item *it = vec_add(&ps->config->items);

		add_part(ps, str_cstr(&name), from);
		*it = (struct config_item){ str_detach(&name), str_detach(&value), ps->file, line };
	}
out:
	str_release(&name);
	str_release(&value);
	return ret;
}

int config_parse_parts(struct config *c, const char *text, const char *file, config_parts *parts,
		       struct err *err)
{
	struct parser ps = { .config = c, .p = text, .text = text, .line = 1, .parts = parts };
	int ret = 0;

	vec_push(&c->files, xstrdup(file));
	ps.file = *vec_last(&c->files);
	if (str_has_prefix(text, "\xef\xbb\xbf"))
		ps.p += 3;
	while (*ps.p && ret >= 0) {
		skip_blanks(&ps);
		if (*ps.p == '\n') {
			ps.line++;
			ps.p++;
		} else if (*ps.p == '#' || *ps.p == ';') {
			skip_line(&ps);
		} else if (*ps.p == '[') {
			ret = parse_section(&ps, err);
		} else if (*ps.p) {
			ret = parse_item(&ps, err);
		}
	}
	str_release(&ps.section);
	return ret;
}

int config_parse(struct config *c, const char *text, const char *file, struct err *err)
{
	return config_parse_parts(c, text, file, NULL, err);
}

int config_load_file(struct config *c, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	int ret = infile_read(path, INFILE_NAMED | INFILE_TRUSTED, MAX_FILE, &text, err);

	if (ret >= 0)
		ret = config_parse(c, str_cstr(&text), path, err);
	str_release(&text);
	return ret;
}

/* What perf does and where it writes is not for another user to say: root's shell may still have
 * that user's HOME (sudo -E, su -m). Such a file is named, and perf goes on without it; as without
 * one that is not there. */
static int load_trusted(struct config *c, const char *path, bool named, struct err *err)
{
	struct str text = STR_INIT;
	struct err reason = ERR_INIT;
	int ret = infile_read(path, named ? INFILE_NAMED | INFILE_TRUSTED : INFILE_TRUSTED,
			      MAX_FILE, &text, &reason);

	if (ret >= 0) {
		ret = config_parse(c, str_cstr(&text), path, err);
	} else if (ret == -EPERM || (!named && ret != -ENOENT && ret != -ENOTDIR)) {
		err_prefix(&reason, "the configuration file is ignored");
		cli_warn_err(&reason);
		ret = 0;
	} else if (!named) {
		ret = 0;
	} else {
		ret = err_set(err, reason.code, "%s", reason.msg);
	}
	err_release(&reason);
	str_release(&text);
	return ret;
}

int config_load(struct config *c, struct err *err)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");
	char *path;
	int ret;

	if (only && !strcmp(only, "/dev/null"))
		return 0;
	if (only && *only)
		return load_trusted(c, only, true, err);
	ret = load_trusted(c, "/etc/perfconfig", false, err);
	if (ret < 0 || !home || !*home)
		return ret;
	path = xasprintf("%s/.perfconfig", home);
	ret = load_trusted(c, path, false, err);
	free(path);
	return ret;
}

/* A process has one: what every option table and every command goes by. */
static struct config used;

int config_start(struct err *err)
{
	return config_load(&used, err);
}

const struct config *config_used(void)
{
	return &used;
}

void config_stop(void)
{
	config_release(&used);
}

void config_release(struct config *c)
{
	for vec_each(it, &c->items) {
		free(it->name);
		free(it->value);
	}
	for vec_each(f, &c->files)
		free(*f);
	vec_free(&c->items);
	vec_free(&c->files);
}

bool config_same_name(const char *item, const char *name)
{
	const char *a = strchr(item, '.'), *b = strrchr(item, '.');
	size_t n = strlen(item), head = (size_t)(a - item), tail = (size_t)(b - item);

	return strlen(name) == n && !strncasecmp(item, name, head) &&
		!strncmp(item + head, name + head, tail - head) &&
	       !strcasecmp(item + tail, name + tail);
}

static const struct config_item *find_item(const struct config *c, const char *name)
{
	for (size_t i = c->items.n; i-- > 0; )
		if (config_same_name(c->items.v[i].name, name))
			return &c->items.v[i];
	return NULL;
}

const char *config_get(const struct config *c, const char *name)
{
	const struct config_item *it = find_item(c, name);

	return it ? it->value : NULL;
}

static int bad_value(const struct config_item *it, const char *what, struct err *err)
{
	return err_set(err, EINVAL, "bad value '%s' of '%s' at line %d of '%s': %s", it->value,
		       it->name, it->line, it->file, what);
}

bool config_bool(const char *text, bool *out)
{
	static const struct { const char *word; bool is; } words[] = {
		{ "true", true }, { "yes", true }, { "on", true }, { "1", true },
		{ "false", false }, { "no", false }, { "off", false }, { "0", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i].word)) {
			*out = words[i].is;
			return true;
		}
	return false;
}

int config_get_bool(const struct config *c, const char *name, bool dflt, bool *out, struct err *err)
{
	const struct config_item *it = find_item(c, name);

	*out = dflt;
	if (!it || config_bool(it->value, out))
		return 0;
	return bad_value(it, "neither true nor false", err);
}

int config_get_int(const struct config *c, const char *name, int dflt, int *out, struct err *err)
{
	const struct config_item *it = find_item(c, name);

	*out = dflt;
	if (!it || parse_int(it->value, out))
		return 0;
	*out = dflt;
	return bad_value(it, "not a number", err);
}
