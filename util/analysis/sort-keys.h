/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SORT_KEYS_H
#define ANALYSIS_SORT_KEYS_H
/*
 * --sort of analyses whose rows are of what a list of keys says. Pure function.
 */
#include "util/base/err.h"

/* The list's words as their places among n_names names: at most n_names into keys, in the list's
 * order. How many; -EINVAL: one of them is none, and err has those that there are. */
int sort_keys_parse(const char *list, const char *const *names, int n_names, int *keys,
		    struct err *err);

#endif
