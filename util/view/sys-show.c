// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys-show.h"

#include <string.h>

#include "util/view/sys-memo.h"

#define FLUSH_BYTES (64 << 10)		/* so much text is handed on at once */

void sys_show_flush(struct sys_show *s)
{
	s->flush(s->ctx, &s->out);
	str_reset(&s->out);
}

static void count(struct sys_show *s, bool complete)
{
	if (s->out.len >= FLUSH_BYTES)
		sys_show_flush(s);
	if (complete && s->what.max_events && ++s->n_events >= s->what.max_events)
		s->done = true;
}

static void on_line(void *ctx, const struct sys_line *line)
{
	struct sys_show *s = ctx;

	if (s->done || s->what.marks->is_off || s->hide || s->what.no_lines)
		return;
	if ((line->kind == SYS_LINE_SIGNAL && s->what.select->no_signals) ||
	    (line->kind == SYS_LINE_EXIT && s->what.select->no_exits))
		return;
	if (line->kind == SYS_LINE_BEGIN && s->how.with_return) {
		if (!s->view.base_ns)
			s->view.base_ns = line->start_ns;
		return;
	}
	s->n_lines++;
	if (s->n_renamed != s->lines.n_renamed) {
		s->n_renamed = s->lines.n_renamed;
		if (s->view.memo)
			sys_memo_clear(s->view.memo);
	}
	view_sys_line(&s->view, line, &s->out);
	count(s, line->kind != SYS_LINE_BEGIN);
}

static unsigned add_stack(struct sys_show *s, const struct sink_item *it, bool kernel,
			  struct str *out)
{
	struct str frames = STR_INIT;
	unsigned n = sys_frames(it, kernel, s->view.form == VIEW_SYS_STRACE, &frames);

	view_sys_stack(&s->view, it->sample->tid, &frames, out);
	str_release(&frames);
	return n;
}

void sys_show_stack(void *ctx, const struct sink_item *it)
{
	struct sys_show *s = ctx;

	if (!s->done && !s->what.marks->is_off && !s->what.no_lines)
		add_stack(s, it, s->how.kernel_frames, &s->out);
}

bool sys_show_record(struct sys_show *s, const struct sysrec *r, size_t bytes, u64 now_ns)
{
	struct str stack = STR_INIT;
	unsigned n_frames = 0;
	u64 before = s->n_lines;

	if (s->stacks && r->type == SYSREC_CALL &&
	    !sys_stacks_take(s->stacks, r, &n_frames, &stack) &&
	    now_ns - r->exit_ns < SYS_STACK_LATE_NS)
		return false;
	s->hide = s->stacks && r->type != SYSREC_NAME && (int)n_frames < s->what.min_stack;
	sys_lines_record(&s->lines, r, bytes);
	s->hide = false;
	if (s->n_lines != before && stack.len)
		str_addn(&s->out, stack.buf, stack.len);
	str_release(&stack);
	return true;
}

static void take_stack(struct sys_show *s, const struct sink_item *it)
{
	const struct sample *end = it->sample;
	u32 nr = (u32)tp_read_u64(s->events.stack_id, end->raw, false);
	s64 ret = (s64)tp_read_u64(s->events.stack_ret, end->raw, false);
	struct str text = STR_INIT;
	unsigned n;

	if (nr < SYSPLAN_NRS &&
	    !((s->what.plans[nr].flags | s->what.plans[SYSPLAN_NRS + nr].flags) & SYSPLAN_WANTED))
		return;
	n = add_stack(s, it, s->how.kernel_frames, &text);
	sys_stacks_put(s->stacks, end, nr, ret, n, &text);
}

/* Of a recording: whether it is what is looked for. */
static bool is_wanted(struct sys_show *s, const struct event *e)
{
	struct sys_shown one = { e, true };

	for vec_each(k, &s->known)
		if (k->event == e)
			return k->yes;
	one.yes = sys_events_select(s->what.select, s->what.faults, e) ||
		sys_switch_is(s->what.marks, e);
	vec_push(&s->known, one);
	return one.yes;
}

static bool is_shown(struct sys_show *s, const struct event *e)
{
	return (!s->what.recorded || is_wanted(s, e)) && sys_switch_shows(s->what.marks, e);
}

static void show_event(struct sys_show *s, const struct sink_item *it)
{
	const struct sample *p = it->sample;
	const struct sys_event_how how = { s->set, &s->view.style, s->how.swap, s->how.by_format };
	struct sys_event e = { .time_ns = p->time_ns, .comm = it->res && it->res->comm ?
				    it->res->comm->name : NULL,
				    .name = p->event->name, .pid = p->pid, .tid = p->tid };
	struct str args = STR_INIT;

	sys_lines_flush(&s->lines);
	if (e.comm)
		sys_lines_note(&s->lines, p->tid, e.comm);
	sys_event_args(it, &how, &args);
	e.args = (struct span){ (const u8 *)str_cstr(&args), args.len };
	view_sys_event(&s->view, &e, p->cpu, sys_event_is_fault(p->event), s->how.with_calls,
		       &s->out);
	str_release(&args);
	add_stack(s, it, true, &s->out);
	count(s, true);
}

void sys_show_event(void *ctx, const struct sink_item *it)
{
	struct sys_show *s = ctx;
	const struct event *e = it->sample->event;

	if (s->stacks && e == s->events.stacks)
		take_stack(s, it);
	else if (s->runtimes && e->format && !strcmp(e->name, SYS_RUNTIME_EVENT))
		sys_runtimes_add(s->runtimes, it->sample, s->how.swap);
	else if (!s->done && !e->dummy && is_shown(s, e) &&
		 !(it->res && (int)it->res->n_frames < s->what.min_stack))
		show_event(s, it);
}

void sys_show_init(struct sys_show *s)
{
	s->what.marks->is_off = s->what.marks->on != NULL;
	if (s->view.form == VIEW_SYS_UPSTREAM)
		s->view.memo = sys_memo_new();
	sys_lines_init(&s->lines, s->set, on_line, s);
	s->lines.whole = s->how.with_return;
	s->lines.devices = s->view.style.strace;
}

void sys_show_events(struct sys_show *s, const struct sys_events *e)
{
	s->events = *e;
	if (e->stacks)
		s->stacks = sys_stacks_new();
}

void sys_show_end(struct sys_show *s, u64 lost)
{
	sys_lines_end(&s->lines);
	if (lost > s->lines.n_lost)
		sys_lines_lost(&s->lines, lost - s->lines.n_lost);
	sys_show_flush(s);
}

void sys_show_release(struct sys_show *s)
{
	sys_stacks_free(s->stacks);
	sys_memo_free(s->view.memo);
	view_sys_release(&s->view);
	sys_lines_release(&s->lines);
	str_release(&s->out);
	vec_free(&s->known);
}
