/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_WORKLOADS_PRIV_H
#define TEST_WORKLOADS_PRIV_H
#include <signal.h>

#include "util/test/workloads.h"

#define NOINLINE __attribute__((noinline))

int run_noploop(int n, const char **args, struct err *err);
int run_thloop(int n, const char **args, struct err *err);
int run_named_threads(int n, const char **args, struct err *err);
int run_leafloop(int n, const char **args, struct err *err);
int run_sqrtloop(int n, const char **args, struct err *err);
int run_brstack(int n, const char **args, struct err *err);
int run_datasym(int n, const char **args, struct err *err);
int run_landlock(int n, const char **args, struct err *err);
int run_traploop(int n, const char **args, struct err *err);
int run_inlineloop(int n, const char **args, struct err *err);
int run_jitdump(int n, const char **args, struct err *err);
int run_context_switch_loop(int n, const char **args, struct err *err);
int run_deterministic(int n, const char **args, struct err *err);
int run_code_with_type(int n, const char **args, struct err *err);

/* Argument i as a number, dflt without it. */
double workload_arg(int n, const char **args, int i, double dflt);
/* Sets *done after this many seconds, and on SIGINT and SIGTERM. */
void workload_stop_after(double seconds, volatile sig_atomic_t *done);
/* The task's name: "perf-NAME". */
void workload_name_task(const char *name);

#endif
