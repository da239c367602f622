/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PROBE_PLACES_PRIV_H
#define PROBE_PLACES_PRIV_H
/*
 * One specification on its way to definitions: which functions it names (resolve.c), and at which
 * addresses they, their inlined copies and their lines are (places.c). One owner; what is pointed
 * to lives as long as the job.
 */
#include "util/probe/probe-priv.h"

struct place { u64 addr; struct pinst *inst; struct punit *unit; const char *name; };
typedef VEC(struct place) places;

struct job {
	struct probe_obj *p;
	const struct probe_spec *s;
	int index;
	probe_defs *out;
	probe_notes *notes;
	struct err *err;
	pinst_vec insts;
	places places;
	u32 shared_with;	/* the line that a refused place counts as */
	const char *shared_file;
	size_t n_shared;
	/* places that count as another line, too: when there are no better ones */
	bool take_shared;
	bool skipped_prologue;
	size_t n_args;		/* arguments that could be compiled, at all places */
};

/* Adds the places of one function or copy; none is no error. */
int places_of_inst(struct job *j, struct pinst *i);
/* All places of FILE:LINE and FILE;PATTERN; the error, when there are none, names the nearest
 * lines. */
int places_of_file(struct job *j);
/* Says why functions were found, but no place in them, and what can be probed instead. Returns
 * the error. */
int no_places(struct job *j);

#endif
