// SPDX-License-Identifier: GPL-2.0-or-later
// What the code right before an address says of it. Encodings: Intel SDM 2 (call, jmp, endbr64),
// Arm ARM (svc).
#include <string.h>

#include "util/unwind/unwind-priv.h"

#define FUNCTION_BYTES 65536u	/* few are longer */

static size_t code_before(struct unwinding *u, u64 va, u8 *b, size_t n)
{
	const struct mapping *map = unwind_code(u, va - 1);

	if (!map || !map->dso || map->dso->kind != DSO_FILE)
		return 0;
	return dso_read(map->dso, mapping_rva(map, va) - n, b, n);
}

bool unwind_follows_call(struct unwinding *u, u64 va)
{
	const struct mapping *map = unwind_code(u, va - 1);
	u8 b[8] = { 0 };

	if (!map || !u->arch->is_x86)
		return map != NULL;
	u64 rva = mapping_rva(map, va);

	if (map->dso->kind != DSO_FILE || dso_read(map->dso, rva - 8, b, 8) != 8)
		return map->dso->kind == DSO_PERF_MAP;
	if (b[3] == 0xe8)
		return true;
	for (int n = 2; n <= 7; n++)	/* ff /2 with its operands */
		if (b[8 - n] == 0xff && (b[9 - n] & 0x38) == 0x10)
			return true;
	return false;
}

bool unwind_follows_syscall(struct unwinding *u, u64 va)
{
	/* syscall, int 0x80, sysenter */
	static const u8 calls[][2] = { { 0x0f, 0x05 }, { 0xcd, 0x80 }, { 0x0f, 0x34 } };
	static const u8 svc[4] = { 0x01, 0x00, 0x00, 0xd4 };
	const struct mapping *map = unwind_code(u, va - 1);
	u8 b[4];

	if (!map || !map->dso || (map->dso->kind != DSO_FILE && map->dso->kind != DSO_VDSO) ||
	    dso_read(map->dso, mapping_rva(map, va - sizeof(b)), b, sizeof(b)) != sizeof(b))
		return false;
	if (u->arch->insn_align == 4)
		return !memcmp(b, svc, sizeof(svc));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!memcmp(b + 2, calls[i], sizeof(calls[i])))
			return true;
	return false;
}

/* jmp: a stub of a PLT, or a function that is another one's name */
static bool is_jump(struct unwinding *u, u64 va)
{
	static const u8 endbr64[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const struct mapping *map = unwind_code(u, va);
	u8 b[8] = { 0 };
	const u8 *at = b;

	if (!map || !map->dso || map->dso->kind != DSO_FILE ||
	    dso_read(map->dso, mapping_rva(map, va), b, sizeof(b)) < sizeof(b))
		return false;
	if (!memcmp(at, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (*at == 0xf2)	/* bnd */
		at++;
	return *at == 0xe9 || *at == 0xeb || (at[0] == 0xff && at[1] == 0x25);
}

bool unwind_calls(struct unwinding *u, u64 va, u64 ip)
{
	u8 b[5];
	u32 by;
	u64 to;

	if (!u->arch->is_x86 || code_before(u, va, b, sizeof(b)) != sizeof(b) ||
	    b[0] != 0xe8)
		return false;
	by = (u32)b[1] | (u32)b[2] << 8 | (u32)b[3] << 16 | (u32)b[4] << 24;
	to = va + (u64)(s64)(s32)by;
	if (u->arch->addr_bytes == 4)
		to = (u32)to;
	return ip - to < FUNCTION_BYTES || is_jump(u, to);
}
