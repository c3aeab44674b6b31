"""Kernel files of the user's that go into a source tree of onert with the operations that they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic, Span, error

if TYPE_CHECKING:
    from opkg.project.discover import Project
    from opkg.spec.model import Op, OpPackage
    from opkg.targets.foreign import Era


def carried(project: Project, package: OpPackage, era: Era, findings: list[Diagnostic]) -> dict[str, str]:
    """The files by their paths at de7f4736, as the tree has them; adds OPK374 to the findings where that cannot be."""
    from opkg.targets.onert.by_hand import is_by_hand, owned
    from opkg.targets.onert.files import CPU
    from opkg.targets.onert.lint import in_tree

    found = {}
    for op in package.ops:
        if not (is_by_hand(op) and in_tree(op)):
            continue
        if not era.cxx17:
            message = f"the kernels of {op.name} are by hand, in C++17: this tree is compiled as C++14"
            findings += project.shown([error("OPK374", message, op.span, "give the op a compute:, or leave it out")])
            continue
        for body, name in owned(package, op):
            text = _text(project, package, op, body, findings)
            if text is not None:
                found[f"{CPU}/ops/{name}"] = text
    return found


def _text(project: Project, package: OpPackage, op: Op, body: str, findings: list[Diagnostic]) -> str | None:
    from opkg.project import files
    from opkg.targets.onert.by_hand import carried as changed
    from opkg.targets.onert.by_hand import foreign

    try:
        text = files.unix(files.read(f"{project.root}/{body}")).decode()
    except (OSError, UnicodeDecodeError) as failure:
        words = failure.strerror if isinstance(failure, OSError) else "it is not UTF-8"
        message = f"the kernel file {body} of {op.name} cannot be read: {words}"
        findings += project.shown([error("OPK374", message, op.span, "opkg generate makes a first one")])
        return None
    for name, line in foreign(package, text):
        message = f"this kernel file includes {name}, which does not go into the tree"
        where = Span(f"{project.prefix}{body}", line, 1, line, 1)
        findings.append(error("OPK374", message, where, "put what it needs into the file itself"))
    return changed(package, text)
