#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: what flame graph and trace viewers parse finds every sample'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
test_workload story

record () { perf record -q "$@"; }
test_lazy_prereq RECORD 'needs a recorder that can sample page faults' 'record -o probe.data -e page-faults -c 1 true && [ -s probe.data ]'

# The regular expressions of the importers, each as its program applies them: the number of samples that it would see, of frames,
# and the innermost function that it finds most often.
cat >readers.py <<'END'
import re, sys, collections
text = open(sys.argv[1]).read()
lines = text.split('\n')

def blocks():		# samples are ended by empty lines
    block = []
    for l in lines:
        if l == '':
            if block:
                yield block
            block = []
        else:
            block.append(l)
    if block:
        yield block

def stackcollapse():
    n = 0; frames = 0; top = collections.Counter(); stack = None; leaf = None
    for l in lines:
        if l.startswith('#'):
            continue
        if l == '':
            if stack is not None:
                n += 1
                if leaf: top[leaf] += 1
            stack = leaf = None
            continue
        m = re.match(r'^(\S.+?)\s+(\d+)\/*(\d+)*\s+', l)
        if m:
            if not re.search(r':\s*(\d+)*\s+(\S+):\s*$', l):
                sys.exit('stackcollapse: event not found: ' + l)
            stack = m.group(1)
            continue
        m = re.match(r'^\s*(\w+)\s*(.+) \((.*)\)', l)
        if not m:
            sys.exit('stackcollapse: unrecognized line: ' + l)
        frames += 1
        leaf = leaf or re.sub(r'\+0x[\da-f]+$', '', m.group(2))
    return n, frames, top

def speedscope():
    n = 0; frames = 0; top = collections.Counter()
    for b in blocks():
        m = re.match(r'^(\S.+?)\s+(\d+)(?:\/?(\d+))?\s+', b[0])
        if not m or not re.search(r'\s+(\d+\.\d+):\s+', b[0]) or not re.search(r'(\S+):\s*$', b[0]):
            sys.exit('speedscope: not a sample: ' + b[0])
        n += 1
        for i, l in enumerate(b[1:]):
            f = re.match(r'^\s*(\w+)\s*(.+) \((\S*)\)', l)
            if not f:
                sys.exit('speedscope: not a frame: ' + l)
            frames += 1
            if i == 0: top[re.sub(r'\+0x[\da-f]+$', '', f.group(2))] += 1
    return n, frames, top

def flamescope():
    n = 0; frames = 0; top = collections.Counter(); first = False
    for l in lines:
        m = re.search(r' +([0-9.]+): .+?:', l)
        if m and not l.startswith('\t'):
            if not re.match(r'^ *([^0-9]+)', l):
                sys.exit('flamescope: no comm: ' + l)
            n += 1; first = True
        elif l:
            f = re.match(r'^[\t ]*[0-9a-fA-F]+ (.+) \((.*?)\)$', l)
            if not l.startswith('\t') or not f:
                sys.exit('flamescope: not a frame: ' + l)
            frames += 1
            if first: top[re.sub(r'\+0x[\da-f]+$', '', f.group(1))] += 1
            first = False
    return n, frames, top

def firefox():
    if not re.match(r'^\S.*?\s+(?:\d+\/)?\d+\s+(?:\[\d+\]\s+)?[\d.]+:', lines[0]):
        sys.exit('firefox: the first line is not known as perf script: ' + lines[0])
    n = 0; frames = 0; top = collections.Counter()
    for b in blocks():
        m = re.match(r'^(.*)\s+([\d.]+):', b[0])
        if not m or not re.match(r'^(.*)\s+(?:(\d+)\/)?(\d+)\b', m.group(1)):
            sys.exit('firefox: not a sample: ' + b[0])
        n += 1
        for i, l in enumerate(b[1:]):
            f = re.match(r'^\s*(\w+)\s*(.+) \((\S*)\)', l)
            if not f:
                sys.exit('firefox: not a frame: ' + l)
            frames += 1
            if i == 0: top[re.sub(r'\+0x[\da-f]+$', '', f.group(2))] += 1
    return n, frames, top

def perfetto():		# strict: every line is a sample, a frame or empty; six decimals; an empty line after the last sample too
    if not text.endswith('\n\n'):
        sys.exit('perfetto: no empty line after the last sample')
    n = 0; frames = 0; top = collections.Counter()
    for b in blocks():
        if not re.match(r'^\S.*?\s+\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d{6}:\s+(?:\d+\s+)?\S+:\s*$', b[0]):
            sys.exit('perfetto: not a sample: ' + b[0])
        n += 1
        for i, l in enumerate(b[1:]):
            f = re.match(r'^\s+([0-9a-f]+) (.*) \(([^()]*(?:\([^()]*\))?)\)$', l)
            if not f:
                sys.exit('perfetto: not a frame: ' + l)
            frames += 1
            if i == 0: top[f.group(2).rsplit('+', 1)[0]] += 1
    return n, frames, top

def inferno():
    n = 0; frames = 0; top = collections.Counter(); weight = 0
    for b in blocks():
        words = re.split(r' +', b[0])
        at = next((i for i, w in enumerate(words) if i and re.fullmatch(r'\d+(/\d+)?', w)), None)
        event = b[0].split(':', 1)[1].rstrip()
        if at is None or not event.endswith(':'):
            sys.exit('inferno: not a sample: ' + b[0])
        period = event[:-1].strip().rsplit(' ', 1)[0].strip()
        weight += int(period) if period.isdigit() else 1
        n += 1
        for i, l in enumerate(b[1:]):
            addr, rest = l.split(None, 1)
            name, module = rest.rsplit(' ', 1)
            if not (module.startswith('(') and module.endswith(')')):
                sys.exit('inferno: not a module: ' + l)
            frames += 1
            if i == 0: top[re.sub(r'\+0x[\da-f]+$', '', name)] += 1
    if weight < n:
        sys.exit('inferno: weights')
    return n, frames, top

want = int(sys.argv[2])
seen = [(f.__name__,) + f() for f in (stackcollapse, speedscope, flamescope, firefox, perfetto, inferno)]
for name, n, frames, top in seen:
    print(name, n, frames, top.most_common(5))
    if n != want:
        sys.exit('%s sees %d samples of %d' % (name, n, want))
    if frames != seen[0][2] or sorted(top.items()) != sorted(seen[0][3].items()):
        sys.exit(name + ' sees other frames than ' + seen[0][0])
END

readers () {
	perf script "$@" >text 2>err &&
	perf script "$@" -G -F comm,event >list 2>err &&
	python3 readers.py text $(wc -l <list)
}

test_expect_success RECORD 'chains of a program with threads and children' '
	mkdir "with blank" && cp story "with blank/story" &&
	record -e page-faults -c 1 -g -o g.data ./story 50 &&
	record -e page-faults -c 1 -g -o blank.data "./with blank/story" 50 &&
	readers -i g.data
'
test_expect_success RECORD 'pid and tid, a cpu' '
	record -e page-faults -c 1 -g --sample-cpu -o cpu.data ./story 50 &&
	readers -i cpu.data && readers -i cpu.data -F +pid
'
test_expect_success RECORD 'a path with blanks, a file that was deleted' '
	rm -r "with blank" && readers -i blank.data && grep -F "with\\x20blank/story" text
'
test_expect_success RECORD 'several events' '
	record -e page-faults,minor-faults -c 1 -g -o two.data ./story 20 && readers -i two.data
'
test_expect_success 'the version as programs look for it' '
	perf version >out && head -n 1 out | grep "^perf version [0-9]*\.[0-9]*"
'

test_done
