"""Files of a package for a checkout of ExecuTorch, with modules of the project that its ops refer to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import OpkgError, Span, error

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.targets.executorch_builder.intree import Tree


def files_of(read: ReadProject, tree: Tree) -> dict[str, str]:
    """Files of a package, with the references that its ops need."""
    found = dict(tree.files)
    folders = dict.fromkeys([*(os.path.dirname(spec) for spec in read.project.specs), ""])
    for module in tree.references:
        name = module.replace(".", "/") + ".py"
        for folder in folders:
            place = os.path.join(read.project.root, folder, name)
            if os.path.isfile(place):
                found.setdefault(
                    f"{tree.support}/{name}", _text(place, read.project.prefix + os.path.join(folder, name))
                )
    return found


def _text(place: str, shown: str) -> str:
    """A reference's text; OpkgError (OPK301) when it is none."""
    try:
        with open(place, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError as failure:
        message = f"cannot be read: byte {failure.start + 1} is no UTF-8"
        raise OpkgError([error("OPK301", message, Span(shown))]) from None
