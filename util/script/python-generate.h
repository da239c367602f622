/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PYTHON_GENERATE_H
#define SCRIPT_PYTHON_GENERATE_H
/*
 * A script in Python to begin with: a function for each tracepoint of a recording, which prints
 * its fields. Python itself is not needed for it.
 */
#include "util/event/event.h"

void python_generate(const struct event_list *events, struct str *out);

#endif
