/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DSO_PRIV_H
#define SYMBOLS_DSO_PRIV_H
/*
 * What hangs behind a dso. Invariants: 1. Everything below "once" flags is written under priv.lock before its flag is set
 * (release), and not changed afterwards; readers test the flag (acquire) and take no lock. 2. A file is used only when its
 * identity was checked (files.c). 3. The store's lock is never taken under a dso's lock, except for its shared kallsyms text.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "util/symbols/elf-priv.h"
#include "util/symbols/symtab-priv.h"

struct cfi_table;
struct lines;

struct dso_priv {
	struct dso_store *store;
	pthread_mutex_t lock;
	/* once: symbols */
	atomic_bool symbols_loaded;
	struct symtab tab;
	struct arena demangled;		/* grows under the lock */
	bool all_demangled;
	struct str why;
	/* once: files */
	atomic_bool main_tried, debug_tried;
	bool has_main, has_debug, debug_is_main;
	struct elf main;		/* with code; a kernel's vmlinux once its symbols are loaded */
	u64 delta;			/* rva minus the file's addresses: not 0 only for a moved kernel */
	struct elf debug;		/* with .symtab and DWARF, when the main file has none */
	char *file;			/* path that main was opened by */
	bool weak_id;			/* id by path only (BUILD_ID feature) */
	u64 reloc_va;
	char *reloc_name;
	int_vec pids;			/* processes that map it, first ones */
	/* once: unwind tables, lines */
	atomic_bool cfi_tried, lines_tried;
	struct cfi_table *cfi;
	struct lines *lines;
};

struct kallsyms_text {
	bool tried;
	bool trimmed;		/* to the symbols of modules */
	struct str text;	/* parsed in place: names point into it */
	VEC(struct kernel_symbol) syms;
	char *why;
};
struct kernel_symbol { u64 va; const char *name, *module; char type; };

struct dso_store {
	const struct os *os;
	const struct symbols_opts *opts;
	char *cache_dir;		/* NULL: none */
	pthread_mutex_t lock;
	struct hmap by_key;		/* hash -> first dso of the chain */
	VEC(struct dso *) all;
	struct strmap ids;		/* path -> struct build_id */
	struct build_id kernel_id;	/* of the recording */
	struct intern *names;
	pthread_mutex_t kallsyms_lock;
	struct kallsyms_text kallsyms;	/* of the running machine */
	atomic_bool debuginfod_off;
};

/* Loaders of symbols: the first whose probe says yes is used; load gives 0 when it found some, else -errno, adding to why. */
struct loader {
	const char *name;
	bool (*probe)(const struct dso *d);
	int (*load)(struct dso *d, struct symtab *t);
};
extern const struct loader loader_kernel, loader_module, loader_perf_map, loader_told, loader_elf;

/* Loads symbols when they are not. */
void dso_load(struct dso *d);
/* Adds a reason; kept as "a; b". */
void dso_add_why(struct dso *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* files.c: open on first call, checked by identity; NULL: none. Under the dso's lock. */
struct elf *dso_main_locked(struct dso *d);
struct elf *dso_debug_locked(struct dso *d);	/* with .symtab or DWARF; may be the main one */
struct elf *dso_main(struct dso *d);		/* takes the lock when needed */
/* Opens path below the root folder of a process, following its links inside that root only. -errno. */
int open_in_root(const struct os *os, pid_t pid, const char *path);

/* plt.c: "name@plt" for each stub of .plt, .plt.sec, .plt.got and .iplt. names hold the texts until symtab_finish(). */
struct plt_names { struct arena a; };
void elf_add_plt(struct elf *e, struct symtab *t, struct plt_names *names);
void plt_names_release(struct plt_names *names);

/* elf-symbols.c */
int elf_load_symbols(struct elf *main, struct elf *debug, struct symtab *t);
/* minidebug: symbols of .gnu_debugdata added to t, 0 or -errno */
int elf_load_minidebug(struct elf *main, struct symtab *t);

/* kernel.c */
bool store_is_running_kernel(struct dso_store *s, const struct dso *d, struct str *why);

#endif
