# SPDX-License-Identifier: GPL-2.0-or-later
# Modules that scripts import from upstream perf's directory, where that is not installed: what is
# found on sys.path goes first. SOURCES is the text of each, by name.
import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in SOURCES:
            return None
        return type(sys.__spec__)(name, Finder, origin='<perf ' + name + '.py>')

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        spec = module.__spec__
        exec(compile(SOURCES[spec.name], spec.origin, 'exec'), module.__dict__)


sys.meta_path.append(Finder)
