// SPDX-License-Identifier: GPL-2.0-or-later
// Options that other perfs have and this one has not: what does the work instead, or why nothing
// can.
#include <string.h>

#include "util/base/types.h"
#include "util/cli/options-priv.h"

#define THREADS "--sort tid,sym has a row for each thread; --jobs N reads the file with that " \
		"many threads"
#define DEBUGGING "-v says what could not be read"
#define GUESTS "of guests the kernels and their modules are looked up, not programs"

#define NO_SAMPLES \
	"perf script --show-mmap-events, --show-task-events and -D show other records"

static const struct { const char *cmd, *option, *text; } absent[] = {
	{ "list", "cputype", "the name of a PMU selects its events: perf list cpu_core" },
	{ "list", "debug", "-v says what could not be read" },
	{ "data convert", "all", NO_SAMPLES },
	{ "report", "pretty", "perf script -D shows records as they are" },
	{ "report", "threads", THREADS },
	{ "report", "T", THREADS },
	{ "top", "branch-history", "branches are rows of their own (-b), not parts of call "
				   "chains" },
	{ "top", "dump-symtab", "perf kallsyms and nm show symbols" },
	{ "top", "D", "perf kallsyms and nm show symbols" },
	{ "top", "group-sort-idx", "groups are sorted by their first event" },
	{ "top", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "script", "d", DEBUGGING },
	{ "script", "debug-mode", DEBUGGING },
	{ "script", "dump-unsorted-raw-trace", "-D shows all records" },
	{ "script", "guest-code", GUESTS },
	{ "script", "xed", "--insn-trace=disasm shows instructions as text" },
	{ "kvm", "guest-code", GUESTS },
	{ "c2c report", "disassembler-style", "'perf annotate' shows instructions" },
	{ "c2c report", "M", "'perf annotate' shows instructions" },
	{ "c2c report", "objdump", "'perf annotate' shows instructions" },
	{ "inject", "guestmount", GUESTS },
	{ "inject", "known-build-ids", "-b reads build-ids from the files themselves, also below "
				       "--symfs" },
	{ "inject", "unwind-style", "call chains are unwound by record and report" },
};

const char *cli_absent_option(const char *cmd, const char *text)
{
	const size_t n = strcspn(text, "=");

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (!strcmp(absent[i].cmd, cmd) && !strncmp(absent[i].option, text, n) &&
		    !absent[i].option[n])
			return absent[i].text;
	return NULL;
}
