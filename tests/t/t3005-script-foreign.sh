#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script, trace: recordings of other instruction sets, against what that machine'"'"'s own perf printed'
. "$(dirname "$0")/lib.sh"

FOREIGN=$(dirname "$CORPUS")/corpus-foreign
test_lazy_prereq FOREIGN "no recordings of other machines in $FOREIGN" '[ -e "$FOREIGN/README.md" ]'
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'
test_require FOREIGN,PYTHON
export LC_ALL=C.UTF-8 HOME=$PWD/nohome

# The kernel and the libraries are not here: of their frames only addresses can be equal. A file that is not here cannot be told
# where its addresses are in it: the places in their pages are compared. Fields have the widths of 7.2.
cat >compare.py <<'EOF2'
import re, sys

begun = "begun" in sys.argv[3:]	# ours may end before the other, but not before its first frame

def frame(text):
    m = re.match(r"([0-9a-f]+) (.*)", text)
    if m.group(2).endswith("([kernel.kallsyms])") or 0xc0000000 <= int(m.group(1), 16) < 1 << 32:
        return m.group(1), "kernel"
    if "(/usr/lib/" in m.group(2):
        return m.group(1)[-3:], m.group(2).split(" (")[1]
    return m.group(1)[-3:], m.group(2)

# The native perf of powerpc knows by the unwind tables when the link register, which the kernel puts in all chains, is no caller: of
# libraries, which are not here, we do not.
def same(a, b):
    if a == b or begun and b == a[:len(b)] and bool(a) == bool(b):
        return True
    # In some of its stacks it leaves a word of leaf's frame that leaf has not written.
    if "ppc" in sys.argv[3:] and any(b == a[:i] + a[i + 1:] for i in range(1, len(a)) if a[i][1].startswith("[unknown]")):
        return True
    return "ppc" in sys.argv[3:] and any(a == b[:i] + b[i + 1:] for i in range(1, len(b)) if b[i - 1][1].startswith("/usr/lib/") or b[i - 1][1] == "kernel")

def samples(path):
    out = []
    for line in open(path):
        if line.startswith("\t"):
            out[-1][1].append(frame(line.strip()))
        elif line.strip():
            out.append((re.sub(" +", " ", line.strip()), []))
    return out

a, b = samples(sys.argv[1]), samples(sys.argv[2])
bad = [] if len(a) == len(b) or begun else ["%d samples, ours %d" % (len(a), len(b))]
if begun:				# only the beginning was kept; its last stack may be cut off
    a = a[:-1]
for (ha, fa), (hb, fb) in zip(a, b):
    if ha != hb or not same(fa, fb):
        bad.append("%s\n%s\n%s\n%s" % (ha, fa, hb, fb))
print("\n".join(bad[:5]))
sys.exit(bool(bad) or not a)
EOF2

# Stacks whose innermost frame is leaf, a line each: main calls top_fn calls mid1 calls mid2 calls leaf, where it computes.
cat >story.awk <<'EOF2'
BEGIN { RS = ""; FS = "\n" }
/ leaf .*deep-nofp/ {
	s = ""
	for (i = 1; i <= NF; i++) {
		split($i, w, " ")
		s = s (w[3] ~ /deep-nofp/ ? w[2] : "out") " "
	}
	print s
}
EOF2

# Of the calls whose arguments both write: flags by name are more in ours, addresses of names are 32 bits in the native one.
cat >calls.sed <<'EOF2'
s/^.* ms): //
/\/[0-9]* \(openat\|newfstatat\|access\|read\|close\|brk\)(/!d
s/name: 0x[0-9a-f]*/name: P/
s/, flags: [^)]*)/)/
s/, flag: [^)]*)/)/
s/brk: NULL//
s/, mode: F)/)/
s/)  *= /) = /
p
EOF2

for arch in armhf ppc64el s390x; do
	d=$FOREIGN/$arch
	case $arch in ppc*) rules=ppc ;; *) rules= ;; esac
	mkdir -p $arch/t && cp "$d/deep" "$d/deep-nofp" $arch/t/
	for f in g t sw; do
		[ $arch-$f = armhf-g ] && continue	# below
		test_expect_success "$arch: $f.data is what $arch itself shows" '
			zcat "$d/$f.script.gz" >expect &&
			perf script --no-inline --symfs $arch -i "$d/$f.data" >actual 2>err &&
			python3 compare.py expect actual $rules
		'
	done

	# The native output has the first part only. What comes before the program itself ends in libraries, which are not here.
	test_expect_success "$arch: stacks with copies: what was recorded, nothing made up" '
		zcat "$d/d.script.gz" >expect &&
		perf script --no-inline --symfs $arch -i "$d/d.data" >actual 2>err &&
		python3 compare.py expect actual begun $rules
	'

	# the story that the program tells itself
	test_expect_success "$arch: stacks with copies: by its own unwind tables all of the program is there" '
		perf script --no-inline --symfs $arch -F ip,sym,dso -i "$d/d.data" 2>err | awk -f story.awk >stacks &&
		[ "$(wc -l <stacks)" -ge 30 ] && test_grep -v "^leaf ([^m]|mid1)|^leaf mid2 [^m]|mid1 [^t]|top_fn [^m]" stacks &&
		grep -c "^leaf mid2 mid1 top_fn main out $" stacks >whole && wc -l <stacks >all && test_cmp all whole
	'

	test_expect_success "$arch: names of registers and their values are those of $arch" '
		perf script --symfs $arch -F comm,uregs -i "$d/d.data" 2>err | grep -o "ABI:.*" | sed "s/ *$//" >all &&
		zcat "$d/d.uregs.gz" | grep -o "ABI:.*" | sed "\$d; s/ *$//" >expect && [ -s expect ] &&
		head -n "$(wc -l <expect)" all >actual && test_cmp expect actual
	'

	# The native one knows fewer flags by name, and shows addresses of names as 32 bits.
	test_expect_success "$arch: names, numbers and results of system calls are those of $arch" '
		perf trace -i "$d/t.data" >out 2>&1 && test_grep -v "syscall_[0-9]{1,3}[(]" out &&
		zcat "$d/t.trace.gz" >native &&
		for f in out native; do sed -nf calls.sed $f >$f.calls || return 1; done &&
		test_cmp native.calls out.calls && [ "$(wc -l <out.calls)" -ge 35 ]
	'
done

# Two of its stacks meet a PLT entry, whose layout is not known: the native perf has strtol@plt.
test_expect_success 'armhf: g.data is what armhf itself shows' '
	d=$FOREIGN/armhf &&
	zcat "$d/g.script.gz" | sed "s/ strtol@plt+0x0 / [unknown] /" >expect &&
	perf script --no-inline --symfs armhf -i "$d/g.data" >actual 2>err &&
	python3 compare.py expect actual
'

test_done
