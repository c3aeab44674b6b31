"""Measures whole calls of registered QHPI kernels in qemu-hexagon: from the wrapper to its return, part by part."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from opkg.kernels.blocks import reduces
from opkg.kernels.cost import architecture
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import Kernel, Layout, Op, OpPackage
from opkg.spec.names import snake
from opkg.verify.bench import stand_ins
from opkg.verify.bench.call_data import Called, case_at, encoded, is_crouton, with_rank
from opkg.verify.bench.call_parts import PARTS, attribution, counted, frames
from opkg.verify.bench.measure import TIMEOUT, disassembly, first_error, keep, scratch_folder
from opkg.verify.bench.stalls import addresses, along, packets_of
from opkg.verify.bench.subject import subjects
from opkg.verify.cases.case import Case
from opkg.verify.machines.hexagon import driver, runtime, steady, toolchain
from opkg.verify.machines.hexagon.calls import why_no_blocks
from opkg.verify.machines.runners import cache_folder

FRAME = Path(__file__).with_name("call_frame.cpp")
FLAGS = ("-O2", "-g", "-ffunction-sections")  # -O2 -g: those of the generated Makefile
SHAPES = ((1, 8, 8, 32), (1, 56, 56, 64), (1, 1, 1000), (1, 197, 768))
CALLS = 3  # the last one is the "later" call
MOST_TRACED = 3_000_000  # packets of all calls: a trace takes a line for each
_UNSUPPORTED = 1  # a status
_DEEP = "its rows are longer than blocks are taken for: the backend keeps these tensors flat"
_TURNED_DOWN = (
    "what stands in for floats leaves numbers that vectors turn down: portable code took {:.0%} of the elements"
)
_REPORT = struct.Struct("<10I2Q")
_COUNTING = "-DOPKG_COUNT_PATHS"
_MOST_PORTABLE = 0.1  # of the elements; last elements that are no whole step may be portable anywhere
_VERSION = 15  # of what the cache holds
_LABEL = re.compile(r"^([0-9a-f]+) <([^>]+)>:", re.MULTILINE)
_OURS = frozenset(
    ("main", "opkg_begin", "opkg_end", "(anonymous namespace)::call", "(anonymous namespace)::packets", "")
)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A kernel's calls at a shape. `problem`: why there are no figures.

    `first`, `later`: packets of the first and third call, without those of an empty one. `parts`: packets of the third by
    part (call_parts.PARTS); empty where they were not found out. `stalls`: packets of the third that waited, -1 unknown.
    `bytes`: of the output, or of the inputs where they are much larger. `static`: with stand-ins for instructions that no
    emulator has (opkg.verify.bench.stand_ins): packets of the same code, results that mean nothing.
    """

    kernel: str
    arch: str
    shape: tuple[int, ...]
    layout: str
    aligned: bool
    problem: str = ""
    first: int = 0
    later: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    stalls: int = -1
    bytes: int = 0
    in_ddr: bool = False
    static: bool = False

    @property
    def overhead(self) -> int | None:
        """The call without its rows: wrapper, prepare and driver."""
        known = dict(self.parts)
        return self.later - known["rows"] - known["tail"] if known else None

    @property
    def per_128(self) -> float:
        """Packets and stalls of the whole call per 128 bytes."""
        return (self.later + max(self.stalls, 0)) * 128 / self.bytes if self.bytes else 0.0


@dataclass(frozen=True, slots=True)
class Sources:
    """What is compiled: the generated files of a QHPI target by their path in its folder, and files of the user's."""

    package: OpPackage
    op: Op
    files: Mapping[str, str]
    bodies: tuple[Path, ...]
    root: Path


def bench_calls(
    sources: Sources, archs: Sequence[str], shapes: Sequence[tuple[int, ...]], in_ddr: bool = False
) -> list[CallRecord]:
    """All kernels of an op at all shapes, aligned and not. `in_ddr`: flat tensors are there. Raises MissingTool (OPK430) and
    OpkgError (OPK611)."""
    runtime.require()
    return [record for arch in archs for record in _of_arch(sources, arch, shapes, in_ddr)]


def _of_arch(sources: Sources, arch: str, shapes: Sequence[tuple[int, ...]], in_ddr: bool) -> list[CallRecord]:
    folder = cache_folder(sources.root) / "opkg-bench"
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    with scratch_folder() as scratch:
        plain = _Program(sources, arch, Path(scratch), folder)
        floats = _Program(sources, arch, Path(scratch) / "floats", folder, floats=True)
        for kernel in driver.called_kernels(sources.package, sources.op, "qhpi"):
            built = floats if _has_floats(sources.op, kernel, arch) else plain
            for wanted in shapes:
                fitting = with_rank(sources.op, wanted)
                shape = wanted if isinstance(fitting, str) else fitting
                case = fitting if isinstance(fitting, str) else _case(sources, kernel, shape)
                for aligned in (True,) if is_crouton(kernel) else (True, False):
                    far = in_ddr and not is_crouton(kernel)
                    blank = CallRecord(kernel.label, arch, shape, kernel.layout.value, aligned, in_ddr=far)
                    why = case if isinstance(case, str) else why_no_blocks(case) if is_crouton(kernel) else ""
                    if isinstance(case, str) or why:
                        found.append(replace(blank, problem=why))
                        continue
                    found.append(built.record(blank, Called(kernel, case, aligned, far)))
    return found


def _case(sources: Sources, kernel: Kernel, shape: tuple[int, ...]) -> Case | str:
    return case_at(sources.op, kernel.combination, shape, sources.root, sources.root / sources.package.path)


def _has_floats(op: Op, kernel: Kernel, arch: str) -> bool:
    """Whether a kernel computes with vectors of floats, which no emulator does."""
    return any(
        subject.lowered is not None and subject.lowered.float_unit and subject.lowered.arch <= architecture(arch)
        for subject in subjects(op)
        if subject.kernel.combination == kernel.combination
    )


class _Program:
    """The program of an op on one architecture, built when it is first needed. `floats`: with vectors of floats, which
    stand-ins take the place of."""

    def __init__(self, sources: Sources, arch: str, folder: Path, cache: Path, floats: bool = False) -> None:
        self.sources, self.arch, self.folder, self.cache, self.floats = sources, arch, folder, cache, floats
        self.program: Path | None = None
        self.counting: Path | None = None  # the same with stand-ins, but it counts which code computes what
        self.problem = ""
        self.text = ""
        self.kernels = folder / driver.generated_source(sources.package, sources.op)
        self.static = False
        self.key = ""

    def _written(self) -> str:
        """Writes the sources; a digest of all that the figures depend on."""
        digest = hashlib.sha256(
            f"{_VERSION}\0{attribution()}\0{self.arch}\0{FLAGS}\0{toolchain.flags(self.arch)}".encode()
        )
        if self.floats:
            digest.update(Path(stand_ins.__file__).read_bytes())
        for tool in (bool(steady.prefix()), toolchain.clang(), toolchain.lld(), toolchain.qemu()):
            digest.update(str(tool).encode())
        stem, space = snake(self.sources.op.name), self.sources.package.cpp_namespace
        subject = f'#include "package.h"\nQHPI_OpInfo_v1 opkg_subject() {{ return {space}::{stem}_info(); }}\n'
        files = {
            **self.sources.files,
            "src/opkg_subject_.cpp": subject,
            "src/opkg_frame_.cpp": FRAME.read_text("utf-8"),
        }
        for name, text in sorted(files.items()):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            digest.update(name.encode() + b"\0" + text.encode())
        for body in self.sources.bodies:
            digest.update(body.name.encode() + b"\0" + body.read_bytes())
        return digest.hexdigest()

    def _build(self) -> None:
        stem = snake(self.sources.op.name)
        wanted = [self.folder / f"src/{name}.cpp" for name in (stem, "opkg_subject_", "opkg_frame_")]
        wanted += [self.kernels] if self.kernels.is_file() else []
        flags = [*FLAGS, *(["-UOPKG_HVX_FLOAT"] if self.floats else []), "-Iinclude", "-Isrc"]
        try:
            toolchain.own_headers(self.folder)
            program, text, lacking = self._linked("program", wanted, flags)
            if lacking:
                self.counting, _, _ = self._linked("counting", wanted, [*flags, _COUNTING])
        except stand_ins.UnknownError as unknown:
            self.problem = f"floating point on HVX does not run in the emulator, and nothing stands in for '{unknown}'"
            return
        except toolchain.ToolFailed as failed:
            self.problem = f"the compiler fails: {first_error(failed)}"
            return
        self.program, self.text, self.static = program, text, lacking

    def _linked(self, name: str, sources: Sequence[Path], flags: Sequence[str]) -> tuple[Path, str, bool]:
        """A program, its disassembly, and whether there are stand-ins in it."""
        objects = toolchain.compile([*sources, *self.sources.bodies], self.arch, flags, self.folder)
        program = self.folder / name
        linked = [*objects, *runtime.objects(self.arch, self.sources.root)]
        toolchain.link(linked, program, ("--unresolved-symbols=ignore-all",))  # callbacks that no call reaches
        text = disassembly(program, self.arch) or ""
        lacking = stand_ins.float_instructions(text) if self.floats else {}
        if lacking:
            stand_ins.put_in(program, lacking, self.arch)
        return program, text, bool(lacking)

    def record(self, blank: CallRecord, called: Called) -> CallRecord:
        """The figures of one call, from the cache where they are known."""
        data = encoded(called)
        self.key = self.key or self._written()
        kept = self.cache / f"call-{hashlib.sha256(self.key.encode() + data).hexdigest()[:24]}.json"
        if kept.is_file():
            row = json.loads(kept.read_text("utf-8"))
            parts = tuple((str(name), int(count)) for name, count in row.pop("parts"))
            return CallRecord(**{**row, "shape": tuple(row["shape"]), "parts": parts})
        if self.program is None and not self.problem:
            self._build()
        if self.program is None:
            return replace(blank, problem=self.problem)
        found = self._measured(self.program, replace(blank, bytes=called.output_bytes), data)
        keep(kept, json.dumps(asdict(found)))
        return found

    def _measured(self, program: Path, blank: CallRecord, data: bytes) -> CallRecord:
        report = self._report(program, data)
        if report is None:
            return replace(blank, problem="no kernel record takes these tensors")
        status, empty, *calls, _, _ = report
        if status != 0:
            deep = status == _UNSUPPORTED and blank.layout == Layout.CROUTON.value and reduces(self.sources.op)
            return replace(blank, problem=_DEEP if deep else f"the kernel returns {status}")
        if (portable := self._portable(data)) > _MOST_PORTABLE:
            return replace(blank, problem=_TURNED_DOWN.format(portable))
        found = replace(blank, static=self.static, first=calls[0] - empty, later=calls[CALLS - 1] - empty)
        if not self.text or sum(calls) > MOST_TRACED:
            return found
        trace = self._trace(program, data)
        parts = counted(trace, frames(program, trace), self.kernels, _OURS) if self.kernels.is_file() else {}
        stalls = along(trace, packets_of(self.text, self.arch)).stalls
        return replace(found, parts=tuple((p, parts[p]) for p in PARTS) if parts else (), stalls=stalls)

    def _report(self, program: Path, data: bytes) -> tuple[int, ...] | None:
        """What a program counts; None where it has no kernel for the tensors."""
        ran = toolchain.run(program, [str(CALLS)], data, TIMEOUT)
        if ran.status == 3:
            return None
        if ran.status != 0 or len(ran.stdout) != _REPORT.size:
            said = f"the measured program ended with status {ran.status} on {self.arch}"
            raise OpkgError([error("OPK611", f"{said}: {ran.stderr.decode(errors='replace')}".strip(), Span(""))])
        return _REPORT.unpack(ran.stdout)

    def _portable(self, data: bytes) -> float:
        """The part of the elements that portable code computes because vectors turn down what stand-ins have made."""
        report = self._report(self.counting, data) if self.counting is not None else None
        *_, vector, portable = report or (0, 0)
        return portable / max(vector + portable, 1)

    def _trace(self, program: Path, data: bytes) -> list[int]:
        """The packets of the last call, in order."""
        labels = sorted((int(at, 16), name) for at, name in _LABEL.findall(self.text))
        ends = [at for at, _ in labels[1:]] + [labels[-1][0] + 0x10000]
        ranges = [(at, end - 1) for (at, name), end in zip(labels, ends, strict=True) if "opkg_setup" not in name]
        found = addresses(toolchain.traced(program, [str(CALLS), "x"], _joined(ranges), data, 10 * TIMEOUT))
        place = {name: at for at, name in labels}
        begin, end = place["opkg_begin"], place["opkg_end"]
        return found[found.index(begin) + 1 : found.index(end)] if begin in found and end in found else []


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that follow one another as one."""
    found: list[tuple[int, int]] = []
    for first, last in ranges:
        if found and found[-1][1] + 1 == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found
