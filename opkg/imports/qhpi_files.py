"""A QHPI package as an import: its ops, and its files with kernels."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.imports.cpp_bodies import carry_headers
from opkg.imports.cpp_carry import HVX_HEADER, needs_hvx
from opkg.imports.cpp_kernels import function_name
from opkg.imports.cpp_report import Source
from opkg.imports.form import Imported
from opkg.imports.naming import package_name
from opkg.imports.qhpi import Reader, stem
from opkg.imports.qhpi_calls import VIEWS, Call, kernel_file
from opkg.imports.qhpi_text import carried_text
from opkg.imports.read import Options
from opkg.resources import plain, sim_header
from opkg.spec.diagnostics import Diagnostic, Severity, Span

TARGETS = ("qnn-htp-qhpi",)


def imported(sources: Sequence[Source], options: Options) -> Imported:
    """The ops of a package's QHPI records, with their kernels; none when it has no record."""
    reader = Reader(sources, options.known)
    ops = reader.ops()
    package = options.package or package_name(reader.package)
    files, findings = _files(sources, [call for op in ops for call in op.calls], package)
    return Imported(
        tuple(source.path for source in sources),
        tuple(op.op for op in ops),
        package,
        targets=TARGETS,
        findings=(*reader.findings, *findings),
        files=files,
    )


def _files(
    sources: Sequence[Source], calls: Sequence[tuple[str, Call]], package: str
) -> tuple[tuple[tuple[str, bytes], ...], list[Diagnostic]]:
    known = {source.path: source for source in sources}
    out: dict[str, str] = {}
    done: set[str] = set()
    findings: list[Diagnostic] = []
    names = {function_name(call.old) for _, call in calls}

    def carry(source: Source) -> str:
        return carried_text(source, names)

    for path in dict.fromkeys(path for path, _ in calls):
        text = carry(known[path])
        hvx = HVX_HEADER if needs_hvx(text) and HVX_HEADER not in text else ""
        own = [call for where, call in calls if where == path]
        name = path.rpartition("/")[2]
        out[f"kernels/{stem(path)}.cpp"] = kernel_file(name, text, package.replace(".", "_"), own, hvx)
        findings += carry_headers(known[path], known, carry, done, out)
        if "QnnOpPackage_Interface_t" in known[path].code:
            message = "the interface of the package is generated anew; what it checks or does beside is not carried"
            span = Span(path, 1, 1, 1, 2)
            findings.append(Diagnostic("OPK646", message, span, "constraints of the spec check calls", Severity.INFO))
    if any(needs_hvx(text) for text in out.values()):
        out[f"kernels/{HVX_HEADER}"] = sim_header(HVX_HEADER)
    if out:
        out[f"kernels/{VIEWS}"] = plain(f"imports/{VIEWS}")
    return tuple((path, text.encode()) for path, text in sorted(out.items())), findings
