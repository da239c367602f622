/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_CFI_PRIV_H
#define SYMBOLS_CFI_PRIV_H
#include "util/symbols/cfi.h"

struct cfi_table;
void cfi_table_free(struct cfi_table *t);	/* NULL is fine */

#endif
