# SPDX-License-Identifier: GPL-2.0-or-later
"""onpty.py [--both] [--slow FILE] OUT COMMAND...: runs it with stderr (--both: stdout too) on a terminal of its own; what came there goes
to OUT, and its exit status is ours. --slow feeds FILE to its standard input within a second."""
import os, pty, subprocess, sys, threading, time

args = sys.argv[1:]
both = args[0] == '--both' and bool(args.pop(0))
slow = args[1] if args[0] == '--slow' else None
args = args[2:] if slow else args
master, slave = pty.openpty()
child = subprocess.Popen(args[1:], stderr=slave, stdout=slave if both else None, env=dict(os.environ, TERM='xterm'),
                         stdin=subprocess.PIPE if slow else subprocess.DEVNULL)
os.close(slave)

def feed():
    data = open(slow, 'rb').read()
    for i in range(10):
        child.stdin.write(data[i * len(data) // 10:(i + 1) * len(data) // 10])
        child.stdin.flush()
        time.sleep(0.1)
    child.stdin.close()

if slow:
    threading.Thread(target=feed).start()
got = b''
while True:
    try:
        got += os.read(master, 65536)
    except OSError:		# nobody has the other side any more
        break
open(args[0], 'wb').write(got)
sys.exit(child.wait())
