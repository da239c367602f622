# SPDX-License-Identifier: GPL-2.0-or-later
# What functions of a script do with their arguments, told by its text: so that nothing is made for a
# call which the function cannot look at. Where that is not certain, everything is made.

# Who names these may see the variables of a function from outside of it.
SEEING = {'locals', 'vars', 'eval', 'exec', 'breakpoint', 'getattr', 'inspect', 'gc', 'pdb', 'bdb', '_getframe',
          '_current_frames', 'settrace', 'setprofile', 'excepthook', 'f_locals', 'tb_frame', 'capture_locals', '__import__',
          'importlib', 'ctypes', 'cgitb', '__dict__', '__getattribute__'}


def children(node):
    for field in node._fields:
        value = getattr(node, field, None)
        for child in value if isinstance(value, list) else [value]:
            if hasattr(child, '_fields'):
                yield child


def walk(node, parents):
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        for child in children(node):
            parents[child] = node
            todo.append(child)


def kind(node):
    return type(node).__name__


def text_of(node):
    node = node.value if kind(node) == 'Index' else node        # of Python 3.8
    return node.value if kind(node) == 'Constant' and type(node.value) is str else None


def words_of(node):
    return [v for f in node._fields for v in [getattr(node, f, None)] if type(v) is str]


# d["key"], d.get("key"), "key" in d: the key; None: anything else.
def key_of(name, parents):
    up = parents[name]
    if kind(up) == 'Subscript' and up.value is name:
        return text_of(up.slice)
    if kind(up) == 'Compare':
        sole = len(up.ops) == 1 and kind(up.ops[0]) in ('In', 'NotIn') and up.comparators[0] is name
        return text_of(up.left) if sole else None
    call = parents[up]
    if kind(up) == 'Attribute' and up.attr == 'get' and kind(call) == 'Call' and call.func is up and call.args:
        return text_of(call.args[0])
    return None


class Script:
    def __init__(self, text, path):
        self.path, self.parents, self.functions = path, {}, {}
        nodes = list(walk(compile(text, path, 'exec', 0x400), self.parents))    # PyCF_ONLY_AST
        self.plain = not any(word in SEEING or word.split('.')[0] in SEEING for n in nodes for word in words_of(n)
                             if kind(n) != 'Constant')
        for n in nodes:
            if kind(n) == 'FunctionDef':
                self.functions.setdefault((n.name, n.lineno), []).append(n)

    def keys(self, function, name):
        keys = set()
        for n in walk(function, {}):
            if kind(n) in ('Global', 'Nonlocal') and name in n.names:
                return None
            if kind(n) == 'Name' and n.id == name:
                key = key_of(n, self.parents)
                if key is None:
                    return None
                keys.add(key)
        return keys

    # For each positional argument: the keys that are asked of it (none: it is not looked at), or None
    # if it may be used in any way.
    def uses(self, call):
        import sys
        code = getattr(call, '__code__', None)
        found = self.functions.get((code.co_name, code.co_firstlineno), []) if code else []
        if not self.plain or len(found) != 1 or code.co_filename != self.path or type(call) is not type(Script.uses) or \
                sys.excepthook is not sys.__excepthook__ or sys.gettrace() or sys.getprofile() or found[0].decorator_list or found[0].args.vararg:
            return []
        a = found[0].args
        return [self.keys(found[0], arg.arg) for arg in getattr(a, 'posonlyargs', []) + a.args]


def uses_of(text, path):
    try:
        return Script(text, path).uses
    except Exception:
        return lambda call: []
