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
    """One generation of the C++ interface, named after the first SDK that has it. Generated code is the same for all: what
    they call differently it tells apart when it is compiled. Passes and constructs of rules are those of the profile."""

    name: str
    op_headers: tuple[str, ...] = OP_HEADERS
    interface_headers: tuple[str, ...] = INTERFACE_HEADERS

    @property
    def minor(self) -> int:
        return int(self.name.partition(".")[2])


PROFILES = tuple(map(Profile, ("2.13", "2.17", "2.25", "2.43")))
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
