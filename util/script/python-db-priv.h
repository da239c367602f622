/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PYTHON_DB_PRIV_H
#define SCRIPT_PYTHON_DB_PRIV_H
/*
 * Inside of perf_db_export_mode: what a script puts into the tables of a database. Each thing has a
 * number, from 1 on (0: none), and a row when it is first met, before the row that needs it.
 */
#include "util/base/xalloc.h"
#include "util/itrace/pt.h"
#include "util/script/python-priv.h"
#include "util/stream/frame.h"

enum db_table {
	DB_EVSEL, DB_MACHINE, DB_THREAD, DB_COMM, DB_COMM_THREAD, DB_DSO, DB_SYMBOL,
	DB_BRANCH_TYPE, DB_SAMPLE, DB_CALL_PATH, DB_CALL_RETURN, DB_SYNTH, DB_SWITCH, DB_NR
};

/* What of a branch's flags is its type. */
#define DB_BRANCH_FLAGS (PT_F_BRANCH | PT_F_CALL | PT_F_RETURN | PT_F_CONDITIONAL | PT_F_SYSTEM | \
			 PT_F_ASYNC | PT_F_INTERRUPT | PT_F_TX_ABORT | PT_F_BEGIN | PT_F_END | \
			 PT_F_VMENTRY | PT_F_VMEXIT)

/* A number (with a sign), a text, or v bytes. */
struct db_cell { s64 v; const char *text, *bytes; };
#define DB_N(n) { .v = (s64)(n) }
#define DB_T(s) { .text = (s) }
#define DB_B(p, n) { .bytes = (n) ? (const char *)(p) : "", .v = (s64)(n) }

/* parent, same_hash: places in the table, plus 1; id 0: it has no row yet. */
struct db_path { size_t parent, same_hash; u64 symbol, ip, id; };

struct python_db {
	struct handler tables[DB_NR];
	bool callchains, calls;
	bool has_machine;
	bool knows_exec;		/* COMM records say which of them are of execve() */
	struct hmap events, dsos, symbols;	/* by address: numbers */
	struct hmap unknown;		/* by dso: a map of numbers by place */
	struct hmap tasks;		/* struct thread -> struct db_thread */
	struct hmap stack_of;		/* tasks, of the idle one CPUs -> struct db_stack */
	VEC(struct db_stack *) stacks;	/* in the order of their first branch */
	struct hmap path_index;		/* hash -> place in paths, plus 1 */
	VEC(struct db_path) paths;
	VEC(size_t) above;		/* of a path: those that have no row yet */
	VEC(u64) frames;		/* of one chain: their symbols, from the outermost on */
	struct { u64 event, thread, comm, comm_thread, dso, symbol, sample, context_switch,
		     path, call; } last;
};

/* The task and what its process is called, as rows name them. */
struct db_task { u64 thread, comm; };
struct db_place { u64 dso, symbol, off; };
struct db_sample {
	u64 id, event, path;
	struct db_task task;
	struct db_place ip, addr;
};

/* --- python-db-rows.c */
enum { DB_MACHINE_ID = 1 };
extern const char *const db_table_names[DB_NR];
void db_row(struct python *p, enum db_table table, const struct db_cell *cells, size_t n);
void db_branch_types(struct python *p);
void db_need_machine(struct python *p);
u64 db_event_id(struct python *p, const struct event *e);
/* frame: a caller; without a name it is known by its address in memory. */
struct db_place db_place_of(struct python *p, const struct location *l, bool frame);

/* --- python-db-tasks.c */
struct db_task db_task_of(struct python *p, struct thread *th, u64 t_ns);
/* A record said what it is called. */
bool db_is_named(struct python *p, struct thread *th);
void db_tasks_release(struct python_db *db);

/* --- python-db-paths.c */
/* Places in the table, plus 1. ip counts where there is no symbol. */
size_t db_path_root(struct python *p);
size_t db_path_below(struct python *p, size_t parent, u64 symbol, u64 ip);
/* Its number: it has a row then, and so have all above it. */
u64 db_path_id(struct python *p, size_t path);
/* Of a call chain, from the outermost caller on. */
u64 db_path_of(struct python *p, const struct resolved *r);
void db_paths_release(struct python_db *db);

/* --- python-db-calls.c */
/* A branch of a trace: the calls that it ends have rows. */
void db_branch(struct python *p, const struct sink_item *it, const struct db_sample *d);
/* All that are not over. */
void db_calls_end(struct python *p);
void db_calls_release(struct python_db *db);

#endif
