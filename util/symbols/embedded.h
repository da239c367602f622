/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_EMBEDDED_H
#define SYMBOLS_EMBEDDED_H
/*
 * Names that a recording brings with it (perf record --embed): of each address that was hit its
 * symbol, source line and inlined calls, as they were known where it was written. They come before
 * what files say, so that a report is the same everywhere; what they do not tell is looked for in
 * the files, as always. Format: Documentation/perf.data-format.txt, EMBEDDED.
 */
#include "util/base/hash.h"
#include "util/symbols/dso.h"

/* More than that is no section that a reader takes. */
#define EMBEDDED_MAX (256u << 20)

/* --- written: one owner */
struct embed_out {
	struct str dsos, strings;
	struct strmap known;		/* text -> its place in strings */
	u32 n_dsos;
	u64 n_addrs, n_symbols, n_inlines, n_lines;
};

/* Adds what is known of d: of the n addresses hit, in ascending order, each once, all of it; of the
 * others (near) the symbols. Nothing where the recording says it all itself. */
struct embed_addrs { const u64 *hit; size_t n_hit; const u64 *near; size_t n_near; };
void embed_add(struct embed_out *o, struct dso *d, const struct embed_addrs *a);
/* The bytes of the section. -EFBIG: more than EMBEDDED_MAX. */
int embed_finish(struct embed_out *o, struct str *out, struct err *err);
void embed_out_release(struct embed_out *o);

/* --- read: before the first dso_get(); bytes are copied. swap: of the other byte order. -EINVAL:
 * damaged, and nothing of it is used. */
int dso_store_set_embedded(struct dso_store *s, struct span bytes, bool swap, struct err *err);

#endif
