/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_TRACEPOINT_H
#define EVENT_TRACEPOINT_H
/*
 * Tracepoint formats (libtraceevent lives only in tracepoint.c): from tracefs, or from a file's
 * TRACING_DATA section. Reading fields and printing is for any thread once the table is complete.
 */
#include "util/event/event.h"

struct tp_field {		/* resolved once, read often */
	char *name, *type;	/* type: as the format has it, "enum hrtimer_mode" */
	u32 off, bytes;		/* within the raw data */
	bool is_signed, is_string, is_dynamic, is_array, is_relative, is_pointer;
	u32 elem_bytes;
};

/* A dev_t as the kernel has it in events, where 20 bits are the minor number: "8:1". */
void tp_add_dev(struct str *out, u32 dev);

struct tp_table *tp_table_new(void);
void tp_table_free(struct tp_table *t);
/* One format text of tracefs (events/SYS/NAME/format). */
int tp_table_add(struct tp_table *t, const char *system, const char *format_text, size_t bytes,
		 struct err *err);
/* The hint for a tracepoint that does not exist: the nearest name, the events of a small group,
 * or the nearest group. */
void tp_hint_unknown(const struct os *os, const char *system, const char *name, struct err *err);
/* Reads it from tracefs; the result is borrowed from the table. -ENOENT: "unknown tracepoint",
 * nearest names as hint. */
int tp_table_load(struct tp_table *t, struct os *os, const char *system, const char *name,
		  const struct tp_format **out,
		  struct err *err);
/* The TRACING_DATA section of perf.data, both byte orders, untrusted; and its inverse for the
 * given events. */
int tp_table_parse_section(struct tp_table *t, struct span bytes, struct err *err);
int tp_table_write_section(struct os *os, const struct event_list *l, struct str *out,
			   struct err *err);
const struct tp_format *tp_by_id(const struct tp_table *t, u64 id);
const struct tp_format *tp_by_name(const struct tp_table *t, const char *system, const char *name);

const char *tp_system(const struct tp_format *f);
const char *tp_name(const struct tp_format *f);
u64 tp_id(const struct tp_format *f);
size_t tp_n_fields(const struct tp_format *f);
/* in format order, common_* first */
const struct tp_field *tp_field_at(const struct tp_format *f, size_t i);
/* NULL: no such field */
const struct tp_field *tp_field(const struct tp_format *f, const char *name);
/* Values; bounds-checked against raw: 0 or NULL when outside. */
u64 tp_read_u64(const struct tp_field *f, struct span raw, bool swap);
/* up to len or its NUL */
const char *tp_read_str(const struct tp_field *f, struct span raw, bool swap, size_t *len);
/* The field's bytes (a dynamic one: where it points); NULL when outside. */
const u8 *tp_read_bytes(const struct tp_field *f, struct span raw, bool swap, size_t *len);
/* The print fmt applied, as "perf script" shows it after the event name (libtraceevent without
 * plug-ins). Any thread. */
/* The same, always by libtraceevent (slower, under a lock): the oracle of tests. */
void tp_print_slow(const struct tp_format *f, struct span raw, bool swap, u32 cpu, u64 time_ns,
		   struct str *out);
bool tp_is_compiled(const struct tp_format *f);
void tp_print(const struct tp_format *f, struct span raw, bool swap, u32 cpu, u64 time_ns,
	      struct str *out);

#endif
