/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_SCOPEREC_H
#define WIRE_SCOPEREC_H
/*
 * Whom BPF programs watch (util/bpf/scope.inc, watch.inc): what they and their loaders agree on, so
 * only kernel types.
 */
#include <linux/types.h>

#define SCOPE_MAX_CGROUPS 32
#define SCOPE_CPU_WORDS 16		/* of 64 CPUs */

/* What is kept of a watched thread. */
enum { SCOPE_FROM_EXEC = 1 };		/* not before it calls execve */

#endif
