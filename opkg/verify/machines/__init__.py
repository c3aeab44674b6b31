"""Where cases run: compilers, runners, and a module or folder for each machine; `table` has them all."""
