# SPDX-License-Identifier: GPL-2.0-or-later
# The names of upstream perf's module for what happens now: evsel, evlist, events out of the rings. Loaded when one of them is first
# asked for, into the module perf.
import ctypes
import io
import mmap as _mmap
import os
import re
import select
import struct
import threading

TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_HW_CACHE, TYPE_RAW, TYPE_BREAKPOINT = range(6)
(COUNT_HW_CPU_CYCLES, COUNT_HW_INSTRUCTIONS, COUNT_HW_CACHE_REFERENCES, COUNT_HW_CACHE_MISSES, COUNT_HW_BRANCH_INSTRUCTIONS,
 COUNT_HW_BRANCH_MISSES, COUNT_HW_BUS_CYCLES, COUNT_HW_STALLED_CYCLES_FRONTEND, COUNT_HW_STALLED_CYCLES_BACKEND) = range(9)
(COUNT_HW_CACHE_L1D, COUNT_HW_CACHE_L1I, COUNT_HW_CACHE_LL, COUNT_HW_CACHE_DTLB, COUNT_HW_CACHE_ITLB, COUNT_HW_CACHE_BPU) = range(6)
COUNT_HW_CACHE_OP_READ, COUNT_HW_CACHE_OP_WRITE, COUNT_HW_CACHE_OP_PREFETCH = range(3)
COUNT_HW_CACHE_RESULT_ACCESS, COUNT_HW_CACHE_RESULT_MISS = range(2)
(COUNT_SW_CPU_CLOCK, COUNT_SW_TASK_CLOCK, COUNT_SW_PAGE_FAULTS, COUNT_SW_CONTEXT_SWITCHES, COUNT_SW_CPU_MIGRATIONS,
 COUNT_SW_PAGE_FAULTS_MIN, COUNT_SW_PAGE_FAULTS_MAJ, COUNT_SW_ALIGNMENT_FAULTS, COUNT_SW_EMULATION_FAULTS, COUNT_SW_DUMMY) = range(10)
(SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME, SAMPLE_ADDR, SAMPLE_READ, SAMPLE_CALLCHAIN, SAMPLE_ID, SAMPLE_CPU, SAMPLE_PERIOD, SAMPLE_STREAM_ID,
 SAMPLE_RAW) = (1 << _i for _i in range(11))
_IDENTIFIER = 1 << 16
FORMAT_TOTAL_TIME_ENABLED, FORMAT_TOTAL_TIME_RUNNING, FORMAT_ID, FORMAT_GROUP = 1, 2, 4, 8
(RECORD_MMAP, RECORD_LOST, RECORD_COMM, RECORD_EXIT, RECORD_THROTTLE, RECORD_UNTHROTTLE, RECORD_FORK, RECORD_READ, RECORD_SAMPLE,
 RECORD_MMAP2, RECORD_AUX, RECORD_ITRACE_START, RECORD_LOST_SAMPLES, RECORD_SWITCH, RECORD_SWITCH_CPU_WIDE) = range(1, 16)
RECORD_MISC_SWITCH_OUT = 1 << 13

_ENABLE, _DISABLE, _SET_OUTPUT, _ID = 0x2400, 0x2401, 0x2405, 0x80082407
_OPEN_CALL = {'x86_64': 298, 'aarch64': 241, 'riscv64': 241, 'loongarch64': 241, 's390x': 331, 'ppc64le': 319, 'i686': 336, 'armv7l': 364}
_libc = ctypes.CDLL(None, use_errno=True)


def _raise(what):
    code = ctypes.get_errno()
    _fail(code, '%s: %s' % (what, os.strerror(code)), 'perf doctor says what stands in the way of measuring' if code in (1, 13) else None)


def _ioctl(fd, request, arg=0):
    if _libc.ioctl(fd, ctypes.c_ulong(request), arg) < 0:
        _raise('cannot control an event')


def _numbers(text):
    for part in text.strip().split(','):
        first, _, last = part.partition('-')
        yield from range(int(first), int(last or first) + 1)


class _Map:
    def __init__(self, numbers):
        self._numbers = list(numbers)

    def __len__(self):
        return len(self._numbers)

    def __getitem__(self, i):
        return self._numbers[i]

    def __iter__(self):
        return iter(self._numbers)


class cpu_map(_Map):
    """CPUs: those of a list as "0-3,5", or all that are online."""

    def __init__(self, cpustr=None):
        if cpustr is None:
            with io.open('/sys/devices/system/cpu/online') as f:
                cpustr = f.read()
        super().__init__(_numbers(cpustr))


class thread_map(_Map):
    """Threads: those of a process, one, or -1: any."""

    def __init__(self, pid=-1, tid=-1, uid=0xffffffff):
        if pid != -1:
            try:
                super().__init__(sorted(map(int, os.listdir('/proc/%d/task' % pid))))
            except OSError as e:
                _fail(e.errno, 'process %d: %s' % (pid, e.strerror), None)
        else:
            super().__init__([tid])


class counts_values:
    """What a counter says: val, ena (time enabled) and run (time counted) in ns, id, lost."""

    def __init__(self, val=0, ena=0, run=0, id=0, lost=0):
        self.val, self.ena, self.run, self.id, self.lost = val, ena, run, id, lost

    @property
    def values(self):
        return [self.val, self.ena, self.run, self.id, self.lost]


_FLAGS = ('disabled inherit pinned exclusive exclude_user exclude_kernel exclude_hv exclude_idle mmap comm freq inherit_stat enable_on_exec '
          'task watermark precise_ip _ mmap_data sample_id_all exclude_host exclude_guest').split()
_NUMBERS = 'type config sample_period sample_type read_format wakeup_events bp_type bp_addr bp_len'.split()


class evsel:
    """An event: its attribute by names."""

    def __init__(self, type=TYPE_HARDWARE, config=0, sample_freq=0, sample_period=0, idx=0, context_switch=0, **more):
        unknown = set(more) - set(_FLAGS) - set(_NUMBERS)
        if unknown:
            raise TypeError('evsel() got an unexpected keyword argument %r' % sorted(unknown)[0])
        self.type, self.config, self.sample_period = type, config, sample_freq or sample_period
        self.sample_type, self.read_format, self.wakeup_events = (more.get(k, 0) for k in ('sample_type', 'read_format', 'wakeup_events'))
        self.size, self.idx, self.tracking, self._attr = 136, idx, False, None
        self._name = '%d/%#x/' % (type, config)
        self._bp = [more.get(k, 0) for k in ('bp_type', 'bp_addr', 'bp_len')]
        self._bits = sum((more.get(k, 0) & (3 if k == 'precise_ip' else 1)) << i for i, k in enumerate(_FLAGS))
        self._bits |= (1 << 10 if sample_freq else 0) | (context_switch & 1) << 26
        self._fds, self._cpus, self._threads = {}, None, None

    def _bytes(self):
        if self._attr:
            a = bytearray(self._attr)
            struct.pack_into('<QQQ', a, 16, self.sample_period, self.sample_type, self.read_format)
            return bytes(a)
        bp_type, bp_addr, bp_len = self._bp
        return struct.pack('<IIQQQQQIIQQ', self.type, self.size, self.config, self.sample_period, self.sample_type, self.read_format,
                           self._bits, self.wakeup_events, bp_type, bp_addr, bp_len) + bytes(self.size - 72)

    def cpus(self):
        return self._cpus

    def threads(self):
        return self._threads

    def open(self, cpus=None, threads=None, group=None, inherit=0):
        self._cpus, self._threads = cpus or self._cpus or cpu_map(), threads or self._threads or thread_map()
        if inherit:
            self._bits |= 2
        number = _OPEN_CALL.get(os.uname().machine)
        if number is None:
            _fail(38, 'events cannot be opened on %s' % os.uname().machine, None)
        attr = ctypes.create_string_buffer(self._bytes())
        for cpu in self._cpus:
            for tid in self._threads:
                fd = _libc.syscall(ctypes.c_long(number), attr, ctypes.c_int(tid), ctypes.c_int(cpu), ctypes.c_int(-1), ctypes.c_ulong(8))
                if fd < 0:
                    _raise("cannot open event '%s' on cpu %d" % (self._name, cpu))
                self._fds[cpu, tid] = fd

    def close(self):
        for fd in self._fds.values():
            os.close(fd)
        self._fds = {}

    def read(self, cpu, thread):
        if (cpu, thread) not in self._fds:
            raise KeyError('event %s is not open on cpu %r for thread %r' % (self._name, cpu, thread))
        v = list(struct.unpack('<%dQ' % (1 + bin(self.read_format & 0x17).count('1')),
                               os.read(self._fds[cpu, thread], 8 * (1 + bin(self.read_format & 0x17).count('1')))))
        c = counts_values(v.pop(0))
        for bit, name in (1, 'ena'), (2, 'run'), (4, 'id'), (16, 'lost'):
            if self.read_format & bit:
                setattr(c, name, v.pop(0))
        return c

    def __str__(self):
        return 'evsel(%s)' % self._name

    __repr__ = __str__

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass


# ---- events ----


class _Event:
    """sample_*: 0, or all bits set for ids, where the event does not have it."""
    _text = ''

    def __str__(self):
        return '{ ' + self._text % vars(self) + ' }'

    __repr__ = __str__


class mmap_event(_Event):
    _text = 'type: mmap, pid: %(pid)d, tid: %(tid)d, start: %(start)#x, length: %(len)#x, offset: %(pgoff)#x, filename: %(filename)s'


class lost_event(_Event):
    _text = 'type: lost, id: %(id)#x, lost: %(lost)#x'


class comm_event(_Event):
    _text = 'type: comm, pid: %(pid)d, tid: %(tid)d, comm: %(comm)s'


class task_event(_Event):
    _text = 'type: %(_what)s, pid: %(pid)d, ppid: %(ppid)d, tid: %(tid)d, ptid: %(ptid)d, time: %(time)d'

    def __str__(self):
        return super().__str__()[:-2] + '}'

    __repr__ = __str__


class throttle_event(_Event):
    _text = 'type: %(_what)s, time: %(time)d, id: %(id)d, stream_id: %(stream_id)d'


class read_event(_Event):
    _text = 'type: read, pid: %(pid)d, tid: %(tid)d'


class context_switch_event(_Event):
    _text = 'type: context_switch, next_prev_pid: %(next_prev_pid)d, next_prev_tid: %(next_prev_tid)d, switch_out: %(switch_out)d'


switch_event = context_switch_event


class sample_event(_Event):
    """Of tracepoints also their fields, by name."""
    _text = 'type: sample'

    def __getattr__(self, name):
        raw, evsel = self.__dict__.get('_raw'), self.__dict__.get('_evsel')
        field = _format(evsel.config).get(name) if raw and evsel.type == TYPE_TRACEPOINT else None
        if field is None:
            raise AttributeError(name)
        kind, off, size, signed = field
        if '__data_loc' in kind:
            v = int.from_bytes(raw[off:off + 4], 'little')
            off, size = v & 0xffff, v >> 16
        data = raw[off:off + size]
        if 'char' in kind and ('[' in kind or '__data_loc' in kind):
            return data.split(b'\0')[0].decode('utf-8', 'replace')
        return int.from_bytes(data, 'little', signed=signed) if size in (1, 2, 4, 8) else data


_formats = {}


def _tracing():
    return next((d for d in ('/sys/kernel/tracing', '/sys/kernel/debug/tracing') if os.path.isdir(d + '/events')), '/sys/kernel/tracing')


def tracepoint(sys, name):
    """Its number, the config of an evsel; -1: there is none."""
    try:
        with io.open('%s/events/%s/%s/id' % (_tracing(), sys, name)) as f:
            return int(f.read())
    except OSError:
        return -1


def _format(config):
    if config not in _formats:
        fields = _formats[config] = {}
        top = _tracing() + '/events'
        for sys in os.listdir(top):
            for name in os.listdir(top + '/' + sys) if os.path.isdir(top + '/' + sys) else []:
                if tracepoint(sys, name) == config:
                    with io.open('%s/%s/%s/format' % (top, sys, name)) as f:
                        for m in re.finditer(r'field:(.*?)(\w+)(\[\d*\])?;\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d)', f.read()):
                            fields[m.group(2)] = (m.group(1) + (m.group(3) or ''), int(m.group(4)), int(m.group(5)), m.group(6) == '1')
                    return fields
    return _formats[config]


_NONE = (1 << 64) - 1


class _Bytes:
    def __init__(self, b):
        self.b, self.at = b, 0

    def get(self, form):
        v = struct.unpack_from('<' + form, self.b, self.at)
        self.at += struct.calcsize('<' + form)
        return v if len(v) > 1 else v[0]

    def text(self):
        return self.b[self.at:].split(b'\0')[0].decode('utf-8', 'replace')


def _new(cls, type, e, v):
    event = cls()
    d = event.__dict__
    d.update(type=type, sample_ip=0, sample_pid=-1, sample_tid=-1, sample_time=_NONE, sample_addr=0, sample_id=_NONE, sample_stream_id=_NONE,
             sample_cpu=0xffffffff, sample_period=e.sample_period, _evsel=e)
    d.update(v)
    return event


def _sample(e, b):
    v, t = {}, e.sample_type
    for bit, key, form in ((_IDENTIFIER, 'sample_id', 'Q'), (SAMPLE_IP, 'sample_ip', 'Q'), (SAMPLE_TID, ('sample_pid', 'sample_tid'), 'ii'),
                           (SAMPLE_TIME, 'sample_time', 'Q'), (SAMPLE_ADDR, 'sample_addr', 'Q'), (SAMPLE_ID, 'sample_id', 'Q'),
                           (SAMPLE_STREAM_ID, 'sample_stream_id', 'Q'), (SAMPLE_CPU, ('sample_cpu', '_'), 'II'),
                           (SAMPLE_PERIOD, 'sample_period', 'Q')):
        if t & bit:
            got = b.get(form)
            v.update(zip(key, got) if isinstance(key, tuple) else [(key, got)])
    if t & SAMPLE_READ:
        n = b.get('Q') if e.read_format & FORMAT_GROUP else 1
        each = 1 + (e.read_format >> 2 & 1) + (e.read_format >> 4 & 1)
        b.at += 8 * (n * each + (e.read_format & 1) + (e.read_format >> 1 & 1))
    if t & SAMPLE_CALLCHAIN:
        b.at += 8 * b.get('Q')
    if t & SAMPLE_RAW:
        n = b.get('I')
        v['_raw'] = b.b[b.at:b.at + n]
    return v


def _trailer(e, data):
    t, v, form, keys = e.sample_type, {}, '', []
    for bit, key, one in ((SAMPLE_TID, ('sample_pid', 'sample_tid'), 'ii'), (SAMPLE_TIME, ('sample_time',), 'Q'), (SAMPLE_ID, ('sample_id',), 'Q'),
                          (SAMPLE_STREAM_ID, ('sample_stream_id',), 'Q'), (SAMPLE_CPU, ('sample_cpu', '_'), 'II'),
                          (_IDENTIFIER, ('sample_id',), 'Q')):
        if t & bit:
            form += one
            keys += key
    n = struct.calcsize('<' + form)
    if e._bits >> 18 & 1 and len(data) >= n:
        v.update(zip(keys, struct.unpack('<' + form, data[len(data) - n:])))
    return v


def _event(e, type, misc, data):
    b = _Bytes(data)
    if type == RECORD_SAMPLE:
        return _new(sample_event, type, e, _sample(e, b))
    v = _trailer(e, data)
    if type in (RECORD_MMAP, RECORD_MMAP2):
        v.update(zip(('pid', 'tid', 'start', 'len', 'pgoff'), b.get('iiQQQ')))
        b.at += 32 if type == RECORD_MMAP2 else 0
        v.update(filename=b.text(), misc=misc)
        return _new(mmap_event, type, e, v)
    if type == RECORD_COMM:
        v.update(zip(('pid', 'tid'), b.get('ii')))
        v.update(comm=b.text())
        return _new(comm_event, type, e, v)
    if type in (RECORD_FORK, RECORD_EXIT):
        v.update(zip(('pid', 'ppid', 'tid', 'ptid', 'time'), b.get('iiiiQ')), _what='fork' if type == RECORD_FORK else 'exit')
        return _new(task_event, type, e, v)
    if type in (RECORD_SWITCH, RECORD_SWITCH_CPU_WIDE):
        pid, tid = b.get('ii') if type == RECORD_SWITCH_CPU_WIDE else (-1, -1)
        v.update(next_prev_pid=pid, next_prev_tid=tid, switch_out=misc >> 13 & 1)
        return _new(context_switch_event, type, e, v)
    if type in (RECORD_THROTTLE, RECORD_UNTHROTTLE):
        v.update(zip(('time', 'id', 'stream_id'), b.get('QQQ')), _what='throttle' if type == RECORD_THROTTLE else 'unthrottle')
        return _new(throttle_event, type, e, v)
    if type == RECORD_LOST:
        v.update(zip(('id', 'lost'), b.get('QQ')))
        return _new(lost_event, type, e, v)
    if type == RECORD_READ:
        v.update(zip(('pid', 'tid'), b.get('ii')))
        return _new(read_event, type, e, v)
    return None


# ---- rings ----


class _Ring:
    def __init__(self, fd, pages):
        self.size, self.page = pages * _mmap.PAGESIZE, _mmap.PAGESIZE
        try:
            self.map = _mmap.mmap(fd, self.size + self.page)
        except OSError as e:
            _fail(e.errno, 'cannot map the ring of an event: %s' % e.strerror, 'fewer pages: mmap(pages=16), or more of '
                  '/proc/sys/kernel/perf_event_mlock_kb')
        self.lock = threading.Lock()

    def next(self):
        """(type, misc, body), or None."""
        head, tail = struct.unpack_from('<QQ', self.map, 1024)
        with self.lock:             # what was written before head is seen
            pass
        if head == tail:
            return None
        type, misc, size = struct.unpack('<IHH', self._bytes(tail, 8))
        body = self._bytes(tail + 8, size - 8)
        with self.lock:             # it was read before its place is given back
            pass
        struct.pack_into('<Q', self.map, 1032, tail + size)
        return type, misc, body

    def _bytes(self, at, n):
        at %= self.size
        now = min(n, self.size - at)
        first = self.map[self.page + at:self.page + at + now]
        return first if now == n else first + self.map[self.page:self.page + n - now]


class evlist:
    """Events that are opened together; what they bring is read by read_on_cpu()."""

    def __init__(self, cpus=None, threads=None):
        self._cpus, self._threads, self._events, self._rings, self._ids = cpus, threads, [], {}, {}

    def __len__(self):
        return len(self._events)

    def __getitem__(self, i):
        return self._events[i]

    def __iter__(self):
        return iter(self._events)

    def __str__(self):
        return 'evlist([%s])' % ','.join(e._name for e in self._events)

    __repr__ = __str__

    def add(self, evsel):
        evsel.idx = len(self._events)
        self._events.append(evsel)
        return len(self._events)

    def all_cpus(self):
        return self._cpus or cpu_map()

    def open(self, group=0):
        for e in self._events:
            if not e._fds:
                e.open(self._cpus, self._threads)

    def close(self):
        self._rings = {}
        for e in self._events:
            e.close()

    def _each(self, request):
        for e in self._events:
            for fd in e._fds.values():
                _ioctl(fd, request)

    def enable(self):
        self._each(_ENABLE)

    def disable(self):
        self._each(_DISABLE)

    def config(self):
        """What perf record asks for: each sample with its place, time, thread and CPU."""
        for e in self._events:
            e.sample_type |= SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | _IDENTIFIER
            e._bits |= 1 << 18
            if not e.sample_period:
                e.sample_period, e._bits = 4000, e._bits | 1 << 10

    def mmap(self, pages=128, overwrite=0):
        first = {}
        for e in self._events:
            for (cpu, _), fd in e._fds.items():
                if cpu in first:
                    _ioctl(fd, _SET_OUTPUT, first[cpu])
                else:
                    first[cpu] = fd
                    self._rings[cpu] = _Ring(fd, pages)
                ident = ctypes.c_uint64()
                _ioctl(fd, _ID, ctypes.byref(ident))
                self._ids[ident.value] = e
        self._fds = list(first.values())

    def get_pollfd(self):
        return [io.FileIO(fd, closefd=False) for fd in getattr(self, '_fds', [])]

    def poll(self, timeout=-1):
        p = select.poll()
        for fd in getattr(self, '_fds', []):
            p.register(fd, select.POLLIN | select.POLLERR | select.POLLHUP)
        return len(p.poll(timeout))

    def _evsel(self, type, body):
        e = self._events[0]
        if len(self._events) > 1 and e.sample_type & _IDENTIFIER:
            at = 0 if type == RECORD_SAMPLE else len(body) - 8
            return self._ids.get(struct.unpack_from('<Q', body, at)[0], e)
        return e

    def read_on_cpu(self, cpu, sample_id_all=1):
        """The next event of this CPU; None: there is none now."""
        ring = self._rings.get(cpu)
        while ring:
            got = ring.next()
            if not got:
                return None
            type, misc, body = got
            event = _event(self._evsel(type, body), type, misc, body)
            if event:
                return event
        return None


def parse_events(text, cpus=None, threads=None):
    """An evlist of events as perf's -e takes them."""
    l = evlist(cpus, threads)
    for name, attr in _parse(text):
        type, size, config, period, sample_type, read_format, bits = struct.unpack_from('<IIQQQQQ', attr)
        e = evsel(type, config)
        e._name, e._attr = name, attr
        e.sample_period, e.sample_type, e.read_format, e._bits, e.size = period, sample_type, read_format, bits, size
        e._cpus, e._threads = cpus, threads
        l.add(e)
    return l
