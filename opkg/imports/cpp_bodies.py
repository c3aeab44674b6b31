"""The kernel files of an import from C++: each file of the package that has kernels, and the headers it includes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from opkg.imports.cpp_carry import HVX_HEADER, carried_text, foreign, functions_named, local_includes, needs_hvx
from opkg.imports.cpp_files import HEADERS
from opkg.imports.cpp_form import CppOp
from opkg.imports.cpp_kernels import function_name
from opkg.imports.cpp_report import Source, external_functions
from opkg.resources import plain, sim_header
from opkg.spec.diagnostics import Diagnostic, Severity, Span, warning
from opkg.spec.names import snake

TENSORS = "htp_tensors.h"


class Bodies:
    """Which file becomes which, and the functions that opkg calls in it."""

    def __init__(self, sources: Sequence[Source], package: str) -> None:
        self.sources = {source.path: source for source in sources}
        self.namespace = package.replace(".", "_")
        self.wrappers: dict[str, dict[str, list[str]]] = {}  # source -> op -> functions
        self.names: dict[str, str] = {}

    def path_of(self, source: str) -> str:
        """`src/ops/Relu.cpp` -> `kernels/relu.cpp`, numbered where two would be one."""
        if source not in self.names:
            stem = snake(re.sub(r"\W+", "_", os.path.splitext(os.path.basename(source))[0])) or "kernels"
            taken, number = set(self.names.values()), 2
            name = f"kernels/{stem}.cpp"
            while name in taken:
                name, number = f"kernels/{stem}_{number}.cpp", number + 1
            self.names[source] = name
        return self.names[source]

    def add(self, source: str, op: str, function: str) -> None:
        """One function that opkg calls, in the file of its kernel."""
        self.wrappers.setdefault(source, {}).setdefault(op, []).append(function)

    def files(
        self, ops: Sequence[CppOp], refused: Collection[str]
    ) -> tuple[tuple[tuple[str, bytes], ...], list[Diagnostic]]:
        """The files of the user's, and what is not carried of the old ones. `refused`: ops that no spec can have."""
        self.wrappers = {
            path: kept
            for path, by_op in self.wrappers.items()
            if (kept := {op: texts for op, texts in by_op.items() if op not in refused})
        }
        removed = _called_from_macros(ops)
        kernels = {function_name(registered.function) for op in ops for registered in op.facts.registered}
        findings: list[Diagnostic] = []
        out: dict[str, str] = {}
        headers: set[str] = set()

        def carry(source: Source) -> str:
            text = carried_text(source, removed, kernels)
            findings.extend(foreign(source, text))
            return text

        for path in self.wrappers:
            out[self.names[path]] = self._kernel_file(self.sources[path], carry(self.sources[path]))
            findings += carry_headers(self.sources[path], self.sources, carry, headers, out)
        if any(needs_hvx(text) for text in out.values()):
            out[f"kernels/{HVX_HEADER}"] = sim_header(HVX_HEADER)
        if self.wrappers:
            out[f"kernels/{TENSORS}"] = plain(f"imports/{TENSORS}")
        for op in ops:
            if op.facts.name not in refused:
                findings += self._rule_functions(op, out)
        findings += self._left_out(headers)
        return tuple((path, text.encode()) for path, text in sorted(out.items())), findings

    def _kernel_file(self, source: Source, text: str) -> str:
        """A file of the package, and below it what opkg calls."""
        ops = self.wrappers[source.path]
        hvx = needs_hvx(text) and HVX_HEADER not in text
        head = [
            f"// Kernels of {', '.join(ops)} out of {os.path.basename(source.path)}; opkg calls the functions at the end.",
            *(f'#include "{self.namespace}/{snake(op)}.h"' for op in ops),
            f'#include "{TENSORS}"',
            *([f'#include "{HVX_HEADER}"'] if hvx else []),
            "",
            "using namespace htp;",
            "",
        ]
        functions = "\n\n".join(function for op in ops.values() for function in op)
        return (
            "\n".join(head)
            + "\n"
            + text
            + f"\nnamespace {self.namespace} {{\n\n{functions}\n\n}}  // namespace {self.namespace}\n"
        )

    def _rule_functions(self, op: CppOp, out: dict[str, str]) -> list[Diagnostic]:
        """Puts the functions that an op's rules call into `out`, in the file that the classic package includes."""
        findings: list[Diagnostic] = []
        path, texts = f"rules/{snake(op.facts.name)}.h", []
        called: dict[str, Span] = {}
        for rule in (rule for rule in op.rules if not rule.reason):
            for part in (rule.rule.match, rule.rule.when, rule.rule.replace):
                called |= {name: rule.span for name in external_functions(part) if name not in called}
        for name, span in called.items():
            text = next((text for source in self.sources.values() for text in functions_named(source, name)), "")
            message = f"the rule calls the C++ function '{name}'"
            if text:
                texts.append(text)
                hint = f"its code is in {path}; what it calls itself is not brought along"
                findings.append(Diagnostic("OPK358", message, span, hint, Severity.INFO))
            else:
                hint = "none of the files has it: bring it into the file below rules/ that opkg generate declares it in"
                findings.append(warning("OPK358", message, span, hint))
        if texts:
            guard = f"{self.namespace}_RULES_{snake(op.facts.name)}_H_".upper()
            head = f"// Functions that rules of {op.facts.name} call, as they are in the imported files. This file is yours."
            out[path] = "\n\n".join([f"{head}\n#ifndef {guard}\n#define {guard}", *texts, f"#endif  // {guard}"]) + "\n"
        return findings

    def _left_out(self, headers: Collection[str]) -> list[Diagnostic]:
        """Files with code of which nothing is in the new package."""
        out = []
        for path, source in self.sources.items():
            if path in self.wrappers or path in headers or path.endswith(HEADERS):
                continue
            if "BEGIN_PKG_OPS_OPTS_LIST" in source.code or "QnnOpPackage_Interface_t" in source.code:
                message = "the interface of the package is generated anew; what it checks or does beside is not carried"
                out.append(
                    Diagnostic("OPK646", message, _top(source), "constraints of the spec check calls", Severity.INFO)
                )
            elif not source.document.items:
                message = "no kernel stands in this file: it is not carried"
                out.append(warning("OPK646", message, _top(source), "include it in a kernel file that needs it"))
        return out


def carry_headers(
    source: Source, sources: Mapping[str, Source], carry: Callable[[Source], str], done: set[str], out: dict[str, str]
) -> list[Diagnostic]:
    """Puts the headers that a file includes, and those that they include, into `out`; what is said of those not found."""
    findings: list[Diagnostic] = []
    for name, span in local_includes(source):
        found = sources.get(os.path.normpath(os.path.join(os.path.dirname(source.path), name)))
        target = os.path.normpath(os.path.join("kernels", name)).replace(os.sep, "/")
        if found is None or not target.startswith("kernels/"):
            message = f"'{name}' is not carried: " + ("there is no such file" if found is None else "it lies above")
            findings.append(warning("OPK647", message, span, "bring it into kernels/"))
        elif found.path not in done:
            done.add(found.path)
            out[target] = carry(found)
            findings += carry_headers(found, sources, carry, done, out)
    return findings


def _top(source: Source) -> Span:
    return Span(source.path, 1, 1, 1, 2)


def _called_from_macros(ops: Sequence[CppOp]) -> list[str]:
    """Functions of costs and of rules, which take what only HTP's own headers have."""
    names: dict[str, None] = {}
    for op in ops:
        for registered in op.facts.registered:
            if registered.macro.endswith("COST_F_AND_FLAGS"):
                names.setdefault(registered.rest.split(",")[0].strip())
        for rule in op.rules:
            for part in (rule.rule.match, rule.rule.when, rule.rule.replace):
                names.update(dict.fromkeys(external_functions(part)))
    return list(names)
