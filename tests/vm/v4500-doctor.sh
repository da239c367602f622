#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf doctor (VM): each fix about a machine, followed to the letter, removes its finding'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
test_lazy_prereq UTIL_LINUX 'needs setpriv, prlimit and unshare (package util-linux)' 'setpriv --version && prlimit --version && unshare --version'
test_require CC,UTIL_LINUX
# Not in a VM, but by a made tree (t4500): hardware counters and the NMI watchdog (the emulated machine has no PMU), a kernel without types
# or options (the fix is another kernel), what perf was built without.
mkdir -p files/pkg/boot
for p in setpriv prlimit unshare; do vm_copy_program files "$(command -v $p)" || test_skip_all "$p cannot be copied"; done
# The package that has the kernel's configuration; apt-get of the guest has this one alone.
cp "$vm_root/boot/config-$vm_kernel" files/pkg/boot/ || test_skip_all 'the kernel package has no configuration'
cc -static -O1 -o files/bin/filter "$TOP/tests/vm/filter.c" || test_skip_all 'no static programs can be made'
vm_files=$(echo files/*)
VM_TIMEOUT=${VM_TIMEOUT:-900}		# sixty runs of perf

cat >guest.sh <<\GUEST
O=/out; cd /root
K=/proc/sys/kernel
printf '#!/bin/sh\nexec "$@"\n' >/bin/sudo; chmod 755 /bin/sudo
mkdir -p /home/u /boot; chmod 777 /home/u /tmp; chmod 755 / /bin
printf '#!/bin/sh\n[ "$*" = "install linux-image-$(uname -r)" ] && cp /pkg/boot/* /boot/\n' >/bin/apt-get; chmod 755 /bin/apt-get
user () { /bin/setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
as=user
doctor () { HOME=/home/u $as perf doctor >last 2>&1; cat last >>$O/all; }
state () { awk -v c="$1" '$2 == c { print $1; exit }' last; }
fix () { awk -v c="$1" 'found { if (sub(/^ *fix: /, "")) print; exit } $1 != "ok" && $2 == c { found = 1 }' last; }
well () {
	echo -1 >$K/perf_event_paranoid; echo 0 >$K/kptr_restrict; echo 516 >$K/perf_event_mlock_kb
	echo 25 >$K/perf_cpu_time_max_percent; echo 100000 >$K/perf_event_max_sample_rate; echo 127 >$K/perf_event_max_stack
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
# The same where one fix leads to the next one: until all is well, three at most.
try_on () {
	local name=$1 check=$2 states cmd n=0
	shift 2
	well; eval "$*"; doctor
	states=$(state $check)
	while [ "$(state $check)" != ok ] && [ $n -lt 3 ]; do
		cmd=$(fix $check); n=$((n + 1))
		echo "$name: $(state $check): $cmd" >>$O/fixes
		eval "$cmd" >/dev/null 2>>$O/errors; doctor
		states="$states $(state $check)"
	done
	echo "$name $states" >>$O/states
}
# Where the fix is no command: AFTER is what it says.
try_words () {
	local name=$1 check=$2 after=$3 before
	shift 3
	well; eval "$*"; doctor
	before=$(state $check); fix $check >$O/words.$name
	eval "$after"; doctor
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
as=user
try rate0 perf_event_max_sample_rate 'echo 1000 >$K/perf_event_max_sample_rate; echo 0 >$K/perf_cpu_time_max_percent'
try config kernel :
try_on tracefs0 tracefs 'umount /sys/kernel/tracing; umount /sys/kernel/debug'
no_sysfs () { umount /sys/kernel/tracing; umount /sys; [ ! -e /sys/kernel ]; }
try types BTF no_sysfs
try_on sysfs tracefs no_sysfs
as=
try kptr2root kptr_restrict 'echo 2 >$K/kptr_restrict'
# Root of a container without these rights.
as="/bin/setpriv --bounding-set=-syslog,-perfmon,-sys_admin --inh-caps=-all"
try kptrcap kptr_restrict 'echo 1 >$K/kptr_restrict'
try paranoidcap perf_event_paranoid 'echo 2 >$K/perf_event_paranoid'
# In a user namespace; what is said to be done outside of it is done there.
as="user /bin/unshare -r"
try paranoidns perf_event_paranoid 'echo 2 >$K/perf_event_paranoid'
try_words kptrns kptr_restrict as= 'echo 1 >$K/kptr_restrict'
as="/bin/filter perf_event_open,bpf"
try_words filter perf_event_open 'as="/bin/filter bpf"' :
as="/bin/filter perf_event_open,bpf"
try_words filterbpf bpf 'as="/bin/filter perf_event_open"' :
GUEST
cat >lockdown.sh <<\GUEST
mount -t securityfs s /sys/kernel/security
perf doctor >/out/doctor 2>&1
GUEST

# The emulation of a guest with two CPUs crashes now and then on a busy host, at the patching of its kernel's code.
guest () {
	local i status
	for i in 1 2 3; do
		vm_run ${1:-guest.sh}
		status=$?
		[ $status = 125 ] || break
	done
	return $status
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
rate0 bad ok
config note ok
tracefs0 bad bad ok
types note ok
sysfs bad ok
kptr2root bad ok
kptrcap bad ok
paranoidcap bad ok
paranoidns bad ok
kptrns bad ok
filter bad ok
filterbpf note
END
test_expect_success 'each finding is there, and after its fix it is not' '
	sed "s/ $//" out/states >states && { test_cmp expect states || { cat out/fixes out/errors; false; }; }
'
test_expect_success 'a fix is a command, nothing else' '
	sed "1d; s/^[a-z0-9]*: [a-z]*: //" out/fixes >commands && test_grep "^sudo sysctl -w kernel" commands &&
	! grep -vE "^(sudo |sysctl |export )" commands
'
test_expect_success 'where it is none, it names what is to be done' '
	test_grep "root outside of this user namespace" out/words.kptrns && test_grep "seccomp filter.* forbids perf_event_open .*allow it there" out/words.filter &&
	test_grep "seccomp filter.* forbids bpf .*allow it there" out/words.filterbpf
'
test_expect_success 'lockdown: by the command line that it names the finding is not there' '
	vm_append=lockdown=confidentiality && guest lockdown.sh && test_grep "^bad   lockdown +confidentiality: " out/doctor &&
	vm_append=$(sed -n "/^bad   lockdown/{n;s/^ *fix: boot with \(.*\) on the kernel.s command line$/\1/p}" out/doctor) && test "$vm_append" &&
	guest lockdown.sh && test_grep -v lockdown out/doctor && test_grep "^ok    perf_event_open" out/doctor
'
test_done
