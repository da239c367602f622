// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kmem-gfp.h"

#include <string.h>

static const struct { const char *name, *brief; } names[] = {
	{ "GFP_TRANSHUGE", "THP" },
	{ "GFP_TRANSHUGE_LIGHT", "THL" },
	{ "GFP_HIGHUSER_MOVABLE", "HUM" },
	{ "GFP_HIGHUSER", "HU" },
	{ "GFP_USER", "U" },
	{ "GFP_KERNEL_ACCOUNT", "KAC" },
	{ "GFP_KERNEL", "K" },
	{ "GFP_NOFS", "NF" },
	{ "GFP_ATOMIC", "A" },
	{ "GFP_NOIO", "NI" },
	{ "GFP_NOWAIT", "NW" },
	{ "GFP_DMA", "D" },
	{ "GFP_DMA32", "D32" },
	{ "__GFP_DMA", "D" },
	{ "__GFP_DMA32", "D32" },
	{ "__GFP_HIGHMEM", "HM" },
	{ "__GFP_HIGH", "H" },
	{ "__GFP_IO", "I" },
	{ "__GFP_FS", "F" },
	{ "__GFP_NOWARN", "NWR" },
	{ "__GFP_RETRY_MAYFAIL", "R" },
	{ "__GFP_NOFAIL", "NF" },
	{ "__GFP_NORETRY", "NR" },
	{ "__GFP_COMP", "C" },
	{ "__GFP_ZERO", "Z" },
	{ "__GFP_NOMEMALLOC", "NMA" },
	{ "__GFP_MEMALLOC", "MA" },
	{ "__GFP_HARDWALL", "HW" },
	{ "__GFP_THISNODE", "TN" },
	{ "__GFP_RECLAIMABLE", "RC" },
	{ "__GFP_MOVABLE", "M" },
	{ "__GFP_ACCOUNT", "AC" },
	{ "__GFP_WRITE", "WR" },
	{ "__GFP_RECLAIM", "R" },
	{ "__GFP_DIRECT_RECLAIM", "DR" },
	{ "__GFP_KSWAPD_RECLAIM", "KR" },
};

static void add(struct str *out, const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len)) {
			str_add(out, names[i].brief);
			return;
		}
	if (len > 6 && !memcmp(name, "__GFP_", 6))
		name += 6, len -= 6;
	str_addn(out, name, len);
}

void gfp_shorten(const char *flags, struct str *out)
{
	for (const char *p = flags; *p; ) {
		const size_t n = strcspn(p, "|");

		if (p != flags)
			str_addch(out, '|');
		add(out, p, n);
		p += n + (p[n] == '|');
	}
}
