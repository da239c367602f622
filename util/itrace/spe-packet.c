// SPDX-License-Identifier: GPL-2.0-or-later
// Packets of ARM SPE.
#include "util/itrace/packets.h"

static u64 bytes_at(const u8 *p, unsigned n)
{
	u64 v = 0;

	for (unsigned i = n; i--; )
		v = v << 8 | p[i];
	return v;
}

/* A header of one byte, and a value behind it. */
static unsigned get_value(const u8 *p, size_t n, unsigned size, enum spe_type type, u8 index,
			  struct spe_packet *out)
{
	if (n < 1 + size)
		return 0;
	*out = (struct spe_packet){ .type = type, .index = index, .size = (u8)size,
				    .v = bytes_at(p + 1, size) };
	return 1 + size;
}

/* 1, 2, 4, 8 bytes */
static unsigned size_of(u8 header)
{
	return 1U << (header >> 4 & 3);
}

/* high: of the index, from a header before this one. */
static unsigned get_indexed(const u8 *p, size_t n, unsigned high, struct spe_packet *out)
{
	const u8 index = (u8)(high << 3 | (p[0] & 7));

	if ((p[0] & 0xf8) == 0xb0)
		return get_value(p, n, 8, SPE_ADDRESS, index, out);
	if ((p[0] & 0xf8) == 0x98)
		return get_value(p, n, 2, SPE_COUNTER, index, out);
	return 0;
}

static unsigned get_extended(const u8 *p, size_t n, u64 at, struct spe_packet *out)
{
	unsigned size;

	if (n < 2)
		return 0;
	if (!p[1]) {	/* up to a multiple of 2, 4, ... */
		const u64 align = 2ULL << (p[0] & 3);
		const u64 all = align - (at & (align - 1));

		*out = (struct spe_packet){ .type = SPE_PAD };
		return all >= 2 && all <= n ? (unsigned)all : 0;
	}
	size = get_indexed(p + 1, n - 1, p[0] & 3, out);
	return size ? size + 1 : 0;
}

static unsigned get(const u8 *p, size_t n, u64 at, struct spe_packet *out)
{
	const u8 h = p[0];

	if (h <= 1) {
		*out = (struct spe_packet){ .type = h ? SPE_END : SPE_PAD };
		return 1;
	}
	if (h == 0x71)
		return get_value(p, n, 8, SPE_TIMESTAMP, 0, out);
	if ((h & 0xcf) == 0x42)
		return get_value(p, n, size_of(h), SPE_EVENTS, 0, out);
	if ((h & 0xcf) == 0x43)
		return get_value(p, n, size_of(h), SPE_SOURCE, 0, out);
	if ((h & 0xfc) == 0x64)
		return get_value(p, n, 4, SPE_CONTEXT, h & 3, out);
	if ((h & 0xfc) == 0x48)
		return get_value(p, n, 1, SPE_OP, h & 3, out);
	if ((h & 0xfc) == 0x20)
		return get_extended(p, n, at, out);
	return get_indexed(p, n, 0, out);
}

void spe_packet_get(const u8 *p, size_t n, u64 at, struct spe_packet *out)
{
	const unsigned size = get(p, n, at, out);

	if (!size)
		*out = (struct spe_packet){ .type = SPE_BAD };
	out->bytes = (u8)MAX(size, 1U);
}

/* ---- as text ---- */

static void add_address(const struct spe_packet *k, struct str *out)
{
	static const char *const names[] = { "PC", "TGT", "VA", "PA", "PBT" };
	const unsigned long long v = k->v, low = v & ((1ULL << 56) - 1);
	const unsigned ns = (unsigned)(v >> 63);

	if (k->index >= ARRAY_SIZE(names))
		str_addf(out, "ADDR 0x%llx (%u)", v, k->index);
	else if (k->index == SPE_VA)
		str_addf(out, "VA 0x%llx", v);
	else if (k->index == SPE_PA)
		str_addf(out, "PA 0x%llx ns=%u ch=%u pat=%x", low, ns, (unsigned)(v >> 62) & 1,
			 (unsigned)(v >> 56) & 15);
	else
		str_addf(out, "%s 0x%llx el%u ns=%u", names[k->index], low,
			 (unsigned)(v >> 61) & 3, ns);
}

static void add_counter(const struct spe_packet *k, struct str *out)
{
	static const char *const names[] = { "TOT", "ISSUE", "XLAT" };

	str_addf(out, "LAT %u %s", (unsigned)k->v, k->index < ARRAY_SIZE(names) ?
		 names[k->index] : "");
}

static void add_events(const struct spe_packet *k, struct str *out)
{
	static const char *const names[64] = {
		"EXCEPTION-GEN", "RETIRED", "L1D-ACCESS", "L1D-REFILL", "TLB-ACCESS", "TLB-REFILL",
		"NOT-TAKEN", "MISPRED", "LLC-ACCESS", "LLC-REFILL", "REMOTE-ACCESS", "ALIGNMENT",
		[16] = "TXN", "SVE-PARTIAL-PRED", "SVE-EMPTY-PRED", "L2D-ACCESS", "L2D-MISS",
		"HITM", "LFB", "SNOOPED", "STREAMING-SVE", "SMCU",
	};
	const char *sep = " IMPDEF:";

	str_add(out, "EV");
	for (unsigned i = 0; i < 64; i++)
		if (k->v >> i & 1 && names[i])
			str_addf(out, " %s", names[i]);
	for (unsigned i = 0; i < 64; i++) {
		if (!(k->v >> i & 1) || names[i])
			continue;
		str_addf(out, "%s%u", sep, i);
		sep = ",";
	}
}

static void add_flag(struct str *out, unsigned v, const char *name)
{
	if (v)
		str_addf(out, " %s", name);
}

static void add_other(unsigned v, struct str *out)
{
	if ((v & 0x89) == 0x08) {
		str_addf(out, "SVE-OTHER EVLEN %u", 32U << (v >> 4 & 7));
		add_flag(out, v & 2, "FP");
		add_flag(out, v & 4, "PRED");
	} else if ((v & 0x89) == 0x88) {
		str_addf(out, "SME-OTHER ETS %u", 128U << ((v >> 3 & 14) | (v >> 2 & 1)));
		add_flag(out, v & 2, "FP");
	} else if (v & 0xf8) {
		str_addf(out, "OTHER 0x%x", v);
	} else {
		str_add(out, "OTHER");
		add_flag(out, v & 4, "ASE");
		add_flag(out, v & 2, "FP");
		str_add(out, v & 1 ? " COND-SELECT" : " INSN-OTHER");
	}
}

static void add_load_store(unsigned v, struct str *out)
{
	static const struct { u8 mask, value; const char *name; } kinds[] = {
		{ 0xfe, 0x00, "GP-REG" }, { 0xfe, 0x04, "SIMD-FP" }, { 0xfe, 0x10, "UNSPEC-REG" },
		{ 0xfe, 0x30, "NV-SYSREG" }, { 0xfe, 0x14, "MTE-TAG" }, { 0xfe, 0x20, "MEMCPY" },
		{ 0xff, 0x25, "MEMSET" },
	};

	str_add(out, v & 1 ? "ST" : "LD");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		add_flag(out, (v & kinds[i].mask) == kinds[i].value, kinds[i].name);
	if ((v & 0xe2) == 0x02) {
		add_flag(out, v & 4, "AT");
		add_flag(out, v & 8, "EXCL");
		add_flag(out, v & 16, "AR");
	} else if ((v & 0x0a) == 0x08) {
		str_addf(out, " SVE-SME-REG EVLEN %u", 32U << (v >> 4 & 7));
		add_flag(out, v & 4, "PRED");
		add_flag(out, v & 0x80, "SG");
	} else if ((v & 0xfa) == 0x40) {
		str_add(out, " GCS");
		add_flag(out, v & 4, "COMM");
	}
}

static void add_branch(unsigned v, struct str *out)
{
	static const char *const calls[] = { NULL, "CR-BL", "CR-RET", "CR-NON-BL-RET" };

	str_add(out, "B");
	add_flag(out, v & 1, "COND");
	add_flag(out, v & 2, "IND");
	add_flag(out, v & 4, "GCS");
	add_flag(out, v >> 3 & 3, calls[v >> 3 & 3]);
}

static void add_operation(const struct spe_packet *k, struct str *out)
{
	switch (k->index) {
	case SPE_OTHER: add_other((unsigned)k->v, out); break;
	case SPE_LDST: add_load_store((unsigned)k->v, out); break;
	case SPE_BRANCH: add_branch((unsigned)k->v, out); break;
	default: str_addf(out, "OP-TYPE 0x%x (%u)", (unsigned)k->v, k->index); break;
	}
}

void spe_packet_text(const struct spe_packet *k, struct str *out)
{
	switch (k->type) {
	case SPE_BAD: str_add(out, "Bad packet!"); break;
	case SPE_PAD: str_add(out, "PAD"); break;
	case SPE_END: str_add(out, "END"); break;
	case SPE_TIMESTAMP: str_addf(out, "TS %llu", (unsigned long long)k->v); break;
	case SPE_SOURCE: str_addf(out, "DATA-SOURCE %llu", (unsigned long long)k->v); break;
	case SPE_CONTEXT:
		str_addf(out, "CONTEXT 0x%llx el%u", (unsigned long long)k->v, k->index + 1U);
		break;
	case SPE_EVENTS: add_events(k, out); break;
	case SPE_OP: add_operation(k, out); break;
	case SPE_ADDRESS: add_address(k, out); break;
	case SPE_COUNTER: add_counter(k, out); break;
	}
}
