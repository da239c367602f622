// SPDX-License-Identifier: GPL-2.0-or-later
// The times of records whose events do not all have it at the same place.
#include "util/stream/stream-priv.h"

u64 stream_other_time(struct stream *s, const struct perf_event_header *hdr,
		      const struct event *ev, u64 last_ns)
{
	struct sample_id id;
	struct wire_trace_error error;
	const char *reason;
	u64 t;

	if (s->untimed)
		return last_ns;
	if (hdr->type >= WIRE_HEADER_ATTR)
		return stream_is_timed(hdr) && !wire_decode_trace_error(hdr, &error, &reason) ?
			error.time_ns : last_ns;
	if (!ev && !(ev = event_of_record(s->src.events, hdr)))
		return last_ns;
	if (hdr->type == PERF_RECORD_SAMPLE)
		return stream_word(hdr, wire_sample_time_pos(&ev->attr), &t) ? t : last_ns;
	if (wire_decode_id(&ev->attr, hdr, &id, &reason) < 0 || !(id.present & PERF_SAMPLE_TIME))
		return last_ns;
	return id.time_ns;
}
