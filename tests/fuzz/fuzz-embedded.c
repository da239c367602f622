// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that a recording brings with it. The first byte's lowest bit: of the other byte order. The
 * questions are for a file, a perf map and the kernel, by names that the seeds have. */
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"
#include "util/symbols/dso.h"
#include "util/symbols/embedded.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static volatile u64 sink;

static void lines(struct dso *d, u64 rva)
{
	const struct inline_frame *frames;
	struct srcline at;
	size_t n = dso_inlines(d, rva, &frames);

	if (dso_srcline(d, rva, &at))
		sink += strlen(at.file) + at.line;
	for (size_t i = 0; i < n; i++)
		sink += strlen(frames[i].name);
}

static void ask(struct dso *d)
{
	const struct symbol *all, *s;
	const size_t n = dso_symbols(d, &all);
	u64 start;

	for (size_t i = 0; i < n; i++) {
		if (all[i].start_rva >= all[i].end_rva)
			abort();
		sink += strlen(all[i].name) + strlen(all[i].mangled);
		lines(d, all[i].start_rva);
	}
	for (u64 rva = 0; rva < 0x2000; rva += 0x10) {
		s = dso_find(d, rva);
		sink += s ? strlen(s->name) : dso_function_start(d, rva, &start);
		sink += dso_off_to_rva(d, rva) + dso_rva_to_off(d, rva);
		lines(d, rva);
	}
	sink += dso_reason(d) ? strlen(dso_reason(d)) : dso_has_symbols(d);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	const struct symbols_opts opts = { .buildid_dir = "", .symfs = "/nonexistent" };
	static const struct dso_key keys[] = {
		{ .kind = DSO_FILE, .path = "/a" },
		{ .kind = DSO_PERF_MAP, .path = "/tmp/perf-1.map", .pid = 1 },
		{ .kind = DSO_VDSO, .path = "[vdso]" },
	};
	struct dso_store *s;
	struct err err = ERR_INIT;
	struct os os;

	if (!n)
		return 0;
	os_init(&os);
	s = dso_store_new(&os, &opts);
	if (!dso_store_set_embedded(s, (struct span){ data + 1, n - 1 }, data[0] & 1, &err))
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			ask(dso_get(s, &keys[i]));
	err_release(&err);
	dso_store_free(s);
	os_release(&os);
	return 0;
}
