#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='two containers with different programs at the same path: rows and names of each'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq NAMESPACE 'needs root, unshare and mount namespaces' 'test_have ROOT && unshare -mC true'
test_require PERF_SW,CC,NAMESPACE
test_workload counted
cc -g -O1 -fno-inline -fno-omit-frame-pointer -fno-optimize-sibling-calls -D_GNU_SOURCE -pthread -Dtouch_pages=other_pages \
	-o two "$TOP/tests/workloads/counted.c"
cp counted one
mkdir box cg

# A hierarchy whose groups are still being taken down stays when it is unmounted: it is mounted and unmounted again until it is as
# it was found.
cgroups_end () {
	rmdir cg/perf-$$-a cg/perf-$$-b
	umount cg
	[ -z "$found_v2" ] || test_wait_for 20 '! grep -q "[:,]perf_event[:,]" /proc/self/cgroup || { mount -t cgroup -o perf_event none cg && umount cg; false; }'
}
found_v2=1
! grep -q "[:,]perf_event[:,]" /proc/self/cgroup || found_v2=
# The hierarchy that perf_event counts by, mounted at ./cg
cgroups_start () {
	mount -t cgroup -o perf_event none cg || mount -t cgroup2 none cg || return 1
	mkdir cg/perf-$$-a cg/perf-$$-b && return
	umount cg
	return 1
}
# Both at once: both wait until the other has started, so that the recorder knows both before their files are gone with them.
cat >both.sh <<'EOF'
for i in a b; do
	( [ -z "$CG" ] || echo 0 >cg/$CG-$i/cgroup.procs
	  case $i in a) prog=one n=40 ;; b) prog=two n=60 ;; esac
	  exec unshare -mC sh -c "mount -t tmpfs none box && cp $prog box/app && exec box/app depth 2 wait faults $n" <in.$i >out.$i ) &
done
wait
EOF
# Dumps of all stacks of both at once, while the recorder does not run: with 4M they were lost.
record_both () {
	rm -f in.? out.? && mkfifo in.a in.b &&
	{ perf record -q --namespaces $1 --call-graph $2 -m 16M -e page-faults:u -c 1 -o $3 -- sh both.sh & } &&
	recorder=$! && test_kill_at_end $recorder && exec 5>in.a 6>in.b &&
	test_wait_for 60 'grep -q ready out.a && grep -q ready out.b && [ "$(ls -l /proc/$recorder/fd | grep -c -e "-> .*box/app")" -ge 2 ]' &&
	echo >&5 && echo >&6 && exec 5>&- 6>&- && wait $recorder
}

rows () { perf report -i "$1" --stdio --no-children -g none "${@:2}" 2>err | grep -v -e "^#" -e "^$" | grep "app"; }

test_expect_success 'each has the names of its own program' '
	for mode in fp dwarf; do
		record_both "" $mode ns.data && rows ns.data -s dso,sym -F sample,dso,sym >out &&
		test_grep "^ *40 +app .* touch_pages *$" out && test_grep "^ *60 +app .* other_pages *$" out &&
		! perf script --no-inline -i ns.data --comm app -F ip,sym,dso 2>/dev/null | grep "\[unknown\] (.*box/app" &&
		rm -rf .home/.debug || { echo "with $mode"; cat out err; perf report -i ns.data --stats; return 1; }
	done
'

test_expect_success 'cgroup namespaces are distinguished' '
	rows ns.data -s cgroup_id,dso -F sample,cgroup_id,dso >out && test "$(awk "{ print \$2 }" out | sort -u | wc -l)" = 2 &&
	! grep -w 0/0x0 out
'

test_expect_success UPSTREAM 'by the ids that upstream perf shows' '
	"$UPSTREAM" report -i ns.data --stdio --no-children -g none -s cgroup_id -F sample,cgroup_id 2>/dev/null | awk "NF == 2 && !/#/" | sort >expect &&
	perf report -i ns.data --stdio --no-children -g none -s cgroup_id -F sample,cgroup_id 2>/dev/null | awk "NF == 2 && !/#/" | sort >out &&
	test -s expect && test_cmp expect out
'

test_expect_success 'cgroups: a row for each' '
	cgroups_start || { test_skip "no hierarchy of cgroups can be mounted"; return; }
	CG=perf-$$ record_both --all-cgroups fp cg.data; status=$?
	cgroups_end
	test $status = 0 || return 1
	rows cg.data -s cgroup,dso,sym -F sample,cgroup,dso,sym >out
	grep -q perf-$$ out || { test_skip "the hierarchy is not the one of perf_event"; return; }
	test_grep "^ *40 +/.*perf-$$-a +app .* touch_pages *$" out && test_grep "^ *60 +/.*perf-$$-b +app .* other_pages *$" out
'

# ---- code made at run time: both are process 1 of their containers, and remove their maps when they end

test_workload agent
sed 's/jitted_loop/second_loop/' "$TOP/tests/workloads/agent.c" >agent2.c
mkdir -p root/tmp && for lib in $(ldd agent | grep -o '/[^ )]*'); do mkdir -p root/"${lib%/*}" && cp -L "$lib" root/"$lib"; done
cp agent root/
cat >boxes.sh <<\END
for i in "" 2; do
	unshare -mpf sh -c "mount -t tmpfs none root/tmp && exec chroot root /agent$i 400 jit" >pid$i &
done
wait
END
test_expect_success X86_64 'perf maps of containers that are gone when the recording is read' '
	cc -O1 -o root/agent2 agent2.c && perf record -q -F 999 -e cpu-clock:u -g -o boxes.data -- sh boxes.sh && test "$(cat pid pid2 | tr -d "\n")" = 11 &&
	perf report -i boxes.data --stdio -g none --no-children -s pid,dso,sym -F sample,pid,dso,sym 2>err | grep "perf-[0-9]*\.map" >rows &&
	awk "{ print \$NF }" rows | sort >out && printf "%s\n" jitted_loop second_loop >want && test_cmp want out && awk "\$1 < 50 { exit 1 }" rows &&
	perf buildid-list -i boxes.data | grep "/tmp/perf-[0-9]*\.map$" >ids && test "$(wc -l <ids)" = 2
'
test_expect_success UPSTREAM,X86_64 'upstream perf reads that recording' '
	"$UPSTREAM" report -i boxes.data --stdio -g none --no-children -s comm -F sample,comm >out 2>err && test_grep " agent *$" out &&
	test_grep " agent2 *$" out && ! grep -i -E "error|corrupt|invalid" err
'

# Both write /tmp/jit-1.dump, each in a /tmp of its own, which is gone with them.
test_workload jit
sed 's/return 0;$/sleep(1);\n\treturn 0;/' "$TOP/tests/workloads/jit.c" >jit1.c && sed 's/"jit_second"/"jit_other"/' jit1.c >jit2.c
for lib in $(ldd jit | grep -o '/[^ )]*'); do mkdir -p root/"${lib%/*}" && cp -L "$lib" root/"$lib"; done
sed 's|exec chroot.*"|exec chroot root /jit$i /tmp >/dev/null"|' boxes.sh >dumps.sh
test_expect_success X86_64 'jitdumps of containers that are gone when perf inject runs' '
	grep -q jit_other jit2.c && cc -O1 -w -o root/jit jit1.c && cc -O1 -w -o root/jit2 jit2.c && perf record -q -k mono -e page-faults:u -c 1 -o dumps.data -- sh dumps.sh &&
	test -z "$(ls root/tmp)" && perf inject -j -i dumps.data -o jitted.data 2>err &&
	perf report -i jitted.data --stdio -s sym -F sample,sym 2>err2 | awk "\$NF ~ /^jit_/ { n[\$NF] += \$1 } END { for (i in n) print n[i], i }" | sort -k2 >out &&
	printf "%s\n" "80 jit_first" "40 jit_lines" "160 jit_other" "160 jit_second" >want && test_cmp want out &&
	perf buildid-list -i dumps.data | grep -c "/proc/[0-9]*/root/tmp/jit-[0-9]*\.dump$" >n && grep -qx 2 n
'

test_done
