/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KERNEL_NAME_H
#define ANALYSIS_KERNEL_NAME_H
/*
 * Names of kernel addresses that are the fields of events. One thread.
 */
#include "util/machine/machine.h"
#include "util/symbols/dso.h"

/* NULL: nothing is mapped there, or it has no name. *offset: in the symbol. */
const struct symbol *kernel_symbol(struct machine *m, u64 va, u64 t_ns, u64 *offset);

#endif
