"""The ExecuTorch target: Python builders for ExecuTorch's Qualcomm backend."""

from opkg.targets.executorch_builder.target import ExecutorchTarget

TARGET = ExecutorchTarget()
