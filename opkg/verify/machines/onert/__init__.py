"""Custom kernels inside onert, Samsung's runtime: models, the process that runs them, what it can hold."""
