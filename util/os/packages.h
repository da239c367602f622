/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_PACKAGES_H
#define OS_PACKAGES_H
/*
 * Debian packages of files, from what dpkg keeps in /var/lib/dpkg. Nothing is run. Any thread.
 */
#include "util/os/os.h"

/* paths[i]: "/usr/lib/x86_64-linux-gnu/libm.so.6". names[i] becomes the package that has it
 * ("libc6"), to be freed by the caller; NULL: none has it. All in one pass. */
void os_package_owners(const struct os *os, const char *const *paths, char **names, size_t n);
/* The package that has the debug symbols of another ("libc6-dbg", "bash-dbgsym"). The caller
 * frees. */
char *os_debug_package(const char *package);
/* The same of a kernel of that release. */
char *os_kernel_debug_package(const char *release);
bool os_package_installed(const struct os *os, const char *package);

#endif
