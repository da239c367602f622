/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_MODULE_PRIV_H
#define SCRIPT_MODULE_PRIV_H
/*
 * Inside of the module perf for programs in Python ("import perf"): module.c makes it, of functions
 * in C and of what module.py says; module-common.c is what they share; module-samples.c hands out
 * samples one by one; module-rows.c makes tables. Each call opens the recording anew: what was read
 * once is not kept.
 *
 * One owner of each run: the thread that holds the interpreter's lock.
 */
#include "util/script/python-priv.h"
#include "util/session/session.h"

struct module {
	const struct py *py;
	struct py_obj *dict;			/* borrowed: of the module, which is never freed */
	struct py_obj *sample;			/* the type */
	struct py_obj *self;			/* the capsule of this */
};

/* What open() was given. Texts are Python's. */
struct module_file {
	const char *path;
	int no_inline;
	unsigned threads;
	struct stream_filter filter;
};

struct module *module_of(struct py_obj *self);
/* An exception: perf.Error of err, which is released. NULL. */
struct py_obj *module_raise(struct module *m, struct err *err);
/* Of what class File keeps; false: an exception was set. */
bool module_file(const struct module *m, struct py_obj *tuple, struct module_file *f);
/* session_close() is due. */
int module_open(struct session *s, const struct module_file *f, unsigned flags);
struct py_obj *module_text(const struct module *m, const char *text);	/* NULL: None */

/* (file) -> run; (run) -> list of samples, none: it is over; (run); (run, place) -> "file:line" */
struct py_obj *module_begin(struct py_obj *self, struct py_obj *args);
struct py_obj *module_next(struct py_obj *self, struct py_obj *args);
struct py_obj *module_end(struct py_obj *self, struct py_obj *args);
struct py_obj *module_srcline(struct py_obj *self, struct py_obj *args);

/* (file, sort, children) -> list of dictionaries; (file) -> list of tuples; (path) -> text and
 * names of events */
struct py_obj *module_report(struct py_obj *self, struct py_obj *args);
struct py_obj *module_counts(struct py_obj *self, struct py_obj *args);
struct py_obj *module_header(struct py_obj *self, struct py_obj *args);
/* (text of -e) -> list of names and attributes */
struct py_obj *module_parse(struct py_obj *self, struct py_obj *args);

#endif
