// SPDX-License-Identifier: GPL-2.0-or-later
/* Event texts: no crash; what fails has a message and leaves the list as it was; names and attrs
 * of the rest can be printed. The same bytes as a tracepoint's format, and as a filter of samples:
 * each comparison leads to a later one. */
#include <stdlib.h>

#include "tests/fuzz/libraries.h"
#include "util/event/sample-filter.h"
#include "util/event/tracepoint.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void try_event(const char *text)
{
	struct os os;
	struct pmu_db *db;
	struct event_list l;
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	os_init_root(&os, "/nosuch");
	db = pmu_db_new(&os);
	event_list_init(&l);
	if (event_parse(&l, text, &os, db, &err)) {
		if (!err.msg || l.events.n)
			abort();
	}
	for (size_t i = 0; i < l.events.n; i++)
		event_print(l.events.v[i], ": ", &s);
	event_list_release(&l);
	pmu_db_free(db);
	os_release(&os);
	err_release(&err);
	str_release(&s);
}

static void try_filter(const char *text)
{
	struct event e = { .name = (char *)"e", .filter = (char *)text };
	struct os os;
	struct err err = ERR_INIT;
	struct filterrec f;
	int ret;

	os_init_root(&os, "/nosuch");
	e.attr.sample_type = ~0ULL;
	ret = sample_filter_make(&e, &os, &f, &err);
	if (ret && !err.msg)
		abort();
	for (u32 i = 0; !ret && i < f.n_terms; i++)
		if (f.terms[i].yes <= i || f.terms[i].no <= i ||
		    (f.terms[i].yes >= f.n_terms && f.terms[i].yes < FILTERREC_YES) ||
		    (f.terms[i].no >= f.n_terms && f.terms[i].no < FILTERREC_YES))
			abort();
	os_release(&os);
	err_release(&err);
}

static void try_format(const char *text, size_t n)
{
	struct tp_table *t = tp_table_new();
	u8 raw[64] = { 1, 0, 0, 0, 9, 9, 9 };

	tp_table_add(t, "x", text, n, NULL);
	for (u64 id = 0; id < 1000; id++) {
		const struct tp_format *f = tp_by_id(t, id);
		struct str s = STR_INIT;

		if (f)
			tp_print(f, (struct span){ raw, sizeof(raw) }, false, 0, 0, &s);
		str_release(&s);
	}
	tp_table_free(t);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *text = xstrndup(n ? (const char *)data : "", n);

	if (n > 4096)
		n = 4096;
	text[strlen(text) > n ? n : strlen(text)] = 0;
	try_event(text);
	try_filter(text);
	if (!WITHOUT_LIBRARIES)
		try_format(text, strlen(text));
	free(text);
	return 0;
}
