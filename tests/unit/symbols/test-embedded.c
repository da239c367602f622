// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that a recording brings with it: what is known of this very program, written, and read
 * where there is no such file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"
#include "util/symbols/embedded.h"

#define ADDRS 3000

/* of the linker: this program's first byte, and the end of its code */
extern char __executable_start, etext;

struct pair {
	struct os os;
	struct dso_store *here, *there;
	struct dso *a, *b;
	char path[4096];
	u64 *hits;
	struct str bytes;
};

static int use(struct dso_store *s, const void *bytes, size_t n, bool swap)
{
	struct err err = ERR_INIT;
	int ret = dso_store_set_embedded(s, (struct span){ bytes, n }, swap, &err);

	err_release(&err);
	return ret;
}

/* b: the same binary as the section tells of it, in a store that finds no file */
static void pair_init(struct pair *p, const struct symbols_opts *here,
		      const struct symbols_opts *there)
{
	struct dso_key k = { .kind = DSO_FILE };
	struct embed_out out = { 0 };
	struct err err = ERR_INIT;
	ssize_t n = readlink("/proc/self/exe", p->path, sizeof(p->path) - 1);

	CHECK(n > 0);
	p->path[n] = 0;
	k.path = p->path;
	os_init(&p->os);
	p->here = dso_store_new(&p->os, here);
	p->there = dso_store_new(&p->os, there);
	p->a = dso_get(p->here, &k);
	p->hits = xcalloc(ADDRS, sizeof(*p->hits));
	for (u64 i = 0; i < ADDRS; i++)
		p->hits[i] = i * (u64)(&etext - &__executable_start) / ADDRS;
	embed_add(&out, p->a, &(struct embed_addrs){ .hit = p->hits, .n_hit = ADDRS });
	CHECK_EQ(out.n_dsos, 1);
	CHECK_EQ(out.n_addrs, ADDRS);
	CHECK_EQ(embed_finish(&out, &p->bytes, &err), 0);
	embed_out_release(&out);
	CHECK_EQ(use(p->there, p->bytes.buf, p->bytes.len, false), 0);
	p->b = dso_get(p->there, &k);
	err_release(&err);
}

static void pair_release(struct pair *p)
{
	dso_store_free(p->here);
	dso_store_free(p->there);
	os_release(&p->os);
	str_release(&p->bytes);
	free(p->hits);
}

static void check_lines(struct pair *p, u64 rva, size_t *inlined)
{
	const struct inline_frame *x, *y;
	struct srcline lx, ly;
	const size_t n = dso_inlines(p->a, rva, &x);

	CHECK_EQ(dso_srcline(p->a, rva, &lx), dso_srcline(p->b, rva, &ly));
	CHECK_EQ(lx.line, ly.line);
	CHECK_EQ(lx.column, ly.column);
	CHECK(!lx.file == !ly.file && (!lx.file || !strcmp(lx.file, ly.file)));
	CHECK_EQ(dso_inlines(p->b, rva, &y), n);
	for (size_t i = 0; i < n; i++) {
		CHECK(!strcmp(x[i].name, y[i].name));
		CHECK_EQ(x[i].at.line, y[i].at.line);
	}
	*inlined += n > 1;
}

static void check_all(struct pair *p)
{
	size_t named = 0, inlined = 0;

	for (size_t i = 0; i < ADDRS; i++) {
		const u64 rva = p->hits[i];
		const struct symbol *x = dso_find(p->a, rva), *y = dso_find(p->b, rva);
		u64 start_x = 0, start_y = 0;

		CHECK(!x == !y);
		if (x) {
			named++;
			CHECK(!strcmp(x->name, y->name) && !strcmp(x->mangled, y->mangled));
			CHECK_EQ(x->start_rva, y->start_rva);
			CHECK_EQ(x->end_rva, y->end_rva);
			check_lines(p, rva, &inlined);
			CHECK(!strcmp(dso_find_name(p->b, x->name)->name, x->name));
		} else {
			CHECK_EQ(dso_function_start(p->a, rva, &start_x),
				 dso_function_start(p->b, rva, &start_y));
			CHECK_EQ(start_x, start_y);
		}
		CHECK_EQ(dso_off_to_rva(p->a, rva), dso_off_to_rva(p->b, rva));
	}
	CHECK(named > 100);
	CHECK(inlined > 10);
	CHECK(dso_has_symbols(p->b));
	CHECK(!dso_reason(p->b));
}

TEST(as_the_file_says)
{
	const struct symbols_opts here = { .buildid_dir = "" };
	const struct symbols_opts there = { .buildid_dir = "", .symfs = "/nonexistent" };
	struct pair p = { .bytes = STR_INIT };

	pair_init(&p, &here, &there);
	check_all(&p);
	pair_release(&p);
}

TEST(where_there_is_the_file_too)
{
	const struct symbols_opts both = { .buildid_dir = "" };
	struct pair p = { .bytes = STR_INIT };
	const struct symbol *all;

	pair_init(&p, &both, &both);
	check_all(&p);
	/* what was not hit comes from the file, and a function has one symbol however it is asked for */
	CHECK(dso_symbols(p.b, &all) > ADDRS / 10);
	for (size_t i = 0; i < ADDRS; i++) {
		const struct symbol *s = dso_find(p.b, p.hits[i]);

		if (s)
			CHECK(dso_find(p.b, s->start_rva) == s);
	}
	pair_release(&p);
}

static void ask_all(const struct pair *p, struct dso_store *s)
{
	struct dso *d = dso_get(s, &(struct dso_key){ .kind = DSO_FILE, .path = p->path });
	const struct inline_frame *in;
	struct srcline at;

	for (size_t k = 0; k < ADDRS; k += 10) {
		const struct symbol *sym = dso_find(d, p->hits[k]);

		CHECK(!sym || strlen(sym->name) < p->bytes.len);
		CHECK(!dso_srcline(d, p->hits[k], &at) || strlen(at.file) < p->bytes.len);
		CHECK(dso_inlines(d, p->hits[k], &in) < p->bytes.len);
	}
}

/* Nothing of a damaged section is used, wherever it is cut, and whatever a word in it says. */
TEST(hostile)
{
	const struct symbols_opts o = { .buildid_dir = "", .symfs = "/nonexistent" };
	static const u32 lies[] = { 0xffffffff, 0x80000000, 0x7fffffff, 0x10000, 0 };
	struct pair p = { .bytes = STR_INIT };

	pair_init(&p, &(struct symbols_opts){ .buildid_dir = "" }, &o);
	for (size_t cut = 0; cut < p.bytes.len; cut += 1 + p.bytes.len / 300)
		CHECK_EQ(use(p.there, p.bytes.buf, cut, false), -EINVAL);
	for (size_t i = 0; i < 400; i++) {
		const size_t word = i < 40 ? i * 4 : (i * 7919 * 4) % (p.bytes.len - 4);
		u8 *bytes = xmemdup(p.bytes.buf, p.bytes.len);
		struct dso_store *s = dso_store_new(&p.os, &o);

		memcpy(bytes + word, &lies[i % ARRAY_SIZE(lies)], 4);
		if (!use(s, bytes, p.bytes.len, i % 8 == 7))
			ask_all(&p, s);
		dso_store_free(s);
		free(bytes);
	}
	pair_release(&p);
}
