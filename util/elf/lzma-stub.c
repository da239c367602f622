// SPDX-License-Identifier: GPL-2.0-or-later
// Without liblzma.
#include "util/elf/elf.h"

#include <errno.h>

int inflate_xz(const void *in UNUSED, size_t n UNUSED, u8 **out UNUSED, size_t *out_bytes UNUSED)
{
	return -ENOSYS;
}
