# SPDX-License-Identifier: GPL-2.0-or-later
"""memrandom.py SEED: a story for memstory.py, of accesses of all kinds by three processes that run ./prog."""
import random, sys

r = random.Random(int(sys.argv[1]))
for pid, comm in ((100, 'worker'), (200, 'other-longer-n'), (300, 'x')):
    print('comm %d %d %s\ncomm %d %d %s1\nprogram %d prog' % (pid, pid, comm, pid, pid + 1, comm, pid))
    print('map %d 0x7f1000000000 0x10000 //anon\nshared %d 0x7f2000000000 0x10000 /dev/shm/x' % (pid, pid))
SOURCES = '''load,hit,l1 load,hit,l2 load,hit,l3 load,hit,l3,hitm load,hit,l3,hitm load,hit,rcce1,hitm load,hit,rcce1,snphit
    load,hit,rcce1,hitm,remote load,hit,l3,peer load,hit,rcce1,peer load,hit,ram load,hit,rram1 load,hit,lfb store,hit,l1 store,miss,l1
    store,lvlna load,miss store load,hit,unc load,hit,io store,hit,unc load,hit,l3,locked,hitm load,hit,l1,blkdata store,hit,l1,locked 0x0
    load,hit,l3,hitm,remote,L3 load,hit,l2,hitm load,hit,l2,peer load,hit,l3,hitm,peer load,remote,hitm load,miss,rcce1,hitm opna'''.split()
PLACES = ('counter+%d', 'table+%d', '0x7f10000000%02x', '0x7f20000000%02x', '0xffff8880000000%02x', '0x5000000000%02x', '0x00000000%02x')
CODE = '''reader+8 reader+8 reader+12 writer+8 writer+12 main+4 main+8 longer_name_of_a_function_for_widths_of_columns+4 0xffffffff81000000
    0x123456'''.split()
for i in range(r.choice((30, 100, 300))):
    addr = r.choices(PLACES, (6, 6, 3, 3, 2, .5, .3))[0] % r.choice((0, 8, 8, 24, 32, 64, 72, 80))
    pid = r.choice((100, 100, 200, 300))
    print(10 + i, r.choice((0, 0, 1, 4, 5, 7)), pid, pid + r.choice((0, 0, 1)), r.choice(CODE), addr, r.randrange(10, 900), r.choice(SOURCES))
