/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_LIVE_PRIV_H
#define SESSION_LIVE_PRIV_H

#include "util/session/live.h"

/* --- live-capture.c */
int live_capture_drain(struct live_session *s, struct err *err);
/* What was fed needs no room any more. */
void live_capture_drop(struct live_session *s);
void live_capture_release(struct live_session *s);

/* --- live-rings.c */
void live_rings_init(struct live_rings *r);
int live_rings_open(struct live_session *s, const struct live_events *e, struct err *err);
/* What was there before, to the stream that has begun. */
int live_rings_before(struct live_session *s, struct err *err);
int live_rings_start(const struct live_session *s, struct err *err);
/* After CPUs came online; true: there are other descriptors to poll. */
bool live_rings_follow(struct live_session *s, struct err *err);

#endif
