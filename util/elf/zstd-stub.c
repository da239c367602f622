// SPDX-License-Identifier: GPL-2.0-or-later
// Without libzstd.
#include "util/elf/elf.h"

#include <errno.h>

int inflate_zstd(const void *in UNUSED, size_t n UNUSED, void *out UNUSED, size_t out_bytes UNUSED)
{
	return -ENOSYS;
}

int inflate_zst(const void *in UNUSED, size_t n UNUSED, u8 **out UNUSED, size_t *out_bytes UNUSED)
{
	return -ENOSYS;
}
