/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_WORKLOAD_H
#define OS_WORKLOAD_H
/*
 * The command to be measured: forked early and held before its exec, so that events can be attached
 * to it and enabled by exec.
 */
#include "util/os/os.h"

struct workload {
	pid_t pid;		/* 0 while not started */
	int go_fd, err_fd;
	int status;		/* of wait(2), valid once reaped */
	bool reaped;
	u64 user_ns, sys_ns;	/* CPU time of it and its waited-for children, valid once reaped */
	char *name;		/* argv[0], owned */
};

/* Forks; the child waits. argv is NULL-terminated and borrowed until workload_start() returns.
 * stdout_to_stderr: for commands that write their own data to stdout ("record -o -"). */
int workload_prepare(struct workload *w, const char *const *argv, bool stdout_to_stderr,
		     struct err *err);
/* Lets it exec. An exec that fails gives its errno here: "cannot run 'nosuch': No such file or
 * directory", with the exit status WORKLOAD_NOT_RUN. */
enum { WORKLOAD_NOT_RUN = 255 };
int workload_start(struct workload *w, struct err *err);
/* Waits for the end; restarts on EINTR unless *stop became true (stop may be NULL). 0, or
 * -EINTR. */
int workload_wait(struct workload *w, const volatile bool *stop);
/* 1 ended (status valid), 0 still running; does not block. */
int workload_poll(struct workload *w);
/* To a command that still runs; else nothing happens. */
void workload_signal(struct workload *w, int signal);
/* The shell's exit code: status, or 128 + signal. */
int workload_exit_code(const struct workload *w);
/* Kills a held or running child if asked and reaps it; safe on zero. */
void workload_release(struct workload *w, bool kill_it);

#endif
