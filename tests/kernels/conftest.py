"""On which machines whole packages of kernels run, and in which element types."""

from __future__ import annotations

import kernels_product
import pytest
from kernels_kit import need_arch


def pytest_configure(config: pytest.Config) -> None:
    kernels_product.ALL_TYPES = config.option.markexpr != "not sweep"


@pytest.fixture(params=["host", pytest.param("hexagon-v73", marks=pytest.mark.sweep)])
def machine(request: pytest.FixtureRequest) -> str:
    """The host; with the sweeps qemu, too. Without them it runs what `test_kernels_qemu.py` picks."""
    found: str = request.param
    if found != "host":
        need_arch(found.removeprefix("hexagon-"))
    return found
