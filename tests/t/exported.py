# SPDX-License-Identifier: GPL-2.0-or-later
"""exported.py FORMAT FILE [samples|switches]: what other programs find in a file of perf export: its stacks folded as fold.py does (gecko and
trace-json: as fold.py --no-comm), or with "samples" a line for each sample: time event pid/tid comm cpu period leaf."""
import csv
import json
import re
import sys
from collections import Counter

sys.dont_write_bytecode = True
from protowire import fields, one, packed

form, path = sys.argv[1:3]
folded, samples, switches = Counter(), [], []


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


def from_perfetto():
    comms, sequences, counts = {}, {}, Counter()
    for packet in map(fields, fields(open(path, "rb").read())[1]):
        assert one(packet, 10), "a packet without a sequence"
        if 2 in packet:
            for t in map(fields, fields(packet[2][0]).get(2, [])):
                comms[one(t, 3), one(t, 1)] = t[2][0].decode()
        if 59 in packet:
            assert one(packet, 13) == 1 and one(packet, 10) not in sequences
            base = fields(fields(fields(packet[59][0])[12][0])[1][0])
            sequences[one(packet, 10)] = {"event": base[10][0].decode(), 5: {}, 6: {}, 7: {}, 16: {}, 17: {}, 18: {}, 19: {}}
        if 1 in packet:
            bundle = fields(packet[1][0])
            for e in map(fields, bundle[2]):
                if 4 in e:
                    w = fields(e[4][0])
                    switches.append((one(e, 1), one(bundle, 1), w[1][0].decode(), one(w, 2), one(w, 3), w[5][0].decode(), one(w, 6), one(w, 7)))
        if 66 not in packet:
            continue
        q = sequences[one(packet, 10)]
        assert one(packet, 13) == 2
        for table, entries in fields(packet[12][0] if 12 in packet else b"").items():
            for e in map(fields, entries):
                assert one(e, 1) and one(e, 1) not in q[table]
                q[table][one(e, 1)] = e
        s = fields(packet[66][0])
        task, frames = (one(s, 2), one(s, 3)), []
        for f in q[7][one(s, 4)].get(2, []):
            f = q[6][f]
            if 3 in f:
                m = q[19][one(f, 3)]
                assert 4 in f and all(part in q[17] for part in m[7]) and (2 not in m or m[2][0] in q[16])
            frames.append(q[5][one(f, 2)][2][0].decode())
        where = one(packet, 10), s[1][0] if 1 in s else ""
        period, counts[where] = one(s, 6) - counts[where], one(s, 6)
        fold(q["event"], [clean(comms[task])] + [clean(f) for f in frames])
        samples.append((one(packet, 8), q["event"], *task, comms[task], where[1], period, frames[-1]))


def from_otlp():
    data = fields(open(path, "rb").read())
    d = fields(data[2][0])
    mappings, locations, functions, attributes, stacks = [[fields(e) for e in d[t]] for t in (1, 2, 3, 6, 7)]
    strings = [s.decode() for s in d[5]]
    assert strings[0] == "" and len(set(strings)) == len(strings)
    assert all(len(set(d[t])) == len(d[t]) and d[t][0] == b"" for t in (1, 2, 3, 4, 6, 7)), "a table without its first entry, or one twice"

    def attrs(message, number):
        out = {}
        for i in packed(message[number][0] if number in message else b""):
            value = fields(attributes[i][2][0])
            assert i and strings[one(attributes[i], 1)] not in out
            out[strings[one(attributes[i], 1)]] = value[1][0].decode() if 1 in value else one(value, 3)
        return out

    resource, = map(fields, data[1])
    scope, = map(fields, resource[2])
    facts = {k[1][0].decode(): fields(k[2][0])[1][0].decode() for k in map(fields, fields(resource[1][0])[1])}
    assert facts["host.arch"]
    for m in mappings[1:]:
        print("mapping %s %s" % (strings[one(m, 4)], attrs(m, 5).get("process.executable.build_id.gnu", "")), file=sys.stderr)
    for p in map(fields, scope[2]):
        kind = [strings[one(fields(p[1][0]), i)] for i in (1, 2)]
        event = strings[one(fields(p[5][0]), 1)]
        assert kind == ["samples", "count"] or kind[0] == event
        assert len(p[7][0]) == 16 and any(p[7][0])
        for s in map(fields, p[2]):
            a, frames = attrs(s, 2), []
            n, = packed(s[4][0])
            for loc in packed(stacks[one(s, 1)][1][0]):
                loc = locations[loc]
                assert one(loc, 1) < len(mappings) and attrs(loc, 4)["profile.frame.type"] in ("native", "kernel")
                assert not one(loc, 1) or one(loc, 2) < one(mappings[one(loc, 1)], 2)
                for line in map(fields, loc[3]):
                    f = functions[one(line, 1)]
                    frames.append(clean(strings[one(f, 1)]))
                    if one(f, 3):
                        print("line %s %s:%d" % (frames[-1], strings[one(f, 3)].split("/")[-1], one(line, 2)), file=sys.stderr)
            assert a["process.pid"] and a["thread.id"]
            fold(event, [clean(a["thread.name"])] + frames[::-1], n)


{"otlp": from_otlp, "perfetto": from_perfetto, "json": from_json, "csv": from_csv, "speedscope": from_speedscope, "gecko": from_gecko, "trace-json": from_trace_json}[form]()
if sys.argv[3:]:
    for s in switches if sys.argv[3] == "switches" else samples:
        print(*s)
else:
    several = len({event for event, _ in folded}) > 1
    for (event, stack), n in folded.items():
        print("%s%s %d" % (event + ";" if several else "", stack, n))
