"""Reports: what people and tools read of a run."""
