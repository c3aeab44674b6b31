"""The machine that runs ONNX models around ops in ONNX Runtime, on Qualcomm's provider and on the CPU."""
