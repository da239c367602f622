// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets of traces: the first byte says of which kind, and whether the rest is AUXTRACE_INFO. */
#include <stdlib.h>

#include "util/itrace/packets.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct str out = STR_INIT;
	u32 kind;

	if (!n)
		return 0;
	kind = data[0] & 7;
	if (data[0] & 8)
		itrace_add_info(kind, data + 1, n - 1, &out);
	else if (itrace_add_packets(kind, data + 1, n - 1, &out) !=
		 (kind == ITRACE_INTEL_PT || kind == ITRACE_ARM_SPE))
		abort();
	str_release(&out);
	return 0;
}
