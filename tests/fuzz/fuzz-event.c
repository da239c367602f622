// SPDX-License-Identifier: GPL-2.0-or-later
/* Event texts: no crash; what fails has a message and leaves the list as it was; names and attrs
 * of the rest can be printed. The same bytes as a tracepoint's format. */
#include <stdlib.h>

#include "tests/fuzz/libraries.h"
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
	if (!WITHOUT_LIBRARIES)
		try_format(text, strlen(text));
	free(text);
	return 0;
}
