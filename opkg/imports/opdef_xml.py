"""Files of QNN's OpDef XML, ops and supplements together, as one import."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from opkg.imports import opdef_values as values
from opkg.imports.form import Imported, ImportedOp
from opkg.imports.naming import package_name
from opkg.imports.opdef_grammar import check_grammar
from opkg.imports.opdef_op import OpMaker
from opkg.imports.opdef_parts import Added, dropped, tensor_name
from opkg.imports.read import Options
from opkg.imports.xml_tree import Element, read_xml
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error, nearest, sort_key, warning
from opkg.spec.names import snake


@dataclass(slots=True)
class _Found:
    """What the files hold."""

    roots: list[Element] = field(default_factory=list)
    ops: dict[str, Element] = field(default_factory=dict)
    added: dict[str, list[Added]] = field(default_factory=dict)
    backends: dict[str, list[str]] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)


def read(sources: Sequence[str], options: Options) -> Imported:
    """The ops of all files, with the supplements of all files. Raises OpkgError where a file has errors: all of them."""
    found = _Found()
    for path in sources:
        root = read_xml(path)
        if isinstance(root, Diagnostic):
            found.findings.append(root)
            continue
        wrong = check_grammar(root)
        found.findings += wrong
        if not any(finding.is_error for finding in wrong) or root.name in ("OpDefCollection", "OpDefList"):
            found.roots.append(root)
    for root in found.roots:
        _gather(root, found)
    for root in found.roots:
        _supplements(root, found)
    ops = list(_ops(found))
    name, version, comments = _package(found, options.package)
    if not ops and not any(finding.is_error for finding in found.findings):
        hint = "supplements alone make no package: name the file with the <OpDef>s, too"
        message = "none of the ops can be carried" if found.ops else "no op is defined here"
        found.findings.append(error("OPK620", message, Span(sources[0]), "" if found.ops else hint))
    if any(finding.is_error for finding in found.findings):
        raise OpkgError(sorted(found.findings, key=sort_key))
    targets = _targets(found, ops)
    return Imported(tuple(sources), tuple(ops), name, version, targets, tuple(found.findings), comments=comments)


def _lists(root: Element, name: str) -> Iterator[Element]:
    return iter([root]) if root.name == name else root.all(name)


def _gather(root: Element, found: _Found) -> None:
    for group in _lists(root, "OpDefList"):
        for op in group.all("OpDef"):
            name = op.words("Name")
            stem = snake(name)
            other = next((each for known, each in found.ops.items() if snake(known) == stem), None)
            if other is not None:
                place = f"{other.span.path}:{other.span.line}"
                found.findings.append(error("OPK626", f"op '{name}' is defined twice", op.span, f"first at {place}"))
                continue
            found.ops[name] = op
            backends = found.backends.setdefault(name, [])
            for each in op.all("SupportedBackend"):
                _backend(each.text, each.place, found)
                if each.text in backends:
                    found.findings.append(dropped(f"{each.text} stands twice", "once is enough", each.place))
                else:
                    backends.append(each.text)


def _backend(name: str, span: Span, found: _Found) -> None:
    if name not in values.BACKENDS:
        near = nearest(name, values.BACKENDS)
        hint = f"did you mean '{near}'?" if near else f"known: {', '.join(values.BACKENDS)}"
        found.findings.append(warning("OPK625", f"'{name}' is no backend that QNN's generator knows", span, hint))


def _supplements(root: Element, found: _Found) -> None:
    for group in _lists(root, "SupplementalOpDefList"):
        backend = group.attributes.get("Backend", "")
        if "Backend" in group.attributes:
            _backend(backend, group.attribute_spans["Backend"], found)
        if "Runtime" in group.attributes:
            why = "QNN's own reader drops a list with a Runtime"
            found.findings.append(dropped("supplements with a Runtime are left out", why, group.span))
            continue
        if backend not in values.HTP:
            found.findings.append(dropped(f"supplements for {backend} are left out", "opkg builds for HTP", group.span))
        for each in (name for supported in group.all("SupportedOps") for name in supported.all("OpName")):
            if each.text not in found.ops:
                found.findings.append(error("OPK624", f"no op '{each.text}'", each.place, _near(each.text, found)))
            elif backend and backend not in found.backends[each.text]:
                found.backends[each.text].append(backend)
        for op in group.all("SupplementalOpDef"):
            _supplement(op, backend, found)


def _near(name: str, found: _Found) -> str:
    near = nearest(name, tuple(found.ops))
    return f"did you mean '{near}'?" if near else f"ops: {', '.join(found.ops)}"


def _supplement(op: Element, backend: str, found: _Found) -> None:
    name = op.words("Name")
    if name not in found.ops:
        place = op.first("Name")
        span = place.place if place is not None else op.span
        found.findings.append(
            warning("OPK624", f"a supplement of '{name}', which is no op here", span, _near(name, found))
        )
        return
    found.added.setdefault(name, []).append(Added(backend, op))
    if backend in values.HTP and backend not in found.backends[name]:
        message = f"{name} does not name {backend} as its backend, and SupportedOps does not name {name}"
        why = "QNN's generator ignores such a supplement; its types are taken here"
        found.findings.append(Diagnostic("OPK627", message, op.span, why, Severity.INFO))
    for kind in ("Input", "Output", "Parameter"):
        known = [tensor_name(part) for part in found.ops[name].all(kind)]
        for part in op.all(kind):
            given = tensor_name(part)
            if given not in known:
                near = nearest(given, known)
                hint = (
                    f"did you mean '{near}'?" if near else f"there are {', '.join(known)}" if known else "it has none"
                )
                found.findings.append(warning("OPK624", f"{name} has no <{kind}> '{given}'", part.span, hint))
            shape = part.first("Shape")
            if shape is not None:
                what = f"the <Shape> of {name}'s supplement is left out"
                found.findings.append(dropped(what, "QNN's reader takes none there", shape.span))


def _ops(found: _Found) -> Iterator[ImportedOp]:
    for name, element in found.ops.items():
        maker = OpMaker(element, found.added.get(name, []), found.backends[name])
        if element.first("Description") is None or element.first("Name") is None:
            continue  # the grammar has said so
        op = maker.op()
        found.findings += maker.findings
        if op is not None:
            yield op


def _package(found: _Found, wanted: str) -> tuple[str, str, tuple[str, ...]]:
    """Name and version of the package, and comments on what a spec has no key for."""
    named = [root for root in found.roots if root.name == "OpDefCollection"]
    first = named[0] if named else None
    for root in named[1:]:
        if first is not None and root.attributes.get("PackageName") != first.attributes.get("PackageName"):
            message = f"another package: '{root.attributes.get('PackageName')}'"
            hint = f"all ops go into '{wanted or first.attributes.get('PackageName')}': graphs name the package"
            span = root.attribute_spans.get("PackageName", root.span)
            found.findings.append(warning("OPK629", message, span, hint))
    if first is None:
        return "", "", ()
    old = first.attributes.get("PackageName", "")
    name = wanted or package_name(old)
    if old and name and name != old:
        message = f"package '{old}' is called '{name}' in the spec"
        hint = "graphs name the package: convert models with the new name"
        found.findings.append(warning("OPK629", message, first.attribute_spans["PackageName"], hint))
    given = first.attributes.get("Version", "").strip()
    number = re.fullmatch(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?", given)
    comments = []
    if number is None and given:
        comments.append(f"TODO version: '{given}' there is none of three numbers")
    version = ".".join(str(int(part or 0)) for part in number.groups()) if number is not None else ""
    if domain := first.attributes.get("Domain", "").strip():
        comments.append(f"domain in the XML: {domain}")
    return name, version, tuple(comments)


def _targets(found: _Found, ops: Sequence[ImportedOp]) -> tuple[str, ...]:
    """QHPI where the XML asks for it, else the interface that QNN's generator makes of such a file, if that has the ranks."""
    qhpi = any(root.attributes.get("UseQHPI", "").lower() == "true" for root in found.roots)
    deep = next((t for op in ops for t in (*op.inputs, *op.outputs) if t.ranks is not None and t.ranks[0] > 4), None)
    if deep is not None and not qhpi:
        message = f"'{deep.name}' has rank {deep.ranks[0] if deep.ranks else 5}: the package is for QHPI"
        why = "tensors of the C++ interface have rank 4"
        found.findings.append(Diagnostic("OPK629", message, deep.span, why, Severity.INFO))
    return ("qnn-htp-qhpi",) if qhpi or deep is not None else ("qnn-htp-classic",)
