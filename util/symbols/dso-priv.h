/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DSO_PRIV_H
#define SYMBOLS_DSO_PRIV_H
/*
 * What hangs behind a dso. Invariants: 1. Everything below "once" flags is written under priv.lock
 * before its flag is set (release), and not changed afterwards; readers test the flag (acquire) and
 * take no lock. 2. A file is used only when its identity was checked (files.c). 3. The store's lock
 * is never taken under a dso's lock, except for its shared kallsyms text.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "util/base/hash.h"
#include "util/dwarf/cfi.h"
#include "util/dwarf/lines.h"
#include "util/elf/elf.h"
#include "util/symbols/symtab-priv.h"


struct kernel_symbol { u64 va; const char *name, *module; char type; };

/* Of a kernel or a module: where it lay. */
struct dso_kernel_place {
	u64 reloc_va;			/* of the symbol reloc_name; of a module: where it began */
	char *reloc_name;
	/* module: its init code, which lay apart; 0: not recorded */
	u64 init_va, init_bytes;
	/* symbols are of the running kernel, which has the code in its kcore */
	bool is_running;
	u64 run_delta;			/* rva minus the address in the running kernel */
	atomic_bool relocated;		/* the code of main, a module's file */
	/* of a module: where its variables were, also those that each CPU has; empty: unknown */
	VEC(struct kernel_symbol) variables;
};

/* Of a perf map: the file that the process writes, which may have unwind tables. */
struct dso_jit_tables {
	const char *file;		/* NULL: none */
	bool has_tables;
	unsigned n_asked;
};

struct dso_unwind {
	atomic_bool tried;
	struct cfi_table *table;
	bool debug_tried, is_go;
};

/* once */
struct dso_lines {
	atomic_bool tried;
	struct lines *lines;
};

struct dso_priv {
	struct dso_store *store;
	/* what the recording itself says; NULL: nothing. It comes before what files say */
	struct embedded_dso *embedded;
	pthread_mutex_t lock;
	/* once: symbols */
	atomic_bool symbols_loaded;
	struct symtab tab;
	struct arena demangled;		/* grows under the lock */
	bool all_demangled;
	struct str reason;
	unsigned troubles;		/* enum dso_trouble, of the reasons */
	/* once: files */
	atomic_bool main_tried, debug_tried;
	bool has_main, has_debug, debug_is_main;
	/* with code; a kernel's vmlinux once its symbols are loaded */
	struct elf main;
	/* rva minus main's addresses: not 0 only for a moved kernel */
	u64 delta;
	u64 debug_delta;		/* the same of the file with DWARF */
	struct elf debug;		/* with .symtab and DWARF, when the main file has none */
	char *file;			/* path that main was opened by */
	bool weak_id;			/* id by path only (BUILD_ID feature) */
	struct dso_kernel_place kernel;
	int_vec pids;			/* processes that map it, first ones */
	struct dso_jit_tables jit;
	/* once: unwind tables, lines */
	struct dso_unwind unwind;
	struct dso_lines lines[2];	/* with mangled names: 1 */
};

struct kallsyms_text {
	bool tried;
	bool trimmed;		/* to the symbols of modules */
	struct str text;	/* parsed in place: names point into it */
	VEC(struct kernel_symbol) syms;
	char *reason;
};
struct dso_store {
	const struct os *os;
	const struct symbols_opts *opts;
	char *cache_dir;		/* NULL: none */
	char *cache_reason;		/* there is one, which is not used */
	pthread_mutex_t lock;
	struct hmap by_key;		/* hash -> first dso of the chain */
	VEC(struct dso *) all;
	VEC(struct dso *) spare;	/* of these: for others (dso_store_reuse()) */
	struct embedded *embedded;	/* of the recording; NULL: none */
	struct strmap ids;		/* path -> struct build_id */
	struct build_id kernel_id;	/* of the recording */
	_Atomic(const char *) host;	/* of the recording; NULL: it does not say */
	atomic_bool is_this_machine;	/* says it is, see dso_store_set_machine() */
	struct intern *names;
	pthread_mutex_t kallsyms_lock;
	struct kallsyms_text kallsyms;	/* of the running machine */
	bool kcore_tried, has_kcore;	/* the same lock; then read by any thread */
	struct elf kcore;
	struct fetcher *fetcher;
	_Atomic u64 n_unopened;		/* see dso_store_unopened() */
};

/* Whether the recording is of this machine, as far as it says: host, release and kernel. */
bool store_is_this_machine(const struct dso_store *s);
/* Notes what opening a file gave: -errno. Any thread. */
static inline void note_open(struct dso_store *s, int ret)
{
	if (ret == -EMFILE || ret == -ENFILE)
		atomic_fetch_add_explicit(&s->n_unopened, 1, memory_order_relaxed);
}

/* Loaders of symbols: the first whose probe says yes is used; load gives 0 when it found some,
 * else -errno, adding to why. */
struct loader {
	const char *name;
	bool (*probe)(const struct dso *d);
	int (*load)(struct dso *d, struct symtab *t);
};
extern const struct loader loader_kernel, loader_module, loader_perf_map;

/* Loads symbols when they are not. */
void dso_load(struct dso *d);
/* Adds a reason; kept as "a; b". */
void dso_add_reason(struct dso *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* What a file's errno (0, -E...) says of it, beside its reason. */
void dso_add_trouble(struct dso *d, int ret);
void dso_reset_reasons(struct dso *d);

/* files.c: open on first call, checked by identity; NULL: none. Under the dso's lock. */
struct elf *dso_main_locked(struct dso *d);
struct elf *dso_debug_locked(struct dso *d);	/* with .symtab or DWARF; may be the main one */
struct elf *dso_main(struct dso *d);		/* takes the lock when needed */

/* plt.c: "name@plt" for each stub of .plt, .plt.sec, .plt.got and .iplt. names hold the texts
 * until symtab_finish(). */
struct plt_names { struct arena a; };
void elf_add_plt(struct elf *e, struct symtab *t, struct plt_names *names);
void plt_names_release(struct plt_names *names);

/* dwarf.c: dso_inlines() with names as they are in the file, whatever the store's options say. */
size_t dso_inlines_mangled(struct dso *d, u64 rva, const struct inline_frame **out);

/* elf-symbols.c */
int elf_load_symbols(struct elf *main, struct elf *debug, struct symtab *t);

/* module-file.c. A file's executable sections get addresses: the module's own from where it began
 * on, those of .init from where these lay (0: they get none). Other sections lie where the known
 * variables say, else at a place that no code is at. */
int module_file_open(struct elf *e, const char *path, struct err *err);
void module_file_place(struct elf *e, const struct dso_kernel_place *at);
/* Once variables are known, of a file that has its places. */
void module_file_place_variables(struct elf *e, const struct dso_kernel_place *at);
/* The bytes at that address of a file that has its places, as the kernel relocated them: d's main
 * one. Any thread. */
size_t module_file_read(struct dso *d, u64 va, void *buf, size_t n);
/* Symbols of a file that is this module by its build-id, added to t, and t finished. The rest is
 * under d's lock. */
int module_file_load(struct dso *d, const char *path, struct symtab *t);
/* Only those of its init code; the file, placed, is the caller's then. t is not finished. */
bool module_file_init(struct dso *d, const char *path, struct symtab *t, struct elf *out);
/* Takes *e as d's main file, if there is none. */
void module_file_keep(struct dso *d, struct elf *e);

/* kernel.c: p->debug of a kernel or module, at its recorded place. Under the dso's lock; its
 * symbols are loaded. */
bool kernel_find_debug(struct dso *d);
bool module_find_debug(struct dso *d);
bool store_is_running_kernel(struct dso_store *s, const struct dso *d, struct str *reason);

/* kcore.c */
size_t elf_read_loaded(struct elf *e, u64 va, void *buf, size_t n);	/* by program headers */
/* Memory of the running kernel; 0 where /proc/kcore cannot be read. Any thread. */
size_t kcore_read(struct dso_store *s, u64 va, void *buf, size_t n);
/* The kcore file beside that kallsyms, if there is one, becomes d's main file. Under d's lock. */
void kcore_attach(struct dso *d, const char *kallsyms, u64 delta);
/* the path of the kallsyms beside it; the caller frees */
char *kcore_kallsyms(const char *kcore);
/* Of each boot of that kernel that was kept in the cache, newest first, until fn gives 0, which
 * is returned. */
int kcore_each_cached(struct dso_store *s, const struct build_id *id,
		      int (*fn)(void *ctx, const char *kallsyms), void *ctx);

#endif
