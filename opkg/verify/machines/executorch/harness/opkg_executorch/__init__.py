"""What opkg runs in the interpreter that has torch and ExecuTorch: nothing here imports opkg."""
