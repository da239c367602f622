# SPDX-License-Identifier: GPL-2.0-or-later
"""pprof.py FILE: reads a pprof profile by the wire format alone and prints its samples folded, as fold.py does (the first value type
of each event counts), then sorted lines "mapping FILE BUILD-ID", "type NAME UNIT SUM", "line FUNCTION FILE:LINE"."""
import gzip
import sys
from collections import Counter

sys.dont_write_bytecode = True
from protowire import fields, one, packed

p = fields(gzip.open(sys.argv[1]).read())
strings = [s.decode() for s in p[6]]
assert strings[0] == "" and len(set(strings)) == len(strings)
types = [(strings[one(fields(t), 1)], strings[one(fields(t), 2)]) for t in p.get(1, [])]
mappings = {one(f, 1): f for f in map(fields, p.get(3, []))}
functions = {one(f, 1): f for f in map(fields, p.get(5, []))}
locations = {one(f, 1): f for f in map(fields, p.get(4, []))}
assert len(mappings) == len(p.get(3, [])) and len(functions) == len(p.get(5, [])) and len(locations) == len(p.get(4, []))
assert not {0} & (set(mappings) | set(functions) | set(locations))
lines = set()
for l in locations.values():
    assert not one(l, 2) or one(l, 2) in mappings
    assert not one(l, 2) or one(l, 3) < one(mappings[one(l, 2)], 3)
    for line in map(fields, l[4]):
        f = functions[one(line, 1)]
        if one(f, 4):
            lines.add("line %s %s:%d" % (strings[one(f, 2)], strings[one(f, 4)].split("/")[-1], one(line, 2)))
folded, sums = Counter(), [0] * len(types)
for s in map(fields, p.get(2, [])):
    values = packed(s[2][0])
    assert len(values) == len(types)
    labels = {strings[one(l, 1)]: strings[one(l, 2)] or one(l, 3) for l in map(fields, s.get(3, []))}
    assert not {"pid", "tid"} & set(labels) or labels["pid"] > 0
    frames = [labels["comm"]] if "comm" in labels else []
    for loc in packed(s[1][0])[::-1]:
        for line in map(fields, locations[loc][4][::-1]):
            frames.append(strings[one(functions[one(line, 1)], 2)].replace(";", ":"))
    for i, v in enumerate(values):
        sums[i] += v
        if not i % 2 and v:
            event = types[i + 1][0] + ";" if len(types) > 2 else ""
            folded[event + ";".join(frames)] += v
for stack, n in sorted(folded.items()):
    print(stack, n)
for m in sorted("mapping %s %s" % (strings[one(f, 5)], strings[one(f, 6)]) for f in mappings.values()):
    print(m)
for (name, unit), n in zip(types, sums):
    print("type %s %s %d" % (name, unit, n))
for l in sorted(lines):
    print(l)
