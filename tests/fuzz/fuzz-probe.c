// SPDX-License-Identifier: GPL-2.0-or-later
/* Probe specifications: "SPEC\0": parsed; "SPEC\0" and an ELF file: resolved by its DWARF; its
 * lines, variables, functions shown. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/libraries.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/probe/probe.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void drop_notes(probe_notes *notes)
{
	probe_notes_release(notes);
	*notes = (probe_notes){ 0 };
}

static void resolve(struct probe_obj *obj, const struct probe_spec *spec,
		    const struct probe_spec *range, u32 last)
{
	struct err err = ERR_INIT;
	probe_defs defs = { 0 };
	probe_notes notes = { 0 };
	struct table vars = { 0 }, lines = { 0 }, funcs = { 0 };

	if (spec) {
		probe_resolve(obj, spec, 1, &defs, &notes, &err);
		err_release(&err);
		drop_notes(&notes);
		probe_defs_release(&defs);
		probe_list_vars(obj, spec, &vars, &err);
		err_release(&err);
	}
	if (range) {
		probe_list_lines(obj, range, last, &lines, &notes, &err);
		err_release(&err);
		drop_notes(&notes);
	}
	probe_list_funcs(obj, &funcs, &err);
	err_release(&err);
	table_release(&vars);
	table_release(&lines);
	table_release(&funcs);
}

static void against(const u8 *elf, size_t n, const struct probe_spec *spec,
		    const struct probe_spec *range, u32 last)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct probe_obj *obj;
	char path[64];
	struct os os;

	if (fd < 0 || io_write(fd, elf, n))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	os_init(&os);
	const struct probe_opts opts = { .os = &os, .source_dir = "/nosuch",
					 .buildid_dir = "/nosuch", .externs = true, .range = true };

	obj = probe_open_user(&opts, path, &err);
	if (obj)
		resolve(obj, spec, range, last);
	probe_close(obj);
	err_release(&err);
	os_release(&os);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *text = xstrndup(n ? (const char *)data : "", MIN(n, (size_t)2048));
	struct probe_spec spec, range;
	struct err err = ERR_INIT;
	size_t used = strlen(text) + 1;
	u32 last = 0;
	bool good, good_range;

	good = !probe_spec_parse(text, &spec, &err);
	if (!good && !err.msg)
		abort();
	err_release(&err);
	good_range = !probe_range_parse(text, &range, &last, &err);
	err_release(&err);
	free(probe_event_name(text));
	if (!WITHOUT_LIBRARIES && n > used + 64 && n - used < 65536)
		against(data + used, n - used, good ? &spec : NULL, good_range ? &range : NULL,
			last);
	if (good)
		probe_spec_release(&spec);
	if (good_range)
		probe_spec_release(&range);
	free(text);
	return 0;
}
