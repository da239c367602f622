// SPDX-License-Identifier: GPL-2.0-or-later
// A recording through an exporter into a file: for perf export, perf data convert and perf sql.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "builtin-export.h"
#include "util/base/json.h"
#include "util/cli/progress.h"
#include "util/export/select.h"

/* What a file does not say is left out. */
static void key_known(struct json *j, const char *key, const char *value)
{
	if (value)
		json_key_str(j, key, value);
}

static void add_headers(const struct data_reader *r, struct str *out)
{
	const struct data_features *f = &r->feat;
	time_t when = (time_t)r->mtime_s;
	char text[64];
	struct tm tm;
	struct json j;

	json_init(&j, out);
	json_open(&j, '{');
	json_key_u64(&j, "header-version", 1);
	if (when && gmtime_r(&when, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		key_known(&j, "captured-on", text);
	json_key_u64(&j, "data-offset", r->data_off);
	json_key_u64(&j, "data-size", r->data_bytes);
	json_key_u64(&j, "feat-offset", r->feat_off);
	key_known(&j, "hostname", f->hostname);
	key_known(&j, "os-release", f->osrelease);
	key_known(&j, "arch", f->arch);
	key_known(&j, "cpu-desc", f->cpudesc);
	key_known(&j, "cpuid", f->cpuid);
	json_key_u64(&j, "nrcpus-online", f->nrcpus_online);
	json_key_u64(&j, "nrcpus-avail", f->nrcpus_avail);
	key_known(&j, "perf-version", f->version);
	json_key(&j, "cmdline");
	json_open(&j, '[');
	for (size_t i = 0; i < f->cmdline.n; i++)
		json_str(&j, f->cmdline.v[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

static void add_command(const struct data_features *f, struct str *out)
{
	for (size_t i = 0; i < f->cmdline.n; i++)
		str_addf(out, "%s%s", i ? " " : "", f->cmdline.v[i]);
}

static void fill_facts(const struct data_reader *r, struct export_facts *out)
{
	const struct data_features *f = &r->feat;

	*out = (struct export_facts){ .host = f->hostname, .arch = f->arch,
				      .os_release = f->osrelease, .cpu = f->cpudesc,
				      .captured_s = r->mtime_s, .tod_ns = f->clock_tod_ns,
				      .clock_ns = f->clock_ns,
				      .has_tod = data_has(f, FEAT_CLOCK_DATA) };
}

static int no_samples(struct export_run *r, const struct export_job *job)
{
	const struct stream_stats *st = job->stats;

	session_warn(&r->s);
	if (!st->n_samples)
		return err_set(&r->s.err, ENODATA, "the file '%s' has no samples", job->path);
	return err_set(&r->s.err, ENODATA, "no sample in '%s' is left (%llu samples)", job->path,
		       (unsigned long long)st->n_samples);
}

static int run_exporter(struct export_run *r, const struct export_opts *o,
			const struct export_job *job)
{
	const struct exporter *e = o->exporter;
	struct export_select *select;
	struct sink *sink = NULL;
	void *state = e->begin(job, &sink, &r->s.err);
	int ret;

	if (!state)
		return -EINVAL;
	select = export_select_new(o->events.v, o->events.n, sink);
	sink = export_select_sink(select);
	ret = session_run(&r->s, &sink, 1);
	if (!ret)
		ret = export_select_check(select, job->events, job->path, &r->s.err);
	if (!ret && !o->empty && !export_select_count(select))
		ret = no_samples(r, job);
	if (!ret)
		ret = e->end(state, &r->n, &r->s.err);
	e->free(state);
	export_select_free(select);
	return ret;
}

static int export(struct export_run *r, const struct export_opts *o)
{
	const struct source *src = r->s.source;
	struct str json = STR_INIT, command = STR_INIT;
	struct export_job job = { .fp = r->fp, .out_path = o->output, .events = src->events,
				  .path = src->name, .swap = src->swap, .pipe = src->once,
				  .stats = stream_get_stats(r->s.stream),
				  .no_inline = o->stream.no_inline, .lines = o->lines,
				  .by = o->by, .weight = o->weight,
				  .partition = o->partition, .force = o->force };
	int ret;

	add_headers(src->reader, &json);
	add_command(&src->reader->feat, &command);
	fill_facts(src->reader, &job.facts);
	job.n_records = o->records ? &r->n_records : NULL;
	job.facts.has_tod &= !o->recorded_clock;
	job.facts.json = str_cstr(&json);
	job.facts.command = command.len ? str_cstr(&command) : NULL;
	job.facts.made_from = o->made_from;
	ret = run_exporter(r, o, &job);
	str_release(&json);
	str_release(&command);
	return ret;
}

static int open_output(struct export_run *r, const char *path, bool force)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .named = true, .mode = 0666,
				       .input_fd = r->s.source->reader->files.v[0].fd };
	struct stat st;
	int ret;

	if (!strcmp(path, "-")) {
		r->fp = stdout;
		cli_output_begins(STDOUT_FILENO);
		return 0;
	}
	if (!force && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size &&
	    !outfile_is_same(path, STDOUT_FILENO)) {
		err_set(&r->s.err, EEXIST, "the file '%s' exists", path);
		err_hint(&r->s.err, "--force overwrites it");
		return -EEXIST;
	}
	ret = outfile_open(&r->out, path, &o, &r->s.err);
	if (ret)
		return ret;
	/* which may be closed first */
	r->fp = fdopen(fcntl(r->out.fd, F_DUPFD_CLOEXEC, 3), "w");
	return r->fp ? 0 : err_sys(&r->s.err, errno, "cannot write '%s'", path);
}

static int no_tod(struct export_run *r)
{
	err_set(&r->s.err, ENODATA, "the recording '%s' does not say the time of day",
		r->s.source->name);
	err_hint(&r->s.err, "perf record -k CLOCK_MONOTONIC records it");
	return -ENODATA;
}

int export_run(struct export_run *r, const struct export_opts *o)
{
	int ret = session_open(&r->s, &(struct session_opts){ .path = o->input, .force = o->force,
							      .quiet = o->quiet,
							      .itrace = o->itrace });

	if (!ret && o->need_tod && !data_has(&r->s.source->reader->feat, FEAT_CLOCK_DATA))
		ret = no_tod(r);
	if (!ret)
		ret = session_prepare(&r->s, &o->stream);
	if (!ret && !o->partition && !o->exporter->directory)
		ret = open_output(r, o->output, o->force || o->overwrite);
	if (!ret && o->exporter->own_file && !r->out.regular)
		ret = err_set(&r->s.err, ESPIPE, "the format %s needs a regular file, '%s' is none",
			      o->exporter->format, o->output);
	if (!ret)
		ret = export(r, o);
	if (!ret && r->fp && (fflush(r->fp) || ferror(r->fp)))
		ret = err_sys(&r->s.err, errno ? errno : EIO, "cannot write '%s'", o->output);
	if (!ret && r->out.open && !o->scratch)
		ret = outfile_commit(&r->out, &r->s.err);
	if (!ret)
		session_warn(&r->s);
	return ret;
}

int export_close(struct export_run *r, int ret)
{
	if (r->fp && r->fp != stdout)
		fclose(r->fp);
	outfile_release(&r->out);
	return session_close(&r->s, ret);
}
