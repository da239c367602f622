/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FUZZ_LIBRARIES_H
#define FUZZ_LIBRARIES_H
/*
 * The memory sanitizer takes all that an uninstrumented library writes for uninitialised. So under
 * it targets leave out what goes through libelf, libdw, libtraceevent and the compressors; the
 * rest of them is looked at there, too.
 */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define WITHOUT_LIBRARIES 1
#endif
#endif
#ifndef WITHOUT_LIBRARIES
#define WITHOUT_LIBRARIES 0
#endif

#endif
