// SPDX-License-Identifier: GPL-2.0-or-later
// Where no library is loaded (make static), or NO_PYTHON=1.
#include "util/script/python.h"

#include <errno.h>
#include <stddef.h>

struct python *python_new(const struct python_opts *opts, struct err *err)
{
	err_set(err, ENOTSUP, "cannot run '%s': this perf was built without Python", opts->path);
	err_hint(err, "use one that is not static, or build it without NO_PYTHON=1");
	return NULL;
}

int python_begin(struct python *p UNUSED, const struct event_list *events UNUSED,
		 struct machine *m UNUSED, struct err *err UNUSED) { return -ENOTSUP; }
struct sink *python_sink(struct python *p UNUSED) { return NULL; }
int python_end(struct python *p UNUSED, struct err *err UNUSED) { return -ENOTSUP; }
void python_free(struct python *p UNUSED) { }
