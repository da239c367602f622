/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_KERNEL_H
#define OS_KERNEL_H
/*
 * What the running kernel says of itself: which one it is, its modules, where its functions are,
 * and its memory. Texts are as the kernel gives them; who understands them is elsewhere.
 */
#include "util/os/os.h"

/* As they are called in messages and caches; os_path() of them is what is opened. */
#define OS_KALLSYMS "/proc/kallsyms"
#define OS_KCORE "/proc/kcore"
#define OS_BTF "/sys/kernel/btf/vmlinux"	/* its types */

/* The release ("6.1.0-18-amd64"), as in the names of its files. false: unknown, or a fake tree. */
struct os_release_text { char text[65]; };
bool os_kernel_release(const struct os *os, struct os_release_text *out);
bool os_kernel_at_least(const struct os *os, int major, int minor);
/* What it was built with: lines like "CONFIG_PERF_EVENTS=y"; packed: out is a gzip file of them.
 * -ENOENT: nobody kept it. */
int os_kernel_config(const struct os *os, struct str *out, bool *packed, struct err *err);
/* Bytes of its code, as far as the map of physical memory is shown; 0: unknown. */
u64 os_kernel_text_bytes(const struct os *os);
/* Something is traced, probed or patched in it, so that it has code that it made itself. */
bool os_kernel_is_traced(const struct os *os);
/* The ELF notes that the kernel or a module was built with. module: a name, not a path. */
int os_kernel_notes(const struct os *os, struct str *out, struct err *err);
int os_module_notes(const struct os *os, const char *module, struct str *out, struct err *err);

/* All symbols with their addresses (kallsyms.h of symbols reads it). */
int os_read_kallsyms(const struct os *os, struct str *out, struct err *err);
int os_open_kallsyms(const struct os *os);	/* for who needs the first of them; -errno */
/* Lines like "ext4 933888 1 - Live 0xffffffffc0a00000". -errno: this kernel has no modules. */
int os_read_modules(const struct os *os, struct str *out, struct err *err);
/* How many there are, and some more; another number: some came or went. One system call. */
u64 os_count_modules(const struct os *os);
/* What stays of a loaded module, and what is freed after its start (bytes); where a section lies.
 * 0: unknown, hidden, or no such section. */
u64 os_module_core_bytes(const struct os *os, const char *module);
u64 os_module_init_bytes(const struct os *os, const char *module);
u64 os_module_section_va(const struct os *os, const char *module, const char *section);
/* Whether a module of that name ("nf_nat") is loaded; *va, if wanted, is where: 0 when that is
 * hidden from the caller. */
bool os_module_loaded(const struct os *os, const char *name, u64 *va);
/* What kprobes may not be put on: lines of "0xFROM-0xTO\tname". */
int os_kprobe_blacklist(const struct os *os, struct str *out, struct err *err);

/* Its image of the vdso that programs have; is32: that of 32-bit programs of a 64-bit kernel. The
 * caller frees; NULL: none. Not of a fake tree's machine. */
u8 *os_vdso_image(const struct os *os, bool is32, size_t *bytes);

/* The generation of an open file's inode number, which the next file of that number does not
 * have. false: its file system keeps none. */
bool os_inode_generation(int fd, u32 *out);

/* Returns when whatever ran on each CPU at the time of the call, and may not be preempted (BPF
 * programs that were detached just now), has ended. */
void os_wait_cpus(void);
/* Of the namespace that this process sees process ids in. false: it is the machine's own. */
bool os_inner_pids(u64 *dev, u64 *ino);

#endif
