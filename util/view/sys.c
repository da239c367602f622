// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys.h"

#include <stdio.h>

#include "util/base/fasttext.h"
#include "util/base/num.h"
#include "util/view/draw.h"
#include "util/view/sys-memo.h"

#define RESULT_COLUMN 69	/* of upstream perf: "name(args)" is padded to here */
#define DOTS_SHIFT 3
#define STRACE_COLUMN 39
#define SLOW_NS 10000		/* yellow */
#define VERY_SLOW_NS 1000000	/* red */

#define MS_ROOM (FT_NUMBER + 16)

/* us / 1000 with three decimals, right-aligned. Without printf: it is in every line. */
static char *put_ms(char *p, u64 us, int width)
{
	static const char blanks[FT_SLACK + 1] = "                ";
	u64 whole = us / 1000;
	u32 frac = (u32)(us % 1000);
	int pad = width - 4 - ft_u64_digits(whole);

	if (pad > 0)		/* fewer than FT_SLACK in each column */
		p = ft_bytes(p, blanks, FT_SLACK) - FT_SLACK + pad;
	p = ft_u64(p, whole);
	*p++ = '.';
	*p++ = (char)('0' + frac / 100);
	return ft_2(p, frac % 100);
}

static void add_ms(struct str *s, u64 us, int width)
{
	str_reserve(s, MS_ROOM);
	s->len = (size_t)(put_ms(s->buf + s->len, us, width) - s->buf);
	s->buf[s->len] = '\0';
}

/* ---- what each line begins with: written without a look at the room for each part ---- */

#define HEAD_ROOM (8 * MS_ROOM + VIEW_SYS_WHO_ROOM)

static char *put_time(struct view_sys *v, u64 ns, char *p)
{
	if (!ns)
		return ft_bytes(p, "         ? ", 11);
	if (!v->base_ns && !v->full_time)
		v->base_ns = ns;
	if (!v->full_time && ns < v->base_ns) {		/* began before the first line */
		char text[MS_ROOM], *end = text;

		*end++ = '-';
		end = put_ms(end, (v->base_ns - ns) / 1000, 0);
		p = ft_blanks(p, 10 - (int)(end - text));
		p = ft_bytes(p, text, (size_t)(end - text));
	} else {
		p = put_ms(p, (v->full_time ? ns : ns - v->base_ns) / 1000, 10);
	}
	*p++ = ' ';
	return p;
}

static char *put_duration(const struct view_sys *v, bool has, u64 ns, char *p)
{
	bool color = v->color && ns >= SLOW_NS;

	if (!has)
		return ft_bytes(p, "(         ): ", 13);
	*p++ = '(';
	if (color)
		p = ft_bytes(p, ns >= VERY_SLOW_NS ? "\033[31m" : "\033[33m", 5);
	p = ft_bytes(put_ms(p, ns / 1000, 6), " ms", 3);
	if (color)
		p = ft_bytes(p, "\033[m", 3);
	return ft_bytes(p, "): ", 3);
}

static void add_who(const struct view_sys *v, const char *comm, u32 tid, struct str *out)
{
	if (!v->no_comm) {
		if (comm && *comm)
			str_add_safe(out, comm);
		else
			str_addf(out, ":%u", tid);
		if (!v->no_tid)
			str_addch(out, '/');
	}
	if (!v->no_tid)
		str_add_u64(out, tid);
	if (!v->no_tid || !v->no_comm)
		str_addch(out, ' ');
}

/* Most lines are of the thread that had the one before. */
static const struct view_sys_who *who_of(struct view_sys *v, const char *comm, u32 tid)
{
	struct view_sys_who *w = &v->who;
	struct str s = STR_INIT;
	size_t n;

	if (!comm)
		comm = "";
	if (w->known && w->tid == tid && !strcmp(w->comm, comm))
		return w;
	w->known = false;
	n = strlen(comm);
	if (n >= sizeof(w->comm))
		return NULL;
	add_who(v, comm, tid, &s);
	w->len = (u32)MIN(s.len, sizeof(w->text));
	memcpy(w->text, str_cstr(&s), w->len);
	if (s.len <= sizeof(w->text)) {
		w->known = true;
		w->tid = tid;
		memcpy(w->comm, comm, n + 1);
	}
	str_release(&s);
	return w->known ? w : NULL;
}

/* The samples that upstream perf would have made a line from. */
static void add_samples(const struct sys_line *l, struct str *out)
{
	static const char *const names[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };

	for (int end = 0; end < 2; end++) {
		u64 ns = end ? l->end_ns : l->start_ns;
		bool has = end ? l->values.returned : l->kind != SYS_LINE_REST && l->start_ns;

		if (!has)
			continue;
		str_add(out, names[end]);
		str_addch(out, ' ');
		add_ms(out, ns / 1000, 0);
		str_addch(out, ' ');
		str_add_safe(out, l->comm);
		str_addf(out, " %u/%u [%u]\n", l->tgid, l->tid, l->cpu);
	}
}

void view_sys_head(struct view_sys *v, const struct view_sys_head *h, struct str *out)
{
	const struct view_sys_who *who = who_of(v, h->comm, h->tid);
	char *p;

	str_reserve(out, HEAD_ROOM);
	p = out->buf + out->len;
	if (!v->no_time)
		p = put_time(v, h->time_ns, p);
	if (v->show_cpu)
		p += snprintf(p, MS_ROOM, "[%03u] ", h->cpu);
	if (h->duration && !v->no_duration)
		p = put_duration(v, h->duration == VIEW_SYS_DURATION, h->dur_ns, p);
	if (who)
		p = ft_bytes(p, who->text, who->len);
	*p = '\0';
	out->len = (size_t)(p - out->buf);
	if (!who)
		add_who(v, h->comm, h->tid, out);
}

static void pad_to(struct str *out, size_t from, size_t column)
{
	size_t now = out->len - from;

	if (now < column)
		str_addchn(out, ' ', column - now);
}

static void add_result(const struct view_sys *v, const struct sys_line *l, struct str *out)
{
	str_addn(out, " = ", 3);
	if (l->kind == SYS_LINE_NO_RETURN || l->kind == SYS_LINE_CUT)
		str_addch(out, '?');
	else
		syscall_add_ret(out, &l->values, &v->style);
	str_addch(out, '\n');
}

/* Name, arguments and result, up to the end of the line. */
static void add_call(const struct view_sys *v, const struct sys_line *l, bool continued,
		     struct str *out)
{
	size_t column = v->align > 0 ? (size_t)v->align - 1 : v->align ? DOTS_SHIFT : RESULT_COLUMN,
		from = out->len;
	struct syscall_values values = l->values;

	values.part = continued ? SYS_PART_FILLED : SYS_PART_ALL;
	if (continued)
		str_add(out, " ... [continued]: ");
	str_add(out, l->name);
	str_addch(out, '(');
	syscall_add_args(out, &values, &v->style);
	str_add(out, continued ? "))" : ")");
	if (l->kind == SYS_LINE_BEGIN) {
		pad_to(out, from, column - DOTS_SHIFT);
		str_add(out, " ...\n");
		return;
	}
	pad_to(out, from, column);
	add_result(v, l, out);
}

/* Nothing in its text may change while the call and its memory are the same: names of processes
 * do. */
static bool is_steady(const struct syscall_info *info)
{
	if (info && info->ret == SYS_RET_PID)
		return false;
	for (unsigned i = 0; info && i < info->n_args; i++)
		if (info->args[i].kind == SYS_PID)
			return false;
	return true;
}

static void add_call_or_known(const struct view_sys *v, const struct sys_line *l, bool continued,
			      struct str *out)
{
	const struct syscall_values *values = &l->values;
	unsigned n_args = values->info ? values->info->n_args : 6;
	struct sys_memo_key key = { .ret = values->ret, .what = (u64)l->nr | (u64)l->compat << 32 |
				    (u64)continued << 33 |
				    (u64)values->returned << 34 | (u64)l->kind << 40 };
	struct span text;
	size_t from = out->len;
	u64 hash;

	for (unsigned i = 0; i < n_args; i++)
		key.args[i] = values->args[i];
	hash = sys_memo_hash(&key, values->chunks);
	if (sys_memo_get(v->memo, hash, &key, values->chunks, &text)) {
		str_addn(out, text.ptr, text.len);
		return;
	}
	add_call(v, l, continued, out);
	if (sys_memo_again(v->memo, hash) && is_steady(values->info))
		sys_memo_put(v->memo, hash, &key, values->chunks,
			     (struct span){ (const u8 *)out->buf + from, out->len - from });
}

static void upstream_line(struct view_sys *v, const struct sys_line *l, struct str *out)
{
	const struct view_sys_head head = {
		.time_ns = l->start_ns, .comm = l->comm, .tid = l->tid, .cpu = l->cpu,
		.duration = l->has_dur ? VIEW_SYS_DURATION : VIEW_SYS_NOT_KNOWN,
		.dur_ns = l->dur_ns,
	};
	bool continued = l->kind == SYS_LINE_REST || l->begun;

	if (v->print_sample)
		add_samples(l, out);
	view_sys_head(v, &head, out);
	if (v->memo)
		add_call_or_known(v, l, continued, out);
	else
		add_call(v, l, continued, out);
}

/* "--- SIGCHLD {si_signo=SIGCHLD, ...} ---", "+++ exited with 0 +++" */
static void strace_lifecycle(const struct sys_line *l, struct str *out)
{
	int sig = l->code & 127;

	if (l->kind == SYS_LINE_SIGNAL) {
		str_add(out, "--- ");
		syscall_add_signal(out, l->code, l->info);
		str_add(out, " ---\n");
	} else if (sig) {
		str_add(out, "+++ killed by ");
		syscall_add_signal(out, sig, (struct span){ NULL, 0 });
		str_add(out, l->code & 128 ? " (core dumped) +++\n" : " +++\n");
	} else {
		str_addf(out, "+++ exited with %d +++\n", l->code >> 8 & 255);
	}
}

/* As "strace -f -o FILE" writes it. */
static void strace_line(struct view_sys *v, const struct sys_line *l, struct str *out)
{
	struct syscall_values values = l->values;
	size_t from;

	if (!v->no_tid) {
		str_add_u64(out, l->tid);
		str_addch(out, ' ');
	}
	if (v->full_time) {
		str_add_time(out, l->start_ns ? l->start_ns : l->end_ns, 6);
		str_addch(out, ' ');
	}
	if (l->kind == SYS_LINE_SIGNAL || l->kind == SYS_LINE_EXIT) {
		strace_lifecycle(l, out);
		return;
	}
	from = out->len;
	if (l->kind == SYS_LINE_REST || l->begun) {
		values.part = SYS_PART_REST;
		str_addf(out, "<... %s resumed>", l->name);
	} else {
		values.part = l->kind == SYS_LINE_BEGIN ? SYS_PART_BEGUN : SYS_PART_ALL;
		str_add(out, l->name);
		str_addch(out, '(');
	}
	if (l->kind == SYS_LINE_CUT && l->begun)
		str_add(out, " <unfinished ...>");
	else
		syscall_add_args(out, &values, &v->style);
	if (l->kind == SYS_LINE_BEGIN) {
		str_add(out, " <unfinished ...>\n");
		return;
	}
	str_addch(out, ')');
	pad_to(out, from, v->align > 0 ? (size_t)v->align - 1 : v->align ? 0 : STRACE_COLUMN);
	add_result(v, l, out);
}

static void lost_line(const struct sys_line *l, struct str *out)
{
	if (l->tid == (u32)-1)
		str_addf(out, "LOST %llu events!\n", (unsigned long long)l->n_lost);
	else
		str_addf(out, "LOST %llu records of %u!\n", (unsigned long long)l->n_lost, l->tid);
}

void view_sys_line(struct view_sys *v, const struct sys_line *l, struct str *out)
{
	if (v->form == VIEW_SYS_JSON)
		draw_json_rows(out, sys_row_line(&v->rows, l, &v->style));
	else if (l->kind == SYS_LINE_LOST)
		lost_line(l, out);
	else if (v->form == VIEW_SYS_STRACE)
		strace_line(v, l, out);
	else
		upstream_line(v, l, out);
}

void view_sys_stats(struct view_sys *v, u64 lines, u64 lost, struct str *out)
{
	if (v->form == VIEW_SYS_JSON)
		draw_json_rows(out, sys_row_stats(&v->rows, lines, lost));
	else
		str_addf(out, "\n Stats:\n  lines of calls: %llu\n  lost records:   %llu\n",
			 (unsigned long long)lines, (unsigned long long)lost);
}

void view_sys_release(struct view_sys *v) { sys_rows_release(&v->rows); }
