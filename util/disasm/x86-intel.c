// SPDX-License-Identifier: GPL-2.0-or-later
// Intel syntax: objdump writes sizes in capital letters, no blanks, a scale always, and numbers in
// hexadecimal.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/disasm/disasm-priv.h"

struct address { struct str base, index; s64 disp; unsigned scale; bool has_disp; };

/* "rbp - 8", "rax + rcx*4 + 0x10" */
static void parse_address(struct address *a, const char *p, const char *end)
{
	while (p < end) {
		const bool minus = *p == '-';
		char *stop;

		if (strchr("+- ", *p)) {
			p++;
			a->disp = minus && isdigit((u8)p[strspn(p, " ")]) ? -1 : a->disp;
			continue;
		}
		if (isdigit((u8)*p)) {
			const u64 v = strtoull(p, &stop, 0);

			a->disp = a->disp == -1 ? (s64)-v : (s64)v;
			a->has_disp = true;
			p = stop;
			continue;
		}
		const size_t n = strcspn(p, "+-* ]");

		if (p[n] == '*') {
			str_addn(&a->index, p, n);
			a->scale = (unsigned)strtoul(p + n + 1, &stop, 0);
			p = stop;
		} else {
			str_addn(a->base.len ? &a->index : &a->base, p, n);
			p += n;
		}
	}
}

static void add_address(struct str *out, const char *p, const char *end, const struct x86_parts *x)
{
	struct address a = { .scale = 1 };

	parse_address(&a, p, end);
	if (!a.base.len && !a.index.len) {	/* "fs:0x28", "ds:0x601040" */
		if (!out->len || out->buf[out->len - 1] != ':')
			str_add(out, "ds:");
		str_addf(out, "0x%llx", (unsigned long long)a.disp);
		return;
	}
	str_addch(out, '[');
	str_add(out, str_cstr(&a.base));
	if (a.index.len)
		str_addf(out, "%s%s*%u", a.base.len ? "+" : "", str_cstr(&a.index), a.scale);
	if (!strcmp(str_cstr(&a.base), "rip"))
		str_addf(out, "+0x%llx", (unsigned long long)a.disp);
	else if (a.has_disp || x->disp_bytes)
		str_addf(out, "%c0x%llx", a.disp < 0 ? '-' : '+',
			 (unsigned long long)(a.disp < 0 ? -a.disp : a.disp));
	str_addch(out, ']');
	str_release(&a.base);
	str_release(&a.index);
}

/* Of an immediate, by the first operand. */
static u64 mask_of(const struct insn_text *t, const struct x86_parts *x)
{
	if (!strncmp(t->operands, "byte", 4) || (x->imm_bytes == 1 && !x->has_modrm && !x->opsize &&
						 x->opcode < 0x40))
		return UINT8_MAX;
	if (!strncmp(t->operands, "word", 4) || x->opsize)
		return UINT16_MAX;
	return x->rex & 8 || !strncmp(t->operands, "qword", 5) || !strncmp(t->mnemonic, "push", 4) ?
		UINT64_MAX : UINT32_MAX;
}

static void add_number(struct str *out, const char *p, char **end, u64 mask)
{
	const bool minus = *p == '-';
	const u64 v = strtoull(p + minus, end, 0);

	str_addf(out, "0x%llx", (unsigned long long)((minus ? -v : v) & mask));
}

static void add_size(struct str *out, const char *word, size_t n)
{
	if (n == 5 && !strncmp(word, "xword", n))
		word = "tbyte";
	for (size_t i = 0; i < n; i++)
		str_addch(out, (char)toupper((u8)word[i]));
	str_add(out, " PTR ");
}

/* A string instruction names its segments, a shift by one has a decimal. */
static void odd_ones(struct insn_text *t, const struct x86_parts *x)
{
	const size_t n = strlen(t->operands), name = strlen(t->mnemonic);
	char *bracket = strchr(t->operands, '[');

	if (x->map || x->encoding != X86_LEGACY)
		return;
	if ((x->opcode == 0xd0 || x->opcode == 0xd1) && n > 4 &&
	    !strcmp(t->operands + n - 4, ",0x1"))
		snprintf(t->operands + n - 3, INSN_TEXT - (n - 3), "1");
	if ((x->opcode != 0xaa && x->opcode != 0xab) || !bracket || n + 4 >= INSN_TEXT)
		return;
	memmove(bracket + 3, bracket, strlen(bracket) + 1);
	memcpy(bracket, "es:", 3);
	if (name > 4 && strchr("bwdq", t->mnemonic[name - 1]))
		t->mnemonic[name - 1] = 0;
}

static void rewrite_operands(struct insn_text *t, const struct x86_parts *x)
{
	const u64 mask = mask_of(t, x);
	struct str out = STR_INIT;
	const char *p = t->operands;
	char *end;

	while (*p) {
		const bool begins = p == t->operands || p[-1] == ' ';
		const size_t word = strcspn(p, " ");

		if (begins && !strncmp(p + word, " ptr", 4)) {
			add_size(&out, p, word);
			p += word + 4 + (p[word + 4] == ' ');
		} else if (*p == '[') {
			const char *close = strchrnul(p, ']');

			add_address(&out, p + 1, close, x);
			p = close + (*close == ']');
		} else if (begins && (isdigit((u8)*p) || (*p == '-' && isdigit((u8)p[1])))) {
			add_number(&out, p, &end, mask);
			p = end;
		} else {
			if (*p != ' ')
				str_addch(&out, *p);
			p++;
		}
	}
	snprintf(t->operands, sizeof(t->operands), "%s", str_cstr(&out));
	str_release(&out);
}

void x86_intel(struct insn_text *t, const u8 *bytes, const struct x86_parts *x, bool is64 UNUSED)
{
	u8 n16 = 0;

	rewrite_operands(t, x);
	odd_ones(t, x);
	if (!strcmp(t->mnemonic, "nop") && !x->map && x->opsize) {
		snprintf(t->mnemonic, sizeof(t->mnemonic), "xchg");
		snprintf(t->operands, sizeof(t->operands), "ax,ax");
		return;
	}
	if (strcmp(t->mnemonic, "nop"))
		return;
	for (u8 i = 0; i < x->n_prefixes; i++)
		n16 += bytes[i] == 0x66;
	char *seg = strstr(t->operands, "cs:");

	if (seg)
		memmove(seg, seg + 3, strlen(seg + 3) + 1);
	t->mnemonic[0] = 0;
	for (; n16 > 1; n16--)
		snprintf(t->mnemonic + strlen(t->mnemonic),
			 sizeof(t->mnemonic) - strlen(t->mnemonic), "data16 ");
	snprintf(t->mnemonic + strlen(t->mnemonic), sizeof(t->mnemonic) - strlen(t->mnemonic),
		 "%snop", seg ? "cs " : "");
}
