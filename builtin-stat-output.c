// SPDX-License-Identifier: GPL-2.0-or-later
// Where the counts of perf stat go: the file, what stands above them, and the tables.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "builtin-stat.h"
#include "util/base/outfile.h"
#include "util/cli/error.h"
#include "util/os/text-server.h"

static void put(struct stat_output *o, struct str *s)
{
	fflush(stdout);
	fwrite(str_cstr(s), 1, s->len, o->f);
	fflush(o->f);
	str_release(s);
}

/* Once, above the first values. */
static void add_metric_head(struct stat_output *o, bool interval, struct str *out)
{
	if (o->metric_head_due)
		view_stat_metric_head(&o->view, interval, out);
	o->metric_head_due = false;
}

/* A file is replaced as a whole: who reads it sees one interval. */
static void put_openmetrics(struct stat_output *o, const struct stat_row *rows, size_t n)
{
	const struct outfile_opts how = { .how = OUTFILE_WHOLE, .named = true, .mode = 0666 };
	struct str s = STR_INIT;
	struct err err = ERR_INIT;

	while (o->sums.n < n)
		vec_push(&o->sums, NAN);
	view_stat_openmetrics(&o->view, rows, n, o->sums.v, &s);
	if (o->server)
		text_server_set(o->server, str_cstr(&s), s.len);
	if (!o->path && !o->server) {
		put(o, &s);
		return;
	}
	if (o->path && outfile_write(o->path, &how, str_cstr(&s), s.len, &err))
		cli_error(&err);
	err_release(&err);
	str_release(&s);
}

void stat_on_interval(void *ctx, const struct stat_row *rows, size_t n, u64 time_ns)
{
	struct stat_cmd *c = ctx;
	struct stat_output *o = &c->output;
	struct str s = STR_INIT;
	static const char clear[] = "\033[H\033[2J";

	if (o->openmetrics) {
		put_openmetrics(o, rows, n);
		return;
	}
	if (o->head_due) {
		o->view.aggr = c->count.stat.aggr;
		view_stat_interval_title(&o->view, &s);
		o->head_due = false;
	}
	if (o->interval_clear && isatty(fileno(o->f)))
		str_add(&s, clear);
	add_metric_head(o, true, &s);
	if (c->iostat.on)
		stat_iostat_add(c, rows, n, (s64)time_ns, &s);
	else if (c->count.interval_count == 0 || time_ns)
		view_stat_rows(&o->view, rows, n, (s64)time_ns, NULL, &s);
	put(o, &s);
}

static void add_title(const struct stat_cmd *c, size_t runs, struct str *out)
{
	const struct target *t = &c->target;

	str_add(out, "\n Performance counter stats for ");
	if (c->output.title.len) {
		str_addch(out, '\'');
		str_add_safe(out, c->output.title.buf);
		str_addch(out, '\'');
	} else if (c->events.bpf_programs)
		str_addf(out, "'BPF program(s) %s'", c->events.bpf_programs);
	else if (t->pid)
		str_addf(out, "process id '%s'", t->pid);
	else if (t->tid)
		str_addf(out, "thread id '%s'", t->tid);
	else if (t->user)
		str_addf(out, "user '%s'", t->user);
	else if (t->cpu_list)
		str_addf(out, "'CPU(s) %s'", t->cpu_list);
	else if (t->system_wide || !c->count.argv)
		str_add(out, "'system wide'");
	else
		for (const char *const *a = c->count.argv; *a; a++) {
			str_add(out, a == c->count.argv ? "'" : " ");
			str_add_safe(out, *a);
			if (!a[1])
				str_add(out, "'");
		}
	if (runs > 1)
		str_addf(out, " (%zu runs)", runs);
	str_add(out, ":\n\n");
}

void stat_print_result(struct stat_cmd *c, const struct count_result *r)
{
	struct stat_output *o = &c->output;
	struct str s = STR_INIT;
	bool text = !table_output_data(&o->view.output);

	if (c->count.interval_ns && (!o->summary || o->openmetrics))
		return;
	if (o->openmetrics) {
		put_openmetrics(o, r->rows.v, r->rows.n);
		return;
	}
	if (text)
		add_title(c, r->seconds.n, &s);
	add_metric_head(o, false, &s);
	if (c->iostat.on)
		stat_iostat_add(c, r->rows.v, r->rows.n, -1, &s);
	else
		view_stat_rows(&o->view, r->rows.v, r->rows.n, -1,
			       c->count.interval_ns && !o->no_csv_summary ? "summary" : NULL, &s);
	if (text) {
		str_addch(&s, '\n');
		view_stat_elapsed(r->seconds.v, r->seconds.n, o->runs_table, &s);
		if (r->has_cpu_time && !c->target.system_wide && !c->target.cpu_list &&
		    r->seconds.n < 2)
			view_stat_cpu_time(r->user_s, r->sys_s, &s);
		str_addch(&s, '\n');
	}
	put(o, &s);
}

/* Until the first interval has ended there is nothing to say. */
static int start_server(struct stat_output *o, bool quiet, struct err *err)
{
	static const char none[] = "# EOF\n";
	const int ret = text_server_start(&o->server, &(struct text_server_opts){
		.address = o->listen, .path = "/metrics",
		.type = "application/openmetrics-text; version=1.0.0; charset=utf-8" }, err);

	if (ret)
		return ret;
	text_server_set(o->server, none, strlen(none));
	if (!quiet)
		fprintf(stderr, "Serving http://%s/metrics\n", text_server_where(o->server));
	return 0;
}

int stat_output_open(struct stat_output *o, bool quiet, struct err *err)
{
	const struct outfile_opts how = { .how = o->append ? OUTFILE_APPEND : OUTFILE_LIVE,
					.named = true, .mode = 0666 };
	time_t now = time(NULL);
	char when[32];

	o->f = stderr;
	if (o->path && o->log_fd > 0)
		return err_set(err, EINVAL, "-o and --log-fd exclude each other");
	if (o->log_fd > 0) {
		o->f = fdopen(dup(o->log_fd), o->append ? "a" : "w");
		if (!o->f) {
			o->f = stderr;
			return err_sys(err, errno, "cannot write to descriptor %d (--log-fd)",
				       o->log_fd);
		}
	} else if (o->path && !o->openmetrics) {
		FILE *f = outfile_stream(o->path, &how, err);

		if (!f)
			return -err->code;
		o->f = f;
		if (!o->data.json)
			fprintf(o->f, "# started on %s\n", ctime_r(&now, when));
	} else if (o->append && !o->path) {
		return err_set(err, EINVAL, "--append needs -o");
	}
	return o->listen ? start_server(o, quiet, err) : 0;
}

int stat_output_close(struct stat_output *o)
{
	bool bad = ferror(o->f) || fflush(o->f);
	int code = errno;
	struct err err = ERR_INIT;

	text_server_stop(o->server);
	o->server = NULL;
	if (o->f != stderr && fclose(o->f)) {
		bad = true;
		code = errno;
	}
	if (!bad)
		return 0;
	if (o->f == stderr)
		return code == EPIPE ? 0 : CLI_FAILED;	/* there is nowhere to say why */
	if (o->path)
		err_sys(&err, code ? code : EIO, "cannot write '%s'", o->path);
	else
		err_sys(&err, code ? code : EIO, "cannot write to descriptor %d (--log-fd)",
			o->log_fd);
	cli_error(&err);
	err_release(&err);
	return CLI_FAILED;
}
