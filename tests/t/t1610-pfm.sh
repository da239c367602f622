#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='names of vendors, through libpfm4: what they ask of the kernel'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq PFM 'needs a perf with libpfm4' 'perf check feature -q libpfm4'
test_lazy_prereq X86 'the numbers are those of x86-64' '[ "$(uname -m)" = x86_64 ]'
test_lazy_prereq OPENS 'needs root, its own mounts, and build/helper/attr-opens (make tests)' \
	'[ "$(id -u)" = 0 ] && unshare -m true && [ -x "$BUILD/helper/attr-opens" ]'
test_require PFM,X86
opens () { LIBPFM_FORCE_PMU=$1 "$BUILD/helper/attr-opens" -d "$TOP/tests/roots/attrs/sys/bus/event_source/devices" "$2" "$BUILD/perf"; }
# The type, the config, what is left out, the precision and the group of each event.
short () { awk '/^=/ || /^refused/ { print } /^t=4/ { r = $1 " " $2; for (i = 3; i <= NF; i++) if ($i ~ /^(exclude_(user|kernel)|precise_ip|group)/) r = r " " $i; print r }'; }

# Event, mask << 8, inv << 23 and cmask << 24 as in the tables of the Intel SDM 3B and the AMD PPR.
test_expect_success OPENS '-e: names of an Intel processor, with masks and settings' '
	printf "%s\n" INST_RETIRED:ANY_P inst_retired:any_p:u:c=1:i skl::LONGEST_LAT_CACHE:MISS INST_RETIRED:PREC_DIST:precise=1 \
		"{INST_RETIRED:ANY_P:k,LONGEST_LAT_CACHE:MISS}" >events &&
	opens skl stat <events | short >actual && cat >expect <<-\EOF && test_cmp expect actual
	= INST_RETIRED:ANY_P
	t=4 c=c0
	= inst_retired:any_p:u:c=1:i
	t=4 c=18000c0 exclude_kernel
	= skl::LONGEST_LAT_CACHE:MISS
	t=4 c=412e
	= INST_RETIRED:PREC_DIST:precise=1
	t=4 c=1c0 precise_ip=1
	= {INST_RETIRED:ANY_P:k,LONGEST_LAT_CACHE:MISS}
	t=4 c=c0 exclude_user
	t=4 c=412e group=0
	EOF
'
test_expect_success OPENS '--pfm-events: of an AMD processor, alone and beside -e, in a group, with record' '
	printf "%s\n" "stat --pfm-events RETIRED_INSTRUCTIONS:u,{RETIRED_BRANCH_INSTRUCTIONS,RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED} -e page-faults" \
		"record -F 99 --pfm-events retired_instructions" >lines &&
	opens amd64_fam19h_zen3 line <lines >all && short <all >actual && grep "^t=1 c=2 " all && grep "^t=4 c=c0 F=99 " all && { head -n 1 lines | sed "s/^/= /" &&
	printf "%s\n" "t=4 c=c0 exclude_kernel" "t=4 c=c2" "t=4 c=c3 group=1" && tail -n 1 lines | sed "s/^/= /" && echo "t=4 c=c0"; } >expect && test_cmp expect actual
'
test_expect_success 'names that are none, and names of the kernel in --pfm-events' '
	export LIBPFM_FORCE_PMU=skl &&
	test_status 129 perf stat --pfm-events nosuch true 2>err && test_grep "libpfm4: event not found: .nosuch." err && test_grep "^Run .perf list pfm." err &&
	test_status 129 perf stat --pfm-events INST_RETIRED:nosuch true 2>err && test_grep "libpfm4: invalid event attribute: .INST_RETIRED:nosuch." err &&
	test_status 129 perf stat --pfm-events "INST_RETIRED:ANY_P,,x" true 2>err && test_grep "expected the name of an event" err &&
	test_status 129 perf stat -e INST_RETIRED:nosuch true 2>err && test_grep "unknown tracepoint" err &&
	test_status 129 perf stat -e nosuchevent true 2>err && test_grep "Bad event name" err
'
test_expect_success PERF_CGROUP '--pfm-events: the same events once more for each cgroup' '
	unset LIBPFM_FORCE_PMU && perf stat -x, -o out -a --pfm-events perf::PERF_COUNT_SW_PAGE_FAULTS --for-each-cgroup /,/ sleep 0.01 && grep -c "perf::PERF_COUNT_SW_PAGE_FAULTS" out >n && echo 2 >expect && test_cmp expect n
'
test_expect_success 'perf list pfm: each name can be given to -e, and has a description' '
	LIBPFM_FORCE_PMU=skl perf list --raw-dump pfm | tr " " "\n" | grep . >names && [ $(wc -l <names) -gt 200 ] && grep -x "skl::INST_RETIRED:ANY_P" names &&
	! grep -v "^skl::" names && LIBPFM_FORCE_PMU=skl perf list -d pfm >text && grep -A1 "skl::INST_RETIRED:ANY_P " text | tail -n 1 | grep "\[.*[a-z].*\]" &&
	LIBPFM_FORCE_PMU=skl perf list -j pfm >json && python3 -c "import json; assert len(json.load(open(\"json\"))) > 200"
'
test_done
