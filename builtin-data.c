// SPDX-License-Identifier: GPL-2.0-or-later
// perf data convert: a recording in the formats of other tools.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/progress.h"
#include "util/base/json.h"
#include "util/export/exporter.h"
#include "util/session/warnings.h"

struct convert_cmd {
	const char *input, *output;
	const struct exporter *exporter;
	bool force, twice;
	struct stream_opts stream;
	struct cli_common common;
};

static const struct option_def convert_options[] = {
	OPT_STRING('i', "input", struct convert_cmd, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING(0, "time", struct convert_cmd, stream.filter.time, "str",
		   "convert only the samples of this time: start,stop or 10%/2 or 0%-10%"),
	OPT_FLAG('f', "force", struct convert_cmd, force,
		 "read a recording of another user, and overwrite an existing output"),
	OPT_END
};

#define MAX_EXPORTERS 16

/* Another format is an error; --no-x takes back only its own. */
static int set_exporter(const struct opt_use *u, struct err *err UNUSED)
{
	struct convert_cmd *c = u->base;
	const struct exporter *const *e = exporters;

	while (strcmp((*e)->option, u->def->name))
		e++;
	if (u->unset) {
		if (c->exporter == *e)
			c->exporter = NULL;
		return 0;
	}
	c->twice |= c->exporter && c->exporter != *e;
	c->exporter = *e;
	c->output = u->arg;
	return 0;
}

static void exporter_options(struct option_def *defs)
{
	size_t n = 0;

	for (const struct exporter *const *e = exporters; *e && n < MAX_EXPORTERS; e++)
		defs[n++] = (struct option_def)OPT_CALL_NO(0, (*e)->option, "file", set_exporter,
							   (*e)->help);
	defs[n] = (struct option_def)OPT_END;
}

/* "--to-json and --to-trace-json" */
static void add_exporter_names(struct str *out)
{
	for (const struct exporter *const *e = exporters; *e; e++)
		str_addf(out, "%s--%s", e == exporters ? "" : e[1] ? ", " : " and ", (*e)->option);
}

struct run {
	struct session s;
	struct outfile out;
	FILE *fp;
	u64 n;
};

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

static int export(struct run *r, const struct exporter *e)
{
	const struct source *src = r->s.source;
	struct str facts = STR_INIT;
	struct export_job job = { .fp = r->fp, .events = src->events, .path = src->name,
				  .swap = src->swap, .pipe = src->once };
	struct sink *sinks[1] = { NULL };
	void *state;
	int ret = -EINVAL;

	add_headers(src->reader, &facts);
	job.facts = str_cstr(&facts);
	state = e->begin(&job, &sinks[0], &r->s.err);
	if (state) {
		ret = session_run(&r->s, sinks, 1);
		r->n = e->end(state);
		e->free(state);
	}
	str_release(&facts);
	return ret;
}

static int open_output(struct run *r, const char *path, bool force)
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

static int run_convert(struct run *r, const struct convert_cmd *c, const char *path)
{
	int ret = session_open(&r->s, &(struct session_opts){ .path = c->input, .force = c->force,
							      .quiet = c->common.quiet });

	if (!ret)
		ret = session_prepare(&r->s, &c->stream);
	if (!ret)
		ret = open_output(r, path, c->force);
	if (!ret)
		ret = export(r, c->exporter);
	if (!ret && (fflush(r->fp) || ferror(r->fp)))
		ret = err_sys(&r->s.err, errno ? errno : EIO, "cannot write '%s'", path);
	if (!ret && r->out.open)
		ret = outfile_commit(&r->out, &r->s.err);
	return ret;
}

static int data_convert(int argc, const char **argv, void *ctx UNUSED)
{
	struct convert_cmd c = { 0 };
	const char *const usage[] = { "[<options>]", NULL };
	struct option_def formats[MAX_EXPORTERS + 1];
	const struct option_table tables[] = { { convert_options, &c }, { formats, &c },
					       cli_symbols_group(&c.stream.symbols),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "data convert", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct run r = { 0 };
	struct str names = STR_INIT;
	const char *path;
	int n, ret;

	exporter_options(formats);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (!c.exporter || c.twice) {
		add_exporter_names(&names);
		n = cli_usage_error(&cmd, "give one of %s", str_cstr(&names));
		str_release(&names);
		return n;
	}
	path = c.output;
	ret = run_convert(&r, &c, path);
	if (!ret)
		session_warn(&r.s);
	if (!ret && !c.common.quiet) {
		session_symbol_warnings(&r.s, log_on(LOG_CLI, 1));
		fprintf(stderr, "[ perf data convert: Converted '%s' into JSON data '%s' (%llu %s) "
				"]\n",
			r.s.source->name, path, (unsigned long long)r.n, c.exporter->items);
	}
	if (r.fp && r.fp != stdout)
		fclose(r.fp);
	outfile_release(&r.out);
	return session_close(&r.s, ret);
}

static const struct cli_sub subs[] = { { "convert", data_convert }, { NULL, NULL } };

int cmd_data(int argc, const char **argv)
{
	struct cli_common common = { 0 };
	const char *const usage[] = { "[<options>] {convert}", NULL };
	static const char *const words[] = { "convert", NULL };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	const struct cli_cmd cmd = { .name = "data", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, NULL);
}
