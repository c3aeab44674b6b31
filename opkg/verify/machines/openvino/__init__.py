"""Extension ops inside OpenVINO: models, the process that runs them on its CPU device, what it can hold."""
