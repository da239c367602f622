/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_EMBEDDED_PRIV_H
#define SYMBOLS_EMBEDDED_PRIV_H
/*
 * What a recording itself tells of a dso. Frozen once read; any thread.
 */
#include "util/symbols/embedded.h"
#include "util/symbols/symtab-priv.h"

struct embedded;
void embedded_free(struct embedded *e);		/* NULL is fine */

struct embedded_dso;
/* What there is for who has this key; NULL: nothing. */
struct embedded_dso *embedded_of(const struct embedded *e, const struct dso_key *k);
/* True: it is known which symbol that address has; *sym NULL: none. */
bool embedded_symbol(const struct embedded_dso *e, u64 rva, struct symbol **sym);
/* Its own symbol of that start, or NULL. */
const struct symbol *embedded_at(const struct embedded_dso *e, u64 start_rva);
const struct symtab *embedded_symbols(const struct embedded_dso *e);
/* True: it is known; out is empty where there is no line. */
bool embedded_line(const struct embedded_dso *e, u64 rva, struct srcline *out);
/* The same of inlined calls: *n of them. */
bool embedded_inlines(const struct embedded_dso *e, u64 rva, const struct inline_frame **out,
		      size_t *n);
bool embedded_inlines_mangled(const struct embedded_dso *e, u64 rva,
			      const struct inline_frame **out, size_t *n);
/* The function of code without a name, as unwind tables have it; false: not known. */
bool embedded_range(const struct embedded_dso *e, u64 rva, u64 *start, u64 *end);
/* As the file's program headers have it; UINT64_MAX: not known. */
u64 embedded_off_to_rva(const struct embedded_dso *e, u64 off);
u64 embedded_rva_to_off(const struct embedded_dso *e, u64 rva);
bool embedded_is_named(const struct embedded_dso *e);	/* as dso_has_symbols() */
const char *embedded_reason(const struct embedded_dso *e);	/* as dso_reason() */
unsigned embedded_troubles(const struct embedded_dso *e);

#endif
