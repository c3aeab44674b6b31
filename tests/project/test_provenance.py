"""The line at the top of generated files: found again, and every edit tells."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from opkg.project import manifest, provenance
from opkg.project.manifest import Made, SpecEntry

if TYPE_CHECKING:
    from tests.project.conftest import Tree

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@given(TEXT, st.sampled_from(["//", "#", "--", ";"]), st.text(max_size=30), st.booleans())
def test_found_again_and_intact(text: str, comment: str, spec: str, script: bool) -> None:
    data = provenance.stamp("#!/bin/sh\n" + text if script else text, comment, spec, "1.2.3")
    line = provenance.find(data)
    assert line is not None
    assert (line.version, line.intact) == ("1.2.3", True)
    assert line.spec == provenance.printable(spec)


@given(TEXT, st.data())
def test_every_change_tells(text: str, data: st.DataObject) -> None:
    whole = provenance.stamp(text + "end\n", "//", "specs/a.yaml", "1.2.3")
    start = whole.index(b"\n") + 1
    place = data.draw(st.integers(start, len(whole)))
    edited = whole[:place] + b"x" + whole[place:]
    line = provenance.find(edited)
    assert line is not None
    assert not line.intact


def test_no_comments_no_line() -> None:
    assert provenance.stamp("{}\n", "", "a.yaml", "1") == b"{}\n"
    assert provenance.find(b"{}\n") is None


def test_line_ends_are_unix() -> None:
    assert provenance.stamp("a\r\nb\rc\n", "#", "a.yaml", "1").endswith(b"\na\nb\nc\n")


ENTRY = st.builds(
    lambda made: SpecEntry(package="p", targets=["t"], made=made),
    st.dictionaries(
        st.text(max_size=8),
        st.builds(
            lambda files, yours: Made(by="opkg 1", spec="0" * 64, files=files, yours=sorted(yours)),
            st.dictionaries(st.text(max_size=8).map(lambda t: "generated/" + t.replace("..", "")), st.just("a" * 64)),
            st.lists(st.text(max_size=8)),
        ),
        max_size=3,
    ),
)


@given(st.dictionaries(st.text(max_size=8), ENTRY, max_size=3))
def test_manifest_comes_back(specs: dict[str, SpecEntry]) -> None:
    data = manifest.text(specs)
    assert manifest.parse(data) == manifest.Manifest(specs)
    assert manifest.parse(data.replace(b"\n", b"\r\n")) == manifest.Manifest(specs)
    assert manifest.text(dict(reversed(specs.items()))) == data


@given(st.binary(max_size=200))
def test_manifest_never_raises(data: bytes) -> None:
    assert manifest.parse(data).fault


def test_strange_spec_names(tree: Tree) -> None:
    names = ["a b.yaml", "q'\"u.yaml", "line\nbreak.yaml", "ünï.yaml", os.fsdecode(b"raw\xff.yaml"), "back\\slash.yaml"]
    for number, name in enumerate(names):
        tree.spec("Relu", path=f"specs/{name}", package=f"acme.p{number}")
    result = tree.generate()
    assert result.ok, result.findings
    assert tree.check().ok
    assert tree.check(quick=False).ok
    header = tree.read("generated/acme_p2/toy/relu.h")
    assert "specs/line\\u000abreak.yaml" in header.splitlines()[0]
