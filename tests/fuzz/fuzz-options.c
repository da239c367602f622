// SPDX-License-Identifier: GPL-2.0-or-later
/* The languages that options have (sort keys, fields, times, CPU lists, filters): the first byte
 * says which, the rest is the text, and the command runs over a recording. Regular expressions are
 * left out: the C library's are not made for strangers' ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/data/features.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

#define MAX_WORDS 6
#define MAX_TEXT 512

/* Within the program: the check runs it in a directory of its own. */
#define RECORDING(name, file) \
	__asm__(".section .rodata\n" #name "_bytes: .incbin \"tests/data/small/" file "\"\n" \
		#name "_bytes_end: .byte 0\n.previous\n"); \
	extern const u8 name##_bytes[], name##_bytes_end[]
RECORDING(sched, "sched.data");
RECORDING(fp, "fp.data");
RECORDING(stat, "stat.data");

enum input { SCHED, FP, STAT, N_INPUTS };

static char paths[N_INPUTS][32];

/* The text goes after the last word. */
static const struct {
	int (*run)(int argc, const char **argv);
	enum input input;
	const char *words[MAX_WORDS];
} languages[] = {
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-s" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-F" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "--call-graph" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "--time" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-w" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-t" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "--percent-limit" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-s", "time", "--time-quantum" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-c" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "-S" } },
	{ cmd_report, FP, { "report", "--symfs=/nosuch", "--dsos" } },
	{ cmd_report, SCHED, { "report", "--symfs=/nosuch", "-s" } },
	{ cmd_script, FP, { "script", "--symfs=/nosuch", "-F" } },
	{ cmd_script, SCHED, { "script", "--symfs=/nosuch", "-F" } },
	{ cmd_script, SCHED, { "script", "--symfs=/nosuch", "--time" } },
	{ cmd_script, FP, { "script", "--symfs=/nosuch", "--stop-bt" } },
	{ cmd_script, FP, { "script", "--symfs=/nosuch", "-C" } },
	{ cmd_script, FP, { "script", "--symfs=/nosuch", "--tid" } },
	{ cmd_sched, SCHED, { "sched", "latency", "-s" } },
	{ cmd_sched, SCHED, { "sched", "timehist", "--time" } },
	{ cmd_sched, SCHED, { "sched", "timehist", "--prio" } },
	{ cmd_sched, SCHED, { "sched", "timehist", "-C" } },
	{ cmd_sched, SCHED, { "sched", "map", "--color-cpus" } },
	{ cmd_sched, SCHED, { "sched", "map", "--fuzzy-name", "--task-name" } },
	{ cmd_timechart, SCHED, { "timechart", "-o", "/dev/null", "-p" } },
	{ cmd_timechart, SCHED, { "timechart", "-o", "/dev/null", "--highlight" } },
	{ cmd_timechart, SCHED, { "timechart", "-o", "/dev/null", "--width" } },
	{ cmd_trace, SCHED, { "trace", "-o", "/dev/null", "-e" } },
	{ cmd_trace, SCHED, { "trace", "-o", "/dev/null", "-s", "--duration" } },
	{ cmd_stat, STAT, { "stat", "report", "-x" } },
};

#define FEATURES_OFF 72

/* Without build-ids: this machine may have those libraries' debug information, which would be
 * loaded in each run. */
static void make(enum input which, const u8 *from, const u8 *to)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	const u8 features = from[FEATURES_OFF] & (u8)~(1 << FEAT_BUILD_ID);

	if (fd < 0 || io_write(fd, from, (size_t)(to - from)) ||
	    pwrite(fd, &features, 1, FEATURES_OFF) != 1)
		abort();
	snprintf(paths[which], sizeof(paths[which]), "/proc/self/fd/%d", fd);
}

static void set_up(void)
{
	setenv("HOME", "/nosuch", 1);
	unsetenv("DEBUGINFOD_URLS");
	if (!freopen("/dev/null", "w", stdout))
		abort();
	make(SCHED, sched_bytes, sched_bytes_end);
	make(FP, fp_bytes, fp_bytes_end);
	make(STAT, stat_bytes, stat_bytes_end);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	const unsigned which = n ? data[0] % ARRAY_SIZE(languages) : 0;
	const char *argv[MAX_WORDS + 6] = { NULL };
	int argc = 0;
	char *text;

	if (!paths[0][0])
		set_up();
	if (n < 2 || n > MAX_TEXT)
		return 0;
	while (argc < MAX_WORDS && languages[which].words[argc]) {
		argv[argc] = languages[which].words[argc];
		argc++;
	}
	text = xstrndup((const char *)data + 1, n - 1);
	argv[argc++] = text;
	argv[argc++] = "-i";
	argv[argc++] = paths[languages[which].input];
	languages[which].run(argc, argv);
	fflush(stdout);
	free(text);
	return 0;
}
