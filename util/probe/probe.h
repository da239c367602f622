/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H
/*
 * Dynamic probes: what a user writes ("func:3 n state->len") parsed, resolved against DWARF or
 * symbols of a binary (or the kernel), and made into definitions for the kernel's uprobe_events and
 * kprobe_events. Errors carry the position in the specification and the nearest candidates. One
 * owner; nothing here knows recordings.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/table.h"
#include "util/base/vec.h"
#include "util/os/os.h"

/* --- specifications */

struct probe_arg {
	char *name;		/* NULL: not given */
	char *expr;		/* without name, type and @user */
	char *type;		/* NULL: by the variable's type */
	bool user;		/* "@user": what pointers point to is user memory */
	size_t pos;		/* in the specification's text */
};

struct probe_spec {
	char *text;		/* as written */
	char *group, *event;	/* NULL: made from names */
	char *point;		/* as written, without event and arguments: for messages */
	size_t point_pos;
	char *func;		/* NULL: by file and line, or by address */
	char *file;		/* "func@file", or "file:line" */
	bool has_line, has_addr, ret;
	u32 line;		/* relative to the function if there is one */
	u64 off;		/* bytes after the function's entry */
	u64 addr;		/* ELF virtual address; kernel: run-time address */
	char *pattern;		/* "func;pattern": source lines like this */
	/* "provider:name" of "%provider:name"; also names of cached probes */
	char *sdt;
	VEC(struct probe_arg) args;
};

/* PROBEDEF: [[GROUP:]EVENT=]POINT [[NAME=]ARG[:TYPE][@user] ...]. The error shows the place with
 * a caret. */
int probe_spec_parse(const char *text, struct probe_spec *out, struct err *err);
/* POINT alone, with a range of lines after it: FUNC[@SRC][:A[-B|+N]] or FILE[:A[-B|+N]]. last 0:
 * up to the end. */
int probe_range_parse(const char *text, struct probe_spec *out, u32 *last, struct err *err);
void probe_spec_release(struct probe_spec *s);
/* A legal event name from any language's symbol: "app::Circle::area(int) const" -> "area". The
 * caller frees. */
char *probe_event_name(const char *symbol);
bool probe_name_ok(const char *name);	/* as the kernel wants groups and events */

/* --- targets */

struct probe_opts {
	const struct os *os;
	const char *vmlinux;		/* -k */
	const char *source_dir;		/* -s */
	const char *symfs;
	const char *debuginfod_urls;
	const char *buildid_dir;
	/* where indexes of large files are kept; NULL: none are made */
	const char *index_dir;
	pid_t target_ns;		/* 0: ours */
	bool no_inlines, force;
	bool no_demangle;
	int max_probes;			/* 0: the default */
	const char *filter;		/* NULL: the default of the function */
	bool externs, range;		/* variables */
};

struct probe_obj;
/* An executable or library. path as the user wrote it: absolute, relative, /proc/PID/root/...,
 * or a command found in PATH. */
struct probe_obj *probe_open_user(const struct probe_opts *o, const char *path, struct err *err);
/* The kernel (module NULL), a loaded module by name, or a module's file. */
struct probe_obj *probe_open_kernel(const struct probe_opts *o, const char *module,
				    struct err *err);
void probe_close(struct probe_obj *p);

/* --- resolution */

/* Where a definition stands: of the kernel behind a symbol, or, without one, at an address; of a
 * program at an offset in its file. */
struct probe_at {
	char *module, *symbol;	/* of the kernel; NULL: none */
	char *path;		/* NULL: the kernel */
	u64 off;		/* bytes */
	u64 ref_ctr_off;	/* semaphore of a marker; 0: none */
	bool ret;
};

/* What is fetched for an argument: base, then for each of refs what stands at the value so far
 * plus that. */
struct probe_fetch {
	char *name;		/* NULL: the kernel names it */
	char *base;		/* "%di", "$arg1", "@jiffies+8", "\\5" */
	/* innermost first: "+8", "-4"; "+u8": of the program's own memory */
	VEC(char *) refs;
	char *type;		/* "s32"; NULL: the kernel's default */
};
typedef VEC(struct probe_fetch) probe_fetches;

struct probe_def {
	char *group, *event;
	struct probe_at at;
	probe_fetches args;
	char *where;		/* "leaf+4", for messages */
	u64 addr;
	bool kernel;
	bool fprobe;		/* it is written to dynamic_events */
	int spec;		/* which specification it came from */
	/* one of many functions: the others do without it when it cannot be probed */
	bool of_glob;
	/* the function or inlined copy: its offset in .debug_info; 0: unknown */
	u64 inst;
};
typedef VEC(struct probe_def) probe_defs;
void probe_defs_release(probe_defs *d);
/* Appends the definition as kprobe_events, uprobe_events or (fprobe) dynamic_events take it. */
void probe_def_text(const struct probe_def *d, struct str *out);
/* The same as a line of the kernel's boot configuration. -EINVAL: it knows kprobes of the kernel
 * only. */
int probe_def_bootconfig(const struct probe_def *d, struct str *out, struct err *err);
/* Reads such a text, as the kernel lists it; also of kinds that are not written here. Gives its
 * letter ('p', 'r', 'f', 't'...), or 0: it is none, and nothing is set. Else release it. */
char probe_def_parse(const char *text, bool kernel, struct probe_def *out);
void probe_def_release(struct probe_def *d);

typedef VEC(char *) probe_notes;	/* one line each, for stderr; the caller frees */
void probe_notes_release(probe_notes *n);

/* Adds the definitions of one specification; notes get what the user should know (prologue
 * skipped, copies left out). */
int probe_resolve(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out,
		  probe_notes *notes, struct err *err);

/* Appends one line an event (of one or many definitions); returns how many there are. specs: those
 * that the definitions came from. */
size_t probe_defs_events(const probe_defs *defs, const struct probe_spec *specs, struct str *out);

/* The definitions of one specification kept below opts.buildid_dir, for "%group:event". */
int probe_cache_add(struct probe_obj *p, const struct probe_spec *s, int index,
		    const probe_defs *defs, struct err *err);
/* Appends a text of all that is kept, or, with a pattern, deletes what it matches and says so;
 * returns how many were deleted. */
int probe_cache_each(const struct probe_opts *o, const char *delete_pattern, struct str *out);

/* --- looking around: rows go to an empty table; texts are copied */
/* Source lines; several functions of one name follow each other. "first": the number of the
 * first line asked for, "line": relative to the function's declaration, or in the file; "probe": it
 * can be probed; "source": none where the file is not there. A range that has no lines is one row
 * without "line". */
enum { PROBE_LINE_FUNCTION, PROBE_LINE_FILE, PROBE_LINE_FIRST, PROBE_LINE_NUMBER, PROBE_LINE_PROBE,
       PROBE_LINE_SOURCE };
int probe_list_lines(struct probe_obj *p, const struct probe_spec *s, u32 last, struct table *out,
		     probe_notes *notes,
		     struct err *err);
/* Variables of each place; one without any is a row without "name". "scope" and the ranges
 * (offsets from the symbol "range_of": from, to, from, to ...) only with opts.range. */
enum { PROBE_VAR_PLACE, PROBE_VAR_SYMBOL, PROBE_VAR_OFFSET, PROBE_VAR_ADDRESS, PROBE_VAR_SCOPE,
       PROBE_VAR_TYPE, PROBE_VAR_NAME,
       PROBE_VAR_RANGE_OF, PROBE_VAR_RANGES, PROBE_VAR_COLUMNS };
int probe_list_vars(struct probe_obj *p, const struct probe_spec *s, struct table *out,
		    struct err *err);
int probe_list_funcs(struct probe_obj *p, struct table *out, struct err *err);

/* --- probes of the running kernel */

struct probe_event {
	char *group, *event;
	struct probe_at at;	/* the first place */
	/* in the kernel's own words: "/path:0x1280", "vfs_read+4"; of dynamic_events
	 * "vfs_read%return" */
	char *place;
	probe_fetches args;
	bool kernel, ret;
	bool fprobe;		/* of dynamic_events */
	int n_places;		/* the same event at several places */
};
typedef VEC(struct probe_event) probe_events;
/* Everything in kprobe_events and uprobe_events, and the fprobe events of dynamic_events, sorted
 * by group and name. A missing file is an empty list, an unreadable one not. */
int probe_events_read(const struct os *os, probe_events *out, struct err *err);
void probe_events_release(probe_events *v);
/* Whether the event is what the user named: [GROUP:]EVENT, both may be globs. */
bool probe_event_matches(const struct probe_event *e, const char *pattern);
/* -ENOENT: none of these is; the hint has the nearest name. */
int probe_no_such_event(const probe_events *have, const char *pattern, struct err *err);
/* Writes all definitions, or none: what was added is taken back after a failure. Those of a glob
 * whose function is not to be traced are left out of defs, and notes name them; -EINVAL when
 * nothing remains of it. */
int probe_events_add(const struct os *os, probe_defs *defs, probe_notes *notes, struct err *err);
/* Removes one event; when it is in use, the error says by whom. */
int probe_event_del(const struct os *os, const struct probe_event *e, struct err *err);
/* The event as a row. It is in a function, at a line of it or an offset, or at an address only; or
 * where "kernel_place" says, in the kernel's words. *cached keeps the file of the last one open;
 * start with NULL, probe_close() it after the last one. */
enum { PROBE_EVENT_GROUP, PROBE_EVENT_NAME, PROBE_EVENT_FUNCTION, PROBE_EVENT_LINE,
       PROBE_EVENT_OFFSET, PROBE_EVENT_ADDRESS,
       PROBE_EVENT_RETURN, PROBE_EVENT_FILE, PROBE_EVENT_BINARY, PROBE_EVENT_ARGS,
       PROBE_EVENT_PLACES, PROBE_EVENT_KERNEL_PLACE,
       PROBE_EVENT_COLUMNS };
void probe_event_table_begin(struct table *t);
void probe_event_table_add(struct table *t, const struct probe_opts *o, const struct probe_event *e,
			   struct probe_obj **cached);
/* "!_* & !*@plt": globs with ! & | and brackets. */
bool probe_filter_match(const char *filter, const char *name);
/* Checks that definitions can be written (of the kernel: as kprobe or fprobe events): the
 * message names the kernel's configuration or the rights that are missing. */
int probe_writable(struct os *os, bool kernel, struct err *err);
/* Whether the kernel has fprobe events; whether it has these and no kprobe events. */
bool probe_has_fprobe(const struct os *os);
bool probe_needs_fprobe(const struct os *os);
/* Makes a kprobe definition into an fprobe definition; arch: of the machine that the kernel runs
 * on ("x86_64"). -EINVAL: its place or its arguments are none that fprobe events know. */
int probe_def_to_fprobe(struct probe_def *d, const char *arch, struct err *err);
/* Makes the event names of defs differ from the existing ones: with force by _1, _2..., else
 * -EEXIST. */
int probe_make_unique(const probe_events *have, probe_defs *defs, bool force, struct err *err);

#endif
