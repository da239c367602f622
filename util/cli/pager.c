// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/progress.h"
#include "util/os/run.h"
#include "util/os/terminal-keys.h"

/* The one process that stdout goes to; there is one stdout. */
static struct { pid_t pid; bool none; const char *program; } pager;

bool cli_pager_active(void)
{
	return pager.pid > 0;
}

static const char *pager_command(void)
{
	const char *cmd = getenv("PERF_PAGER");

	if (pager.none)
		return NULL;
	if (!cmd)
		cmd = pager.program;
	if (!cmd)
		cmd = getenv("PAGER");
	if (!cmd)
		cmd = "less";
	return *cmd && strcmp(cmd, "cat") ? cmd : NULL;
}

void cli_pager_choose(const char *program)
{
	pager.program = program;
	pager.none = !program;
}

/* Is there such a program? Without one the output must not vanish. What only a shell understands is
 * left to it. */
static bool runnable(const char *cmd)
{
	const size_t n = strcspn(cmd, " \t;|&");
	bool yes = strpbrk(cmd, "$`\"'=(~\\") || run_is_there(cmd, n);

	if (!yes && memchr(cmd, '/', n)) {
		char *path = xstrndup(cmd, n);

		yes = access(path, X_OK) == 0;
		free(path);
	}
	return yes;
}

void cli_pager_start(void)
{
	const char *cmd = pager_command(), *const argv[] = { "sh", "-c", cmd, NULL };
	struct run_opts o = { .argv = argv, .env = getenv("LESS") ? NULL : "LESS=FRSX" };
	int fds[2];

	cli_output_begins(STDOUT_FILENO);
	if (pager.pid || !cmd || !isatty(STDOUT_FILENO))
		return;
	if (!runnable(cmd)) {
		/* nobody has asked for "less" */
		if (strcmp(cmd, "less"))
			cli_warn("the pager '%s' cannot be run: PERF_PAGER, pager.COMMAND in the "
				 "configuration, or PAGER names another one", cmd);
		return;
	}
	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	fflush(stderr);
	o.in_fd = fds[0];
	if (run_start(&o, &pager.pid, NULL)) {
		pager.pid = 0;
	} else {
		signal(SIGINT, SIG_IGN);	/* belongs to the pager now */
		dup2(fds[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(fds[1], STDERR_FILENO);
	}
	close(fds[0]);
	close(fds[1]);
}

void cli_page(const struct str *text)
{
	cli_pager_start();
	fwrite(str_cstr(text), 1, text->len, stdout);
}

bool cli_show_again(struct str *text, bool replace)
{
	const char *term = getenv("TERM");
	const bool screen = replace && isatty(STDOUT_FILENO) && term && strcmp(term, "dumb");
	unsigned lines = 0, columns = 0;

	if (screen) {
		terminal_keys_size(STDOUT_FILENO, &lines, &columns);
		fputs("\033[H\033[2J", stdout);
	}
	if (lines > 1)
		str_cut_lines(text, lines - 1);
	fwrite(str_cstr(text), 1, text->len, stdout);
	if (replace && !screen)
		putchar('\n');
	return !fflush(stdout);
}

void cli_pager_finish(void)
{
	if (!pager.pid)
		return;
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	run_wait(pager.pid);
	pager.pid = 0;
}

bool cli_color_parse(const char *text, enum cli_color *out)
{
	if (!strcmp(text, "auto") || !strcmp(text, "true"))
		*out = CLI_COLOR_AUTO;
	else if (!strcmp(text, "always"))
		*out = CLI_COLOR_ALWAYS;
	else if (!strcmp(text, "never") || !strcmp(text, "false"))
		*out = CLI_COLOR_NEVER;
	else
		return false;
	return true;
}

bool cli_color_on(enum cli_color when, int fd)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (when != CLI_COLOR_AUTO)
		return when == CLI_COLOR_ALWAYS;
	if (no && *no)
		return false;
	if (!isatty(fd) && !(fd == STDOUT_FILENO && cli_pager_active()))
		return false;
	return term && strcmp(term, "dumb");
}

int cli_columns(int fd)
{
	const char *env = getenv("COLUMNS");
	struct winsize ws;
	int n;

	if (env && parse_int(env, &n) && n > 0)
		return n;
	if (ioctl(fd, TIOCGWINSZ, &ws) == 0)
		return ws.ws_col;
	return 0;
}
