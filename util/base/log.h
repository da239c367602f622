/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_LOG_H
#define BASE_LOG_H
/*
 * Diagnostics by domain on stderr, off by default ("-v" sets level 1 everywhere, "-v symbols=2" one
 * domain). Not for users' errors: those are struct err. Levels are set once at start, then any
 * thread may log.
 */
#include "util/base/types.h"

enum log_domain { LOG_OS, LOG_EVENT, LOG_DATA, LOG_SYMBOLS, LOG_MACHINE, LOG_UNWIND, LOG_STREAM,
		  LOG_BPF, LOG_PROBE, LOG_CLI,
		  LOG_NR };

void log_set_level(int level);				/* all domains */
/* "symbols=2" or "symbols"; false: no such domain */
bool log_set_domain(const char *spec);
bool log_on(enum log_domain d, int level);
/* adds the newline */
void log_printf(enum log_domain d, int level, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
