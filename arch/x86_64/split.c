// SPDX-License-Identifier: GPL-2.0-or-later
// Where an x86 instruction ends, whatever it does.
#include "arch/x86-split.h"

#include <string.h>

struct cursor { const u8 *p; size_t n, at; bool is64; };

static bool peek(const struct cursor *c, u8 *b)
{
	if (c->at >= c->n || c->at >= 15)
		return false;
	*b = c->p[c->at];
	return true;
}

static bool take(struct cursor *c, u8 *b)
{
	if (!peek(c, b))
		return false;
	c->at++;
	return true;
}

static bool take_prefix(struct cursor *c, struct x86_parts *x, u8 b)
{
	switch (b) {
	case 0x66: x->opsize = true; break;
	case 0x67: x->addrsize = true; break;
	case 0xf0: x->lock = true; break;
	case 0xf2: x->repne = true; x->rep = false; break;
	case 0xf3: x->rep = true; x->repne = false; break;
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: x->segment = b; break;
	default: return false;
	}
	c->at++;
	x->n_prefixes++;
	return true;
}

/* C4, C5 and 62 are these in 64-bit code only, or where a register operand follows. */
static bool is_vector_prefix(const struct cursor *c, u8 b)
{
	if (b != 0xc4 && b != 0xc5 && b != 0x62)
		return false;
	return c->is64 || (c->at + 1 < c->n && c->p[c->at + 1] >= 0xc0);
}

static bool take_vector_prefix(struct cursor *c, struct x86_parts *x)
{
	u8 b, p[3];
	const u8 n = c->p[c->at++] == 0xc5 ? 1 : c->p[c->at - 1] == 0xc4 ? 2 : 3;

	for (u8 i = 0; i < n; i++)
		if (!take(c, &p[i]))
			return false;
	x->encoding = n == 3 ? X86_EVEX : X86_VEX;
	x->map = n == 1 ? 1 : p[0] & (n == 3 ? 7 : 31);
	b = n == 1 ? p[0] : p[1];
	x->pp = b & 3;
	x->w = n == 1 ? 0 : b >> 7;
	x->ll = n == 3 ? p[2] >> 5 & 3 : b >> 2 & 1;
	x->rex = (u8)(~p[0] >> 5 & 7);
	if (n == 3)
		memcpy(x->evex, p, sizeof(x->evex));
	return take(c, &x->opcode);
}

static bool take_opcode(struct cursor *c, struct x86_parts *x)
{
	u8 b;

	while (peek(c, &b) && take_prefix(c, x, b))
		;
	while (c->is64 && peek(c, &b) && (b & 0xf0) == 0x40)
		x->rex = b, c->at++;
	if (!peek(c, &b))
		return false;
	if (is_vector_prefix(c, b))
		return take_vector_prefix(c, x);
	c->at++;
	x->opcode = b;
	if (b != 0x0f)
		return true;
	if (!take(c, &x->opcode))
		return false;
	x->map = 1;
	if (x->opcode != 0x38 && x->opcode != 0x3a)
		return true;
	x->map = x->opcode == 0x38 ? 2 : 3;
	return take(c, &x->opcode);
}

static bool one_byte_modrm(u8 op)
{
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x62 || op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op < 0x90) ||
		op == 0xc0 || op == 0xc1 || (op >= 0xc4 && op <= 0xc7) ||
		(op >= 0xd0 && op < 0xd4) || (op >= 0xd8 && op < 0xe0) || op == 0xf6 ||
		op == 0xf7 || op == 0xfe || op == 0xff;
}

static bool two_byte_modrm(u8 op)
{
	return !((op >= 0x04 && op <= 0x0b) || op == 0x0e || (op >= 0x30 && op < 0x38) ||
		 op == 0x77 || (op >= 0x80 && op < 0x90) || (op >= 0xa0 && op < 0xa3) ||
		 (op >= 0xa8 && op < 0xab) || op >= 0xff || (op >= 0xc8 && op < 0xd0));
}

static bool has_modrm(const struct x86_parts *x)
{
	if (x->encoding != X86_LEGACY)
		return x->map != 1 || x->opcode != 0x77;
	return x->map == 0 ? one_byte_modrm(x->opcode) : x->map > 1 || two_byte_modrm(x->opcode);
}

/* of the one-byte opcodes; word: 4, or 2 with an operand size prefix */
static u8 one_byte_imm(const struct x86_parts *x, bool is64, u8 word)
{
	const u8 op = x->opcode, reg = x->modrm >> 3 & 7;

	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? word : 0;
	if ((op >= 0x70 && op < 0x80) || (op >= 0xb0 && op < 0xb8) || (op >= 0xe0 && op < 0xe8))
		return 1;
	if (op >= 0xb8 && op < 0xc0)
		return x->rex & 8 ? 8 : word;
	if (op >= 0xa0 && op < 0xa4)
		return is64 != x->addrsize ? (is64 ? 8 : 2) : 4;
	switch (op) {
	case 0x6a: case 0x6b: case 0x80: case 0x82: case 0x83: case 0xa8: case 0xc0: case 0xc1:
	case 0xc6: case 0xcd: case 0xd4: case 0xd5: case 0xeb: return 1;
	case 0x68: case 0x69: case 0x81: case 0xa9: case 0xc7: return word;
	case 0xe8: case 0xe9: return is64 ? 4 : word;
	case 0xc2: case 0xca: return 2;
	case 0xc8: return 3;
	case 0x9a: case 0xea: return is64 ? 0 : (u8)(word + 2);
	case 0xf6: return reg < 2 ? 1 : 0;
	case 0xf7: return reg < 2 ? word : 0;
	default: return 0;
	}
}

static u8 immediate(const struct x86_parts *x, bool is64)
{
	const u8 op = x->opcode, word = x->opsize && !(x->rex & 8) ? 2 : 4;

	if (x->encoding == X86_LEGACY && x->map == 0)
		return one_byte_imm(x, is64, word);
	if (x->map == 3)
		return 1;
	if (x->map != 1)
		return 0;
	if ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))
		return 1;
	if (x->encoding != X86_LEGACY)
		return 0;
	if (op >= 0x80 && op < 0x90)
		return is64 ? 4 : word;
	return op == 0xa4 || op == 0xac || op == 0xba || op == 0x0f ? 1 : 0;
}

static bool take_address(struct cursor *c, struct x86_parts *x)
{
	u8 mod, rm;

	x->modrm_at = (u8)c->at;
	if (!take(c, &x->modrm))
		return false;
	mod = x->modrm >> 6, rm = x->modrm & 7;
	/* of moves to control and debug registers mod says nothing */
	if (mod == 3 || (x->encoding == X86_LEGACY && x->map == 1 && x->opcode >= 0x20 &&
			 x->opcode < 0x24))
		return true;
	if (x->addrsize && !c->is64) {
		x->disp_bytes = mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0;
	} else {
		x->has_sib = rm == 4;
		if (x->has_sib && !take(c, &x->sib))
			return false;
		x->disp_bytes = mod == 1 ? 1 : mod == 2 || rm == 5 ||
			(x->has_sib && (x->sib & 7) == 5) ? 4 : 0;
	}
	x->disp_at = (u8)c->at;
	c->at += x->disp_bytes;
	return true;
}

bool x86_split(const u8 *p, size_t n, bool is64, struct x86_parts *out)
{
	struct cursor c = { .p = p, .n = n, .is64 = is64 };

	memset(out, 0, sizeof(*out));
	if (!take_opcode(&c, out))
		return false;
	out->has_modrm = has_modrm(out);
	if (out->has_modrm && !take_address(&c, out))
		return false;
	out->imm_bytes = immediate(out, is64);
	c.at += out->imm_bytes;
	out->length = (u8)c.at;
	return c.at <= n && c.at <= 15;
}
