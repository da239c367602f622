/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_DATATYPES_H
#define DWARF_DATATYPES_H
/*
 * Types of data and where variables lie, as plain structs. One owner of a struct datatypes at a
 * time; what it hands out stays valid and unchanged until it is closed, but what is only known
 * once it is asked for: datatype_complete() and datatype_target() may be asked by the owner alone.
 * Texts are of files, made safe.
 */
#include "util/base/types.h"
#include "util/base/vec.h"

enum datatype_kind { DATATYPE_SCALAR, DATATYPE_POINTER, DATATYPE_STRUCT, DATATYPE_ARRAY,
		     DATATYPE_OTHER /* void, functions, what is only declared */ };

#define DATATYPE_MAX_BYTES ((u64)1 << 40)

struct datatype;
struct datatype_field {
	const char *name;		/* "": without a name (also base classes) */
	u64 off, bytes;			/* bytes 0: unknown (a flexible array) */
	const struct datatype *type;
};

struct datatype {
	enum datatype_kind kind;
	const char *name;		/* "struct node", "long int", "struct node*", "char[]" */
	u64 bytes;			/* 0: unknown; at most DATATYPE_MAX_BYTES, as offsets */
	/* after datatype_complete(): members, by offset as the compiler has them */
	const struct datatype_field *fields;
	size_t n_fields;
};

enum variable_place {
	VARIABLE_REG,		/* its value is what the register has, plus off */
	VARIABLE_AT_REG,	/* in memory, at what the register has, plus off */
	VARIABLE_AT_CFA,	/* in memory, at the frame's address plus off */
	VARIABLE_AT_RVA,	/* in memory, at the address off */
	VARIABLE_AT_TLS,	/* in each thread's memory, off from the start of the file's part */
};

struct variable {
	const struct datatype *type;
	u64 from_rva, to_rva;		/* the code for which this holds */
	s64 off;			/* but of addresses within DATATYPE_MAX_BYTES */
	u16 reg;			/* DWARF number */
	u8 place;			/* enum variable_place */
	u8 depth;			/* of its scope; inner ones are deeper */
};
typedef VEC(struct variable) variables;

struct datatypes;
struct dwarf_file;
/* Of an open file, which is taken: closed with it. */
struct datatypes *datatypes_open(struct dwarf_file *f);
void datatypes_close(struct datatypes *t);	/* NULL is fine */

/* Variables and parameters of the function around rva, of inlined ones, too; in no order. False:
 * no unit has code there. */
bool datatypes_variables(struct datatypes *t, u64 rva, variables *out);
/* The variable of a file or of a function (static) that holds this address; NULL: none. */
const struct variable *datatypes_global(struct datatypes *t, u64 rva);
/* The same of thread-local variables: off is from the start of the file's part of each thread's
 * memory. *within: from the start of the variable. */
const struct variable *datatypes_thread_local(struct datatypes *t, u64 off, s64 *within);
/* Of a program (not of a library), where that part starts, from the thread's pointer: as x86-64
 * and arm64 have it. False: there is none. */
bool datatypes_thread_start(struct datatypes *t, s64 *start);
/* What a function that begins at rva returns; NULL: nothing, or unknown. */
const struct datatype *datatypes_returned(struct datatypes *t, u64 rva);

/* Reads its members, once. */
const struct datatype *datatype_complete(struct datatypes *t, const struct datatype *d);
/* What a pointer points to, what an array is made of; NULL: void, or no such type. */
const struct datatype *datatype_target(struct datatypes *t, const struct datatype *d);

#endif
