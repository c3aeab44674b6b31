"""The files of `generated/opkg`, one for all packages and interfaces of a project, and what differs between interfaces."""

from __future__ import annotations

from opkg import SHARED_FOLDER
from opkg.resources import plain, render, sim_header
from opkg.targets.artifact import Artifact, Ownership

QNN_ABI = "opkg/qnn_abi.h"
STYLE = "BasedOnStyle: Google\nColumnLimit: 0\n"


def shared(name: str, text: str, comment: str = "//") -> Artifact:
    """A file of `generated/opkg`, which all packages of a project use."""
    return Artifact(f"{SHARED_FOLDER}{name}", text, Ownership.SHARED, comment)


def header(template: str) -> Artifact:
    """A template of a header as it stands, shared: `qnn/kernel.h` as `opkg/kernel.h`."""
    return shared(template.rpartition("/")[2], plain(template))


def common_headers(base: str, interface: str, unsigned: bool = False, qnn_header: str = QNN_ABI) -> list[Artifact]:
    """The kernel API and the op-config checks, shared; and the two small headers in which interfaces differ.

    `unsigned`: signed elements of 8 and 16 bits arrive as unsigned ones. `qnn_header`: what declares QNN's types, our own
    header (which then comes along) or the SDK's.
    """
    own = qnn_header == QNN_ABI
    whose = "declared by a header of opkg's own" if own else "declared by the headers of the SDK"
    return [
        Artifact(f"{base}/include/opkg/signed.h", signed_header(interface, unsigned)),
        Artifact(f"{base}/include/opkg/qnn_types.h", render("qnn/qnn_types.h.j2", whose=whose, header=qnn_header)),
        *(header(f"qnn/{name}.h") for name in ("kernel", "op_config", "op_info", "op_values", "small")),
        *([shared("qnn_abi.h", sim_header(QNN_ABI))] if own else []),
        shared(".clang-format", STYLE, comment="#"),
    ]


def signed_header(interface: str, unsigned: bool) -> str:
    """Text of `opkg/signed.h`: how signed elements arrive through an interface."""
    return render("qnn/signed.h.j2", interface=interface, kind="uint" if unsigned else "int")
