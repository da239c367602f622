/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_WARNING_H
#define DATA_WARNING_H
/*
 * Things found on the way that are no errors: a cut file, a section that could not be decoded,
 * events that were lost. Who reads notes them, the session tells them at the end.
 */
#include "util/base/str.h"
#include "util/base/vec.h"

struct data_warning {
	char *text, *hint;	/* owned; hint may be NULL */
	bool damage;		/* something of the recording is missing that was written */
};
typedef VEC(struct data_warning) data_warnings;

void data_warnings_release(data_warnings *w);

#endif
