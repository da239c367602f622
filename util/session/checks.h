/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_CHECKS_H
#define SESSION_CHECKS_H
/*
 * What of a machine stands in the way of measuring: its settings, the rights of the caller, what
 * its kernel was built with and what this perf was. Each check adds a finding, or one for each
 * thing that is missing.
 */
#include "util/analysis/findings.h"
#include "util/os/os.h"

/* findings: of findings_init(). debuginfod_urls: as the user set it; NULL: not. Where os is a saved
 * tree, nothing is opened. */
void checks_run(struct table *findings, struct os *os, const char *debuginfod_urls);

#endif
