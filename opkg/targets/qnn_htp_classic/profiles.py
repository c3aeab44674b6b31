"""SDK profiles: what differs between the SDKs a classic package can be built with (facts/htp-op-package.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Alphabetical order is the order that works: optimize.h before constraints.h does not compile (2.43).
OP_HEADERS = (
    "HTP/core/constraints.h",
    "HTP/core/op_package_feature_support.h",
    "HTP/core/op_register_ext.h",
    "HTP/core/optimize.h",
    "HTP/core/simple_reg.h",
    "QnnOpPackage.h",
)
INTERFACE_HEADERS = tuple(sorted((*OP_HEADERS, "HTP/core/unique_types.h", "HTP/QnnHtpCommon.h", "QnnSdkBuildId.h")))


@dataclass(frozen=True, slots=True)
class Profile:
    """One generation of the C++ interface, named after the first SDK that has it.

    `core_init`: the backend calls a function of the package's (INIT_PKG_CORE_INIT_FUNC, since 2.17) that registers ops
    and rules; before, the package's own init function does it. `scale` and `offset`: methods of the generic Tensor.
    """

    name: str
    core_init: bool
    scale: str
    offset: str
    op_headers: tuple[str, ...] = OP_HEADERS
    interface_headers: tuple[str, ...] = INTERFACE_HEADERS

    @property
    def minor(self) -> int:
        return int(self.name.partition(".")[2])


PROFILES = (
    Profile("2.13", False, "get_interface_scale", "get_interface_offset"),
    Profile("2.17", True, "get_interface_scale", "get_interface_offset"),
    Profile("2.25", True, "get_interface_scale", "get_interface_offset"),
    Profile("2.43", True, "interface_scale", "interface_offset"),
)
NEWEST = PROFILES[-1]

_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.\S*)?")


def profile_of(sdk: str) -> Profile | None:
    """The profile of a spec's `sdk`: "2.25", also "2.25.0.240728"; the newest when it is empty; None: unknown."""
    if not sdk:
        return NEWEST
    found = _VERSION.fullmatch(sdk)
    name = f"{found[1]}.{found[2]}" if found else ""
    return next((profile for profile in PROFILES if profile.name == name), None)


def nearest_profile(sdk: str) -> Profile:
    """What to suggest instead of an unknown profile: the last one that is not newer, else the oldest."""
    found = _VERSION.fullmatch(sdk)
    if found is None:
        return NEWEST
    if int(found[1]) != 2:
        return NEWEST if int(found[1]) > 2 else PROFILES[0]
    older = [profile for profile in PROFILES if profile.minor <= int(found[2])]
    return older[-1] if older else PROFILES[0]
