#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf config: reading, writing, errors'
. "$(dirname "$0")/lib.sh"

test_expect_success 'set, get, list, change, unset' '
	perf config report.sort=comm,dso report.children=false &&
	perf config report.sort >out && echo report.sort=comm,dso >expect && test_cmp expect out &&
	perf config report.sort=sym &&
	perf config --list >out && printf "report.sort=sym\nreport.children=false\n" >expect && test_cmp expect out &&
	perf config --user >out && test_cmp expect out &&
	perf config --unset report.sort &&
	test_status 1 perf config report.sort >out && ! test -s out &&
	perf config >out && echo report.children=false >expect && test_cmp expect out
'

test_expect_success 'what the user wrote stays' '
	printf "# mine\n[a]\n\tx = 1\t; one\n\n[B]\ny\n" >"$HOME/.perfconfig" &&
	perf config a.z="two words " &&
	printf "# mine\n[a]\n\tx = 1\t; one\n\tz = \"two words \"\n\n[B]\ny\n" >expect &&
	test_cmp expect "$HOME/.perfconfig" &&
	perf config b.y >out && echo b.y=true >expect && test_cmp expect out
'

test_expect_success 'PERF_CONFIG and --config name the only file' '
	printf "[only]\nx = 1\n" >other &&
	perf --config other config >out && echo only.x=1 >expect && test_cmp expect out &&
	PERF_CONFIG=other perf config >out && test_cmp expect out
'

test_expect_success STOCK 'the stock one reads what ours wrote' '
	rm -f "$HOME/.perfconfig" &&
	perf config report.percent-limit=5 colors.top="red, blue" &&
	"$STOCK" config --user --list | sort >stock && perf config --user --list | sort >ours && test_cmp stock ours
'

test_expect_success 'errors' '
	test_status 1 perf config nodot 2>err && test_grep "has no section: .nodot" err &&
	test_status 1 perf config a.b= 2>err && test_grep "no value" err &&
	test_status 1 perf config "a.b c=1" 2>err && test_grep "not a setting" err &&
	test_status 129 perf config --list a.b 2>err && test_grep "takes no arguments" err &&
	test_status 129 perf config --user --system 2>err &&
	printf "[a]\n\nnonsense here\n" >bad &&
	test_status 1 perf --config bad config 2>err &&
	test_grep "^Error: bad config line 3 in .bad.: missing" err &&
	test_status 1 perf --config nosuch config 2>err && test_grep "nosuch.*No such file" err
'

test_done
