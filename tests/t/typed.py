# SPDX-License-Identifier: GPL-2.0-or-later
"""typed.py OUT ROWSxCOLS STEP... -- COMMAND...: runs it on a terminal of its own, and types. Steps, in their order: "wait:REGEX" goes
on when that has come since the last step (within 20 s, or it is said so, with status 99), "type:TEXT" (with \\n, \\x1b and the like),
"kill:SIGNAL". What came goes to OUT; its exit status is ours (128 + n after signal n). Status 98: it left the modes of
the terminal other than they were; 97: it did not end after the last step."""
import fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time

at = sys.argv.index('--')
out, size, steps, command = sys.argv[1], sys.argv[2], sys.argv[3:at], sys.argv[at + 1:]
rows, cols = map(int, size.split('x'))
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, cols, 0, 0))
before = termios.tcgetattr(slave)
child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=dict(os.environ, TERM='xterm'),
                         preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
got, seen = b'', 0


def read(seconds):
    global got
    if select.select([master], [], [], seconds)[0]:
        try:
            got += os.read(master, 65536)
        except OSError:
            return


def end(status, text=''):
    if text:
        print(text)
    open(out, 'wb').write(got)
    sys.exit(status)


for step in steps:
    what, text = step.split(':', 1)
    if what == 'wait':
        limit = time.time() + 20
        while not (m := re.search(text.encode(), got[seen:])):
            if time.time() > limit or child.poll() is not None:
                child.kill()
                end(99, f'{text!r} did not come')
            read(0.1)
        seen += m.end()
    elif what == 'type':
        os.write(master, text.encode().decode('unicode_escape').encode())
    else:
        child.send_signal(getattr(signal, 'SIG' + text))
limit = time.time() + 20
while child.poll() is None:
    if time.time() > limit:
        child.kill()
        end(97, 'it does not end')
    read(0.1)
while select.select([master], [], [], 0)[0]:
    read(0)
after = termios.tcgetattr(slave)
if before[:6] != after[:6]:
    end(98, 'the terminal is not as it was')
end(child.returncode if child.returncode >= 0 else 128 - child.returncode)
