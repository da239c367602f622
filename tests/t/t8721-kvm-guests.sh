#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='kernels of guests: their functions have names where their symbols are given'
. "$(dirname "$0")/lib.sh"
test_require PYTHON

guest () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/guest.py" "$@"; }
cat >symbols <<-\END
ffffffff81000000 T _text
ffffffff81000000 T start_guest
ffffffff81000200 t guest_work
ffffffff81000400 T guest_idle
ffffffff81002000 T _etext
ffffffffc0000000 t virtnet_poll	[virtio_net]
ffffffffc0000100 t virtnet_end	[virtio_net]
END
echo 'virtio_net 16384 0 - Live 0xffffffffc0000000' >modules
mkdir -p mnt/50/proc mnt/60/proc mnt/other && cp symbols mnt/50/proc/kallsyms && cp modules mnt/50/proc && echo 'ffffffff81000000 T wrong_guest' >mnt/60/proc/kallsyms
guest plain.data && guest any.data 0 && guest own.data 50
names () { perf script -F ip,sym,dso -i "$@" | sed 's/^ *[0-9a-f]* //'; }
cat >named <<-\END
start_guest ([guest.kernel.kallsyms])
guest_work ([guest.kernel.kallsyms])
guest_idle ([guest.kernel.kallsyms])
virtnet_poll ([virtio_net])
[unknown] ([unknown])
[unknown] ([unknown])
[unknown] ([unknown])
END
test_expect_success 'one for all: --guestkallsyms, with and without what the recording says of it' '
	for f in plain any; do
		names $f.data --guestkallsyms symbols --guestmodules modules >out && test_cmp named out || return 1
	done &&
	names plain.data >out && [ "$(grep -c "^.unknown. (.unknown.)$" out)" = 7 ] &&
	names plain.data --guestkallsyms symbols >out && test_grep "^guest_work " out && ! grep virtio_net out
'
test_expect_success 'each has its own: --guestmount' '
	for f in plain own; do names $f.data --guestmount mnt >out && test_cmp named out || return 1; done
'
test_expect_success 'report and kvm report' '
	perf report --stdio -q -s dso,sym --guestkallsyms symbols -i plain.data >out && test_grep "14.29% +.guest.kernel.kallsyms. +.g. guest_work *$" out &&
	perf kvm --guestkallsyms symbols --guestmodules modules -i plain.data report --stdio -q -s dso,sym >out &&
	test_grep "14.29% +.virtio_net. +.g. virtnet_poll *$" out && test_grep "14.29% +.guest.kernel.kallsyms. +.g. start_guest *$" out
'
test_expect_success 'files that cannot be read' '
	for o in kallsyms vmlinux mount; do
		test_status 1 perf script -i plain.data --guest$o nosuch 2>err && test_grep "^Error: cannot read .* .nosuch.: No such file" err || return 1
	done &&
	test_status 1 perf script -i plain.data --guestkallsyms symbols --guestmodules nosuch 2>err && test_grep "cannot read the modules of guests from .nosuch." err
'
# Upstream leaves the samples of guests out unless it is given something; their tasks have no names there, and modules no symbols.
test_expect_success NEWEST 'the same as upstream' '
	"$NEWEST" script -F ip,sym,symoff,dso -i any.data --guestkallsyms symbols 2>/dev/null | grep -v virtio >theirs &&
	perf script -F ip,sym,symoff,dso -i any.data --guestkallsyms symbols --guestmodules modules | grep -v virtio >ours && test_grep guest_idle.0xc00 ours && test_cmp theirs ours
'
test_done
