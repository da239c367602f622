// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/kvm-text.h"

static double us(u64 ns)
{
	return (double)ns / 1e3;
}

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    const struct kvm_totals *totals)
{
	const u64 n = value(t, row, "samples"), ns = value(t, row, "total_ns");
	struct str name = STR_INIT;

	str_add_safe(&name, table_cell(t, row, "name")->text);
	str_addf(out, "%40s %10llu %8.2f%% %8.2f%% ", str_cstr(&name), (unsigned long long)n,
		 percent(n, totals->n), percent(ns, totals->ns));
	str_addf(out, "%9.2fus %9.2fus %9.2fus ( +-%7.2f%% )\n", us(value(t, row, "min_ns")),
		 us(value(t, row, "max_ns")), table_cell(t, row, "mean_ns")->d / 1e3,
		 table_cell(t, row, "stddev_percent")->d);
	str_release(&name);
}

void kvm_add_table(struct str *out, const struct table *t, const struct kvm_totals *totals,
		   const struct kvm_opts *opts, const char *pids)
{
	static const char *const titles[KVM_N_KINDS] = { "VM-EXIT", "MMIO Access",
							 "IO Port Access" };

	str_addf(out, "\n\nAnalyze events for %s%s, ", pids ? "pid(s) " : "all VMs",
		 pids ? pids : "");
	if (opts->vcpu >= 0)
		str_addf(out, "VCPU %d:\n\n", opts->vcpu);
	else
		str_add(out, "all VCPUs:\n\n");
	str_addf(out, "%40s %10s %9s %9s %11s %11s %16s \n\n", titles[opts->kind], "Samples",
		 "Samples%", "Time%", "Min Time", "Max Time", "Avg time");
	for vec_each(row, &t->rows)
		add_row(out, t, row, totals);
	str_addf(out, "\nTotal Samples:%llu, Total events handled time:%.2fus.\n\n",
		 (unsigned long long)totals->n, us(totals->ns));
}

void kvm_add_long(struct str *out, const struct table *t, u64 n_more)
{
	for vec_each(row, &t->rows) {
		struct str name = STR_INIT;

		str_add_safe(&name, table_cell(t, row, "name")->text);
		str_addf(out, "%.6f VM %llu, vcpu %llu: %s event took %.0fusec\n",
			 (double)value(t, row, "time_ns") / 1e9,
			 (unsigned long long)value(t, row, "pid"),
			 (unsigned long long)value(t, row, "vcpu"), str_cstr(&name),
			 us(value(t, row, "ns")));
		str_release(&name);
	}
	if (n_more)
		str_addf(out, "and %llu more\n", (unsigned long long)n_more);
}
