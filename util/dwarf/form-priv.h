/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_FORM_PRIV_H
#define DWARF_FORM_PRIV_H
/*
 * The values of attributes, as untrusted bytes: how long they are, and what numbers and strings
 * they hold. Any thread.
 */
#include <dwarf.h>
#include <string.h>

#include "util/base/str.h"

/* What the forms of a unit depend on. */
struct form_unit {
	u16 version;
	u8 addr_bytes, off_bytes;	/* off_bytes: 4 or 8, by the format of the unit */
	bool swap;			/* of the other byte order */
};

/* How long a value is, where the form does not tell. */
enum { FORM_LEB = -1, FORM_STRING = -2, FORM_BLOCK = -3, FORM_BLOCK1 = -4, FORM_BLOCK2 = -5,
       FORM_BLOCK4 = -6, FORM_UNKNOWN = -7 };
/* Bytes, or one of these. FORM_UNKNOWN also for DW_FORM_indirect: the value begins with its
 * form. */
int form_bytes(const struct form_unit *u, unsigned form);
/* leads to another file: that of dwz, or of a split unit of before version 5 */
bool form_is_elsewhere(unsigned form);
/* After the value at p that is so long (as form_bytes() said); NULL: that is not within end. */
const u8 *form_pass(const struct form_unit *u, int bytes, const u8 *p, const u8 *end);

/* Constants, offsets, indexes, references, addresses; false: the form is none of these, or its
 * value is cut off. */
bool form_number(const struct form_unit *u, unsigned form, const u8 *p, const u8 *end, u64 *out);

/* The sections that strings are in, which end in a NUL or are empty. */
struct form_strings {
	struct span str, line_str, offsets;
	u64 base;		/* of the unit's part of offsets */
};
/* Of a value that form_pass() has found to be within its unit. NULL: it leads nowhere, or the
 * form is none of a string. */
const char *form_string(const struct form_unit *u, const struct form_strings *s, unsigned form,
			const u8 *p, const u8 *end);

static inline u64 form_word(const struct form_unit *u, const u8 *p, unsigned n)
{
	u64 v = 0;

	switch (n) {
	case 1:
		return *p;
	case 2: {
		u16 w;

		memcpy(&w, p, 2);
		return u->swap ? __builtin_bswap16(w) : w;
	}
	case 4: {
		u32 w;

		memcpy(&w, p, 4);
		return u->swap ? __builtin_bswap32(w) : w;
	}
	case 8:
		memcpy(&v, p, 8);
		return u->swap ? __builtin_bswap64(v) : v;
	default:
		for (unsigned i = 0; i < n; i++)
			v |= (u64)p[u->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ?
				    n - 1 - i : i] << 8 * i;
		return v;
	}
}

/* After the number; NULL: cut off. */
static inline const u8 *form_uleb(const u8 *p, const u8 *end, u64 *out)
{
	u64 v = 0;

	for (unsigned shift = 0; p < end; shift += 7) {
		u8 b = *p++;

		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		if (!(b & 0x80)) {
			*out = v;
			return p;
		}
	}
	return NULL;
}

#endif
