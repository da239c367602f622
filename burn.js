'''))
s=open('tests/t/t5110-no-unknown-jit.sh').read()
s=s.replace('''-F sample,comm 2>err | test_grep_lines agent
''','''-F sample,comm >out 2>err && test_grep " agent2? *$" out &&
	! grep -i -E "error|corrupt|invalid" err
''')
open('tests/t/t5110-no-unknown-jit.sh','w').write(s)
