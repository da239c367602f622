/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_FILE_H
#define DWARF_FILE_H
/*
 * The debug information of a file as libdw wants it: unpacked and relocated where libdw cannot do
 * it, with the supplementary file of dwz and the package of split units (.dwp) that belong to it.
 */
#include <elfutils/libdw.h>
#include <stdatomic.h>

#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/elf/build-id.h"

struct elf;

/* What the files that belong to it are found by. Borrowed. */
struct dwarf_where {
	/* of the binary on the machine that it ran on; NULL: it has none */
	const char *path;
	const char *file;		/* where it was found here; NULL: it was not */
	struct build_id id;		/* n 0: unknown */
	const char *symfs;		/* see elf/symfs.h; may be NULL */
	const char *cache_dir;		/* of the build-id cache; NULL: none */
	/* counts files that could not be opened since there were no descriptors left */
	_Atomic u64 *n_unopened;
};

struct dwarf_alt;
struct dwarf_pkg;

/* One owner, but see dwarf_file_full_unit(). Zeroed it is closed. */
struct dwarf_file {
	Elf *elf;		/* what libdw reads; changed by nobody */
	Dwarf *dw;		/* the first reader */
	int fd;			/* of elf; -1: it is an image in memory */
	struct str image;
	struct dwarf_alt *alt;	/* NULL: libdw found it by itself, or there is none */
	struct dwarf_pkg *pkg;	/* NULL: it has no skeletons of split units */
	bool shares;		/* one reader at most: another file's Dwarf hangs on it */
	Elf *private_elf;	/* of dwarf_file_window() */
	bool private_tried;
	VEC(Dwarf *) windows;
};

/* Of the open file from, whose one owner is the caller; it may be closed afterwards. -ENOENT:
 * there is none that libdw can read. */
int dwarf_file_open(struct dwarf_file *f, struct elf *from, const struct dwarf_where *w);
/* One more reader, which the caller ends before it closes the file; NULL: not possible. One at a
 * time. */
Dwarf *dwarf_file_begin(struct dwarf_file *f);
void dwarf_file_close(struct dwarf_file *f);
/* A reader for one unit, whose header is at head and whose first entry at start: libdw reads the
 * headers of all units before the one that it is asked for (on a kernel 2,000 page faults, 50 ms),
 * so it is shown a private copy of the section whose first unit reaches up to that one. It ends
 * with the file; more than some dozens cost more than one for all. false: not possible. */
bool dwarf_file_window(struct dwarf_file *f, u32 head, u64 start, Dwarf_Die *die);
/* The bytes of a section as they stand in the file; empty: there is none, or it is packed.
 * file_off (may be NULL): where in the file of f->fd, -1: nowhere. Any thread that owns the
 * reader. */
struct span dwarf_file_section(const struct dwarf_file *f, const char *name, s64 *file_off);
bool dwarf_file_is_little(const struct dwarf_file *f);	/* its bytes are in little-endian order */
/* The unit with the functions: of a skeleton that in the package or in a .dwo file, else (and
 * where that is missing) cu itself. True when it is another than cu. To be asked before anything
 * else that looks for it (dwarf_get_units() with a subdie). Any thread that owns the reader. */
bool dwarf_file_full_unit(struct dwarf_file *f, const Dwarf_Die *cu, Dwarf_Die *full);
/* Where the compiler put the full unit of a skeleton; NULL: it is none. The caller frees. */
char *dwarf_file_split_path(const struct dwarf_file *f, const Dwarf_Die *cu);

#endif
