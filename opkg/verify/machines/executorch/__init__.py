"""Models in ExecuTorch's Qualcomm backend on this machine: the interpreter, the libraries, what runs inside."""
