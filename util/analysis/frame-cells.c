// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/frame-cells.h"

#include "util/stream/frame.h"

const char *frame_cell_text(struct table *t, const struct location *f)
{
	const char *name = frame_function(f), *text;
	struct str s = STR_INIT;

	if (name && f->sym && !f->inline_depth)
		str_addf(&s, "%s+0x%llx", name,
			 (unsigned long long)(f->rva + f->back - f->sym->start_rva));
	else if (name)
		str_add(&s, name);
	else
		str_addf(&s, "0x%llx", (unsigned long long)f->va);
	text = table_text(t, str_cstr(&s));
	str_release(&s);
	return text;
}

struct cell frame_cells(struct table *t, const struct location *frames, u32 n, bool addresses)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "frame", "Frame");
	for (u32 i = 0; i < n; i++)
		*table_add_row(list)->cells = addresses ? cell_addr(frames[i].va) :
			cell_text(frame_cell_text(list, &frames[i]));
	return cell_list(list);
}
