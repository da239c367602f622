// SPDX-License-Identifier: GPL-2.0-or-later
// Traces as text, for "perf script -D".
#include <string.h>

#include "util/itrace/packets.h"

enum { LINE_BYTES = 16 };

static void add_bytes(size_t at, const u8 *p, size_t n, struct str *out)
{
	str_addf(out, ".  %08zx: ", at);
	for (size_t i = 0; i < LINE_BYTES; i++) {
		str_addch(out, ' ');
		if (i < n)
			str_add_hex(out, p[i], 2);
		else
			str_add(out, "  ");
	}
	str_addch(out, ' ');
}

/* Paddings behind a packet are on its line, as far as 8 bytes are not full. */
static void add_pt(const u8 *p, size_t n, struct str *out)
{
	enum pt_block block = PT_NO_BLOCK;
	struct pt_packet k;

	for (size_t at = 0, size; at < n; at += size) {
		pt_packet_get(p + at, n - at, &block, &k);
		size = k.bytes;
		while (k.type != PT_BAD && at + size < n && size < 8 && !p[at + size])
			size++;
		add_bytes(at, p + at, size, out);
		pt_packet_text(&k, out);
		str_addch(out, '\n');
	}
}

static void add_spe(const u8 *p, size_t n, struct str *out)
{
	struct spe_packet k;

	for (size_t at = 0, size; at < n; at += size) {
		spe_packet_get(p + at, n - at, at, &k);
		size = k.bytes;
		while (k.type == SPE_PAD && at + size < n && size < LINE_BYTES && !p[at + size])
			size++;
		add_bytes(at, p + at, size, out);
		spe_packet_text(&k, out);
		str_addch(out, '\n');
	}
}

bool itrace_add_packets(u32 kind, const u8 *p, size_t n, struct str *out)
{
	switch (kind) {
	case ITRACE_INTEL_PT:
		str_addf(out, ".\n. ... Intel Processor Trace data: size %zu bytes\n", n);
		add_pt(p, n, out);
		return true;
	case ITRACE_ARM_SPE:
		str_addf(out, ".\n. ... ARM SPE data: size %#zx bytes\n", n);
		add_spe(p, n, out);
		return true;
	}
	return false;
}

/* ---- AUXTRACE_INFO ---- */

static u64 word_at(const u8 *words, size_t i)
{
	u64 v;

	memcpy(&v, words + 8 * i, sizeof(v));
	return v;
}

static const struct { const char *name; bool hex; } pt_words[] = {
	{ "PMU Type            ", false }, { "Time Shift          ", false },
	{ "Time Multiplier     ", false }, { "Time Zero           ", false },
	{ "Cap Time Zero       ", false }, { "TSC bit             ", true },
	{ "NoRETComp bit       ", true }, { "Have sched_switch   ", false },
	{ "Snapshot mode       ", false }, { "Per-cpu maps        ", false },
	{ "MTC bit             ", true }, { "MTC freq bits       ", true },
	{ "TSC:CTC numerator   ", false }, { "TSC:CTC denominator ", false },
	{ "CYC bit             ", true }, { "Max non-turbo ratio ", false },
	{ "Filter string len.  ", false },
};

static void add_pt_info(const u8 *words, size_t n_bytes, struct str *out)
{
	const size_t n = n_bytes / 8, filter = ARRAY_SIZE(pt_words);
	size_t len;

	for (size_t i = 0; i < MIN(n, filter); i++)
		str_addf(out, pt_words[i].hex ? "  %s%#llx\n" : "  %s%llu\n", pt_words[i].name,
			 (unsigned long long)word_at(words, i));
	if (n < filter)
		return;
	len = MIN(word_at(words, filter - 1), n_bytes - 8 * filter);
	str_add(out, "  Filter string       ");
	str_add_safen(out, (const char *)words + 8 * filter,
		      strnlen((const char *)words + 8 * filter, len));
	str_addch(out, '\n');
}

void itrace_add_info(u32 kind, const u8 *words, size_t n_bytes, struct str *out)
{
	str_addf(out, " type: %u\n", kind);
	if (kind == ITRACE_INTEL_PT)
		add_pt_info(words, n_bytes, out);
	else if (kind == ITRACE_ARM_SPE && n_bytes == 16)
		str_addf(out, "  PMU Type           :%llu\n  Per CPU mmaps      :%llu\n",
			 (unsigned long long)word_at(words, 0),
			 (unsigned long long)word_at(words, 1));
}
