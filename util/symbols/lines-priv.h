/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_LINES_PRIV_H
#define SYMBOLS_LINES_PRIV_H
#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdatomic.h>

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/symbols/dso.h"
#include "util/symbols/dwarf-walk-priv.h"
#include "util/symbols/dwarf.h"

struct elf;
struct lines;
void lines_free(struct lines *l);	/* NULL is fine */

/* --- what lines.c and inlines.c share */

struct line_range { u64 low, high; u64 what; };		/* what: an entry's offset, or the number of a function */
typedef VEC(struct line_range) line_ranges;

/* A reader of the file: libdw is not thread-safe within one Dwarf. */
struct lane {
	pthread_mutex_t lock;
	Dwarf *dw;
	struct lines *of;
	struct hmap scopes;		/* Dwarf_CU -> struct dwarf_scopes */
};

struct line_func;

/* A unit that was asked for. Read-only for any thread, but each part is made at its first use. */
struct line_unit {
	struct lane *lane;
	Dwarf_Die cu;			/* its entry in the file; of split DWARF the skeleton */
	Dwarf_Lines *rows;
	size_t n_rows;
	const char *dir;		/* its DW_AT_comp_dir */
	struct hmap paths;		/* name as libdw has it -> full path; under the file's lock */

	atomic_bool indexed;		/* then all below is there */
	Dwarf_Die top;			/* where the functions are */
	const char *top_dir;
	struct walk walk;
	bool scoped;			/* names without linkage are told with what they are in */
	line_ranges ranges;		/* of concrete functions with code */
	VEC(const u8 *) entries;	/* of function number i */
	Dwarf_Files *files;
	struct line_func *_Atomic *funcs;	/* of function number i; NULL: not yet asked for */
	pthread_mutex_t making[8];	/* of function number i % 8; the lane's lock is taken under it */
	pthread_mutex_t lock;		/* of origins; the innermost */
	struct hmap origins;		/* places of entries that calls were inlined from -> names */
};

/* lines.c */
void lines_sort(line_ranges *v);
/* The innermost range that holds at; ranges may nest. Any thread. */
const struct line_range *lines_find(const line_ranges *v, u64 at);
bool lines_has_code_at(const struct lines *l, u64 rva);
struct dwarf_file *lines_file(struct lines *l);
const char *lines_string(struct lane *l, Dwarf_Attribute *attr);
/* Full path of a file of a unit with that DW_AT_comp_dir; name lives as long as the Dwarf. Any thread. */
const char *lines_path(struct line_unit *u, const char *dir, const char *name);
const char *lines_dir(struct lane *l, Dwarf_Die *top);
const char *lines_demangled(struct lines *l, const char *name);		/* any thread */
const char *lines_kept(struct lines *l, const char *text);		/* a copy that lives as long as l; any thread */
bool lines_no_demangle(const struct lines *l);

/* dwarf-names.c, under the lane's lock: of a function or an inlined call, "ns::Class::name" where it has no linkage name and its unit is
 * of a language with scopes, or scoped says so. "??": it has none. Lives as long as the lines. */
const char *dwarf_names_function(struct lane *l, const Dwarf_Die *function, bool scoped);
bool dwarf_names_scoped(Dwarf_Die *cu);
void dwarf_names_release(struct lane *l);

/* inlines.c: the frames at rva, where execution is at a; 0: nothing inlined there. frames: room for INLINES_MAX. Any thread. */
enum { INLINES_MAX = 65 };
size_t inlines_at(struct line_unit *u, u64 rva, const struct srcline *a, struct inline_frame *frames);
void inlines_init(struct line_unit *u);
void inlines_release(struct line_unit *u);

/* dwarf-file.c: of the open file from, which has the debug information of d. Under the lock of d. */
int dwarf_file_open(struct dwarf_file *f, struct dso *d, struct elf *from);

/* dwarf-image.c: whether libdw cannot read the debug sections of the file as they are. */
bool dwarf_needs_image(const struct elf *e);
/* Appends an ELF file of the debug sections alone, unpacked, and relocated by the addresses in e->secs. tail: NULL, or a text that
 * stands, with a NUL, behind the strings of .debug_str and .debug_line_str. One owner of e. */
void dwarf_image(struct elf *e, const char *tail, struct str *image);
/* Appends an ELF file of these sections for the same machine as e. */
struct image_sec { const char *name; struct span data; };
void dwarf_image_of(const struct elf *e, const struct image_sec *secs, u32 n, struct str *image);

/* The supplementary file of dwz, when there is one that libdw does not take by itself; NULL: none. Given to dw as well, so close
 * it after dw has ended. Under the lock of d. */
struct dwarf_alt *dwarf_alt_open(struct dso *d, struct elf *from, Dwarf *dw);
/* Such a name of a pipe or a device must not reach libdw, which would open it and wait. */
bool dwarf_alt_is_no_file(struct elf *from);
void dwarf_alt_close(struct dwarf_alt *a);	/* NULL is fine */
/* The attribute's string in that file; NULL: it is none. a may be NULL. */
const char *dwarf_alt_string(const struct dwarf_alt *a, Dwarf_Attribute *attr);

/* dwarf-loose.c: a .dwo file that libdw reads, for a unit with that name, DW_AT_comp_dir (may be NULL) and binary; -1: none. */
int dwarf_loose_open(const char *dir, const char *name, const char *beside);
int dwarf_memory_file(const struct str *image);		/* -1: not possible */

/* dwarf-pkg.c: where the full units of the file from are, in a package (.dwp) or in .dwo files; NULL: it has none. Under the lock of d. */
struct dwarf_pkg *dwarf_pkg_open(struct dso *d, struct elf *from);
void dwarf_pkg_close(struct dwarf_pkg *p);	/* NULL is fine */
const char *dwarf_pkg_link(const struct dwarf_pkg *p);	/* the path that its units have for libdw, one at a time */
/* Lets the skeletons of the image name that path. image was made with it as the tail. */
void dwarf_pkg_rename(struct dwarf_pkg *p, Elf *elf, struct str *image);
/* The full unit of a skeleton becomes that path's file, then libdw looks. Any thread. */
void dwarf_pkg_attach(struct dwarf_pkg *p, Dwarf_CU *skeleton);
char *dwarf_pkg_wanted(const struct dwarf_pkg *p, Dwarf_CU *skeleton);	/* the .dwo file's path as compiled; NULL: no skeleton */

#endif
