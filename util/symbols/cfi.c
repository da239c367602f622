// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/cfi.h"

#include <errno.h>

#include "util/symbols/cfi-priv.h"

void cfi_table_free(struct cfi_table *t UNUSED)
{
}

int dso_cfi(struct dso *d UNUSED, u64 rva UNUSED, struct cfi_rule *out UNUSED)
{
	return -ENOENT;
}

struct span dso_cfi_expr(struct dso *d UNUSED, u32 expr UNUSED)
{
	return (struct span){ NULL, 0 };
}
