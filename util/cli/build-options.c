// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "util/cli/build-options.h"

/* python and debuginfod need nothing to be built: they are loaded where they are. */
static const struct build_option options[] = {
	{ "aio", "HAVE_AIO_SUPPORT", NULL, false },
	{ "babeltrace2-ctf-writer", "HAVE_BABELTRACE2_CTF_WRITER_SUPPORT", NULL, false },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", "libbpf", false },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", "libbpf", false },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", "debuginfod", false },
	{ "dwarf", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", "libdw", false },
	{ "dwarf_getlocations", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "get_cpuid", "HAVE_AUXTRACE_SUPPORT", NULL, true },
	{ "glibc", "HAVE_GLIBC_SUPPORT", NULL, true },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", NULL, false },
	{ "libbpf-strings", "HAVE_LIBBPF_STRINGS_SUPPORT", NULL, false },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", NULL, false },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", NULL, false },
	{ "libdw-dwarf-unwind", "HAVE_LIBDW_SUPPORT", "libdw", false },
	{ "libelf", "HAVE_LIBELF_SUPPORT", "libelf", false },
	{ "libiberty", "HAVE_CXA_DEMANGLE_SUPPORT", "libiberty", false },
	{ "libLLVM", "HAVE_LIBLLVM_SUPPORT", NULL, false },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", NULL, false },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", NULL, false },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", NULL, false },
	{ "libpfm4", "HAVE_LIBPFM", "pfm", false },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", "python", false },
	{ "libslang", "HAVE_SLANG_SUPPORT", "slang", false },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", "libtraceevent", false },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", "libunwind", false },
	{ "lzma", "HAVE_LZMA_SUPPORT", "lzma", false },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", NULL, false },
	{ "rust", "HAVE_RUST_SUPPORT", NULL, false },
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

const struct build_option *build_options(size_t *n)
{
	*n = ARRAY_SIZE(options);
	return options;
}

const struct build_option *build_option_find(const char *name_or_macro,
					     const struct build_option *prev)
{
	for (const struct build_option *o = prev ? prev + 1 : options;
	     o < options + ARRAY_SIZE(options); o++)
		if (!strcasecmp(o->name, name_or_macro) || !strcasecmp(o->macro, name_or_macro))
			return o;
	return NULL;
}

bool build_option_is_on(const struct build_option *o)
{
	const struct feature *f = find_feature(o->library);

	return f ? f->on : o->always;
}

const char *build_option_package(const struct build_option *o)
{
	const struct feature *f = find_feature(o->library);

	return f && *f->package ? f->package : NULL;
}

void build_option_print(const struct build_option *o)
{
	const struct feature *f = find_feature(o->library);
	bool on = build_option_is_on(o);

	printf("%22s: [ %s ]  # %s", o->name, on ? "on " : "OFF", o->macro);
	if (f && !on && *f->package)
		printf(" ( tip: install %s and build again )", f->package);
	printf("\n");
}
