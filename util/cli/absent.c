// SPDX-License-Identifier: GPL-2.0-or-later
// Options that other perfs have and this one has not: what does the work instead, or why nothing can. Recipes use them.
#include <string.h>

#include "util/base/types.h"
#include "util/cli/options-priv.h"

#define ANNOTATING "it is about listings of instructions, which this perf does not make"
#define TRACES "traces of Intel PT, CoreSight and the like (AUX areas) are not decoded"
#define NESTED "rows are not nested: --sort dso,sym has one for each pair"
#define THREADS "--sort tid,sym has a row for each thread; --jobs N reads the file with that many threads"
#define DEBUGGING "-v says what could not be read"
#define SCRIPTS "it prints samples and runs no scripts over them: a script can read them from a pipe"
#define SWITCHING "--time selects a part of the recording"
#define DLFILTERS "there are no filters in shared objects: --comm, --dsos, -S and --time select samples"
#define GUESTS "guests' kernels and modules are not looked up"

static const struct { const char *cmd, *option, *text; } absent[] = {
	{ "report", "asm-raw", ANNOTATING },
	{ "report", "disassembler-style", ANNOTATING },
	{ "report", "objdump", ANNOTATING },
	{ "report", "percent-type", ANNOTATING },
	{ "report", "prefix", ANNOTATING },
	{ "report", "prefix-strip", ANNOTATING },
	{ "report", "source", ANNOTATING },
	{ "report", "branch-history", "branches are rows of their own (-b), not parts of call chains" },
	{ "report", "group-sort-idx", "groups are sorted by their first event" },
	{ "report", "hierarchy", NESTED },
	{ "report", "itrace", TRACES },
	{ "report", "latency", "recordings are not weighed by parallelism" },
	{ "report", "parallelism", "recordings are not weighed by parallelism" },
	{ "report", "mmaps", "perf script --show-mmap-events lists the recorded mappings with their times" },
	{ "report", "ns", "perf script --ns shows the times of samples in nanoseconds" },
	{ "report", "pretty", "perf script -D shows records as they are" },
	{ "report", "samples", "perf script shows the samples of a symbol with -S SYMBOL" },
	{ "report", "show-on-off-events", SWITCHING },
	{ "report", "show-ref-call-graph", "--group shows the events of a group together" },
	{ "report", "socket-filter", "-C selects the CPUs of a socket" },
	{ "report", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "report", "switch-off", SWITCHING },
	{ "report", "switch-on", SWITCHING },
	{ "report", "threads", THREADS },
	{ "report", "total-cycles", "blocks of branch records are not summed up" },
	{ "report", "H", NESTED },
	{ "report", "M", ANNOTATING },
	{ "report", "T", THREADS },
	{ "script", "d", DEBUGGING },
	{ "script", "g", SCRIPTS },
	{ "script", "gen-script", SCRIPTS },
	{ "script", "l", SCRIPTS },
	{ "script", "merge-callchains", "call chains are shown as they were recorded" },
	{ "script", "s", SCRIPTS },
	{ "script", "script", SCRIPTS },
	{ "script", "addr-range", "-S takes symbols by their names" },
	{ "script", "call-ret-trace", TRACES },
	{ "script", "call-trace", TRACES },
	{ "script", "debug-mode", DEBUGGING },
	{ "script", "dlarg", DLFILTERS },
	{ "script", "dlfilter", DLFILTERS },
	{ "script", "dump-unsorted-raw-trace", "-D shows all records" },
	{ "script", "graph-function", TRACES },
	{ "script", "guest-code", GUESTS },
	{ "script", "guestkallsyms", GUESTS },
	{ "script", "guestmodules", GUESTS },
	{ "script", "guestmount", GUESTS },
	{ "script", "guestvmlinux", GUESTS },
	{ "script", "insn-trace", TRACES },
	{ "script", "itrace", TRACES },
	{ "script", "list-dlfilters", DLFILTERS },
	{ "script", "max-blocks", TRACES },
	{ "script", "show-on-off-events", SWITCHING },
	{ "script", "stitch-lbr", "call chains of branch records are shown as they were recorded" },
	{ "script", "switch-off", SWITCHING },
	{ "script", "switch-on", SWITCHING },
	{ "script", "xed", TRACES },
	{ "inject", "guestmount", GUESTS },
	{ "inject", "known-build-ids", "-b reads build-ids from the files themselves, also below --symfs" },
	{ "inject", "unwind-style", "call chains are unwound by record and report" },
	{ "buildid-cache", "debuginfod", "perf report --debuginfod asks servers for what it needs" },
};

const char *cli_absent_option(const char *cmd, const char *text)
{
	const size_t n = strcspn(text, "=");

	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (!strcmp(absent[i].cmd, cmd) && !strncmp(absent[i].option, text, n) && !absent[i].option[n])
			return absent[i].text;
	return NULL;
}
