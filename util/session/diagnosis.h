/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_DIAGNOSIS_H
#define SESSION_DIAGNOSIS_H
/*
 * What the quality of a recording (analysis/quality.h) means: findings with the step that helps,
 * the Debian packages that have what is missing, and facts. After session_run().
 */
#include "util/analysis/findings.h"
#include "util/analysis/quality.h"
#include "util/session/session.h"

/*
 * Keys of facts: file, host, release, samples, duration_ns, bytes, bytes_per_sample,
 * bytes_per_second, clock, wall_clock, perf_samples, perf_pct (of the samples, in tasks called
 * perf).
 */
struct diagnosis {
	struct quality_tables quality;
	struct table facts, findings;
};

/* Zeroed before. packages: where dpkg's files are (session's os, or a saved tree). */
void diagnose(const struct session *s, struct quality *q, const struct os *packages,
	      struct diagnosis *out);
void diagnosis_release(struct diagnosis *d);

/* One line on stderr, if that is a terminal, where something of the recording is worth knowing. */
void session_quality_line(const struct session *s);

#endif
