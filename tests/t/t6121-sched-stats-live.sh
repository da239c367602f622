#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched stats record and live, where a /proc of our own tells what the counters are'
. "$(dirname "$0")/lib.sh"

# Below unshare -m: sh proc.sh COMMAND... with /proc/schedstat as in "one"; the command stats.sh makes it "two".
# What the switch of the counters is meanwhile and at the end goes to "meanwhile" and "after".
cat >proc.sh <<\EOF
mount -t tmpfs none /proc && mkdir -p /proc/sys/kernel /proc/self || exit 99
cat one >/proc/schedstat
[ -z "$SWITCH" ] || echo "$SWITCH" >/proc/sys/kernel/sched_schedstats
"$@"
status=$?
cat /proc/sys/kernel/sched_schedstats >after 2>/dev/null
exit $status
EOF
cat >stats.sh <<\EOF
#!/bin/sh
cat /proc/sys/kernel/sched_schedstats >meanwhile 2>/dev/null
cat two >/proc/schedstat
EOF
chmod +x stats.sh
domain="SMT 3 1 1 0 0 0 0 0 0 0 0 1 2 2 0 0 0 0 0 0 0 0 2 3 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 5 1 0"
printf "%s\n" "version 17" "timestamp 4295000000" "cpu0 0 0 100 40 50 20 1000000000 200000000 60" "domain0 $domain" \
	"cpu1 0 0 200 80 100 40 2000000000 400000000 120" "domain0 $domain" >one
sed "s/4295000000/4295000250/; s/^cpu0 0 0 100 40 50 20 1000000000 200000000 60/cpu0 1 0 300 90 150 60 3000000000 500000000 160/
	s/^cpu1 0 0 200/cpu1 0 0 260/; s/SMT 3 1 1 0 0/SMT 3 11 9 1 5/" one >two

test_lazy_prereq OWNPROC 'needs root and unshare(1) for a /proc of its own' \
	'unshare -m sh -c "mount -t tmpfs none /proc && [ ! -e /proc/self ]"'
own_proc () { rm -f meanwhile after; SWITCH=$1; export SWITCH; shift; unshare -m sh proc.sh "$@"; }

test_expect_success OWNPROC 'record: the counters are on meanwhile, and off again' '
	own_proc 0 perf sched stats record -o r.data ./stats.sh 2>err && grep "Wrote samples to r.data" err &&
	echo 1 >expect && test_cmp expect meanwhile && echo 0 >expect && test_cmp expect after &&
	perf sched stats report -i r.data >out && sed -n "9p; 15,23p" out | tr -s " " >cpus && cat >expect <<-\EOF && test_cmp expect cpus &&
	Time elapsed (in jiffies) : 250
	yld_count : 0
	array_exp : 0
	sched_count : 130
	sched_goidle : 25 ( 19.23% )
	ttwu_count : 50
	ttwu_local : 20 ( 40.00% )
	rq_cpu_time : 1000000000
	run_delay : 150000000 ( 15.00% )
	pcount : 50
	EOF
	grep "^CPU" out >cpus && cat >expect <<-\EOF && test_cmp expect cpus
	CPU: <ALL CPUS SUMMARY>
	CPU: <ALL CPUS SUMMARY> | DOMAIN: SMT
	CPU: 0
	CPU: 0 | DOMAIN: SMT | DOMAIN_CPUS: 0-1
	CPU: 1
	CPU: 1 | DOMAIN: SMT | DOMAIN_CPUS: 0-1
	EOF
'
test_expect_success OWNPROC 'those who had them on keep them on; older kernels have no switch' '
	own_proc 1 perf sched stats record -o on.data ./stats.sh && echo 1 >expect && test_cmp expect after &&
	own_proc "" perf sched stats record -o old.data ./stats.sh && test ! -s after &&
	perf sched stats report -i old.data >old && test_cmp out old
'
test_expect_success OWNPROC,NEWEST 'report and diff equal the newest upstream perf' '
	"$NEWEST" sched stats report -i r.data >upstream 2>/dev/null && test_cmp upstream out &&
	cp r.data s.data && perf sched stats diff r.data s.data >ours && "$NEWEST" sched stats diff r.data s.data >upstream 2>/dev/null && test_cmp upstream ours
'
test_expect_success OWNPROC 'live says what a recording says' '
	own_proc 0 perf sched stats ./stats.sh >live && test_cmp out live && echo 0 >expect && test_cmp expect after
'
test_expect_success OWNPROC,PYTHON 'as JSON: the same numbers, and the domains' '
	own_proc 0 perf sched stats --json ./stats.sh >live.json && perf sched stats report --json -i r.data >r.json && test_cmp r.json live.json &&
	python3 - >got <<-\EOF && echo "250 [200, 60] SMT 0-1 [10, 10]" >expect && test_cmp expect got
	import json
	d = json.load(open("r.json"))
	cpus, domains = [[r for r in d["rows"] if "cpu" in r and ("domain" in r) == of] for of in (False, True)]
	print(d["elapsed_jiffies"], [c["sched_count"] for c in cpus], domains[1]["domain_name"], domains[1]["domain_cpus"],
	      [r["busy_lb_count"] for r in domains])
	EOF
'
test_expect_success OWNPROC 'record -C writes those CPUs only; without one of them nothing' '
	own_proc 0 perf sched stats record -C 1 -o one.data ./stats.sh && perf sched stats report -i one.data | grep "^CPU" >cpus &&
	printf "%s\n" "CPU: <ALL CPUS SUMMARY>" "CPU: <ALL CPUS SUMMARY> | DOMAIN: SMT" "CPU: 1" "CPU: 1 | DOMAIN: SMT | DOMAIN_CPUS: 0-1" >expect &&
	test_cmp expect cpus && test_status 1 own_proc 0 perf sched stats record -C 5 -o none.data ./stats.sh 2>err &&
	printf "%s\n" "Error: no counters of CPU 5" "Hint: there are those of CPU 0-1" >expect && test_cmp expect err && test ! -e none.data &&
	test_status 1 perf sched stats report -C 5 -i r.data 2>err >none && test_cmp expect err && test_cmp /dev/null none
'
test_expect_success OWNPROC 'record without a command ends with a signal, and puts the switch back' '
	own_proc 0 sh -c "perf sched stats record -o sig.data & p=\$!
		while ! grep -q 1 /proc/sys/kernel/sched_schedstats; do sleep .02; done
		kill -INT \$p; wait \$p" 2>err && grep "Wrote samples to sig.data" err && echo 0 >expect && test_cmp expect after && test -s sig.data
'
test_expect_success OWNPROC 'a command that cannot be run: the switch is put back' '
	test_status 255 own_proc 0 perf sched stats record -o bad.data nosuchcmd 2>err &&
	echo "Error: cannot run '\''nosuchcmd'\'': No such file or directory" >expect && test_cmp expect err &&
	echo 0 >expect && test_cmp expect after && test ! -e bad.data
'
test_expect_success OWNPROC 'through a pipe; the command writes to stderr then' '
	printf "#!/bin/sh\ncat two >/proc/schedstat; echo said\n" >says.sh && chmod +x says.sh &&
	own_proc 0 perf sched stats record -o - ./says.sh 2>err >pipe && grep said err && ! grep -a said pipe &&
	perf sched stats report -i - <pipe >piped && grep -v "DOMAIN" out >expect && grep -v DOMAIN piped >got && test_cmp expect got
'
test_lazy_prereq NOSCHEDSTAT 'this kernel has /proc/schedstat' '[ ! -e /proc/schedstat ]'
test_expect_success NOSCHEDSTAT 'a kernel without the counters is reported, also by record --schedstat' '
	test_status 1 perf sched stats true 2>err && grep "^Error: .*/proc/schedstat. does not exist" err && grep "^Hint: .*CONFIG_SCHEDSTATS" err
'
test_done
