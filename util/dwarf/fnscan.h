/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_FNSCAN_H
#define DWARF_FNSCAN_H
/*
 * One pass over .debug_info that tells which units define functions of which names, by all
 * processors. It knows just as much of DWARF 2 to 5 as that needs; a file with anything else
 * (64-bit DWARF, what dwz makes, split units, type units of DWARF 5) is refused, and somebody else
 * has to read it. The bytes are not trusted.
 */
#include "util/base/vec.h"

struct fnscan_src {
	/* .debug_info is read from here, at info_off; -1: from info */
	int fd;
	u64 info_off;
	const u8 *info;			/* may be NULL with a descriptor */
	u64 info_bytes;
	const u8 *abbrevs, *strings, *str_offsets;	/* the last: NULL when there is none */
	u64 abbrev_bytes, string_bytes, str_offset_bytes;
};

struct fnunit { u32 head, start; };	/* offsets of its header and of its first entry */

struct fnscan {
	VEC(struct fnunit) units;
	/* hash of a name << 32 | number of a unit; each once, by hash and number */
	VEC(u64) uses;
	bool linked;			/* units refer to each other */
};

u32 fnscan_hash(const char *name);
/* False: refused. Release it in any case. */
bool fnscan_run(const struct fnscan_src *src, struct fnscan *out);
void fnscan_release(struct fnscan *s);

#endif
