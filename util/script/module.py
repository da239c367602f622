# SPDX-License-Identifier: GPL-2.0-or-later
# The module perf, as programs in Python see it; perf.pyi has its types.


class Error(OSError):
    """What failed, on what, and why; hint: the next step, or None."""
    hint = None

    def __str__(self):
        return self.strerror + ('\nHint: ' + self.hint if self.hint else '')


class NotFoundError(Error, FileNotFoundError):
    pass


def _fail(code, message, hint):
    e = (NotFoundError if code == 2 else Error)(code, message)
    e.hint = hint
    raise e


class Frame:
    """A function on the stack."""
    __slots__ = ('ip', 'symbol', 'offset', 'dso', 'inlined', '_run', '_place', '_line')

    def __init__(self, run, place, ip, symbol, offset, dso, inlined):
        self._run, self._place, self._line = run, place, Frame
        self.ip, self.symbol, self.offset, self.dso, self.inlined = ip, symbol, offset, dso, inlined

    @property
    def srcline(self):
        """"file:line" of the source, or None; looked up when it is asked for."""
        if self._line is Frame:
            self._line = _srcline(self._run, self._place)
        return self._line

    def __repr__(self):
        return 'Frame(ip=%#x, symbol=%r, dso=%r%s)' % (self.ip, self.symbol, self.dso, ', inlined=True' if self.inlined else '')


class File:
    """A recording: iterating over it hands out its samples in the order of time."""

    def __init__(self, path, where, time, comm, dso, symbol, pid, tid, cpu, inline):
        self.path = path
        self._args = (path, int(not inline), where, time, comm, dso, symbol, pid, tid, cpu)
        text, self.events = _header(path)
        self.header = dict(_header_items(text))

    def __iter__(self):
        run = _begin(self._args)
        try:
            batch = _next(run)
            while batch:
                yield from batch
                batch = _next(run)
        finally:
            _end(run)

    def samples(self):
        """The same as iterating over it."""
        return iter(self)

    def report(self, sort='comm,dso,sym', children=False):
        """The rows of perf report as dictionaries, for pandas.DataFrame() and the like."""
        return _report(self._args, sort, children)

    def stat(self):
        """The counts of perf stat record as dictionaries: one for each counter, CPU, thread and interval."""
        return [dict(zip(('time', 'event', 'cpu', 'tid', 'value', 'enabled', 'running'), row)) for row in _counts(self._args)]

    def __repr__(self):
        return 'perf.open(%r)' % self.path


# Upstream perf's names for live events: most programs have no use for them.
def __getattr__(name):
    text = globals().pop('_live', None)
    if text is not None and not name.startswith('__'):
        exec(compile(text, '<perf>', 'exec'), globals())
    elif text is not None:
        globals()['_live'] = text
    if name not in globals():
        raise AttributeError("module 'perf' has no attribute %r" % name)
    return globals()[name]


def _header_items(text):
    for line in text.split('\n'):
        key, colon, value = line[2:].partition(' : ')
        if line.startswith('# ') and colon:
            yield key.strip(), value.strip()


def open(path='perf.data', *, where=None, time=None, comm=None, dso=None, symbol=None, pid=None, tid=None, cpu=None, inline=True):
    """Opens a recording. Of the samples only those are read that pass the filters: as the options of these names of perf report."""
    def words(v):
        return v if v is None or isinstance(v, str) else ','.join(map(str, v)) if hasattr(v, '__iter__') else str(v)
    import os
    return File(os.fspath(path), where, time, words(comm), words(dso), words(symbol), words(pid), words(tid), words(cpu), inline)
