# SPDX-License-Identifier: GPL-2.0-or-later
# Types of the module perf.
import os
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

_Words = Union[None, str, int, Iterable[Union[str, int]]]


class Error(OSError):
    hint: Optional[str]


class NotFoundError(Error, FileNotFoundError): ...


class Frame:
    ip: int
    symbol: Optional[str]
    offset: Optional[int]
    dso: Optional[str]
    inlined: bool
    @property
    def srcline(self) -> Optional[str]: ...


class Sample(NamedTuple):
    event: str
    comm: str
    pid: int
    tid: int
    cpu: int
    time: int
    period: int
    ip: int
    addr: int
    weight: int
    symbol: Optional[str]
    offset: Optional[int]
    dso: Optional[str]
    callchain: Tuple[Frame, ...]
    fields: Optional[Dict[str, Any]]


class File:
    path: str
    events: List[str]
    header: Dict[str, str]
    def __iter__(self) -> Iterator[Sample]: ...
    def samples(self) -> Iterator[Sample]: ...
    def report(self, sort: str = ..., children: bool = ...) -> List[Dict[str, Any]]: ...
    def stat(self) -> List[Dict[str, Any]]: ...


def open(path: Union[str, 'os.PathLike[str]'] = ..., *, where: Optional[str] = ..., time: Optional[str] = ..., comm: _Words = ...,
         dso: _Words = ..., symbol: _Words = ..., pid: _Words = ..., tid: _Words = ..., cpu: _Words = ..., inline: bool = ...) -> File: ...
