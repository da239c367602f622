# SPDX-License-Identifier: GPL-2.0-or-later
"""exported.py FORMAT FILE [samples]: what other programs find in a file of perf export: its stacks folded as fold.py does (gecko and
trace-json: as fold.py --no-comm), or with "samples" a line for each sample: time event pid/tid comm cpu period leaf."""
import csv
import json
import re
import sys
from collections import Counter

form, path = sys.argv[1:3]
folded, samples = Counter(), []


def fold(event, frames, n=1):
    folded[event, ";".join(frames)] += n


def clean(name):
    return name.replace(";", ":")


def place(dso):
    if dso is None:
        return "[unknown]"
    base = dso.split("/")[-1]
    return dso if dso.startswith("[") else "[%s]" % base


def from_json():
    d = json.load(open(path))
    assert d["perf_export_version"] == 1 and d["header"]["arch"]
    for s in d["samples"]:
        frames = [clean(f["function"] or place(f["dso"])) for f in s["stack"]]
        fold(s["event"], [s["comm"]] + frames[::-1])
        samples.append((s.get("time_ns"), s["event"], s["pid"], s["tid"], s["comm"], s.get("cpu", ""), s["period"], s["stack"][0]["function"] or ""))


def from_csv():
    rows = list(csv.reader(open(path, newline="")))
    assert len({len(r) for r in rows}) == 1, {len(r) for r in rows}
    for r in rows[1:]:
        s = dict(zip(rows[0], r))
        fold(s["event"], [s["comm"]] + s["stack"].split(";"))
        samples.append(tuple(s[k] for k in ("time_ns", "event", "pid", "tid", "comm", "cpu", "period", "function")))
        if s["fields"]:
            assert isinstance(json.loads(s["fields"]), dict)


def from_speedscope():
    d = json.load(open(path))
    assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [f["name"] for f in d["shared"]["frames"]]
    for p in d["profiles"]:
        assert p["type"] == "sampled" and p["unit"] in ("none", "nanoseconds") and len(p["samples"]) == len(p["weights"])
        assert p["startValue"] == 0 and p["endValue"] == sum(p["weights"])
        event, comm = re.match(r"(\S+) of (.*) \d+/\d+$", p["name"]).groups()
        for stack, n in zip(p["samples"], p["weights"]):
            fold(event, [comm] + [clean(frames[i]) for i in stack], n)


def from_gecko():
    d = json.load(open(path))
    assert d["meta"]["version"] == 24 and d["meta"]["interval"] > 0 and len(d["meta"]["categories"]) == 2
    for t in d["threads"]:
        table = lambda name: [dict(zip(sorted(t[name]["schema"], key=t[name]["schema"].get), row)) for row in t[name]["data"]]
        strings, frames, stacks, times = t["stringTable"], table("frameTable"), table("stackTable"), []
        assert len(set(strings)) == len(strings) and all(s["prefix"] is None or s["prefix"] < i for i, s in enumerate(stacks))
        event = re.search(r" \(([^ ]*)\)$", t["name"])
        for s in table("samples"):
            out, at = [], s["stack"]
            while at is not None:
                out.append(clean(re.sub(r" \(in [^()]*\)$", "", strings[frames[stacks[at]["frame"]]["location"]])))
                at = stacks[at]["prefix"]
            times.append(s["time"])
            fold(event and event[1], out[::-1])
        assert times == sorted(times) and (not times or times[0] >= 0)


def from_trace_json():
    d = json.load(open(path))
    frames = d["stackFrames"]
    for e in d["traceEvents"]:
        if e["ph"] != "i":
            continue
        out, at = [], e["sf"]
        while at is not None:
            out.append(clean(frames[str(at)]["name"]))
            at = frames[str(at)].get("parent")
        fold(e["name"], out[::-1])
        samples.append((round(e["ts"] * 1000), e["name"], e["pid"], e["tid"], "", e["args"].get("cpu", ""), e["args"]["period"], ""))


{"json": from_json, "csv": from_csv, "speedscope": from_speedscope, "gecko": from_gecko, "trace-json": from_trace_json}[form]()
if sys.argv[3:]:
    for s in samples:
        print(*s)
else:
    several = len({event for event, _ in folded}) > 1
    for (event, stack), n in folded.items():
        print("%s%s %d" % (event + ";" if several else "", stack, n))
