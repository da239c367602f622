// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/vdso.h"

#include <string.h>

#include "util/elf/elf.h"
#include "util/os/kernel.h"

const char *vdso_name(u64 start_va, u64 bytes)
{
	return start_va >> 32 || bytes >> 32 || (start_va + bytes) >> 32 ? VDSO_NAME : VDSO32_NAME;
}

u8 *vdso_image(const struct os *os, const char *name, size_t *bytes)
{
	return os_vdso_image(os, !strcmp(name, VDSO32_NAME), bytes);
}

bool vdso_build_id(const struct os *os, const char *name, struct build_id *out)
{
	size_t n;
	u8 *image = vdso_image(os, name, &n);
	struct elf e;
	bool ok;

	out->n = 0;
	if (!image || elf_open_mem(&e, image, n, name, NULL))
		return false;
	ok = elf_build_id(&e, out);
	elf_close(&e);
	return ok && out->n;
}
