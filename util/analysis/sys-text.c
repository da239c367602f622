// SPDX-License-Identifier: GPL-2.0-or-later
// Texts of events among system calls, and of stacks below them.
#include <string.h>

#include "util/analysis/sys-events.h"
#include "util/analysis/sys-sink.h"
#include "util/stream/frame.h"

void sys_event_args(const struct sink_item *it, const struct sys_event_how *how, struct str *out)
{
	static const char *const kinds[] = {
		[PERF_COUNT_SW_PAGE_FAULTS] = "", [PERF_COUNT_SW_PAGE_FAULTS_MIN] = "min",
			[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "maj",
	};
	const struct sample *s = it->sample;
	const struct event *e = s->event;

	if (sys_event_is_fault(e))
		sys_event_fault(it, kinds[e->attr.config], out);
	else if (e->format && how->by_format)
		tp_print(e->format, s->raw, how->swap, s->cpu, s->time_ns, out);
	else if (e->format && !sys_event_call(e->format, s->raw, how->swap, how->set, how->style,
					      out))
		sys_event_fields(e->format, s->raw, how->swap, how->style, out);
}

static void add_frame(const struct location *f, bool strace, struct str *out)
{
	const char *path = f->dso ? f->dso->path : "[unknown]";

	if (strace) {
		str_add_safe(out, path);
		str_addch(out, '(');
		if (f->sym) {
			str_add_safe(out, f->sym->name);
			str_addf(out, "+%#llx", (unsigned long long)(f->rva - f->sym->start_rva));
		}
		str_addf(out, ") [%#llx]", (unsigned long long)f->rva);
		return;
	}
	if (frame_function(f))
		str_add_safe(out, frame_function(f));
	else
		str_addf(out, "[%#llx]", (unsigned long long)f->rva);
	str_add(out, " (");
	str_add_safe(out, path);
	str_addch(out, ')');
}

unsigned sys_frames(const struct sink_item *it, bool kernel, bool strace, struct str *out)
{
	unsigned n = 0;

	for (u32 i = 0; it->res && i < it->res->n_frames; i++) {
		const struct location *f = &it->res->frames[i];

		if ((f->cpumode == PERF_RECORD_MISC_KERNEL && !kernel) || (!f->va && !f->dso))
			continue;
		add_frame(f, strace, out);
		str_addch(out, '\0');
		n++;
	}
	return n;
}
