/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PERF_SCRIPT_PRIV_H
#define EXPORT_PERF_SCRIPT_PRIV_H
/*
 * Inside of perf script's text: lines and frames in perf-script.c, symbols and dsos in
 * perf-script-symbol.c, rare fields in perf-script-extra.c, records that are no samples in
 * perf-script-records.c.
 */
#include <pthread.h>

#include "util/export/perf-script.h"
#include "util/wire/wire.h"

/* Appending without a check each time: the room is reserved once a line. */
static inline void put(struct str *s, const void *p, size_t n)
{
	memcpy(s->buf + s->len, p, n);
	s->len += n;
}

static inline void put_ch(struct str *s, char c)
{
	s->buf[s->len++] = c;
}

/* sym+off (dso) as the fields ask; the leading blank is part of it. */
void add_symbol(struct str *out, const struct script_opts *o, u64 fields, const struct location *l,
		bool offset);
/* " (dso)" alone */
void add_dso(struct str *out, const struct script_opts *o, u64 fields, const struct location *l);

void add_regs(struct str *out, const struct regs_view *r, const struct arch_info *arch);
void add_data_src(struct str *out, u64 v);
void add_page_size(struct str *out, u64 bytes);
void add_branches(struct str *out, const struct script_opts *o, u64 fields, const struct sample *s,
		  const struct resolved *r);
void add_tod(struct str *out, const struct script_opts *o, u64 time_ns);
const char *misc_text(u32 type, u16 misc);

/* The text of a record after its start; false: not one that is shown. */
bool add_record(struct str *out, const struct perf_event_header *rec, u16 misc);
bool is_shown(unsigned show, u32 type);
/* Whose record it is: the task whose name stands in front. Left alone when the sample id tells. */
void record_task(const struct perf_event_header *rec, u32 *pid, u32 *tid);

#endif
