// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/script/installed.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/vec.h"

#define BIN "/scripts/python/bin/"

enum { MAX_TEXT = 1 << 20 };

static const char *const usual[] = {
	"/usr/local/libexec/perf-core", "/usr/libexec/perf-core", "/usr/lib/perf-core",
	"/usr/local/lib/perf-core",
};

static bool has_scripts(const char *dir)
{
	struct str path = STR_INIT;
	bool there;

	str_addf(&path, "%s/scripts/python", dir);
	there = access(str_cstr(&path), R_OK) == 0;
	str_release(&path);
	return there;
}

void script_exec_path(struct str *out)
{
	const char *set = getenv("PERF_EXEC_PATH");

	if (set && *set) {
		str_add(out, set);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		if (has_scripts(usual[i])) {
			str_add(out, usual[i]);
			break;
		}
	}
	if (!out->len)
		str_add(out, usual[0]);
	setenv("PERF_EXEC_PATH", str_cstr(out), 1);
}

/* ---- the list ---- */

/* What stands behind "# key:" in a line of its own of the text. */
static void note_of(const char *text, const char *key, struct str *out)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *s = line + (*line == '\n');

		line = s;
		if (*s != '#')
			continue;
		s += 1 + strspn(s + 1, " \t");
		if (!str_has_prefix(s, key) || s[strlen(key)] != ':')
			continue;
		s += strlen(key) + 1;
		s += strspn(s, " \t");
		str_add_safen(out, s, strcspn(s, "\n"));
		return;
	}
}

typedef VEC(char *) name_vec;

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of the scripts that can report. */
static int read_names(const char *dir, name_vec *out)
{
	static const char tail[] = "-report";
	DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return -errno;
	while ((e = readdir(d)) != NULL)
		if (str_has_suffix(e->d_name, tail))
			vec_push(out, strndup(e->d_name, strlen(e->d_name) - strlen(tail)));
	closedir(d);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), cmp_names);
	return 0;
}

static void add_line(struct str *out, const char *dir, const char *name)
{
	struct str path = STR_INIT, text = STR_INIT, title = STR_INIT, about = STR_INIT;

	str_addf(&path, "%s%s-report", dir, name);
	if (infile_read(str_cstr(&path), 0, MAX_TEXT, &text, NULL) == 0) {
		str_add_safe(&title, name);
		str_addch(&title, ' ');
		note_of(str_cstr(&text), "args", &title);
		note_of(str_cstr(&text), "description", &about);
		if (title.buf[title.len - 1] == ' ')
			title.buf[--title.len] = '\0';
		str_addf(out, "  %-36s %s\n", str_cstr(&title), str_cstr(&about));
	}
	str_release(&path);
	str_release(&text);
	str_release(&title);
	str_release(&about);
}

int script_list(struct str *out, struct err *err)
{
	struct str dir = STR_INIT;
	name_vec names = { 0 };
	int ret;

	script_exec_path(&dir);
	str_add(&dir, BIN);
	ret = read_names(str_cstr(&dir), &names);
	if (ret == 0 && !names.n)
		ret = -ENOENT;
	if (ret) {
		err_sys(err, -ret, "no scripts are installed in '%s'", str_cstr(&dir));
		err_hint(err, "PERF_EXEC_PATH names another directory; perf script -s FILE.py "
			      "runs a script of your own");
	} else {
		str_add(out, "List of available trace scripts:\n");
		for vec_each(n, &names)
			add_line(out, str_cstr(&dir), *n);
	}
	for vec_each(n, &names)
		free(*n);
	vec_free(&names);
	str_release(&dir);
	return ret;
}

/* ---- one of them ---- */

int script_find(const char *name, const char *kind, struct str *out, struct err *err)
{
	script_exec_path(out);
	str_addf(out, BIN "%s-%s", name, kind);
	if (!strchr(name, '/') && access(str_cstr(out), R_OK) == 0)
		return 0;
	err_set(err, ENOENT, "no script '%s' is installed: there is no '%s'", name, str_cstr(out));
	err_hint(err, "perf script -l lists those that are");
	return -ENOENT;
}

size_t script_required_args(const char *name)
{
	struct str path = STR_INIT, text = STR_INIT, args = STR_INIT;
	size_t n = 0;

	if (script_find(name, "report", &path, NULL) == 0 &&
	    infile_read(str_cstr(&path), 0, MAX_TEXT, &text, NULL) == 0) {
		note_of(str_cstr(&text), "args", &args);
		for (const char *c = str_cstr(&args); *c; c++)
			n += *c == '<';
	}
	str_release(&path);
	str_release(&text);
	str_release(&args);
	return n;
}

bool script_find_file(const char *name, struct str *out)
{
	if (strchr(name, '/') || access(name, F_OK) == 0)
		return false;
	script_exec_path(out);
	str_addf(out, "/scripts/python/%s%s", name, str_has_suffix(name, ".py") ? "" : ".py");
	if (access(str_cstr(out), R_OK) == 0)
		return true;
	str_reset(out);
	return false;
}
