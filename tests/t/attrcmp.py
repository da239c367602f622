# SPDX-License-Identifier: GPL-2.0-or-later
"""What two programs ask of the kernel, compared.

attrcmp.py KIND WANTED GOT JUSTIFIED	WANTED and GOT are outputs of tests/helper/attr-opens for the same lines. Prints each line of
	the input whose events differ and that JUSTIFIED does not name, and each that it names although nothing differs.
	JUSTIFIED has lines of KIND, the line, and the reason, separated by tabs; "stat,record" is both, "line?" may differ or not.
attrcmp.py --names FILE	FILE with the numbers of tracepoints as names: the numbers are other ones on each machine.

Not compared, because no reader can see a difference:
  the form of the id (PERF_SAMPLE_ID or IDENTIFIER), whether a counter is read with its id, and in stat the sample_type;
  whether bpf_event is asked for: the tests leave it out, it costs upstream a second a run;
  with CPUs of two kinds the order of the two PMUs. A command that opens nothing and one that fails are the same where 7.2 fails.
"""
import glob
import os
import re
import sys

ID_BITS = 0x40 | 0x10000


def tracepoints():
    names = {}
    for root in "/sys/kernel/tracing", "/sys/kernel/debug/tracing":
        for path in glob.glob(root + "/events/*/*/id"):
            parts = path.split("/")
            try:
                with open(path) as f:
                    names[format(int(f.read()), "x")] = parts[-3] + ":" + parts[-2]
            except OSError:
                pass
        if names:
            break
    return names


def with_names(text):
    names = None
    out = []
    for line in text.splitlines():
        m = re.match(r"t=2 c=([0-9a-f]+) ", line)
        if m:
            names = names or tracepoints()
            line = "t=2 c=%s %s" % (names.get(m[1], m[1]), line[m.end():])
        out.append(line + "\n")
    return "".join(out)


def read(path):
    runs = {}
    with open(path) as f:
        for line in with_names(f.read()).splitlines():
            if line.startswith("= "):
                rows = runs.setdefault(line[2:], [])
            else:
                rows.append(line)
    return runs


def comparable(row, counting):
    row = re.sub(r" bpf_event", "", row)
    if counting:
        return re.sub(r" (sample_type|read_format)=[0-9a-f]+", "", row)
    row = re.sub(r"( sample_type=)([0-9a-f]+)", lambda m: "%s%x" % (m[1], int(m[2], 16) & ~ID_BITS), row)
    return re.sub(r"( read_format=)([0-9a-f]+)", lambda m: "%s%x" % (m[1], int(m[2], 16) & ~4), row)


def counts(kind, line):
    return kind.endswith("stat") or (kind.endswith(("line", "cgroup")) and line.startswith("stat"))


def without_order(rows):
    named = [re.sub(r"group=(\d+)", lambda m: "group=" + "/".join(rows[int(m[1])].split()[:2]), r) for r in rows]
    return sorted(named)


def rows_of(kind, line, rows):
    if "refused" in rows:
        return ["refused"]
    out = [comparable(r, counts(kind, line)) for r in rows]
    if (os.cpu_count() or 0) > 2:
        out = [r.replace(" cpu=0-1", " cpu=all") for r in out]
    return without_order(out) if kind.startswith("hybrid") else out


def difference(want, got):
    """The words that differ, where a row has a partner; else the rows."""
    out = []
    for i in range(max(len(want), len(got))):
        a, b = (x[i].split() if i < len(x) else [] for x in (want, got))
        if a == b:
            continue
        if a and b and a[:2] == b[:2]:
            out.append("    %s: -%s +%s" % (" ".join(a[:2]), " -".join(x for x in a if x not in b),
                                         " +".join(x for x in b if x not in a)))
            continue
        if a:
            out.append("    - " + " ".join(a))
        if b:
            out.append("    + " + " ".join(b))
    return out


def main():
    if sys.argv[1] == "--names":
        with open(sys.argv[2]) as f:
            sys.stdout.write(with_names(f.read()))
        return 0
    kind, wanted, got = sys.argv[1], read(sys.argv[2]), read(sys.argv[3])
    reasons, maybe, bad = {}, set(), 0
    with open(sys.argv[4]) as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            kinds, text, reason = line.rstrip("\n").split("\t")
            if kind in kinds.rstrip("?").split(","):
                reasons[text] = reason
                maybe.update([text] if kinds.endswith("?") else [])
    for line, rows in got.items():
        if line not in wanted:
            print("not in %s: %s" % (sys.argv[2], line))
            bad += 1
            continue
        want, have = rows_of(kind, line, wanted[line]), rows_of(kind, line, rows)
        if want == ["refused"] and not have:
            have = want
        if want != have and line not in reasons:
            print("%s %s" % (kind, line))
            print("\n".join(difference(want, have)))
            bad += 1
        elif want == have and line in reasons and line not in maybe:
            print("%s %s: is justified (%s), but does not differ" % (kind, line, reasons[line]))
            bad += 1
    return bad > 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
