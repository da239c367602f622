// SPDX-License-Identifier: GPL-2.0-or-later
/* Many threads ask one store at once, the first of them loads: all get the same answers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/pool.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"
#include "util/symbols/dso.h"

#define ITEMS 4000

/* of the linker: this program's first byte, and the end of its code */
extern char __executable_start, etext;

struct work { struct dso *d; u64 span; const char **names; u32 *lines; u64 *rules; };

static void ask(void *ctx, size_t item, unsigned worker UNUSED)
{
	struct work *w = ctx;
	u64 rva = item % (ITEMS / 2) * w->span / (ITEMS / 2);	/* each address by two items */
	const struct symbol *s = dso_find(w->d, rva);
	struct cfi_rule rule = { .start_rva = 0 };
	struct srcline line;

	w->names[item] = s ? s->name : NULL;
	w->lines[item] = dso_srcline(w->d, rva, &line) ? line.line : 0;
	w->rules[item] = dso_cfi(w->d, rva, &rule) ? 0 : rule.start_rva;
}

TEST(first_come)
{
	struct symbols_opts opts = { .buildid_dir = "" };
	struct work w = { .names = xcalloc(ITEMS, sizeof(char *)), .lines = xcalloc(ITEMS, 4),
			  .rules = xcalloc(ITEMS, 8) };
	struct dso_key k = { .kind = DSO_FILE };
	char path[4096];
	struct os os;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct pool *p = pool_new(4);
	size_t named = 0;

	CHECK(n > 0);
	path[n] = 0;
	k.path = path;
	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &opts);

	w.d = dso_get(store, &k);
	w.span = (u64)(&etext - &__executable_start);
	pool_run(p, ITEMS, ask, &w);
	for (size_t i = 0; i < ITEMS / 2; i++) {
		CHECK(w.names[i] == w.names[i + ITEMS / 2]);
		CHECK_EQ(w.lines[i], w.lines[i + ITEMS / 2]);
		CHECK_EQ(w.rules[i], w.rules[i + ITEMS / 2]);
		named += w.names[i] != NULL;
	}
	CHECK(named > 100);
	pool_free(p);
	dso_store_free(store);
	os_release(&os);
	free(w.names);
	free(w.lines);
	free(w.rules);
}
