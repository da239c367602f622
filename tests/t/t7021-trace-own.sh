#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace -a does not trace those that show what it prints'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require ROOT,TRACEFS,SYSCALLS,PYTHON

# Whatever comes to be shown makes the reader do what is traced: if it were not left out, this would not end.
cat >reader.py <<'END'
import os, pty, subprocess, sys
how, line = sys.argv[1], sys.argv[2:]
open('reader.pid', 'w').write(str(os.getpid()))
if how == 'pipe':
    fd = subprocess.Popen(line, stderr=subprocess.PIPE).stderr.fileno()
else:
    pid, fd = pty.fork()
    if not pid:
        os.environ['TERM'] = 'xterm'
        os.execvp(line[0], line)
n, text = 0, b''
while n < 200:
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    text += got
    os.mkdir('shown-%s-%d' % (how, n))
    n += 1
open(how + '.out', 'wb').write(text)
END
cat >watch.sh <<'END'
for i in 1 2 3; do mkdir $1-$i; sleep 0.1; done
END
# left_out NAME: others were seen, the reader was not
left_out () {
	test "$(grep -ac "mkdir(pathname: \"$1-[123]\"" "$2")" = 3 && ! grep -a "shown-" "$2"
}

test_expect_success SYSBPF 'the process that reads the output of -a is left out, whatever its name is' '
	python3 reader.py pipe perf trace -a -e mkdir sh watch.sh a && left_out a pipe.out
'

test_expect_success SYSBPF 'and without BPF' '
	rm -rf shown-* && python3 reader.py pipe perf trace --no-bpf -a -e syscalls:sys_enter_mkdir sh watch.sh b &&
	test "$(grep -c " mkdir/[0-9]* syscalls:sys_enter_mkdir" pipe.out)" -ge 3 && ! grep "/$(cat reader.pid) " pipe.out
'

test_expect_success SYSBPF 'nor are calls of a process hidden that is asked for, though it started perf' '
	sh -c "perf trace -o asked -e chdir -p \$\$ & sleep 0.5; cd /tmp; kill -INT \$!; wait \$!" &&
	test_grep "chdir\(filename: \"/tmp\"\)" asked &&
	sh -c "perf trace --no-bpf -o rings -e chdir -p \$\$ & sleep 0.5; cd /tmp; kill -INT \$!; wait \$!" &&
	test_grep "chdir\(" rings
'

test_expect_success SYSBPF 'and the first process of a container' '
	rm -rf shown-* && unshare --pid --fork --mount-proc python3 reader.py pipe perf trace -a -e mkdir sh watch.sh c &&
	left_out c pipe.out
'

test_expect_success SYSBPF,TMUX 'and who shows the terminal on which tmux draws' '
	rm -rf shown-* && printf "%s\n" "exec perf trace -a -e mkdir sh watch.sh d 2>&1 | tee tmux.out" >in-tmux.sh &&
	python3 reader.py pty tmux -L t7020-$$ -f /dev/null new-session "sh in-tmux.sh" && left_out d tmux.out
'

test_done
