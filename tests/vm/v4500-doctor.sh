#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf doctor (VM): each fix about a machine, followed to the letter by an ordinary user with sudo, removes its finding'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
test_lazy_prereq UTIL_LINUX 'needs setpriv and prlimit (package util-linux)' 'setpriv --version && prlimit --version'
test_require UTIL_LINUX
mkdir files
vm_copy_program files "$(command -v setpriv)" && vm_copy_program files "$(command -v prlimit)" || test_skip_all 'setpriv cannot be copied'
vm_files=$(echo files/*)

cat >guest.sh <<\GUEST
O=/out; cd /root
K=/proc/sys/kernel
printf '#!/bin/sh\nexec "$@"\n' >/bin/sudo; chmod 755 /bin/sudo
mkdir -p /home/u; chmod 777 /home/u /tmp; chmod 755 / /bin
user () { /bin/setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
as=user
doctor () { HOME=/home/u $as perf doctor >last 2>&1; cat last >>$O/all; }
state () { awk -v c="$1" '$2 == c { print $1; exit }' last; }
fix () { awk -v c="$1" 'found { if (sub(/^ *fix: /, "")) print; exit } $1 != "ok" && $2 == c { found = 1 }' last; }
well () {
	echo -1 >$K/perf_event_paranoid; echo 0 >$K/kptr_restrict; echo 516 >$K/perf_event_mlock_kb
	echo 100000 >$K/perf_event_max_sample_rate; echo 127 >$K/perf_event_max_stack
}
# NAME CHECK what spoils the machine...
try () {
	local name=$1 check=$2 before cmd
	shift 2
	well; eval "$*"; doctor
	before=$(state $check); cmd=$(fix $check)
	echo "$name: $before: $cmd" >>$O/fixes
	eval "$cmd" >/dev/null 2>>$O/errors; doctor
	echo "$name $before $(state $check)" >>$O/states
}
try none perf_event_paranoid :
try paranoid2 perf_event_paranoid 'echo 2 >$K/perf_event_paranoid'
try paranoid3 perf_event_paranoid 'echo 3 >$K/perf_event_paranoid'
try paranoid0 perf_event_paranoid 'echo 0 >$K/perf_event_paranoid'
try open perf_event_open 'echo 3 >$K/perf_event_paranoid'
try kptr1 kptr_restrict 'echo 1 >$K/kptr_restrict'
try kptr2 kptr_restrict 'echo 2 >$K/kptr_restrict; echo 2 >$K/perf_event_paranoid'
try kptr0 kptr_restrict 'echo 2 >$K/perf_event_paranoid'
try mlock perf_event_mlock_kb 'echo 64 >$K/perf_event_mlock_kb'
try rate perf_event_max_sample_rate 'echo 1000 >$K/perf_event_max_sample_rate'
try stack perf_event_max_stack 'echo 16 >$K/perf_event_max_stack'
try tracefs tracefs 'mount -o remount,mode=700 /sys/kernel/tracing'
ulimit -n 256
try files ulimit :
try debuginfod debuginfod 'unset DEBUGINFOD_URLS'
as=
try kptr2root kptr_restrict 'echo 2 >$K/kptr_restrict'
GUEST

# The emulation of a guest with two CPUs crashes now and then on a busy host, at the patching of its kernel's code.
guest () {
	local i status
	for i in 1 2 3; do
		vm_run guest.sh
		status=$?
		[ $status = 125 ] || return $status
	done
}
test_expect_success 'the guest runs' 'guest || { cat out/log; false; }'
cat >expect <<\END
none ok ok
paranoid2 bad ok
paranoid3 bad ok
paranoid0 note ok
open bad ok
kptr1 bad ok
kptr2 bad ok
kptr0 bad ok
mlock bad ok
rate bad ok
stack note ok
tracefs bad ok
files note ok
debuginfod note ok
kptr2root bad ok
END
test_expect_success 'each finding is there, and after its fix it is not' '
	{ test_cmp expect out/states || { cat out/fixes out/errors; false; }; }
'
test_expect_success 'a fix is a command, nothing else' '
	sed "1d; s/^[a-z0-9]*: [a-z]*: //" out/fixes >commands && test_grep "^sudo sysctl -w kernel" commands &&
	! grep -vE "^(sudo |sysctl |export )" commands
'
test_done
