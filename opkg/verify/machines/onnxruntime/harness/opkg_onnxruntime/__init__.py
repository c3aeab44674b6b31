"""What runs beside a generated package in the process of the machine `onnxruntime`."""
