// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as text: perf script of the recording that a browser shows, in its place on the terminal.
#include <stdlib.h>

#include "builtin-browser.h"
#include "util/base/str.h"
#include "util/os/run.h"

typedef VEC(const char *) words;

static void add_option(words *v, const char *option, const char *value)
{
	if (!value)
		return;
	vec_push(v, option);
	vec_push(v, value);
}

static void add_filter(words *v, const struct stream_filter *f)
{
	add_option(v, "--comms", f->comms);
	add_option(v, "--dsos", f->dsos);
	add_option(v, "--symbols", f->symbols);
	add_option(v, "--pid", f->pids);
	add_option(v, "--tid", f->tids);
	add_option(v, "--cpu", f->cpus);
	add_option(v, "--time", f->time);
}

static void add_symbols(words *v, const struct symbols_opts *o)
{
	add_option(v, "--vmlinux", o->vmlinux);
	add_option(v, "--kallsyms", o->kallsyms);
	add_option(v, "--symfs", o->symfs);
}

/* less, which stays also where all fits the screen, and ends by Ctrl-C; who chose a pager may have
 * one that does not. */
static bool pager_stays(void)
{
	return !getenv("PERF_PAGER") && !getenv("PAGER") && !getenv("LESS");
}

void browser_script(void *ctx, struct screen *s, const char *const *options, struct str *said)
{
	const struct browser_script *b = ctx;
	struct run_opts o = { .file = RUN_SELF, .env = pager_stays() ? "LESS=KRS" : NULL,
			      .ignores_int = pager_stays() };
	struct err err = ERR_INIT;
	words v = { 0 };
	int rc;

	vec_push(&v, "perf");
	vec_push(&v, "script");
	add_option(&v, "-i", b->input ? b->input : "perf.data");
	if (b->force)
		vec_push(&v, "--force");
	add_filter(&v, b->rows);
	if (b->samples != b->rows)
		add_filter(&v, b->samples);
	add_symbols(&v, b->symbols);
	for (; *options; options++)
		vec_push(&v, *options);
	vec_push(&v, NULL);
	o.argv = v.v;
	rc = screen_run(s, &o, !pager_stays(), &err);
	if (rc < 0)
		str_add(said, err.msg);
	else if (rc)
		str_addf(said, "perf script ended with status %d", rc);
	err_release(&err);
	vec_free(&v);
}
