"""Op-package info, with the wheel's fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class QnnExecuTorchOpPackageTarget(IntEnum):
    UNKNOWN = 0
    CPU = 1
    HTP = 2


class QnnExecuTorchOpPackagePlatform(IntEnum):
    UNKNOWN = 0
    X86_64 = 1
    AARCH64_ANDROID = 2


@dataclass
class QnnExecuTorchOpPackageInfo:
    op_package_name: str
    op_package_path: str
    interface_provider: str
    target: QnnExecuTorchOpPackageTarget
    custom_op_name: str
    qnn_op_type_name: str
    platform: QnnExecuTorchOpPackagePlatform
