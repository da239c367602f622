# SPDX-License-Identifier: GPL-2.0-or-later
# Names of values in the fields of tracepoints, and helpers that many scripts import.
from collections import defaultdict


def autodict():
    """A dictionary that makes what is missing, so that d[a][b][c] = x needs no d[a] before."""
    return defaultdict(autodict)


flag_fields = autodict()
symbolic_fields = autodict()


# perf tells these of each tracepoint before its first sample.

def define_flag_field(event_name, field_name, delim):
    flag_fields[event_name][field_name] = {'delim': delim, 'values': {}}


def define_flag_value(event_name, field_name, value, field_str):
    flag_fields[event_name][field_name]['values'][value] = field_str


def define_symbolic_field(event_name, field_name):
    symbolic_fields[event_name][field_name] = {'values': {}}


def define_symbolic_value(event_name, field_name, value, field_str):
    symbolic_fields[event_name][field_name]['values'][value] = field_str


def flag_str(event_name, field_name, value):
    """The names of the bits of value, with the delimiter of the format between them."""
    field = flag_fields[event_name].get(field_name)
    if not field:
        return ''
    names = field['values']
    if not value:
        return names.get(0, '')
    found = []
    for bits in sorted(names):
        if bits and value & bits == bits:
            found.append(names[bits])
            value &= ~bits
    delim = field['delim']
    return (' ' + delim + ' ' if delim else ' ').join(found)


def symbol_str(event_name, field_name, value):
    """The name of value."""
    field = symbolic_fields[event_name].get(field_name)
    return field['values'].get(value, '') if field else ''


trace_flags = {
    0x01: 'IRQS_OFF',
    0x02: 'IRQS_NOSUPPORT',
    0x04: 'NEED_RESCHED',
    0x08: 'HARDIRQ',
    0x10: 'SOFTIRQ',
}


def trace_flag_str(value):
    """common_flags(context) by their names."""
    if not value:
        return 'NONE'
    return ' | '.join(name for bit, name in sorted(trace_flags.items()) if value & bit)


def taskState(state):
    return {0: 'R', 1: 'S', 2: 'D', 64: 'DEAD'}.get(state, 'Unknown')
