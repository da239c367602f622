/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PYTHON_PRIV_H
#define SCRIPT_PYTHON_PRIV_H
/*
 * Inside of Python scripts: the interpreter and its life in python.c; samples as dictionaries in
 * python-sample.c and python-frame.c, of objects that python-store.c keeps; which functions are
 * called in python-event.c and python-record.c, by python-call.c; what of their arguments they look
 * at in python-uses.c; the module perf_trace_context in python-context.c.
 *
 * Objects are references that who holds them gives back (Py_DecRef), unless they are said to be
 * borrowed. What a script is handed is its own: dictionaries and lists are made for each call, as
 * copies of templates that have all keys in their order already; only what cannot be changed
 * (numbers, texts, tuples) is shared. What a function cannot look at is not made.
 */
#include "util/analysis/annotate/listing.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"
#include "util/script/python-api.h"
#include "util/script/python.h"
#include "util/wire/wire.h"

#define PY_KEYS(X) \
	X(ev_name) X(attr) X(sample) X(raw_buf) X(comm) X(dso) X(dso_bid) X(dso_map_start) \
	X(dso_map_end) X(map_pgoff) X(symbol) X(symoff) X(callchain) X(brstack) X(brstacksym) \
	X(iregs) X(uregs) X(id) X(stream_id) X(pid) X(tid) X(cpu) X(ip) X(time) X(period) \
	X(phys_addr) X(addr) X(time_enabled) X(time_running) X(values) X(weight) X(ins_lat) \
	X(transaction) X(datasrc) X(datasrc_decode) X(cpumode) X(addr_correlates_sym) X(addr_dso) \
	X(addr_dso_bid) X(addr_dso_map_start) X(addr_dso_map_end) X(addr_map_pgoff) \
	X(addr_symbol) X(addr_symoff) \
	X(flags) X(flags_disp) X(insn_cnt) X(cyc_cnt) \
	X(sym) X(start) X(end) X(binding) X(name) X(sym_off) \
	X(sym_srcline) X(from) X(to) X(mispred) X(predicted) X(in_tx) X(abort) X(cycles) \
	X(from_dsoname) X(to_dsoname) X(pred) X(common_cpu) X(common_s) X(common_ns) \
	X(common_pid) X(common_comm) X(common_callchain)
#define PY_KEY(name) K_##name,
enum py_key { PY_KEYS(PY_KEY) K_NR };
#undef PY_KEY

enum { FRAME_SLOTS = 1 << 14, TEXT_SLOTS = 1 << 12, DATASRC_SLOTS = 64, FLAG_SLOTS = 64 };

/* What a frame of this place is, kept: templates. */
struct frame_slot {
	u64 va;
	const struct mapping *map;
	const struct inline_frame *inl;
	const struct symbol *symbol;
	struct py_obj *frame, *sym;
};
struct text_slot { const char *text; struct py_obj *o; };
struct flags_slot { u32 v; struct py_obj *letters, *names; };
struct datasrc_slot { u64 v; struct py_obj *number, *text; };
/* The keys of a mapping: dso ... map_pgoff. */
struct map_texts { struct py_obj *o[5]; };

/* What does not change, or only seldom. */
struct py_store {
	struct py_obj *key[K_NR];
	struct py_obj *none, *zero, *empty_bytes, *empty_text, *yes, *no, *no_counts;
	struct frame_slot *frames;
	struct text_slot *texts;
	struct datasrc_slot datasrc[DATASRC_SLOTS];
	struct flags_slot flags[FLAG_SLOTS];
	VEC(struct map_texts) maps;		/* by index of the mapping */
};

/* What is looked at in this moment, for the functions of perf_trace_context. */
struct py_now {
	const struct sample *sample;
	const struct resolved *res;
};

enum shape { SHAPE_BARE, SHAPE_MAP, SHAPE_SYMBOL, SHAPE_NR };

/* A function of the script. */
struct handler {
	struct py_obj *call;			/* NULL: there is none */
	int n_args;				/* of its code: how many it takes */
	/* after handler_learn(): for each argument a set of keys, or None for all; NULL: all */
	struct py_obj *uses;
};

struct event_state {
	struct py_obj *name;			/* "sched__sched_switch" of a tracepoint */
	struct py_obj *sample;			/* templates */
	struct py_obj *outer[SHAPE_NR];
	struct handler handler;
	unsigned wants;				/* of the stream; 0: no function is called */
	u32 keys;				/* of the outer dictionary, by enum py_key */
	bool chain;
	u64 unread;				/* of the first 64 fields */
	size_t first_field;			/* after common_* */
	const struct tp_field *pid;
	VEC(struct py_obj *) fields;		/* their names */
	bool addr_symbol;			/* addr may be of a symbol */
};

struct disasm;
struct python_db;
struct counted_value { u32 event, cpu, thread; u64 value, enabled_ns, running_ns; };

struct python {
	struct sink sink;			/* first */
	const struct py *py;
	const struct python_opts *opts;
	const struct event_list *list;
	struct machine *machine;
	struct py_obj *globals;			/* borrowed */
	struct py_obj *context, *uses_of;
	struct py_store store;
	struct py_now now;
	struct per_event events;
	struct handler process, unhandled, throttle, unthrottle, context_switch, auxtrace_error;
	VEC(struct counted_value) counts;	/* of this interval */
	int_vec tids;				/* of perf stat */
	struct source_files sources;
	struct disasm *disasm;
	struct python_db *db;			/* perf_db_export_mode; or NULL */
	int failed;				/* -errno of the first error */
	struct err err;
};

/* --- python-call.c */
struct handler handler_of(const struct python *p, const char *name);
/* Calls it; args is taken. The first failure is kept, and ends the stream. */
void handler_call(struct python *p, const struct handler *h, struct py_obj *args,
		  const char *name);

void run_text(struct python *p, const char *text, const char *name, struct py_obj *globals);
/* Of code that is perf's own. */
struct py_obj *new_globals(const struct python *p);

/* --- python-uses.c */
/* Before handlers are asked for. */
void uses_init(struct python *p, const struct str *text);
/* What it looks at. */
void handler_learn(const struct python *p, struct handler *h);
/* Whether it looks at this key of an argument; K_NR: at anything of it. */
bool handler_takes(const struct python *p, const struct handler *h, ssize_t arg,
		   enum py_key key);
void handler_drop(const struct python *p, const struct handler *h);

/* --- python-store.c */
void store_init(struct python *p);
void store_release(struct python *p);
void py_drop(const struct python *p, struct py_obj *o);		/* NULL is fine */
struct py_obj *py_again(const struct python *p, struct py_obj *o);	/* one more reference */
struct py_obj *text_of(struct python *p, const char *text);	/* text stays where it is */
struct py_obj *number_of(struct python *p, u64 v);
void set_item(struct python *p, struct py_obj *dict, enum py_key key, struct py_obj *take);

/* --- python-sample.c */
/* st->keys is known. */
void event_templates(struct python *p, const struct event *e, struct event_state *st);
/* The dictionary of process_event(); callchain is borrowed. */
struct py_obj *sample_dict(struct python *p, const struct event_state *st,
			   const struct sink_item *it, struct py_obj *callchain);

/* --- python-frame.c */
struct py_obj *frame_list(struct python *p, const struct resolved *r);
void set_branches(struct python *p, struct py_obj *dict, const struct sink_item *it);
const struct map_texts *map_texts(struct python *p, const struct mapping *map);

/* --- python-event.c */
/* Of a tracepoint: into the arguments of its function, or (args NULL) by name into dict. */
void add_fields(struct python *p, const struct event_state *st, const struct sample *s,
		struct py_obj *args, struct py_obj *dict);
void event_state_init(void *ctx, const struct event *e, void *state);
void event_state_release(struct python *p, struct event_state *st);
struct event_state *event_state_of(struct python *p, const struct event *e);
void on_sample(struct python *p, const struct sink_item *it);

/* --- python-names.c */
/* The names of values, for Core.py's flag_str() and symbol_str(). */
void define_names(struct python *p, const struct event *e, struct event_state *st);

/* --- python-record.c */
void on_python_record(struct sink *s, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 off);

/* --- python-db.c, python-db-tasks.c */
/* Before events are looked at: whether the script has perf_db_export_mode. */
void db_init(struct python *p);
/* The rest: only if it has. After trace_begin(). */
void db_begin(struct python *p);
void db_sample(struct python *p, const struct sink_item *it);
void db_switch(struct python *p, const struct wire_switch *sw, const struct sample_id *id);
void db_comm(struct python *p, const struct wire_comm *c, u64 t_ns);
void db_fork(struct python *p, const struct wire_task *f, u64 t_ns);
void db_end(struct python *p);			/* before trace_end() */
void db_free(struct python *p);

/* --- python-context.c */
void context_module(struct python *p);

#endif
