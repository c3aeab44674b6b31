"""The SDK versions whose passes, flags and terms are known, and which of them stands for any other version."""

from __future__ import annotations

from opkg.rules.constructs.model import version

PROFILES = ("2.13", "2.25", "2.43")
NEWEST = PROFILES[-1]


def profile_of(sdk: str) -> str:
    """The newest profile that is not newer than the SDK; "" and text that is no version: the newest, older than all: the
    oldest. So 2.17 counts as 2.13 and 2.30 as 2.25.
    """
    wanted = version(sdk)
    return next((profile for profile in reversed(PROFILES) if version(profile) <= wanted), PROFILES[0])
