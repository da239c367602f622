// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/c2c-text.h"

#include "util/view/c2c-priv.h"

/* --- sums */

struct sum { const char *label; enum c2c_count what[2]; };
#define ONE(label, a) { label, { a, C2C_N_COUNTS } }

static const struct sum sums[] = {
	ONE("Total records", C2C_RECORDS),
	ONE("Locked Load/Store Operations", C2C_LOCKED),
	ONE("Load Operations", C2C_LOADS),
	ONE("Loads - uncacheable", C2C_LD_UNCACHED),
	ONE("Loads - IO", C2C_LD_IO),
	ONE("Loads - Miss", C2C_LD_MISS),
	ONE("Loads - no mapping", C2C_LD_NO_ADDR),
	ONE("Load Fill Buffer Hit", C2C_LD_FB),
	ONE("Load L1D hit", C2C_LD_L1),
	ONE("Load L2D hit", C2C_LD_L2),
	{ "Load LLC hit", { C2C_LD_LLC, C2C_LCL_HITM } },
	ONE("Load Local HITM", C2C_LCL_HITM),
	ONE("Load Remote HITM", C2C_RMT_HITM),
	ONE("Load Remote HIT", C2C_RMT_HIT),
	ONE("Load Local DRAM", C2C_LCL_DRAM),
	ONE("Load Remote DRAM", C2C_RMT_DRAM),
	ONE("Load MESI State Exclusive", C2C_LD_EXCL),
	ONE("Load MESI State Shared", C2C_LD_SHARED),
};
static const struct sum late_sums[] = {
	ONE("Load access blocked by data", C2C_BLK_DATA),
	ONE("Load access blocked by address", C2C_BLK_ADDR),
	ONE("Load HIT Local Peer", C2C_LCL_PEER),
	ONE("Load HIT Remote Peer", C2C_RMT_PEER),
};
static const struct sum misses[] = {
	ONE("LLC Misses to Local DRAM", C2C_LCL_DRAM),
	ONE("LLC Misses to Remote DRAM", C2C_RMT_DRAM),
	ONE("LLC Misses to Remote cache (HIT)", C2C_RMT_HIT),
	ONE("LLC Misses to Remote cache (HITM)", C2C_RMT_HITM),
};
static const struct sum store_sums[] = {
	ONE("Store Operations", C2C_STORES),
	ONE("Store - uncacheable", C2C_ST_UNCACHED),
	ONE("Store - no mapping", C2C_ST_NO_ADDR),
	ONE("Store L1D Hit", C2C_ST_L1_HIT),
	ONE("Store L1D Miss", C2C_ST_L1_MISS),
	ONE("Store No available memory level", C2C_ST_NO_LEVEL),
	ONE("No Page Map Rejects", C2C_NO_MAP),
	ONE("Unable to parse data source", C2C_NO_PARSE),
};
static const struct sum shared_sums[] = {
	ONE("Load HITs on shared lines", C2C_LOADS),
	ONE("Fill Buffer Hits on shared lines", C2C_LD_FB),
	ONE("L1D hits on shared lines", C2C_LD_L1),
	ONE("L2D hits on shared lines", C2C_LD_L2),
	{ "LLC hits on shared lines", { C2C_LD_LLC, C2C_LCL_HITM } },
	{ "Load hits on peer cache or nodes", { C2C_LCL_PEER, C2C_RMT_PEER } },
	ONE("Locked Access on shared lines", C2C_LOCKED),
	{ "Blocked Access on shared lines", { C2C_BLK_DATA, C2C_BLK_ADDR } },
	ONE("Store HITs on shared lines", C2C_STORES),
	ONE("Store L1D hits on shared lines", C2C_ST_L1_HIT),
	ONE("Store No available memory level", C2C_ST_NO_LEVEL),
};

void c2c_add_title(struct str *out, const char *title)
{
	static const char rule[] = "=================================================";

	str_addf(out, "%s\n%-49s\n%s\n", rule, title, rule);
}

static void add_number(struct str *out, const char *label, u64 n)
{
	str_addf(out, "  %-34s: %10llu\n", label, (unsigned long long)n);
}

static u64 sum_of(const struct c2c_counts *c, const struct sum *s)
{
	return c->n[s->what[0]] + (s->what[1] < C2C_N_COUNTS ? c->n[s->what[1]] : 0);
}

static void add_sums(struct str *out, const struct c2c_counts *c, const struct sum *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_number(out, s[i].label, sum_of(c, &s[i]));
}

static const char *const sorted_on[] = {
	[C2C_TOTAL] = "Total HITMs", [C2C_LOCAL] = "Local HITMs", [C2C_REMOTE] = "Remote HITMs",
	[C2C_PEERS] = "Peer Snoop",
};

void c2c_add_stats(struct str *out, const struct c2c_tables *t, const struct c2c_view *v)
{
	const struct c2c_counts *c = &t->total, *s = &t->of_shared;

	c2c_add_title(out, "            Trace Event Information");
	add_sums(out, c, sums, ARRAY_SIZE(sums));
	add_number(out, "Load LLC Misses", c2c_llc_misses(c));
	add_sums(out, c, late_sums, ARRAY_SIZE(late_sums));
	for (size_t i = 0; i < ARRAY_SIZE(misses); i++)
		str_addf(out, "  %-34s: %10.1f%%\n", misses[i].label,
			 c2c_percent(sum_of(c, &misses[i]), c2c_llc_misses(c)));
	add_sums(out, c, store_sums, ARRAY_SIZE(store_sums));
	str_addch(out, '\n');
	c2c_add_title(out, "    Global Shared Cache Line Event Information");
	add_number(out, "Total Shared Cache Lines", t->n_shared);
	add_sums(out, s, shared_sums, ARRAY_SIZE(shared_sums));
	add_number(out, "Total Merged records", c2c_hitm(s) + s->n[C2C_STORES]);
	str_addch(out, '\n');
	c2c_add_title(out, "                 c2c details");
	for (size_t i = 0; v->events[i]; i++) {
		str_addf(out, "  %-34s: ", i ? "" : "Events");
		str_add_safe(out, v->events[i]);
		str_addch(out, '\n');
	}
	str_addf(out, "  %-34s: %s\n  %-34s: %s\n", "Cachelines sort on", sorted_on[v->display],
		 "Cacheline data grouping", v->grouping);
}
