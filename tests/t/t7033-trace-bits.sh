#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace --style=strace: each bit of each argument as strace writes it'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/syscmp.sh"

test_workload sysbits

# Calls that no kernel has any more, and those of which strace tells something else (what rt_sigreturn returns to, the data of ptrace).
cat >left-out <<\X
_sysctl afs_syscall create_module epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg lookup_dcookie nfsservctl putpmsg
query_module security tuxcall vserver ptrace restart_syscall rt_sigreturn kexec_load kexec_file_load
X

# bits.py DIFFERENCES VERSION: how many lines are equal; false if more differ than the file explains, call by call. A value that this strace does not know may have a name here; pointers that lead nowhere
# are [] or "" there when they have no elements; a 0 of some kinds is NULL.
cat >bits.py <<\X
import re, sys
left = set(open('left-out').read().split())
def lines(path):
    for l in open(path, errors='replace'):
        l = re.sub(r'^\d+ +', '', l.rstrip('\n'))
        yield re.sub(r'\) += ', ') = ', re.sub(r'AT_FDCWD<[^>]*>', 'AT_FDCWD', l))
n, same, differ = 0, 0, {}
for a, b in zip(lines('strace.out'), lines('perf.out')):
    name = a.split('(')[0]
    if name in left or not a.endswith('EXDEV (Invalid cross-device link)'):
        continue
    n += 1
    if a == b:
        same += 1
    elif name == b.split('(')[0] and ('???' in a or a.count('0x') > b.count('0x') or re.search(r'\[\]|""', a)):
        n -= 1
    else:
        differ.setdefault(name, []).append((a, b))
print('%d of %d lines, %d calls differ' % (same, n, len(differ)))
for name, pairs in sorted(differ.items()):
    print(name, len(pairs))
    for a, b in pairs[:3]:
        print('-%s\n+%s' % (a, b))
# Other versions of strace know other names: of theirs as many lines may differ in all.
may = {l.split()[0]: int(l.split()[1]) for l in open(sys.argv[1]) if l[0] != '#'}
more = ['%s: %d lines, not %d' % (k, len(v), may.get(k, 0)) for k, v in sorted(differ.items()) if len(v) > may.get(k, 0)]
print('\n'.join(more))
sys.exit(n < 80000 or (bool(more) if sys.argv[2] == '6.1' else n - same > sum(may.values())))
X

test_expect_success X86_64 'every argument of every call' '
	./sysbits; [ $? = 77 ] && { test_skip "no seccomp here"; return; }
	test_status 200 strace -f -yy -qq -o strace.out ./sysbits </dev/null >/dev/null 2>&1 &&
	test_status 200 perf trace --style=strace -e quiet=exit -e signal=none -o perf.out ./sysbits </dev/null >/dev/null 2>&1 &&
	test "$(wc -l <strace.out)" = "$(wc -l <perf.out)" &&
	python3 bits.py "$TEST_DIR/../data/sysbits.differences" "$(strace -V | sed -n "1s/.* version //p")"
'

test_done
