// SPDX-License-Identifier: GPL-2.0-or-later
// kprobe_events, uprobe_events, and dynamic_events for fprobes: what is defined, adding and
// removing.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/os/procfs.h"
#include "util/os/rights.h"
#include "util/probe/probe-priv.h"

static const char *file_of(bool kernel, bool fprobe)
{
	return fprobe ? "tracing:dynamic_events" : kernel ? "tracing:kprobe_events" :
		"tracing:uprobe_events";
}

static bool fetches_return(const probe_fetches *v)
{
	for vec_each(f, v)
		if (strstr(f->base, "$retval"))
			return true;
	return false;
}

/* All kinds stand in dynamic_events: of these the fprobes are taken. */
static void parse_line(const char *text, bool kernel, bool fprobe, probe_events *out)
{
	struct probe_def d;
	const char kind = probe_def_parse(text, kernel, &d);
	struct probe_event *e;
	const char *place;

	if (!kind)
		return;
	if (!strchr(fprobe ? "f" : "prt", kind))
		goto out;
	for vec_each(x, out)
		if (x->kernel == kernel && !strcmp(x->group, d.group) &&
		    !strcmp(x->event, d.event)) {
			x->n_places++;
			goto out;
		}
	place = strchr(text, ' ') + 1;
	e = vec_add(out);
	*e = (struct probe_event){ .group = d.group, .event = d.event, .at = d.at, .args = d.args,
				   .kernel = kernel, .fprobe = fprobe };
	e->place = xstrndup(place, strcspn(place, " "));
	e->ret = d.at.ret || fetches_return(&d.args);
	e->n_places = 1;
	return;
out:
	probe_def_release(&d);
}

static int read_one(const struct os *os, bool kernel, bool fprobe, probe_events *out,
		    struct err *err)
{
	struct str s = STR_INIT;
	char *path = os_path(os, file_of(kernel, fprobe));
	int ret = 0;

	if (access(path, F_OK) == 0 || errno == EACCES)
		ret = os_read_file(os, file_of(kernel, fprobe), &s, err);
	if (ret == -EACCES || ret == -EPERM) {
		err_set(err, EACCES, "no permission to read '%s'", path);
		err_hint(err, "run as %s, or give read access: sudo chmod o+r %s",
			 os_root_sudo(os), path);
	}
	for (const char *p = str_cstr(&s); !ret && *p;) {
		size_t n = strcspn(p, "\n");
		char *line = xstrndup(p, n);

		parse_line(line, kernel, fprobe, out);
		free(line);
		p += n + (p[n] == '\n');
	}
	free(path);
	str_release(&s);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct probe_event *x = a, *y = b;
	int c = strcmp(x->group, y->group);

	return c ? c : strcmp(x->event, y->event);
}

int probe_events_read(const struct os *os, probe_events *out, struct err *err)
{
	int ret = read_one(os, true, false, out, err);

	if (!ret)
		ret = read_one(os, false, false, out, err);
	if (!ret)
		ret = read_one(os, true, true, out, err);
	if (ret)
		probe_events_release(out);
	else if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_name);
	return ret;
}

void probe_events_release(probe_events *v)
{
	for vec_each(e, v) {
		free(e->group);
		free(e->event);
		probe_at_release(&e->at);
		free(e->place);
		fetches_release(&e->args);
	}
	vec_free(v);
}

/* --- by name */

bool probe_event_matches(const struct probe_event *e, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	char *group;
	bool ok;

	if (!colon)
		return glob_match(e->event, pattern);
	group = xstrndup(pattern, colon - pattern);
	ok = glob_match(e->group, group) && glob_match(e->event, colon + 1);
	free(group);
	return ok;
}

/* The nearest name is given as the pattern was: with the group, or without. */
int probe_no_such_event(const probe_events *have, const char *pattern, struct err *err)
{
	VEC(char *) names = { 0 };
	const char *near;

	for vec_each(e, have)
		vec_push(&names, strchr(pattern, ':') ? xasprintf("%s:%s", e->group, e->event) :
			 xstrdup(e->event));
	near = nearest_name(pattern, (const char *const *)names.v, names.n);
	err_set(err, ENOENT, "\"%s\" does not hit any event", pattern);
	if (near)
		err_hint(err, "did you mean '%s'? 'perf probe -l' lists the probes that exist",
			 near);
	else
		err_hint(err, have->n ? "'perf probe -l' lists the probes that exist" :
			 "there are no probes");
	for vec_each(n, &names)
		free(*n);
	vec_free(&names);
	return -ENOENT;
}

/* --- adding and removing */

/* The kernel tells what it disliked in error_log. */
static void add_kernel_reason(const struct os *os, const char *line, struct err *err)
{
	struct str s = STR_INIT;
	char *cmd, *last = NULL;

	if (os_read_file(os, "tracing:error_log", &s, NULL) || !s.len) {
		str_release(&s);
		return;
	}
	for (char *p = s.buf; (p = strstr(p, "error: ")); p++)
		last = p;
	cmd = last ? strstr(last, "Command: ") : NULL;
	if (cmd && !strncmp(cmd + 9, line, strcspn(cmd + 9, "\n"))) {
		last += 7;
		last[strcspn(last, "\n")] = 0;
		err_hint(err, "the kernel says: %s\n%s", last, line);
	} else {
		err_hint(err, "the definition was: %s", line);
	}
	str_release(&s);
}

/* Functions that are not to be traced are refused without a word. *list: what can be traced,
 * read once. */
static bool untraceable(const struct os *os, const struct probe_def *d, struct str *list)
{
	char *want = xasprintf("\n%.*s", (int)strcspn(d->where, "+"), d->where);
	size_t n = strlen(want);
	bool listed = false;

	if (!list->len) {
		str_addch(list, '\n');
		if (os_read_file(os, "tracing:available_filter_functions", list, NULL)) {
			str_reset(list);
			str_addch(list, '\n');
		}
	}
	if (list->len > 1)
		for (const char *p = str_cstr(list); !listed && (p = strstr(p, want)); p += n)
			listed = !p[n] || strchr("\n\t ", p[n]);
	else
		listed = true;		/* not known */
	free(want);
	return !listed;
}

/* *untraced: it was refused because its function is not to be traced. */
static int add_event(const struct os *os, const struct probe_def *d, struct str *list,
		     bool *untraced, struct err *err)
{
	int ret = def_check(d, err);
	struct str text = STR_INIT;

	if (ret)
		return ret;
	probe_def_text(d, &text);
	log_printf(LOG_PROBE, 1, "writing event: %s", str_cstr(&text));
	str_addch(&text, '\n');
	ret = os_write_file(os, file_of(d->kernel, d->fprobe), str_cstr(&text), true, NULL);
	if (!ret)
		goto out;
	text.buf[--text.len] = 0;
	err_sys(err, -ret, "cannot add event '%s:%s'", d->group, d->event);
	*untraced = ret == -EINVAL && d->kernel && untraceable(os, d, list);
	if (*untraced) {
		err_set(err, EINVAL, "cannot add event '%s:%s': '%.*s' is not to be traced "
				     "(notrace)", d->group, d->event,
			(int)strcspn(d->where, "+"), d->where);
		err_hint(err, "probe its callers instead; tracing/available_filter_functions lists "
			      "what can be traced");
	} else if (ret == -EINVAL || ret == -ENOENT || ret == -EILSEQ)
		add_kernel_reason(os, str_cstr(&text), err);
	else if (ret == -EEXIST)
		err_hint(err, "an event of this name has arguments of other names or types");
out:
	str_release(&text);
	return ret;
}

/* Nothing half done: the first n are taken back. */
static void take_back(const struct os *os, const probe_defs *defs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct probe_def *d = &defs->v[i];
		struct probe_event e = { .group = d->group, .event = d->event, .kernel = d->kernel,
					 .fprobe = d->fprobe };

		probe_event_del(os, &e, NULL);
	}
}

static bool remains(const probe_defs *defs, size_t n, int spec)
{
	for (size_t i = 0; i < n; i++)
		if (defs->v[i].spec == spec)
			return true;
	return false;
}

int probe_events_add(const struct os *os, probe_defs *defs, probe_notes *notes, struct err *err)
{
	struct str list = STR_INIT;
	names_vec out = { 0 };
	size_t n = 0, i;
	int ret = 0;

	for (i = 0; i < defs->n && !ret; i++) {
		struct probe_def *d = &defs->v[i], swap = *d;
		struct err e = ERR_INIT;
		bool untraced = false, last = i + 1 == defs->n || defs->v[i + 1].spec != d->spec;

		ret = add_event(os, d, &list, &untraced, &e);
		if (untraced && d->of_glob && !(last && !remains(defs, n, d->spec))) {
			vec_push(&out, xstrndup(d->where, strcspn(d->where, "+")));
			err_release(&e);
			ret = 0;
		} else if (!ret) {		/* those that were added stand in front */
			*d = defs->v[n];
			defs->v[n++] = swap;
		} else {
			hand_error(err, &e);
		}
	}
	if (ret)
		take_back(os, defs, n);
	else
		note_left_out(notes, &out, "not to be traced (notrace)");
	defs_cut(defs, ret ? defs->n : n);
	for vec_each(s, &out)
		free(*s);
	vec_free(&out);
	str_release(&list);
	return ret;
}

/* Processes that hold perf events of this id. */
static void who_uses(const struct os *os, const struct probe_event *e, struct str *out)
{
	int_vec pids = { 0 };
	struct str s = STR_INIT;
	char *path;
	u64 on = 0;

	path = xasprintf("tracing:events/%s/%s/enable", e->group, e->event);
	if (!os_read_u64(os, path, &on, NULL) && on)
		str_addf(out, "it is switched on in tracefs: echo 0 > %s/events/%s/%s/enable",
			 os->tracefs, e->group, e->event);
	free(path);
	if (procfs_pids(os, &pids, NULL) == 0)
		for vec_each(pid, &pids) {
			struct procfs_status st;

			if (procfs_has_events(os, *pid) && !procfs_status(os, *pid, &st, NULL)) {
				str_addf(&s, "%s", s.len ? ", " : "");
				str_add_safe(&s, st.comm);
				str_addf(&s, " (%d)", *pid);
			}
		}
	if (s.len)
		str_addf(out, "%sprocesses with open perf events: %s", out->len ? "\n" : "",
			 str_cstr(&s));
	str_release(&s);
	vec_free(&pids);
}

int probe_event_del(const struct os *os, const struct probe_event *e, struct err *err)
{
	char *text = xasprintf("-:%s/%s\n", e->group, e->event);
	int ret = os_write_file(os, file_of(e->kernel, e->fprobe), text, true, NULL);

	free(text);
	if (!ret)
		return 0;
	err_sys(err, -ret, "cannot delete event '%s:%s'", e->group, e->event);
	if (ret == -EBUSY) {
		struct str who = STR_INIT;

		who_uses(os, e, &who);
		err_set(err, EBUSY, "cannot delete event '%s:%s': it is in use", e->group,
			e->event);
		err_hint(err, "%s", who.len ? str_cstr(&who) :
			 "end the perf or trace session that uses it");
		str_release(&who);
	}
	return ret;
}

int probe_writable(struct os *os, bool kernel, struct err *err)
{
	char *path;
	int ret = 0, code;

	if (os_tracefs(os, err)) {
		if (err && err->code == EACCES)
			err_hint(err, "adding probes needs root: run as %s", os_root_sudo(os));
		return err && err->code ? -err->code : -ENOENT;
	}
	path = os_path(os, file_of(kernel, kernel && probe_needs_fprobe(os)));
	if (access(path, W_OK)) {
		code = errno;
		ret = -code;
		if (code == ENOENT) {
			err_set(err, ENOENT, "'%s' does not exist: this kernel was built without "
					     "%s probes", path,
				kernel ? "kernel" : "user");
			err_hint(err, "rebuild the kernel with CONFIG_%s_EVENTS=y%s",
				 kernel ? "KPROBE" : "UPROBE",
				 kernel ? " (and CONFIG_KPROBES=y); -D shows the definition on any "
					  "kernel" : "");
		} else if (code == EROFS) {
			err_sys(err, code, "cannot write '%s'", path);
			err_hint(err, "tracefs is mounted read-only here, as in containers: use "
				      "perf outside of it, or sudo mount -o remount,rw %s",
				 os->tracefs);
		} else {
			err_sys(err, code, "no permission to write '%s'", path);
			err_hint(err, "run as %s", os_root_sudo(os));
		}
	}
	free(path);
	return ret;
}
