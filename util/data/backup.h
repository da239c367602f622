/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_BACKUP_H
#define DATA_BACKUP_H
/* What stands where a new recording shall go: a file, or the directory of a recording (with a
 * file "data"). */
#include <stdbool.h>

#include "util/base/err.h"

bool data_is_dir_recording(const char *path);
/* Renamed to PATH.old, in the place of an older recording of that name, of either kind. Nothing
 * is touched in a directory that holds other files than a recording's: then -ENOTEMPTY. */
int data_move_to_backup(const char *path, struct err *err);
/* Removes the files of a recording in a directory, and the directory. */
int data_remove_dir_recording(const char *path, struct err *err);

#endif
