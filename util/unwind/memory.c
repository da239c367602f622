// SPDX-License-Identifier: GPL-2.0-or-later
// The memory of a task as a recording has it: the copy of its stack, and the files that it mapped.
#include <string.h>

#include "util/unwind/unwind-priv.h"

#define MAP_EXEC 4	/* PROT_EXEC */
/* Beyond the copy's end, but where the rest of a stack would be. */
#define STACK_MAX_BYTES (1ULL << 30)

static u64 word_of(const struct unwinding *u, u64 raw)
{
	if (!u->swap)
		return raw;
	return u->arch->addr_bytes == 4 ? __builtin_bswap32((u32)raw) : __builtin_bswap64(raw);
}

enum unwind_end unwind_read_far(struct unwinding *u, u64 va, u64 *out)
{
	size_t n = u->arch->addr_bytes;
	u64 off = va - u->stack_va, len = u->stack_end_va - u->stack_va;

	*out = 0;
	if (off < len && len - off >= n) {
		memcpy(out, u->stack + off, n);
		*out = word_of(u, *out);
		return UNWIND_COMPLETE;
	}
	if (va >= u->stack_va && va - u->stack_va < STACK_MAX_BYTES)
		return u->sample->stack_short ? UNWIND_NO_COPY : UNWIND_STACK_CUT;
	const struct mapping *map = space_find(u->space, va, u->t_ns);

	if (map && map->dso && map->dso->kind == DSO_FILE &&
	    dso_read(map->dso, mapping_rva(map, va), out, n) == n) {
		*out = word_of(u, *out);
		return UNWIND_COMPLETE;
	}
	return UNWIND_BAD_FRAME;
}

const struct mapping *unwind_code(struct unwinding *u, u64 va)
{
	const struct mapping *map = va ? space_find(u->space, va, u->t_ns) : NULL;

	/* MMAP records of version 1 say nothing of protection: prot is 0 then */
	return map && (!map->prot || map->prot & MAP_EXEC) ? map : NULL;
}
