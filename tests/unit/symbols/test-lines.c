// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and inlined calls of this very program. */
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/symbols/dso.h"

static volatile int sink;

__attribute__((always_inline)) static inline void innermost(int x)
{
	for (int i = 0; i < x; i++)
		sink += i;
}

__attribute__((always_inline)) static inline void middle(int x)
{
	sink++;
	innermost(x);
}
enum { MIDDLE_LINE = __LINE__ - 2 };

__attribute__((noinline)) static void outermost(int x)
{
	sink += x;
	middle(x);
}
enum { OUTERMOST_LINE = __LINE__ - 2 };

static int first_base(struct dl_phdr_info *info, size_t size UNUSED, void *ctx)
{
	*(u64 *)ctx = info->dlpi_addr;
	return 1;
}

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; struct dso *d;
		 u64 base; };

static void setup(struct fixture *f)
{
	static char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct dso_key k = { .kind = DSO_FILE, .path = path };

	CHECK(n > 0);
	path[n] = 0;
	memset(f, 0, sizeof(*f));
	os_init(&f->os);
	f->store = dso_store_new(&f->os, &f->opts);
	f->d = dso_get(f->store, &k);
	dl_iterate_phdr(first_base, &f->base);
}

static void teardown(struct fixture *f)
{
	dso_store_free(f->store);
	os_release(&f->os);
}

TEST(inlined)
{
	struct fixture f;
	const struct inline_frame *fr;
	struct srcline line;
	bool deep = false;

	outermost(3);
	setup(&f);
	u64 rva = (u64)outermost - f.base;
	const struct symbol *s = dso_find(f.d, rva);

	CHECK(s != NULL);
	CHECK_STR(s->name, "outermost");
	if (!dso_srcline(f.d, rva, &line))
		SKIP("built without debug information");
	/* the compiler is told to write this for the top directory: builds are the same anywhere */
	CHECK_STR(line.file, "/usr/src/perf/tests/unit/symbols/test-lines.c");
	CHECK(line.line > MIDDLE_LINE && line.line < OUTERMOST_LINE);
	for (u64 at = s->start_rva; at < s->end_rva; at++) {
		size_t n = dso_inlines(f.d, at, &fr);

		CHECK(n <= 3);
		if (n != 3)
			continue;
		deep = true;
		CHECK_STR(fr[0].name, "innermost");
		CHECK_STR(fr[1].name, "middle");
		CHECK_STR(fr[2].name, "outermost");
		CHECK_EQ(fr[1].at.line, MIDDLE_LINE);
		CHECK_EQ(fr[2].at.line, OUTERMOST_LINE);
		CHECK_STR(fr[2].at.file, line.file);
	}
	CHECK(deep);
	teardown(&f);
}

TEST(nothing_known)
{
	struct fixture f;
	const struct inline_frame *fr;
	struct srcline line;

	setup(&f);
	CHECK(!dso_srcline(f.d, 1, &line));
	CHECK(line.file == NULL);
	CHECK_EQ(dso_inlines(f.d, UINT64_MAX, &fr), 0);
	struct dso_key k = { .kind = DSO_FILE, .path = "/nonexistent" };
	struct dso *d = dso_get(f.store, &k);

	CHECK(!dso_srcline(d, 1, &line));
	CHECK_EQ(dso_inlines(d, 1, &fr), 0);
	teardown(&f);
}
