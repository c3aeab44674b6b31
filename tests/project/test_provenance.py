"""The line at the top of generated files: found again, and every edit tells."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
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


NAME = st.sampled_from(["a.h", "deep/b.h", "c d.h"])
ENTRY = st.builds(
    lambda made: SpecEntry(package="p", targets=["t"], made=made),
    st.dictionaries(
        st.text(max_size=8),
        st.builds(
            lambda files, shared, yours: Made(
                by="opkg 1", spec="0" * 64, files=files, shared=shared, yours=sorted(yours)
            ),
            st.dictionaries(st.text(max_size=8).map(lambda t: "generated/" + t.replace("..", "")), st.just("a" * 64)),
            st.lists(NAME).map(sorted),
            st.lists(st.text(max_size=8)),
        ),
        max_size=3,
    ),
)


@given(st.dictionaries(st.text(max_size=8), ENTRY, max_size=3), st.dictionaries(NAME, st.just("b" * 64), max_size=3))
def test_manifest_comes_back(specs: dict[str, SpecEntry], shared: dict[str, str]) -> None:
    data = manifest.text(specs, shared)
    assert manifest.parse(data) == manifest.Manifest(specs, shared)
    assert manifest.parse(data.replace(b"\n", b"\r\n")) == manifest.Manifest(specs, shared)
    assert manifest.text(dict(reversed(specs.items())), dict(reversed(shared.items()))) == data


def test_manifest_of_before_there_were_shared_files() -> None:
    """That of opkg 0.1 as it was: the packages need nothing shared."""
    rest = (
        '"format": 1,\n"specs": {\n"specs/a.yaml": {\n "package": "acme.a", "targets": ["toy"], "made": {\n  "toy": {\n'
        '   "by": "opkg 0.1.0 (0)",\n   "spec": "1",\n   "files": {\n    "generated/acme_a/a.h": "2"\n   }, "yours": []\n'
        "  }\n }\n}\n}\n}\n"
    )
    found = manifest.parse(f'{{\n"checksum": "sha256:{sha256(rest.encode()).hexdigest()}",\n{rest}'.encode())
    assert (found.fault, found.shared) == ("", {})
    assert found.specs["specs/a.yaml"]["made"]["toy"]["shared"] == []


@pytest.mark.parametrize("name", ["../a", "a//b", "", "/etc/passwd", "a/.."])
def test_a_shared_file_outside_of_its_folder_is_damage(name: str) -> None:
    assert manifest.parse(manifest.text({}, {name: "0"})).fault == "is damaged"


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
