// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/manual.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/io.h"

void cli_exe_dir(struct str *out)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return;
	path[n] = 0;
	slash = strrchr(path, '/');
	if (slash)
		str_addn(out, path, (size_t)(slash - path));
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

/* The options of a sub-command are known to that sub-command only: we ask ourselves, "perf CMD
 * SUB --list-opts=doc". */
static void add_sub_options(const char *cmd, const char *sub, size_t sub_len, struct str *out)
{
	char *name = xstrndup(sub, sub_len), buf[4096];
	size_t start = out->len;
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe(fds) < 0)
		goto out;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		execl("/proc/self/exe", "perf", "--no-pager", cmd, name, "--list-opts=doc",
		      (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	while ((n = io_read(fds[0], buf, sizeof(buf))) > 0)
		str_addn(out, buf, (size_t)n);
	close(fds[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
out:
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
			if (cmd && !strchr(cmd->name, ' '))
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
	bool shown = false;
	int status = -1;
	pid_t pid;

	if (!find_file(page, ".1", dirs, &path))
		goto out;
	pid = fork();
	if (pid == 0) {
		execlp("man", "man", str_cstr(&path), (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	shown = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
out:
	str_release(&path);
	return shown;
}
