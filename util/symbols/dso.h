/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DSO_H
#define SYMBOLS_DSO_H
/*
 * Files and their names. A dso is one binary (or the kernel, a module, a vdso, a JIT map), found by
 * identity: build-id, or path + device + inode, or kind. The store interns and owns all. A dso's
 * symbol table, debug lines and unwind rules load once, lazily, under the dso's own lock; after
 * loading, readers take no lock. Failures are kept (dso_reason) and reported once by the command.
 * Address words: va run-time, rva ELF virtual address (st_value), off file offset.
 */
#include "arch/arch.h"
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/dwarf/lines.h"
#include "util/elf/build-id.h"
#include "util/os/os.h"

enum dso_kind { DSO_FILE, DSO_KERNEL, DSO_MODULE, DSO_VDSO, DSO_PERF_MAP, DSO_JIT, DSO_BPF,
		DSO_ANON };

struct dso {
	enum dso_kind kind;
	/* as recorded: what "dso" columns print ("[kernel.kallsyms]", "/usr/bin/x (deleted)") */
	const char *path;
	const char *short_name;		/* its last component, or path for [..] names */
	/* from the recording or, when unset, from the file once opened */
	struct build_id id;
	bool id_from_file;
	u32 maj, min;
	u64 ino, ino_generation;
	int index;			/* in the store: creation order, stable */
	/* owner of a perf map or container root: a process of the recording; 0: none */
	pid_t pid;
	bool is64;
	struct dso_priv *priv;
};

struct symbol {
	u64 start_rva, end_rva;		/* end exclusive; start < end */
	const char *name;		/* demangled unless opts.no_demangle; owned by the dso */
	const char *mangled;		/* as in the ELF table; may equal name */
	u32 table_nr;			/* internal: order in its table */
	/* internal: whether name is final; it is in every symbol that a function here returned */
	u8 demangled;
	/* STB_*, STT_*; 't'/'T' letters of kallsyms are mapped to these */
	u8 binding, type;
	/* internal: a label within a function, which is not the name of any address */
	u8 inner;
};

/* What debuginfod servers are asked for in this run. */
struct fetch_state {
	const char *urls;
	unsigned n_asked, n_answered;	/* files */
	unsigned seconds;		/* since the first that is under way was asked for */
	u64 bytes;			/* that came */
	bool gave_up, just_gave_up;	/* no byte for too long: nobody is asked again */
};

struct symbols_opts {
	const char *vmlinux;		/* -k */
	const char *kallsyms;		/* --kallsyms */
	const char *symfs;		/* --symfs: see symfs.h */
	const char *buildid_dir;	/* NULL: PERF_BUILDID_DIR or ~/.debug; "": no cache */
	const char *debuginfod_urls;	/* NULL: never ask */
	/* NULL, or called about once a second while files come, and when one has: any thread,
	 * one at a time */
	void (*fetching)(const struct fetch_state *st);
	bool no_demangle;
	bool ignore_vmlinux;
	/* Unix time, or 0; a file that was written later, and has no build-id, is another one */
	u64 recorded_until_s;
	/* the recorded processes may still run: /proc/PID/root is worth a look */
	bool live;
};

struct dso_store;
/* opts and os are borrowed and must outlive the store; opts's strings too. */
struct dso_store *dso_store_new(const struct os *os, const struct symbols_opts *opts);
void dso_store_free(struct dso_store *s);
/* Why the build-id cache is not used, with a hint in a line of its own; NULL: it is, or there is
 * none. Borrowed. */
const char *dso_store_cache_reason(const struct dso_store *s);
/* Finds or makes. Any thread. path is copied. */
struct dso_key { enum dso_kind kind; const char *path; struct build_id id; u32 maj, min; u64 ino,
		 ino_generation; pid_t pid; };
struct dso *dso_get(struct dso_store *s, const struct dso_key *key);
size_t dso_count(const struct dso_store *s);
struct dso *dso_at(const struct dso_store *s, size_t i);		/* by index */
/* Live sessions that last: files and perf maps whose symbols nobody ever asked for, and that
 * nothing maps (used: of the first n, by index), give their place to those that dso_get() makes
 * from now on. Pointers to them become invalid. One owner, while no sample is looked at. */
void dso_store_reuse(struct dso_store *s, const bool *used, size_t n);
/* How often a file could not be opened since there were no descriptors left: names and lines are
 * missing then. Any thread. */
u64 dso_store_unopened(const struct dso_store *s);
/* Which machine was recorded: its host name and kernel's release (NULL: the recording does not
 * say), or that it is this one, now. Unless it is,
 * what has no identity of its own, as /tmp/perf-PID.map,
 * is not looked for here, but in live sessions (symbols_opts.live). Any thread. */
void dso_store_set_machine(struct dso_store *s, const char *host, const char *release);
void dso_store_set_this_machine(struct dso_store *s);
/* Build-ids of a recording's BUILD_ID feature: by path; in_kernel: the kernel or a module.
 * Before any symbol is loaded. */
void dso_store_set_build_id(struct dso_store *s, const char *path, bool in_kernel,
			    const struct build_id *id);

/* Loads symbols (and with debug looks for debug files) of these dsos, by index, several at once:
 * where they come over the net nobody shall wait for one after the other. */
void dso_store_prefetch(struct dso_store *s, const bool *hit, size_t n, bool debug);

/* --- symbols. Any thread; the first call loads. */
/* containing rva, or NULL */
const struct symbol *dso_find(struct dso *d, u64 rva);
/* by mangled or demangled name */
const struct symbol *dso_find_name(struct dso *d, const char *name);
/* The kernel's: code of the locks themselves, or of the scheduler, by the marks of its linker
 * script (__lock_text_start ...). */
bool dso_is_lock_code(struct dso *d, u64 rva);
size_t dso_symbols(struct dso *d, const struct symbol **out);		/* sorted by start_rva */
/* without a look at their names, which may be many */
bool dso_has_symbols(struct dso *d);
/* Why there are no (or only some) symbols, as one line without names of options that do not
 * exist; NULL when there are some. */
const char *dso_reason(struct dso *d);
/* What is among these reasons, for who acts on it. */
enum dso_trouble {
	DSO_OTHER_FILE = 1,	/* a file of that name is not the recorded one */
	DSO_DAMAGED = 2,
	DSO_NO_ACCESS = 4,	/* it may not be read */
};
unsigned dso_troubles(struct dso *d);		/* any of them */
/* Whether somebody asked for its symbols (then dso_reason() loads nothing more): what a command
 * lists at its end. */
bool dso_tried(const struct dso *d);
/* A symbol that the recording itself has (PERF_RECORD_KSYMBOL of a BPF program, a trampoline, a
 * module's init code): for DSO_BPF, DSO_JIT and DSO_MODULE, before the first lookup in this dso.
 * Addresses as the mapping of it counts them (a BPF program's from its own start). */
void dso_add_symbol(struct dso *d, u64 start_rva, u64 end_rva, const char *name);
/* A process maps the jitdump file at path, as it names it. Only live sessions
 * (symbols_opts.live) remember it. */
void dso_note_jitdump(struct dso_store *s, pid_t pid, const char *path);
/* Whether the unwind tables of a DSO_PERF_MAP's code may come to be known: the process writes a
 * jitdump file, which tells them, or tells nothing yet. */
bool dso_awaits_tables(struct dso *d);
/* ELF: file offset of a mapped byte -> rva, by the program headers. DSO_KERNEL, DSO_MODULE,
 * DSO_PERF_MAP, DSO_JIT and DSO_ANON: the identity, their rva is the run-time address itself. */
u64 dso_off_to_rva(struct dso *d, u64 off);
u64 dso_rva_to_off(struct dso *d, u64 rva);
/* Where the recording had it, before the first lookup. Kernel: the run-time address of the
 * reference symbol (_text or _stext) as its MMAP says (pgoff, and the name after
 * "[kernel.kallsyms]"). So symbols of a file, or of this boot's kallsyms, are moved to the
 * addresses of the recording (KASLR). */
void dso_set_kernel_reloc(struct dso *d, u64 recorded_ref_va, const char *ref_name);
/* The same of a module: the start of its mapping. A module that was loaded again elsewhere keeps
 * its first place for all lookups, which is returned: its later mappings begin there, too. */
u64 dso_set_module_reloc(struct dso *d, u64 start_va);
/* And of the code that it ran only while it was loaded, which lay apart from the rest. */
u64 dso_set_module_init(struct dso *d, u64 start_va, u64 bytes);

/* --- source lines and inlined functions, through libdw in process; cached per address; any
 * thread. */
bool dso_srcline(struct dso *d, u64 rva, struct srcline *out);
/* "file.c:12": of one that is known. */
void srcline_add_short(struct str *out, const struct srcline *at);
/* Innermost first; the last one is the concrete (symbol's) function itself. 0: no inlining
 * known. Owned by the dso. */
size_t dso_inlines(struct dso *d, u64 rva, const struct inline_frame **out);
/* The same where only names are looked at: the files' tables of lines are not read for it. */
size_t dso_inline_names(struct dso *d, u64 rva, const struct inline_frame **out);

/* Which instruction set its file is for; false: no file was found. Any thread. */
struct dso_isa { u16 machine; bool is64, big_endian; };	/* EM_* */
bool dso_isa(struct dso *d, struct dso_isa *out);
/* The section of its file that has rva (".text"); NULL: none. Owned by the dso. */
const char *dso_section(struct dso *d, u64 rva);
/* Bytes of the image at rva (text and read-only data as they were loaded); bytes copied. */
size_t dso_read(struct dso *d, u64 rva, void *buf, size_t n);
/* The file that symbols and code come from (opened path: /usr/lib/debug..., /proc/PID/root/...);
 * NULL: none was found. */
const char *dso_file(struct dso *d);
/* The file is this one, whatever the store's options say: before the first question about d. 0
 * or -errno. */
int dso_set_file(struct dso *d, const char *path, struct err *err);
/* The file that has its DWARF (may be the same one); NULL: none was found. */
const char *dso_debug_file(struct dso *d);

/* --- unwind tables: see symbols/cfi.h (opened from the same files) */

#endif
