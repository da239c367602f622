#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""browser.py RECORDING [PERF...]	what the browsers of report and annotate need on a terminal, against upstream.

Each PERF (default: ours, /usr/bin/perf and the newest upstream perf where they are) shows the recording on a terminal of 100 x 40.
"first screen": seconds until the title is there. Keys: the median of 20 each, in ms until what they changed has come whole (nothing
more for 30 ms). "E": ms until all call graphs are open. "l" (ours only): seconds until the flame view is there, and keys in it. MB:
the largest resident memory until then. A run is given up after BENCH_LIMIT (300) seconds. Numbers to look at, nothing is asserted.
"""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

LIMIT = float(os.environ.get("BENCH_LIMIT", "300"))
QUIET = 0.03

class Terminal:
    def __init__(self, argv):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", PERF_CONFIG="/dev/null")
            os.environ.pop("LC_ALL", None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
            os.execvp(argv[0], argv)

    def read(self, timeout):
        if not select.select([self.fd], [], [], timeout)[0]:
            return None
        try:
            return os.read(self.fd, 1 << 16)
        except OSError:
            return b""

    def until(self, pattern):
        """Seconds; None: it did not come."""
        begun, seen = time.monotonic(), b""
        while time.monotonic() - begun < LIMIT:
            piece = self.read(0.05)
            if piece == b"":
                return None
            if piece:
                seen = (seen + piece)[-200000:]
                if re.search(pattern, seen):
                    return time.monotonic() - begun
        return None

    def key(self, keys, wait=3):
        """ms until the last byte of the answer; 0: nothing changed"""
        begun = last = time.monotonic()
        os.write(self.fd, keys)
        first = True
        while True:
            piece = self.read(wait if first else QUIET)
            if not piece:
                return (last - begun) * 1e3
            first, last = False, time.monotonic()

    def memory(self):
        with open("/proc/%d/status" % self.pid) as f:
            return int(re.search(r"VmHWM:\s+(\d+)", f.read()).group(1)) / 1024

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

def median(values):
    return sorted(values)[len(values) // 2]

seen = {}
def note(options, perf, ours, first, t):
    seen.setdefault(" ".join(options), []).append((ours, first, t.memory()))

def table(path):
    """For make bench, as tests/bench/table.sh has it."""
    with open(path, "a") as f:
        for name, rows in seen.items():
            mine = [r for r in rows if r[0]]
            others = [r[1] for r in rows if not r[0]]
            if mine:
                other = "%.2f s" % min(others) if others else ""
                f.write("%s --tui: first screen\t%.2f s\t%s\t%s\n" % (name, mine[0][1], other, "10x" if name == "annotate" else "40x"))
                f.write("%s --tui: memory\t%.0f MB\t\t<=400\n" % (name, mine[0][2]))

def measure(perf, options, more, recording, ours):
    t = Terminal([perf] + options + more + ["-i", recording])
    try:
        first = t.until(rb"Samples: ")
        if first is None:
            return "no screen within %.0f s" % LIMIT
        while t.read(0.3):
            pass
        text = "first screen %7.2f s  %6.0f MB" % (first, t.memory())
        for name, keys in (("Down, Up", (b"\033[B", b"\033[A")), ("End, Home", (b"\033[F", b"\033[H"))):
            text += "  %s %5.1f ms" % (name, median([t.key(k) for k in keys * 10]))
        if options[0] == "report":
            text += "  E %6.1f ms" % t.key(b"E", 60)
            if ours:
                os.write(t.fd, b"l")
                text += "  l %5.2f s" % (t.until(b"inlined") or -1)
                text += "  in it Down %4.1f ms" % median([t.key(k) for k in (b"\033[B", b"\033[A") * 10])
        note(options, perf, ours, first, t)
        return text
    finally:
        t.end()

def main():
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ours = os.path.join(top, "build", "perf")
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    perfs = sys.argv[2:] or [p for p in (ours, "/usr/bin/perf", os.path.join(cache, "stock-perf/perf-sid")) if os.path.exists(p)]
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for options in (["report"], ["report", "--no-children"], ["annotate"]):
        for perf in perfs:
            own = perf == ours
            print("%-22s %-40s %s" % (" ".join(options), perf, measure(perf, options, ([] if own else ["--tui"]), sys.argv[1], own)), flush=True)
    if os.environ.get("BENCH_TABLE"):
        table(os.environ["BENCH_TABLE"])

main()
