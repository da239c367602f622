/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PROBE_PROBE_PRIV_H
#define PROBE_PROBE_PRIV_H
/*
 * An opened target: the ELF file that runs, the file with DWARF (may be another one), symbols with
 * all their aliases. Units of DWARF are read only when a name that is asked for occurs in them
 * (index.c). One owner.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "arch/arch.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/dwarf/dies.h"
#include "util/dwarf/file.h"
#include "util/dwarf/fnindex.h"
#include "util/dwarf/frames.h"
#include "util/elf/elf.h"
#include "util/probe/probe.h"
#include "util/symbols/dwarf.h"

struct psym {
	const char *name;	/* as in the table; of the Elf's memory or the arena */
	char *plain;		/* demangled, once asked for; NULL: not mangled or not tried */
	bool tried, data, indirect;
	u8 bind;
	u64 addr, size;
};

struct punit {
	Dwarf_Die die;		/* once it is open; of a split unit: the full one */
	/* offsets of its first entry and of the next unit's in .debug_info */
	u64 start, end;
	u32 head;		/* of its header; by the index only */
	/* skeleton without split: its .dwo file is missing */
	bool open, skeleton, split, know_opt, optimized;
};

/* All its names, with their aliases. */
struct pnames {
	VEC(struct psym) all;	/* by address */
	bool loaded;
	struct strmap by_name;	/* name -> index + 1 of the first; filled when asked often */
	int n_asked;
	struct arena mem;
	u64 text_va;		/* kernel: address of _text */
};

/* Its units in .debug_info. */
struct punits {
	VEC(struct punit) all;
	bool listed, loaded, by_index, linked;	/* linked: they refer to each other */
	struct fnindex *index;
	bool index_tried;
};

/* Where its debug information is. */
struct pdebug {
	bool tried;
	struct dso_store *store;	/* of dso alone */
	struct dso *dso;
	struct symbols_opts *opts;
	/* closed: there is none, or it is that of a relocatable file */
	struct dwarf_file file;
	struct dwarf_relocatable rel;
	Dwarf *dw;			/* of either; NULL: none */
	/* the debug file with its symbols, when that is another file */
	struct elf tables;
	struct dwarf_frames frames;
	bool frames_tried;
};

struct probe_obj {
	const struct probe_opts *opts;
	bool kernel;
	char *module;		/* name, or NULL */
	char *path;		/* what the kernel gets; NULL: the kernel itself */
	char *file;		/* what we open */
	char *tried;		/* kernel: where no vmlinux of it was found; NULL: nowhere */
	const struct arch_info *arch;
	bool has_elf;		/* false: the kernel without a file */
	bool is_rel;		/* ET_REL: a module's file */
	struct elf elf;
	struct pnames names;
	struct punits units;
	struct pdebug debug;
};

typedef VEC(u32) u32_vec;

/* symbols.c */
int pobj_symbols(struct probe_obj *p, struct err *err);			/* loads them */
/* exact name in the table, or NULL */
const struct psym *pobj_symbol(struct probe_obj *p, const char *name);
/* that contains addr; functions only */
const struct psym *pobj_symbol_at(struct probe_obj *p, u64 addr);
/* demangled name, or the name */
const char *psym_plain(struct probe_obj *p, const struct psym *s);

/* object.c */
bool pobj_file_off(const struct probe_obj *p, u64 va, u64 *off);
bool pobj_is_code(const struct probe_obj *p, u64 va);	/* in a segment that is executed */
const char *pobj_name(const struct probe_obj *p);	/* for messages */
int pobj_open_elf(struct probe_obj *p, const char *file, struct err *err);

/* debuginfo.c: opens DWARF; -ENOENT with the paths that were looked for. */
int pobj_dwarf(struct probe_obj *p, struct err *err);

/* units.c */
const struct fnindex *pobj_index(struct probe_obj *p);	/* NULL: none for this file; of the obj */
/* makes the list; its units need not be open */
void pobj_list_units(struct probe_obj *p);
/* the list, with all open that can be read */
void pobj_units(struct probe_obj *p);
bool punit_open(struct probe_obj *p, struct punit *u);	/* needed before its die is used */
/* the entry at this offset in .debug_info */
bool pobj_die(struct probe_obj *p, u64 off, Dwarf_Die *out);
struct punit *pobj_unit_of_offset(struct probe_obj *p, u64 off);	/* NULL: none */
/* open; by .debug_aranges, else by scanning; NULL */
struct punit *pobj_unit_at(struct probe_obj *p, u64 addr);
bool punit_optimized(struct punit *u);
bool punit_is_c(struct punit *u);
/* Entries with code around addr, the innermost first; the subprogram is the last. */
void unit_scopes(struct punit *u, u64 addr, die_vec *out);

/* index.c */
/* A file that debug information refers to, and that is not there: a .dwo, or what dwz has moved
 * out. NULL: none; the caller frees. */
char *pobj_missing_part(struct probe_obj *p);
/* Marks units of the list that may define such a thing of this name (all when that cannot be
 * known); they need not be open. The caller frees. */
enum find_kind { FIND_FUNC, FIND_VAR, FIND_TYPE };
u8 *pobj_candidates(struct probe_obj *p, const char *name, enum find_kind kind);
/* replaces a declaration by the definition; false: there is none */
bool type_complete(struct probe_obj *p, Dwarf_Die *t);

/* func.c: instances of functions */
struct pinst {
	Dwarf_Die die;		/* subprogram or inlined_subroutine with code */
	Dwarf_Die fn;		/* where name and declaration are */
	struct punit *unit;
	u64 entry;
	bool inlined;
};
typedef VEC(struct pinst) pinst_vec;
/* Instances of functions that match name (a glob, a plain, qualified or mangled name), in the
 * order of the units. */
void pobj_find_funcs(struct probe_obj *p, const char *name, const char *file, bool glob,
		     pinst_vec *out);
/* where it is declared, or begins */
bool inst_decl(struct pinst *i, const char **file, int *line);

/* dwlines.c */
struct pline { u64 addr; u32 line; const char *file; };
typedef VEC(struct pline) pline_vec;
/* Entries of copies that are called at a line of file (0: at any), anywhere below die: the
 * line's code may be theirs alone. depth: 0. */
void inlined_calls(Dwarf_Die *die, const char *file, u32 line, pline_vec *out, int depth);
/* Statement rows of the unit in file, by address, one per address and line. file NULL: any. */
void unit_lines(struct punit *u, const char *file, pline_vec *out);
/* The line that addr counts as: a function's first address counts as its declaration. 0:
 * unknown. */
/* want: only rows of this file, or NULL */
u32 unit_line_of(struct punit *u, u64 addr, const char *want, const char **file);
u64 unit_prologue_end(struct punit *u, struct pinst *f);	/* entry when there is none */
/* the unit's own spelling, or NULL */
const char *unit_file(struct punit *u, const char *wanted);
/* to open; the caller frees */
char *source_path(const struct probe_obj *p, struct punit *u, const char *file);
/* Lines of a source file: text with NULs, 1-based; NULL when it cannot be read. */
struct source { struct str text; VEC(const char *) lines; };
int source_load(const char *path, struct source *s, struct err *err);
void source_release(struct source *s);

/* dwloc.c: where values are */
struct ploc {
	enum { LOC_NONE, LOC_REG, LOC_MEM, LOC_VALUE, LOC_CONST } kind;
	int reg;		/* DWARF number; -1: a link-time address (add) */
	/* LOC_MEM: the value of reg + refs[0], dereferenced, + refs[1]... */
	s64 refs[12];
	int n_refs;
	s64 add;		/* LOC_VALUE: the value is the chain + add; LOC_CONST: the value */
	int bit_off;		/* LOC_REG: the object begins at this bit of it */
	bool in_piece;		/* the offset that was asked for is already applied */
	u32 user_refs;		/* refs that are the program's own pointers, by bit */
	char reason[160];		/* LOC_NONE */
};
struct pctx {
	struct probe_obj *obj;
	struct punit *unit;
	u64 addr;
	die_vec scopes;
	probe_notes *notes;	/* or NULL */
};
/* with or without a version; NULL: none */
const struct psym *pobj_data_symbol(struct probe_obj *p, const char *name);
void ploc_of_var(struct pctx *c, Dwarf_Die *var, u64 piece_off, struct ploc *out);
/* fills base and refs */
void ploc_fetch(const struct pctx *c, const struct ploc *l, bool user, struct probe_fetch *f);
bool ploc_deref(struct ploc *l);			/* the value there becomes an address */
void ploc_add(struct ploc *l, s64 off);			/* LOC_MEM: the object at off after it */
bool ploc_named(const struct pctx *c, const struct ploc *l);	/* all its registers have names */

/* fat.c: strings and sequences that a language keeps as a structure with a pointer */
struct fat {
	/* ".data_ptr": how the pointer and the number of elements are reached; length may be
	 * empty */
	struct str data, length;
	bool ended;			/* the text ends with a NUL */
	bool has_element;
	Dwarf_Die element;		/* of what, when the pointer does not tell */
};
/* False: not such a type. Else release it. */
bool fat_type(struct pctx *c, Dwarf_Die *type, struct fat *out);
void fat_release(struct fat *f);

/* args.c */
/* Adds what is fetched for each argument. lenient: an optimised variable becomes a mark; *n_ok
 * counts the others. */
int compile_args(struct pctx *c, const struct probe_spec *s, bool lenient, probe_fetches *out,
		 int *n_ok, struct err *err);
/* For an argument that is no variable: whether it is a function, meant as a second probe; says
 * so then. */
bool hint_function(struct probe_obj *p, const char *name, struct err *err);
bool args_need_dwarf(const struct probe_spec *s);
int raw_args(const struct probe_spec *s, probe_fetches *out, struct err *err);
/* Variables visible in the scopes; each name once, innermost first. */
void visible_vars(struct pctx *c, bool params_only, die_vec *out);

/* missing.c */
/* The hint for a program "path" that is not there, looked for as "at": the nearest name, or the
 * process whose root has it. */
void hint_program(const struct probe_opts *o, const char *path, const char *at, struct err *err);

/* kernel.c */
int kernel_check(struct probe_obj *p, const char *symbol, u64 addr, struct err *err);

/* sdt.c */
int resolve_sdt(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out,
		probe_notes *notes, struct err *err);

/* cache.c */
/* -ENOENT: not there */
int cache_resolve(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out);

/* resolve.c */
/* The functions (and copies) that a specification names. */
int find_insts(struct probe_obj *p, const struct probe_spec *s, pinst_vec *out, struct err *err);

/* The name that comes nearest to that of a source file. */
void hint_file(struct probe_obj *p, const char *wanted, struct err *err);

/* definition.c */
/* base and refs of "+8(%di)" */
void fetch_value(struct probe_fetch *f, const char *text);
void fetch_text(const struct probe_fetch *f, struct str *out);		/* "n=+8(%di):s32" */
/* the same of each, with a blank in front */
void fetches_text(const probe_fetches *v, struct str *out);
void fetches_release(probe_fetches *v);
void probe_at_text(const struct probe_at *at, struct str *out);
void probe_at_release(struct probe_at *at);

/* define.c */
struct def_place {
	u64 addr;
	const char *event;	/* the name when the specification gives none */
	/* of several symbols of the place, the one that is meant; NULL: any */
	const char *func;
	u64 ref_ctr_off;	/* semaphore of a marker; 0: none */
};
/* Takes the arguments: args is empty afterwards. */
void add_def(struct probe_obj *p, const struct probe_spec *s, int index, const struct def_place *at,
	     probe_fetches *args, probe_defs *out);
/* Whether the kernel reads the definition as what it says, and not as several words or lines;
 * with its place: what is in it. */
int def_check(const struct probe_def *d, struct err *err);
int def_check_place(const struct probe_obj *p, const struct probe_def *d, struct err *err);
void add_note(probe_notes *notes, const char *fmt, ...) PRINTF_LIKE(2, 3);
typedef VEC(char *) names_vec;
/* One note for all functions of a glob that were left out; nothing for none. */
void note_left_out(probe_notes *notes, const names_vec *names, const char *reason);
void defs_cut(probe_defs *d, size_t n);		/* the first n remain */
/* Moves e to the caller's, in which what was tried before may stand; returns its code. */
int hand_error(struct err *to, struct err *e);
int offset_error(const struct probe_spec *s, const char *func, u64 bytes, struct err *err);
void hint_nearest(struct probe_obj *p, const char *name, struct err *err);

#endif
