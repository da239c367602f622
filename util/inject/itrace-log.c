// SPDX-License-Identifier: GPL-2.0-or-later
// --itrace=d: the packets of a trace of Intel PT, and the instructions that they lead through.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"

/* As upstream perf has them: its name, and how much there is before an error. */
#define LOG_NAME "intel_pt.log"
enum { FLUSH_BYTES = 1 << 16, BEFORE_ERROR = 16384, BYTES_COLUMN = 48 };

struct trace_log {
	struct outfile file;
	int fd, error;
	bool errors_only;
	struct str out;
};

int trace_log_open(const struct itrace_opts *o, struct trace_log **out, struct err *err)
{
	struct trace_log *l;
	int ret = 0;

	*out = NULL;
	if (!o->extra.log)
		return 0;
	l = xnew(struct trace_log);
	l->errors_only = o->extra.log_errors;
	l->fd = STDOUT_FILENO;
	if (!o->extra.log_stdout)
		ret = outfile_open(&l->file, LOG_NAME,
				   &(struct outfile_opts){ .how = OUTFILE_WHOLE, .mode = 0644 },
				   err);
	if (ret) {
		err_hint(err, "--itrace=d+o writes the log of the trace to the standard output");
		free(l);
		return ret;
	}
	if (!o->extra.log_stdout)
		l->fd = l->file.fd;
	*out = l;
	return 0;
}

static void flush(struct trace_log *l)
{
	const int ret = l->error ? 0 : io_write(l->fd, l->out.buf, l->out.len);

	if (ret)
		l->error = ret;
	str_reset(&l->out);
}

static void keep_last(struct str *s)
{
	memmove(s->buf, s->buf + s->len - BEFORE_ERROR, BEFORE_ERROR);
	s->len = BEFORE_ERROR;
	s->buf[s->len] = 0;
}

static void line_is_done(struct trace_log *l)
{
	str_addch(&l->out, '\n');
	if (!l->errors_only && l->out.len >= FLUSH_BYTES)
		flush(l);
	if (l->errors_only && l->out.len >= 4 * BEFORE_ERROR)
		keep_last(&l->out);
}

static void add_bytes(struct str *s, const u8 *p, size_t n)
{
	const size_t from = s->len;

	for (size_t i = 0; i < n; i++)
		str_addf(s, " %02x", p[i]);
	if (s->len - from < BYTES_COLUMN)
		str_addchn(s, ' ', BYTES_COLUMN - (s->len - from));
	str_addch(s, ' ');
}

void trace_log_packet(void *log, u64 at, struct span bytes, const struct pt_packet *k)
{
	struct trace_log *l = log;

	str_addf(&l->out, "  %08llx: ", (unsigned long long)at);
	add_bytes(&l->out, bytes.ptr, bytes.len);
	pt_packet_text(k, &l->out);
	line_is_done(l);
}

void trace_log_insn(struct trace_log *l, u64 ip, const struct pt_insn *i)
{
	static const char *const names[] = {
		[PT_NEXT] = "Other", [PT_JUMP] = "Jmp", [PT_CALL] = "Call", [PT_COND] = "Jcc",
		[PT_JUMP_TO] = "Jmp", [PT_CALL_TO] = "Call", [PT_RETURN] = "Ret",
		[PT_FAR] = "Far", [PT_WRITE] = "PTWrite",
	};
	const bool rel = i->flow == PT_JUMP || i->flow == PT_CALL || i->flow == PT_COND;

	str_addf(&l->out, "          %08llx: ", (unsigned long long)ip);
	add_bytes(&l->out, i->code, i->bytes);
	if (i->flow == PT_FAR && i->flags & PT_F_SYSTEM)
		str_add(&l->out, i->flags & PT_F_RETURN ? "Sysret" : "Syscall");
	else if (i->flow == PT_FAR && i->flags & PT_F_INTERRUPT)
		str_add(&l->out, i->flags & PT_F_RETURN ? "Iret" : "Int");
	else
		str_add(&l->out, names[i->flow]);
	if (rel)
		str_addf(&l->out, " %+d", i->rel);
	line_is_done(l);
}

void trace_log_who(struct trace_log *l, const struct trace_who *w)
{
	str_addf(&l->out, "cpu %d pid %d tid %d time %llu", (int)w->cpu, (int)w->pid, (int)w->tid,
		 (unsigned long long)w->ns);
	line_is_done(l);
}

void trace_log_error(struct trace_log *l, const struct trace_who *w, u64 ip, int code)
{
	if (l->errors_only && l->out.len > BEFORE_ERROR)
		keep_last(&l->out);
	str_addf(&l->out, "ERROR: %s: cpu %d pid %d tid %d time %llu ip %#llx",
		 pt_error_text(code), (int)w->cpu, (int)w->pid, (int)w->tid,
		 (unsigned long long)w->ns, (unsigned long long)ip);
	line_is_done(l);
	if (l->errors_only)
		flush(l);
}

int trace_log_close(struct trace_log *l, struct err *err)
{
	int ret = 0;

	if (!l)
		return 0;
	if (!l->errors_only)
		flush(l);
	if (l->error)
		ret = err_sys(err, -l->error, "cannot write the log of the trace");
	else if (l->file.open)
		ret = outfile_commit(&l->file, err);
	outfile_release(&l->file);
	str_release(&l->out);
	free(l);
	return ret;
}
