// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys-event.h"

#include <string.h>

#define STACK_COLUMN 38

void view_sys_event(struct view_sys *v, const struct view_sys_event *e, u32 cpu, bool fault,
		    bool column, struct str *out)
{
	if (v->form == VIEW_SYS_JSON) {
		view_sys_json_event(e, out);
		return;
	}
	view_sys_head(v, e->time_ns, column || fault, e->comm, e->tid, cpu, out);
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

void view_sys_stack(enum view_sys_form form, u32 tid, const struct str *frames, struct str *out)
{
	struct json json;

	if (!frames->len)
		return;
	if (form == VIEW_SYS_JSON)
		view_sys_json_stack_begin(&json, tid, out);
	for (size_t at = 0, n; at < frames->len; at += n + 1) {
		n = strlen(frames->buf + at);
		if (form == VIEW_SYS_JSON)
			json_strn(&json, frames->buf + at, n);
		else
			add_line(form == VIEW_SYS_STRACE, frames->buf + at, out);
	}
	if (form == VIEW_SYS_JSON)
		view_sys_json_stack_end(&json);
}
