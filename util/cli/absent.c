// SPDX-License-Identifier: GPL-2.0-or-later
// Commands and options that other perfs have and this one has not: what does the work instead,
// or why nothing can. Recipes use them.
#include <errno.h>
#include <string.h>

#include "util/base/types.h"
#include "util/cli/error.h"
#include "util/cli/manual.h"
#include "util/cli/options-priv.h"

#define THREADS "--sort tid,sym has a row for each thread; --jobs N reads the file with that " \
		"many threads"
#define DEBUGGING "-v says what could not be read"
#define GUESTS "guests' kernels and modules are not looked up"

#define NO_SAMPLES \
	"perf script --show-mmap-events, --show-task-events and -D show other records"

static const struct { const char *cmd, *option, *text; } absent[] = {
	{ "stat", "iostat", "-a -I 1000 -e block:block_rq_issue,block:block_rq_complete counts the "
			    "requests of disks each second" },
	{ "list", "cputype", "the name of a PMU selects its events: perf list cpu_core" },
	{ "list", "debug", "-v says what could not be read" },
	{ "data convert", "all", NO_SAMPLES },
	{ "report", "pretty", "perf script -D shows records as they are" },
	{ "report", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "report", "threads", THREADS },
	{ "report", "T", THREADS },
	{ "top", "branch-history", "branches are rows of their own (-b), not parts of call "
				   "chains" },
	{ "top", "dump-symtab", "perf kallsyms and nm show symbols" },
	{ "top", "D", "perf kallsyms and nm show symbols" },
	{ "top", "group-sort-idx", "groups are sorted by their first event" },
	{ "top", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "script", "d", DEBUGGING },
	{ "script", "merge-callchains", "call chains are shown as they were recorded" },
	{ "script", "debug-mode", DEBUGGING },
	{ "script", "dump-unsorted-raw-trace", "-D shows all records" },
	{ "script", "guest-code", GUESTS },
	{ "script", "guestkallsyms", GUESTS },
	{ "script", "guestmodules", GUESTS },
	{ "script", "guestmount", GUESTS },
	{ "script", "guestvmlinux", GUESTS },
	{ "script", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "script", "xed", "--insn-trace=disasm shows instructions as text" },
	{ "kvm", "guest-code", GUESTS },
	{ "kvm", "guestkallsyms", GUESTS },
	{ "kvm", "guestmodules", GUESTS },
	{ "kvm", "guestmount", GUESTS },
	{ "kvm", "guestvmlinux", GUESTS },
	{ "c2c report", "stitch-lbr", "call chains of branch records are shown as they were "
				      "recorded" },
	{ "c2c report", "disassembler-style", "'perf annotate' shows instructions" },
	{ "c2c report", "M", "'perf annotate' shows instructions" },
	{ "c2c report", "objdump", "'perf annotate' shows instructions" },
	{ "inject", "guestmount", GUESTS },
	{ "inject", "known-build-ids", "-b reads build-ids from the files themselves, also below "
				       "--symfs" },
	{ "inject", "unwind-style", "call chains are unwound by record and report" },
};

static const struct { const char *name, *text; } commands[] = {
	{ "iostat", "'perf stat -a -I 1000 -e block:block_rq_issue,block:block_rq_complete' counts "
		    "the requests of disks each second" },
};

int cli_explain_absent(const char *name)
{
	struct err err = ERR_INIT;
	size_t i = 0;

	while (i < ARRAY_SIZE(commands) && strcmp(commands[i].name, name))
		i++;
	if (i == ARRAY_SIZE(commands))
		return 0;
	err_set(&err, ENOTSUP, "this perf does not have the command '%s'", name);
	err_hint(&err, "%s", commands[i].text);
	cli_error(&err);
	err_release(&err);
	return CLI_FAILED;
}

const char *cli_absent_option(const char *cmd, const char *text)
{
	const size_t n = strcspn(text, "=");

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (!strcmp(absent[i].cmd, cmd) && !strncmp(absent[i].option, text, n) &&
		    !absent[i].option[n])
			return absent[i].text;
	return NULL;
}
