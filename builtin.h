/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_H
#define BUILTIN_H
#include "util/base/types.h"
/*
 * The commands. To add one:
 *  1. builtin-NAME.c with int cmd_NAME(int argc, const char **argv); argv[0] is the command's name,
 *     options go through cli_parse(), the return value is the exit status (0, CLI_FAILED,
 *     CLI_USAGE, the workload's own);
 *  2. its prototype here, in alphabetical order (those of the usual commands are here already);
 *  3. its line in the table in perf.c, with the words that "perf" alone lists (the same: the file
 *     alone switches it on);
 *  4. Documentation/perf-NAME.txt with the line {options} in OPTIONS;
 *  5. tests/t/tNNNN-NAME*.sh.
 */
/* what "perf version" says, and the VERSION of files that we write */
#define PERF_RELEASE "7.2.0"

struct perf_command {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *help;	/* one line */
};

/* Commands do not know which others there are: main() has the table, ended by a name of NULL, and
 * gives it to the two that need it. */
int help_command(const struct perf_command *commands, int argc, const char **argv);
int config_command(const struct perf_command *commands, int argc, const char **argv);
/* perf --complete WORD...: prints what the last of n words could be (util/cli/complete.h); globals:
 * perf's own options. */
struct cli_cmd;
int complete_line(const struct perf_command *commands, const struct cli_cmd *globals, int n,
		  const char **words);
/* NULL: there is none of that name. */
const struct perf_command *find_command(const struct perf_command *commands, const char *name);
/* Reports each setting that no command knows, or that has no effect (known) here; the number of
 * unknown ones. */
struct config;
typedef void (*config_reported)(const char *text, bool known);
unsigned config_check(const struct perf_command *commands, const struct config *c,
		      config_reported report);

int cmd_annotate(int argc, const char **argv);
int cmd_archive(int argc, const char **argv);
int cmd_bench(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_c2c(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_daemon(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_export(int argc, const char **argv);
int cmd_flame(int argc, const char **argv);
int cmd_ftrace(int argc, const char **argv);
int cmd_heap(int argc, const char **argv);
int cmd_heatmap(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_io(int argc, const char **argv);
int cmd_iostat(int argc, const char **argv);
int cmd_kallsyms(int argc, const char **argv);
int cmd_kmem(int argc, const char **argv);
int cmd_kvm(int argc, const char **argv);
int cmd_kwork(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_lock(int argc, const char **argv);
int cmd_mem(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_sched(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_sql(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_timechart(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_trace(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

#endif
