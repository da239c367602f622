# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced after lib.sh by scripts that look for code without a name.

# On the clock of KVM the vdso reads the time in a function that it has no symbol for: who asks for the time may be there.
nameless_vdso=0
! grep -q kvm-clock /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null || nameless_vdso=1

# named DATA FUNCTION COUNT DSO: so many samples are in the function (COUNT "some": it is on the stack of a few), up to main each
# frame of them has a name, and the function's file is the one that is named.
named () {
	perf script --no-inline -i "$1" -F ip,sym,dso >script.out 2>script.err
	awk -v fn="$2" -v want="$3" -v dso="$4" -v vdso=$nameless_vdso '
		function done(i) {
			for (i = 1; want == "some" && i <= n && name[i] != fn; i++);
			if (i > n || name[i] != fn) { n = 0; return }
			hits++
			if (!index(file[i], dso)) { print "in " file[i]; bad++ }
			for (i = 1; i <= n; i++) {
				if (name[i] == "[unknown]" && !(vdso && file[i] == "([vdso])")) { print "unknown in " file[i]; bad++ }
				if (name[i] == "main") break
			}
			n = 0
		}
		/^[ \t]*[0-9a-f]+ / { n++; name[n] = $2; file[n] = $0; sub(/^[^(]*/, "", file[n]); next }
		{ done() }
		END { done(); print hits + 0, "samples of", fn; exit bad || (want == "some" ? hits < 5 : hits != want) }' script.out ||
		{ sort script.out | uniq -c | sort -rn | head -20; cat script.err; return 1; }
}

# row DATA FUNCTION DSO: the report has a row of both
row () {
	perf report -i "$1" --stdio --no-children -g none -s dso,sym 2>report.err >report.out
	grep -v "^#" report.out | grep -F "$3" | grep -q "\[[.k]\] .*$2" || { head -40 report.out; cat report.err; return 1; }
}
