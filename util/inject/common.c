// SPDX-License-Identifier: GPL-2.0-or-later
// What all that rewrites recordings needs: telling the user, and the times of records.
#include "util/inject/inject-priv.h"

void inject_say(const struct inject *in, enum inject_say kind, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;

	if (!in->o->say)
		return;
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	in->o->say(in->o->say_ctx, kind, str_cstr(&text));
	str_release(&text);
}

bool inject_record_time(const struct inject *in, const struct perf_event_header *hdr, u64 *ns)
{
	const struct event *e = hdr->type < 64 ? event_of_record(&in->r->events, hdr) : NULL;
	struct sample_id id = { 0 };
	struct sample s;
	const char *reason;

	if (!e)
		return false;
	if (hdr->type == PERF_RECORD_SAMPLE) {
		if (wire_decode_sample(&e->attr, hdr, &s, &reason) ||
		    !(s.present & PERF_SAMPLE_TIME))
			return false;
		*ns = s.time_ns;
		return true;
	}
	if (wire_decode_id(&e->attr, hdr, &id, &reason) || !(id.present & PERF_SAMPLE_TIME))
		return false;
	*ns = id.time_ns;
	return true;
}
