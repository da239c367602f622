// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys-event.h"

#include <string.h>

#include "util/view/draw.h"

#define STACK_COLUMN 38

void view_sys_event(struct view_sys *v, const struct sys_event *e, u32 cpu, bool fault,
		    bool column, struct str *out)
{
	const struct view_sys_head head = {
		.time_ns = e->time_ns, .comm = e->comm, .tid = e->tid, .cpu = cpu,
		.duration = column || fault ? VIEW_SYS_NOT_KNOWN : VIEW_SYS_NO_DURATION,
	};

	if (v->form == VIEW_SYS_JSON) {
		draw_json_rows(out, sys_row_event(&v->rows, e));
		return;
	}
	view_sys_head(v, &head, out);
	if (!fault) {
		str_add_safe(out, e->name);
		str_addch(out, '(');
	}
	str_addn(out, (const char *)e->args.ptr, e->args.len);
	str_add(out, fault ? "\n" : ")\n");
}

static void add_line(bool strace, const char *frame, struct str *out)
{
	if (strace)
		str_add(out, " > ");
	else
		str_addchn(out, ' ', STACK_COLUMN);
	str_add(out, frame);
	str_addch(out, '\n');
}

void view_sys_stack(struct view_sys *v, u32 tid, const struct str *frames, struct str *out)
{
	if (!frames->len)
		return;
	if (v->form == VIEW_SYS_JSON) {
		draw_json_rows(out, sys_row_stack(&v->rows, tid, frames));
		return;
	}
	for (size_t at = 0; at < frames->len; at += strlen(frames->buf + at) + 1)
		add_line(v->form == VIEW_SYS_STRACE, frames->buf + at, out);
}
