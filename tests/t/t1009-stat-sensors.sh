#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat and list: sensors of chips (hwmon) and graphics devices (drm)'
. "$(dirname "$0")/lib.sh"

chips=$TOP/tests/roots/sensors
test_lazy_prereq MOUNTS 'needs root and mount namespaces' '[ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs none /sys/class'

# inside COMMAND: with the chips of tests/roots/sensors in /sys/class.
inside () {
	unshare -m sh -c "mount -t tmpfs none /sys/class && mkdir /sys/class/hwmon && cp -r $chips/sys/class/hwmon/. /sys/class/hwmon/ && { $1
	}"
}

test_expect_success MOUNTS 'list: names, labels, units' '
	inside "\"$BUILD/perf\" list -j hwmon" >out && python3 - out <<-\EOF &&
	import json, sys
	e = {(x["Unit"], x["EventName"]): x for x in json.load(open(sys.argv[1]))}
	t = e["hwmon_coretemp", "temp_package_id_0"]
	assert t["EventAlias"] == "temp1" and t["ScaleUnit"] == "0.001\x27C" and t["EventType"] == "Hwmon event"
	assert t["BriefDescription"] == "Temperature in unit coretemp named Package id 0. max=90\x27C, crit=100\x27C"
	assert e["hwmon_we_rd_chip", "fan1"]["ScaleUnit"] == "1rpm" and ("hwmon_we_rd_chip", "in_+3.3v_rail") in e
	EOF
	inside "\"$BUILD/perf\" list coretemp" >out && test_grep "temp_core_0 OR temp2 +.Hwmon event.$" out && ! grep fan1 out
'

test_expect_success MOUNTS,NEWEST 'list: the names that the newest upstream perf has' '
	inside "\"$BUILD/perf\" list --raw-dump hwmon" | tr " " "\n" | grep . | sort -u >ours &&
	mkdir -p fake/class/hwmon && for i in 0 1 2; do ln -sf "$chips/sys/class/hwmon/hwmon$i" fake/class/hwmon/hwmon$i; done &&
	SYSFS_PATH=$PWD/fake "$NEWEST" list -j hwmon | sed -n "s/.*\"EventName\": \"\(.*\)\",/\1/p" | sort -u >theirs && test -s theirs &&
	comm -13 ours theirs >missing && test_cmp /dev/null missing
'

test_expect_success MOUNTS 'stat: levels in their units, below zero too; two chips of one name' '
	inside "\"$BUILD/perf\" stat -x, -o out -e temp7,fan1,in_vcore,power2,energy1,temp_core_0 true" &&
	grep -v "^#" out | grep . | cut -d, -f1-3 | tr -d "\047" >got &&
	printf "%s\n" "-2.50,C,temp7" 1200,rpm,fan1 1.02,V,in_vcore 3.30,W,power2 0.00,J,energy1 "41.50,C,hwmon0/temp_core_0/" "22.00,C,hwmon1/temp_core_0/" >expect &&
	test_cmp expect got &&
	inside "\"$BUILD/perf\" stat -e hwmon_we_rd_chip/fan1/,hwmon0/temp1/ true" 2>err && test_grep "^ +1200 rpm +hwmon_we_rd_chip/fan1/" err && test_grep "^ +45.00 .C +hwmon0/temp1/" err &&
	inside "\"$BUILD/perf\" stat -I 20 -x, -o out -e temp7 sleep 0.07" && test "$(grep -c ",-2.50,.C,temp7," out)" -ge 3
'

test_expect_success MOUNTS,PERF_SW 'stat record and report; metrics of sensors' '
	inside "\"$BUILD/perf\" stat record -I 20 -o s.data -e temp7,cs sleep 0.07" 2>live && perf stat report -i s.data 2>replayed && test_grep "^ +[0-9.]+ +-2.50 .C +temp7" replayed &&
	mkdir -p m && echo "[{\"MetricName\": \"warm\", \"MetricExpr\": \"temp7 * 2 + fan1\", \"ScaleUnit\": \"1x\"}]" >m/x.json &&
	inside "\"$BUILD/perf\" stat --metric-dir m -M warm true" 2>err && test_grep "# +1195.0 x  warm" err
'

test_expect_success MOUNTS 'what is not there' '
	test_must_fail inside "\"$BUILD/perf\" stat -e hwmon_coretemp/temp9/ true" 2>err && test_grep "there is no such event of .hwmon_coretemp." err &&
	test_must_fail inside "\"$BUILD/perf\" stat -e temp99 true" 2>err && test_grep "Unable to find event on a PMU of .temp99." err &&
	test_must_fail inside "\"$BUILD/perf\" record -e temp7 true" 2>err && test_grep "can be counted .perf stat., not sampled" err
'

test_expect_success MOUNTS 'graphics devices: of a process, and what it used while it was counted' '
	mkdir fd fdinfo && cp -P "$chips"/proc/100/fd/3 fd/ && cp "$chips"/proc/100/fdinfo/3 fdinfo/ &&
	cat >drm.sh <<-\EOF &&
	sleep 100 & p=$!
	mount --bind fd /proc/$p/fd && mount --bind fdinfo /proc/$p/fdinfo || { kill $p; exit 77; }
	(sleep 0.3; sed "s/9000000000/9000000321/" fdinfo/3 >new; cat new >fdinfo/3) &
	"$1" stat -x, -o out -e drm-engine-render,drm_i915/drm-total-system0/,drm-maxfreq-render -p $p sleep 1 && "$1" list drm >listed
	rc=$?
	kill $p
	exit $rc
	EOF
	unshare -m sh drm.sh "$BUILD/perf" && grep -v "^#" out | grep . | cut -d, -f1-3 | tr -d "\047" >got &&
	printf "%s\n" 321,ns,drm-engine-render 1263616,bytes,drm_i915/drm-total-system0/ 1300000000,hz,drm-maxfreq-render >expect && test_cmp expect got &&
	test_grep "drm-engine-video +.DRM event.$" listed
'

test_done
