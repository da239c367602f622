#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: yes
test_description='rights: what each command does with them and without, and who is blamed, as Documentation/RIGHTS.md says'
. "$(dirname "$0")/lib.sh"

test_require ROOT,CC,PYTHON
. "$TEST_DIR/rights.sh"
trap 'status=$?; rights_restore; (exit $status); test_at_exit' EXIT
doc=$TOP/Documentation/RIGHTS.md
py () { PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/rights.py" "$@"; }
rights_prepare || test_skip_all 'the programs do not compile'
rights_as host none
"${as[@]}" perf version >/dev/null 2>&1 || test_skip_all 'perf cannot be run by others: its directory is closed'

test_lazy_prereq CELLS 'needs mount and user namespaces' 'unshare -mpf sh -c "umount -lR /sys && mount -t sysfs -o ro sysfs /sys" && unshare -U -r true'
# The levels and what is hidden are those of the kernel that the document is about.
test_lazy_prereq LIKE_DOC 'the kernel is not as that of the document: BPF, BTF, tracefs for root, uprobes, kptr_restrict 0' \
	'test_have BPF,UPROBES,TRACEFS && [ "$(cat /proc/sys/kernel/kptr_restrict)" = 0 ] && ! "${as[@]}" ls /sys/kernel/tracing/events'
test_lazy_prereq LEVELS 'kernel.perf_event_paranoid cannot be set' \
	'echo 3 >/proc/sys/kernel/perf_event_paranoid && "${as[@]}" perf stat -e task-clock:u true; r=$?; rights_restore; [ $r = 0 ]'

# cells LEVEL "PLACES" "RIGHTS"
cells () { rights_run $1 "$2" "$3" lines; }

test_expect_success 'the document: each refusal names a true cause, and its hint helps' 'py check "$doc"'
test_expect_success 'a false blame, a hint that does not help and silence are noticed' '
	bad () { printf "%s\t%s\t%s\t%s\t%s\t%s\n" "$@" >bad && py check bad >out; [ $? = 1 ] && test_grep "^$(($# / 6)) cells, [12] unexplained$" out; } &&
	level="Error: cannot open event Hint: perf_event_paranoid is L. Now: sudo sysctl kernel.perf_event_paranoid=1" &&
	bad 2 container root stat no "$level" && bad 1 host none top no "$level" && bad 2 host none stat no "Error: Permission denied" &&
	bad 2 host none record silent "" && bad 2 nosys root list no "Error: there is no tracefs Hint: rebuild with CONFIG_FTRACE" &&
	bad 2 readonly none probe no "Error: read-only Hint: run as root" 2 readonly root probe no "Error: read-only Hint: run as root"
'
test_expect_success CELLS,LIKE_DOC,LEVELS 'the machine itself: levels for a user without rights' '
	rm -f lines && cells -1 host none && cells 0 host none && cells 1 host none && cells 2 host none && cells 4 host none &&
	py compare "$doc" lines
'
test_expect_success CELLS,LIKE_DOC,LEVELS 'capabilities' '
	rm -f lines && cells 2 host "bpf perfmon bpf+perfmon root" && py compare "$doc" lines
'
test_expect_success CELLS,LIKE_DOC,LEVELS 'a container: the filter is blamed, not the level; what is added helps' '
	rm -f lines && cells -1 container none && cells 2 container "none bpf perfmon bpf+perfmon root" && py compare "$doc" lines
'
test_expect_success CELLS,LIKE_DOC,LEVELS 'a user namespace, whose root is none' '
	rm -f lines && cells 2 userns "none root" && py compare "$doc" lines
'
test_expect_success CELLS,LIKE_DOC,LEVELS 'read-only file systems, and no /sys' '
	rm -f lines && cells 2 "readonly nosys" "none root" && py compare "$doc" lines
'

test_done
