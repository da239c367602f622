// SPDX-License-Identifier: GPL-2.0-or-later
// Packets of Intel PT.
#include <string.h>

#include "util/itrace/packets.h"

static u64 bytes_at(const u8 *p, unsigned n)
{
	u64 v = 0;

	for (unsigned i = n; i--; )
		v = v << 8 | p[i];
	return v;
}

/* ---- those of one byte and what follows ---- */

static unsigned ip_bytes(u8 form)
{
	static const u8 n[8] = { 0, 2, 4, 6, 6, 0, 8, 0 };

	return n[form];
}

static unsigned get_ip(const u8 *p, size_t n, enum pt_type type, struct pt_packet *out)
{
	const u8 form = p[0] >> 5;
	const unsigned size = ip_bytes(form);

	if ((form && !size) || n < 1 + size)
		return 0;
	*out = (struct pt_packet){ .type = type, .count = form, .v = bytes_at(p + 1, size) };
	return 1 + size;
}

/* bits: what lies below the stop bit is the branches. */
static bool get_tnt(u64 bits, struct pt_packet *out)
{
	const unsigned top = bits > 1 ? 63 - (unsigned)__builtin_clzll(bits) : 0;

	if (!top)
		return false;
	*out = (struct pt_packet){ .type = PT_TNT, .count = (u8)top,
				   .v = bits & ((1ULL << top) - 1) };
	return true;
}

static unsigned get_cyc(const u8 *p, size_t n, struct pt_packet *out)
{
	u64 v = p[0] >> 3;
	unsigned at = 1, shift = 5;
	bool more = p[0] & 4;

	while (more) {
		if (at >= n || shift > 63)
			return 0;
		v |= (u64)(p[at] >> 1) << shift;
		more = p[at++] & 1;
		shift += 7;
	}
	*out = (struct pt_packet){ .type = PT_CYC, .v = v };
	return at;
}

static unsigned get_mode(const u8 *p, size_t n, struct pt_packet *out)
{
	if (n < 2 || p[1] >> 5 > 1)
		return 0;
	*out = (struct pt_packet){ .type = p[1] >> 5 ? PT_MODE_TSX : PT_MODE_EXEC,
				   .v = p[1] & 31 };
	return 2;
}

/* ---- those that begin with 02 ---- */

static unsigned get_tma(const u8 *p, size_t n, struct pt_packet *out)
{
	if (n < 7)
		return 0;
	*out = (struct pt_packet){ .type = PT_TMA, .v = bytes_at(p + 2, 2),
				   .high = (u16)(bytes_at(p + 5, 2) & 0x1ff) };
	return 7;
}

static unsigned get_psb(const u8 *p, size_t n, struct pt_packet *out)
{
	for (unsigned i = 0; i < 16; i += 2)
		if (n < 16 || p[i] != 0x02 || p[i + 1] != 0x82)
			return 0;
	*out = (struct pt_packet){ .type = PT_PSB };
	return 16;
}

static unsigned get_mnt(const u8 *p, size_t n, struct pt_packet *out)
{
	if (n < 11 || p[2] != 0x88)
		return 0;
	*out = (struct pt_packet){ .type = PT_MNT, .v = bytes_at(p + 3, 8) };
	return 11;
}

static unsigned get_ptw(const u8 *p, size_t n, struct pt_packet *out)
{
	const unsigned size = p[1] & 0x20 ? 8 : 4;

	if (p[1] & 0x40 || n < 2 + size)
		return 0;
	*out = (struct pt_packet){ .type = PT_PTW, .with_ip = p[1] & 0x80,
				   .v = bytes_at(p + 2, size) };
	return 2 + size;
}

static unsigned get_long_tnt(const u8 *p, size_t n, struct pt_packet *out)
{
	return n >= 8 && get_tnt(bytes_at(p + 2, 6), out) ? 8 : 0;
}

/* Second byte, size of the whole, bytes of the value behind these two. */
static const struct plain { u8 code, bytes, payload; enum pt_type type; bool with_ip; } plains[] = {
	{ 0x03, 4, 1, PT_CBR, false }, { 0x43, 8, 6, PT_PIP, false },
	{ 0xc8, 7, 5, PT_VMCS, false }, { 0xf3, 2, 0, PT_OVF, false },
	{ 0x23, 2, 0, PT_PSBEND, false }, { 0x83, 2, 0, PT_STOP, false },
	{ 0x62, 2, 0, PT_EXSTOP, false }, { 0xe2, 2, 0, PT_EXSTOP, true },
	{ 0xc2, 10, 8, PT_MWAIT, false }, { 0x22, 4, 2, PT_PWRE, false },
	{ 0xa2, 7, 5, PT_PWRX, false }, { 0x63, 3, 1, PT_BBP, false },
	{ 0x33, 2, 0, PT_BEP, false }, { 0xb3, 2, 0, PT_BEP, true },
	{ 0x13, 4, 2, PT_CFE, false }, { 0x53, 11, 9, PT_EVD, false },
};

static unsigned get_plain(const u8 *p, size_t n, struct pt_packet *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(plains); i++) {
		const struct plain *d = &plains[i];

		if (p[1] != d->code)
			continue;
		if (n < d->bytes)
			return 0;
		*out = (struct pt_packet){ .type = d->type, .with_ip = d->with_ip,
					   .v = bytes_at(p + 2, MIN(d->payload, (u8)8)) };
		if (d->type == PT_CFE) {
			out->with_ip = p[2] & 0x80;
			out->count = p[2] & 0x1f;
			out->v = p[3];
		} else if (d->type == PT_EVD) {
			out->count = p[2] & 0x3f;
			out->v = bytes_at(p + 3, 8);
		}
		return d->bytes;
	}
	return 0;
}

static unsigned get_extended(const u8 *p, size_t n, struct pt_packet *out)
{
	if (n < 2)
		return 0;
	switch (p[1]) {
	case 0x82: return get_psb(p, n, out);
	case 0xa3: return get_long_tnt(p, n, out);
	case 0x73: return get_tma(p, n, out);
	case 0xc3: return get_mnt(p, n, out);
	}
	return (p[1] & 0x1f) == 0x12 ? get_ptw(p, n, out) : get_plain(p, n, out);
}

/* ---- any ---- */

static unsigned get_value(const u8 *p, size_t n, unsigned size, enum pt_type type,
			  struct pt_packet *out)
{
	if (n < 1 + size)
		return 0;
	*out = (struct pt_packet){ .type = type, .v = bytes_at(p + 1, size) };
	return 1 + size;
}

static unsigned get_block_item(const u8 *p, size_t n, enum pt_block block, struct pt_packet *out)
{
	const unsigned size = get_value(p, n, block == PT_BLOCK_4 ? 4 : 8, PT_BIP, out);

	out->count = p[0] >> 3;
	return size;
}

static unsigned get(const u8 *p, size_t n, enum pt_block block, struct pt_packet *out)
{
	if (block && (p[0] & 7) == 4)
		return get_block_item(p, n, block, out);
	if (!p[0])
		return get_value(p, n, 0, PT_PAD, out);
	if (p[0] == 0x02)
		return get_extended(p, n, out);
	if (!(p[0] & 1))
		return get_tnt(p[0] >> 1, out) ? 1 : 0;
	if ((p[0] & 3) == 3)
		return get_cyc(p, n, out);
	switch (p[0] & 0x1f) {
	case 0x01: return get_ip(p, n, PT_TIP_PGD, out);
	case 0x0d: return get_ip(p, n, PT_TIP, out);
	case 0x11: return get_ip(p, n, PT_TIP_PGE, out);
	case 0x1d: return get_ip(p, n, PT_FUP, out);
	}
	switch (p[0]) {
	case 0x19: return get_value(p, n, 7, PT_TSC, out);
	case 0x59: return get_value(p, n, 1, PT_MTC, out);
	case 0x99: return get_mode(p, n, out);
	}
	return 0;
}

void pt_packet_get(const u8 *p, size_t n, enum pt_block *block, struct pt_packet *out)
{
	const unsigned size = get(p, n, *block, out);

	if (!size)
		*out = (struct pt_packet){ .type = PT_BAD };
	out->bytes = (u8)MAX(size, 1U);
	if (out->type == PT_BBP)
		*block = out->v & 0x80 ? PT_BLOCK_4 : PT_BLOCK_8;
	else if (out->type == PT_BEP || out->type == PT_PSB || out->type == PT_OVF)
		*block = PT_NO_BLOCK;
}

/* ---- as text ---- */

static const char *const names[] = {
	[PT_BAD] = "Bad packet!", [PT_PAD] = "PAD", [PT_TNT] = "TNT", [PT_TIP] = "TIP",
	[PT_TIP_PGE] = "TIP.PGE", [PT_TIP_PGD] = "TIP.PGD", [PT_FUP] = "FUP", [PT_TSC] = "TSC",
	[PT_TMA] = "TMA", [PT_MTC] = "MTC", [PT_CYC] = "CYC", [PT_CBR] = "CBR",
	[PT_MODE_EXEC] = "MODE.Exec", [PT_MODE_TSX] = "MODE.TSX", [PT_PIP] = "PIP",
	[PT_VMCS] = "VMCS", [PT_OVF] = "OVF", [PT_PSB] = "PSB", [PT_PSBEND] = "PSBEND",
	[PT_STOP] = "TraceSTOP", [PT_MNT] = "MNT", [PT_PTW] = "PTWRITE", [PT_EXSTOP] = "EXSTOP",
	[PT_MWAIT] = "MWAIT", [PT_PWRE] = "PWRE", [PT_PWRX] = "PWRX", [PT_BBP] = "BBP",
	[PT_BIP] = "BIP", [PT_BEP] = "BEP", [PT_CFE] = "CFE", [PT_EVD] = "EVD",
};

static void add_branches(const struct pt_packet *p, struct str *out)
{
	str_addch(out, ' ');
	for (unsigned i = p->count; i--; )
		str_addch(out, p->v >> i & 1 ? 'T' : 'N');
	str_addf(out, " (%u)", p->count);
}

static void add_fields(const struct pt_packet *p, struct str *out)
{
	const unsigned long long v = p->v;
	const unsigned u = (unsigned)p->v;

	switch (p->type) {
	case PT_TNT:
		add_branches(p, out);
		break;
	case PT_TIP: case PT_TIP_PGE: case PT_TIP_PGD: case PT_FUP:
		if (p->count)
			str_addf(out, " 0x%llx", v);
		else
			str_add(out, " no ip");
		break;
	case PT_TMA:
		str_addf(out, " CTC 0x%x FC 0x%x", u, p->high);
		break;
	case PT_MODE_EXEC:
		str_addf(out, " IF:%u %u", u >> 2 & 1, u & 1 ? 64U : u & 2 ? 32U : 16U);
		break;
	case PT_MODE_TSX:
		str_addf(out, " TXAbort:%u InTX:%u", u >> 1 & 1, u & 1);
		break;
	case PT_PIP:
		str_addf(out, " 0x%llx (NR=%u)", v >> 1, u & 1);
		break;
	case PT_PTW:
		str_addf(out, " 0x%llx IP:%u", v, p->with_ip);
		break;
	case PT_EXSTOP: case PT_BEP:
		str_addf(out, " IP:%u", p->with_ip);
		break;
	case PT_MWAIT:
		str_addf(out, " 0x%llx Hints 0x%x Extensions 0x%x", v, u & 0xff,
			 (unsigned)(v >> 32) & 3);
		break;
	case PT_PWRE:
		str_addf(out, " 0x%llx HW:%u CState:%u Sub-CState:%u", v, u >> 7 & 1, u >> 12 & 15,
			 u >> 8 & 15);
		break;
	case PT_PWRX:
		str_addf(out, " 0x%llx Last CState:%u Deepest CState:%u Wake Reason 0x%x", v,
			 u >> 4 & 15, u & 15, u >> 8 & 15);
		break;
	case PT_BBP:
		str_addf(out, " SZ %s-byte Type 0x%x", u & 0x80 ? "4" : "8", u & 0x1f);
		break;
	case PT_BIP:
		str_addf(out, " ID 0x%02x Value 0x%llx", p->count, v);
		break;
	case PT_CFE:
		str_addf(out, " IP:%u Type 0x%02x Vector 0x%x", p->with_ip, p->count, u);
		break;
	case PT_EVD:
		str_addf(out, " Type 0x%02x Payload 0x%llx", p->count, v);
		break;
	case PT_TSC: case PT_MTC: case PT_CYC: case PT_CBR: case PT_VMCS: case PT_MNT:
		str_addf(out, " 0x%llx", v);
		break;
	case PT_BAD: case PT_PAD: case PT_OVF: case PT_PSB: case PT_PSBEND: case PT_STOP:
		break;
	}
}

void pt_packet_text(const struct pt_packet *p, struct str *out)
{
	str_add(out, names[p->type]);
	add_fields(p, out);
}
