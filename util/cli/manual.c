// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/manual.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/cli/options-priv.h"
#include "util/cli/pager.h"
#include "util/os/run.h"

void cli_exe_dir(struct str *out)
{
	struct str path = STR_INIT;
	const char *slash;

	run_self_path(&path);
	slash = strrchr(str_cstr(&path), '/');
	if (slash)
		str_addn(out, path.buf, (size_t)(slash - path.buf));
	str_release(&path);
}

/* Beside the program while it lies in its source tree, or in the share directory of where it was
 * installed. */
static bool find_file(const char *name, const char *suffix, const char *const *dirs,
		      struct str *path)
{
	struct str exe = STR_INIT;
	bool found = false;

	cli_exe_dir(&exe);
	for (; *dirs && !found; dirs++) {
		str_reset(path);
		str_addf(path, "%s/%s/%s%s", str_cstr(&exe), *dirs, name, suffix);
		found = access(str_cstr(path), R_OK) == 0;
	}
	str_release(&exe);
	return found;
}

/* What "perf [CMD SUB] --list-opts=doc" prints: only the sub-command, or perf without a command,
 * knows its options. */
static void add_printed_options(const char *cmd, const char *sub, struct str *out)
{
	const char *const of_sub[] = { "perf", "--no-pager", cmd, sub, "--list-opts=doc", NULL };
	static const char *const of_perf[] = { "perf", "--no-pager", "--list-opts=doc", NULL };
	const struct run_opts o = { .argv = cmd ? of_sub : of_perf, .file = RUN_SELF };

	fflush(NULL);
	run_output(&o, out, NULL);
}

static void add_sub_options(const char *cmd, const char *sub, size_t sub_len, struct str *out)
{
	char *name = xstrndup(sub, sub_len);
	const size_t start = out->len;

	add_printed_options(cmd, name, out);
	if (out->len == start)
		str_addf(out, "See perf %s %s -h.\n", cmd, name);
	free(name);
}

/* The table's options where the page says so: "{options: NAME...}" those, "{options}" all that
 * no such line named before. */
static void add_options(const char *line, size_t n, const struct cli_cmd *cmd, struct str *named,
			struct str *out)
{
	static const char some[] = "{options: ";
	char *names;

	if (n < sizeof(some)) {
		cli_options_doc(cmd, str_cstr(named), out);
		return;
	}
	names = xstrndup(line + sizeof(some) - 1, n - sizeof(some));
	cli_options_doc(cmd, names, out);
	str_addf(named, "%s%s ", named->len ? "" : "!", names);
	free(names);
}

static void add_page(const char *text, const struct cli_cmd *cmd, struct str *out)
{
	struct str named = STR_INIT;

	while (*text) {
		size_t n = strcspn(text, "\n");

		if ((n == 9 && !strncmp(text, "{options}", 9)) ||
		    (str_has_prefix(text, "{options: ") && text[n - 1] == '}')) {
			if (!cmd)
				add_printed_options(NULL, NULL, out);
			else if (!strchr(cmd->name, ' '))
				add_options(text, n, cmd, &named, out);
		} else if (str_has_prefix(text, "{options ") && n > 10 && text[n - 1] == '}') {
			char *name = cmd ? xstrndup(cmd->name, strcspn(cmd->name, " ")) : NULL;

			if (name)
				add_sub_options(name, text + 9, n - 10, out);
			free(name);
		} else {
			str_addn(out, text, n);
			str_addch(out, '\n');
		}
		text += n + (text[n] == '\n');
	}
	str_release(&named);
}

bool cli_manual_text(const char *page, const struct cli_cmd *cmd, struct str *out)
{
	static const char *const dirs[] = { "Documentation", "../Documentation",
					    "../share/doc/perf", NULL };
	struct str path = STR_INIT, text = STR_INIT, filled = STR_INIT;
	struct err err = ERR_INIT;
	bool found = find_file(page, ".txt", dirs, &path) &&
		io_read_file(str_cstr(&path), 1 << 20, &text, &err) >= 0;

	if (found) {
		add_page(str_cstr(&text), cmd, &filled);
		cli_manual_plain(str_cstr(&filled), out);
	}
	str_release(&filled);
	err_release(&err);
	str_release(&path);
	str_release(&text);
	return found;
}

bool cli_man(const char *page)
{
	static const char *const dirs[] = { "../share/man/man1", "man", NULL };
	struct str path = STR_INIT;
	bool shown = find_file(page, ".1", dirs, &path);
	const char *const argv[] = { "man", str_cstr(&path), NULL };

	shown = shown && !run_program(&(struct run_opts){ .argv = argv }, NULL);
	str_release(&path);
	return shown;
}

int usage_show_man(const struct cli_cmd *cmd)
{
	struct str page = STR_INIT;
	char *name = xasprintf("perf-%.*s", (int)strcspn(cmd->name, " "), cmd->name);
	int status = 0;

	if (!cli_manual_text(name, cmd, &page)) {
		cli_usage_text(cmd, &page);
		cli_options_text(cmd, NULL, 0, &page);
	}
	if (!isatty(STDOUT_FILENO) || !cli_man(name)) {
		cli_pager_start();
		fputs(str_cstr(&page), stdout);
	}
	str_release(&page);
	free(name);
	return status;
}
