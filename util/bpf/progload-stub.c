// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf there are no objects to load.
#include "util/bpf/progload.h"

#include <errno.h>

struct progload *progload_new(void)
{
	errno = ENOTSUP;
	return NULL;
}
