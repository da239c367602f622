/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_REF_CHAINS_H
#define STREAM_REF_CHAINS_H
/*
 * Samples of events that were recorded without call chains get that of the sample before them in
 * the same thread which has one: a sink in front of another one.
 */
#include "util/stream/sink.h"

struct ref_chains;
struct ref_chains *ref_chains_new(struct sink *to);	/* to is borrowed */
struct sink *ref_chains_sink(struct ref_chains *c);
void ref_chains_free(struct ref_chains *c);		/* NULL is fine */

#endif
