"""What `opkg executorch intree` knows of a checkout before it changes it: what is remembered, and what marks and names tell."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from opkg.cli.executorch_existing import fuses, let_in
from opkg.cli.executorch_files import files_of
from opkg.project.discover import Project
from opkg.project.files import digest
from opkg.project.read import ReadProject
from opkg.spec.diagnostics import Diagnostic, Severity, Span, warning
from opkg.spec.model import OpPackage
from opkg.targets.executorch_builder import TARGET, intree
from opkg.targets.executorch_builder.intree_stock import BUILDERS, RULES
from opkg.trees import adopt, entries
from opkg.trees.checkout import Package
from opkg.trees.record import Laid
from opkg.trees.sameness import same_module
from opkg.verify.machines.executorch.packages import has_builders

if TYPE_CHECKING:
    from opkg.trees.checkout import Checkout


def rules(known: Mapping[str, Laid]) -> set[str]:
    """Quantizer rules that opkg put in, by the names of their classes."""
    return {put.key for each in known.values() for put in each.entries if put.path == RULES}


def ours(known: Mapping[str, Laid]) -> set[str]:
    """Files and quantizer rules that opkg put in."""
    return {*rules(known), *(path for laid in known.values() for path in laid.files)}


def known_of(tree: Checkout, read: ReadProject, known: Mapping[str, Laid]) -> dict[str, Laid]:
    """What is remembered of the checkout, and what is there of the packages without being remembered."""
    packages = [p for p in read.packages if has_builders(p) and not _faulty(p)]
    there = {package.name: _there(tree, read, package) for package in packages}
    found = dict(known)
    for name, each in _formatted(tree, read, packages, there).items():
        laid = adopt.merged(known.get(name), each)
        if laid.files or laid.entries:
            found[name] = laid
    return found


def without_specs() -> ReadProject:
    """The folder that we are in as a project whose specs are gone: what it put into a checkout can be taken out."""
    return ReadProject(Project(os.getcwd(), "", (), ("",)), (), ())


def known_by_marks(tree: Checkout) -> dict[str, Laid]:
    """What packages have in a checkout of which there is neither a record nor a spec, as far as marks and names tell."""
    found = {}
    for name in _named_in(f"{tree.root}/{BUILDERS}"):
        package = OpPackage(name, (0, 0, 0), "", (), "", (), "")
        found[name] = _there(tree, without_specs(), package)
    return found


def _named_in(folder: str) -> list[str]:
    """Names of packages that files of a folder of builders say they are of."""
    found = set()
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.endswith(".py"):
            with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as file:
                found.add(intree.package_of(file.readline()))
    return sorted(found - {""})


def unmarked(
    tree: Checkout, read: ReadProject, known: Mapping[str, Laid], laid: Mapping[str, Laid]
) -> list[Diagnostic]:
    """Warnings on torch ops in lists of which nobody can tell who put them in: no record, and no mark behind any of them."""
    found = []
    for package in read.packages:
        mark = intree.mark_of(package)
        if package.name in known or package.name not in laid or not laid[package.name].files:
            continue
        if any(f"{mark}\n" in put.text for put in laid[package.name].entries if put.place.kind == "list"):
            continue
        for each in intree.tree(package).insertions:
            text = tree.as_it_is(each.path) if each.place.kind == "list" and mark in each.text else None
            there = (
                None
                if text is None or entries.obstacle(text, each.place, each.key)
                else entries.find(text, each.place, each.key)
            )
            if there is not None:
                message = (
                    f"'{each.key}' stays: without the record and the mark '{mark.strip()}' it may be the checkout's own"
                )
                found.append(
                    warning(
                        "OPK361", message, Span(tree.prefix + each.path, there.line), "take it out by hand if it is not"
                    )
                )
    return found


def _faulty(package: OpPackage) -> bool:
    return any(each.severity is Severity.ERROR for each in TARGET.check(package))


def _there(tree: Checkout, read: ReadProject, package: OpPackage) -> Laid:
    passes = fuses(tree)
    each = intree.tree(package, fuses=passes)
    once = [*intree.package_entries(package), *(intree.fusion_entries(package) if passes else ())]
    files = files_of(read, each) if package.ops else {}
    wanted = Package(package.name, files, tuple(dict.fromkeys([*each.insertions, *once])))
    return adopt.found(tree, wanted, each.head, (BUILDERS, each.support), each.own, intree.LISTS, each.constants)


def _formatted(
    tree: Checkout, read: ReadProject, packages: Sequence[OpPackage], there: Mapping[str, Laid]
) -> dict[str, Laid]:
    """Files whose mark fails are ours all the same if they say what the specs ask for before or beside others' builders."""
    result = dict(there)
    for mode in ("replace", "beside"):
        if not any(adopt.EDITED in laid.files.values() for laid in result.values()):
            break
        trees, _ = let_in(tree, packages, mode, ours(there))
        for name, each in trees.items():
            texts, files = files_of(read, each), dict(result[name].files)
            for path in [path for path, checksum in files.items() if checksum == adopt.EDITED and path in texts]:
                text = tree.read(path) or ""
                if same_module(path, text, texts[path]):
                    files[path] = digest(text.encode())
            result[name] = Laid(files, result[name].entries)
    return result
