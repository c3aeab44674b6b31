"""The onnxruntime target: ONNX nodes, functions and sessions for op packages in ONNX Runtime."""

from opkg.targets.onnxruntime.target import OnnxruntimeTarget

TARGET = OnnxruntimeTarget()
