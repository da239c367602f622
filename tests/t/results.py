#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Results as data, compared value by value.
#   results.py same FILE.json FILE.csv [SEP]    the CSV has what the JSON has
#   results.py documented PAGE SECTION FILE.json    each key is named in the page's section
#   results.py numbers FILE.json    no text that is nothing but a number, but for names
# The JSON may also be an object a line, whose "type" says what it is; CSV has one type only.
import csv, json, re, sys

def flat(row, prefix=""):
    """Members of a row as CSV has them: key -> text."""
    out = {}
    for k, v in row.items():
        if isinstance(v, dict) and prefix + k not in maps:
            out.update(flat(v, prefix + k + "."))
        elif isinstance(v, dict):
            out[prefix + k] = " ".join(f"{a}={text(b)}" for a, b in v.items())
        elif isinstance(v, list):
            out[prefix + k] = " ".join(text(x) for x in v)
        else:
            out[prefix + k] = text(v)
    return out

def text(v):
    return "" if v is None else ("true" if v else "false") if isinstance(v, bool) else safe(v) if isinstance(v, str) else str(v)

def safe(s):
    return re.sub(r"[\x00-\x1f\x7f\x80-\x9f]", lambda m: "".join(f"\\x{b:02x}" for b in m.group().encode()), s)

maps = {"errnos"}

def is_rows(v):
    return isinstance(v, list) and bool(v) and isinstance(v[0], dict)

def walk(obj, lead, tables, top=True):
    facts = {k: v for k, v in obj.items() if not is_rows(v) and not (top and v == [])}
    if not top:
        lead = {**lead, **flat(facts)}
    for k, v in obj.items():
        for row in v if is_rows(v) else []:
            if any(is_rows(x) and x is not row for x in row.values()):
                walk(row, lead, tables, False)
            else:
                tables.setdefault(k, []).append({**lead, **flat(row)})
    if top and facts:
        tables["facts"] = [flat(facts)]

def read_csv(path, sep):
    blocks, rows = [], []
    for line in open(path, newline=""):
        if line == "\n":
            blocks.append(rows)
            rows = []
        elif not line.startswith("# "):
            rows.append(line)
    return [list(csv.DictReader(b, delimiter=sep)) for b in blocks + [rows]]

def load(path, **how):
    text = open(path).read()
    if text.startswith('{"type":'):
        return [json.loads(line, **how) for line in text.splitlines()]
    return json.loads(text, **how)

def same(jpath, cpath, sep=","):
    doc = load(jpath, parse_float=lambda s: Literal(s), parse_int=lambda s: Literal(s))
    if isinstance(doc, list):
        one_type = doc and "type" in doc[0] and len({row["type"] for row in doc}) == 1
        doc = {"rows": [{k: v for k, v in row.items() if k != "type" or not one_type} for row in doc]}
    tables = {}
    walk(doc, {}, tables)
    want = [rows for k, rows in tables.items() if k != "facts" and rows] + [tables[k] for k in tables if k == "facts"]
    got = [rows for rows in read_csv(cpath, sep) if rows]
    assert len(want) == len(got), (len(want), len(got), list(tables))
    n = 0
    for w, g in zip(want, got):
        assert len(w) == len(g), (len(w), len(g))
        for a, b in zip(w, g):
            b = {k: v for k, v in b.items() if v or k in a}
            assert a == b, (a, b)
            n += len(a)
    assert n, "nothing to compare"
    print(f"{n} values")

class Literal:
    """A number as it is spelled."""
    def __init__(self, s):
        self.s = s
    def __str__(self):
        return self.s

def each(v, fn, key=None):
    if isinstance(v, dict):
        for k, x in v.items():
            each(x, fn, k)
    elif isinstance(v, list):
        for x in v:
            each(x, fn, key)
    else:
        fn(key, v)

def numbers(path):
    bad = []
    each(load(path), lambda k, v: bad.append((k, v)) if isinstance(v, str) and re.fullmatch(r"[-+]?[0-9][0-9.]*", v) else 0)
    assert not bad, bad[:5]

def documented(page, section, path):
    lines = open(page).read().split("\n")
    at = lines.index(section)
    end = next((i for i in range(at + 2, len(lines)) if re.fullmatch("-{3,}", lines[i])), len(lines) + 1) - 1
    words = set(re.findall(r"'([A-Za-z0-9_-]+)'", "\n".join(lines[at:end])))
    keys = set()
    def members(v, inside_map=False):
        if isinstance(v, dict):
            for k, x in v.items():
                if not inside_map:
                    keys.add(k)
                members(x, k in maps)
        elif isinstance(v, list):
            for x in v:
                members(x)
    members(load(path))
    assert keys and not keys - words, sorted(keys - words)

{"same": same, "numbers": numbers, "documented": documented}[sys.argv[1]](*sys.argv[2:])
