/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_FACTS_H
#define OS_FACTS_H
/*
 * Facts of the machine that hold as long as it runs. Any thread.
 */
#include "util/os/os.h"

/* Cores run several threads each. */
bool os_smt_on(const struct os *os);
/* Persistent memory is installed. */
bool os_has_pmem(const struct os *os);
/* Steps of the time stamp counter per second; 0: unknown. */
u64 os_tsc_hz(const struct os *os);
/* The kernel can call a program at its functions. */
bool os_has_kprobes(const struct os *os);
/* How many sockets, dies or cores are online. */
enum os_part { OS_SOCKETS, OS_DIES, OS_CORES };
u64 os_count_parts(const struct os *os, enum os_part part);

#endif
