// SPDX-License-Identifier: GPL-2.0-or-later
// Without libiberty names stay as they are.
#include "util/elf/demangle.h"

char *demangle_name(const char *mangled UNUSED)
{
	return NULL;
}
