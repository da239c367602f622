/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_EMBED_H
#define INJECT_EMBED_H
/*
 * A recording gets the names, lines and inlined calls of all that its samples hit, as they are
 * known on this machine, so that reports need no binaries (symbols/embedded.h).
 */
#include "util/base/err.h"
#include "util/os/os.h"
#include "util/stream/stream.h"

struct embed_opts {
	const char *path;		/* a file or directory, not in pipe mode */
	bool force;			/* whose file it is does not matter */
	unsigned threads;		/* 0: one per CPU */
	struct symbols_opts symbols;
};

struct embed_result {
	u64 n_dsos, n_addrs, n_symbols, n_lines, n_inlines;
	u64 n_unnamed;			/* addresses in binaries without any name */
	u64 bytes;			/* of the section */
};

/* The file is changed in place, at its end. < 0: it is as it was. */
int embed_names(const struct embed_opts *o, const struct os *os, struct embed_result *res,
		struct err *err);

#endif
