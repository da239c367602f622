/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_CTF_PRIV_H
#define EXPORT_CTF_PRIV_H
/*
 * Records that are no samples as events of the Common Trace Format. Any thread; nothing is kept.
 */
#include "util/base/str.h"

struct perf_event_header;

/* The number of the record's event, which no event of samples has; its fields are added to out as
 * ctf_add_record_events() describes them. 0: it is none of these, or damaged. */
u32 ctf_add_record(const struct perf_event_header *rec, struct str *out);
/* Their part of the metadata. */
void ctf_add_record_events(struct str *out);

void ctf_add_u32(struct str *out, u32 v);
void ctf_add_u64(struct str *out, u64 v);
void ctf_add_text(struct str *out, const char *text);

#endif
