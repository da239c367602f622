/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_H
#define BUILTIN_H
/*
 * The commands. To add one:
 *  1. builtin-NAME.c with int cmd_NAME(int argc, const char **argv); argv[0] is the command's name, options go through
 *     cli_parse(), the return value is the exit status (0, CLI_FAILED, CLI_USAGE, the workload's own);
 *  2. its prototype here, in alphabetical order;
 *  3. its line in the table in perf.c, with the words that "perf" alone lists;
 *  4. Documentation/perf-NAME.txt with the line {options} in OPTIONS;
 *  5. tests/t/tNNNN-NAME*.sh.
 */
#define PERF_RELEASE "7.2.0"	/* what "perf version" says, and the VERSION of files that we write */

struct perf_command {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *help;	/* one line */
};

extern const struct perf_command perf_commands[];	/* in the order of the list; ended by a name of NULL */
const struct perf_command *find_command(const char *name);

int cmd_help(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

#endif
