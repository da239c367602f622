/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_ANCESTRY_H
#define OS_ANCESTRY_H
/*
 * Who shows what a process prints: what they do is caused by its output. If a tracer of the whole
 * system showed that, it would trace itself without end.
 */
#include "util/os/os.h"

/* Adds the processes that pid was started by (shell, sudo, terminal, ssh), up to the machine's
 * init, which is none of them; the first process of a container is. Where one of them draws on
 * another terminal, as tmux and screen do, also those by which that terminal's session was started.
 */
void os_ancestry(const struct os *os, pid_t pid, int_vec *out);

#endif
