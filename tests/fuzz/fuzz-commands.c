// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands over a recording. The first byte says which, and whether it comes from a file or
 * through a pipe. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/io.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

#define MAX_WORDS 10
#define PIPE_BYTES (1 << 20)

static const struct { int (*run)(int argc, const char **argv); const char *words[MAX_WORDS];
		      } commands[] = {
	{ cmd_report, { "report", "--stdio", "--no-inline" } },
	{ cmd_report, { "report", "--stats", "--tasks" } },
	{ cmd_report, { "report", "--json", "-g", "caller" } },
	{ cmd_script, { "script", "--show-task-events", "--show-mmap-events" } },
	{ cmd_script, { "script", "-D" } },
	{ cmd_sched, { "sched", "timehist", "-wMnSV" } },
	{ cmd_sched, { "sched", "latency" } },
	{ cmd_sched, { "sched", "map" } },
	{ cmd_trace, { "trace", "-s", "-o", "/dev/null" } },
	{ cmd_trace, { "trace", "-o", "/dev/null" } },
	{ cmd_inject, { "inject", "-b", "-o", "-" } },
	{ cmd_stat, { "stat", "report" } },
	{ cmd_timechart, { "timechart", "-o", "/dev/null" } },
	{ cmd_data, { "data", "convert", "--to-json", "-" } },
	{ cmd_evlist, { "evlist", "-v" } },
	{ cmd_report, { "report", "--header-only", "-I" } },
	{ cmd_report, { "report", "-b", "-g", "caller,fractal", "-s", "dso,sym,srcline" } },
	{ cmd_report, { "report", "--mem-mode", "--no-group", "-s", "cpu,pid,trace,time,weight" } },
	{ cmd_report, { "report", "-D" } },
	{ cmd_script, { "script", "-I", "-F", "+addr,+srcline,+brstacksym,+weight,+data_src" } },
	{ cmd_script, { "script", "--show-switch-events", "--show-namespace-events",
			"--show-cgroup-events", "--show-bpf-events", "--show-text-poke-events",
			"--show-round-events", "--show-lost-events" } },
	{ cmd_buildid_list, { "buildid-list", "-v" } },
	{ cmd_buildid_list, { "buildid-list", "-H" } },
	{ cmd_data, { "data", "convert", "--to-trace-json", "-" } },
	{ cmd_sched, { "sched", "timehist", "-sIg", "--state", "--show-prio", "-P" } },
	{ cmd_sched, { "sched", "timehist", "--json", "-S" } },
	{ cmd_sched, { "sched", "latency", "-p", "--percentiles", "--histogram", "--json" } },
	{ cmd_sched, { "sched", "stats", "report", "-v" } },
	{ cmd_inject, { "inject", "-j", "-o", "-" } },
	{ cmd_inject, { "inject", "--mmap2-buildid-all", "-o", "-" } },
	{ cmd_timechart, { "timechart", "-t", "-n", "3", "-o", "/dev/null" } },
	{ cmd_trace, { "trace", "--json", "-S", "--errno-summary", "-o", "/dev/null" } },
	{ cmd_evlist, { "evlist", "-F", "--trace-fields" } },
	{ cmd_report, { "report", "--stdio", "--hierarchy", "-s", "comm,dso,sym" } },
	{ cmd_report, { "report", "--stdio", "--latency", "-s", "comm,parallelism,sym" } },
	{ cmd_report, { "report", "--stdio", "--stitch-lbr", "--branch-history" } },
	{ cmd_report, { "report", "--stdio", "--by-time", "8", "-g", "folded" } },
	{ cmd_script, { "script", "--stitch-lbr", "--itrace=i1usebxwpol", "-F", "+flags,+misc" } },
	{ cmd_annotate, { "annotate", "--stdio" } },
	{ cmd_flame, { "flame", "-f", "-o", "/dev/null", "--off-cpu" } },
	{ cmd_flame, { "flame", "-f", "-o", "/dev/null", "--why", "3" } },
	{ cmd_heatmap, { "heatmap", "-f", "-o", "/dev/null" } },
	{ cmd_lock, { "lock", "contention", "--percentiles", "-v" } },
	{ cmd_lock, { "lock", "futex", "-o" } },
	{ cmd_kmem, { "kmem", "--caller", "--alloc", "--slab", "--page", "stat" } },
	{ cmd_kwork, { "kwork", "report" } },
	{ cmd_kwork, { "kwork", "timehist" } },
	{ cmd_io, { "io", "report", "-g", "--histogram", "--percentiles" } },
	{ cmd_io, { "io", "cache", "-s", "comm,inode" } },
	{ cmd_sched, { "sched", "why", "--slowest", "3", "-a" } },
	{ cmd_sched, { "sched", "offcpu", "--percentiles" } },
	{ cmd_mem, { "mem", "report", "--stdio" } },
	{ cmd_c2c, { "c2c", "report", "--stdio", "-g" } },
	{ cmd_kvm, { "kvm", "stat", "report" } },
	{ cmd_heap, { "heap", "report", "--percentiles" } },
	{ cmd_doctor, { "doctor" } },
	{ cmd_export, { "export", "-f", "--format", "pprof", "-o", "/dev/null" } },
	{ cmd_inject, { "inject", "--itrace", "-o", "-" } },
};

static void run(unsigned which, const char *input)
{
	const char *argv[MAX_WORDS + 3] = { NULL };
	int argc = 0;

	while (argc < MAX_WORDS && commands[which].words[argc]) {
		argv[argc] = commands[which].words[argc];
		argc++;
	}
	argv[argc++] = "-i";
	argv[argc++] = input;
	commands[which].run(argc, argv);
	fflush(stdout);
}

static void through_file(unsigned which, const u8 *data, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];

	if (fd < 0 || io_write(fd, data, n))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	run(which, path);
	close(fd);
}

static void through_pipe(unsigned which, const u8 *data, size_t n)
{
	int ends[2], in = dup(0);

	if (pipe2(ends, O_CLOEXEC) || fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) < (int)n ||
	    io_write(ends[1], data, n))
		abort();
	close(ends[1]);
	dup2(ends[0], 0);
	close(ends[0]);
	run(which, "-");
	if (in >= 0) {
		dup2(in, 0);
		close(in);
	} else {
		close(0);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	static bool ready;

	if (!ready) {
		setenv("HOME", "/nosuch", 1);
		unsetenv("DEBUGINFOD_URLS");
		if (!freopen("/dev/null", "w", stdout))
			abort();
		ready = true;
	}
	if (!n || n >= PIPE_BYTES)
		return 0;
	(data[0] & 0x80 ? through_pipe : through_file)((data[0] & 0x7f) % ARRAY_SIZE(commands),
						       data + 1, n - 1);
	return 0;
}
