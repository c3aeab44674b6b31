"""The files of `generated/opkg`, one for all packages and interfaces of a project, and what differs between interfaces."""

from __future__ import annotations

from functools import cache

from opkg import SHARED_FOLDER
from opkg.resources import plain, render, sim_header
from opkg.targets.artifact import Artifact, Ownership

QNN_ABI = "opkg/qnn_abi.h"
STYLE = "BasedOnStyle: Google\nColumnLimit: 0\n"


def shared(name: str, text: str, comment: str = "//") -> Artifact:
    """A file of `generated/opkg`, which all packages of a project use."""
    return Artifact(f"{SHARED_FOLDER}{name}", text, Ownership.SHARED, comment)


@cache
def header(template: str) -> Artifact:
    """A template of a header as it stands, shared: `qnn/kernel.h` as `opkg/kernel.h`."""
    return shared(template.rpartition("/")[2], plain(template))


@cache
def common_headers() -> tuple[Artifact, ...]:
    """The kernel API and the op-config checks, shared. As they stand they are for QHPI."""
    names = ("kernel", "op_call", "op_config", "op_info", "op_pieces", "op_tensors", "op_values", "small")
    return (*(header(f"qnn/{name}.h") for name in names), shared(".clang-format", STYLE, comment="#"))


@cache
def qnn_abi() -> Artifact:
    """QNN's types, for interfaces that do not bring the SDK's."""
    return shared("qnn_abi.h", sim_header(QNN_ABI))


def signed_elements(base: str, interface: str) -> Artifact:
    """`opkg/signed.h` of an interface through which signed elements of 8 and 16 bits arrive as such."""
    return Artifact(f"{base}/include/opkg/signed.h", signed_header(interface, unsigned=False))


def sdk_types(base: str, name: str) -> Artifact:
    """`opkg/qnn_types.h` of an interface whose sources include the SDK's headers. `name`: the one with QNN's types."""
    return Artifact(f"{base}/include/opkg/qnn_types.h", render("qnn/qnn_types.h.j2", header=name))


def signed_header(interface: str, unsigned: bool) -> str:
    """Text of `opkg/signed.h`: how signed elements arrive through an interface."""
    return render("qnn/signed.h.j2", interface=interface, kind="uint" if unsigned else "int")
