/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_VDSO_H
#define SYMBOLS_VDSO_H
/*
 * The code that the kernel maps into each process, which is no file: one for processes of its own
 * word size, named "[vdso]", and another for 32-bit ones, "[vdso32]". Any thread.
 */
#include "util/os/os.h"
#include "util/symbols/dso.h"

#define VDSO_NAME "[vdso]"
#define VDSO32_NAME "[vdso32]"

/* Kernels call both "[vdso]" in their records. */
const char *vdso_name(u64 start_va, u64 bytes);
/* That of the running kernel, as an ELF file; the caller frees. NULL: it has none, or does not
 * give it away. */
u8 *vdso_image(const struct os *os, const char *name, size_t *bytes);
/* false: no image, or no build-id in it. */
bool vdso_build_id(const struct os *os, const char *name, struct build_id *out);

#endif
