#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat, perf record: what each event string and option asks of the kernel, as upstream perf 7.2 asks it'
. "$(dirname "$0")/lib.sh"

# tests/data/attrs/KIND.want is what 7.2 opens for each of its lines (see tests/helper/attr-opens.c); "differences" has the lines where
# ours opens something else, each with the reason: one more or one less is a failure. After a change of the lines themselves
#	UPDATE=1 tests/t/t1600-attrs.sh
# asks 7.2 for all of them again (4 minutes); otherwise it is asked for some.
DATA=$TOP/tests/data/attrs
test_lazy_prereq X86 'the numbers are those of x86-64' '[ "$(uname -m)" = x86_64 ]'
test_lazy_prereq NEW_KERNEL 'needs a kernel that takes all attr bits (6.13)' \
	'printf "6.13\n%s\n" "$(uname -r)" | sort -V -C'
test_lazy_prereq CPU1 'needs CPUs 0 and 1' '[ -e /sys/devices/system/cpu/cpu1 ] && grep -q "^0-" /sys/devices/system/cpu/online'
test_lazy_prereq MOUNTS 'needs its own mounts' 'unshare -m true'
test_require ROOT,X86,NEW_KERNEL,CPU1,MOUNTS,SYSCALLS,PYTHON
[ -x "$BUILD/helper/attr-opens" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/attr-opens" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/attr-opens (make tests)'

pmus () { case $1 in hybrid-*) echo attrs-hybrid ;; *) echo attrs ;; esac; }
# cgroup: lines, too, that need its hierarchy.
kind () { k=${1#hybrid-}; echo "${k/cgroup/line}"; }
opens () { "$BUILD/helper/attr-opens" -d "$TOP/tests/roots/$(pmus $1)/sys/bus/event_source/devices" "$(kind $1)" "$2"; }
compare () { python3 "$TEST_DIR/attrcmp.py" "$@"; }
lines () { sed -n 's/^= //p' "$DATA/$1.want"; }
ours () { lines $1 | opens $1 "$BUILD/perf" >ours.$1; }
all='stat record line hybrid-stat hybrid-record hybrid-line'

if [ -n "${UPDATE:-}" ]; then
	test_require NEWEST,PERF_CGROUP
	for k in $all cgroup; do
		lines $k | opens $k "$NEWEST" >want.$k && python3 "$TEST_DIR/attrcmp.py" --names want.$k >"$DATA/$k.want"
	done
fi

ours stat & stat=$!
for k in record line hybrid-stat hybrid-record hybrid-line; do ours $k; done
wait $stat

for k in $all; do
	test_expect_success "$k: as 7.2, or different for a reason" "compare $k \"$DATA/$k.want\" ours.$k \"$DATA/differences\""
done

test_expect_success PERF_CGROUP 'cgroups: as 7.2, or different for a reason' '
	ours cgroup && compare cgroup "$DATA/cgroup.want" ours.cgroup "$DATA/differences"
'

test_expect_success NEWEST '7.2 still does what is written here' '
	: >none && for k in stat record hybrid-stat; do
		lines $k | awk -v all=$(lines $k | wc -l) "NR % int(all / 6 + 1) == 1" >some && opens $k "$NEWEST" <some >now &&
		compare $k "$DATA/$k.want" now none || return 1
	done
'

# In which order is the file system's there and by name here; ours takes globs of systems, too (*:sched_switch).
test_expect_success NEWEST 'tracepoints by globs: the same ones' '
	printf "sched:sched_s*\nsched:*switch\nsched:sched_[sw]*\nsyscalls:sys_enter_open*:u\n" >globs &&
	for k in stat record; do
		opens $k "$BUILD/perf" <globs >mine && opens $k "$NEWEST" <globs >theirs &&
		for f in mine theirs; do sed "s/ side-band//; s/sample_type=[0-9a-f]* //; s/read_format=[0-9a-f]* //" $f | sort >$f.s; done &&
		test $(wc -l <mine) -gt 5 && test_cmp theirs.s mine.s || return 1
		printf "sched:sched_[sw]*\n" >globs
	done
'

test_done
