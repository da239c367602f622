/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_C2C_PRIV_H
#define ANALYSIS_C2C_PRIV_H
/*
 * The model of shared cache lines: c2c.c fills it from samples, c2c-table.c makes tables of it.
 */
#include "util/analysis/c2c.h"
#include "util/analysis/stack-set.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/words.h"

/* What CPUs took part, and the physical addresses. */
struct c2c_place {
	u64 *cpus;		/* a bit each */
	u64 phys, n_phys;	/* the last one; how often it became another one */
	int node;		/* of the last physical address; -1: unknown */
};

struct c2c_mean { u64 sum, n; };
enum c2c_wait { C2C_WAIT_REMOTE, C2C_WAIT_LOCAL, C2C_WAIT_RMT_PEER, C2C_WAIT_LCL_PEER,
		C2C_WAIT_LOAD, C2C_N_WAITS };

struct c2c_on_node { u64 shown, stores; };

struct c2c_row {
	struct c2c_row *next;	/* of the same hash */
	u64 off;		/* of the address in its line */
	u32 pid, tid;
	struct location code;
	struct thread *thread;
	const char *comm;
	struct c2c_counts counts;
	struct c2c_mean waits[C2C_N_WAITS];
	struct c2c_place at;
	struct c2c_on_node *nodes;	/* n_nodes of them */
	u32 nr;			/* of all rows, from 0 */
	VEC(u32) stacks;	/* nodes of c2c.by_stack */
};

struct c2c_line {
	struct c2c_line *next;
	u64 addr;		/* of the first access */
	u64 at_addr;		/* the same in the file that is mapped there */
	u64 ino, ino_gen;
	u32 maj, min, pid;	/* of the file, or of the process whose memory it is */
	u8 cpumode;
	bool mapped;
	u64 period;
	struct c2c_counts counts;
	struct c2c_place at;
	struct hmap rows;
	VEC(struct c2c_row *) order;
};

struct c2c {
	struct c2c_opts opts;
	struct sink sink;
	size_t n_nodes;		/* those that CPUs are of: 0 to n_nodes - 1 */
	struct c2c_counts total;
	struct hmap by_place;
	VEC(struct c2c_line *) lines;
	struct arena arena;
	u32 n_rows;
	/* With chains: the stacks, and what was counted in which row (tag: its number) with which
	 * of them (below: its node). */
	struct stack_set stacks;
	struct cct by_stack;
};

/* Of CPUs and nodes without number there is nothing. */
static inline size_t c2c_cpu_words(const struct c2c *c) { return (c->opts.n_cpus + 63) / 64; }

#endif
