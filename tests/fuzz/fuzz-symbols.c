// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbol sources. The first byte chooses: text of kallsyms or of a perf map, an ELF file, a
 * section of call frame information. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/libraries.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"
#include "util/symbols/dso.h"
#include "util/symbols/kallsyms.h"
#include "util/symbols/perf-map.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static volatile u64 sink;

static int on_kallsym(void *ctx UNUSED, const struct kallsym *s)
{
	sink += s->va + strlen(s->name) + (s->module ? strlen(s->module) : 0);
	return 0;
}

static int on_entry(void *ctx UNUSED, const struct perf_map_entry *e)
{
	if (!e->bytes || e->start_va + e->bytes <= e->start_va)
		abort();
	sink += strlen(e->name);
	return 0;
}

static void text(const u8 *data, size_t n, bool kallsyms)
{
	char *copy = xmalloc(n + 1);

	memcpy(copy, data, n);
	copy[n] = 0;
	if (kallsyms)
		kallsyms_parse(copy, n, on_kallsym, NULL, NULL);
	else
		perf_map_parse(copy, n, on_entry, NULL, NULL);
	free(copy);
}

static void lines(struct dso *d, u64 rva)
{
	const struct inline_frame *frames;
	struct srcline at;
	size_t n = dso_inlines(d, rva, &frames);

	if (dso_srcline(d, rva, &at))
		sink += strlen(at.file) + at.line;
	for (size_t i = 0; i < n; i++)
		sink += frames[i].name ? strlen(frames[i].name) : 0;
}

static void elf(const u8 *data, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct symbols_opts opts = { .buildid_dir = "" };
	char path[64];
	struct os os;
	const struct symbol *s;
	struct cfi_rule rule;
	u8 code[64];

	if (fd < 0 || io_write(fd, data, n))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &opts);
	struct dso_key k = { .kind = DSO_FILE, .path = path };
	struct dso *d = dso_get(store, &k);
	size_t n_syms = dso_symbols(d, &s);

	for (size_t i = 0; i < n_syms; i++) {
		if (s[i].start_rva >= s[i].end_rva || !dso_find(d, s[i].start_rva))
			abort();
		sink += strlen(s[i].name);
		if (i < 50 && dso_cfi(d, s[i].start_rva, &rule) == 0)
			sink += dso_cfi_expr(d, rule.cfa_expr).len;
		if (i < 10)
			lines(d, s[i].start_rva);
	}
	sink += dso_read(d, n_syms ? s[0].start_rva : 0, code, sizeof(code)) +
		dso_off_to_rva(d, 64);
	dso_store_free(store);
	os_release(&os);
	close(fd);
}

static void cfi(const u8 *data, size_t n)
{
	struct cfi_rule rule;

	for (u64 rva = 0x1000; n && rva < 0x1000 + 8 * (u64)data[0]; rva += 4)
		cfi_eval((struct span){ data, n }, 0x2000, data[0] & 1, data[0] & 2, rva, &rule);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	if (!n)
		return 0;
	switch (data[0] % 4) {
	case 0: text(data + 1, n - 1, true); break;
	case 1: text(data + 1, n - 1, false); break;
	case 2:
		if (!WITHOUT_LIBRARIES)
			elf(data + 1, n - 1);
		break;
	default: cfi(data + 1, n - 1); break;
	}
	return 0;
}
