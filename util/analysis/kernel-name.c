// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kernel-name.h"

const struct symbol *kernel_symbol(struct machine *m, u64 va, u64 t_ns, u64 *offset)
{
	const struct mapping *map = space_find(machine_kernel_space(m), va, t_ns);
	const struct symbol *sym = map && map->dso ? dso_find(map->dso, mapping_rva(map, va)) :
		NULL;

	*offset = sym ? mapping_rva(map, va) - sym->start_rva : 0;
	return sym;
}
