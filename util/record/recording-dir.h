/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_RECORDING_DIR_H
#define RECORD_RECORDING_DIR_H
/*
 * A recording as a directory: PATH/data, with --threads PATH/data.0 and so on, and with --kcore
 * PATH/kcore_dir with the code of the running kernel, kallsyms and modules. One thread.
 */
#include "util/base/err.h"

/* Makes the directory (what is there becomes PATH.old), with kcore_dir in it where kcore is not
 * NULL. *data: where the recording goes; the caller frees. */
int recording_dir_begin(const char *path, const char *kcore, char **data, struct err *err);
void recording_dir_undo(const char *path);

#endif
