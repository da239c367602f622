# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers for scripts: times, sums, names of system calls and errors.
import errno

FUTEX_WAIT = 0
FUTEX_WAKE = 1
FUTEX_PRIVATE_FLAG = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)

NSECS_PER_SEC = 1000000000


def avg(total, n):
    return total / n


def nsecs(secs, nsecs):
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    return nsecs // NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    return '%5u.%09u' % (nsecs_secs(nsecs), nsecs_nsecs(nsecs))


def add_stats(dict, key, value):
    """dict[key] becomes (least, most, mean of the last two, how many)."""
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    least, most, mean, count = dict[key]
    dict[key] = (min(least, value), max(most, value), avg(mean + value, 2), count + 1)


def clear_term():
    print('\x1b[H\x1b[2J')


def syscall_name(id):
    """Of this machine's kernel."""
    from _perf import syscall_name as name_of
    return name_of(id) or str(id)


def strerror(nr):
    return errno.errorcode.get(abs(nr), 'Unknown %d errno' % nr)
