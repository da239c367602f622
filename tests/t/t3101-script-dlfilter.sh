#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script --dlfilter: filters of samples in shared objects'
. "$(dirname "$0")/lib.sh"

test_require CC

small=$TOP/tests/data/small
theirs=$(dirname "$NEWEST")/root-sid/usr/lib/perf-core
filter () { cc -shared -fPIC -I"$TOP/include" -o "$1.so" "$1.c"; }

cat >all.c <<'END'
#include <perf/perf_dlfilter.h>
#include <stdio.h>

struct perf_dlfilter_fns perf_dlfilter_fns;
static int n, early;

int start(void **data, void *ctx)
{
	int c;
	char **v = perf_dlfilter_fns.args(ctx, &c);

	printf("start");
	for (int i = 0; i < c; i++)
		printf(" [%s]", v[i]);
	puts("");
	*data = &n;
	return 0;
}

int stop(void *data, void *ctx)
{
	printf("stop %d %d %d\n", n, early, data == &n);
	return 0;
}

static void print_al(const char *what, const struct perf_dlfilter_al *al)
{
	/* what functions of the kernel are called is not known of another one than this */
	int kernel = al && al->is_kernel_ip;

	if (!al)
		return;
	printf("%s %u %s+%u %llx %llx %llx %s %u %u %u %u %u %s\n", what, al->size, al->sym && !kernel ? al->sym : "-", kernel ? 0 : al->symoff,
	       al->addr, kernel ? 0 : al->sym_start, kernel ? 0 : al->sym_end, al->dso ? al->dso : "-", kernel ? 0 : al->sym_binding, al->is_64_bit,
	       al->is_kernel_ip, al->buildid_size, al->filtered, al->comm ? al->comm : "-");
}

int filter_event_early(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	early++;
	return 0;
}

int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	struct perf_event_attr *a = perf_dlfilter_fns.attr(ctx);

	printf("S %u %u %llx %d %d %llu %llx %lld %lld %llu %llu %d %u %llx %llx %u %u %u %u %llu %llu %s %d %d %u %llx\n", s->size, s->ins_lat,
	       s->ip, s->pid, s->tid, s->time, s->addr, s->id, s->stream_id, s->period, s->weight, s->cpu, s->flags, s->data_src, s->phys_addr,
	       s->cpumode, s->addr_correlates_sym, s->misc, s->raw_size, s->brstack_nr, s->raw_callchain_nr, s->event, s->machine_pid, s->vcpu,
	       a->type, a->sample_type);
	print_al("ip", perf_dlfilter_fns.resolve_ip(ctx));
	print_al("addr", s->addr_correlates_sym ? perf_dlfilter_fns.resolve_addr(ctx) : NULL);
	if (!perf_dlfilter_fns.resolve_address(ctx, s->ip + 1, &al))
		print_al("address", &al);
	perf_dlfilter_fns.al_cleanup(ctx, &al);
	return n++ & 1;
}

const char *filter_description(const char **longer)
{
	*longer = "what it does\nin two lines";
	return "prints all";
}
END

test_expect_success 'what a filter keeps is printed, and what it prints stands before it' '
	filter all && perf script -f -F comm,time,ip -i "$small/fp.data" >whole && perf script -f -F comm,time,ip -G -i "$small/fp.data" >lines &&
	perf script -f -F comm,time,ip -G -i "$small/fp.data" --dlfilter ./all.so --dlarg one --dlarg "two x" >out &&
	head -n 1 out >first && echo "start [one] [two x]" | test_cmp - first && total=$(wc -l <lines) &&
	tail -n 1 out >last && echo "stop $total $total 1" | test_cmp - last &&
	sed -n "1~2p" lines >kept && grep -vE "^(start|stop|S|ip|addr|address) " out | test_cmp kept - &&
	sed -n 2p out >second && test_grep "^S 208 " second && sed -n 5p out | cmp - <(sed -n 1p lines)
'
for f in fp dwarf sched zstd; do
	test_expect_success NEWEST "the same as of upstream perf: $f" '
		filter all && "$NEWEST" script -f -F comm,time,ip -G -i "$small/'$f'.data" --dlfilter ./all.so --dlarg one >upstream 2>err &&
		perf script -f -F comm,time,ip -G -i "$small/'$f'.data" --dlfilter ./all.so --dlarg one >ours &&
		grep -E "^(start|stop|S|ip|addr|address) " upstream >expect && grep -E "^(start|stop|S|ip|addr|address) " ours | test_cmp expect - &&
		[ $(wc -l <expect) -gt 20 ]
	'
done
test_expect_success NEWEST 'filters of upstream perf in binary form' '
	perf script -f -G -i "$small/fp.data" >plain && export PERF_EXEC_PATH=$theirs &&
	perf script -f -G -i "$small/fp.data" --dlfilter dlfilter-show-cycles.so >ours && "$NEWEST" script -f -G -i "$small/fp.data" --dlfilter dlfilter-show-cycles.so >upstream 2>err &&
	cut -c1-30 ours >a && cut -c1-30 upstream | test_cmp - a && [ $(wc -l <ours) = $(wc -l <plain) ] &&
	unset PERF_EXEC_PATH
'
test_lazy_prereq UPSTREAM_FILTERS 'needs the filters of the package linux-perf' '[ -e /usr/lib/perf-core/dlfilters/dlfilter-test-api-v0.so ]'
test_expect_success UPSTREAM_FILTERS 'and the one that upstream tests its interface with' '
	test_must_fail perf script -f -i "$small/fp.data" --dlfilter dlfilter-test-api-v0.so --dlarg x >out 2>err && test_grep "^Check .dlargc == 6. failed" err &&
	test_grep "^Error: start\(\) of the filter .dlfilter-test-api-v0.so. returned -1$" err
'
test_expect_success 'filters that are installed' '
	mkdir -p core/dlfilters && filter all && cp all.so core/dlfilters/other.so && rm -f here/* && export PERF_EXEC_PATH=$PWD/core && mkdir -p empty && cd empty &&
	perf script --list-dlfilters >../out && perf script -v --list-dlfilters >../more && perf script -f -i "$small/fp.data" --dlfilter other.so >../of && cd .. &&
	printf "%s\n" "List of available dlfilters:" "  other.so                             prints all" >expect && test_cmp expect out &&
	printf "%39s%s\n" "" "what it does" "" "in two lines" >>expect && test_cmp expect more && test_grep "^stop [0-9]+ " of
'
test_expect_success 'errors' '
	test_must_fail perf script -f -i "$small/fp.data" --dlfilter ./nosuch.so 2>err && test_grep "^Error: cannot load the filter ../nosuch.so.: .*No such file" err && test_grep "^Hint: perf script --list-dlfilters" err &&
	echo "int x;" >no.c && filter no && test_must_fail perf script -f -i "$small/fp.data" --dlfilter ./no.so 2>err && test_grep "^Error: ../no.so. is no filter" err &&
	printf "#include <perf/perf_dlfilter.h>\nint filter_event(void *d, const struct perf_dlfilter_sample *s, void *c) { return -5; }\n" >bad.c && filter bad &&
	test_must_fail perf script -f -i "$small/fp.data" --dlfilter ./bad.so >out 2>err && test_grep "^Error: the filter ../bad.so. returned -5 for a sample$" err && ! test -s out
'
test_expect_success PYSCRIPT 'samples of scripts, too' '
	filter all && printf "n = 0\ndef process_event(d):\n    global n\n    n += 1\ndef trace_end():\n    print(\"n\", n)\n" >n.py &&
	perf script -f -i "$small/fp.data" --dlfilter ./all.so -s n.py >out && total=$(sed -n "s/^stop \([0-9]*\) .*/\1/p" out) && test_grep "^n $(( (total + 1) / 2 ))$" out
'
test_expect_success CXX 'the header compiles as C++, and with all warnings' '
	printf "#include <perf/perf_dlfilter.h>\n" >h.cc && c++ -Wall -Wextra -Werror -I"$TOP/include" -c -o h.o h.cc && cc -std=c99 -Wall -Wextra -Werror -I"$TOP/include" -x c -c -o h.o h.cc
'

test_done
