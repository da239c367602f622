// SPDX-License-Identifier: GPL-2.0-or-later
// Forms of DWARF 2 to 5, and those of GNU. Source: DWARF 5 sections 7.5.5 and 7.5.6.
#include "util/dwarf/form-priv.h"

enum { BY_ADDRESS = -8, BY_OFFSET = -9, BY_VERSION = -10 };	/* known from the unit */

static int form_class(unsigned form)
{
	static const s8 size[] = {
		[DW_FORM_addr] = BY_ADDRESS, [DW_FORM_block2] = FORM_BLOCK2,
			[DW_FORM_block4] = FORM_BLOCK4, [DW_FORM_data2] = 2,
		[DW_FORM_data4] = 4, [DW_FORM_data8] = 8, [DW_FORM_string] = FORM_STRING,
		[DW_FORM_block] = FORM_BLOCK,
		[DW_FORM_block1] = FORM_BLOCK1, [DW_FORM_data1] = 1, [DW_FORM_flag] = 1,
		[DW_FORM_sdata] = FORM_LEB,
		[DW_FORM_strp] = BY_OFFSET, [DW_FORM_udata] = FORM_LEB,
		[DW_FORM_ref_addr] = BY_VERSION, [DW_FORM_ref1] = 1,
		[DW_FORM_ref2] = 2, [DW_FORM_ref4] = 4, [DW_FORM_ref8] = 8,
		[DW_FORM_ref_udata] = FORM_LEB,
		[DW_FORM_sec_offset] = BY_OFFSET, [DW_FORM_exprloc] = FORM_BLOCK,
		[DW_FORM_strx] = FORM_LEB, [DW_FORM_addrx] = FORM_LEB, [DW_FORM_ref_sup4] = 4,
		[DW_FORM_strp_sup] = BY_OFFSET,
		[DW_FORM_data16] = 16, [DW_FORM_line_strp] = BY_OFFSET, [DW_FORM_ref_sig8] = 8,
		[DW_FORM_loclistx] = FORM_LEB,
		[DW_FORM_rnglistx] = FORM_LEB, [DW_FORM_ref_sup8] = 8, [DW_FORM_strx1] = 1,
		[DW_FORM_strx2] = 2,
		[DW_FORM_strx3] = 3, [DW_FORM_strx4] = 4, [DW_FORM_addrx1] = 1,
		[DW_FORM_addrx2] = 2, [DW_FORM_addrx3] = 3,
		[DW_FORM_addrx4] = 4,
	};

	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const: return 0;
	case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index: return FORM_LEB;
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt: return BY_OFFSET;
	default: return form < ARRAY_SIZE(size) && size[form] ? size[form] : FORM_UNKNOWN;
	}
}

int form_bytes(const struct form_unit *u, unsigned form)
{
	int n = form_class(form);

	if (n == BY_ADDRESS || (n == BY_VERSION && u->version <= 2))
		return u->addr_bytes;
	return n == BY_OFFSET || n == BY_VERSION ? u->off_bytes : n;
}

bool form_is_elsewhere(unsigned form)
{
	switch (form) {
	case DW_FORM_ref_sup4: case DW_FORM_ref_sup8: case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index:
		return true;
	default:
		return false;
	}
}

static const u8 *pass_block(const struct form_unit *u, const u8 *p, const u8 *end, unsigned n)
{
	u64 len;

	if (!n)
		p = form_uleb(p, end, &len);
	else if ((size_t)(end - p) < n)
		p = NULL;
	else
		len = form_word(u, p, n), p += n;
	return p && len <= (u64)(end - p) ? p + len : NULL;
}

const u8 *form_pass(const struct form_unit *u, int bytes, const u8 *p, const u8 *end)
{
	u64 v;

	switch (bytes) {
	case FORM_LEB:
		return form_uleb(p, end, &v);
	case FORM_STRING:
		p = memchr(p, 0, (size_t)(end - p));
		return p ? p + 1 : NULL;
	case FORM_BLOCK:
		return pass_block(u, p, end, 0);
	case FORM_BLOCK1:
		return pass_block(u, p, end, 1);
	case FORM_BLOCK2:
		return pass_block(u, p, end, 2);
	case FORM_BLOCK4:
		return pass_block(u, p, end, 4);
	default:
		return bytes >= 0 && bytes <= end - p ? p + bytes : NULL;
	}
}

bool form_number(const struct form_unit *u, unsigned form, const u8 *p, const u8 *end, u64 *out)
{
	int n = form_bytes(u, form);

	if (n == FORM_LEB && form != DW_FORM_sdata)
		return form_uleb(p, end, out) != NULL;
	if (n < 1 || n > 8 || n > end - p)
		return false;
	*out = form_word(u, p, (unsigned)n);
	return true;
}

static const char *string_at(const struct span *s, u64 off)
{
	return off < s->len ? (const char *)s->ptr + off : NULL;
}

static const char *indexed(const struct form_unit *u, const struct form_strings *s, u64 nr)
{
	u64 at = s->base + nr * u->off_bytes;

	if (nr > UINT32_MAX || at + u->off_bytes > s->offsets.len)
		return NULL;
	return string_at(&s->str, form_word(u, s->offsets.ptr + at, u->off_bytes));
}

const char *form_string(const struct form_unit *u, const struct form_strings *s, unsigned form,
			const u8 *p, const u8 *end)
{
	u64 v;

	if (form == DW_FORM_string)
		return (const char *)p;
	if (!form_number(u, form, p, end, &v))
		return NULL;
	switch (form) {
	case DW_FORM_strp:
		return string_at(&s->str, v);
	case DW_FORM_line_strp:
		return string_at(&s->line_str, v);
	case DW_FORM_strx: case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3:
	case DW_FORM_strx4:
		return indexed(u, s, v);
	default:
		return NULL;
	}
}
