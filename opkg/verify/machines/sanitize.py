"""What sanitizers and valgrind report of a kernel, as the result of its case: what happened, where in which source."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from opkg.spec.diagnostics import Span
from opkg.spec.model import OpPackage
from opkg.verify.judge.results import Fault, LogLine, RawResult
from opkg.verify.machines.blame import cause

MOST_SHOWN = 5  # findings of one case; the rest is counted

# A frame: `#1 0x7f12 in acme::relu(...) /path/relu.cpp:12:3`, `#1 acme::relu(...) /path/relu.cpp:12 (lib.so+0x1)`, or
# valgrind's `at 0x4005: acme::relu(...) (/path/relu.cpp:12)`.
_FRAME = re.compile(
    r"^\s*#\d+ (?:0x[0-9a-f]+ in )?(?P<function>.+?) (?P<path>/?[^\s:()]+):(?P<line>\d+)(?::(?P<column>\d+))?(?: \(.*\))?$"
)
_VALGRIND_FRAME = re.compile(r"^\s*(?:at|by) 0x[0-9A-F]+: (?P<function>.+) \((?P<path>[^\s:()]+):(?P<line>\d+)\)$")
_PREFIX = re.compile(r"^==\d+== ?")
_UNDEFINED = re.compile(r"^(?P<path>\S+?):(?P<line>\d+):(?P<column>\d+): runtime error: (?P<text>.*)$")
_ADDRESS = re.compile(r"^(?:==\d+==)?ERROR: AddressSanitizer: (?P<text>[\w-]+)")
_ACCESS = re.compile(r"^(?P<what>READ|WRITE) of size (?P<size>\d+) ")
_LEAK = re.compile(r"^(?:Direct|Indirect) leak of (?P<size>\d+) byte\(s\) in (?P<count>\d+) object\(s\)")
_RACE = re.compile(r"^WARNING: ThreadSanitizer: (?P<text>.+?) \(pid=\d+\)")
_VALGRIND = re.compile(
    r"^(?P<text>Invalid (?:read|write) of size \d+|Invalid free\(\).*|Mismatched free\(\).*|"
    r"Possible data race during (?:read|write) of size \d+|[\d,]+ .*bytes in [\d,]+ blocks are definitely lost)"
)
_STRAY = re.compile(
    r"^(index -?\d+ out of bounds|.*address with insufficient space|[\w-]+-(overflow|underflow)(: (read|write) of|$))"
)
_AT = re.compile(r"address 0x[0-9a-f]+")
_SEGV = {"SEGV": "access to memory that is not there"}


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a call stack; `path` is absolute."""

    function: str
    path: str
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One report. `frames`: the innermost first, those of the first stack. `leads`: without a frame in the project it says
    nothing of a kernel (leaks and races, which may be the runner's own)."""

    text: str
    frames: tuple[Frame, ...]
    leads: bool = False

    def fault(self, root: Path, package: OpPackage | None) -> Fault | None:
        """What happened, at the innermost line of the user's in the stack, else at the line of the spec that the innermost
        generated code was made from."""
        text = _AT.sub("address", self.text)  # which is another one in each case
        stray = _STRAY.match(text) is not None
        own = [frame for frame in self.frames if Path(frame.path).is_relative_to(root)]
        paths = [Path(frame.path).relative_to(root).as_posix() for frame in own]
        for frame, path in zip(own, paths, strict=True):
            if not path.startswith(("generated/", "build/")):
                return Fault(Span(path, frame.line, frame.column, frame.line, frame.column + 1), text, stray)
        for frame, path in zip(own, paths, strict=True):
            found = cause(package, root, path, frame.line) if package is not None else None
            if found is not None:
                where = f"in {path}:{frame.line}, the generated code of {found.what}"
                return Fault(found.span, f"{text}, {where}", stray)
        return None

    def place(self, root: Path) -> str:
        """`kernels/relu.cpp:12 in relu_f32`: the innermost frame in the project; else empty."""
        for frame in self.frames:
            if Path(frame.path).is_relative_to(root):
                shown = Path(frame.path).relative_to(root).as_posix()
                return f"{shown}:{frame.line}" + (f" in {_short(frame.function)}" if frame.function else "")
        return ""


def _short(function: str) -> str:
    """`acme::relu_f32(acme::ReluArgs const&)` -> `relu_f32`."""
    name = re.sub(r"\(.*", "", function.replace("(anonymous namespace)::", ""))
    return re.sub(r"<.*", "", name).rpartition("::")[2].rpartition(" ")[2] or function


def _frame(line: str, folder: Path) -> Frame | None:
    found = _FRAME.match(line) or _VALGRIND_FRAME.match(line)
    if found is None:
        return None
    column = int(found.groupdict().get("column") or 1)
    return Frame(found["function"], os.path.normpath(folder / found["path"]), int(found["line"]), column)


def _headline(line: str) -> tuple[str, bool] | None:
    """What a report begins with, in words, and whether it may be the runner's own affair."""
    if (found := _ADDRESS.match(line)) is not None:
        return _SEGV.get(found["text"], found["text"]), False
    if (found := _LEAK.match(line)) is not None:
        return f"leak of {found['size']} bytes in {found['count']} blocks", True
    if (found := _RACE.match(line)) is not None:
        return found["text"], True
    if (found := _VALGRIND.match(line)) is not None:
        text = found["text"]
        lost = text.endswith("definitely lost")
        text = f"leak of {text.split(' ')[0]} bytes" if lost else text[0].lower() + text[1:]
        return text.replace("possible data race", "data race"), True
    return None


def findings(report: str, folder: Path) -> list[Finding]:
    """The findings of a report, in its order, each once. Relative paths in it are relative to `folder`."""
    found: dict[tuple[str, tuple[Frame, ...]], Finding] = {}
    for finding in _findings([_PREFIX.sub("", line) for line in report.splitlines()], folder):
        found.setdefault((finding.text, finding.frames[:3]), finding)
    return list(found.values())


def _findings(lines: list[str], folder: Path) -> Iterator[Finding]:
    for number, line in enumerate(lines):
        undefined = _UNDEFINED.match(line)
        if undefined is not None:
            here = Frame(
                "", os.path.normpath(folder / undefined["path"]), int(undefined["line"]), int(undefined["column"])
            )
            yield Finding(undefined["text"], _stack(lines, number + 1, folder) or (here,))
            continue
        head = _headline(line)
        if head is None:
            continue
        text, leads = head
        access = next((m for m in map(_ACCESS.match, lines[number + 1 : number + 3]) if m is not None), None)
        if access is not None:
            text += f": {access['what'].lower()} of {access['size']} bytes"
        yield Finding(text, _stack(lines, number + 1, folder), leads)


def _stack(lines: list[str], start: int, folder: Path) -> tuple[Frame, ...]:
    """The frames of the first stack from a line on, which ends with an empty line or the next report."""
    frames: list[Frame] = []
    begun = False
    for line in lines[start : start + 80]:
        is_frame = re.match(r"^\s*(?:#\d+ |(?:at|by) 0x)", line) is not None
        if begun and not is_frame:
            break
        if not begun and (_headline(line) is not None or _UNDEFINED.match(line) is not None):
            break
        begun = begun or is_frame
        frame = _frame(line, folder)
        if frame is not None:
            frames.append(frame)
    return tuple(frames)


def _faults(found: list[Finding], root: Path, package: OpPackage | None) -> tuple[Fault, ...]:
    """Each once."""
    faults: dict[object, Fault] = {}
    for fault in (f.fault(root, package) for f in found):
        if fault is not None:
            faults.setdefault(fault.cause, fault)
    return tuple(faults.values())


def explained(result: RawResult, root: Path, folder: Path, package: OpPackage | None = None) -> RawResult:
    """A result with its report in words: status "sanitizer", or "guard" with the place. `root`: the project's; `folder`:
    where the compiler ran; `package`: whose generated code may be to blame."""
    if not result.report:
        return result
    found = [f for f in findings(result.report, folder) if not f.leads or f.place(root)]
    if not found:
        return result
    texts = [f"{f.text} at {place}" if (place := f.place(root)) else f.text for f in found]
    result = replace(result, faults=_faults(found, root, package)[:MOST_SHOWN])
    if result.status == "guard":
        place = found[0].place(root)
        return replace(result, message=f"{result.message}, at {place}" if place else result.message)
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    log = tuple(LogLine("error", text) for text in texts[:MOST_SHOWN])
    return replace(
        result, status="sanitizer", stage="execute", code=0, message=texts[0] + more, log=(*log, *result.log)
    )
