#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf archive: packed here, unpacked there, the report is the same'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq TAR 'needs tar, and bzip2' 'tar --version && command -v bzip2'
test_require PERF_SW,TAR
test_workload counted

report () { perf report --stdio -s dso,sym -F sample,dso,sym "$@" 2>report.err | grep -v "^# (Tip"; }

test_expect_success 'pack' '
	perf record -q -N -e page-faults:u -c 1 -o perf.data ./counted faults 100 &&
	report >expect && test_grep "100 .*touch_pages" expect &&
	perf archive >out && test_grep "perf.data.tar.bz2: .* binaries packed" out &&
	id=$(perf buildid-list -i counted) &&
	tar tf perf.data.tar.bz2 >names &&
	test_grep "^.build-id/${id:0:2}/${id:2}$" names && test_grep "/counted/$id/elf$" names
'

test_expect_success 'in another home, without the program, the report is the same after unpacking' '
	mkdir there away && mv counted away/ && mv .home/.debug old &&
	( export HOME=$PWD/there && ! report | grep touch_pages ) &&
	( export HOME=$PWD/there && perf archive --unpack >out && report >got ) &&
	test_grep "unpacked into $PWD/there/.debug" out &&
	test_cmp expect got
'

test_expect_success UPSTREAM 'upstream perf finds it there too' '
	HOME=$PWD/there "$UPSTREAM" report -i perf.data --stdio -s dso,sym -n 2>/dev/null >out &&
	test_grep " 100 .*touch_pages" out
'

test_expect_success 'what cannot be packed is named' '
	perf archive 2>err >out && test_grep "counted. is not packed" err && test_grep "1 missing" out
'

test_expect_success 'with the recording' '
	rm -rf .home/.debug && mv old .home/.debug && mkdir more more/home &&
	perf archive --all >out && file=$(ls perf.all-*.tar.bz2) && ! test -e perf.data.tar.bz2 &&
	mv "$file" more && cd more &&
	( export HOME=$PWD/home && perf archive --unpack "$file" >out && report >got && perf archive --unpack "$file" 2>err; test $? = 1 ) &&
	cd .. && test_cmp expect more/got && test_grep "perf.data. exists" more/err &&
	test "$(ls -A more | sort | tr "\n" " ")" = "err got home out perf.all-$(ls more | sed -n "s/perf.all-//p") perf.data report.err "
'

test_expect_success 'leaving out' '
	perf buildid-list -i perf.data | grep counted >no &&
	perf archive --exclude-buildids no >out && tar tf perf.data.tar.bz2 >names &&
	! grep "/counted/" names
'

test_expect_success 'mistakes' '
	test_status 1 perf archive nothere.data 2>err && test_grep "nothere.data" err &&
	test_status 129 perf archive a b 2>err &&
	mkdir empty && cd empty && test_status 1 perf archive --unpack 2>../err && cd .. &&
	test_grep "there is no perf.data.tar" err &&
	echo junk >bad.tar.bz2 && test_status 1 perf archive --unpack bad.tar.bz2 2>err && test_grep "tar failed" err
'

test_expect_success 'a file that is a hole of a terabyte does not take for ever' '
	rm -rf hole .home/.debug && mkdir hole && perf record -q -e page-faults:u -c 1 -o hole/perf.data ls / >/dev/null &&
	elf=$(find .home/.debug -name elf -path "*/ls/*") && cp "$elf" copy && rm "$elf" && cp copy "$elf" && truncate -s 1T "$elf" &&
	(cd hole && timeout -k 1 30 perf archive >out 2>err) && test_grep "binaries packed" hole/out &&
	tar tvf hole/perf.data.tar.bz2 | grep "1099511627776.*/ls/.*/elf" && [ "$(stat -c %s hole/perf.data.tar.bz2)" -lt 50000000 ]
'

test_expect_success 'tar ends when perf does, and no half of an archive is left' '
	mkdir -p bin && printf "#!/bin/sh\necho half\necho \$\$ >$PWD/tar.pid\nexec sleep 60\n" >bin/tar && chmod +x bin/tar && rm hole/perf.data.tar.bz2 &&
	{ (cd hole && PATH=$PWD/../bin:$PATH exec perf archive >out 2>err) & } && pid=$! && test_wait_for 10 "test -s tar.pid" &&
	kill -TERM $pid && test_wait_for 10 "! kill -0 $pid 2>/dev/null && ! kill -0 \$(cat tar.pid) 2>/dev/null" && [ "$(ls -A hole)" = "$(printf "err\nout\nperf.data")" ]
'

test_done
