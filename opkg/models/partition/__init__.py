"""Which nodes of a model become one kernel."""
