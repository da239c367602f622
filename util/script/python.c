// SPDX-License-Identifier: GPL-2.0-or-later
// The interpreter: scripts are run, their functions are called.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/disasm/disasm.h"
#include "util/script/installed.h"
#include "util/script/python-priv.h"

enum { MAX_SCRIPT_BYTES = 64 << 20 };

/* Counted by the handler of Ctrl-C. */
static volatile sig_atomic_t interrupts;

/* ---- calls ---- */

static int hand_over(struct python *p, struct err *err)
{
	int failed = p->failed;

	*err = p->err;
	p->err = (struct err)ERR_INIT;
	return failed;
}

static void call_plain(struct python *p, const char *name)
{
	struct handler h = handler_of(p, name);

	if (!h.call)
		return;
	handler_call(p, &h, p->py->PyTuple_New(0), name);
	p->py->Py_DecRef(h.call);
}

/* ---- starting ---- */

static struct py_obj *path_text(const struct python *p, const char *path)
{
	return p->py->PyUnicode_DecodeFSDefault(path);
}

static void set_argv(struct python *p)
{
	const struct py *py = p->py;
	size_t n = 0;
	struct py_obj *v;

	while (p->opts->args[n])
		n++;
	v = py->PyList_New((ssize_t)n + 1);
	py->PyList_SetItem(v, 0, path_text(p, p->opts->path));
	for (size_t i = 0; i < n; i++)
		py->PyList_SetItem(v, (ssize_t)i + 1, path_text(p, p->opts->args[i]));
	py->PySys_SetObject("argv", v);
	py->Py_DecRef(v);
}

/* Modules beside the script are found. */
static void set_path(struct python *p)
{
	const struct py *py = p->py;
	struct py_obj *path = py->PySys_GetObject("path"), *o;
	char *full = realpath(p->opts->path, NULL);
	char *end = full ? strrchr(full, '/') : NULL;

	if (path && end) {
		end[end == full] = '\0';
		o = path_text(p, full);
		py->PyList_Insert(path, 0, o);
		py->Py_DecRef(o);
	}
	free(full);
}

/* Core.py and the like, where nobody installed upstream perf's. */
static void add_modules(struct python *p)
{
	static const char text[] = {
#include "util/script/modules.inc"
	};
	struct py_obj *globals = new_globals(p);

	run_text(p, text, "<perf>", globals);
	p->py->Py_DecRef(globals);
}

static void start(struct python *p)
{
	const struct py *py = p->py;
	struct str dir = STR_INIT;

	script_exec_path(&dir);		/* scripts look for their modules there */
	str_release(&dir);
	py->Py_InitializeEx(0);
	p->globals = py->PyModule_GetDict(py->PyImport_AddModule("__main__"));
	p->context = py->PyCapsule_New(p, NULL, NULL);
	store_init(p);
	context_module(p);
	set_argv(p);
	set_path(p);
	add_modules(p);
}

static void run_script(struct python *p, const struct str *text)
{
	struct py_obj *name = path_text(p, p->opts->path);

	p->py->PyDict_SetItemString(p->globals, "__file__", name);
	p->py->Py_DecRef(name);
	run_text(p, str_cstr(text), p->opts->path, p->globals);
}

static void take_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct python *p = (struct python *)s;

	for (size_t i = 0; i < n && !p->failed && !interrupts; i++)
		on_sample(p, &items[i]);
	if (p->failed || interrupts)
		s->stop = true;
}

struct python *python_new(const struct python_opts *opts, struct err *err)
{
	struct str text = STR_INIT;
	struct python *p = NULL;

	if (infile_read(opts->path, INFILE_NAMED, MAX_SCRIPT_BYTES, &text, err) == 0 &&
	    python_load(opts->library, err) == 0) {
		p = xnew(struct python);
		p->py = python_api();
		p->opts = opts;
		start(p);
		if (!p->failed)
			run_script(p, &text);
		if (!p->failed)
			uses_init(p, &text);
		if (p->failed) {
			hand_over(p, err);
			python_free(p);
			p = NULL;
		}
	}
	str_release(&text);
	return p;
}

/* ---- running ---- */

static int interrupt_script(void *arg UNUSED)
{
	const struct py *py = python_api();

	py->PyErr_SetNone(*py->PyExc_KeyboardInterrupt);
	return -1;
}

/* The first one ends the stream, as scripts say to their users ("press Ctrl-C for the summary");
 * the second one ends what the script is at. */
static void on_interrupt(int sig UNUSED)
{
	if (interrupts++)
		python_api()->Py_AddPendingCall(interrupt_script, NULL);
}

static void set_wants(struct sink *s)
{
	struct python *p = (struct python *)s;

	s->wants = SINK_ORDER | SINK_THREAD | SINK_SIDEBAND;
	for vec_each(e, &p->list->events)
		s->wants |= event_state_of(p, *e)->wants;
	if (p->opts->no_inline)
		s->wants &= ~(unsigned)SINK_INLINE;
}

static bool takes_event(const struct sink *s, const struct event *e)
{
	return event_state_of((struct python *)s, e)->wants;
}

int python_begin(struct python *p, const struct event_list *events, struct machine *m,
		 struct err *err)
{
	struct sigaction sa = { .sa_handler = on_interrupt };

	p->list = events;
	p->machine = m;
	p->process = handler_of(p, "process_event");
	p->unhandled = handler_of(p, "trace_unhandled");
	handler_learn(p, &p->process);
	handler_learn(p, &p->unhandled);
	p->throttle = handler_of(p, "throttle");
	p->unthrottle = handler_of(p, "unthrottle");
	p->context_switch = handler_of(p, "context_switch");
	p->auxtrace_error = handler_of(p, "auxtrace_error");
	db_init(p);
	per_event_init(&p->events, sizeof(struct event_state), event_state_init, p);
	p->sink = (struct sink){ .samples = take_samples, .record = on_python_record,
				 .takes = takes_event, .events = set_wants };
	set_wants(&p->sink);
	sigaction(SIGINT, &sa, NULL);
	call_plain(p, "trace_begin");
	if (p->db)
		db_begin(p);
	return p->failed ? hand_over(p, err) : 0;
}

struct sink *python_sink(struct python *p)
{
	return &p->sink;
}

int python_end(struct python *p, struct err *err)
{
	if (!p->failed && p->db)
		db_end(p);
	if (!p->failed)
		call_plain(p, "trace_end");
	return p->failed ? hand_over(p, err) : 0;
}

void python_free(struct python *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->events.n; i++) {
		struct event_state *st = per_event_at(&p->events, i);

		if (st)
			event_state_release(p, st);
	}
	per_event_release(&p->events);
	handler_drop(p, &p->process);
	handler_drop(p, &p->unhandled);
	handler_drop(p, &p->throttle);
	handler_drop(p, &p->unthrottle);
	handler_drop(p, &p->context_switch);
	handler_drop(p, &p->auxtrace_error);
	db_free(p);
	store_release(p);
	py_drop(p, p->uses_of);
	p->py->Py_DecRef(p->context);
	p->py->Py_FinalizeEx();
	disasm_free(p->disasm);
	source_files_release(&p->sources);
	vec_free(&p->counts);
	vec_free(&p->tids);
	err_release(&p->err);
	free(p);
}
