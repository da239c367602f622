// SPDX-License-Identifier: GPL-2.0-or-later
// perf script -s: a user's script over the samples of a recording.
#include <errno.h>
#include <stdlib.h>

#include "builtin-script.h"
#include "util/cli/config.h"
#include "util/script/python.h"

static const char *setting(const char *name)
{
	return config_get(config_used(), name);
}

/* "x.py", "python:x": the file; NULL: another language. */
static const char *python_file(const char *script, struct err *err)
{
	static const char *const prefixes[] = { "python:", "Python:", "py:" };
	const char *dot = strrchr(script, '.');

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_has_prefix(script, prefixes[i]))
			return script + strlen(prefixes[i]);
	if (dot && !strcmp(dot, ".py"))
		return script;
	if ((dot && !strcmp(dot, ".pl")) || str_has_prefix(script, "perl:") ||
	    str_has_prefix(script, "Perl:")) {
		err_set(err, ENOTSUP, "script '%s': scripts in Perl are not run", script);
		err_hint(err, "write it in Python (perf script -g python makes a frame for it), "
			      "or let it read what perf script prints");
		return NULL;
	}
	err_set(err, EINVAL, "script '%s': its language is not known", script);
	err_hint(err, "call it NAME.py, or say -s python:%s", script);
	return NULL;
}

static int run_python(const struct python_opts *o, const struct stream_opts *stream,
		      struct session *s)
{
	struct python *p = python_new(o, &s->err);
	struct sink *sink;
	int ret = p ? session_prepare(s, stream) : -s->err.code;

	if (ret == 0)
		ret = python_begin(p, s->source->events, stream_machine(s->stream), &s->err);
	if (ret == 0) {
		sink = python_sink(p);
		ret = session_run(s, &sink, 1);
	}
	if (ret == 0)
		ret = python_end(p, &s->err);
	python_free(p);
	return ret;
}

int script_run(const struct script_run *r, const struct stream_opts *stream, struct session *s)
{
	struct python_opts o = { .path = python_file(r->script, &s->err), .args = r->args,
				 .no_inline = stream->no_inline, .swap = s->source->swap,
				 .config = setting };
	int ret;

	if (!o.path)
		return -s->err.code;
	ret = run_python(&o, stream, s);
	/* sys.exit() of the script: it said what there was to say */
	return ret == -ECANCELED ? s->err.status : ret;
}
