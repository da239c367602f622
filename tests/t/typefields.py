# SPDX-License-Identifier: GPL-2.0-or-later
"""typefields.py LINES TYPES LEAST SOURCE [last]: what the lines of a program say that they access (a comment at their end, "TYPE.MEMBER"),
beside what perf annotate --data-type --json says (TYPES; LINES: perf annotate --json): FIELD SHARE SHARE, of periods. Fails where they are
more than 2 % apart, or there are less than LEAST fields. last: of a line's instructions that access memory it is the last one; those
before find the address."""
import json, re, sys
wanted, seen = {}, {}
where = {}
for nr, line in enumerate(open(sys.argv[4]), 1):
	m = re.search(r"/\* (.*)\.(\w+) \*/$", line.rstrip())
	if m:
		where[nr] = m.groups()
def is_access(text):
	return ("(" in text or "[" in text or "%gs:" in text) and not re.match(r"(lea|nop)", text)
for f in json.load(open(sys.argv[1]))["functions"]:
	last = {}
	for l in f["lines"]:
		if l["kind"] == "insn" and l.get("line") in where and is_access(l["text"]):
			last[l["line"], l["address"] if len(sys.argv) < 6 else 0] = l["period"]
	for (line, _), period in last.items():
		wanted[where[line]] = wanted.get(where[line], 0) + period
names = {name for type, name in where.values()}
for t in json.load(open(sys.argv[2]))["types"]:
	for m in t["members"]:
		if m["name"] in names and m["period"]:
			key = t["type"], m["name"]
			seen[key] = seen.get(key, 0) + m["period"]
total = sum(wanted.values())
off = 0
for key in sorted(set(wanted) | set(seen)):
	a, b = (100 * x.get(key, 0) / total for x in (wanted, seen))
	off += abs(a - b) > 2
	print("%-24s %6.2f %6.2f" % (".".join(key), a, b))
print("fields:", len(wanted), "off:", off)
sys.exit(off or len(wanted) < int(sys.argv[3]))
