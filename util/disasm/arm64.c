// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/disasm/disasm-priv.h"

static u64 relative(u64 rva, u32 word, int shift, int bits)
{
	const s64 v = (s64)((u64)word << (64 - shift - bits)) >> (64 - bits);

	return rva + (u64)(v * 4);
}

static void jump(struct insn *i, u8 kind, u64 to)
{
	i->kind = kind;
	i->has_target = true;
	i->target_rva = to;
}

void arm64_classify(struct insn *i, const u8 *p)
{
	const u32 w = (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;

	if ((w & 0x7c000000) == 0x14000000)
		jump(i, w >> 31 ? INSN_CALL : INSN_JUMP, relative(i->rva, w, 0, 26));
	else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000)
		jump(i, INSN_COND_JUMP, relative(i->rva, w, 5, 19));
	else if ((w & 0x7e000000) == 0x36000000)
		jump(i, INSN_COND_JUMP, relative(i->rva, w, 5, 14));
	else if ((w & 0xfe000000) == 0xd6000000)	/* by register: br, blr, ret */
		i->kind = (w >> 21 & 3) == 2 ? INSN_RET : (w >> 21 & 3) == 1 ? INSN_CALL :
			INSN_JUMP;
	else if ((w & 0x3b000000) == 0x18000000)	/* a literal */
		i->kind = INSN_LOAD;
	else if ((w & 0x0a000000) == 0x08000000)
		i->kind = w >> 22 & 1 ? INSN_LOAD : INSN_STORE;
}

/* What a number counts in decimal: distances in memory, and shifts. */
static bool is_decimal(const char *mnemonic, const char *operands, const char *at)
{
	static const char *const shifts[] = { "lsl ", "lsr ", "asr ", "ror ", "msl ", "uxtw ",
					      "sxtw ", "sxtx " };
	const char *open = NULL;

	for (size_t i = 0; i < 4; i++)
		if (!strncmp(mnemonic, shifts[i], 3) && !mnemonic[3])
			return true;
	for (const char *p = operands; p < at; p++)
		open = *p == '[' ? p : *p == ']' ? NULL : open;
	for (size_t i = 0; i < ARRAY_SIZE(shifts); i++)
		if (at - operands >= (long)strlen(shifts[i]) &&
		    !strncmp(at - strlen(shifts[i]), shifts[i], strlen(shifts[i])))
			return true;
	return open != NULL;
}

static void rewrite_numbers(struct insn_text *t)
{
	struct str out = STR_INIT;
	char *p = t->operands;

	while (*p) {
		if (*p != '#' || (!isdigit((u8)p[1]) && p[1] != '-')) {
			str_addch(&out, *p++);
			continue;
		}
		const bool decimal = is_decimal(t->mnemonic, t->operands, p);
		const bool minus = p[1] == '-';
		char *end;
		const u64 v = strtoull(p + 1 + minus, &end, 0);

		if (*end == '.')	/* a floating point number */
			str_addn(&out, p, strcspn(p, ","));
		else if (decimal)
			str_addf(&out, "#%s%llu", minus ? "-" : "", (unsigned long long)v);
		else
			str_addf(&out, "#%s0x%llx", minus ? "-" : "", (unsigned long long)v);
		p = *end == '.' ? p + strcspn(p, ",") : end;
	}
	snprintf(t->operands, sizeof(t->operands), "%s", str_cstr(&out));
	str_release(&out);
}

/* movz, movn and orr with the zero register are moves of a number. */
static void name_moves(struct insn_text *t)
{
	char *at = strstr(t->operands, ", #");
	const char *zero = strstr(t->operands, "zr, #");
	u64 v;

	if (!at || strstr(at, "lsl"))
		return;
	v = strtoull(at + 3, NULL, 0);
	if (!strcmp(t->mnemonic, "orr") && zero) {
		memmove(at - 5, zero + 2, strlen(zero + 2) + 1);
	} else if (!strcmp(t->mnemonic, "movn")) {
		v = t->operands[0] == 'w' ? (u32)~v : ~v;
		snprintf(at, sizeof(t->operands) - (size_t)(at - t->operands), ", #0x%llx",
			 (unsigned long long)v);
	} else if (strcmp(t->mnemonic, "movz")) {
		return;
	}
	snprintf(t->mnemonic, sizeof(t->mnemonic), "mov");
}

void arm64_text(const struct insn *i, struct insn_text *t)
{
	char *at = strrchr(t->operands, '#');

	if (i->has_target && at) {
		snprintf(at, sizeof(t->operands) - (size_t)(at - t->operands), "%llx",
			 (unsigned long long)i->target_rva);
		return;
	}
	if (!strncmp(t->mnemonic, "adr", 3) && at && !strncmp(at, "#0x", 3)) {
		memmove(at, at + 3, strlen(at + 3) + 1);
		return;
	}
	rewrite_numbers(t);
	name_moves(t);
}
