/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_BPFFS_H
#define OS_BPFFS_H
/*
 * Directories of the BPF file system, where BPF programs and maps stay when whoever loaded them is
 * gone, for users who may load none.
 */
#include "util/base/err.h"

#define OS_BPFFS "/sys/fs/bpf"

/* Makes the directory OS_BPFFS/name, which everybody can look into and only root can change. Where
 * the file system is not mounted it is, and where only root may enter it, others may from now on;
 * the directory knows both. One that is there is emptied. */
int os_bpffs_add(const char *name, struct err *err);
/* Removes it with what is in it, and undoes what os_bpffs_add() did. -ENOENT without a message:
 * there is none. */
int os_bpffs_remove(const char *name, struct err *err);

#endif
