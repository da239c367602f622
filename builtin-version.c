// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

struct version_opts {
	bool build_options;
};

/* A row of "perf version --build-options", in the names that scripts look for. Either it is always so (on 1 or 0),
 * or it depends on a library as the Makefile calls it. */
struct build_row {
	const char *name, *macro;
	const char *library;	/* in PERF_FEATURES, or NULL: also for capstone, python and slang, which nothing uses yet */
	bool on;
};

static const struct build_row rows[] = {
	{ "aio", "HAVE_AIO_SUPPORT", NULL, false },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", "libbpf", false },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", "libbpf", false },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", "debuginfod", false },
	{ "dwarf", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "dwarf_getlocations", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", "libdw", false },
	{ "get_cpuid", "HAVE_AUXTRACE_SUPPORT", NULL, true },
	{ "glibc", "HAVE_GLIBC_SUPPORT", NULL, true },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", NULL, false },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", NULL, false },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", NULL, false },
	{ "libdw-dwarf-unwind", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "libelf", "HAVE_LIBELF_SUPPORT", "libelf", false },
	{ "libiberty", "HAVE_CXA_DEMANGLE_SUPPORT", "libiberty", false },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", NULL, false },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", NULL, false },
	{ "libpfm4", "HAVE_LIBPFM", NULL, false },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", NULL, false },
	{ "libslang", "HAVE_SLANG_SUPPORT", NULL, false },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", "libtraceevent", false },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", "libunwind", false },
	{ "lzma", "HAVE_LZMA_SUPPORT", "lzma", false },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", NULL, false },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", NULL, true },
	{ "zlib", "HAVE_ZLIB_SUPPORT", "zlib", false },
	{ "zstd", "HAVE_ZSTD_SUPPORT", "zstd", false },
};

struct feature {
	const char *name;
	bool on;
	const char *package;
};

#ifndef PERF_FEATURES
#define PERF_FEATURES(X)
#endif
#define FEATURE(n, o, p) { n, o, p },
static const struct feature features[] = { PERF_FEATURES(FEATURE) { NULL, false, NULL } };

static const struct feature *find_feature(const char *name)
{
	for (const struct feature *f = features; name && f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static void list_build_options(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct feature *f = find_feature(rows[i].library);
		bool on = f ? f->on : rows[i].on;

		printf("%22s: [ %s ]  # %s", rows[i].name, on ? "on " : "OFF", rows[i].macro);
		if (f && !on)
			printf(" ( tip: install %s and build again )", f->package);
		printf("\n");
	}
}

int cmd_version(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	static const struct option_def options[] = {
		OPT_FLAG(0, "build-options", struct version_opts, build_options, "display the build options"),
		OPT_END
	};
	struct version_opts o = { false };
	const struct option_table tables[] = { { options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "version", .usage = usage, .tables = tables };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	printf("perf version %s\n", PERF_RELEASE);
	if (o.build_options)
		list_build_options();
	return 0;
}
