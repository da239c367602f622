/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H
/*
 * What a command that reads a recording says about it.
 */
#include "util/data/reader.h"

/* The reader's warnings on stderr (a cut file, unreadable sections), each with its hint. */
void cli_data_warnings(const struct data_reader *r);

#endif
